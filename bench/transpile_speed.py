"""Transpiling against LibCST's own floor on the same files: import it, parse, one no-op transformer, code.

    python bench/transpile_speed.py [PACKAGE_FOLDER]      (default: the installed roma)

A cold run of one file of about 300 lines, and a whole package in one process. Prints CPU seconds and their ratios.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

from measure import side_by_side, table, torch2jax

FLOOR = """
import sys
import libcst

class Nothing(libcst.CSTTransformer):
    pass

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        source = file.read()
    libcst.parse_module(source).visit(Nothing()).code
"""
LINES = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", nargs="?", type=Path, help="a folder of torch sources")
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    package = arguments.package or installed("roma")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(package, folder / "package", ignore=shutil.ignore_patterns("__pycache__", "*_jax.py"))
        files = [
            path for path in sorted((folder / "package").rglob("*.py")) if "import torch" in path.read_text("utf-8")
        ]
        single = folder / "single.py"
        single.write_text(excerpt(files), encoding="utf-8")
        report("cold, one file", [single], folder, arguments.repeats)
        report(f"cold, all of {package.name}", files, folder, arguments.repeats)


def installed(name: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{name} is not installed; name a folder of torch sources")
    return Path(spec.submodule_search_locations[0])


def excerpt(files: list[Path]) -> str:
    """About 300 lines: whole top-level blocks from the start of the package's longest file."""
    lines = max((path.read_text("utf-8").splitlines() for path in files), key=len)
    ends = [number for number, line in enumerate(lines) if line and not line[0].isspace() and line[0] not in ")]}#"]
    end = max((number for number in ends if number <= LINES), default=len(lines))
    return "\n".join(lines if len(lines) <= LINES else lines[:end]) + "\n"


def report(title: str, files: list[Path], folder: Path, repeats: int) -> None:
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    commands = {
        "LibCST's floor": [sys.executable, "-c", FLOOR, *files],
        "torch2jax transpile": torch2jax("transpile", "-q", "--diff", *files),
    }
    seconds = side_by_side(commands, folder, repeats)
    floor = seconds["LibCST's floor"]
    rows = [["", "CPU s", "ratio", "lines per CPU s"]]
    rows += [[name, f"{taken:.3f}", f"{taken / floor:.2f}", f"{lines / taken:.0f}"] for name, taken in seconds.items()]
    table(f"{title}: {len(files)} files, {lines} lines, median of {repeats}", rows)


if __name__ == "__main__":
    main()
