"""Statements: how each changes what the names of a body are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import libcst as cst

from . import kinds as k
from .annotations import annotated
from .expressions import OPERATORS, bind_target, condition, iterate, operation
from .facts import FOLDED, Frame, aged, fresh, nodes_of
from .kinds import Kind
from .names import dotted, imported, is_torch, qualified_kind, tries_torch
from .narrowing import narrowed
from .selections import reads_under, selection
from .subscripts import index_kinds, indexed
from .writes import changed_outside, is_callers, is_callers_own, names_first, settle, sharing, written

MAX_TURNS = 4


def block(frame: Frame, statements: Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> bool:
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


def _body(frame: Frame, node: cst.BaseSuite) -> bool:
    return block(frame, node.body)


# --------------------------------------------------------------------------------------------------------- assignments


def _expression(frame: Frame, node: cst.Expr) -> None:
    frame.evaluate(node.value)
    settle(frame, node, node.value, [])


def _assign(frame: Frame, node: cst.Assign) -> None:
    target = node.targets[0].target
    kind = _stored_value(frame, node, target if len(node.targets) == 1 else None)
    targets = [target.target for target in node.targets]
    settle(frame, node, node.value, [target.value for target in targets if isinstance(target, cst.Name)])
    for target in names_first(node):
        _store(frame, node, target, kind)


def _stored_value(frame: Frame, node: cst.Assign | cst.AugAssign, target: cst.CSTNode | None) -> Kind:
    """The value of an assignment. In that of a store, reads under the same index select nothing that the store does
    not put back, as long as each element is computed from its own place."""
    if not isinstance(target, cst.Subscript):
        return frame.evaluate(node.value)
    module = frame.module
    reads = reads_under(target, node.value)
    module.masked_reads.update(reads)
    kind = frame.evaluate(node.value)
    found = selection(frame, node, target, reads)
    if found is not None:
        module.selections[node] = found
    elif reads:
        module.selections.pop(node, None)
        module.masked_reads.difference_update(reads)
        kind = frame.evaluate(node.value)
    return kind


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
    _store(frame, node, node.target, kind)


def _store(frame: Frame, node: cst.CSTNode, target: cst.BaseExpression, kind: Kind) -> None:
    """One target of an assignment: names are bound, a tensor's elements are written."""
    if isinstance(target, cst.Tuple | cst.List):
        if any(isinstance(element.value, cst.Subscript | cst.Attribute) for element in target.elements):
            for position, element in enumerate(target.elements):
                exact = kind.items is not None and len(kind.items) == len(target.elements)
                part = kind.items[position] if exact and kind.items else k.element_of(kind)
                _store(frame, node, element.value, part)
        else:
            bind_target(frame, target, kind)
    elif isinstance(target, cst.Subscript):
        _store_item(frame, node, target, kind)
    elif isinstance(target, cst.Attribute):
        base = frame.evaluate(target.value)
        if base.is_tensor or (target.attr.value == "data" and base.name == "unknown" and not base.detail):
            frame.report(target, "unsupported-syntax", f"an assignment to .{target.attr.value} of a tensor", "")
    else:
        bind_target(frame, target, kind.without_literal() if kind.detail == FOLDED else kind)


def _store_item(frame: Frame, node: cst.CSTNode, target: cst.Subscript, kind: Kind) -> None:
    base = indexed(frame, target)
    indices = index_kinds(frame, target)
    if base.name == "unknown" and any(
        index.must_be("slice", "ellipsis", "tensor") or index.is_mask for index in indices
    ):
        frame.demand_tensor(base)
        if isinstance(target.value, cst.Name) and not base.detail:
            base = k.TENSOR.with_storage(base.storage)
            frame.names[target.value.value] = base
            frame.module.kinds[target.value] = base
    if base.is_tensor:
        if isinstance(target.value, cst.Name):
            written(frame, target.value.value, target, node)
        else:
            frame.report(
                target, "aliased-write", "this writes into a tensor through an expression that shares its memory",
                "name the tensor and store with one index: x[i, j] = value",
            )  # fmt: skip
    elif base.name == "unknown" and not base.detail and isinstance(target.value, cst.Name):
        # A helper finds out while JAX traces; whoever else sees the object sees the store only if it is no tensor.
        written(frame, target.value.value, target, node)
    elif base.name == "unknown" and not base.detail:
        frame.report(
            target, "unknown-receiver", "this stores into a tensor, a list or a dict: it cannot be told which",
            "annotate what is stored into",
        )  # fmt: skip
    elif base.name in ("list", "dict") and not (
        isinstance(target.value, cst.Name) and target.value.value in frame.names
    ):
        changed_outside(frame, target, target.value, base)
    elif base.name in ("list", "dict") and isinstance(target.value, cst.Name):
        for index in indices:
            frame.demand_static(index)
        changed_outside(frame, target, target.value, base)
        members = [k.element_of(base)] if base.items or base.element else []
        element = k.join_all([*members, kind.without_literal()])
        frame.names[target.value.value] = replace(k.many(base.name, element), detail=base.detail)


def _augmented(frame: Frame, node: cst.AugAssign) -> None:
    """``x += y``: a write where x is a tensor, a new value where it is a number or a string."""
    value = _stored_value(frame, node, node.target)
    settle(frame, node, None, [])
    if isinstance(node.target, cst.Subscript):
        frame.module.masked_reads.add(node.target)
    before = frame.evaluate(node.target)
    kind = operation(frame, node, OPERATORS[type(node.operator)], (node.target, before), (node.value, value))
    if isinstance(node.target, cst.Subscript):
        in_container = frame.module.kind(node.target.value).name in ("list", "tuple", "dict") and before.may_be(
            "tensor"
        )
        if in_container and (is_callers(before) or _is_shared(frame, node.target, before)):
            frame.report(node, "aliased-write", "a tensor in a container is written in place", "assign a new value")
        _store_item(frame, node, node.target, kind)
    elif isinstance(node.target, cst.Name):
        name = node.target.value
        if before.is_tensor or (before.name == "unknown" and not before.detail and _is_seen(frame, name, before)):
            written(frame, name, node, node)
            kind = before
        elif before.may_be("list", "unknown"):
            if before.name == "list" and is_callers_own(before):
                changed_outside(frame, node, node.target, before)
            # A list grows by the other's members; a number or a tensor becomes something of its own.
            shared = value.storage if before.name == "list" else fresh(node)
            kind = kind.with_storage(before.storage | shared)
        frame.names[name] = kind.without_literal()
        frame.module.kinds[node.target] = before
    elif before.is_tensor or (before.name == "unknown" and _is_shared(frame, node.target, before)):
        frame.report(node, "aliased-write", "an attribute is written in place", "assign a new value: a.x = a.x + y")


def _is_seen(frame: Frame, name: str, kind: Kind) -> bool:
    """Whether writing into what may be a tensor could be noticed: by another name, or by the caller."""
    outside_block = frame.no_grad is not None and bool(kind.storage & frame.no_grad)
    return is_callers(kind) or outside_block or bool(sharing(frame, name, kind.storage))


def _is_shared(frame: Frame, target: cst.BaseExpression, kind: Kind) -> bool:
    """Whether a name beside the one the target starts with shares its memory."""
    root = target
    while isinstance(root, cst.Attribute | cst.Subscript):
        root = root.value
    return bool(sharing(frame, root.value if isinstance(root, cst.Name) else "", kind.storage))


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


def _if(frame: Frame, node: cst.If) -> bool:
    test = frame.evaluate(node.test)
    settle(frame, node.test, None, [])
    if test.detail == FOLDED:
        return _decided(frame, node, bool(test.literal))
    if not is_value_check(node, test):
        condition(frame, node.test, test)
    before = frame.names
    frame.names = narrowed(frame, node.test, True)
    falls_through = _body(frame, node.body)
    after_body = frame.names
    frame.names = before
    frame.names = narrowed(frame, node.test, False)
    falls_through_else = _otherwise(frame, node.orelse)
    if falls_through and falls_through_else:
        frame.names = merge(after_body, frame.names)
    elif falls_through:
        frame.names = after_body
    return falls_through or falls_through_else


def is_value_check(node: cst.If, test: Kind) -> bool:
    """``if <tensor>: raise``: a check on values, which a compiled function leaves out."""
    return node.orelse is None and test.is_tensor and only_raises(node.body)


def only_raises(body: cst.BaseSuite) -> bool:
    if isinstance(body, cst.SimpleStatementSuite):
        return all(isinstance(small, cst.Raise) for small in body.body)
    return all(
        isinstance(line, cst.SimpleStatementLine) and all(isinstance(small, cst.Raise) for small in line.body)
        for line in body.body
    )


def _decided(frame: Frame, node: cst.If, truth: bool) -> bool:
    return _body(frame, node.body) if truth else _otherwise(frame, node.orelse)


def _otherwise(frame: Frame, orelse: cst.If | cst.Else | None) -> bool:
    if orelse is None:
        return True
    return _if(frame, orelse) if isinstance(orelse, cst.If) else _body(frame, orelse.body)


def merge(one: dict[str, Kind], other: dict[str, Kind]) -> dict[str, Kind]:
    """What names are where two ways meet."""
    if one is other:
        return one
    # In the order of binding, never of a set: which name a message speaks of must not change from run to run.
    return {name: k.join(one.get(name, k.UNDEFINED), other.get(name, k.UNDEFINED)) for name in {**one, **other}}


def _for(frame: Frame, node: cst.For) -> bool:
    iterated = frame.evaluate(node.iter)
    settle(frame, node.iter, None, [])
    element = iterate(frame, node.iter, iterated)

    def turn() -> None:
        bind_target(frame, node.target, aged(element))

    if isinstance(node.target, cst.Subscript | cst.Attribute):
        frame.report(node.target, "unsupported-syntax", "a loop that stores into an object each turn", "use a name")
    _loop(frame, node, turn)
    return True


def _while(frame: Frame, node: cst.While) -> bool:
    def turn() -> None:
        condition(frame, node.test, frame.evaluate(node.test), "a tensor")
        settle(frame, node.test, None, [])
        frame.names = narrowed(frame, node.test, True)

    _loop(frame, node, turn)
    return True


def _loop(frame: Frame, node: cst.For | cst.While, turn: Callable[[], None]) -> None:
    """Repeat the body until its names settle; they settle soon, since kinds only go up."""
    outer, frame.exits = frame.exits, []
    before = frame.names
    for _ in range(MAX_TURNS):
        start = frame.names
        frame.names = {name: aged(kind) for name, kind in start.items()}
        turn()
        reaches_end = _body(frame, node.body)
        ends = ([frame.names] if reaches_end else []) + frame.exits
        frame.exits = []
        after = start
        for names in ends:
            after = merge(after, names)
        frame.names = merge(before, after)
        if frame.names == start:
            break
    if node.orelse is not None:
        _body(frame, node.orelse.body)
    frame.exits = outer


def _with(frame: Frame, node: cst.With) -> bool:
    outer = frame.no_grad
    for item in node.items:
        mode = grad_mode(frame, item.item)
        if mode is None:
            kind = frame.evaluate(item.item)
            settle(frame, item.item, None, [])
            if item.asname is not None:
                bind_target(frame, item.asname.name, kind)
        elif mode is False:
            frame.no_grad = k.storage_of(frame.names.values())
        else:
            frame.no_grad = None
    reaches_end = _body(frame, node.body)
    frame.no_grad = outer
    return reaches_end


_NO_GRAD = {"torch.no_grad": False, "torch.inference_mode": False, "torch.enable_grad": True}


def grad_mode(frame: Frame, node: cst.BaseExpression) -> bool | None:
    """Whether a context manager or decorator turns recording on or off; None if it is something else."""
    call = node if isinstance(node, cst.Call) else None
    kind = frame.evaluate(call.func if call else node)
    if kind.detail == "torch.set_grad_enabled" and call and call.args:
        value = frame.evaluate(call.args[0].value).literal
        if isinstance(value, bool):
            return value
    mode = _NO_GRAD.get(kind.detail)
    if mode is not None:
        frame.use(node, kind.detail, True)
    return mode


def _try(frame: Frame, node: cst.Try) -> bool:
    if tries_torch(node):
        return all(_body(frame, part.body) for part in (node, node.orelse, node.finalbody) if part is not None)
    before = frame.names
    frame.names = dict(before)
    reaches_end = _body(frame, node.body)
    if reaches_end and node.orelse:
        reaches_end = _body(frame, node.orelse.body)
    ends = [frame.names] if reaches_end else []
    for handler in node.handlers:
        _caught(frame, node, handler)
    possible = merge(before, frame.names)
    for handler in node.handlers:
        frame.names = dict(possible)
        if handler.name is not None:
            bind_target(frame, handler.name.name, k.UNKNOWN)
        if _body(frame, handler.body):
            ends.append(frame.names)
    frame.names = ends[0] if ends else possible
    for names in ends[1:]:
        frame.names = merge(frame.names, names)
    if node.finalbody and not _body(frame, node.finalbody.body):
        return False
    return bool(ends)


# What torch raises for the values it is given, where JAX gives NaN (or, for an index, the nearest element).
_RAISING = frozenset({
    "cholesky", "cholesky_ex", "inv", "inverse", "solve", "solve_triangular", "lstsq", "eig", "eigh", "eigvals",
    "eigvalsh", "svd", "svdvals", "pinv", "pinverse", "lu", "lu_factor", "matrix_power", "tensorinv", "tensorsolve",
})  # fmt: skip
_CATCHING = frozenset({"RuntimeError", "Exception", "BaseException", "LinAlgError", "_LinAlgError"})


def _caught(frame: Frame, node: cst.Try, handler: cst.ExceptHandler) -> None:
    """A handler of what torch raises for values: in JAX it would never run."""
    caught = {part.value for part in nodes_of(handler.type) if isinstance(part, cst.Name)} if handler.type else None
    if caught is not None and not caught & _CATCHING:
        return
    for part in nodes_of(node.body):
        match = frame.module.matches.get(part)
        if match is not None and match.name.rpartition(".")[2] in _RAISING:
            frame.report(
                handler, "unsupported-syntax", f"{match.name} raises for some values in torch, and never in JAX",
                "look at the result instead: torch.isfinite(y).all()",
            )  # fmt: skip
            return


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
    if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
        _import_star(frame, node)
    for local, qualified in imported(node):
        kind = None
        if not is_torch(qualified) and frame.siblings is not None:
            kind = frame.siblings.imported(qualified, frame.module)
        if kind is None and isinstance(node, cst.Import) and not is_torch(qualified):
            kind = Kind("module", detail=qualified)
        frame.names[local] = kind or qualified_kind(frame.module.rules, qualified)
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


def _match(frame: Frame, node: cst.Match) -> bool:
    kind = frame.evaluate(node.subject)
    settle(frame, node.subject, None, [])
    condition(frame, node.subject, kind)
    before, ends = frame.names, [frame.names]
    for case in node.cases:
        frame.names = dict(before)
        if _body(frame, case.body):
            ends.append(frame.names)
    frame.names = before
    for names in ends:
        frame.names = merge(frame.names, names)
    return True


_HANDLERS: dict[type, Callable[[Frame, Any], bool | None]] = {
    cst.SimpleStatementLine: _line, cst.SimpleStatementSuite: _line, cst.IndentedBlock: _body, cst.Expr: _expression,
    cst.Assign: _assign, cst.AnnAssign: _annotated_assign, cst.AugAssign: _augmented, cst.Return: _return,
    cst.Raise: _raise, cst.Break: _leave, cst.Continue: _leave, cst.If: _if, cst.For: _for, cst.While: _while,
    cst.With: _with, cst.Try: _try, cst.Assert: _assert, cst.Del: _delete, cst.Import: _import,
    cst.ImportFrom: _import, cst.FunctionDef: _definition, cst.ClassDef: _definition, cst.Global: _declared,
    cst.Nonlocal: _declared, cst.Match: _match,
}  # fmt: skip
