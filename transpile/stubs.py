"""Stubs: what stands in a twin for a definition that could not be carried over."""

from __future__ import annotations

import libcst as cst

from .comments import without_directives
from .findings import Refused
from .rewrite import Rewriter

STUB_MARK = "torch2jax stub"


def stub_function(rewriter: Rewriter, node: cst.FunctionDef, reason: str, place: cst.CSTNode | None) -> cst.FunctionDef:
    """The function's name, parameters and docstring, and a body that raises, naming the place and the reason."""
    body = [*_docstring(node), _raise(rewriter, node, reason, place)]
    return node.with_changes(
        params=_parameters(rewriter, node), returns=None, decorators=[], body=cst.IndentedBlock(body),
        leading_lines=without_directives(list(node.leading_lines)), lines_after_decorators=(),
    )  # fmt: skip


def _parameters(rewriter: Rewriter, node: cst.FunctionDef) -> cst.Parameters:
    """The parameters without annotations; a default of torch's that cannot be carried over becomes None."""

    def one(parameter: cst.Param) -> cst.Param:
        default = parameter.default
        if default is not None:
            try:
                refused = rewriter.facts.module_findings(parameter)
                default = cst.Name("None") if refused else rewriter.expression(default)
            except Refused:
                default = cst.Name("None")
        return parameter.with_changes(annotation=None, default=default)

    params = node.params
    star = one(params.star_arg) if isinstance(params.star_arg, cst.Param) else params.star_arg
    return params.with_changes(
        params=[one(entry) for entry in params.params], kwonly_params=[one(entry) for entry in params.kwonly_params],
        posonly_params=[one(entry) for entry in params.posonly_params], star_arg=star,
        star_kwarg=params.star_kwarg and one(params.star_kwarg),
    )  # fmt: skip


def stub_class(rewriter: Rewriter, node: cst.ClassDef, reason: str) -> cst.ClassDef:
    """The class's name and docstring, and a constructor that raises."""
    constructor = cst.FunctionDef(
        cst.Name("__init__"),
        cst.Parameters(
            [cst.Param(cst.Name("self"))],
            star_arg=cst.Param(cst.Name("args")),
            star_kwarg=cst.Param(cst.Name("kwargs")),
        ),
        cst.IndentedBlock([_raise(rewriter, node, reason, node)]),
        leading_lines=[cst.EmptyLine(indent=False)] if _docstring(node) else [],
    )
    return node.with_changes(
        bases=[], keywords=[], decorators=[], body=cst.IndentedBlock([*_docstring(node), constructor]),
        lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT,
        leading_lines=without_directives(list(node.leading_lines)), lines_after_decorators=(),
    )  # fmt: skip


def _docstring(node: cst.FunctionDef | cst.ClassDef) -> list[cst.BaseStatement]:
    first = node.body.body[0] if node.body.body else None
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    is_text = isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString | cst.ConcatenatedString)
    return [first] if is_text and isinstance(first, cst.SimpleStatementLine) else []


def _raise(rewriter: Rewriter, node: cst.CSTNode, reason: str, place: cst.CSTNode | None) -> cst.SimpleStatementLine:
    """``raise NotImplementedError("loss.py:41: reason")``; the place is put in once positions are known."""
    mark = f"<{STUB_MARK} {len(rewriter.stub_places)}>"
    rewriter.stub_places.append(place if place is not None else node)
    message = cst.SimpleString(_quoted(f"{mark}: {reason}"))
    call = cst.Call(cst.Name("NotImplementedError"), [cst.Arg(message)])
    return cst.SimpleStatementLine([cst.Raise(call)])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def placed(text: str, file: str, lines: list[int]) -> str:
    """The twin's text with the stubs' marks replaced by ``file:line``."""
    for number, line in enumerate(lines):
        text = text.replace(f"<{STUB_MARK} {number}>", f"{file}:{line}", 1)
    return text
