"""Checks: those on values are left out with a note, those on shapes, types and plain values stay."""

from __future__ import annotations

import pytest
from transpiled import assert_same, codes, definitions, diagnostics, function

ON_VALUES = [
    "assert (x > 0).all()", "assert (x > 0).all(), 'positive'", "assert torch.isfinite(x).all()", "assert x.sum() > 0",
    "assert not (x < 0).any()", "assert torch.allclose(x, x)", "assert (x > 0).all() and x.ndim == 1",
    "assert x.ndim == 1 and (x > 0).all()", "assert bool((x > 0).all())", "assert torch.equal(x, x)",
    "assert x.min() >= 0 and x.max() <= 9", "assert 0 <= x.min() <= 9",
    "if (x < 0).any(): raise ValueError('negative')", "if not (x > 0).all(): raise ValueError",
    "if x.ndim == 1 and (x < 0).any(): raise ValueError('negative')",
    "if torch.isnan(x).any(): raise ValueError(f'{x}')",
    "if (x < 0).any():\n    message = 'negative'\n    raise ValueError(message)",
    "if x.sum().item() < 0: raise ValueError('negative')", "if bool((x < 0).any()): raise ValueError",
    "if (x < 0).any(): import warnings; warnings.warn('negative')", "torch._assert((x > 0).all(), 'positive')",
    "torch._assert_async((x > 0).all())",
]  # fmt: skip


@pytest.mark.parametrize("check", ON_VALUES)
@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x"])
def test_checks_on_values(check: str, parameter: str) -> None:
    """Left out with a note, kept in a function that is left without jit, or refused: said in any case."""
    source = function(f"{check}\nreturn x.sin()", parameter)
    found = codes(source)
    assert found
    if found == {"value-check"}:
        assert "@jax.jit" in definitions(source)
        assert_same(source, "f(torch.rand(3) + 1)")


@pytest.mark.parametrize("check", ["assert (x > 0).all()", "if (x < 0).any(): raise ValueError('negative')"])
def test_what_is_left_out_leaves_a_jitted_function(check: str) -> None:
    source = function(f"{check}\nreturn x.sin()")
    assert codes(source) == {"value-check"}
    assert_same(source, "f(torch.rand(3) + 1)")
    (note,) = diagnostics(source)
    assert note.severity.value == "note"
    assert note.line == 6


STAY = [
    "assert x.ndim == 1", "assert x.shape[0] == 3, f'got {x.shape}'", "assert x.dtype == torch.float32",
    "assert x.is_floating_point()", "assert isinstance(x, torch.Tensor)", "assert n > 0", "assert x.shape == (3,)",
    "if x.ndim != 1: raise ValueError(f'{x.ndim} axes')", "if n <= 0: raise ValueError('n')",
    "if x.dtype not in (torch.float32, torch.float16): raise TypeError(x.dtype)",
    "if not isinstance(x, torch.Tensor): raise TypeError",
    "if x.shape[0] != 3 or n < 1:\n    raise ValueError('shape')", "assert x.size(0) == 3 and n",
    "assert x.numel() > 0 and len(x) == 3", "assert x is not None",
]  # fmt: skip


@pytest.mark.parametrize("check", STAY)
def test_checks_on_shapes_and_types_stay(check: str) -> None:
    source = function(f"{check}\nreturn x.sin() * n", "x: torch.Tensor, n: int = 2")
    body = definitions(source)
    assert codes(source) == set()
    assert "assert" in body or "raise" in body
    assert_same(source, "f(torch.randn(3))")


def test_a_check_that_does_more_than_raise_is_no_check() -> None:
    source = function("if (x < 0).any():\n    x = x.abs()\n    raise ValueError(x)\nreturn x")
    assert "value-check" in codes(source) or "tensor-condition" in codes(source)
    source = function("if (x < 0).any(): x = x.abs()\nreturn x")
    assert codes(source) == {"tensor-condition"}


def test_a_try_around_what_raises_for_its_values() -> None:
    """torch raises where a matrix is not positive definite; JAX gives NaN and never raises."""
    source = function("try: return torch.linalg.cholesky(x)\nexcept RuntimeError: return torch.zeros_like(x)")
    assert codes(source)
