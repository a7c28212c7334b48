"""What the tool loads, and which way its modules import each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import LOSS, ROOT

# libcst loads its own metadata package whatever one does; the providers in it are what nobody here may use.
HEAVY = ("torch", "jax", "jaxlib", "numpy", "scipy", "libcst.matchers")
PARSERS = ("libcst", "yaml", "ast")
# With arguments of its own the process ends at once, and reports nothing more.
MAIN = "from jaxtwin.cli import main\ntry: main(sys.argv[1:])\nexcept SystemExit: pass"


def loaded(code: str, arguments: list[str], folder: Path, watched: tuple[str, ...]) -> set[str]:
    """Which of the watched modules a fresh Python has loaded after running some code."""
    program = f"""
import atexit, sys
atexit.register(lambda: print("LOADED", *(name for name in {watched!r} if name in sys.modules)))
{code}
"""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("LOADED")[2].split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "loss.py").write_text(LOSS)
    return tmp_path


@pytest.mark.parametrize("verb", ["transpile", "check", "coverage"])
def test_the_verbs_load_neither_torch_nor_jax_nor_numpy(folder: Path, verb: str) -> None:
    loaded(MAIN, ["transpile", "loss.py"], folder, HEAVY)
    assert loaded(MAIN, [verb, "loss.py"], folder, HEAVY) == set()


@pytest.mark.parametrize("module", HEAVY)
def test_the_test_above_can_fail(folder: Path, module: str) -> None:
    """One stray import, and the module shows."""
    assert module in loaded(f"import {module}\n{MAIN}", ["transpile", "loss.py"], folder, HEAVY)


def test_a_check_without_drift_loads_no_parser(folder: Path) -> None:
    loaded(MAIN, ["transpile", "loss.py"], folder, ())
    assert loaded(MAIN, ["check", "loss.py"], folder, PARSERS) & {"libcst", "yaml"} == set()


def test_a_check_with_drift_does_load_the_parser(folder: Path) -> None:
    loaded(MAIN, ["transpile", "loss.py"], folder, ())
    (folder / "loss.py").write_text(LOSS.replace("loss", "other"))
    assert "libcst" in loaded(MAIN, ["check", "loss.py"], folder, PARSERS)


# ---------------------------------------------------------------------------------------------------------- directions


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name within it."""
    found = list(ROOT.glob("*.py"))
    found += [path for folder in ("transpile", "verify") for path in (ROOT / folder).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in found}


def imported(name: str, path: Path) -> Iterator[str]:
    """What a module imports, lazily or not: dotted names within the package, or absolute ones."""
    package = name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}".lstrip(".") for alias in node.names)


def within(name: str, space: str) -> bool:
    return name == space or name.startswith(f"{space}.")


# Who may not import what, among the modules of the package and beyond it.
FORBIDDEN = [
    ("transpile", ("cli", "console", "verify", "tests", "golden", "jaxtwin")),
    ("transpile.passes", ("transpile.pipeline", "transpile.project", "transpile.drift", "transpile.explain")),
    ("transpile.analysis", ("transpile.rewrite", "transpile.passes", "transpile.pipeline", "transpile.project")),
    ("transpile.rules", ("transpile.analysis", "transpile.rewrite", "transpile.passes", "transpile.pipeline")),
    ("transpile.pipeline", ("transpile.drift", "transpile.explain", "transpile.coverage", "transpile.formats")),
    ("transpile.kinds", ("transpile",)),
    ("transpile.diagnostics", ("transpile",)),
    ("verify", ("cli", "console", "tests")),
]
STATIC = ("torch", "jax", "jaxlib", "numpy", "transpile.ops", "libcst.metadata", "libcst.matchers")


def offences(forbidden: list[tuple[str, tuple[str, ...]]]) -> list[str]:
    found = []
    for name, path in modules().items():
        for target in set(imported(name, path)):
            found += [
                f"{name} imports {target}"
                for space, banned in forbidden
                if within(name, space) and any(within(target, ban) for ban in banned)
            ]
    return sorted(found)


def test_imports_point_one_way() -> None:
    assert offences(FORBIDDEN) == []


def test_only_verify_and_the_helpers_import_torch_or_jax() -> None:
    static = [name for name in modules() if not within(name, "verify") and not within(name, "transpile.ops")]
    assert offences([(name, STATIC) for name in static]) == []


def test_helpers_import_nothing_a_twin_cannot_have() -> None:
    allowed = ("__future__", "jax", "numpy", "math", "functools", "typing", "transpile.ops")
    helpers = {name: path for name, path in modules().items() if within(name, "transpile.ops")}
    strange = [
        f"{name} imports {target}"
        for name, path in helpers.items()
        for target in imported(name, path)
        if not any(within(target, space) for space in allowed)
    ]
    assert strange == []


def test_the_direction_tests_can_fail() -> None:
    assert offences([("cli", ("transpile",))]) != []
    assert "transpile.project imports transpile.rules" in offences([("transpile.project", ("transpile.rules",))])
    assert offences([("verify", ("torch",))]) != []


def test_no_module_imports_itself_in_a_circle() -> None:
    """Among the imports that run when a module is loaded."""
    graph = {name: at_load(name, path) for name, path in modules().items()}
    remaining = dict(graph)
    while remaining:
        free = [name for name, targets in remaining.items() if not targets & remaining.keys() - {name}]
        assert free, f"a circle among {sorted(remaining)}"
        for name in free:
            del remaining[name]


def at_load(name: str, path: Path) -> set[str]:
    """The modules of the package that a module imports at its top level, those for type checkers left out."""
    tree = ast.parse(path.read_text())
    top = ast.Module([node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))], [])
    package = name.split(".")[:-1]
    found: set[str] = set()
    for node in top.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}".lstrip(".") for alias in node.names)}
    return found
