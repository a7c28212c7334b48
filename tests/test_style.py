"""The linter, the type checker, and the documents: that they say what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import jaxtwin
import pytest
from command_line import ROOT
from jaxtwin.transpile.pipeline import transpile
from jaxtwin.transpile.rules import load
from jaxtwin.transpile.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib

    PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("command", [("check",), ("format", "--check")])
def test_ruff(command: tuple[str, ...]) -> None:
    command = (sys.executable, "-m", "ruff", *command, ".")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_mypy(tmp_path: Path) -> None:
    """The folder of a clone may have any name; the package is called jaxtwin, so mypy sees it through links."""
    package = tmp_path / "jaxtwin"
    package.mkdir()
    for entry in [*ROOT.glob("*.py"), ROOT / "transpile", ROOT / "verify"]:
        (package / entry.name).symlink_to(entry)
    configuration = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", *configuration, "-p", "jaxtwin"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_opens_with_the_product_and_has_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert text.startswith("```diff\n--- ")
    commands = re.findall(r"^```sh\n(.*)\n```$", text, re.MULTILINE)
    assert len(commands) == 2
    assert "torch2jax transpile examples/blog.py" in commands[0]
    assert "pip install" in commands[1]
    assert "[dev]" in commands[1]
    assert "pytest" in commands[1]
    assert commands[1] == taken_by_ci(text)


def taken_by_ci(readme: str) -> str:
    """The line that .ci/run takes from the README, by its own expression."""
    script = (ROOT / ".ci" / "run").read_text()
    expression = re.search(r'grep -m 1 -E "(.*?)" README\.md', script)
    assert expression
    return next(line for line in readme.splitlines() if re.search(expression[1].replace("\\[", r"\["), line))


def test_contributing_opens_with_three_steps() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert text.startswith("# Contributing\n\n## Add a rule in three steps\n")
    assert [line[:2] for line in text.splitlines() if re.match(r"\d\. ", line)] == ["1.", "2.", "3."]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="reads TOML")
def test_every_package_is_listed() -> None:
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    folders = {path.parent for folder in ("transpile", "verify") for path in (ROOT / folder).rglob("*.py")}
    assert listed == {"jaxtwin", *(".".join(["jaxtwin", *path.relative_to(ROOT).parts]) for path in folders)}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="reads TOML")
def test_the_dev_extra_is_pinned() -> None:
    assert all("==" in requirement for requirement in PROJECT["project"]["optional-dependencies"]["dev"])
    assert "torch==2.13.0" in PROJECT["project"]["optional-dependencies"]["dev"]


def test_the_change_log_knows_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    assert f"## {jaxtwin.__version__}" in text or "## Unreleased" in text


def test_no_file_is_a_heap() -> None:
    """Files of the tool stay below a length that a person can take in."""
    files = [*(ROOT / "transpile").rglob("*.py"), *(ROOT / "verify").rglob("*.py"), *ROOT.glob("*.py")]
    long = {path.name: len(path.read_text().splitlines()) for path in files}
    assert {name: lines for name, lines in long.items() if lines > 340} == {}


def test_the_diff_in_the_readme_is_what_the_tool_makes() -> None:
    diff = (ROOT / "README.md").read_text().removeprefix("```diff\n").partition("```")[0].splitlines()[3:]
    source = "".join(f"{line[1:]}\n" for line in diff if line[0] in " -")
    twin = "".join(f"{line[1:]}\n" for line in diff if line[0] in " +")
    result = transpile(source, "loss.py", Settings(), load())
    assert result.diagnostics == ()
    assert result.body == twin
