"""Stores of what is computed, element by element, from reads under the same index: ``y[mask] = 2 * x[mask]``.

Each element then depends on the elements in its own place only, so the whole may be computed and the selected part
stored, whatever the index selects.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from .facts import Frame, ModuleFacts
from .syntax import walk

_NUMBERS = ("int", "float", "bool", "complex")
_ELEMENTWISE = frozenset({
    "abs", "absolute", "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "neg", "negative",
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "square", "pow", "reciprocal", "sin",
    "cos", "tan", "asin", "acos", "atan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "sigmoid", "relu", "clamp", "clip", "clamp_min", "clamp_max", "floor", "ceil", "round", "trunc", "frac",
    "sign", "erf", "erfc", "erfinv", "lgamma", "digamma", "softplus", "silu", "gelu", "elu", "leaky_relu", "logit",
    "remainder", "fmod", "floor_divide", "atan2", "arctan2", "maximum", "minimum", "hypot", "deg2rad", "rad2deg",
})  # fmt: skip


@dataclass(frozen=True)
class Selection:
    """The reads in a stored value.

    linear: nothing but sums, differences and multiples, whose derivatives are finite whatever the elements are
    """

    reads: tuple[cst.Subscript, ...]
    linear: bool


def reads_under(index: cst.Subscript, value: cst.BaseExpression) -> tuple[cst.Subscript, ...]:
    """The subscripts in a value that have the same index."""
    return tuple(
        node for node in walk(value)
        if isinstance(node, cst.Subscript) and len(node.slice) == len(index.slice)
        and all(one.deep_equals(other) for one, other in zip(node.slice, index.slice, strict=True))
    )  # fmt: skip


def selection(
    frame: Frame, statement: cst.Assign | cst.AugAssign, target: cst.Subscript, reads: tuple[cst.Subscript, ...]
) -> Selection | None:
    """The selection of a store whose value has been evaluated; None if it is not computed element by element."""
    own = (target,) if isinstance(statement, cst.AugAssign) else ()
    if not (reads or own) or not _elementwise(frame.module, statement.value, reads):
        return None
    operators = (cst.AddAssign, cst.SubtractAssign)
    scaled = isinstance(statement, cst.AugAssign) and not isinstance(statement.operator, operators)
    linear = _linear(frame.module, statement.value, reads) and not (scaled and reads)
    return Selection((*own, *reads), linear)


def _elementwise(facts: ModuleFacts, node: cst.BaseExpression, reads: tuple[cst.Subscript, ...]) -> bool:
    if node in reads or facts.kind(node).must_be(*_NUMBERS):
        return True
    if isinstance(node, cst.BinaryOperation) and not isinstance(node.operator, cst.MatrixMultiply):
        return _elementwise(facts, node.left, reads) and _elementwise(facts, node.right, reads)
    if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
        return _elementwise(facts, node.expression, reads)
    match = facts.matches.get(node)
    if match is None or match.writes or match.name.rpartition(".")[2] not in _ELEMENTWISE:
        return False
    given = [entry for entry in match.bound.values() if not isinstance(entry, tuple)]
    return all(_elementwise(facts, entry.node, reads) for entry in given)


def _linear(facts: ModuleFacts, node: cst.BaseExpression, reads: tuple[cst.Subscript, ...]) -> bool:
    if node in reads or facts.kind(node).must_be(*_NUMBERS):
        return True
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus | cst.Plus) and _linear(facts, node.expression, reads)
    if not isinstance(node, cst.BinaryOperation):
        return False
    if isinstance(node.operator, cst.Add | cst.Subtract):
        return _linear(facts, node.left, reads) and _linear(facts, node.right, reads)
    if isinstance(node.operator, cst.Multiply) and facts.kind(node.left).must_be(*_NUMBERS):
        return _linear(facts, node.right, reads)
    by_number = isinstance(node.operator, cst.Multiply | cst.Divide) and facts.kind(node.right).must_be(*_NUMBERS)
    return by_number and _linear(facts, node.left, reads)
