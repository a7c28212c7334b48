"""The kind of every expression but calls: names, literals, operators, subscripts, attributes, comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import libcst as cst

from . import kinds as k
from .calls import apply_rule, attribute_of, constant_of
from .facts import DEVICE_TYPE, FOLDED, Finding, Frame, Function, fresh, names_of
from .kinds import Kind
from .names import builtin, member
from .narrowing import narrowed
from .signature import Argument
from .subscripts import subscript

_NUMBERS = ("int", "float", "bool", "complex")
_DTYPE_ORDER = ("bool", "int", "float", "complex")


def name(frame: Frame, node: cst.Name) -> Kind:
    kind = frame.lookup(node.value)
    if kind is None:
        return builtin(node.value)
    return constant_of(frame, node, kind) if kind.name == "function" else kind


def integer(frame: Frame, node: cst.Integer) -> Kind:
    return k.literal(ast.literal_eval(node.value))


def floating(frame: Frame, node: cst.Float) -> Kind:
    return k.literal(float(node.value.replace("_", "")))


def text(frame: Frame, node: cst.SimpleString) -> Kind:
    value = node.evaluated_value
    return k.literal(value) if isinstance(value, str) else Kind("instance", detail="bytes")


def formatted(frame: Frame, node: cst.FormattedString) -> Kind:
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression):
            frame.evaluate(part.expression)
    return k.STR


def concatenated(frame: Frame, node: cst.ConcatenatedString) -> Kind:
    frame.evaluate(node.left)
    frame.evaluate(node.right)
    return k.STR


def collection(frame: Frame, node: cst.Tuple | cst.List | cst.Set) -> Kind:
    family = type(node).__name__.lower()
    kinds: list[Kind] = []
    exact = family != "set"
    for element in node.elements:
        kind = frame.evaluate(element.value)
        if isinstance(element, cst.StarredElement):
            if kind.items is not None:
                kinds += kind.items
                continue
            kind, exact = k.element_of(kind), False
        kinds.append(kind)
    if exact:
        return k.sequence(family, kinds)
    return k.many(family, k.join_all(kinds) if kinds else k.UNKNOWN)


def dictionary(frame: Frame, node: cst.Dict) -> Kind:
    values = []
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            frame.evaluate(element.key)
            values.append(frame.evaluate(element.value))
        else:
            values.append(k.element_of(frame.evaluate(element.value)))
    return k.many("dict", k.join_all(values)) if values else Kind("dict")


# ---------------------------------------------------------------------------------------------------------- operators

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


def unary(frame: Frame, node: cst.UnaryOperation) -> Kind:
    kind = frame.evaluate(node.expression)
    if isinstance(node.operator, cst.Not):
        condition(frame, node.expression, kind)
        value = k.UNSET if kind.literal is k.UNSET else not kind.literal
        return replace(k.BOOL, literal=value, detail=kind.detail if kind.detail == FOLDED else "")
    if kind.is_tensor:
        return kind.with_storage(fresh(node))
    if isinstance(node.operator, cst.Minus) and isinstance(kind.literal, int | float | complex):
        return replace(k.literal(-kind.literal), origins=kind.origins)
    return kind.without_literal()


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


def boolean(frame: Frame, node: cst.BooleanOperation) -> Kind:
    """``and``, ``or``: the right operand is evaluated under what the left one tells."""
    left = frame.evaluate(node.left)
    condition(frame, node.left, left)
    is_and = isinstance(node.operator, cst.And)
    if left.detail == FOLDED and bool(left.literal) is not is_and:
        return left
    saved = frame.names
    frame.names = narrowed(frame, node.left, is_and)
    right = frame.evaluate(node.right)
    frame.names = saved
    if left.detail == FOLDED or (right.detail == FOLDED and bool(right.literal) is not is_and):
        return right
    return replace(k.join(left, right).without_literal(), detail="")


def condition(frame: Frame, node: cst.BaseExpression, kind: Kind, what: str = "the truth of a tensor") -> None:
    """Python asks for the truth of this value: a tensor has none while JAX traces, a plain value must be static."""
    if any(alternative.name == "tensor" for alternative in kind.alternatives):
        frame.obstruct(
            node,
            "tensor-condition",
            f"{what} decides what Python does",
            "use torch.where, or pass the decision as a Python value",
        )
    elif kind.name not in ("list", "tuple", "dict", "none", "function"):
        frame.demand_static(kind)


def conditional(frame: Frame, node: cst.IfExp) -> Kind:
    test = frame.evaluate(node.test)
    condition(frame, node.test, test)
    if test.detail == FOLDED:
        return frame.evaluate(node.body if test.literal else node.orelse)
    saved = frame.names
    frame.names = narrowed(frame, node.test, True)
    body = frame.evaluate(node.body)
    frame.names = saved
    frame.names = narrowed(frame, node.test, False)
    orelse = frame.evaluate(node.orelse)
    frame.names = saved
    return k.join(body, orelse).without_literal()


# ---------------------------------------------------------------------------------------------------------- attributes


def attribute(frame: Frame, node: cst.Attribute) -> Kind:
    base = frame.evaluate(node.value)
    label = node.attr.value
    if frame.siblings is not None and base.detail and base.name in ("module", "unknown"):
        kind = frame.siblings.member(base.detail, label, frame.module)
        if kind is not None or base.detail.startswith("project:"):
            return kind or k.UNKNOWN
    if base.name == "module" or (base.name == "class" and base.detail):
        kind = member(frame.module.rules, base, label)
        return constant_of(frame, node, kind)
    if base.fields and label in base.fields and base.items:
        return base.items[base.fields.index(label)]
    return attribute_of(frame, node, base, label)


# ------------------------------------------------------------------------------------------- functions, comprehensions


def anonymous(frame: Frame, node: cst.Lambda) -> Kind:
    module = frame.module
    known = module.by_node.get(node)
    if known is None:
        known = Function("<lambda>", node, frame, parent=frame.function)
        module.by_node[node] = known
        module.functions[f"local:{id(node)}"] = module.known[f"local:{id(node)}"] = known
    if known.frame is not frame:  # the body around it is evaluated again, with other kinds for what it closes over
        known.frame, known.done = frame, False
    for parameter in names_of(node.params):
        if parameter.default is not None:
            frame.evaluate(parameter.default)
    if not known.done and not known.running:
        Frame.run(known)
    return Kind("function", detail=f"local:{id(node)}")


def comprehension(frame: Frame, node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp) -> Kind:
    saved = frame.names
    frame.names = dict(saved)
    bind_comprehension(frame, node.for_in)
    if isinstance(node, cst.DictComp):
        frame.evaluate(node.key)
        element = frame.evaluate(node.value)
    else:
        element = frame.evaluate(node.elt)
    frame.names = saved
    family = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}.get(type(node), "iterator")
    return k.many(family, element.without_literal())


def bind_comprehension(frame: Frame, clause: cst.CompFor) -> None:
    iterated = frame.evaluate(clause.iter)
    bind_target(frame, clause.target, iterate(frame, clause.iter, iterated))
    for test in clause.ifs:
        condition(frame, test.test, frame.evaluate(test.test))
        frame.names = narrowed(frame, test.test, True)
    if clause.inner_for_in:
        bind_comprehension(frame, clause.inner_for_in)


def iterate(frame: Frame, node: cst.BaseExpression, kind: Kind) -> Kind:
    """What a loop over this value gives each turn; the number of turns must be static."""
    if kind.name == "range":
        frame.demand_static(kind)
    return k.element_of(kind).without_literal()


def bind_target(frame: Frame, target: cst.CSTNode, kind: Kind) -> None:
    """Bind the names of an assignment target; subscripts and attributes are the statements' business."""
    if isinstance(target, cst.Name):
        frame.names[target.value] = kind
        frame.module.kinds[target] = kind
    elif isinstance(target, cst.Tuple | cst.List):
        starred = [isinstance(element, cst.StarredElement) for element in target.elements]
        count = len(target.elements)
        for position, element in enumerate(target.elements):
            if starred[position]:
                bind_target(frame, element.value, k.many("list", k.element_of(kind)))
            elif kind.items is not None and kind.name != "union" and not any(starred) and len(kind.items) == count:
                bind_target(frame, element.value, kind.items[position])
            else:
                bind_target(frame, element.value, k.element_of(kind))
    elif isinstance(target, cst.StarredElement):
        bind_target(frame, target.value, kind)


def named(frame: Frame, node: cst.NamedExpr) -> Kind:
    kind = frame.evaluate(node.value)
    bind_target(frame, node.target, kind)
    return kind


def passing(frame: Frame, node: cst.Await | cst.Yield) -> Kind:
    value = node.expression if isinstance(node, cst.Await) else node.value
    if isinstance(value, cst.From):
        frame.evaluate(value.item)
    elif value is not None:
        kind = frame.evaluate(value)
        frame.function.result = k.join(frame.function.result, k.many("iterator", kind))
    if isinstance(node, cst.Yield):
        frame.function.obstacles[node] = Finding(node, "not-jitted", "a generator runs in Python")
    return k.UNKNOWN


HANDLERS: dict[type, Callable[[Frame, Any], Kind]] = {
    cst.Name: name, cst.Integer: integer, cst.Float: floating, cst.SimpleString: text, cst.FormattedString: formatted,
    cst.ConcatenatedString: concatenated, cst.Tuple: collection, cst.List: collection, cst.Set: collection,
    cst.Dict: dictionary, cst.BinaryOperation: binary, cst.UnaryOperation: unary, cst.Comparison: comparison,
    cst.BooleanOperation: boolean, cst.IfExp: conditional, cst.Subscript: subscript, cst.Attribute: attribute,
    cst.Lambda: anonymous, cst.ListComp: comprehension, cst.SetComp: comprehension, cst.GeneratorExp: comprehension,
    cst.DictComp: comprehension, cst.NamedExpr: named, cst.Await: passing, cst.Yield: passing,
    cst.Ellipsis: lambda frame, node: k.ELLIPSIS, cst.Imaginary: lambda frame, node: k.COMPLEX,
}  # fmt: skip
