"""The files around a source: what has a twin, what imports what, what configures it; and building a twin."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import header
from .diagnostics import Diagnostic, Severity
from .files import SourceError, decode, normalised, read_bytes, read_source, twin_path
from .resolve import Resolver
from .scan import Import, imports, scan
from .settings import FILE, Settings, find_settings, read_settings

if TYPE_CHECKING:
    from .pipeline import Result
    from .rules import RuleBook

__all__ = ["Project", "build", "find_settings", "read_source", "translate", "twin_path"]


class SourceFile(NamedTuple):
    """What the project remembers of a Python file: its digest and its imports, read quickly."""

    digest: str
    imports: tuple[Import, ...]


class Project:
    """Sources, settings and rules, each read once and kept. Make a new one when files have changed."""

    def __init__(self) -> None:
        self._resolver = Resolver()
        self._files: dict[str, SourceFile] = {}
        self._exact: dict[str, tuple[Import, ...]] = {}
        self._siblings: dict[tuple[str, str, int], Path | None] = {}
        self._nearest: dict[str, list[str]] = {}
        self._torch: dict[tuple[str, bool], bool] = {}
        self._tables: dict[str, Settings] = {}
        self._rules: dict[tuple[str, ...], RuleBook] = {}
        self._rule_digests: dict[str, str] = {}

    def settings(self, path: str | os.PathLike[str]) -> Settings:
        """The settings for a source file, as :func:`find_settings` finds them. Raises ConfigurationError."""
        return self._settings(os.path.dirname(os.path.abspath(path)))

    def _settings(self, folder: str) -> Settings:
        if folder not in self._tables:
            settings, parent = read_settings(os.path.join(folder, FILE)), os.path.dirname(folder)
            self._tables[folder] = settings or (Settings() if parent == folder else self._settings(parent))
        return self._tables[folder]

    def rules(self, settings: Settings) -> RuleBook:
        """The built-in rules and those of the settings. Raises RuleError."""
        if settings.rules not in self._rules:
            from .rules import load

            self._rules[settings.rules] = load([Path(path) for path in settings.rules])
        return self._rules[settings.rules]

    def sibling(self, importer: Path, module: str, level: int) -> Path | None:
        """The project source that ``from <level dots><module> import ...`` in ``importer`` means, if it has a twin.

        A source has a twin if it imports torch, itself or through a sibling. For ``from . import utils`` ask for
        module ``utils`` at level 1. Where an absolute name is looked for: :meth:`Resolver.resolve`.
        """
        key = (os.fspath(importer), module, level)
        if key not in self._siblings:
            found = self._resolver.resolve(os.path.abspath(importer), module, level)
            self._siblings[key] = Path(found) if found and self._uses_torch(found, exact=True) else None
        return self._siblings[key]

    def uses_torch(self, path: str | os.PathLike[str], exact: bool = False) -> bool:
        """Whether a file imports torch, itself or through files of the project.

        Without ``exact`` the answer is quick, and may be yes for a file that only mentions such an import.
        """
        return self._uses_torch(os.path.abspath(path), exact)

    def _uses_torch(self, path: str, exact: bool = False) -> bool:
        key = (path, exact)
        if key not in self._torch:
            read = self._parsed if exact else self._scanned
            direct = any(imported.is_torch for imported in read(path))
            self._torch[key] = direct or self._reaches_torch(path, read)
        return self._torch[key]

    def _reaches_torch(self, path: str, read: Callable[[str], tuple[Import, ...]]) -> bool:
        reached = _closure(path, lambda file: self._resolver.targets(file, read(file)))
        return any(imported.is_torch for file in reached for imported in read(file))

    def nearest(self, path: str | os.PathLike[str]) -> list[str]:
        """The sources with twins that a source itself imports: absolute paths."""
        return self._followed(os.path.abspath(path))

    def siblings(self, path: str | os.PathLike[str]) -> list[str]:
        """The sources with twins that a source imports, itself or through another, nearest first: absolute paths."""
        return list(_closure(os.path.abspath(path), self._followed))[1:]

    def _followed(self, source: str) -> list[str]:
        if source not in self._nearest:
            targets = self._resolver.targets(source, self._scanned(source))
            self._nearest[source] = [target for target in targets if self._uses_torch(target)]
        return self._nearest[source]

    def file(self, path: str) -> SourceFile:
        """A file's digest and imports; of one that cannot be read, an empty digest and no imports."""
        if path not in self._files:
            try:
                data = normalised(read_bytes(path))
                self._files[path] = SourceFile(header.digest(data), scan(data))
            except SourceError:
                self._files[path] = SourceFile("", ())
        return self._files[path]

    def _scanned(self, path: str) -> tuple[Import, ...]:
        return self.file(path).imports

    def _parsed(self, path: str) -> tuple[Import, ...]:
        if path not in self._exact:
            try:
                self._exact[path] = imports(read_source(path))
            except SourceError:
                self._exact[path] = ()
        return self._exact[path]

    def inputs(self, path: str | os.PathLike[str]) -> str:
        """The digest of all that the twin of a source follows from. Parses nothing. Raises ConfigurationError.

        Siblings count in the order in which the imports reach them, so their names, which the imports hold, need not.
        """
        source = os.path.abspath(path)
        settings = self._settings(os.path.dirname(source))
        decided = f"{settings.x64} {settings.kinks} {settings.line_length}"
        parts = [decided, *(self._rule_digest(rule) for rule in settings.rules)]
        parts += [self.file(file).digest for file in _closure(source, self._followed)]
        return header.digest(header.engine_digest() + " ".join(parts).encode("ascii"))

    def _rule_digest(self, path: str) -> str:
        if path not in self._rule_digests:
            self._rule_digests[path] = header.digest(normalised(read_bytes(path)))
        return self._rule_digests[path]


def _closure(start: str, follow: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """``start`` and what it leads to, nearest first, each once."""
    seen = {start}
    waiting = [start]
    for path in waiting:
        yield path
        for target in follow(path):
            if target not in seen:
                seen.add(target)
                waiting.append(target)


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


# ------------------------------------------------------------------------------------------------------------ building


def translate(path: str | os.PathLike[str], project: Project, data: bytes | None = None) -> Result:
    """Put a source through the engine: the file, or ``data`` in its place.

    Raises SourceError, ConfigurationError and RuleError; a failure of the engine is a diagnostic.
    """
    from . import pipeline

    shown = os.fspath(path)
    source = decode(read_bytes(path) if data is None else data, shown)
    settings = project.settings(path)
    rules = project.rules(settings)
    try:
        return pipeline.transpile(source, shown, settings, rules, project)
    except Exception as error:
        return pipeline.Result(None, (crash(shown, error),))


def crash(path: str, error: Exception) -> Diagnostic:
    """The diagnostic for an exception that the engine let through."""
    if isinstance(error, RecursionError):
        return Diagnostic(path, 0, 1, 0, 1, Severity.ERROR, "too-deep", "nested too deeply to analyse")
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    message = f"torch2jax failed on this file: {type(error).__name__}: {error}{place}"
    hint = "please report this with the file; nothing was written for it"
    return Diagnostic(path, 0, 1, 0, 1, Severity.ERROR, "internal-error", message, hint)


def build(path: str | os.PathLike[str], project: Project | None = None) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The twin of a source as it should stand on disk, header included, with ``\\n`` newlines; None where there is
    nothing to write. Raises ConfigurationError and RuleError; an unreadable file is a diagnostic."""
    project = project or Project()
    try:
        result = translate(path, project)
    except SourceError as error:
        return None, (error.diagnostic,)
    if result.body is None:
        return None, result.diagnostics
    source = os.path.abspath(path)
    names = [_relative(sibling, os.path.dirname(source)) for sibling in project.nearest(source)]
    return header.attach(result.body, os.path.basename(source), project.inputs(source), names), result.diagnostics
