"""`pytest --rewrite-golden` writes every golden twin and every refusal afresh before the tests run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for golden_files and torch_stubs, which the tests share

import golden_files


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write golden twins and refusals as the tool does now"
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    if session.config.getoption("--rewrite-golden") and not is_worker:
        for path in golden_files.rewrite():
            print(f"rewrote {path}")
