"""The example scripts run, and what needs jax only runs without torch."""

from __future__ import annotations

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


def test_conformers_have_the_same_minimum_in_torch_and_jax() -> None:
    output = run(EXAMPLES / "conformer" / "run_conformer.py")
    found = re.findall(r"^(torch|jax) +rmsd ([\d.]+) A", output, flags=re.MULTILINE)
    assert [name for name, _ in found] == ["torch", "jax"], output
    assert abs(float(found[0][1]) - float(found[1][1])) < 1e-8
    assert "44 atoms, 11 torsions" in output
    assert re.search(r"ratio of wall times, torch / jax: [\d.]+", output), output
