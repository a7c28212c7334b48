"""A cold ``torch2jax check`` of unchanged twins, against what Python and click take to start and the files to be read.

python bench/check_speed.py [--twins N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from jaxtwin.transpile import header
from jaxtwin.transpile.project import Project, twin_path
from measure import side_by_side, table, torch2jax

READ = """
import os, sys
for parent, _, files in os.walk(sys.argv[1]):
    for name in files:
        with open(os.path.join(parent, name), "rb") as file:
            file.read()
"""
FUNCTION = '''

def loss_{number}(prediction, target, weight=None):
    """The weighted squared error of a batch."""
    difference = (prediction - target).square()
    if weight is not None:
        difference = difference * weight
    return torch.mean(difference, dim=-1)
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--twins", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        alone, linked, empty = (Path(name) / kind for kind in ("alone", "linked", "empty"))
        empty.mkdir()
        lay(alone, arguments.twins, linked=False)
        lay(linked, arguments.twins, linked=True)
        commands = {
            "python": [sys.executable, "-c", ""],
            "python, click": [sys.executable, "-c", "import click"],
            "python, every file read": [sys.executable, "-c", READ, alone],
            "check of no twin": torch2jax("check", empty),
            f"check of {arguments.twins}": torch2jax("check", alone),
            f"check of {arguments.twins} that import one another": torch2jax("check", linked),
        }
        seconds = side_by_side(commands, Path(name), arguments.repeats)
    rows = [["", "CPU s"], *([name, f"{taken:.3f}"] for name, taken in seconds.items())]
    table(f"unchanged twins, median of {arguments.repeats}", rows)


def lay(folder: Path, number: int, linked: bool) -> None:
    """Sources in folders of fifty with twins that are up to date; what is in a twin does not matter for that.

    Linked ones form chains: each imports the one before it in its folder.
    """
    body = "".join(FUNCTION.format(number=index) for index in range(20))
    sources = [folder / f"part{index // 50}" / f"loss{index}.py" for index in range(number)]
    for index, source in enumerate(sources):
        source.parent.mkdir(parents=True, exist_ok=True)
        above = f"from .loss{index - 1} import loss_0\n" if linked and index % 50 else ""
        source.write_text(
            f"import math\n\nimport torch\nimport torch.nn.functional as F\n{above}{body}", encoding="utf-8"
        )
    project = Project()
    for source in sources:
        siblings = [Path(sibling).name for sibling in project.nearest(source)]
        twin_path(source).write_text(
            header.attach(body, source.name, project.inputs(source), siblings), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
