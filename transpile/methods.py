"""Methods and attributes: of a tensor by rule, of others as Python has them; and what they say of their object."""

from __future__ import annotations

import libcst as cst

from . import kinds as k
from .builtin_calls import plain_method
from .facts import DEVICE_TYPE, Frame, Match
from .kinds import Kind, replace
from .overloads import result_kind
from .rule_calls import ADD_A_RULE, apply_rule, arguments_of
from .signature import Argument
from .writes import in_place

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

_UNTOLD_ATTRIBUTES = {"shape": k.SHAPE, "ndim": k.INT, "dtype": k.DTYPE, "device": k.DEVICE, "is_cuda": k.BOOL}


def method(frame: Frame, node: cst.Call, function: cst.Attribute, base: Kind) -> Kind:
    label = function.attr.value
    known = k.without(base, "none")
    if (
        known.name == "unknown"
        and not known.detail
        and (_tensor_only(frame, label) or _splits_tensor(node, label) or (label in CONCRETE and known.direct))
    ):
        frame.demand_tensor(known)
        known = frame.refine(function.value, known)
    elif known.name == "union" and known.may_be("tensor") and _tensor_only(frame, label):
        known = next(item for item in known.alternatives if item.name == "tensor")
    if known.is_tensor and label not in _WRITING_DUNDERS:
        return _tensor_method(frame, node, function, known, label)
    arguments = arguments_of(frame, node)
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
        frame.report(node, "unknown-api", f"no rule says how JAX spells Tensor.{label}", ADD_A_RULE)
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
    arguments = [Argument(function.value, base), *arguments_of(frame, node)]
    name = f"Tensor.{label}"
    if label in CONCRETE:
        frame.use(node, name, True)
        frame.obstruct(node, "concrete-value", f".{label}() needs the value of a tensor", "keep the value a tensor")
        if frame.module.rules.has(name):
            apply_rule(frame, node, name, arguments)
        return CONCRETE[label]
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
        frame.report(node, "unknown-api", f"no rule says how JAX spells {name}", ADD_A_RULE)
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
