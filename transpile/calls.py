"""The kind of every call: by rule, of a function of this module, of a Python builtin, or of a method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from . import kinds as k
from .builtin_calls import as_clamp, builtin_result, foreign_result, plain_method
from .facts import DEVICE_TYPE, FOLDED, Frame, Function, Match, all_origins, fresh, names_of, origin, parameter_memory
from .kinds import Kind
from .names import is_torch
from .overloads import Choice, choose, is_static, result_kind
from .rules import Rule
from .signature import Argument, Bound
from .writes import hands_back, in_place, is_fresh, note_write

# Methods that need the value of a tensor, and what they give.
CONCRETE = {"item": k.UNKNOWN, "tolist": Kind("list"), "numpy": k.NUMPY}
# Names that other Python objects have too: not evidence of a tensor.
_PYTHON_METHODS = frozenset(
    name
    for family in (str, bytes, list, tuple, dict, set, int, float)
    for name in dir(family)
    if not name.startswith("__")
)
_WRITING_DUNDERS = frozenset({"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__"})
_TENSOR_ATTRIBUTES = frozenset({"shape", "ndim", "requires_grad", "is_cuda", "T", "mT", "H", "mH", "grad_fn"})
# Python's functions that ask a tensor for what torch's function of the same name does.
_OPERATIONS = frozenset({"builtins.abs", "builtins.pow"})
_UNTOLD_ATTRIBUTES = {"shape": k.SHAPE, "ndim": k.INT, "dtype": k.DTYPE, "device": k.DEVICE, "is_cuda": k.BOOL}


def call(frame: Frame, node: cst.Call) -> Kind:
    """Evaluate a call: first the callee, then the arguments, then what that callee makes of them."""
    function = node.func
    if isinstance(function, cst.Attribute):
        base = frame.evaluate(function.value)
        if base.name not in ("module", "class") and not (base.fields and function.attr.value in base.fields):
            return _method(frame, node, function, base)
    callee = frame.evaluate(function)
    arguments = _arguments(frame, node)
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


def _arguments(frame: Frame, node: cst.Call) -> list[Argument]:
    return [
        Argument(entry.value, frame.evaluate(entry.value), entry.star, entry.keyword.value if entry.keyword else "")
        for entry in node.args
    ]


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


def apply_rule(
    frame: Frame,
    node: cst.CSTNode,
    name: str,
    arguments: Sequence[Argument],
    *,
    operator: bool = False,
    writes: bool = False,
) -> Kind:
    """Choose the rule of this name for these arguments, note it for the rewriting, and tell the result's kind."""
    module = frame.module
    rules = module.rules.rules(name)
    if not rules:
        if not operator:
            frame.use(node, name, False)
            frame.report(node, "unknown-api", f"no rule says how JAX spells {name}", _HINT_RULE)
        return k.UNKNOWN
    chosen = choose(rules, arguments, module.rules.ignored)
    if not isinstance(chosen, Choice):
        if not operator:
            frame.use(node, name, False)
            frame.report(node, chosen.code, f"{name}: {chosen.reason}", _hint(chosen.code))
        return k.TENSOR.with_storage(fresh(node))
    rule = chosen.rule
    if operator and (rule.unsupported or _is_plain(rule)):
        module.matches.pop(node, None)
        return k.TENSOR
    frame.use(node, name, not rule.unsupported)
    if rule.unsupported:
        module.refused[node] = rule
        frame.report(node, rule.code, f"{name}: {rule.unsupported}", rule.instead)
        return result_kind(rule, chosen.bound, node) if rule.signature.result else k.UNKNOWN
    module.refused.pop(node, None)
    module.matches[node] = Match(name, rule, chosen.bound, writes)
    _demand(frame, rule, chosen.bound)
    return result_kind(rule, chosen.bound, node)


_HINT_RULE = "add a rule to a file of your own, or mark the function `# torch2jax: skip`"


def _hint(code: str) -> str:
    return {"ambiguous-overload": "annotate the parameter: `dim: int` or `other: torch.Tensor`"}.get(code, "")


def _is_plain(rule: Rule) -> bool:
    """Whether the rule only says that JAX's own operator does it."""
    return not rule.expression[0].startswith(("ops.", "jnp.", "jax."))


def _demand(frame: Frame, rule: Rule, bound: Bound) -> None:
    """What a call asks of its arguments is evidence of what they are, and tells which must be static."""
    for parameter in rule.signature.parameters:
        given = bound.get(parameter.name)
        for argument in given if isinstance(given, tuple) else [given] if given else []:
            if is_static(parameter.kinds) or parameter.name in frame.module.rules.static:
                frame.demand_static(argument.kind)
            elif any(kind.startswith("Tensor") for kind in parameter.kinds) and _only_tensor(parameter.kinds):
                frame.demand_tensor(argument.kind)
                if not isinstance(given, tuple):
                    frame.refine(argument.node, argument.kind)
            elif parameter.kinds == ("function",):
                frame.demand_static(argument.kind)


def _only_tensor(kinds: tuple[str, ...]) -> bool:
    return all(kind == "Tensor" or kind.startswith("Tensor[") for kind in kinds)


# ------------------------------------------------------------------------------------------------------------ methods


def _method(frame: Frame, node: cst.Call, function: cst.Attribute, base: Kind) -> Kind:
    label = function.attr.value
    known = k.without(base, "none")
    if known.name == "unknown" and not known.detail and (
        _tensor_only(frame, label) or _splits_tensor(node, label) or (label in CONCRETE and known.direct)
    ):
        frame.demand_tensor(known)
        known = frame.refine(function.value, known)
    elif known.name == "union" and known.may_be("tensor") and _tensor_only(frame, label):
        known = next(item for item in known.alternatives if item.name == "tensor")
    if known.is_tensor and label not in _WRITING_DUNDERS:
        return _tensor_method(frame, node, function, known, label)
    arguments = _arguments(frame, node)
    if label in _WRITING_DUNDERS and known.may_be("tensor"):
        frame.report(node, "unsupported-syntax", f"{label} called by name", "use the operator")
    if known.name == "unknown" and not known.detail and frame.module.rules.has(f"Tensor.{label}"):
        if label in _PYTHON_METHODS and known.origins:
            frame.report(
                node, "unknown-receiver", f".{label} may be a tensor's method or not", "annotate the parameter"
            )  # fmt: skip
        return Kind("unknown", storage=known.storage)
    if known.direct and label in frame.module.rules.undecided:
        frame.use(node, f"Tensor.{label}", False)
        frame.report(node, "unknown-api", f"no rule says how JAX spells Tensor.{label}", _HINT_RULE)
    return plain_method(frame, function, known, label, arguments)


def _splits_tensor(node: cst.Call, label: str) -> bool:
    """``x.split(2)``, ``x.split([1, 2], dim=1)``: a text is split by a text, or by nothing."""
    if label != "split" or not node.args:
        return False
    first = node.args[0]
    by_size = isinstance(first.value, cst.Integer | cst.List | cst.Tuple | cst.BinaryOperation)
    return by_size or any(entry.keyword and entry.keyword.value in ("dim", "split_size") for entry in node.args)


def _tensor_only(frame: Frame, label: str) -> bool:
    """Whether a method of this name says that its object is a tensor."""
    if label in _PYTHON_METHODS or label.startswith("__"):
        return False
    rules = frame.module.rules
    return rules.has(f"Tensor.{label}") or (label.endswith("_") and rules.has(f"Tensor.{label[:-1]}"))


def _tensor_method(frame: Frame, node: cst.Call, function: cst.Attribute, base: Kind, label: str) -> Kind:
    arguments = [Argument(function.value, base), *_arguments(frame, node)]
    if label in CONCRETE:
        frame.use(node, f"Tensor.{label}", True)
        frame.obstruct(node, "concrete-value", f".{label}() needs the value of a tensor", "keep the value a tensor")
        return CONCRETE[label]
    name = f"Tensor.{label}"
    if label.endswith("_") and not label.endswith("__"):
        rules = frame.module.rules.rules(name)
        if rules and (rules[0].unsupported or rules[0].expression[0] == "self"):
            return apply_rule(frame, node, name, arguments)
        in_place(frame, node, function.value, base)
        kind = apply_rule(frame, node, name if rules else name[:-1], arguments, writes=True)
        return base if kind.is_tensor else replace(base, rank=None)
    return apply_rule(frame, node, name, arguments)


def attribute_of(frame: Frame, node: cst.Attribute, base: Kind, label: str) -> Kind:
    """An attribute that is read, not called."""
    known = k.without(base, "none")
    if known.name == "unknown" and not known.detail and label in _TENSOR_ATTRIBUTES:
        frame.demand_tensor(known)
        if known.direct:
            known = frame.refine(node.value, known)
    if known.name == "unknown" and not known.detail and label.endswith("_") and _tensor_only(frame, label):
        known = frame.refine(node.value, known)
    if not known.is_tensor:
        if known.name == "union" and known.may_be("tensor") and label in _TENSOR_ATTRIBUTES:
            known = next(item for item in known.alternatives if item.name == "tensor")
        elif label in ("data", "grad") and known.direct:
            frame.report(node, "unknown-receiver", f".{label} may be a tensor's or not", "annotate the parameter")
            return Kind("unknown", storage=known.storage)
        elif label in _UNTOLD_ATTRIBUTES and known.name in ("unknown", "instance", "numpy", "union"):
            return _UNTOLD_ATTRIBUTES[label]
        else:
            return _plain_attribute(known, label)
    name = f"Tensor.{label}"
    rules = frame.module.rules.rules(name)
    if not rules or not (rules[0].constant or rules[0].unsupported):
        if rules or (label.endswith("_") and frame.module.rules.has(name[:-1])):
            return Kind("function", detail=f"bound:{label}", storage=known.storage)
        frame.use(node, name, False)
        frame.report(node, "unknown-api", f"no rule says how JAX spells {name}", _HINT_RULE)
        return k.UNKNOWN
    rule = rules[0]
    frame.use(node, name, not rule.unsupported)
    if rule.unsupported:
        frame.module.refused[node] = rule
        frame.report(node, rule.code, f"{name}: {rule.unsupported}", rule.instead)
        return k.UNKNOWN
    bound = {"self": Argument(node.value, known)}
    frame.module.matches[node] = Match(name, rule, bound)
    if label == "requires_grad":  # decides nothing: whether a gradient is wanted is not for the array to know
        return k.BOOL
    kind = result_kind(rule, bound, node)
    return replace(kind, rank=known.rank) if kind.name == "shape" else kind


def _plain_attribute(base: Kind, label: str) -> Kind:
    if base.name == "instance" and base.detail in ("finfo", "iinfo"):
        return k.INT if base.detail == "iinfo" or label == "bits" else k.STR if label == "dtype" else k.FLOAT
    if base.name in ("unknown", "instance", "union", "class"):
        detail = f"{base.detail}.{label}" if base.name == "unknown" and base.detail else ""
        return Kind("unknown", detail=detail, origins=base.origins, storage=base.storage)
    if base.name == "device" and label == "type":
        return replace(k.STR, detail=DEVICE_TYPE)
    if base.name == "dtype":
        return k.BOOL if label.startswith("is_") else k.UNKNOWN
    return k.UNKNOWN


def constant_of(frame: Frame, node: cst.BaseExpression, kind: Kind) -> Kind:
    """A name of torch that is no function: ``torch.float32``, ``torch.pi``. Anything else stays what it is."""
    if kind.name != "function" or not is_torch(kind.detail):
        return kind
    rules = frame.module.rules.rules(kind.detail)
    if not rules or not rules[0].constant or rules[0].unsupported:
        return kind
    frame.use(node, kind.detail, True)
    frame.module.matches[node] = Match(kind.detail, rules[0])
    return result_kind(rules[0], {}, node) if rules[0].signature.result else k.FLOAT


# ---------------------------------------------------------------------------------------------------- local functions


def local_call(frame: Frame, node: cst.Call, function: Function, arguments: Sequence[Argument]) -> Kind:
    """A call of a function that this module defines: pass kinds in, take the result and its demands out."""
    frame.module.calls[node] = function
    given = _bind_local(function, arguments)
    for parameter, argument in given.items():
        if isinstance(function.node, cst.Lambda) or function.parent or function.name.startswith("_"):
            passed = replace(argument.kind.without_literal(), origins=k.EMPTY)
            function.flowed[parameter] = k.join(function.flowed.get(parameter, k.UNDEFINED), passed)
    if not function.done and not function.running:
        Frame.run(function)
    for parameter, argument in given.items():
        if function.parameters.get(parameter, k.UNKNOWN).is_tensor:
            frame.demand_tensor(argument.kind)
            frame.refine(argument.node, argument.kind)
    for parameter in function.static:
        if parameter in given:
            _pass_static(frame, node, function, parameter, given[parameter].kind)
    if function.obstacles and function is not frame.function:
        frame.obstruct(node, "not-jitted", f"calls {function.name}, which is not compiled")
    for parameter in function.mutated:
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
    return replace(kind, storage=storage, origins=origins, items=items, element=element, literal=literal)
