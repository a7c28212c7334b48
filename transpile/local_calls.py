"""A call of a function that the project defines: kinds go in; the result, its memory and its demands come out."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from . import kinds as k
from .facts import FOLDED, Frame, Function, all_origins, fresh, names_of, origin, parameter_memory
from .kinds import Kind, replace
from .signature import Argument
from .writes import hands_back, is_fresh, note_write


def local_call(frame: Frame, node: cst.Call, function: Function, arguments: Sequence[Argument]) -> Kind:
    """A call of a function that this module defines: pass kinds in, take the result and its demands out."""
    frame.module.calls[node] = function
    given = _bind_local(function, arguments)
    # What a function of another module is called with says nothing of that module.
    own = frame.module.by_node.get(function.node) is function
    private = isinstance(function.node, cst.Lambda) or function.parent or function.name.startswith("_")
    for parameter, argument in given.items():
        if own and private:
            passed = replace(argument.kind.without_literal(), origins=k.EMPTY)
            function.flowed[parameter] = k.join(function.flowed.get(parameter, k.UNDEFINED), passed)
    if not function.done and not function.running:
        Frame.run(function)
    for parameter, argument in given.items():
        if function.parameters.get(parameter, k.UNKNOWN).is_tensor:
            frame.demand_tensor(argument.kind)
            frame.refine(argument.node, argument.kind)
    for parameter in list(function.static):  # a recursive call may demand more of its own function
        if parameter in given:
            _pass_static(frame, node, function, parameter, given[parameter].kind)
    if function.obstacles and function is not frame.function:
        frame.obstruct(node, "not-jitted", f"calls {function.name}, which is not compiled")
    for parameter in list(function.mutated):
        if parameter in given:
            _passed_to_writer(frame, node, function, parameter, given[parameter])
    if function.running:
        function.recursive = True
    if function.result.name == "undefined":
        return k.UNKNOWN if function.running else k.NONE
    return _carried_out(function, function.result, given, node, _visible(frame))


def _visible(frame: Frame) -> frozenset[str]:
    """The memory that names here and in the bodies around live in: a closure may return it."""
    tokens: frozenset[str] = frozenset()
    around: Frame | None = frame
    while around is not None:
        tokens |= k.storage_of(around.names.values())
        around = around.parent
    return tokens


def _bind_local(function: Function, arguments: Sequence[Argument]) -> dict[str, Argument]:
    parameters = function.node.params
    positional = [entry.name.value for entry in (*parameters.posonly_params, *parameters.params)]
    if function.is_method:
        positional = positional[1:]
    known = {entry.name.value for entry in names_of(parameters)}
    given: dict[str, Argument] = {}
    for argument in arguments:
        if argument.star:
            break
        if argument.keyword:
            if argument.keyword in known:
                given[argument.keyword] = argument
        elif positional:
            given[positional.pop(0)] = argument
    return given


def _pass_static(frame: Frame, node: cst.Call, function: Function, parameter: str, kind: Kind) -> None:
    if kind.is_tensor:
        frame.obstruct(
            node, "tensor-condition", f"{function.name} needs {parameter} as a Python value and gets a tensor",
            "pass a Python value",
        )  # fmt: skip
    frame.demand_static(kind)


def _passed_to_writer(frame: Frame, node: cst.Call, function: Function, parameter: str, argument: Argument) -> None:
    """The callee writes into this argument: right only if what it returns is just that tensor, and the caller goes on
    with it."""
    memory = parameter_memory(function, parameter)
    returns_it = not function.result.items and hands_back(function.result, memory) and len(function.mutated) == 1
    beside = [frame.module.kind(other.value) for other in node.args if other.value is not argument.node]
    if any(kind.storage & argument.kind.storage for kind in beside):
        frame.report(
            node, "aliased-write", "the function called writes into an argument that shares memory with another one",
            "pass a copy: .clone()",
        )  # fmt: skip
    elif isinstance(argument.node, cst.Name) and returns_it:
        note_write(frame, node, argument.node.value)
    elif not is_fresh(frame, argument.kind):
        frame.report(
            node, "aliased-write", "the function called writes into this argument, which shares memory with a name",
            "pass a copy: .clone()",
        )  # fmt: skip


def _carried_out(
    function: Function, kind: Kind, given: dict[str, Argument], node: cst.CSTNode, visible: frozenset[str]
) -> Kind:
    """The callee's result as the caller sees it: memory and origins in terms of the arguments."""
    storage = frozenset(
        token
        for parameter, argument in given.items()
        if parameter_memory(function, parameter) in kind.storage
        for token in argument.kind.storage
    )
    storage |= kind.storage & visible
    origins = frozenset(
        entry
        for parameter, argument in given.items()
        if origin(function, parameter) in kind.origins
        for entry in all_origins(argument.kind)
    )
    if kind.storage and not storage:
        storage = fresh(node)
    items = kind.items and tuple(_carried_out(function, item, given, node, visible) for item in kind.items)
    element = kind.element and _carried_out(function, kind.element, given, node, visible)
    literal = kind.literal if kind.detail == FOLDED else k.UNSET
    exact = kind.exact if not kind.exact.startswith("parameter/") else ""
    for parameter, argument in given.items():
        if kind.exact == parameter_memory(function, parameter):
            exact = argument.kind.exact
    return replace(
        kind, storage=storage, origins=origins, items=items, element=element, literal=literal, exact=exact
    )  # fmt: skip
