"""Stub signatures: parse one, and bind a call to it.

The text is Python's own syntax for a function header (``sum(input, dim=..., *, dtype=...) -> int``), read with
:mod:`ast`; the grammar's extra meanings (``...`` for an agreeing default, kinds as annotations) are in rules.yaml.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from .kinds import UNKNOWN, UNSET, Kind, join_all

REQUIRED, AGREES = "required", "..."

# torch's argument parser takes these spellings of numpy wherever it takes its own.
NUMPY_SPELLINGS = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: the kinds it takes (none: any), and its default as source, ``...`` or ``required``."""

    name: str
    kinds: tuple[str, ...] = ()
    default: str = REQUIRED
    star: bool = False
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    parameters: tuple[Parameter, ...]
    result: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: its expression, its kind, and ``*`` if it is unpacked."""

    node: cst.BaseExpression
    kind: Kind
    star: str = ""
    keyword: str = ""


Bound = Mapping[str, "Argument | tuple[Argument, ...]"]


class SignatureError(ValueError):
    """The text is no signature, or the call does not bind to it."""


def parse(text: str, vocabulary: Mapping[str, tuple[str, ...]]) -> Signature:
    """A signature from its text; parameters without a kind take it from the vocabulary. Raises SignatureError."""
    try:
        definition = ast.parse(f"def {text}: ...").body[0]
    except SyntaxError as error:
        raise SignatureError(f"{text!r} is no signature: {error.msg}") from None
    if not isinstance(definition, ast.FunctionDef):
        raise SignatureError(f"{text!r} is no signature")
    arguments = definition.args
    if arguments.kwarg:
        raise SignatureError(f"{text!r}: ** has no meaning in a rule")
    positional = arguments.posonlyargs + arguments.args
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    parameters = [
        _parameter(node, default, vocabulary)
        for node, default in zip(positional, missing + list(arguments.defaults), strict=True)
    ]
    if arguments.vararg:
        kinds = _kinds(arguments.vararg.annotation) or ("int", "Shape")
        parameters.append(Parameter(arguments.vararg.arg, kinds, star=True))
    parameters += [
        _parameter(node, default, vocabulary, keyword_only=True)
        for node, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return Signature(definition.name, tuple(parameters), ast.unparse(definition.returns) if definition.returns else "")


def _parameter(
    node: ast.arg, default: ast.expr | None, vocabulary: Mapping[str, tuple[str, ...]], keyword_only: bool = False
) -> Parameter:
    kinds = _kinds(node.annotation) or vocabulary.get(node.arg, ())
    source = REQUIRED if default is None else ast.unparse(default)
    if source == "None" and kinds and "None" not in kinds:
        kinds += ("None",)
    if source == AGREES and kinds and "None" not in kinds:
        kinds += ("None",)  # torch spells an absent optional as None wherever it has one
    return Parameter(node.arg, kinds, source, keyword_only=keyword_only)


def _kinds(annotation: ast.expr | None) -> tuple[str, ...]:
    if annotation is None:
        return ()
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _kinds(annotation.left) + _kinds(annotation.right)
    return (ast.unparse(annotation),)


def bind(signature: Signature, arguments: Sequence[Argument], ignored: Mapping[str, Any]) -> Bound:
    """The arguments of a call by parameter name, those left out missing. Raises SignatureError if they do not bind."""
    bound: dict[str, Argument | tuple[Argument, ...]] = {}
    positional = [argument for argument in arguments if not argument.keyword and argument.star != "**"]
    slots = [parameter for parameter in signature.parameters if not parameter.keyword_only]
    for parameter in slots:
        if parameter.star:
            if positional:
                bound[parameter.name] = tuple(positional)
            positional = []
        elif positional:
            if positional[0].star:
                raise SignatureError("an unpacked argument meets a single parameter")
            bound[parameter.name] = positional.pop(0)
    if positional:
        raise SignatureError(f"{len(positional)} positional arguments too many")
    names = {parameter.name: parameter for parameter in signature.parameters}
    for argument in arguments:
        if argument.star == "**":
            raise SignatureError("** cannot be told apart")
        if argument.keyword:
            _bind_keyword(argument, names, bound, ignored)
    for parameter in signature.parameters:
        if parameter.default == REQUIRED and parameter.name not in bound:
            raise SignatureError(f"{parameter.name} is missing")
    return bound


def _bind_keyword(
    argument: Argument,
    names: Mapping[str, Parameter],
    bound: dict[str, Argument | tuple[Argument, ...]],
    ignored: Mapping[str, Any],
) -> None:
    name = argument.keyword
    if name not in names and NUMPY_SPELLINGS.get(name) in names:
        name = NUMPY_SPELLINGS[name]
    if name in names:
        if name in bound:
            raise SignatureError(f"{name} is given twice")
        bound[name] = (argument,) if names[name].star else argument
    elif name not in ignored:
        raise SignatureError(f"there is no parameter {name}")


# Python's own classes as dtypes, and their dtype class: float is float64 and int is int64, in torch as in JAX.
PYTHON_DTYPES = {f"builtins.{name}": name for name in ("bool", "int", "float", "complex")}
_ARRAYS = ("tuple", "list")
_ACCEPTS: dict[str, tuple[str, ...]] = {
    "int": ("int",),
    "float": ("float", "int"),
    "bool": ("bool",),
    "str": ("str",),
    "None": ("none",),
    "Number": ("int", "float", "bool", "complex"),
    "dtype": ("dtype",),
    "device": ("device", "str"),
    "function": ("function", "class"),
    "Tensor": ("tensor",),
    "list": ("list", "tuple"),
}


def is_kind(text: str) -> bool:
    """Whether this is a kind of the grammar, or a literal."""
    if (
        text in _ACCEPTS
        or text in ("Shape", "Tensors", "any")
        or re.fullmatch(r"(Tensor|Numbers)\[(float|int|bool|complex)\]", text)
    ):
        return True
    return literal_value(text) is not UNSET


_RESULTS = frozenset({
    "int", "float", "bool", "complex", "str", "Shape", "dtype", "device", "None", "any", "function", "list", "numpy",
    "view", "Tensor", "Tensors", "finfo", "iinfo",
})  # fmt: skip


def is_result(text: str) -> bool:
    """Whether this may follow the arrow of a signature; nothing may."""
    forms = r"\(\w+(, *\w+)*,?\)|(Tensor|view)\[(float|int|bool|complex)\]"
    return not text or text in _RESULTS or re.fullmatch(forms, text) is not None


def fits(kind: Kind, wanted: Sequence[str]) -> bool | None:
    """Whether a value of this kind is one of the kinds wanted: True, False, or None when it cannot be told."""
    if not wanted or "any" in wanted:
        return True
    verdicts = [_fits_one(alternative, wanted) for alternative in kind.alternatives]
    if all(verdict is True for verdict in verdicts):
        return True
    return False if all(verdict is False for verdict in verdicts) else None


def _fits_one(kind: Kind, wanted: Sequence[str]) -> bool | None:
    if kind.name == "unknown":
        return None
    verdicts = [_fits_kind(kind, want) for want in wanted]
    if any(verdict is True for verdict in verdicts):
        return True
    return None if any(verdict is None for verdict in verdicts) else False


def _fits_kind(kind: Kind, want: str) -> bool | None:
    if want == "dtype" and kind.name == "class":
        return kind.detail in PYTHON_DTYPES
    if want in _ACCEPTS:
        return kind.name in _ACCEPTS[want]
    if want == "Shape":
        return _fits_sequence(kind, "int", "shape")
    if want == "Tensors":
        return _fits_sequence(kind, "tensor", "")
    if want.startswith("Tensor["):
        return kind.name == "tensor" and (None if kind.dtype is None else want == f"Tensor[{kind.dtype}]")
    if want.startswith("Numbers["):
        found = _class_of_numbers(kind)
        return found if found is None else want == f"Numbers[{found}]"
    value = literal_value(want)
    if kind.name != {str: "str", int: "int", bool: "bool", float: "float", type(None): "none"}[type(value)]:
        return False
    return None if kind.literal is UNSET else kind.literal == value


_CLASSES = ("bool", "int", "float", "complex")


def _class_of_numbers(kind: Kind) -> str | None:
    """The widest class of the numbers in nested lists; None if it cannot be told, empty if they hold anything else."""
    if kind.name in ("shape", "range"):
        return "int"
    if kind.name not in _ARRAYS:
        return kind.name if kind.name in _CLASSES else None if kind.name in ("unknown", "union") else ""
    members = kind.items if kind.items is not None else (kind.element or UNKNOWN,)
    classes = [_class_of_numbers(member) for member in members]
    if "" in classes or None in classes:
        return "" if "" in classes else None
    return max((str(entry) for entry in classes), key=_CLASSES.index, default="float")


@functools.cache
def literal_value(source: str) -> Any:
    """The value of a literal's source; ``UNSET`` if it is none."""
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return UNSET


def _fits_sequence(kind: Kind, member: str, itself: str) -> bool | None:
    """Whether this is a sequence of such members; an empty one, or one of unknown members, may be."""
    if kind.name == itself:
        return True
    if kind.name not in (*_ARRAYS, "range", "iterator"):
        return False
    if kind.name == "range":
        return member == "int"
    element = join_all(kind.items) if kind.items is not None else kind.element
    if element is None or element.name == "undefined":
        return True
    if element.may_be(member):
        return True if element.must_be(member) else None
    return False
