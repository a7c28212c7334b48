"""Runs the command line inside the test's own process, and sources that many tests use."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from jaxtwin.cli import main

ROOT = Path(__file__).resolve().parent.parent
LOSS = "import torch\n\n\ndef loss(x: torch.Tensor):\n    return torch.sin(x)\n"
REFUSED = "import torch\n\n\ndef loss(x: torch.Tensor):\n    return torch.no_such_thing(x)\n"
PLAIN = "def loss(x):\n    return x + 1\n"


class Outcome(NamedTuple):
    """What a run of the command line left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs ``torch2jax`` with its arguments, and ``stdin`` as standard input."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Outcome:
        capsys.readouterr()
        with patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))), pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return Outcome(stop.value.code, out, err)

    return run
