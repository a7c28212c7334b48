"""Subscripts of tensors in terms of JAX.

torch and JAX read the same index differently in two ways. A list is an index array to torch (and a tuple if it holds
sequences or slices); JAX takes neither. And torch lets single numbers select before it looks at index arrays, where
JAX counts a number as an index array: ``x[0, :, i]`` has its axes in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from .kinds import Kind
from .template import tuple_of

if TYPE_CHECKING:
    from .rewrite import Rewriter

_BASIC = ("slice", "none", "ellipsis", "bool")
# How an index gives its axes in torch's order: see ``axis_order``.
AS_IT_IS, NUMBERS_FIRST, BY_HELPER = "as it is", "numbers first", "by helper"
# What makes torch take a list that holds it for a tuple.
_SPREADS = ("tensor", "list", "tuple", "shape", "slice", "none", "ellipsis")


def index_kinds(rewriter: Rewriter, target: cst.Subscript) -> list[Kind]:
    """The kind of each part of an index; a tuple written or known counts as its members."""
    kinds: list[Kind] = []
    for element in target.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            kind = rewriter.kind(part.value)
            alone = len(target.slice) == 1 and kind.name == "tuple" and kind.items is not None
            kinds += kind.items if alone and kind.items is not None else (kind,)
        else:
            kinds.append(Kind("slice"))
    return kinds


def may_end_in_mask(target: cst.Subscript) -> bool:
    """``x[:, :, mask]``: nothing but whole slices before the last part."""
    *leading, last = [element.slice for element in target.slice]
    whole = all(
        isinstance(part, cst.Slice) and part.lower is None and part.upper is None and part.step is None
        for part in leading
    )
    return whole and isinstance(last, cst.Index) and not isinstance(last.value, cst.Tuple)


def is_known_index(rewriter: Rewriter, target: cst.Subscript) -> bool:
    """Whether no part of the index can be a boolean mask."""
    basic = ("int", "slice", "none", "ellipsis")
    return all(
        kind.must_be(*basic) or (kind.is_tensor and kind.dtype == "int") for kind in index_kinds(rewriter, target)
    )


def subscript(rewriter: Rewriter, node: cst.Subscript) -> cst.BaseExpression:
    """``x[...]`` of a tensor, with torch's reading of the index."""
    spread = _without_list(rewriter, node)
    elements = index_elements(rewriter, spread)
    value = rewriter.expression(node.value)
    changed = value is not node.value or elements is not node.slice
    order = axis_order(rewriter, spread)
    if order == BY_HELPER:
        return rewriter.call_helper("index", value, index_expression(rewriter, spread))
    new = node.with_changes(value=_receiver(rewriter, node, value), slice=elements) if changed else node
    return _numbers_first(rewriter, spread, new) if order == NUMBERS_FIRST else new


def _receiver(rewriter: Rewriter, node: cst.Subscript, value: cst.BaseExpression) -> cst.BaseExpression:
    return value if value is node.value else rewriter.operated(node, node.value, value)


def _without_list(rewriter: Rewriter, node: cst.Subscript) -> cst.Subscript:
    """``x[[i, j]]``, which torch takes for ``x[i, j]`` if i or j is a sequence, a tensor or a slice."""
    part = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(part, cst.Index) or not isinstance(part.value, cst.List):
        return node
    values = [element.value for element in part.value.elements]
    if not any(rewriter.kind(value).must_be(*_SPREADS) for value in values):
        return node
    return node.with_changes(slice=[cst.SubscriptElement(cst.Index(value)) for value in values])


def index_elements(rewriter: Rewriter, node: cst.Subscript) -> Sequence[cst.SubscriptElement]:
    """The parts of an index in terms of JAX: a list is an array of its own; the same object if nothing changes."""
    new = [_element(rewriter, element) for element in node.slice]
    return new if any(one is not other for one, other in zip(new, node.slice, strict=True)) else node.slice


def _element(rewriter: Rewriter, old: cst.SubscriptElement) -> cst.SubscriptElement:
    new = rewriter.rebuilt(old)
    if not isinstance(old.slice, cst.Index) or rewriter.kind(old.slice.value).name != "list":
        return new
    assert isinstance(new.slice, cst.Index)
    return new.with_changes(slice=cst.Index(rewriter.library("jnp.array", new.slice.value)))


def axis_order(rewriter: Rewriter, node: cst.Subscript) -> str:
    """How the axes come out: as JAX has it, if numbers are taken first, or as only a helper finds out."""
    if _is_list_of_anything(rewriter, node):
        return BY_HELPER
    parts = [_role(kind) for kind in index_kinds(rewriter, node)]
    if _agrees(parts):
        return AS_IT_IS
    rest = [part for part in parts if part != "number"]
    written_out = len(parts) == len(node.slice) and not any(kind.is_mask for kind in index_kinds(rewriter, node))
    return NUMBERS_FIRST if len(rest) < len(parts) and _agrees(rest) and written_out else BY_HELPER


def _is_list_of_anything(rewriter: Rewriter, node: cst.Subscript) -> bool:
    """A list as the whole index, and it cannot be told whether it holds numbers only."""
    part = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(part, cst.Index) or rewriter.kind(part.value).name != "list":
        return False
    return not _holds_numbers(rewriter.kind(part.value))


def _holds_numbers(kind: Kind) -> bool:
    members = kind.items if kind.items is not None else (kind.element or Kind("unknown"),)
    return all(member.must_be("int", "float", "bool") for member in members)


def _role(kind: Kind) -> str:
    if kind.must_be(*_BASIC):
        return "basic"
    if kind.must_be("int") or (kind.is_tensor and kind.rank == 0 and not kind.is_mask):
        return "number"
    if kind.name in ("list", "tuple", "shape") or (kind.is_tensor and (isinstance(kind.rank, int) or kind.is_mask)):
        return "array"
    return "either"


def _agrees(parts: Sequence[str]) -> bool:
    """Whether JAX orders the axes as torch does: all that indexes stands together, or is of one sort."""
    places = [place for place, part in enumerate(parts) if part != "basic"]
    together = not places or places[-1] - places[0] + 1 == len(places)
    sorts = {parts[place] for place in places}
    return together or sorts in ({"array"}, {"number"})


def _numbers_first(rewriter: Rewriter, node: cst.Subscript, new: cst.Subscript) -> cst.Subscript:
    """``x[0][:, i]`` for ``x[0, :, i]``."""
    whole = cst.Slice(None, None)
    first, rest = [], []
    for element, kind in zip(new.slice, index_kinds(rewriter, node), strict=True):
        if _role(kind) == "number":
            first.append(element.slice)
            continue
        rest.append(element.slice)
        if not kind.must_be("none", "bool"):
            first.append(element.slice if kind.must_be("ellipsis") else whole)
    while first[-1] is whole:
        first.pop()
    inner = new.with_changes(slice=[cst.SubscriptElement(part) for part in first])
    return new.with_changes(value=inner, slice=[cst.SubscriptElement(part) for part in rest])


def index_expression(rewriter: Rewriter, target: cst.Subscript) -> cst.BaseExpression:
    """The index as a value: one expression, or a tuple with ``slice(...)`` for slices."""
    parts: list[cst.BaseExpression] = []
    for element in target.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            index = rewriter.expression(part.value)
            parts.append(_as_array(rewriter, part.value, index))
        elif isinstance(part, cst.Slice):
            bounds = [
                cst.Name("None") if bound is None else rewriter.expression(bound) for bound in (part.lower, part.upper)
            ]
            if part.step is not None:
                bounds.append(rewriter.expression(part.step))
            elif part.lower is None:
                bounds = bounds[1:]
            parts.append(rewriter.library("slice", *bounds))
    if len(parts) == 1:
        return parts[0]
    return tuple_of([cst.Element(part) for part in parts])


def _as_array(rewriter: Rewriter, node: cst.BaseExpression, index: cst.BaseExpression) -> cst.BaseExpression:
    kind = rewriter.kind(node)
    return rewriter.library("jnp.array", index) if kind.name == "list" and _holds_numbers(kind) else index
