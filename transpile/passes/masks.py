"""Stores under a boolean mask, in forms of static shape."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..findings import Finding, Refused
from ..indexing import index_expression, index_kinds, is_known_index, may_end_in_mask
from ..rewrite import Rewriter
from ..selections import Selection
from .mutation import assigned, is_tensor_store, stored_same

_NUMBERS = ("int", "float", "bool", "complex")


def masked_store(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """``x[mask] = scalar``, ``x[mask] = y[mask]``, ``x[:, mask] = values`` and ``x[mask] += scalar``."""
    if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        target: cst.BaseExpression = statement.targets[0].target
    elif isinstance(statement, cst.AugAssign):
        target = statement.target
    else:
        return None
    if not isinstance(target, cst.Subscript) or not is_tensor_store(rewriter, target):
        return None
    selected = rewriter.facts.selections.get(statement)
    if selected is not None and _may_be_masked(rewriter, target) and isinstance(target.value, cst.Name):
        return [_computed(rewriter, statement, target, selected)]
    kinds = index_kinds(rewriter, target)
    if not any(kind.is_mask for kind in kinds):
        return None
    if not isinstance(target.value, cst.Name):
        raise Refused(Finding(target, "mask-selects", "a store under a mask into an expression", "name the tensor"))
    if not may_end_in_mask(target):
        return None
    if isinstance(statement, cst.AugAssign):
        raise Refused(
            Finding(statement, "mask-selects", "an augmented store under a mask of more than a number",
                    "write it as torch.where(mask, x + value, x) with a value of the full shape")
        )  # fmt: skip
    return [_assigned(rewriter, statement.value, target)]


def _may_be_masked(rewriter: Rewriter, target: cst.Subscript) -> bool:
    """Whether the index, or its last part after whole slices, may be a boolean mask."""
    return may_end_in_mask(target) and not is_known_index(rewriter, target)


def _computed(
    rewriter: Rewriter, statement: cst.Assign | cst.AugAssign, target: cst.Subscript, selected: Selection
) -> cst.Assign:
    """``y[mask] = g(x[mask])``: the whole of g(x) where its derivatives are finite, else g of what is selected."""
    bases: dict[cst.Subscript, cst.BaseExpression]
    if selected.linear:
        bases = {read: rewriter.expression(read.value) for read in selected.reads}
        whole = _value(rewriter, statement, bases)
        if any(kind.is_mask for kind in index_kinds(rewriter, target)):
            return _where(rewriter, target, whole, [read.value for read in selected.reads])
        return stored_same(rewriter, target, whole)
    names: dict[cst.Subscript, str] = {}
    for read in selected.reads:
        name = read.value.value if isinstance(read.value, cst.Name) else "selected"
        names[read] = unused(name, {names[other] for other in names if not other.value.deep_equals(read.value)})
    parameters = {name: rewriter.expression(read.value) for read, name in names.items()}
    bases = {read: cst.Name(name) for read, name in names.items()}
    function = cst.Lambda(
        cst.Parameters([cst.Param(cst.Name(name)) for name in parameters]), _value(rewriter, statement, bases)
    )
    assert isinstance(target.value, cst.Name)
    index = index_expression(rewriter, target)
    call = rewriter.call_helper("store_computed", target.value, index, function, *parameters.values())
    return assigned(target.value.value, call)


def _value(
    rewriter: Rewriter, statement: cst.Assign | cst.AugAssign, bases: dict[cst.Subscript, cst.BaseExpression]
) -> cst.BaseExpression:
    """The value that a statement stores, with these expressions in place of what it reads."""
    for read, base in bases.items():
        rewriter.replaced[read] = base
    if isinstance(statement, cst.AugAssign):
        return rewriter.augmented_value(statement)
    return rewriter.expression(statement.value)


def unused(name: str, taken: set[str]) -> str:
    return name if name not in taken else next(f"{name}_{i}" for i in range(2, 99) if f"{name}_{i}" not in taken)


def _mask(target: cst.Subscript) -> cst.BaseExpression:
    last = target.slice[-1].slice
    assert isinstance(last, cst.Index)
    return last.value


def _assigned(rewriter: Rewriter, value: cst.BaseExpression, target: cst.Subscript) -> cst.Assign:
    if rewriter.kind(value).must_be(*_NUMBERS):
        return _where(rewriter, target, rewriter.expression(value), [])
    base, mask = target.value, rewriter.expression(_mask(target))
    arguments = [base, mask, rewriter.expression(value), *_axis(target)]
    assert isinstance(base, cst.Name)
    return assigned(base.value, rewriter.call_helper("put_masked", *arguments))


def _axis(target: cst.Subscript) -> list[cst.BaseExpression]:
    """The axis that the mask begins at, if it is not the first."""
    axis = len(target.slice) - 1
    return [cst.Integer(str(axis))] if axis else []


def _where(
    rewriter: Rewriter, target: cst.Subscript, value: cst.BaseExpression, others: Sequence[cst.BaseExpression]
) -> cst.Assign:
    """``jnp.where(mask, value, x)`` where mask and x surely have as many axes, else the helper that counts them.

    others: the tensors of x's shape that the value is made of; none for a number
    """
    base, mask = target.value, _mask(target)
    assert isinstance(base, cst.Name)
    ranks = {rewriter.kind(node).rank for node in (base, mask, *others)}
    if len(target.slice) == 1 and len(ranks) == 1 and None not in ranks and _keeps_dtype(rewriter, base, value, others):
        return assigned(base.value, rewriter.library("jnp.where", rewriter.expression(mask), value, base))
    arguments = [base, rewriter.expression(mask), value, *_axis(target)]
    return assigned(base.value, rewriter.call_helper("where_masked", *arguments))


def _keeps_dtype(
    rewriter: Rewriter, base: cst.Name, value: cst.BaseExpression, others: Sequence[cst.BaseExpression]
) -> bool:
    """A store keeps the dtype of what is stored into; jnp.where would promote."""
    kind = rewriter.kind(base)
    if others:
        exact = {rewriter.kind(other).exact for other in others}
        floating = all(rewriter.kind(other).dtype == "float" for other in others) and kind.dtype == "float"
        return floating or (exact == {kind.exact} and bool(kind.exact))
    return isinstance(value, cst.Integer | cst.Float | cst.UnaryOperation) and (
        kind.dtype == "float" or (kind.dtype in (None, "int") and isinstance(value, cst.Integer))
    )
