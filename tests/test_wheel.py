"""A wheel built from the repository works where neither the repository nor torch nor jax is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from command_line import LOSS, ROOT

SHIPPED = ("__init__.py", "__main__.py", "cli.py", "console.py", "rules.yaml", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, for a build leaves its own files behind."""
    copy = tmp_path_factory.mktemp("source") / "any_name"
    copy.mkdir()
    for name in SHIPPED:
        shutil.copy(ROOT / name, copy)
    for folder in ("transpile", "verify"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(copy / "dist"), str(copy)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = (copy / "dist").glob("jaxtwin-*.whl")
    return built


def test_the_wheel_holds_the_whole_tool_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = {path for folder in ("transpile", "verify") for path in (ROOT / folder).rglob("*.py")}
    expected = {f"jaxtwin/{path.relative_to(ROOT).as_posix()}" for path in sources}
    assert names == expected | {f"jaxtwin/{name}" for name in SHIPPED if name.endswith(".py") or name == "rules.yaml"}


def test_the_wheel_works_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def call(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    call(sys.executable, "-m", "venv", tmp_path / "env")
    binaries = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    call(binaries / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    installed = call(binaries / "python", "-m", "pip", "list", "--format", "freeze").lower()
    assert not any(line.startswith(("torch==", "jax==", "numpy==")) for line in installed.splitlines())
    (tmp_path / "loss.py").write_text(LOSS)
    assert "wrote loss_jax.py" in call(binaries / "torch2jax", "transpile", "loss.py")
    assert "jnp.sin(x)" in (tmp_path / "loss_jax.py").read_text()
    assert "0 drifted" in call(binaries / "torch2jax", "check", "loss.py")
    assert "jnp.sin(x)" in call(binaries / "torch2jax", "explain", "torch.sin")
