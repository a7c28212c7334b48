"""Statements: how each changes what the names of a body are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from . import kinds as k
from .annotations import annotated
from .control_flow import body, for_loop, if_statement, match_statement, try_statement, while_loop, with_block
from .facts import Frame
from .kinds import Kind
from .names import dotted, imported, is_torch, qualified_kind
from .narrowing import condition, narrowed
from .stores import augmented, store, stored_value
from .subscripts import index_kinds
from .writes import changed_outside, names_first, settle


def block(frame: Frame, statements: Sequence[cst.CSTNode]) -> bool:
    """Evaluate statements in order; False if control never reaches the end."""
    return all(statement(frame, node) for node in statements)


def statement(frame: Frame, node: cst.CSTNode) -> bool:
    handler: Callable[[Frame, Any], bool | None] | None = _HANDLERS.get(type(node))
    if handler is None:
        return True
    reaches_end = handler(frame, node) is not False
    if frame.pending:
        settle(frame, node, None, [])
    return reaches_end


def _line(frame: Frame, node: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> bool:
    return block(frame, node.body)


# --------------------------------------------------------------------------------------------------------- assignments


def _expression(frame: Frame, node: cst.Expr) -> None:
    frame.evaluate(node.value)
    settle(frame, node, node.value, [])


def _assign(frame: Frame, node: cst.Assign) -> None:
    target = node.targets[0].target
    kind = stored_value(frame, node, target if len(node.targets) == 1 else None)
    targets = [target.target for target in node.targets]
    settle(frame, node, node.value, [target.value for target in targets if isinstance(target, cst.Name)])
    for target in names_first(node):
        store(frame, node, target, kind)


def _annotated_assign(frame: Frame, node: cst.AnnAssign) -> None:
    declared = annotated(frame, node.annotation.annotation)
    if node.value is None:
        if isinstance(node.target, cst.Name):
            frame.names.setdefault(node.target.value, k.UNDEFINED)
        return
    kind = frame.evaluate(node.value)
    settle(frame, node, node.value, [node.target.value] if isinstance(node.target, cst.Name) else [])
    if kind.name == "unknown" and declared.name != "unknown":
        kind = declared.with_storage(kind.storage)
    store(frame, node, node.target, kind)


# --------------------------------------------------------------------------------------------------------- control flow


def _return(frame: Frame, node: cst.Return) -> bool:
    kind = k.NONE if node.value is None else frame.evaluate(node.value)
    settle(frame, node, node.value, [])
    frame.function.result = k.join(frame.function.result, kind.without_literal())
    return False


def _raise(frame: Frame, node: cst.Raise) -> bool:
    if node.exc is not None:
        frame.evaluate(node.exc)
    return False


def _leave(frame: Frame, node: cst.Break | cst.Continue) -> bool:
    frame.exits.append(dict(frame.names))
    return False


def _assert(frame: Frame, node: cst.Assert) -> None:
    test = frame.evaluate(node.test)
    if not test.is_tensor:
        condition(frame, node.test, test)
    if node.msg is not None:
        frame.evaluate(node.msg)
    frame.names = narrowed(frame, node.test, True)


def _delete(frame: Frame, node: cst.Del) -> None:
    if isinstance(node.target, cst.Name):
        frame.names.pop(node.target.value, None)
    elif isinstance(node.target, cst.Subscript):
        base = frame.evaluate(node.target.value)
        index_kinds(frame, node.target)
        changed_outside(frame, node, node.target.value, base)


def _import(frame: Frame, node: cst.Import | cst.ImportFrom) -> None:
    if isinstance(node.names, cst.ImportStar):
        assert isinstance(node, cst.ImportFrom)
        _import_star(frame, node)
        return
    for alias, (local, qualified) in zip(node.names, imported(node), strict=True):
        kind = None
        if not is_torch(qualified) and frame.siblings is not None:
            kind = frame.siblings.imported(qualified, local, frame.module)
        if kind is None and isinstance(node, cst.Import) and not is_torch(qualified):
            kind = Kind("module", detail=qualified)
        frame.names[local] = frame.module.kinds[alias] = kind or qualified_kind(frame.module.rules, qualified)
        if is_torch(qualified):
            frame.module.torch_names.add(local)


def _import_star(frame: Frame, node: cst.ImportFrom) -> None:
    module = "." * len(node.relative) + dotted(node.module)
    if is_torch(module):
        frame.module.torch_names.add("*")  # the file uses torch, under names that are not known
        frame.report(
            node, "unsupported-syntax", "the names that a star import of torch binds are not known", "name them"
        )
    elif frame.siblings is not None:
        frame.names.update(frame.siblings.exports(module, frame.module))


def _definition(frame: Frame, node: cst.FunctionDef | cst.ClassDef) -> None:
    frame.define(node)


def _declared(frame: Frame, node: cst.Global | cst.Nonlocal) -> None:
    if frame.parent is not None:
        frame.obstruct(node, "not-jitted", "it rebinds a name outside of itself")


_HANDLERS: dict[type, Callable[[Frame, Any], bool | None]] = {
    cst.SimpleStatementLine: _line, cst.SimpleStatementSuite: _line, cst.IndentedBlock: body, cst.Expr: _expression,
    cst.Assign: _assign, cst.AnnAssign: _annotated_assign, cst.AugAssign: augmented, cst.Return: _return,
    cst.Raise: _raise, cst.Break: _leave, cst.Continue: _leave, cst.If: if_statement, cst.For: for_loop,
    cst.While: while_loop, cst.With: with_block, cst.Try: try_statement, cst.Assert: _assert, cst.Del: _delete,
    cst.Import: _import, cst.ImportFrom: _import, cst.FunctionDef: _definition, cst.ClassDef: _definition,
    cst.Global: _declared, cst.Nonlocal: _declared, cst.Match: match_statement,
}  # fmt: skip
