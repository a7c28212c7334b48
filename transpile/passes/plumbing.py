"""Statements that say nothing in JAX: devices, contiguity, synchronisation."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..names import is_torch
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
    if kind.name == "function" and is_torch(kind.detail) and rewriter.function is not None and len(names) == 1:
        alias = names[0]
        if isinstance(alias, cst.Name) and _only_called(rewriter.function.root.node, alias.value):
            return []  # `f = torch.mean`: each call of f has become a call of what f stood for
    if len(names) == 1 and isinstance(statement.value, cst.Call | cst.Attribute | cst.IfExp):
        new = rewriter.expression(statement.value)
        if new is not statement.value and isinstance(new, cst.Name) and names[0].deep_equals(new):
            return []
    return None


class _Uses(cst.CSTVisitor):
    """Counts how often a name stands in a body, and how often as what is called or assigned."""

    def __init__(self, name: str) -> None:
        self.name, self.all, self.plain = name, 0, 0

    def visit_Name(self, node: cst.Name) -> None:
        self.all += node.value == self.name

    def visit_Call(self, node: cst.Call) -> None:
        self.plain += isinstance(node.func, cst.Name) and node.func.value == self.name

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self.plain += isinstance(node.target, cst.Name) and node.target.value == self.name


def _only_called(body: cst.CSTNode, name: str) -> bool:
    uses = _Uses(name)
    body.visit(uses)
    return uses.all == uses.plain
