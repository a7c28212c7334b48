"""Is the twin on disk what the tool would write? And writing it.

Drift has names: *missing*, *stale* (the source, a sibling, the rules or the engine moved, and the twin would come out
different), *edited* (the twin was touched), *orphan* (the source is gone or no longer uses torch), and *not-generated*
(a file with the twin's name that the tool did not write). A twin whose digests match its inputs is settled without a
parse.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from . import header
from .diagnostics import Code, Diagnostic, Severity
from .discovery import is_twin, walk
from .files import SourceError, newline_of, normalised, read_bytes, source_name, twin_name, write
from .project import Project, build

_EXPLANATIONS = {
    "missing": (
        "The source has no twin yet",
        "`torch2jax check` was asked about a source that uses torch, and no twin stands beside it. Run "
        "`torch2jax transpile` on it.",
    ),
    "stale": (
        "The twin no longer follows from its source",
        "The source, a sibling it imports, the rules or the tool have changed since the twin was written, and the twin "
        "would now come out different. Run `torch2jax transpile` on the source.",
    ),
    "edited": (
        "The twin was changed by hand or by another tool",
        "The text under the twin's header is not what was written. Make the change in the source and run `torch2jax "
        "transpile` on it, which puts the twin right. If a formatter rewrote the twin, exclude `*_jax.py` from it.",
    ),
    "orphan": (
        "The twin's source is gone",
        "The source that the twin names in its header no longer exists, or no longer uses torch. Delete the twin, or "
        "bring the source back.",
    ),
}
CODES = {name: Code(name, Severity.ERROR, *texts) for name, texts in _EXPLANATIONS.items()}


class Drift(NamedTuple):
    """What is wrong with one twin; ``actual`` and ``expected``: its text as it is and as it should be, where known."""

    diagnostics: tuple[Diagnostic, ...] = ()
    actual: str = ""
    expected: str | None = None


CLEAN = Drift()


def examine(source: Path, project: Project) -> Drift:
    """The drift of a source's twin; :data:`CLEAN` if there is none. Raises ConfigurationError and RuleError."""
    twin = twin_name(os.fspath(source))
    content = _content(twin)
    if not os.path.exists(source):
        return _drift("orphan", twin, f"its source {source.name} is gone", "delete the twin, or bring the source back")
    if content is None:
        if not project.uses_torch(source, exact=True):
            return CLEAN
        return _drift("missing", source, f"its twin {os.path.basename(twin)} does not exist", _remedy(source))
    head, body = header.split(content)
    if head is None:
        return Drift((_not_generated(twin),))
    if header.digest(body) != head.body:
        return _edited(source, twin, content, project)
    if head.inputs == project.inputs(source):
        return CLEAN
    return _compared(source, twin, content, body, project)


def _edited(source: Path, twin: str, content: bytes, project: Project) -> Drift:
    expected, _ = build(source, project)
    hint = f"make the change in {source.name}, then run: torch2jax transpile {source}"
    return _drift("edited", twin, "the text under its header is not what was written", hint, content, expected)


def _compared(source: Path, twin: str, content: bytes, body: bytes, project: Project) -> Drift:
    """The inputs moved: whether the twin would come out different."""
    expected, diagnostics = build(source, project)
    if expected is None:
        errors = tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR)
        if errors:
            return Drift(errors)
        return _drift("orphan", twin, f"{source.name} no longer uses torch", "delete the twin")
    if header.split(expected.encode("utf-8"))[1] == body:
        return CLEAN
    return _drift("stale", twin, f"it no longer follows from {source.name}", _remedy(source), content, expected)


def _drift(
    code: str, path: str | Path, message: str, hint: str, content: bytes = b"", expected: str | None = None
) -> Drift:
    diagnostic = Diagnostic(str(path), 0, 1, 0, 1, Severity.ERROR, code, message, hint)
    return Drift((diagnostic,), content.decode("utf-8", "replace"), expected)


def _remedy(source: Path) -> str:
    return f"run: torch2jax transpile {source}"


def _content(path: str) -> bytes | None:
    try:
        return normalised(read_bytes(path))
    except SourceError:
        if os.path.lexists(path):
            raise
        return None


def _not_generated(twin: str) -> Diagnostic:
    message = "torch2jax did not write this file and leaves it alone"
    hint = "rename it, or delete it if a twin shall take its place"
    return Diagnostic(twin, 0, 1, 0, 1, Severity.ERROR, "not-generated", message, hint)


def known(folder: str) -> Iterator[Path]:
    """The sources, there or gone, of the twins under a folder that the tool wrote."""
    return (Path(source_name(file)) for file in walk(folder) if source_name(file) and is_twin(file))


def orphans(folders: Sequence[str]) -> Iterator[Path]:
    """The sources that have left twins in these folders and are gone."""
    for folder in folders:
        for file in walk(folder):
            source = source_name(file)
            if source and not os.path.exists(source) and is_twin(file):
                yield Path(source)


def publish(source: Path, text: str) -> bool:
    """Put a twin beside its source, with the source's newlines; returns whether it changed.

    Raises SourceError where a file that the tool did not write has its name, or where it cannot be written.
    """
    twin = twin_name(os.fspath(source))
    if os.path.lexists(twin) and not is_twin(twin):
        raise SourceError(_not_generated(twin))
    return write(twin, text, newline_of(read_bytes(source)))
