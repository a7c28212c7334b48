"""What a condition tells about the names in it, on each of its two ways out."""

from __future__ import annotations

import libcst as cst
import pytest
from jaxtwin.transpile import kinds as k
from jaxtwin.transpile.analysis import analyse
from jaxtwin.transpile.facts import Frame
from jaxtwin.transpile.kinds import Kind
from jaxtwin.transpile.narrowing import narrowed
from jaxtwin.transpile.settings import Settings
from transpiled import assert_same, errors, function, rules

TENSOR_OR_NONE = k.join(k.TENSOR, k.NONE)
NUMBER_OR_TENSOR = k.join_all([k.INT, k.FLOAT, k.TENSOR])


def told(test: str, before: Kind, truth: bool) -> str:
    """What ``x`` is where the condition came out so."""
    source = f"import torch\nfrom torch import Tensor\n\n\ndef f(x, y):\n    return {test}\n"
    facts = analyse(cst.parse_module(source), rules(), Settings())
    (only,) = facts.functions.values()
    assert only.frame is not None
    frame = Frame(facts, only, only.frame)
    frame.names = {"x": before, "y": k.UNKNOWN}
    expression = cst.parse_expression(test)
    frame.evaluate(expression)
    found = narrowed(frame, expression, truth)
    assert set(found) == {"x", "y"}
    return str(found["x"])


CASES = [
    ("x is None", TENSOR_OR_NONE, "none", "tensor"),
    ("x is not None", TENSOR_OR_NONE, "tensor", "none"),
    ("x == None", TENSOR_OR_NONE, "none", "tensor"),
    ("x != None", TENSOR_OR_NONE, "tensor", "none"),
    ("not (x is None)", TENSOR_OR_NONE, "tensor", "none"),
    ("not x is not None", TENSOR_OR_NONE, "none", "tensor"),
    ("x is None", k.UNKNOWN, "none", "unknown"),
    ("x is None", k.TENSOR, "none", "tensor"),
    ("x", TENSOR_OR_NONE, "tensor", "tensor | none"),
    ("x is not None and y", TENSOR_OR_NONE, "tensor", "tensor | none"),
    ("y and x is not None", TENSOR_OR_NONE, "tensor", "tensor | none"),
    ("x is None or y", TENSOR_OR_NONE, "tensor | none", "tensor"),
    ("x is not None or y", TENSOR_OR_NONE, "tensor | none", "none"),
    ("isinstance(x, Tensor)", NUMBER_OR_TENSOR, "tensor", "int | float"),
    ("isinstance(x, torch.Tensor)", k.UNKNOWN, "tensor", "unknown"),
    ("torch.is_tensor(x)", NUMBER_OR_TENSOR, "tensor", "int | float"),
    ("not torch.is_tensor(x)", NUMBER_OR_TENSOR, "int | float", "tensor"),
    ("isinstance(x, (int, float))", NUMBER_OR_TENSOR, "int | float", "tensor"),
    ("isinstance(x, int | float)", NUMBER_OR_TENSOR, "int | float", "tensor"),
    ("isinstance(x, int)", k.UNKNOWN, "int", "unknown"),
    ("isinstance(x, str)", k.UNKNOWN, "str", "unknown"),
    ("isinstance(x, list)", k.many("list", k.TENSOR), "list", "list"),
    ("isinstance(x, y)", NUMBER_OR_TENSOR, "int | float | tensor", "int | float | tensor"),
    ("isinstance(x, Mine)", TENSOR_OR_NONE, "tensor | none", "tensor | none"),
    ("x > 0", NUMBER_OR_TENSOR, "int | float | tensor", "int | float | tensor"),
    ("x is y", TENSOR_OR_NONE, "tensor | none", "tensor | none"),
    ("len(x)", TENSOR_OR_NONE, "tensor | none", "tensor | none"),
]


@pytest.mark.parametrize(("test", "before", "true", "false"), CASES)
def test_both_ways_out(test: str, before: Kind, true: str, false: str) -> None:
    assert told(test, before, True) == true
    assert told(test, before, False) == false


def test_a_bool_is_an_int() -> None:
    """`isinstance(True, int)` holds, so what is left where it does not is no bool either."""
    assert told("isinstance(x, int)", k.join_all([k.BOOL, k.TENSOR]), True) == "bool"
    assert told("isinstance(x, int)", k.join_all([k.BOOL, k.TENSOR]), False) == "tensor"


def test_what_is_narrowed_keeps_its_memory() -> None:
    """A write to what has been found to be a tensor still reaches the caller."""
    assert "mutated-argument" in errors(
        function("if isinstance(y, torch.Tensor): y[0] = 1\nreturn x", "x: torch.Tensor, y")
    )
    assert "aliased-write" in errors(
        function(
            "z = y if y is not None else x; z = z * 1; v = z\nif v is not None: v += 1\nreturn z",
            "x: torch.Tensor, y: torch.Tensor | None",
        )
    )


USES = [
    ("if w is None: return x.sum()\nreturn (x * w).sum(dim=0) + w.sum()", "f(torch.randn(3))",
     "f(torch.randn(3), torch.randn(3))"),
    ("if w is None: w = torch.ones_like(x)\nreturn torch.maximum(x, w)", "f(torch.randn(3))",
     "f(torch.randn(3), torch.randn(3))"),
    ("w = torch.ones_like(x) if w is None else w; return torch.maximum(x, w)", "f(torch.randn(3))",
     "f(torch.randn(3), torch.randn(3))"),
    ("if w is not None and w.ndim == 1: x = x * w.unsqueeze(0)\nreturn x.sum(dim=0)", "f(torch.randn(2, 3))",
     "f(torch.randn(2, 3), torch.randn(3))"),
    ("return x.sum() if w is None or w.numel() == 0 else torch.dot(x, w)", "f(torch.randn(3))",
     "f(torch.randn(3), torch.randn(3))"),
    ("assert w is not None; return torch.max(x, w.abs())", "f(torch.randn(3), torch.randn(3))"),
    ("if w is None: raise ValueError('no w')\nreturn w.abs().max(dim=0).values", "f(torch.randn(3), torch.randn(3))"),
    ("while w is not None:\n    x = torch.maximum(x, w)\n    w = None\nreturn x.abs()",
     "f(torch.randn(3), torch.randn(3))"),
    ("if isinstance(w, torch.Tensor): return torch.max(x, w)\nreturn x.clamp(min=0)", "f(torch.randn(3))",
     "f(torch.randn(3), torch.randn(3))"),
    ("return [v.abs() for v in (x, w) if v is not None]", "f(torch.randn(3))", "f(torch.randn(3), torch.randn(3))"),
]  # fmt: skip


@pytest.mark.parametrize("case", USES, ids=lambda case: case[0])
def test_the_branches_know_more(case: tuple[str, ...]) -> None:
    body, *calls = case
    assert_same(function(body, "x, w=None"), *calls)
