"""Small statements: by the first pass that knows one, else with their expressions rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import libcst as cst

from .facts import ModuleFacts
from .findings import Finding
from .passes import PASSES
from .passes.gradient import stopped_expression, stopped_parts, stopped_writes
from .passes.imports import rewritten_import
from .passes.mutation import in_turn
from .rewrite import Rewriter
from .statement_nodes import (
    changed,
)


class SmallStatements(Rewriter):
    """Statements.

    sibling:  the source file that a module name means, if it has a twin     imported: imports already written
    copies:   lines that were ``y = x.clone()``     findings: what stopped a definition, with the definition's name
    skipped:  definitions left out at the user's word    missing: names that a statement left out would have bound
    """

    def __init__(self, facts: ModuleFacts, source: str, sibling: Callable[[str], Path | None] | None = None) -> None:
        words = set(re.findall(r"(?<![\w.])[^\W\d]\w*", source))
        super().__init__(facts, source, taken={word for word in words if word.startswith("_")}, words=words)
        self.sibling = sibling
        self.imported: set[str] = set()
        self.copies: set[cst.CSTNode | None] = set()
        self.findings: list[tuple[str, Finding]] = []
        self.skipped: list[cst.CSTNode] = []
        self.missing: set[str] = set(facts.missing)

    def small(self, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement]:
        """A small statement, by the first pass that knows it, else with its expressions rewritten."""
        if isinstance(statement, cst.Import | cst.ImportFrom):
            return rewritten_import(self, statement)
        parts = in_turn(self, statement)
        if parts:
            return [new for part in parts for new in self.small(part)]
        outer, self.stopping = self.stopping, self.no_grad
        try:
            for apply in PASSES:
                new = apply(self, statement)
                if new is not None:
                    return stopped_writes(self, statement, new) if self.no_grad else new
        finally:
            self.stopping = outer
        return [self._plain(statement)]

    def expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        return stopped_expression(self, node, super().expression) if self.no_grad else super().expression(node)

    def _child(self, parent: cst.CSTNode, child: cst.CSTNode) -> cst.CSTNode:
        if self.no_grad and isinstance(parent, cst.CompFor) and child is parent.iter:
            return stopped_parts(self, parent.iter)
        return super()._child(parent, child)

    def _plain(self, statement: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        if isinstance(statement, cst.Assign):
            return self._assign(statement)
        if isinstance(statement, cst.AnnAssign):
            value = None if statement.value is None else self.expression(statement.value)
            return statement.with_changes(annotation=self.annotation(statement.annotation), value=value)
        if isinstance(statement, cst.Raise) and statement.exc is not None:
            return changed(statement, exc=self.expression(statement.exc))
        if isinstance(statement, cst.Assert):
            message = None if statement.msg is None else self.expression(statement.msg)
            return changed(statement, test=self.expression(statement.test), msg=message)
        if isinstance(statement, cst.Expr | cst.Return | cst.AugAssign) and statement.value is not None:
            return changed(statement, value=self._bare(self.expression(statement.value), statement.value))
        return statement

    def _bare(self, new: cst.BaseExpression, old: cst.BaseExpression) -> cst.BaseExpression:
        """``return a, b`` needs no parentheses where the rule made the tuple."""
        if isinstance(new, cst.Tuple) and new is not old and not isinstance(old, cst.Tuple) and new.lpar:
            return new.with_changes(lpar=[], rpar=[])
        return new

    def _assign(self, statement: cst.Assign) -> cst.BaseSmallStatement:
        match = self.facts.matches.get(statement.value)
        target = statement.targets[0].target
        if match is not None and match.rule.members and len(statement.targets) == 1 and isinstance(target, cst.Tuple):
            wanted = [
                position for position, element in enumerate(target.elements)
                if not (isinstance(element.value, cst.Name) and element.value.value == "_")
            ]  # fmt: skip
            if len(wanted) == 1:  # `_, indices = x.max(1)` asks for one member only
                name = target.elements[wanted[0]].value
                if isinstance(name, cst.Name | cst.Attribute | cst.Subscript):
                    return cst.Assign([cst.AssignTarget(name)], self.member_of(match, wanted[0]))
        value = self._bare(self.expression(statement.value), statement.value)
        targets = [self._target(entry) for entry in statement.targets]
        return changed(statement, value=value, targets=targets)

    def _target(self, target: cst.AssignTarget) -> cst.AssignTarget:
        return changed(target, target=self._assigned(target.target))

    def _assigned(self, node: Any) -> Any:
        """What is assigned to: names stay, whatever their values become; subscripts and attributes are rewritten."""
        if isinstance(node, cst.Name):
            return node
        if isinstance(node, cst.Tuple | cst.List):
            return changed(node, elements=[self._assigned(element) for element in node.elements])
        if isinstance(node, cst.Element | cst.StarredElement):
            return changed(node, value=self._assigned(node.value))
        return self.rebuilt(node)
