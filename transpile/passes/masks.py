"""Stores under a boolean mask, in forms of static shape."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..facts import Finding, Refused
from ..indexing import index_kinds, may_end_in_mask
from ..rewrite import Rewriter
from .mutation import assigned, is_tensor_store

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
    kinds = index_kinds(rewriter, target)
    if not any(kind.is_mask for kind in kinds):
        return None
    if not isinstance(target.value, cst.Name):
        raise Refused(Finding(target, "mask-selects", "a store under a mask into an expression", "name the tensor"))
    if not may_end_in_mask(target):
        return None
    axis = len(target.slice) - 1
    if isinstance(statement, cst.AugAssign):
        return [_augmented(rewriter, statement, target, axis)]
    return [_assigned(rewriter, statement.value, target, axis)]


def _mask(target: cst.Subscript) -> cst.BaseExpression:
    last = target.slice[-1].slice
    assert isinstance(last, cst.Index)
    return last.value


def _assigned(rewriter: Rewriter, value: cst.BaseExpression, target: cst.Subscript, axis: int) -> cst.Assign:
    if isinstance(value, cst.Subscript) and value in rewriter.facts.masked_reads:
        return _where(rewriter, target, axis, rewriter.expression(value.value), value.value)
    if rewriter.kind(value).must_be(*_NUMBERS):
        return _where(rewriter, target, axis, rewriter.expression(value), None)
    base, mask = target.value, rewriter.expression(_mask(target))
    arguments = [base, mask, rewriter.expression(value)] + ([cst.Integer(str(axis))] if axis else [])
    assert isinstance(base, cst.Name)
    return assigned(base.value, rewriter.call_helper("put_masked", *arguments))


def _where(
    rewriter: Rewriter, target: cst.Subscript, axis: int, value: cst.BaseExpression, other: cst.BaseExpression | None
) -> cst.Assign:
    """``jnp.where(mask, value, x)`` where mask and x surely have as many axes, else the helper that counts them."""
    base, mask = target.value, _mask(target)
    assert isinstance(base, cst.Name)
    ranks = {rewriter.kind(node).rank for node in (base, mask) + ((other,) if other is not None else ())}
    if axis == 0 and len(ranks) == 1 and None not in ranks and _keeps_dtype(rewriter, base, value, other):
        return assigned(base.value, rewriter.library("jnp.where", rewriter.expression(mask), value, base))
    arguments = [base, rewriter.expression(mask), value] + ([cst.Integer(str(axis))] if axis else [])
    return assigned(base.value, rewriter.call_helper("where_masked", *arguments))


def _keeps_dtype(
    rewriter: Rewriter, base: cst.Name, value: cst.BaseExpression, other: cst.BaseExpression | None
) -> bool:
    """A store keeps the dtype of what is stored into; jnp.where would promote."""
    dtype = rewriter.kind(base).dtype
    if other is not None:
        return dtype is not None and rewriter.kind(other).dtype == dtype == "float"
    return isinstance(value, cst.Integer | cst.Float | cst.UnaryOperation) and (
        dtype == "float" or (dtype in (None, "int") and isinstance(value, cst.Integer))
    )


def _augmented(rewriter: Rewriter, statement: cst.AugAssign, target: cst.Subscript, axis: int) -> cst.Assign:
    """``x[mask] += scalar``: the whole of x is computed and kept where the mask says so."""
    if not rewriter.kind(statement.value).must_be(*_NUMBERS) or statement in rewriter.facts.matches:
        raise Refused(
            Finding(statement, "mask-selects", "an augmented store under a mask of more than a number",
                    "write it as torch.where(mask, x + value, x) with a value of the full shape")
        )  # fmt: skip
    whole = rewriter.combined(statement, target.value)
    return _where(rewriter, target, axis, whole, target.value)
