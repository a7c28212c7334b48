"""The example scripts run, and what needs jax only runs without torch."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from golden_files import EXAMPLES

WITHOUT_TORCH = """
import runpy, sys
sys.modules["torch"] = None  # an import of torch raises
sys.path.insert(0, {folder!r})
runpy.run_path({script!r}, run_name="__main__")
"""


def run(script: Path, without_torch: bool = False) -> str:
    program = WITHOUT_TORCH.format(folder=str(script.parent), script=str(script))
    command = [sys.executable, "-c", program] if without_torch else [sys.executable, str(script)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_blog_function_needs_jax_only() -> None:
    output = run(EXAMPLES / "run_blog.py", without_torch=True)
    gradient, analytic = (re.search(rf"{name} +\[(.*)\]", output) for name in ("df/dx", "analytic"))
    assert gradient is not None
    assert analytic is not None
    assert len(gradient[1].split()) == 5


LINE = re.compile(r"^(\w+) +([\d.]+)  gradient ([\d.]+)(?:  torch +([\d.]+)  differs by ([\d.e-]+)  torch / jax ([\d.]+))?$")


def test_the_losses_need_jax_only_and_equal_torch() -> None:
    alone, both = (run(EXAMPLES / "run_losses.py", without_torch=without) for without in (True, False))
    twins, pairs = ([LINE.fullmatch(line) for line in output.splitlines()] for output in (alone, both))
    assert None not in (*twins, *pairs), alone + both
    assert [twin[0] for twin in twins if twin] == [pair[0].partition("  torch")[0] for pair in pairs if pair]
    source = ast.parse((EXAMPLES / "losses.py").read_text(encoding="utf-8"))
    losses = {node.name for node in source.body if isinstance(node, ast.FunctionDef)}
    assert {pair[1] for pair in pairs if pair} == losses - {"gaussian_window"}
    for pair in pairs:
        assert pair is not None
        value, gradient, torch_value, difference, ratio = map(float, pair.groups()[1:])
        assert gradient > 0, pair[0]
        assert abs(value - torch_value) <= difference + 1e-6, pair[0]
        assert difference < 1e-5 * max(1, value), pair[0]
        assert ratio > 0, pair[0]


def test_conformers_have_the_same_minimum_in_torch_and_jax() -> None:
    output = run(EXAMPLES / "conformer" / "run_conformer.py")
    found = re.findall(r"^(torch|jax) +rmsd ([\d.]+) A", output, flags=re.MULTILINE)
    assert [name for name, _ in found] == ["torch", "jax"], output
    assert abs(float(found[0][1]) - float(found[1][1])) < 1e-8
    assert "44 atoms, 11 torsions" in output
    assert re.search(r"ratio of wall times, torch / jax: [\d.]+", output), output
