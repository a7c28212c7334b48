"""Blocks and compound statements in terms of JAX."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from .comments import lost
from .control_flow import is_value_check
from .findings import Finding, Refused
from .names import is_torch, tries_torch
from .passes.gradient import stopped_parts
from .passes.validation import left_out
from .small_statements import SmallStatements
from .statement_nodes import (
    Line,
    Renamed,
    changed,
    comments,
    has_comment,
    is_empty,
    leaves,
    plain_assignment,
    separated,
    with_leading,
)


class CompoundStatements(SmallStatements):
    """Blocks, and the statements that hold them; definitions are left to those who know their functions."""

    def block(self, lines: Sequence[cst.BaseStatement]) -> list[Line]:
        new: list[Line] = []
        pending: list[cst.EmptyLine] = []
        for line in lines:
            rewritten = self.line(line)
            if not rewritten:
                pending += comments(line)
            elif pending:
                rewritten = [with_leading(rewritten[0], pending), *rewritten[1:]]
                pending = []
            new += self._with_all_comments(line, rewritten)
            if isinstance(line, cst.If) and new and leaves(new[-1]):
                break  # a rule has decided for the branch that leaves: what is below it never runs
        return self._without_copies(new)

    def _with_all_comments(self, line: cst.BaseStatement, rewritten: list[Line]) -> list[Line]:
        """What has become of a statement, with comments that have lost their place in it above."""
        gone = lost(self.inner_comments, line, rewritten) if rewritten and rewritten != [line] else []
        if not gone:
            return rewritten
        first, *others = rewritten
        return [first.with_changes(leading_lines=[*getattr(first, "leading_lines", ()), *gone]), *others]

    def _without_copies(self, lines: list[Line]) -> list[Line]:
        """``y = x``, once ``x.clone()``, followed by ``y = y.at[0].set(1)`` is ``y = x.at[0].set(1)``."""
        result: list[Line] = []
        for line in lines:
            previous = result[-1] if result else None
            copied, target = plain_assignment(previous), plain_assignment(line)
            if (
                copied
                and target
                and previous is not None
                and previous in self.copies
                and copied[0] == target[0]
                and not has_comment(previous)
            ):
                rename = Renamed(copied[0], copied[1])
                value = target[1].visit(rename)
                if rename.count == 1 and isinstance(value, cst.BaseExpression):
                    leading = getattr(previous, "leading_lines", ())
                    assign = line.body[0].with_changes(value=value)  # type: ignore[attr-defined]
                    result[-1] = line.with_changes(body=[assign], leading_lines=leading)
                    continue
            result.append(line)
        return result

    def suite(self, body: cst.BaseSuite) -> cst.BaseSuite:
        """A block in terms of JAX; ``pass`` if nothing is left of it."""
        if isinstance(body, cst.SimpleStatementSuite):
            small = [part for statement in body.body for part in self.small(statement)]
            if all(new is old for new, old in zip(small, body.body, strict=False)) and len(small) == len(body.body):
                return body
            return body.with_changes(body=separated(small) or [cst.Pass()])
        lines = self.block([line for line in body.body if isinstance(line, cst.BaseStatement)])
        if not lines:
            lines = [cst.SimpleStatementLine([cst.Pass()])]
        return body.with_changes(body=lines)

    def line(self, line: cst.CSTNode) -> list[Line]:
        """One statement; none if it says nothing in JAX."""
        if isinstance(line, cst.SimpleStatementLine):
            return self._simple(line)
        if isinstance(line, cst.FunctionDef):
            return self.definition(line)
        if isinstance(line, cst.ClassDef):
            return [self.class_definition(line)]
        if isinstance(line, cst.If):
            return self._if(line)
        if isinstance(line, cst.With):
            return self._with(line)
        if isinstance(line, cst.For):
            return [self._for(line)]
        if isinstance(line, cst.While):
            return [
                line.with_changes(
                    test=self.expression(line.test), body=self.suite(line.body), orelse=self._else(line.orelse)
                )
            ]
        if isinstance(line, cst.Try):
            return self._try(line)
        if isinstance(line, cst.Match):
            cases = [case.with_changes(body=self.suite(case.body)) for case in line.cases]
            return [line.with_changes(subject=self.expression(line.subject), cases=cases)]
        raise Refused(Finding(line, "unsupported-syntax", f"{type(line).__name__} is not translated"))

    def _simple(self, line: cst.SimpleStatementLine) -> list[Line]:
        parts = [self.small(statement) for statement in line.body]
        flat = [part for group in parts for part in group]
        if len(flat) == len(line.body) and all(new is old for new, old in zip(flat, line.body, strict=True)):
            return [line]
        if not flat:
            return []
        if len(line.body) > 1:
            return [line.with_changes(body=separated(flat))]
        *before, last = flat
        lines: list[Line] = [cst.SimpleStatementLine([part]) for part in before]
        lines.append(line.with_changes(body=[last], leading_lines=line.leading_lines if not before else ()))
        original = line.body[0]
        was_call = isinstance(original, cst.Assign) and isinstance(original.value, cst.Call)
        if was_call and isinstance(last, cst.Assign) and isinstance(last.value, cst.Name):
            self.copies.add(lines[-1])
        return [with_leading(lines[0], line.leading_lines), *lines[1:]] if before else lines

    def _if(self, node: cst.If) -> list[Line]:
        """``if`` whose condition a rule decides keeps the branch that is taken; a check on values is left out."""
        if self.asks_for_gradient(node.test) and is_empty(self.suite(node.body)) and not self._orelse(node.orelse):
            return []  # whatever it asks, nothing is left to do: `if not x.requires_grad: x.requires_grad_()`
        truth = self.decided(node.test)
        if truth is not None:
            taken: cst.BaseSuite | cst.If | cst.Else | None = node.body if truth else node.orelse
            if taken is None:
                return []
            if isinstance(taken, cst.If):
                lines = self._if(taken)
            else:
                lines = self._inlined(taken.body if isinstance(taken, cst.Else) else taken)
            return [with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        if is_value_check(node, self.kind(node.test)):
            self.notes.append(left_out(node))
            return []
        body = self.suite(node.body)
        orelse = self._orelse(node.orelse)
        if is_empty(body) and orelse is None and not is_empty(node.body):
            return []
        return [changed(node, test=self.expression(node.test), body=body, orelse=orelse)]

    def _orelse(self, orelse: cst.If | cst.Else | None) -> cst.If | cst.Else | None:
        if orelse is None:
            return None
        if isinstance(orelse, cst.Else):
            body = self.suite(orelse.body)
            return None if is_empty(body) and not is_empty(orelse.body) else changed(orelse, body=body)
        truth = self.decided(orelse.test)
        if truth is False:
            return self._orelse(orelse.orelse)
        if truth is True:
            return cst.Else(self.suite(orelse.body), leading_lines=orelse.leading_lines)
        new = self._if(orelse)
        return new[0] if new and isinstance(new[0], cst.If) else None

    def _else(self, orelse: cst.Else | None) -> cst.Else | None:
        return None if orelse is None else changed(orelse, body=self.suite(orelse.body))

    def _inlined(self, body: cst.BaseSuite) -> list[Line]:
        """The statements of a block whose header is gone."""
        if isinstance(body, cst.SimpleStatementSuite):
            return [cst.SimpleStatementLine([part]) for statement in body.body for part in self.small(statement)]
        return self.block([line for line in body.body if isinstance(line, cst.BaseStatement)])

    def _for(self, node: cst.For) -> cst.For:
        return node.with_changes(
            iter=stopped_parts(self, node.iter), body=self.suite(node.body), orelse=self._else(node.orelse)
        )

    def _with(self, node: cst.With) -> list[Line]:
        """Context managers of torch vanish; ``no_grad`` stops the gradient of what is assigned under it."""
        kept, outer = [], self.no_grad
        for item in node.items:
            call = item.item
            kind = self.kind(call.func if isinstance(call, cst.Call) else call)
            if kind.detail in ("torch.no_grad", "torch.inference_mode"):
                self.no_grad = True
            elif kind.detail == "torch.enable_grad":
                self.no_grad = False
            elif kind.detail == "torch.set_grad_enabled" and isinstance(call, cst.Call):
                value = self.kind(call.args[0].value).literal
                if not isinstance(value, bool):
                    raise Refused(Finding(node, "unsupported-syntax", "set_grad_enabled of a value not known here"))
                self.no_grad = not value
            elif is_torch(kind.detail) and self._vanishes(call):
                continue
            else:
                kept.append(changed(item, item=self.expression(item.item)))
        try:
            if kept:
                kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
                return [node.with_changes(items=kept, body=self.suite(node.body))]
            lines = self._inlined(node.body)
            return [with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        finally:
            self.no_grad = outer

    def _vanishes(self, call: cst.BaseExpression) -> bool:
        new = self.expression(call)
        return isinstance(new, cst.Name) and new.value == "None"

    def _try(self, node: cst.Try) -> list[Line]:
        if tries_torch(node):
            parts = [part.body for part in (node, node.orelse, node.finalbody) if part is not None]
            lines = [line for part in parts for line in self._inlined(part)]
            return [with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        handlers = [handler.with_changes(body=self.suite(handler.body)) for handler in node.handlers]
        final = node.finalbody and node.finalbody.with_changes(body=self.suite(node.finalbody.body))
        new = node.with_changes(
            body=self.suite(node.body), handlers=handlers, orelse=self._else(node.orelse), finalbody=final
        )
        return [new]

    def definition(self, node: cst.FunctionDef) -> list[Line]:
        raise NotImplementedError

    def class_definition(self, node: cst.ClassDef) -> Line:
        raise NotImplementedError
