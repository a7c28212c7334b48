"""Reductions, norms and order against torch: ties, zeros, constant rows, NaN, one element, scalars, negative axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
import torch
from jaxtwin.transpile.ops import norms, ordering, reductions
from torch_checks import agree, array, close

INF, NAN = math.inf, math.nan
TIES = torch.tensor([[1.0, 3.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 2.0, 4.0, 2.0], [5.0, 6.0, -7.0, 5.0]])
MISSING = torch.tensor([[NAN, 3.0, 1.0, 0.0], [NAN, 2.0, NAN, -2.0], [-1.0, 2.0, 4.0, 2.5], [5.0, 6.0, NAN, 5.5]])
INFINITE = torch.tensor([[INF, 1.0, -INF], [2.0, -INF, 3.0]])
DISTINCT = torch.tensor([[0.3, -1.2, 2.5, 0.7, -0.1], [1.5, 0.2, -0.4, 3.1, 0.9], [-2.2, 1.1, 0.6, -0.8, 4.0]])
ONE = torch.tensor([[2.5]])
WHOLE = torch.tensor([[3, 1, 2, 1], [0, 5, 5, -1]])

AXES = pytest.mark.parametrize("axis", [0, -1])
KEEPS = pytest.mark.parametrize("keep", [False, True])


@pytest.mark.parametrize("ddof", [0, 1])
@KEEPS
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_standard_deviation(axis: Any, keep: bool, ddof: int) -> None:
    for x in (TIES, DISTINCT, MISSING, torch.ones(3, 2)):
        agree(
            lambda x: torch.std(x, axis, correction=ddof, keepdim=keep),
            lambda x: reductions.std(x, axis, ddof, keep),
            x,
        )  # fmt: skip


def test_standard_deviation_of_one_element_is_nan() -> None:
    agree(torch.std, reductions.std, ONE)
    agree(torch.std, reductions.std, torch.tensor(2.0))


@KEEPS
@AXES
def test_the_first_of_equal_extremes_takes_the_derivative(axis: int, keep: bool) -> None:
    for x in (TIES, MISSING, INFINITE, ONE):
        agree(lambda x: torch.max(x, axis, keep)[0], lambda x: reductions.max_along(x, axis, keep), x)
        agree(lambda x: torch.min(x, axis, keep)[0], lambda x: reductions.min_along(x, axis=axis, keepdims=keep), x)
    agree(lambda x: torch.max(x, axis, keep)[0], lambda x: reductions.max_along(x, axis, keep), WHOLE)


@AXES
def test_running_extremes(axis: int) -> None:
    for x in (TIES, MISSING, INFINITE, ONE, WHOLE):
        agree(lambda x: torch.cummax(x, axis)[:], lambda x: (reductions.cummax(x, axis), reductions.argcummax(x, axis)), x)
        agree(lambda x: torch.cummin(x, axis)[:], lambda x: (reductions.cummin(x, axis), reductions.argcummin(x, axis)), x)


@AXES
def test_cumulative_trapezoid(axis: int) -> None:
    agree(
        lambda y, x: torch.cumulative_trapezoid(y, x, dim=axis),
        lambda y, x: reductions.cumulative_trapezoid(y, x, axis=axis),
        DISTINCT, DISTINCT * DISTINCT,
    )  # fmt: skip
    agree(
        lambda y: torch.cumulative_trapezoid(y, dx=0.5, dim=axis),
        lambda y: reductions.cumulative_trapezoid(y, dx=0.5, axis=axis),
        TIES,
    )
    agree(torch.cumulative_trapezoid, reductions.cumulative_trapezoid, DISTINCT, torch.tensor([0.0, 1.0, 1.5, 4.0, 5.0]))


@pytest.mark.parametrize("limits", [(0, 0), (-1, 2), (0.0, 1.0), (0.5, 0.5)])
def test_histogram_counts(limits: tuple[float, float]) -> None:
    low, high = limits
    for x in (TIES, DISTINCT, torch.ones(3), torch.linspace(0, 1, 11), ONE):
        agree(
            lambda x: torch.histc(x, 5, low, high), lambda x: reductions.histc(x, 5, low, high), x, gradient=False
        )  # fmt: skip


@AXES
def test_from_the_largest_down(axis: int) -> None:
    for x in (TIES, MISSING, INFINITE, ONE, WHOLE):
        agree(
            lambda x: torch.sort(x, dim=axis, descending=True, stable=True)[0],
            lambda x: ordering.sort_descending(x, axis),
            x,
        )


@pytest.mark.parametrize("largest", [True, False])
@AXES
def test_top_k(axis: int, largest: bool) -> None:
    """Of elements that tie torch takes any, so here none do."""
    agree(
        lambda x: torch.topk(x, 2, axis, largest)[:], lambda x: ordering.top_k(x, 2, axis, largest), DISTINCT
    )  # fmt: skip
    agree(
        lambda x: torch.topk(x, 2, axis, largest)[0], lambda x: ordering.top_k(x, 2, axis, largest)[0], MISSING,
        gradient=False,
    )  # fmt: skip


def test_the_median_of_all_elements() -> None:
    for x in (TIES, DISTINCT, ONE, INFINITE, WHOLE, torch.zeros(2, 3), torch.tensor(1.5)):
        agree(torch.median, ordering.median, x)
        agree(torch.nanmedian, ordering.nanmedian, x)
    agree(torch.median, ordering.median, MISSING, gradient=False)
    agree(torch.nanmedian, ordering.nanmedian, MISSING)
    agree(torch.nanmedian, ordering.nanmedian, torch.full((3,), NAN), gradient=False)


Picks = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
PICKS: dict[str, Picks] = {
    "median": (torch.median, ordering.median_along, ordering.argmedian),
    "nanmedian": (torch.nanmedian, ordering.nanmedian_along, ordering.argnanmedian),
    "kthvalue": (
        lambda x, axis, keep: torch.kthvalue(x, 2, axis, keep),
        lambda x, axis, keep: ordering.kth(x, 2, axis, keep),
        lambda x, axis, keep: ordering.argkth(x, 2, axis, keep),
    ),
}


@pytest.mark.parametrize("name", PICKS)
@KEEPS
@AXES
def test_one_element_of_each_line(name: str, axis: int, keep: bool) -> None:
    """The place too where nothing ties (torch takes any of equal elements); else its value alone."""
    original, value, place = PICKS[name]
    agree(lambda x: original(x, axis, keep)[:], lambda x: (value(x, axis, keep), place(x, axis, keep)), DISTINCT)
    agree(lambda x: original(x, axis, keep)[0], lambda x: value(x, axis, keep), MISSING, gradient=False)
    agree(lambda x: original(x, axis, keep)[0], lambda x: value(x, axis, keep), TIES, gradient=False)
    agree(lambda x: original(x, axis, keep)[0], lambda x: value(x, axis, keep), WHOLE, gradient=False)


def test_the_median_with_one_nan_is_where_that_stands() -> None:
    x = torch.tensor([[1.0, NAN, 3.0], [2.0, 1.0, 0.0]])
    agree(lambda x: torch.median(x, 1)[:], lambda x: (ordering.median_along(x, 1), ordering.argmedian(x, 1)), x)


@KEEPS
@AXES
def test_mode(axis: int, keep: bool) -> None:
    for x in (TIES, DISTINCT, ONE, WHOLE, torch.zeros(2, 3)):
        agree(
            lambda x: torch.mode(x, axis, keep)[:],
            lambda x: (ordering.mode(x, axis, keep), ordering.argmode(x, axis, keep)),
            x,
        )


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(side: str) -> None:
    ordered = torch.sort(TIES)[0]
    for edges, values in ((ordered[0], DISTINCT), (ordered, TIES), (ordered.reshape(2, 2, 4), TIES.reshape(2, 2, 4))):
        agree(
            lambda a, v: torch.searchsorted(a, v, side=side), lambda a, v: ordering.searchsorted(a, v, side),
            edges, values, gradient=False,
        )  # fmt: skip


ORDERS = [0, 0.5, 1, 1.5, 2, 3, -1, -2, INF, -INF]
VECTORS = torch.tensor([[3.0, 4.0], [0.0, 0.0], [5.0, -5.0], [0.0, 2.0]])
COMPLEX = torch.tensor([[3 + 4j, 0, 1j], [0, 0, 0]], dtype=torch.complex64)


@pytest.mark.parametrize("ord", ORDERS)
@KEEPS
@pytest.mark.parametrize("axis", [None, 1, (0, 1)])
def test_vector_norms(axis: Any, keep: bool, ord: float) -> None:
    for x in (VECTORS, torch.zeros(2, 2)):
        agree(
            lambda x: torch.linalg.vector_norm(x, ord, axis, keep), lambda x: norms.p_norm(x, ord, axis, keep), x
        )  # fmt: skip


@pytest.mark.parametrize("axis", [None, -1])
def test_norms_of_complex_vectors(axis: Any) -> None:
    agree(lambda x: torch.linalg.vector_norm(x, dim=axis), lambda x: norms.norm(x, axis), COMPLEX)
    agree(lambda x: torch.linalg.vector_norm(x, 1, dim=axis), lambda x: norms.p_norm(x, 1, axis), COMPLEX)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_norms_keep_the_dtype(dtype: torch.dtype) -> None:
    for ord in (0, 1, 2, 3, INF):
        agree(
            lambda x: torch.linalg.vector_norm(x, ord), lambda x: norms.p_norm(x, ord), VECTORS.to(dtype), gradient=False,
            tolerance=1e-2,
        )  # fmt: skip


MATRIX_ORDERS = ["fro", "nuc", 1, -1, 2, -2, INF, -INF]
MATRICES = torch.tensor([[[1.0, 0.0, 2.0], [0.0, -3.0, 0.5]], [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]])


@pytest.mark.parametrize("ord", MATRIX_ORDERS)
@KEEPS
@pytest.mark.parametrize("axes", [(-2, -1), (2, 0), (0, 1)])
def test_matrix_norms(axes: tuple[int, int], keep: bool, ord: Any) -> None:
    """Singular values have derivatives where none is zero and none occurs twice; the others at zero too."""
    x = MATRICES if ord not in ("nuc", 2, -2) else MATRICES + 0.1 * torch.arange(12).reshape(2, 2, 3).sin()
    agree(
        lambda x: torch.linalg.matrix_norm(x, ord, axes, keep), lambda x: norms.matrix_norm(x, ord, axes, keep), x,
        tolerance=1e-4,
    )  # fmt: skip
    if ord not in ("nuc", 2, -2):
        agree(
            lambda x: torch.linalg.matrix_norm(x, ord), lambda x: norms.matrix_norm(x, ord), torch.zeros(2, 2)
        )  # fmt: skip


@pytest.mark.parametrize(
    ("x", "ord", "axis"),
    [
        (VECTORS, None, None), (VECTORS, None, 1), (VECTORS, 2, -1), (VECTORS[0], 3, None), (VECTORS[1], INF, None),
        (VECTORS, 1, None), (VECTORS, "fro", None), (VECTORS, INF, (1, 0)), (VECTORS, 1, 0), (MATRICES, 1, (0, 2)),
    ],
)  # fmt: skip
@KEEPS
def test_linalg_norm_tells_vectors_from_matrices(x: torch.Tensor, ord: Any, axis: Any, keep: bool) -> None:
    agree(lambda x: torch.linalg.norm(x, ord, axis, keep), lambda x: norms.linalg_norm(x, ord, axis, keep), x)


def slope(function: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative of a function of torch, itself differentiable."""

    def derivative(x: torch.Tensor) -> torch.Tensor:
        x = x if x.requires_grad else x.detach().requires_grad_()
        return torch.autograd.grad(function(x).sum(), x, create_graph=True)[0]

    return derivative


SMOOTH: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "std": (lambda x: torch.std(x, 1), lambda x: reductions.std(x, 1)),
    "norm": (lambda x: torch.norm(x, dim=1), lambda x: norms.norm(x, 1)),
    "p_norm": (lambda x: torch.norm(x, 3, dim=1), lambda x: norms.p_norm(x, 3, 1)),
    "max_along": (lambda x: torch.max(x**3, 1)[0], lambda x: reductions.max_along(x**3, 1)),
    "cummax": (lambda x: torch.cummax(x**3, 1)[0], lambda x: reductions.cummax(x**3, 1)),
    "median": (lambda x: torch.median(x**3), lambda x: ordering.median(x**3)),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_second_derivatives(name: str) -> None:
    original, twin = SMOOTH[name]
    agree(slope(original), jax.grad(lambda x: jnp.sum(twin(x))), DISTINCT, tolerance=1e-4)


MAPPED: list[Callable[..., Any]] = [
    reductions.std, norms.norm, ordering.median, ordering.mode, reductions.histc, ordering.sort_descending,
    lambda x: reductions.max_along(x, 0), lambda x: reductions.cummax(x, 0), lambda x: ordering.top_k(x, 2)[0],
    lambda x: norms.p_norm(x, 3),
]  # fmt: skip


@pytest.mark.parametrize("twin", MAPPED)
def test_mapped_over_an_axis(twin: Callable[..., Any]) -> None:
    x = array(DISTINCT)
    close(jax.vmap(twin)(x), jnp.stack([twin(row) for row in x]), 1e-6)
