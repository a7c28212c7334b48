"""What Python's own functions, methods of its containers, and other libraries give for these arguments."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import libcst as cst

from . import kinds as k
from .facts import Frame
from .kinds import Kind, replace
from .names import qualified_kind
from .signature import Argument
from .writes import changed_outside

_CONVERSIONS = {"int": k.INT, "float": k.FLOAT, "bool": k.BOOL, "complex": k.COMPLEX}
_CHANGING = frozenset(
    {
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "remove",
        "discard",
        "clear",
        "reverse",
        "sort",
    }
)
_STRINGS = frozenset({"str", "repr", "format", "ascii", "chr", "hex", "bin", "oct"})


def as_clamp(name: str, arguments: Sequence[Argument]) -> list[Argument]:
    """``max(count, 1)`` of a tensor as the arguments of torch.clamp; nothing where it is something else.

    ``max(1, count)`` gives the number where both are equal, and so no gradient; ``max(count, 1.0)`` a number of
    another dtype than the tensor's, if that is one of integers.
    """
    bounds = {"builtins.max": "min", "builtins.min": "max"}
    if name not in bounds or len(arguments) != 2 or any(argument.keyword or argument.star for argument in arguments):
        return []
    tensor, number = (argument.kind for argument in arguments)
    same = ("int", "float") if tensor.dtype == "float" else ("int",)
    if not tensor.is_tensor or tensor.dtype == "bool" or not number.must_be(*same):
        return []
    return [arguments[0], dataclasses.replace(arguments[1], keyword=bounds[name])]


def builtin_result(frame: Frame, node: cst.Call, name: str, arguments: Sequence[Argument]) -> Kind:
    """The kind of ``name(...)`` for a Python builtin."""
    kinds = [argument.kind for argument in arguments]
    first = kinds[0] if kinds else k.UNDEFINED
    origins = k.origins_of(kinds)
    if name in _CONVERSIONS:
        return _converted(frame, node, name, first).with_origins(origins)
    if name in _STRINGS:
        return k.STR
    if name == "len":
        return k.INT if first.name != "unknown" else Kind("int")
    if name in ("type", "hasattr") and first.origins and first.name in ("unknown", "int", "float", "bool", "union"):
        frame.obstruct(node, "not-jitted", f"{name}() asks what a value is, which jax.jit hides", "use isinstance")
    if name in ("isinstance", "issubclass", "hasattr", "callable"):
        return k.BOOL
    if name == "range":
        for argument in arguments:
            if argument.kind.is_tensor:
                frame.obstruct(node, "concrete-value", "a tensor decides the length of a loop", "pass a Python int")
            frame.demand_static(argument.kind)
        return Kind("range", origins=origins)
    if name in ("min", "max", "sum", "any", "all", "sorted", "round", "divmod", "pow", "abs"):
        return _folded(frame, node, name, arguments).with_origins(origins)
    if name in ("tuple", "list", "set", "frozenset", "reversed", "iter"):
        return _container(name, first)
    if name == "enumerate":
        return k.many("iterator", k.sequence("tuple", [k.INT, k.element_of(first).without_literal()]))
    if name == "zip":
        return k.many("iterator", k.sequence("tuple", [k.element_of(kind).without_literal() for kind in kinds]))
    if name == "getattr" and len(kinds) >= 2 and isinstance(kinds[1].literal, str) and first.name == "module":
        return qualified_kind(frame.module.rules, f"{first.detail}.{kinds[1].literal}")
    if name == "getattr" and (first.is_tensor or first.direct):
        frame.report(node, "unsupported-syntax", "getattr on a tensor", "write the attribute or the method out")
    if name == "dict":
        return k.many("dict", k.join_all(kinds)) if kinds else Kind("dict")
    if name == "print":
        return k.NONE
    return Kind("unknown", storage=k.storage_of(kinds), origins=origins)


def _converted(frame: Frame, node: cst.Call, name: str, kind: Kind) -> Kind:
    if kind.may_be("tensor") and kind.name != "unknown":
        frame.obstruct(node, "concrete-value", f"{name}() needs the value of a tensor", "keep the value a tensor")
    frame.demand_static(kind)
    return _CONVERSIONS[name]


def _folded(frame: Frame, node: cst.Call, name: str, arguments: Sequence[Argument]) -> Kind:
    """Builtins that compare or add their arguments, or the members of their only one."""
    kinds = [argument.kind for argument in arguments if not argument.keyword]
    members = [k.element_of(kinds[0])] if len(kinds) == 1 and name not in ("abs", "round") else kinds
    joined = k.join_all(members).without_literal()
    if name in ("min", "max", "sorted", "any", "all"):
        if any(member.is_tensor for member in members):
            frame.obstruct(
                node,
                "tensor-condition",
                f"Python's {name}() asks for the truth of tensors",
                f"use torch.{name} on the stacked tensors",
            )
        frame.demand_static(joined)
    if name in ("any", "all"):
        return k.BOOL
    if name == "sorted":
        return k.many("list", joined)
    if name == "sum" and joined.may_be("tensor"):
        return k.TENSOR if joined.is_tensor else k.UNKNOWN
    if name == "round" and joined.name != "tensor":
        return k.INT if len(kinds) == 1 else k.FLOAT
    return joined if joined.name != "undefined" else k.UNKNOWN


def _container(name: str, kind: Kind) -> Kind:
    family = {"reversed": "iterator", "iter": "iterator", "frozenset": "set"}.get(name, name)
    if kind.name == "undefined":
        return k.sequence(family, [])
    if kind.items is not None and kind.name != "union" and family in ("tuple", "list"):
        return k.sequence(family, kind.items)
    if kind.name == "shape" and name == "tuple":
        return kind
    return k.many(family, k.element_of(kind).without_literal())


def plain_method(frame: Frame, function: cst.Attribute, base: Kind, label: str, arguments: Sequence[Argument]) -> Kind:
    """A method of an object that is no tensor. Containers learn what is put into them."""
    kinds = [argument.kind for argument in arguments]
    if label in _CHANGING and (base.name in ("list", "set", "dict") or (base.name == "unknown" and not base.detail)):
        changed_outside(frame, function, function.value, base)
    if base.name == "str":
        return k.many("list", k.STR) if label.endswith("split") else k.STR
    if base.name in ("list", "set", "dict") and label in ("append", "add", "insert", "extend", "setdefault", "update"):
        _learn(frame, function.value, base, label, kinds)
        return k.NONE
    if base.name == "dict":
        element = k.element_of(base)
        if label == "items":
            return k.many("iterator", k.sequence("tuple", [k.UNKNOWN, element]))
        if label in ("values", "get", "pop"):
            return k.many("iterator", element) if label == "values" else k.join_all([element, *kinds[1:]])
        return k.UNKNOWN
    if base.name in ("list", "tuple", "shape") and label in ("pop", "index", "count", "copy", "numel"):
        return k.INT if label in ("index", "count", "numel") else base if label == "copy" else k.element_of(base)
    if base.name == "numpy":
        return k.NUMPY
    return Kind("unknown", storage=base.storage | k.storage_of(kinds), origins=base.origins)


def _learn(frame: Frame, container: cst.BaseExpression, base: Kind, label: str, kinds: Sequence[Kind]) -> None:
    if not isinstance(container, cst.Name) or not kinds:
        return
    added = k.element_of(kinds[0]) if label in ("extend", "update") else kinds[-1]
    before = k.element_of(base) if base.items or base.element else k.UNDEFINED
    element = k.join(before, added.without_literal())
    if container.value in frame.names:
        frame.names[container.value] = replace(k.many(base.name, element), detail=base.detail)


_WRITING_FUNCTIONS = frozenset(
    f"operator.{name}"
    for name in ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift",
                 "irshift", "imatmul", "setitem", "delitem")
)  # fmt: skip


def foreign_result(frame: Frame, node: cst.Call, callee: Kind, arguments: Sequence[Argument]) -> Kind:
    """The result of a function of another library, or of one that nothing is known of."""
    kinds = [argument.kind for argument in arguments]
    if callee.detail in _WRITING_FUNCTIONS and kinds and kinds[0].may_be("tensor"):
        frame.report(node, "unsupported-syntax", f"{callee.detail} writes to its argument", "use the operator")
    if callee.detail.startswith("math."):
        for kind in kinds:
            if kind.is_tensor:
                frame.obstruct(
                    node, "concrete-value", f"{callee.detail} needs a Python number", "use the function of torch"
                )
            frame.demand_static(kind)
        name = callee.detail.removeprefix("math.")
        return k.INT if name in ("ceil", "floor", "gcd", "lcm", "factorial", "comb", "prod", "isqrt") else k.FLOAT
    if callee.detail.startswith("numpy."):
        if any(kind.is_tensor for kind in kinds):
            frame.obstruct(
                node, "concrete-value", f"{callee.detail} needs the values of a tensor", "use the function of torch"
            )
        return k.NUMPY.with_origins(k.origins_of(kinds))
    if callee.detail.startswith("einops."):
        return replace(k.TENSOR, storage=k.storage_of(kinds)) if not callee.detail.endswith("pack") else k.UNKNOWN
    return Kind("unknown", storage=k.storage_of(kinds), origins=callee.origins | k.origins_of(kinds))
