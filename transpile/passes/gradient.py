"""``no_grad``: what is computed under it is a constant to whoever differentiates."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..kinds import Kind
from ..rewrite import Rewriter


def under_no_grad(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """An assignment, or a return, in a ``no_grad`` block: its value is stopped."""
    if not rewriter.no_grad:
        return None
    if isinstance(statement, cst.Assign):
        kind = rewriter.kind(statement.value)
        if _carries_gradient(kind) and all(
            isinstance(t.target, cst.Name | cst.Tuple | cst.List) for t in statement.targets
        ):
            return [statement.with_changes(value=stopped(rewriter, rewriter.expression(statement.value)))]
    elif isinstance(statement, cst.AnnAssign) and statement.value is not None:
        if _carries_gradient(rewriter.kind(statement.value)):
            value = stopped(rewriter, rewriter.expression(statement.value))
            return [statement.with_changes(value=value, annotation=rewriter.annotation(statement.annotation))]
    elif isinstance(statement, cst.AugAssign) and isinstance(statement.target, cst.Name):
        if _carries_gradient(rewriter.kind(statement.target)):
            return [
                cst.Assign([cst.AssignTarget(statement.target)], stopped(rewriter, rewriter.augmented_value(statement)))
            ]  # fmt: skip
    elif isinstance(statement, cst.Return) and statement.value and _carries_gradient(rewriter.kind(statement.value)):
        return [statement.with_changes(value=stopped(rewriter, rewriter.expression(statement.value)))]
    return None


def stopped(rewriter: Rewriter, value: cst.BaseExpression) -> cst.BaseExpression:
    """``jax.lax.stop_gradient(value)``, once."""
    rewriter.libraries.add("jax")
    function = cst.parse_expression("jax.lax.stop_gradient")
    if isinstance(value, cst.Call) and value.func.deep_equals(function):
        return value
    if isinstance(value, cst.Tuple) and not value.lpar:
        value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.Call(function, [cst.Arg(value)])


def _carries_gradient(kind: Kind) -> bool:
    if kind.name in ("tuple", "list", "dict", "union", "iterator"):
        members = kind.items or ((kind.element,) if kind.element else ())
        return any(_carries_gradient(member) for member in members)
    return (kind.is_tensor and kind.dtype not in ("int", "bool")) or kind.name == "unknown"
