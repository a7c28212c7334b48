"""The statements of a module: definitions jitted or stubbed, the rest in terms of JAX."""

from __future__ import annotations

import libcst as cst

from .comments import directives
from .compound_statements import CompoundStatements
from .facts import Function
from .findings import Finding, Refused, finding_of
from .names import is_torch, is_torch_import
from .passes.jit import jitted
from .statement_nodes import (
    Line,
    bound_names,
    changed,
    comments,
    is_main_guard,
    with_leading,
    without_exports,
)
from .stubs import stub_class, stub_function
from .syntax import walk


class BodyRewriter(CompoundStatements):
    """Modules, functions and classes."""

    def module_body(self) -> list[Line]:
        """The statements of the twin; a statement that cannot be carried over is left out with its finding."""
        lines: list[Line] = []
        pending: list[cst.EmptyLine] = []
        for line in self.facts.tree.body:
            if is_main_guard(line):
                continue
            bad = self.facts.module_findings(line)
            try:
                new = self._refused_definition(line, bad) if bad else self.line(line)
            except Exception as error:
                self.findings += [("", finding) for finding in bad or [finding_of(line, error)]]
                self.missing |= bound_names(line)
                new = []
            if not new:
                pending += [] if self.is_first_torch_import(line) else comments(line)
            elif pending:
                new = [with_leading(new[0], pending), *new[1:]]
                pending = []
            lines += new
        gone = self.facts.torch_names | self.missing
        return [without_exports(line, gone) for line in lines]

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
        except Exception as error:
            found = finding_of(node, error)
            self.findings += [(function.name, finding) for finding in findings or [found]]
            self.no_grad = False
            return [stub_function(self, node, found.message, found.node)]

    def _missing_in(self, node: cst.FunctionDef) -> list[Finding]:
        """The uses of a name whose statement has been left out of the twin."""
        if not self.missing:
            return []
        names = [part for part in walk(node) if isinstance(part, cst.Name) and part.value in self.missing]
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
                kept.append(changed(decorator, decorator=self.expression(call)))
            elif kind.detail not in _VANISHING_DECORATORS:
                raise Refused(Finding(decorator, "unsupported-api", f"the decorator {kind.detail} has no counterpart"))
        return kept, stops

    def parameters(self, node: cst.Parameters) -> cst.Parameters:
        def one(parameter: cst.Param) -> cst.Param:
            annotation = None if parameter.annotation is None else self.annotation(parameter.annotation)
            default = None if parameter.default is None else self.expression(parameter.default)
            return changed(parameter, annotation=annotation, default=default)

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
        decorators = [changed(entry, decorator=self.expression(entry.decorator)) for entry in node.decorators]
        return node.with_changes(body=node.body.with_changes(body=lines), decorators=decorators)

    def _member_of_class(self, line: cst.CSTNode) -> list[Line]:
        if isinstance(line, cst.FunctionDef):
            return self.definition(line)
        return self.line(line)


_VANISHING_DECORATORS = frozenset({
    "torch.enable_grad", "torch.jit.script", "torch.jit.ignore", "torch.jit.export", "torch.jit.unused",
    "torch.compile", "torch.jit.script_if_tracing", "torch._dynamo.disable", "torch.compiler.disable",
})  # fmt: skip
