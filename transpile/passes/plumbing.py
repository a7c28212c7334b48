"""Statements that say nothing in JAX: devices, contiguity, synchronisation."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..rewrite import Rewriter


def vanishing(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """``device = x.device``, ``x = x.contiguous()``, ``x.requires_grad_()``: nothing is left of them."""
    if isinstance(statement, cst.Assign):
        return _assignment(rewriter, statement)
    if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
        if statement.value in rewriter.facts.writes:
            return None
        new = rewriter.expression(statement.value)
        if new is not statement.value and isinstance(new, cst.Name | cst.Integer | cst.Attribute):
            return []
    return None


def _assignment(rewriter: Rewriter, statement: cst.Assign) -> Sequence[cst.BaseSmallStatement] | None:
    names = [target.target for target in statement.targets]
    if not all(isinstance(name, cst.Name) for name in names):
        return None
    kind = rewriter.kind(statement.value)
    if kind.name == "device":
        return []
    if len(names) == 1 and isinstance(statement.value, cst.Call | cst.Attribute | cst.IfExp):
        new = rewriter.expression(statement.value)
        if new is not statement.value and isinstance(new, cst.Name) and names[0].deep_equals(new):
            return []
    return None
