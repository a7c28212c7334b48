"""Walk the statements of a module and put each in terms of JAX: the passes first, expressions by rule for the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import libcst as cst

from .comments import directives
from .control_flow import is_value_check
from .facts import Finding, Function, ModuleFacts, Refused, nodes_of
from .names import is_torch, is_torch_import, tries_torch
from .passes import PASSES
from .passes.gradient import stopped_expression, stopped_parts, stopped_writes
from .passes.imports import rewritten_import
from .passes.jit import jitted
from .passes.mutation import in_turn
from .passes.validation import left_out
from .rewrite import Rewriter
from .stubs import stub_class, stub_function

Line = cst.BaseStatement
Node = TypeVar("Node", bound=cst.CSTNode)


class BodyRewriter(Rewriter):
    """Statements.

    sibling:  the source file that a module name means, if it has a twin     imported: imports already written
    copies:   lines that were ``y = x.clone()``     findings: what stopped a definition, with the definition's name
    skipped:  definitions left out at the user's word    missing: names that a statement left out would have bound
    """

    def __init__(
        self, facts: ModuleFacts, words: set[str], sibling: Callable[[str], Path | None] | None = None
    ) -> None:
        super().__init__(facts, taken={word for word in words if word.startswith("_")}, words=words)
        self.sibling = sibling
        self.imported: set[str] = set()
        self.copies: set[cst.CSTNode | None] = set()
        self.findings: list[tuple[str, Finding]] = []
        self.skipped: list[cst.CSTNode] = []
        self.missing: set[str] = set()

    # ------------------------------------------------------------------------------------------------------ statements

    def module_body(self) -> list[Line]:
        """The statements of the twin; a statement that cannot be carried over is left out with its finding."""
        lines: list[Line] = []
        pending: list[cst.EmptyLine] = []
        for line in self.facts.tree.body:
            if _is_main_guard(line):
                continue
            bad = self.facts.module_findings(line)
            try:
                new = self._refused_definition(line, bad) if bad else self.line(line)
            except Refused as refused:
                self.findings += [("", finding) for finding in bad or [refused.finding]]
                self.missing |= _bound_names(line)
                new = []
            if not new:
                pending += [] if self.is_first_torch_import(line) else _comments(line)
            elif pending:
                new = [_with_leading(new[0], pending), *new[1:]]
                pending = []
            lines += new
        return lines

    def _refused_definition(self, line: cst.CSTNode, bad: list[Finding]) -> list[Line]:
        """A stub for what cannot be carried over in the defaults, the decorators or the body of a class.

        Raises Refused for any other statement, which is left out.
        """
        if not isinstance(line, cst.FunctionDef | cst.ClassDef):
            raise Refused(bad[0])
        if "skip" in directives(line):
            self.skipped.append(line)
        else:
            self.findings += [(line.name.value, finding) for finding in bad]
        if isinstance(line, cst.ClassDef):
            return [stub_class(self, line, bad[0].message)]
        return [stub_function(self, line, bad[0].message, bad[0].node)]

    def is_first_torch_import(self, line: cst.CSTNode) -> bool:
        """Whether the imports of JAX come to stand in this line's place, under its comments."""
        imports = (entry for entry in self.facts.tree.body if is_torch_import(entry))
        return line is next(imports, None)

    def block(self, lines: Sequence[cst.BaseStatement]) -> list[Line]:
        new: list[Line] = []
        pending: list[cst.EmptyLine] = []
        for line in lines:
            rewritten = self.line(line)
            if not rewritten:
                pending += _comments(line)
            elif pending:
                rewritten = [_with_leading(rewritten[0], pending), *rewritten[1:]]
                pending = []
            new += rewritten
            if isinstance(line, cst.If) and new and _leaves(new[-1]):
                break  # a rule has decided for the branch that leaves: what is below it never runs
        return self._without_copies(new)

    def _without_copies(self, lines: list[Line]) -> list[Line]:
        """``y = x``, once ``x.clone()``, followed by ``y = y.at[0].set(1)`` is ``y = x.at[0].set(1)``."""
        result: list[Line] = []
        for line in lines:
            previous = result[-1] if result else None
            copied, target = _plain_assignment(previous), _plain_assignment(line)
            if (
                copied
                and target
                and previous is not None
                and previous in self.copies
                and copied[0] == target[0]
                and not _has_comment(previous)
            ):
                rename = _Renamed(copied[0], copied[1])
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
            return body.with_changes(body=_separated(small) or [cst.Pass()])
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
            return [line.with_changes(body=_separated(flat))]
        *before, last = flat
        lines: list[Line] = [cst.SimpleStatementLine([part]) for part in before]
        lines.append(line.with_changes(body=[last], leading_lines=line.leading_lines if not before else ()))
        original = line.body[0]
        was_call = isinstance(original, cst.Assign) and isinstance(original.value, cst.Call)
        if was_call and isinstance(last, cst.Assign) and isinstance(last.value, cst.Name):
            self.copies.add(lines[-1])
        return [_with_leading(lines[0], line.leading_lines), *lines[1:]] if before else lines

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
            return _changed(statement, exc=self.expression(statement.exc))
        if isinstance(statement, cst.Assert):
            message = None if statement.msg is None else self.expression(statement.msg)
            return _changed(statement, test=self.expression(statement.test), msg=message)
        if isinstance(statement, cst.Expr | cst.Return | cst.AugAssign) and statement.value is not None:
            return _changed(statement, value=self._bare(self.expression(statement.value), statement.value))
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
        return _changed(statement, value=value, targets=targets)

    def _target(self, target: cst.AssignTarget) -> cst.AssignTarget:
        if isinstance(target.target, cst.Name):
            return target
        return _changed(target, target=self.rebuilt(target.target))

    # -------------------------------------------------------------------------------------------------- compound

    def _if(self, node: cst.If) -> list[Line]:
        """``if`` whose condition a rule decides keeps the branch that is taken; a check on values is left out."""
        if self.asks_for_gradient(node.test) and _is_empty(self.suite(node.body)) and not self._orelse(node.orelse):
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
            return [_with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        if is_value_check(node, self.kind(node.test)):
            self.notes.append(left_out(node))
            return []
        body = self.suite(node.body)
        orelse = self._orelse(node.orelse)
        if _is_empty(body) and orelse is None and not _is_empty(node.body):
            return []
        return [_changed(node, test=self.expression(node.test), body=body, orelse=orelse)]

    def _orelse(self, orelse: cst.If | cst.Else | None) -> cst.If | cst.Else | None:
        if orelse is None:
            return None
        if isinstance(orelse, cst.Else):
            body = self.suite(orelse.body)
            return None if _is_empty(body) and not _is_empty(orelse.body) else _changed(orelse, body=body)
        truth = self.decided(orelse.test)
        if truth is False:
            return self._orelse(orelse.orelse)
        if truth is True:
            return cst.Else(self.suite(orelse.body), leading_lines=orelse.leading_lines)
        new = self._if(orelse)
        return new[0] if new and isinstance(new[0], cst.If) else None

    def _else(self, orelse: cst.Else | None) -> cst.Else | None:
        return None if orelse is None else _changed(orelse, body=self.suite(orelse.body))

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
                kept.append(_changed(item, item=self.expression(item.item)))
        try:
            if kept:
                kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
                return [node.with_changes(items=kept, body=self.suite(node.body))]
            lines = self._inlined(node.body)
            return [_with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        finally:
            self.no_grad = outer

    def _vanishes(self, call: cst.BaseExpression) -> bool:
        new = self.expression(call)
        return isinstance(new, cst.Name) and new.value == "None"

    def _try(self, node: cst.Try) -> list[Line]:
        if tries_torch(node):
            parts = [part.body for part in (node, node.orelse, node.finalbody) if part is not None]
            lines = [line for part in parts for line in self._inlined(part)]
            return [_with_leading(lines[0], node.leading_lines), *lines[1:]] if lines else []
        handlers = [handler.with_changes(body=self.suite(handler.body)) for handler in node.handlers]
        final = node.finalbody and node.finalbody.with_changes(body=self.suite(node.finalbody.body))
        new = node.with_changes(
            body=self.suite(node.body), handlers=handlers, orelse=self._else(node.orelse), finalbody=final
        )
        return [new]

    # ------------------------------------------------------------------------------------------------- definitions

    def definition(self, node: cst.FunctionDef) -> list[Line]:
        """A function, jitted where it can be; a stub if something in it cannot be carried over."""
        function = self.facts.by_node[node]
        words = directives(node)
        if function.parent is not None:
            return [self._function(node, function, words)]
        if "skip" in words:
            self.skipped.append(node)
            return [stub_function(self, node, "left out by `# torch2jax: skip`", None)]
        findings = self._all_findings(function) or self._missing_in(node)
        try:
            if findings:
                raise Refused(findings[0])
            return [self._function(node, function, words)]
        except Refused as refused:
            self.findings += [(function.name, finding) for finding in findings or [refused.finding]]
            self.no_grad = False
            return [stub_function(self, node, refused.finding.message, refused.finding.node)]
        except RecursionError:
            raise
        except Exception as error:
            finding = Finding(node, "internal-error", f"{type(error).__name__}: {error}", "please report this")
            self.findings.append((function.name, finding))
            self.no_grad = False
            return [stub_function(self, node, finding.message, node)]

    def _missing_in(self, node: cst.FunctionDef) -> list[Finding]:
        """The uses of a name whose statement has been left out of the twin."""
        if not self.missing:
            return []
        names = [part for part in nodes_of(node) if isinstance(part, cst.Name) and part.value in self.missing]
        return [
            Finding(name, "left-torch", f"{name.value} could not be carried over where it is made")
            for name in names[:1]
        ]

    def _all_findings(self, function: Function) -> list[Finding]:
        inner = [other for other in self.facts.functions.values() if other.root is function]
        return [finding for other in inner for finding in other.findings.values()]

    def _function(self, node: cst.FunctionDef, function: Function, words: set[str]) -> cst.FunctionDef:
        outer, outer_grad = self.function, self.no_grad
        self.function = function
        try:
            kept, stops = self._decorators(node)
            self.no_grad = stops
            new = node.with_changes(
                params=self.parameters(node.params), returns=node.returns and self.annotation(node.returns),
                body=self.suite(node.body), decorators=kept,
            )  # fmt: skip
        finally:
            self.function, self.no_grad = outer, outer_grad
        return jitted(self, new, function, eager="eager" in words) if outer is None else new

    def _decorators(self, node: cst.FunctionDef) -> tuple[list[cst.Decorator], bool]:
        """Decorators that stay, and whether the body is under no_grad."""
        kept, stops = [], False
        for decorator in node.decorators:
            call = decorator.decorator
            kind = self.kind(call.func if isinstance(call, cst.Call) else call)
            if kind.detail in ("torch.no_grad", "torch.inference_mode"):
                stops = True
            elif not is_torch(kind.detail):
                kept.append(_changed(decorator, decorator=self.expression(call)))
            elif kind.detail not in _VANISHING_DECORATORS:
                raise Refused(Finding(decorator, "unsupported-api", f"the decorator {kind.detail} has no counterpart"))
        return kept, stops

    def parameters(self, node: cst.Parameters) -> cst.Parameters:
        def one(parameter: cst.Param) -> cst.Param:
            annotation = None if parameter.annotation is None else self.annotation(parameter.annotation)
            default = None if parameter.default is None else self.expression(parameter.default)
            return _changed(parameter, annotation=annotation, default=default)

        star = one(node.star_arg) if isinstance(node.star_arg, cst.Param) else node.star_arg
        return node.with_changes(
            params=[one(entry) for entry in node.params], kwonly_params=[one(entry) for entry in node.kwonly_params],
            posonly_params=[one(entry) for entry in node.posonly_params], star_arg=star,
            star_kwarg=node.star_kwarg and one(node.star_kwarg),
        )  # fmt: skip

    def class_definition(self, node: cst.ClassDef) -> Line:
        """A plain class keeps its methods; a class of torch becomes a stub."""
        for base in node.bases:
            kind = self.kind(base.value)
            if is_torch(kind.detail):
                finding = Finding(
                    base, "module-class", f"{node.name.value} is a {kind.detail}", "put the computation into a function"
                )
                if "skip" not in directives(node):
                    self.findings.append((node.name.value, finding))
                else:
                    self.skipped.append(node)
                return stub_class(self, node, finding.message)
        body = [self._member_of_class(line) for line in node.body.body]
        lines = [line for group in body for line in group] or [cst.SimpleStatementLine([cst.Pass()])]
        decorators = [_changed(entry, decorator=self.expression(entry.decorator)) for entry in node.decorators]
        return node.with_changes(body=node.body.with_changes(body=lines), decorators=decorators)

    def _member_of_class(self, line: cst.CSTNode) -> list[Line]:
        if isinstance(line, cst.FunctionDef):
            return self.definition(line)
        return self.line(line)


_VANISHING_DECORATORS = frozenset({
    "torch.enable_grad", "torch.jit.script", "torch.jit.ignore", "torch.jit.export", "torch.jit.unused",
    "torch.compile", "torch.jit.script_if_tracing", "torch._dynamo.disable", "torch.compiler.disable",
})  # fmt: skip


def _changed(node: Node, **changes: object) -> Node:
    """The node with these changes; the node itself if they change nothing."""
    real = {name: value for name, value in changes.items() if not _same(getattr(node, name), value)}
    return node.with_changes(**real) if real else node


def _same(old: object, new: object) -> bool:
    if isinstance(old, Sequence) and isinstance(new, Sequence) and not isinstance(old, str):
        return len(old) == len(new) and all(one is other for one, other in zip(old, new, strict=True))
    return old is new


def _separated(statements: Sequence[cst.BaseSmallStatement]) -> list[cst.BaseSmallStatement]:
    return [statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for statement in statements]


def _plain_assignment(line: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if isinstance(part, cst.Assign) and len(part.targets) == 1 and isinstance(part.targets[0].target, cst.Name):
        return part.targets[0].target.value, part.value
    return None


def _bound_names(line: cst.CSTNode) -> set[str]:
    """The names that a statement of the module binds by assignment."""
    targets = [part.target for part in nodes_of(line) if isinstance(part, cst.AssignTarget | cst.AnnAssign)]
    return {part.value for target in targets for part in nodes_of(target) if isinstance(part, cst.Name)}


def _has_comment(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and line.trailing_whitespace.comment is not None


class _Renamed(cst.CSTTransformer):
    """Exchanges a name; counts how often it stood there."""

    def __init__(self, name: str, new: cst.BaseExpression) -> None:
        self.name, self.new, self.count = name, new, 0

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        self._attribute = node.attr

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if original_node.value != self.name or original_node is getattr(self, "_attribute", None):
            return updated_node
        self.count += 1
        return self.new


def _leaves(line: Line) -> bool:
    """Whether a statement is a ``return`` or the like."""
    last = line.body[-1] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(last, cst.Return | cst.Raise | cst.Break | cst.Continue)


def _is_empty(body: cst.BaseSuite) -> bool:
    """Whether a block consists of ``pass``."""
    lines = body.body
    return len(lines) == 1 and isinstance(lines[0], cst.SimpleStatementLine) and isinstance(lines[0].body[0], cst.Pass)


def _comments(line: cst.CSTNode) -> list[cst.EmptyLine]:
    """The comment lines above a statement that is gone; they belong to the text, not to it."""
    leading: Sequence[cst.EmptyLine] = getattr(line, "leading_lines", ())
    return list(leading) if any(entry.comment for entry in leading) else []


def _with_leading(line: Line, lines: Sequence[cst.EmptyLine]) -> Line:
    return line.with_changes(leading_lines=[*lines, *getattr(line, "leading_lines", ())])


def _is_main_guard(line: cst.CSTNode) -> bool:
    """``if __name__ == "__main__"``: a script's business, not the twin's."""
    test = line.test if isinstance(line, cst.If) else None
    return isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__"
