"""Compound statements: what names are on each way through them, and where the ways meet."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from . import kinds as k
from .expressions import bind_target, iterate
from .facts import FOLDED, Frame, aged
from .kinds import Kind
from .names import tries_torch
from .narrowing import condition, narrowed
from .syntax import walk
from .writes import settle

MAX_TURNS = 4


def body(frame: Frame, node: cst.BaseSuite) -> bool:
    return Frame.block(frame, node.body)


def if_statement(frame: Frame, node: cst.If) -> bool:
    test = frame.evaluate(node.test)
    settle(frame, node.test, None, [])
    if test.detail == FOLDED:
        return _decided(frame, node, bool(test.literal))
    if not is_value_check(node, test):
        condition(frame, node.test, test)
    before = frame.names
    frame.names = narrowed(frame, node.test, True)
    falls_through = body(frame, node.body)
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
    return body(frame, node.body) if truth else _otherwise(frame, node.orelse)


def _otherwise(frame: Frame, orelse: cst.If | cst.Else | None) -> bool:
    if orelse is None:
        return True
    return if_statement(frame, orelse) if isinstance(orelse, cst.If) else body(frame, orelse.body)


def merge(one: dict[str, Kind], other: dict[str, Kind]) -> dict[str, Kind]:
    """What names are where two ways meet."""
    if one is other:
        return one
    # In the order of binding, never of a set: which name a message speaks of must not change from run to run.
    return {name: k.join(one.get(name, k.UNDEFINED), other.get(name, k.UNDEFINED)) for name in {**one, **other}}


def for_loop(frame: Frame, node: cst.For) -> bool:
    iterated = frame.evaluate(node.iter)
    settle(frame, node.iter, None, [])
    element = iterate(frame, node.iter, iterated)

    def turn() -> None:
        bind_target(frame, node.target, aged(element))

    if isinstance(node.target, cst.Subscript | cst.Attribute):
        frame.report(node.target, "unsupported-syntax", "a loop that stores into an object each turn", "use a name")
    _loop(frame, node, turn)
    return True


def while_loop(frame: Frame, node: cst.While) -> bool:
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
        reaches_end = body(frame, node.body)
        ends = ([frame.names] if reaches_end else []) + frame.exits
        frame.exits = []
        after = start
        for names in ends:
            after = merge(after, names)
        frame.names = merge(before, after)
        if frame.names == start:
            break
    if node.orelse is not None:
        body(frame, node.orelse.body)
    frame.exits = outer


def with_block(frame: Frame, node: cst.With) -> bool:
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
    reaches_end = body(frame, node.body)
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


def try_statement(frame: Frame, node: cst.Try) -> bool:
    if tries_torch(node):
        return all(body(frame, part.body) for part in (node, node.orelse, node.finalbody) if part is not None)
    before = frame.names
    frame.names = dict(before)
    reaches_end = body(frame, node.body)
    if reaches_end and node.orelse:
        reaches_end = body(frame, node.orelse.body)
    ends = [frame.names] if reaches_end else []
    for handler in node.handlers:
        _caught(frame, node, handler)
    possible = merge(before, frame.names)
    for handler in node.handlers:
        frame.names = dict(possible)
        if handler.name is not None:
            bind_target(frame, handler.name.name, k.UNKNOWN)
        if body(frame, handler.body):
            ends.append(frame.names)
    frame.names = ends[0] if ends else possible
    for names in ends[1:]:
        frame.names = merge(frame.names, names)
    if node.finalbody and not body(frame, node.finalbody.body):
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
    caught = {part.value for part in walk(handler.type) if isinstance(part, cst.Name)} if handler.type else None
    if caught is not None and not caught & _CATCHING:
        return
    for part in walk(node.body):
        match = frame.module.matches.get(part)
        if match is not None and match.name.rpartition(".")[2] in _RAISING:
            frame.report(
                handler, "unsupported-syntax", f"{match.name} raises for some values in torch, and never in JAX",
                "look at the result instead: torch.isfinite(y).all()",
            )  # fmt: skip
            return


def match_statement(frame: Frame, node: cst.Match) -> bool:
    kind = frame.evaluate(node.subject)
    settle(frame, node.subject, None, [])
    condition(frame, node.subject, kind)
    before, ends = frame.names, [frame.names]
    for case in node.cases:
        frame.names = dict(before)
        if body(frame, case.body):
            ends.append(frame.names)
    frame.names = before
    for names in ends:
        frame.names = merge(frame.names, names)
    return True
