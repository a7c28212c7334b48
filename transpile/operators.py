"""The kind of arithmetic and of comparisons, and where an operator of torch is not that of JAX."""

from __future__ import annotations

import libcst as cst

from . import kinds as k
from .facts import DEVICE_TYPE, FOLDED, Frame, fresh
from .kinds import Kind, replace
from .rule_calls import apply_rule
from .signature import Argument

_NUMBERS = ("int", "float", "bool", "complex")

_DTYPE_ORDER = ("bool", "int", "float", "complex")

# torch's function for each operator, for the rules that an operator follows where JAX's own operator differs.
OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "add", cst.Subtract: "sub", cst.Multiply: "mul", cst.Divide: "div", cst.FloorDivide: "floor_divide",
    cst.Modulo: "remainder", cst.Power: "pow", cst.MatrixMultiply: "matmul", cst.BitAnd: "bitwise_and",
    cst.BitOr: "bitwise_or", cst.BitXor: "bitwise_xor", cst.LeftShift: "bitwise_left_shift",
    cst.RightShift: "bitwise_right_shift", cst.AddAssign: "add", cst.SubtractAssign: "sub", cst.MultiplyAssign: "mul",
    cst.DivideAssign: "div", cst.FloorDivideAssign: "floor_divide", cst.ModuloAssign: "remainder",
    cst.PowerAssign: "pow", cst.MatrixMultiplyAssign: "matmul", cst.BitAndAssign: "bitwise_and",
    cst.BitOrAssign: "bitwise_or", cst.BitXorAssign: "bitwise_xor", cst.LeftShiftAssign: "bitwise_left_shift",
    cst.RightShiftAssign: "bitwise_right_shift",
}  # fmt: skip


def binary(frame: Frame, node: cst.BinaryOperation) -> Kind:
    left, right = frame.evaluate(node.left), frame.evaluate(node.right)
    return operation(frame, node, OPERATORS[type(node.operator)], (node.left, left), (node.right, right))


def operation(
    frame: Frame,
    node: cst.CSTNode,
    operator: str,
    left: tuple[cst.BaseExpression, Kind],
    right: tuple[cst.BaseExpression, Kind],
) -> Kind:
    """The kind of ``left operator right``; notes the rule if the operator of JAX arrays is not torch's."""
    one, other = left[1], right[1]
    if one.is_tensor or other.is_tensor:
        tensor, partner = (one, other) if one.is_tensor else (other, one)
        if partner.name in ("str", "list", "dict"):
            return k.UNKNOWN
        arguments = [Argument(left[0], one), Argument(right[0], other)]
        apply_rule(frame, node, f"torch.{operator}", arguments, operator=True)
        dtype = promote(one, other)
        if operator == "div" and dtype in ("int", "bool"):
            dtype = "float"
        if frame.module.settings.x64 and _integers_to_float(operator, one, other):
            frame.module.single.add(node)
        exact = _exact(operator, one, other)
        return Kind("tensor", dtype=dtype, exact=exact, rank=_broadcast_rank(tensor, partner), storage=fresh(node))
    origins = one.origins | other.origins
    if operator == "matmul":
        for kind in (one, other):
            frame.demand_tensor(kind)
        return k.tensor().with_storage(fresh(node))
    if operator == "mul" and {one.name, other.name} & {"list", "tuple", "shape", "str"}:
        frame.demand_static(other if one.name in ("list", "tuple", "shape", "str") else one)
    result = _plain_operation(operator, one, other).with_origins(origins).with_storage(_arithmetic_storage(one, other))
    if result.name == "unknown":
        result = result.with_storage(result.storage | fresh(node))
    direct = all(kind.direct or kind.name in _NUMBERS for kind in (one, other))
    return replace(result, direct=True) if direct and result.name == "unknown" else result


def _exact(operator: str, one: Kind, other: Kind) -> str:
    """What stands for the exact dtype of arithmetic, where it is that of the tensors in it."""
    tensors = [kind for kind in (one, other) if kind.is_tensor]
    floating = all(kind.dtype in ("float", "complex") for kind in tensors)
    if len(tensors) == 2:
        return one.exact if one.exact == other.exact and (floating or operator in ("add", "sub", "mul")) else ""
    number = other.name if one.is_tensor else one.name
    integral = tensors[0].dtype == "int" and operator != "div" and number in ("int", "bool")
    return tensors[0].exact if integral or (floating and number in ("int", "float", "bool")) else ""


def _integers_to_float(operator: str, one: Kind, other: Kind) -> bool:
    """Whether integers (tensors known to be, and Python numbers) make a floating result."""
    classes = {kind.dtype if kind.is_tensor else kind.name for kind in (one, other)}
    tensors = {kind.dtype for kind in (one, other) if kind.is_tensor}
    if not tensors <= {"int", "bool"} or not classes <= {"int", "bool", "float"}:
        return False
    return operator == "div" or "float" in classes


def _arithmetic_storage(one: Kind, other: Kind) -> frozenset[str]:
    """A list or tuple made of others holds what they held; arithmetic makes something new."""
    holders = ("list", "tuple", "union")
    return k.storage_of(kind for kind in (one, other) if kind.name in holders)


def _plain_operation(operator: str, one: Kind, other: Kind) -> Kind:
    names = {one.name, other.name}
    if "str" in names and operator in ("add", "mul", "remainder"):
        return k.STR
    if names <= set(_NUMBERS):
        return _number_operation(operator, one, other)
    if operator == "add" and names <= {"shape", "tuple", "list"}:
        return _concatenation(one, other)
    if operator == "mul" and names & {"list", "tuple", "shape"} and names & {"int", "unknown"}:
        sequence = one if one.name in ("list", "tuple", "shape") else other
        return k.SHAPE if sequence.name == "shape" else k.many(sequence.name, k.element_of(sequence))
    if names == {"numpy"} or (names <= {"numpy", *_NUMBERS} and "numpy" in names):
        return k.NUMPY
    if operator.startswith("bitwise") and (one.is_mask or other.is_mask):
        return Kind("unknown", dtype="bool")
    return k.UNKNOWN


def _concatenation(one: Kind, other: Kind) -> Kind:
    if one.items is not None and other.items is not None:
        return k.sequence(one.name, one.items + other.items)
    if "shape" in (one.name, other.name):
        return k.SHAPE
    return k.many(one.name, k.join(k.element_of(one), k.element_of(other)))


def _number_operation(operator: str, one: Kind, other: Kind) -> Kind:
    if operator == "div":
        return k.FLOAT
    names = {one.name, other.name}
    if "complex" in names:
        return k.COMPLEX
    if operator == "pow" and "float" not in names and isinstance(other.literal, int) and other.literal < 0:
        return k.FLOAT
    return k.FLOAT if "float" in names else k.INT


def promote(one: Kind, other: Kind) -> str | None:
    """The dtype class of an arithmetic result; a Python number counts as its own class."""
    classes = [kind.dtype if kind.is_tensor else kind.name for kind in (one, other)]
    if any(entry not in _DTYPE_ORDER for entry in classes):
        return "complex" if "complex" in classes else None
    return max((str(entry) for entry in classes), key=_DTYPE_ORDER.index)


def _broadcast_rank(tensor: Kind, partner: Kind) -> int | str | None:
    if partner.name in _NUMBERS or (partner.is_tensor and partner.rank == tensor.rank):
        return tensor.rank
    if isinstance(tensor.rank, int) and isinstance(partner.rank, int):
        return max(tensor.rank, partner.rank)
    return None


def comparison(frame: Frame, node: cst.Comparison) -> Kind:
    left = frame.evaluate(node.left)
    result = k.UNDEFINED
    for target in node.comparisons:
        right = frame.evaluate(target.comparator)
        result = k.join(result, _compared(frame, node, target.operator, left, right))
        left = right
    if len(node.comparisons) > 1 and result.may_be("tensor"):
        frame.obstruct(
            node,
            "tensor-condition",
            "a chained comparison of tensors asks Python for their truth",
            "write (a < b) & (b < c)",
        )
    return result


def _compared(frame: Frame, node: cst.Comparison, operator: cst.BaseCompOp, left: Kind, right: Kind) -> Kind:
    if isinstance(operator, cst.Is | cst.IsNot):
        return k.BOOL
    if isinstance(operator, cst.In | cst.NotIn):
        if right.is_tensor or (left.is_tensor and right.name in ("list", "tuple")):
            frame.obstruct(node, "tensor-condition", "`in` asks Python for the truth of a tensor", "use torch.isin")
        return k.BOOL.with_origins(left.origins | right.origins)
    if left.is_tensor or right.is_tensor:
        tensor, partner = (left, right) if left.is_tensor else (right, left)
        return Kind("tensor", dtype="bool", rank=_broadcast_rank(tensor, partner), storage=fresh(node))
    if left.detail == DEVICE_TYPE and isinstance(right.literal, str) and isinstance(operator, cst.Equal | cst.NotEqual):
        # Where arrays live is JAX's business: code for one device is left out, that of the plain case stays.
        return replace(k.literal((right.literal == "cpu") is isinstance(operator, cst.Equal)), detail=FOLDED)
    kind = Kind("unknown", dtype="bool") if "unknown" in (left.name, right.name) else k.BOOL
    if {left.name, right.name} & {"none", "str", "dtype", "shape", "device"}:
        kind = k.BOOL
    return kind.with_origins(left.origins | right.origins)
