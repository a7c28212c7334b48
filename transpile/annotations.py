"""Annotations: the kind that one promises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from . import kinds as k
from .kinds import Kind
from .names import TENSOR_CLASSES

if TYPE_CHECKING:
    from .facts import Frame

_BUILTINS = {
    "int": k.INT, "float": k.FLOAT, "bool": k.BOOL, "complex": k.COMPLEX, "str": k.STR, "list": Kind("list"),
    "tuple": Kind("tuple"), "dict": Kind("dict"), "set": Kind("set"), "None": k.NONE, "slice": k.SLICE,
    "range": Kind("range"),
}  # fmt: skip
_TYPING = {
    "List": Kind("list"), "Tuple": Kind("tuple"), "Dict": Kind("dict"), "Sequence": k.UNKNOWN,
    "Callable": Kind("function"), "Iterable": k.UNKNOWN, "Set": Kind("set"), "Mapping": Kind("dict"),
}  # fmt: skip
_TORCH = {
    "torch.Size": k.SHAPE, "torch.dtype": k.DTYPE, "torch.device": k.DEVICE,
    "torch.Generator": Kind("instance", detail="torch.Generator"),
}  # fmt: skip
# jaxtyping's array types and the dtype class that each promises.
_JAXTYPING = {
    "Float": "float", "Float16": "float", "Float32": "float", "Float64": "float", "BFloat16": "float", "Real": None,
    "Int": "int", "Int8": "int", "Int16": "int", "Int32": "int", "Int64": "int", "Integer": "int", "UInt8": "int",
    "UInt": "int", "Bool": "bool", "Complex": "complex", "Num": None, "Shaped": None, "Inexact": None,
}  # fmt: skip
_DTYPES = {"Long": "int", "Int": "int", "Short": "int", "Char": "int", "Byte": "int", "Bool": "bool"}


def class_kind(qualified: str) -> Kind:
    """The kind of an instance of a class, by the class's qualified name."""
    if qualified in TENSOR_CLASSES:
        stem = qualified.rpartition(".")[2].removesuffix("Tensor")
        return k.tensor(_DTYPES.get(stem, "float" if stem in ("Float", "Double", "Half") else None))
    if qualified in _TORCH:
        return _TORCH[qualified]
    space, _, name = qualified.rpartition(".")
    if space == "builtins":
        return _BUILTINS.get(name, k.UNKNOWN)
    if space in ("typing", "collections.abc"):
        return _TYPING.get(name, k.UNKNOWN)
    if qualified == "numpy.ndarray":
        return k.NUMPY
    return k.UNKNOWN


def annotated(frame: Frame, node: cst.BaseExpression) -> Kind:
    """The kind that an annotation promises; unknown if it promises nothing that matters here."""
    if isinstance(node, cst.SimpleString):
        value = node.evaluated_value
        try:
            return annotated(frame, cst.parse_expression(str(value)))
        except (cst.ParserSyntaxError, ValueError):
            return k.UNKNOWN
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        return _either([annotated(frame, node.left), annotated(frame, node.right)])
    if isinstance(node, cst.Subscript):
        return _parameterized(frame, node)
    if isinstance(node, cst.Name) and node.value == "None":
        return k.NONE
    kind = frame.evaluate(node)
    if kind.name == "unknown" and kind.detail.rpartition(".")[2] == "Tensor":
        return k.TENSOR  # somebody's re-export of torch.Tensor
    return class_kind(kind.detail) if kind.name in ("class", "function") else k.UNKNOWN


def _parameterized(frame: Frame, node: cst.Subscript) -> Kind:
    _evaluate_names(frame, node)
    qualified = frame.evaluate(node.value).detail
    space, _, name = qualified.rpartition(".")
    arguments = [element.slice.value for element in node.slice if isinstance(element.slice, cst.Index)]
    if len(arguments) == 1 and isinstance(arguments[0], cst.Tuple):
        arguments = [element.value for element in arguments[0].elements]
    if space == "jaxtyping" and name in _JAXTYPING:
        frame.evaluate(arguments[0])
        return k.tensor(_JAXTYPING[name], _jaxtyping_rank(arguments[1:]))
    if name == "Optional":
        return _either([annotated(frame, arguments[0]), k.NONE])
    if name == "Union":
        return _either([annotated(frame, argument) for argument in arguments])
    if name in ("Annotated", "Final", "ClassVar"):
        return annotated(frame, arguments[0])
    if name == "Literal":
        return k.join_all(frame.evaluate(argument).without_literal() for argument in arguments)
    if name.lower() in ("list", "tuple", "dict", "set", "sequence", "iterable"):
        return _container(frame, name.lower(), arguments)
    return class_kind(qualified)


def _evaluate_names(frame: Frame, node: cst.CSTNode) -> None:
    """Give a kind to every name in an annotation, however deep: the rewriting asks for it."""
    if isinstance(node, cst.Name | cst.Attribute):
        frame.evaluate(node)
    elif isinstance(node, cst.Subscript):
        _evaluate_names(frame, node.value)
        for element in node.slice:
            if isinstance(element.slice, cst.Index):
                _evaluate_names(frame, element.slice.value)
    elif isinstance(node, cst.Tuple | cst.List):
        for member in node.elements:
            _evaluate_names(frame, member.value)
    elif isinstance(node, cst.BinaryOperation):
        _evaluate_names(frame, node.left)
        _evaluate_names(frame, node.right)


def _container(frame: Frame, name: str, arguments: list[cst.BaseExpression]) -> Kind:
    if name == "tuple" and not any(isinstance(argument, cst.Ellipsis) for argument in arguments):
        return k.sequence("tuple", [annotated(frame, argument) for argument in arguments])
    members = [argument for argument in arguments if not isinstance(argument, cst.Ellipsis)]
    element = annotated(frame, members[-1])
    if name in ("sequence", "iterable"):
        name = "list"
    return k.many(name, element)


def _either(alternatives: list[Kind]) -> Kind:
    """A union; unknown as soon as one alternative is."""
    return k.join_all(alternatives)


def _jaxtyping_rank(arguments: list[cst.BaseExpression]) -> int | None:
    """Number of dimensions named in ``"batch 3"``; None if it names a variable number (``...``, ``*batch``)."""
    if len(arguments) != 1 or not isinstance(arguments[0], cst.SimpleString):
        return None
    axes = str(arguments[0].evaluated_value).split()
    if any(re.match(r"[#?]*(\*|\.\.\.)", axis) for axis in axes):
        return None
    return len(axes)
