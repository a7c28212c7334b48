"""Helpers that gather and scatter against torch, at duplicate indices, ties and zeros too."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from jaxtwin.transpile.ops import indexing
from torch_checks import agree, array


def randn(*sizes: int) -> torch.Tensor:
    return torch.randn(sizes, generator=torch.Generator().manual_seed(0))


def indices(high: int, *sizes: int) -> torch.Tensor:
    return torch.randint(high, sizes, generator=torch.Generator().manual_seed(1))


# Sizes of x, axis, sizes of index: as large as x, smaller along other axes, larger along its own, of size 0 and 1, 0-d.
PLACES = [
    ((4, 3), 0, (4, 3)), ((4, 3), 1, (4, 3)), ((4, 3), -1, (2, 5)), ((4, 3), 0, (6, 1)), ((4, 3), 1, (1, 2)),
    ((2, 3, 4), 1, (2, 2, 3)), ((2, 3, 4), -3, (5, 1, 4)), ((5,), 0, (8,)), ((1, 1), 0, (1, 1)), ((3, 2), 0, (0, 2)), ((), 0, ()),
    ((5,), 0, ()),
]  # fmt: skip
places = pytest.mark.parametrize(("sizes", "axis", "index_sizes"), PLACES)


def place(sizes: tuple[int, ...], axis: int, index_sizes: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A tensor, an index into it along the axis, and a source no smaller than the index."""
    index = indices(sizes[axis] if sizes else 1, *index_sizes)
    return randn(*sizes), index, randn(*index_sizes).flip(0) if index_sizes else torch.tensor(0.3)


@places
def test_gather(sizes: tuple[int, ...], axis: int, index_sizes: tuple[int, ...]) -> None:
    x, index, _ = place(sizes, axis, index_sizes)
    agree(lambda x, i: x.gather(axis, i), lambda x, i: indexing.gather(x, axis, i), x, index)


@places
def test_scatter_add(sizes: tuple[int, ...], axis: int, index_sizes: tuple[int, ...]) -> None:
    agree(
        lambda x, i, s: x.scatter_add(axis, i, s),
        lambda x, i, s: indexing.scatter_add(x, axis, i, s),
        *place(sizes, axis, index_sizes),
    )


@pytest.mark.parametrize(("sizes", "axis", "index_sizes"), [PLACES[place] for place in (1, 2, 5, 8, 9, 10)])
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "mean", "prod", "amax", "amin"])
def test_scatter_reduce(
    sizes: tuple[int, ...], axis: int, index_sizes: tuple[int, ...], reduce: str, include_self: bool
) -> None:
    def original(x: torch.Tensor, index: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        return x.scatter_reduce(axis, index, source, reduce, include_self=include_self)

    agree(original, lambda x, i, s: reduced(x, axis, i, s, reduce, include_self), *place(sizes, axis, index_sizes))


def reduced(x: Any, axis: int, index: Any, source: Any, reduce: str, include_self: bool) -> Any:
    if reduce == "sum":
        return indexing.scatter_sum(x, axis, index, source, include_self)
    if reduce == "mean":
        return indexing.scatter_mean(x, axis, index, source, include_self)
    if reduce == "prod":
        return indexing.scatter_prod(x, axis, index, source, include_self)
    return indexing.scatter_extreme(x, axis, index, source, reduce == "amax", include_self)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["prod", "amax", "amin"])
def test_scatter_reduce_at_ties_and_zeros(reduce: str, include_self: bool) -> None:
    x = torch.tensor([2.0, 0.0, 3.0, 0.0, 1.0, 5.0])
    index = torch.tensor([0, 0, 0, 1, 1, 2, 2, 3, 3, 4])
    source = torch.tensor([2.0, 2.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 7.0, 1.0])

    def original(x: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        return x.scatter_reduce(0, index, source, reduce, include_self=include_self)

    agree(original, lambda x, s: reduced(x, 0, array(index), s, reduce, include_self), x, source)


@pytest.mark.parametrize("reduce", ["sum", "mean", "prod", "amax", "amin"])
@pytest.mark.parametrize("include_self", [True, False])
def test_scatter_reduce_of_integers(reduce: str, include_self: bool) -> None:
    x, source = torch.tensor([5, -7, 9]), torch.tensor([1, 2, -4, 8])
    index = torch.tensor([0, 0, 1, 0])

    def original(x: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        return x.scatter_reduce(0, index, source, reduce, include_self=include_self)

    twin = lambda x, s: reduced(x, 0, array(index), s, reduce, include_self)  # noqa: E731
    agree(original, twin, x, source, gradient=False)


@pytest.mark.parametrize(("sizes", "axis", "index"), [((4, 3), 0, [[3, 0, 1]]), ((4, 3), 1, [[2], [0], [1]]), ((5,), 0, [4, 2])])
def test_scatter_of_a_tensor_and_of_a_number(sizes: tuple[int, ...], axis: int, index: Any) -> None:
    index = torch.tensor(index)
    x, source = randn(*sizes), randn(*index.shape).neg()
    agree(lambda x, i, s: x.scatter(axis, i, s), lambda x, i, s: indexing.scatter(x, axis, i, s), x, index, source)
    agree(lambda x, i: x.scatter(axis, i, 2.5), lambda x, i: indexing.scatter(x, axis, i, 2.5), x, index)


def test_a_source_larger_than_the_index() -> None:
    x, index, source = randn(4, 3), torch.tensor([[2, 0], [1, 1]]), randn(3, 5)
    agree(lambda x, i: x.scatter(0, i, source), lambda x, i: indexing.scatter(x, 0, i, array(source)), x, index)
    agree(lambda x, i: x.scatter_add(0, i, source), lambda x, i: indexing.scatter_add(x, 0, i, array(source)), x, index)
    agree(
        lambda x, i: x.scatter_reduce(0, i, source, "amax"),
        lambda x, i: indexing.scatter_extreme(x, 0, i, array(source)),
        x, index, gradient=False,
    )  # fmt: skip


@pytest.mark.parametrize("reduce", ["add", "multiply"])
def test_scatter_with_an_operation(reduce: str) -> None:
    x, index, source = randn(4, 3), torch.tensor([[2, 0, 2], [2, 0, 1]]), randn(2, 3)
    twin = indexing.scatter_add if reduce == "add" else indexing.scatter_prod
    agree(lambda x, i: x.scatter(0, i, source, reduce=reduce), lambda x, i: twin(x, 0, i, array(source)), x, index, gradient=False)
    agree(lambda x, i: x.scatter(0, i, 3.0, reduce=reduce), lambda x, i: twin(x, 0, i, 3.0), x, index, gradient=False)


# Slices along an axis ------------------------------------------------------------------------------------------------

SLICES = [((4, 3), 0, [2, 0, 2, 2]), ((4, 3), 1, [1]), ((4, 3), -1, [0, 1, 0]), ((2, 3, 4), 1, [2, 2]), ((5,), 0, [4, 4]), ((5, 2), 0, [])]
slices = pytest.mark.parametrize(("sizes", "axis", "index"), SLICES)


def sliced(sizes: tuple[int, ...], axis: int, index: list[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    source_sizes = list(sizes)
    source_sizes[axis] = len(index)
    return randn(*sizes), torch.tensor(index, dtype=torch.int64), randn(*source_sizes) + 0.1


@slices
def test_index_add(sizes: tuple[int, ...], axis: int, index: list[int]) -> None:
    agree(
        lambda x, i, s: x.index_add(axis, i, s),
        lambda x, i, s: indexing.index_add(x, axis, i, s),
        *sliced(sizes, axis, index),
    )


@slices
def test_index_fill(sizes: tuple[int, ...], axis: int, index: list[int]) -> None:
    x, places, _ = sliced(sizes, axis, index)
    agree(lambda x, i: x.index_fill(axis, i, 2.0), lambda x, i: indexing.index_fill(x, axis, i, 2.0), x, places)
    value = torch.tensor(-1.5)
    agree(lambda x, i, v: x.index_fill(axis, i, v), lambda x, i, v: indexing.index_fill(x, axis, i, v), x, places, value)


@pytest.mark.parametrize(("sizes", "axis", "index"), [((4, 3), 0, [2, 0]), ((4, 3), -1, [1]), ((2, 3, 4), 1, [2, 0, 1]), ((5,), 0, [])])
def test_index_copy(sizes: tuple[int, ...], axis: int, index: list[int]) -> None:
    agree(
        lambda x, i, s: x.index_copy(axis, i, s),
        lambda x, i, s: indexing.index_copy(x, axis, i, s),
        *sliced(sizes, axis, index),
    )


def test_an_index_may_be_0_d() -> None:
    x, index, row = randn(4, 3), torch.tensor(2), randn(1, 3)
    agree(lambda x, i, s: x.index_add(0, i, s), lambda x, i, s: indexing.index_add(x, 0, i, s), x, index, row)
    agree(lambda x, i: x.index_fill(1, i, 0.5), lambda x, i: indexing.index_fill(x, 1, i, 0.5), x, index)


@pytest.mark.parametrize(("sizes", "axis", "index"), [SLICES[place] for place in (0, 2, 3)])
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["mean", "prod", "amax", "amin"])
@pytest.mark.filterwarnings("ignore:index_reduce")
def test_index_reduce(sizes: tuple[int, ...], axis: int, index: list[int], reduce: str, include_self: bool) -> None:
    def original(x: torch.Tensor, i: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
        return x.index_reduce(axis, i, s, reduce, include_self=include_self)

    def twin(x: Any, i: Any, s: Any) -> Any:
        return reduced(x, axis, indexing.spread(i, axis, s), s, reduce, include_self)

    agree(original, twin, *sliced(sizes, axis, index))


# By mask, by flat index, by slice ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sizes", "mask_sizes"), [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 4), (3, 1)), ((4,), (3, 4)), ((), ()), ((0,), (0,))])
def test_masked_scatter(sizes: tuple[int, ...], mask_sizes: tuple[int, ...]) -> None:
    mask = randn(*mask_sizes) > 0
    agree(torch.masked_scatter, indexing.masked_scatter, randn(*sizes), mask, randn(3, 5))


def test_masked_scatter_with_an_empty_mask() -> None:
    agree(torch.masked_scatter, indexing.masked_scatter, randn(3), torch.zeros(3, dtype=torch.bool), randn(2))


@pytest.mark.parametrize("accumulate", [True, False])
def test_put(accumulate: bool) -> None:
    x, index, source = randn(3, 4), torch.tensor([[1, 7], [11, 4]]), randn(2, 2)
    if accumulate:
        index[0, 0] = 7
    agree(
        lambda x, i, s: x.put(i, s, accumulate=accumulate),
        lambda x, i, s: indexing.put(x, i, s, accumulate=accumulate),
        x, index, source,
    )  # fmt: skip


@pytest.mark.parametrize(("axis", "start", "end", "step"), [(0, 1, 3, 1), (1, None, None, 1), (-1, 1, None, 2), (0, -2, 99, 1), (1, 0, 4, 3)])
def test_slice_scatter(axis: int, start: Any, end: Any, step: int) -> None:
    x = randn(4, 5)
    source = randn(*x.movedim(axis, 0)[slice(start, end, step)].movedim(0, axis).shape) + 1
    agree(
        lambda x, s: torch.slice_scatter(x, s, axis, start, end, step),
        lambda x, s: indexing.slice_scatter(x, s, axis, start, end, step),
        x, source,
    )  # fmt: skip


@pytest.mark.parametrize(("axis", "index"), [(0, 1), (1, -1), (-2, 0)])
def test_select_scatter(axis: int, index: int) -> None:
    x = randn(4, 5)
    source = randn(*x.select(axis, index).shape) + 1
    agree(
        lambda x, s: torch.select_scatter(x, s, axis, index),
        lambda x, s: indexing.select_scatter(x, s, axis, index),
        x, source,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "offset", "axis1", "axis2"),
    [((3, 3), 0, 0, 1), ((3, 5), 1, 0, 1), ((5, 3), -2, 0, 1), ((2, 3, 4), 0, 1, 2), ((2, 3, 4), 1, 0, -1), ((2, 3, 4), 0, 2, 0), ((3, 3), 2, 0, 1)],
)
def test_diagonal_scatter(sizes: tuple[int, ...], offset: int, axis1: int, axis2: int) -> None:
    x = randn(*sizes)
    source = randn(*x.diagonal(offset, axis1, axis2).shape) + 1
    agree(
        lambda x, s: torch.diagonal_scatter(x, s, offset, axis1, axis2),
        lambda x, s: indexing.diagonal_scatter(x, s, offset, axis1, axis2),
        x, source,
    )  # fmt: skip
