"""The kind of a subscript: of a tensor, of a container, or of what may be either."""

from __future__ import annotations

import ast

import libcst as cst

from . import kinds as k
from .facts import Frame, fresh
from .kinds import Kind, replace


def subscript(frame: Frame, node: cst.Subscript) -> Kind:
    base = indexed(frame, node)
    indices = index_kinds(frame, node)
    if base.name == "unknown" and not base.detail and _only_arrays_take(node, indices):
        frame.demand_tensor(base)
        base = frame.refine(node.value, base)
    if base.is_tensor:
        return _tensor_subscript(frame, node, base, indices)
    if any(isinstance(element.slice, cst.Slice) for element in node.slice):
        if base.items is not None:
            return k.sequence(base.name, _sliced(node, base.items, indices))
        return base.without_literal()
    index = indices[0] if len(indices) == 1 else k.UNKNOWN
    if base.items is not None and base.name != "union":
        if isinstance(index.literal, int) and -len(base.items) <= index.literal < len(base.items):
            return base.items[index.literal]
        frame.demand_static(index)
        return k.join_all(base.items)
    if base.name == "unknown":
        if index.name == "str":
            frame.demand_mapping(base)
        return Kind("unknown", origins=base.origins | index.origins, storage=base.storage)
    if base.name in ("list", "tuple", "dict", "shape", "str"):
        frame.demand_static(index)
    return k.element_of(base)


def indexed(frame: Frame, node: cst.Subscript) -> Kind:
    """The kind of what is indexed; by a comparison nothing but a tensor can be."""
    base = frame.evaluate(node.value)
    if base.name == "unknown" and not base.detail:
        parts = [element.slice for element in node.slice]
        if any(isinstance(part, cst.Index) and _is_mask(part.value) for part in parts):
            frame.demand_tensor(base)
            return frame.refine(node.value, base)
    return base


def _is_mask(node: cst.BaseExpression) -> bool:
    """``x > 0``, ``~(x > 0)``, ``(x > 0) & (x < 1)``."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert) and _is_mask(node.expression)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitAnd | cst.BitOr):
        return _is_mask(node.left) or _is_mask(node.right)
    order = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual)
    return isinstance(node, cst.Comparison) and isinstance(node.comparisons[0].operator, order)


def _only_arrays_take(node: cst.Subscript, indices: list[Kind]) -> bool:
    """``x[:, 0]``, ``x[..., 1]``, ``x[None]``, ``x[mask]``: no list, tuple or dict has such an index."""
    if any(kind.is_tensor or kind.is_mask or kind.name == "list" for kind in indices):
        return True
    several = len(indices) > 1 and any(kind.name in ("slice", "ellipsis", "none") for kind in indices)
    return several or any(kind.name in ("ellipsis", "none") for kind in indices)


def _sliced(node: cst.Subscript, items: tuple[Kind, ...], indices: list[Kind]) -> tuple[Kind, ...]:
    part = node.slice[0].slice
    if isinstance(part, cst.Slice):
        try:
            bounds = [
                None if bound is None else ast.literal_eval(cst.Module([]).code_for_node(bound))
                for bound in (part.lower, part.upper, part.step)
            ]
            return items[slice(*bounds)]
        except (ValueError, SyntaxError, TypeError):
            pass
    return (k.join_all(items),) if items else ()


def index_kinds(frame: Frame, node: cst.Subscript) -> list[Kind]:
    """The kind of each member of an index; bounds of slices must be static."""
    result: list[Kind] = []
    for element in node.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            kind = frame.evaluate(part.value)
            if isinstance(part.value, cst.Tuple) and kind.items is not None:
                result += kind.items
            else:
                result.append(kind)
            continue
        assert isinstance(part, cst.Slice)
        for bound in (part.lower, part.upper, part.step):
            if bound is not None:
                kind = frame.evaluate(bound)
                frame.demand_static(kind)
                if kind.is_tensor:
                    frame.obstruct(bound, "concrete-value", "a tensor bounds a slice", "")
        result.append(k.SLICE)
    return result


_BASIC = ("int", "slice", "none", "ellipsis")


def _tensor_subscript(frame: Frame, node: cst.Subscript, base: Kind, indices: list[Kind]) -> Kind:
    if any(kind.is_mask for kind in indices) and node not in frame.module.masked_reads:
        frame.report(
            node, "mask-selects", "a boolean mask selects as many elements as it has True",
            "keep the shape: torch.where(mask, x, 0), or store under the same mask: y[mask] = x[mask]",
        )  # fmt: skip
    basic = all(kind.must_be(*_BASIC) for kind in indices)
    advanced = any(kind.must_be("tensor", "list") for kind in indices)
    rank = base.rank
    if any(kind.name in ("none", "int") for kind in indices) or not basic:
        rank = None
        if basic and isinstance(base.rank, int):
            rank = base.rank + sum((kind.name == "none") - (kind.name == "int") for kind in indices)
    return replace(base, rank=rank, storage=fresh(node) if advanced else base.storage)
