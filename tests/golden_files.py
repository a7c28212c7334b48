"""The golden files: which there are, what the tool writes for them now, and how a pair is checked."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from jaxtwin.transpile.diagnostics import Diagnostic, render
from jaxtwin.transpile.project import Project, build, translate, twin_path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN, EXAMPLES = ROOT / "golden", ROOT / "examples"
REFUSED = GOLDEN / "refused"


def sources() -> list[Path]:
    """The torch files with a twin beside them: all of golden/, and of examples/ what is not the script that runs it."""
    found = [path for folder in (GOLDEN, EXAMPLES) for path in sorted(folder.rglob("*.py"))]
    return [path for path in found if _is_source(path) and REFUSED not in path.parents]


def refused() -> list[Path]:
    """The torch files that the tool has something to say about."""
    return [path for path in sorted(REFUSED.rglob("*.py")) if _is_source(path)]


def _is_source(path: Path) -> bool:
    return not path.stem.endswith("_jax") and not path.stem.startswith("run_") and "__pycache__" not in path.parts


def name(path: Path) -> str:
    """The path as tests are named by it, relative to the repository."""
    return path.relative_to(ROOT).as_posix()


def written(path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The twin of a source as the tool writes it now, from nothing remembered, and what the tool says."""
    text, diagnostics = build(path, Project())
    return text, tuple(_relative(diagnostic, path) for diagnostic in diagnostics)


def _relative(diagnostic: Diagnostic, path: Path) -> Diagnostic:
    from dataclasses import replace

    return replace(diagnostic, path=path.name)


def without_inputs(text: str | None) -> str | None:
    """A twin without the digest of what it was made from, which moves with every edit of the tool.

    `torch2jax check` compares twins in the same way: an upgrade that changes nothing drifts nothing.
    """
    return text if text is None else re.sub("^# inputs [0-9a-f]{8}  ", "# inputs -  ", text, count=1, flags=re.MULTILINE)


def refusal(path: Path) -> str:
    """What the tool says about a refused file, as text."""
    return "".join(render(diagnostic) + "\n" for diagnostic in written(path)[1])


@functools.cache
def rules_fired(path: Path) -> frozenset[str]:
    """Where the rules stand that were used for a file: ``rules.yaml:120``."""
    return translate(path, Project()).rules


def rewrite() -> Iterator[Path]:
    """Write every twin and every refusal as the tool does now; yields what changed."""
    for path in sources():
        text, _ = written(path)
        yield from _write(twin_path(path), text)
    for path in refused():
        yield from _write(path.with_suffix(".txt"), refusal(path))


def _write(path: Path, text: str | None) -> Iterator[Path]:
    before = path.read_text(encoding="utf-8") if path.exists() else None
    if text is not None and without_inputs(before) != without_inputs(text):
        path.write_text(text, encoding="utf-8")
        yield path


def static_problems(path: Path) -> list[str]:
    """What is wrong with a twin as text: it does not parse, ruff's F rules, torch or this tool in it."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return [f"does not parse: {error}"]
    problems = [f"imports {module}" for module in _imports(tree) if module in ("torch", "jaxtwin", "torch2jax")]
    problems += ["mentions torch" for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "torch"]
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", "--output-format", "concise", path]
    lint = subprocess.run(command, capture_output=True, text=True, check=False)
    return problems + ([lint.stdout] if lint.returncode else [])


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
