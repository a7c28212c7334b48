"""Writes into a tensor become a new value for its name: ``x[i] = v`` is ``x = x.at[i].set(v)``.

The analysis has already refused the writes that another name would see.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..findings import Finding, Refused
from ..indexing import (
    AS_IT_IS,
    axis_order,
    index_elements,
    index_expression,
    index_kinds,
    is_known_index,
    may_end_in_mask,
)
from ..kinds import Kind
from ..rewrite import Rewriter
from ..template import ATOM, TIGHT_EQUAL, parenthesized
from ..writes import names_first

_AT_METHODS: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "add", cst.SubtractAssign: "subtract", cst.MultiplyAssign: "multiply", cst.DivideAssign: "divide",
    cst.PowerAssign: "power",
}  # fmt: skip
_BASIC = ("int", "slice", "none", "ellipsis")
_NUMBERS = ("int", "float", "bool", "complex")


def functional_store(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """Stores by subscript, augmented stores and in-place methods."""
    if isinstance(statement, cst.Assign):
        return _assignment(rewriter, statement)
    if isinstance(statement, cst.AugAssign):
        return _augmented(rewriter, statement)
    if isinstance(statement, cst.Expr) and rewriter.facts.writes.get(statement.value):
        name = rewriter.facts.writes[statement.value]
        return [assigned(name, into(rewriter, statement.value, name))]
    return None


def into(rewriter: Rewriter, call: cst.BaseExpression, name: str) -> cst.BaseExpression:
    """The value of a call that writes, in the dtype of what it writes to."""
    value = rewriter.expression(call)
    if isinstance(call, cst.Call) and any(entry.keyword and entry.keyword.value == "out" for entry in call.args):
        return in_dtype_of(value, name)
    match = rewriter.facts.matches.get(call)
    if match is None or match.name.rpartition(".")[2].removesuffix("_") not in _PROMOTING:
        return value
    first, *others = [given.kind for given in match.bound.values() if not isinstance(given, tuple)]
    return value if all(_fits_into(first, other) for other in others) else in_dtype_of(value, name)


# Operations whose result has the wider dtype of their operands, or one of its own; the others ask for equal dtypes.
_PROMOTING = frozenset({
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "pow", "float_power", "remainder",
    "fmod", "floor_divide", "addcmul", "addcdiv", "atan2", "arctan2", "copysign", "hypot", "bitwise_and", "bitwise_or",
    "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "eq", "ne", "lt", "le", "gt", "ge", "greater", "less",
    "greater_equal", "less_equal", "not_equal", "logical_and", "logical_or", "logical_xor", "logical_not", "lcm", "gcd",
    "xlogy", "igamma", "igammac",
})  # fmt: skip
_COMPARING = frozenset({
    "eq", "ne", "lt", "le", "gt", "ge", "greater", "less", "greater_equal", "less_equal", "not_equal", "logical_and",
    "logical_or", "logical_xor", "logical_not",
})  # fmt: skip


def _fits_into(target: Kind, operand: Kind) -> bool:
    """Whether arithmetic of these two surely has the first one's dtype; torch writes back in that dtype in any case."""
    if not operand.may_be("tensor"):
        return True
    if target.exact and target.exact == operand.exact:
        return True
    narrower = {"float": ("int", "bool"), "complex": ("int", "bool"), "int": ("bool",), "bool": ("bool",)}
    return operand.is_tensor and operand.dtype in narrower.get(target.dtype or "", ())


def in_dtype_of(value: cst.BaseExpression, name: str) -> cst.BaseExpression:
    """``value.astype(name.dtype)``"""
    method = cst.Attribute(parenthesized(value, ATOM), cst.Name("astype"))
    return cst.Call(method, [cst.Arg(cst.parse_expression(f"{name}.dtype"))])


def assigned(name: str, value: cst.BaseExpression) -> cst.Assign:
    if isinstance(value, cst.Tuple) and value.lpar:
        value = value.with_changes(lpar=[], rpar=[])
    return cst.Assign([cst.AssignTarget(cst.Name(name))], value)


def is_tensor_store(rewriter: Rewriter, target: cst.BaseExpression) -> bool:
    """Whether this stores into a tensor, or into a name that may be one."""
    if not isinstance(target, cst.Subscript):
        return False
    kind = rewriter.kind(target.value)
    return kind.is_tensor or (kind.name == "unknown" and not kind.detail and isinstance(target.value, cst.Name))


def _assignment(rewriter: Rewriter, statement: cst.Assign) -> Sequence[cst.BaseSmallStatement] | None:
    name = rewriter.facts.writes.get(statement.value)
    if name:
        return _written_and_named(rewriter, statement, name)
    targets = [target.target for target in statement.targets]
    if not any(is_tensor_store(rewriter, target) for target in targets):
        if any(_holds_store(rewriter, target) for target in targets):
            raise _several(statement)
        return None
    if len(targets) > 1:
        raise _several(statement)
    target = targets[0]
    assert isinstance(target, cst.Subscript)
    value = statement.value
    return [_stored(rewriter, target, rewriter.expression(value), rewriter.kind(value))]


def _several(statement: cst.Assign) -> Refused:
    return Refused(
        Finding(statement, "unsupported-syntax", "a store into a tensor among several targets", "store one by one")
    )


def in_turn(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> list[cst.Assign]:
    """``x[i] = last = value`` as ``last = value; x[i] = last``; nothing where that is not the same."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) == 1:
        return []
    targets, value = names_first(statement), statement.value
    stores = [target for target in targets if is_tensor_store(rewriter, target)]
    others = [target for target in targets if not is_tensor_store(rewriter, target)]
    if not stores or targets != [*others, *stores] or value in rewriter.facts.writes:
        return []
    named = next((target for target in others if isinstance(target, cst.Name)), None)
    if named is not None:
        value = cst.Name(named.value)
        rewriter.facts.kinds[value] = rewriter.kind(statement.value)
    elif others or not isinstance(value, cst.Name | cst.Integer | cst.Float):
        return []
    parts = [statement.with_changes(targets=[cst.AssignTarget(target) for target in others])] if others else []
    return parts + [cst.Assign([cst.AssignTarget(store)], value) for store in stores]


def _holds_store(rewriter: Rewriter, target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Tuple | cst.List) and any(
        is_tensor_store(rewriter, element.value) for element in target.elements
    )


def _written_and_named(rewriter: Rewriter, statement: cst.Assign, name: str) -> Sequence[cst.BaseSmallStatement] | None:
    """``y = x.add_(1)`` names the tensor twice: both get the new value."""
    targets = [target.target for target in statement.targets]
    if len(targets) == 1 and isinstance(targets[0], cst.Name) and targets[0].value == name:
        return None
    value = cst.Name(name)
    rewriter.facts.kinds[value] = rewriter.kind(statement.value)
    rest = statement.with_changes(value=value)
    new: list[cst.BaseSmallStatement] = [assigned(name, into(rewriter, statement.value, name))]
    for part in in_turn(rewriter, rest) or [rest]:
        new += _assignment(rewriter, part) or [part]
    return new


def _stored(rewriter: Rewriter, target: cst.Subscript, value: cst.BaseExpression, kind: Kind) -> cst.Assign:
    """``x = x.at[i].set(v)``, or the helper that finds out what the index is."""
    base = target.value
    assert isinstance(base, cst.Name)
    tensor = rewriter.kind(base)
    if not tensor.is_tensor:
        return assigned(base.value, rewriter.call_helper("set_item", base, index_expression(rewriter, target), value))
    if tensor.dtype in ("int", "bool") and kind.is_tensor and kind.dtype != tensor.dtype:
        value = in_dtype_of(value, base.value)
    elif (tensor.dtype, kind.name) in (("bool", "int"), ("bool", "float"), ("int", "float")):
        value = rewriter.library("jnp.asarray", value, cst.parse_expression(f"{base.value}.dtype"))
    if is_known_index(rewriter, target) and (kind.must_be(*_NUMBERS) or axis_order(rewriter, target) == AS_IT_IS):
        return assigned(base.value, _at(rewriter, target, "set", value))
    helper = "store" if may_end_in_mask(target) else "store_at"
    return assigned(base.value, rewriter.call_helper(helper, base, index_expression(rewriter, target), value))


def stored_same(rewriter: Rewriter, target: cst.Subscript, other: cst.BaseExpression) -> cst.Assign:
    """``x[index] = other[index]``, whatever the index turns out to be."""
    base, index = target.value, index_expression(rewriter, target)
    assert isinstance(base, cst.Name)
    if may_end_in_mask(target):
        return assigned(base.value, rewriter.call_helper("store_same", base, index, other))
    call = rewriter.call_helper("store_at", base, index, other)
    same = cst.Arg(cst.Name("True"), keyword=cst.Name("same"), equal=TIGHT_EQUAL)
    return assigned(base.value, call.with_changes(args=[*call.args, same]))


def _at(rewriter: Rewriter, target: cst.Subscript, method: str, value: cst.BaseExpression) -> cst.Call:
    at = target.with_changes(value=cst.Attribute(target.value, cst.Name("at")), slice=index_elements(rewriter, target))
    return cst.Call(cst.Attribute(at, cst.Name(method)), [cst.Arg(value)])


def _augmented(rewriter: Rewriter, statement: cst.AugAssign) -> Sequence[cst.BaseSmallStatement] | None:
    target = statement.target
    if isinstance(target, cst.Name):
        match = rewriter.facts.matches.get(statement)
        kind = rewriter.kind(target)
        kept = not kind.is_tensor or _fits_into(kind, rewriter.kind(statement.value))
        if match is None and kept:
            return None
        value = rewriter.augmented_value(statement)
        return [assigned(target.value, value if kept else in_dtype_of(value, target.value))]
    if not isinstance(target, cst.Subscript) or not is_tensor_store(rewriter, target):
        return None
    if not rewriter.kind(target.value).is_tensor:
        return [_stored(rewriter, target, rewriter.augmented_value(statement), rewriter.kind(target))]
    kinds = index_kinds(rewriter, target)
    method = _AT_METHODS.get(type(statement.operator))
    # torch adds to a repeated index once, jnp.add as often as it is repeated: only plain indices have no repeats.
    plain = all(kind.must_be(*_BASIC) for kind in kinds) and statement not in rewriter.facts.matches
    if method is not None and plain:
        assert isinstance(target.value, cst.Name)
        return [assigned(target.value.value, _at(rewriter, target, method, rewriter.expression(statement.value)))]
    if rewriter.kind(statement.value).must_be("int", "float", "bool") and not is_known_index(rewriter, target):
        # Whatever the index selects, the whole may be computed and the selected part stored.
        whole = statement.with_changes(target=target.value)
        return [stored_same(rewriter, target, rewriter.augmented_value(whole))]
    return [_stored(rewriter, target, rewriter.augmented_value(statement), rewriter.kind(target))]
