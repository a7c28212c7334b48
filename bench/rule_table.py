"""Loading the rule table: from YAML, and from the compiled cache.

    python bench/rule_table.py [--rules N]

N synthetic rules, in a user's file beside the built-in ones, show how both ways grow.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measure import side_by_side, table

EMPTY = "import jaxtwin.transpile.rules"
LOAD = """
import sys
from pathlib import Path
from jaxtwin.transpile.rules import load
load([Path(path) for path in sys.argv[1:]])
"""
# A cache folder that is a file cannot be used, so the YAML is read every time.
NO_CACHE = "import os; os.environ['TORCH2JAX_CACHE'] = os.devnull\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=int, default=3000, help="how many synthetic rules to add")
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        extra = folder / "extra.yaml"
        extra.write_text("torch:\n" + "".join(rule(number) for number in range(arguments.rules)), encoding="utf-8")
        cache = {"TORCH2JAX_CACHE": str(folder / "cache")}
        report("the built-in rules", [], folder, arguments.repeats, cache)
        report(f"and {arguments.rules} more", [extra], folder, arguments.repeats, cache)


def rule(number: int) -> str:
    return f"  f{number}(input, dim=..., *, correction=1): jnp.std(input, axis=dim, ddof=correction)\n"


def report(title: str, files: list[Path], folder: Path, repeats: int, environment: dict[str, str]) -> None:
    commands = {
        "nothing loaded": [sys.executable, "-c", EMPTY],
        "from YAML": [sys.executable, "-c", NO_CACHE + LOAD, *files],
        "from the cache": [sys.executable, "-c", LOAD, *files],
    }
    seconds = side_by_side(commands, folder, repeats, environment)
    start = seconds["nothing loaded"]
    rows = [["", "CPU s", "less the start"]]
    rows += [[name, f"{taken:.3f}", f"{taken - start:.3f}"] for name, taken in seconds.items()]
    table(f"{title}, median of {repeats}", rows)


if __name__ == "__main__":
    main()
