"""The kind of every call: by rule, of a function of this module, of a Python builtin, or of a method."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from . import kinds as k
from .builtin_calls import as_clamp, builtin_result, foreign_result
from .facts import Frame
from .kinds import Kind, replace
from .local_calls import local_call
from .methods import method
from .names import is_torch
from .rule_calls import apply_rule, arguments_of
from .signature import Argument
from .writes import in_place, note_write

# Python's functions that ask a tensor for what torch's function of the same name does.
_OPERATIONS = frozenset({"builtins.abs", "builtins.pow"})


def call(frame: Frame, node: cst.Call) -> Kind:
    """Evaluate a call: first the callee, then the arguments, then what that callee makes of them."""
    function = node.func
    if isinstance(function, cst.Attribute):
        base = frame.evaluate(function.value)
        if base.name not in ("module", "class") and not (base.fields and function.attr.value in base.fields):
            return method(frame, node, function, base)
    callee = frame.evaluate(function)
    arguments = arguments_of(frame, node)
    if callee.name in ("function", "class") and is_torch(callee.detail):
        return _torch_call(frame, node, callee.detail, arguments)
    if callee.detail in _OPERATIONS and any(argument.kind.is_tensor for argument in arguments):
        return apply_rule(frame, node, callee.detail.replace("builtins", "torch"), arguments)
    if callee.detail.startswith("builtins."):
        clamped = as_clamp(callee.detail, arguments)
        if clamped:
            return apply_rule(frame, node, "torch.clamp", clamped)
        return builtin_result(frame, node, callee.detail.removeprefix("builtins."), arguments)
    if callee.detail in frame.module.known:
        return local_call(frame, node, frame.module.known[callee.detail], arguments)
    if callee.name == "class":
        kinds = [argument.kind for argument in arguments]
        return Kind("instance", detail=callee.detail, storage=k.storage_of(kinds), origins=k.origins_of(kinds))
    if callee.name == "unknown" and callee.origins:
        frame.demand_static(callee)
    return foreign_result(frame, node, callee, arguments)


def _torch_call(frame: Frame, node: cst.Call, name: str, arguments: list[Argument]) -> Kind:
    """A call of a torch function by name; ``torch.relu_(x)`` writes to its first argument."""
    base = name.removesuffix("_")
    if name.endswith("Tensor") and any(argument.kind.name == "shape" for argument in arguments):
        frame.report(
            node, "unknown-signature", f"{name} of a size leaves the values open", "use torch.zeros or torch.empty"
        )
    out = next((argument for argument in arguments if argument.keyword == "out"), None)
    if out is not None:
        note_write(frame, node, out.node.value if isinstance(out.node, cst.Name) else "")
        if not isinstance(out.node, cst.Name) and out.kind.name != "none":
            frame.report(
                node, "aliased-write", "out= names something other than a variable", "assign the result instead"
            )
    if _is_in_place(arguments):
        in_place(frame, node, arguments[0].node, arguments[0].kind)
        kind = apply_rule(frame, node, name, arguments, writes=True)
        return replace(kind, storage=arguments[0].kind.storage)
    if base != name and not frame.module.rules.has(name) and frame.module.rules.has(base) and arguments:
        if not arguments[0].keyword:
            in_place(frame, node, arguments[0].node, arguments[0].kind)
        kind = apply_rule(frame, node, base, arguments, writes=True)
        return replace(kind, storage=arguments[0].kind.storage)
    kind = apply_rule(frame, node, name, arguments)
    return kind if out is None else replace(kind, storage=out.kind.storage)


def _is_in_place(arguments: Sequence[Argument]) -> bool:
    """``F.relu(x, inplace=True)`` writes to x; so may a flag whose value is not known here."""
    flag = next((argument for argument in arguments if argument.keyword == "inplace"), None)
    return flag is not None and not arguments[0].keyword and flag.kind.literal is not False
