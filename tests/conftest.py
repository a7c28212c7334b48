"""`pytest --rewrite-golden` writes every golden twin and every refusal afresh before the tests run."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for golden_files and torch_stubs, which the tests share

import golden_files


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the sweeps named in sweeps.txt as well")
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write golden twins and refusals as the tool does now"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The gaps named in known_gaps.txt are expected to fail, each with its reason."""
    if not config.getoption("--full"):
        sweeps = (Path(__file__).parent / "sweeps.txt").read_text(encoding="utf-8").splitlines()
        starts = tuple(line for line in sweeps if line and not line.startswith("#"))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid.startswith(starts)])
        items[:] = [item for item in items if not item.nodeid.startswith(starts)]
    gaps = known_gaps()
    for item in items:
        reason = gaps.get(item.nodeid)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


TESTS_A_CACHE = 250
_ran = 0


def pytest_runtest_teardown() -> None:
    """What JAX keeps of thousands of compiled functions fills the memory and slows every collection of garbage."""
    global _ran
    _ran += 1
    if _ran % TESTS_A_CACHE == 0 and "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
        gc.collect()


def known_gaps() -> dict[str, str]:
    """Test to reason. A line that ends in a colon is a reason; the indented lines below it name its tests."""
    gaps, reason = {}, ""
    for line in (Path(__file__).parent / "known_gaps.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            gaps[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line.removesuffix(":")
    return gaps


def pytest_sessionstart(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    if session.config.getoption("--rewrite-golden") and not is_worker:
        for path in golden_files.rewrite():
            print(f"rewrote {path}")
