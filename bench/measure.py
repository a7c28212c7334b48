"""CPU seconds of fresh processes, several of them side by side."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cpu_seconds(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> float:
    """User and system seconds of one process and its children. A findings exit (1) is fine, a crash is not."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))} exited {done.returncode}:\n{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def side_by_side(
    commands: Mapping[str, Sequence[str | Path]],
    folder: Path,
    repeats: int,
    environment: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """The median CPU seconds of each command, taken in turns so that a busy machine slows all of them alike.

    A first round, which compiles bytecode and fills the rule cache, does not count.
    """
    environment = {"PYTHONDONTWRITEBYTECODE": "", **(environment or {})}
    rounds = [
        {name: cpu_seconds(command, folder, environment) for name, command in commands.items()}
        for _ in range(repeats + 1)
    ]
    return {name: statistics.median(one[name] for one in rounds[1:]) for name in commands}


def table(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a title, in columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print(f"\n{title}")
    for row in rows:
        first, *rest = (
            cell.ljust(width) if not number else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  " + "  ".join([first, *rest]))


def torch2jax(*arguments: str | Path) -> list[str | Path]:
    """The command line of the tool in this environment."""
    return [sys.executable, "-m", "jaxtwin", *arguments]
