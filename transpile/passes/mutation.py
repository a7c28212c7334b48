"""Writes into a tensor become a new value for its name: ``x[i] = v`` is ``x = x.at[i].set(v)``.

The analysis has already refused the writes that another name would see.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..facts import Finding, Refused
from ..kinds import Kind
from ..rewrite import Rewriter
from ..template import parenthesized, tuple_of

_AT_METHODS: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "add", cst.SubtractAssign: "subtract", cst.MultiplyAssign: "multiply", cst.DivideAssign: "divide",
    cst.PowerAssign: "power",
}  # fmt: skip
_BASIC = ("int", "slice", "none", "ellipsis")


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
    """The value of a call that writes; ``out=`` keeps the dtype of what it names."""
    value = rewriter.expression(call)
    out = (
        [argument for argument in call.args if argument.keyword and argument.keyword.value == "out"]
        if isinstance(call, cst.Call)
        else []
    )
    if not out:
        return value
    method = cst.Attribute(parenthesized(value, 20), cst.Name("astype"))
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
            raise Refused(
                Finding(
                    statement, "unsupported-syntax", "a store into a tensor among several targets", "store one by one"
                )
            )
        return None
    if len(targets) > 1:
        raise Refused(
            Finding(statement, "unsupported-syntax", "a store into a tensor among several targets", "store one by one")
        )
    target = targets[0]
    assert isinstance(target, cst.Subscript)
    value = statement.value
    if (
        value in rewriter.facts.masked_reads
        and rewriter.kind(target.value).is_tensor
        and isinstance(value, cst.Subscript)
        and not is_known_index(rewriter, target)
    ):
        base, index, other = target.value, index_expression(rewriter, target), rewriter.expression(value.value)
        assert isinstance(base, cst.Name)
        return [assigned(base.value, rewriter.call_helper("store_same", base, index, other))]
    return [_stored(rewriter, target, rewriter.expression(value), rewriter.kind(value))]


def _holds_store(rewriter: Rewriter, target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Tuple | cst.List) and any(
        is_tensor_store(rewriter, element.value) for element in target.elements
    )


def _written_and_named(rewriter: Rewriter, statement: cst.Assign, name: str) -> Sequence[cst.BaseSmallStatement] | None:
    """``y = x.add_(1)`` names the tensor twice: both get the new value."""
    targets = [target.target for target in statement.targets]
    if len(targets) == 1 and isinstance(targets[0], cst.Name) and targets[0].value == name:
        return None
    return [assigned(name, into(rewriter, statement.value, name)), statement.with_changes(value=cst.Name(name))]


def _stored(rewriter: Rewriter, target: cst.Subscript, value: cst.BaseExpression, kind: Kind) -> cst.Assign:
    """``x = x.at[i].set(v)``, or the helper that finds out what the index is."""
    base = target.value
    assert isinstance(base, cst.Name)
    tensor = rewriter.kind(base)
    if not tensor.is_tensor:
        return assigned(base.value, rewriter.call_helper("set_item", base, index_expression(rewriter, target), value))
    if tensor.dtype in ("int", "bool") and kind.is_tensor and kind.dtype != tensor.dtype:
        value = cst.Call(
            cst.Attribute(parenthesized(value, 20), cst.Name("astype")),
            [cst.Arg(cst.parse_expression(f"{base.value}.dtype"))],
        )
    if not is_known_index(rewriter, target):
        return assigned(base.value, rewriter.call_helper("store", base, index_expression(rewriter, target), value))
    return assigned(base.value, _at(rewriter, target, "set", value))


def _at(rewriter: Rewriter, target: cst.Subscript, method: str, value: cst.BaseExpression) -> cst.Call:
    at = target.with_changes(value=cst.Attribute(target.value, cst.Name("at")), slice=rewriter.subscript(target).slice)
    return cst.Call(cst.Attribute(at, cst.Name(method)), [cst.Arg(value)])


def index_kinds(rewriter: Rewriter, target: cst.Subscript) -> list[Kind]:
    kinds: list[Kind] = []
    for element in target.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            kind = rewriter.kind(part.value)
            kinds += kind.items if isinstance(part.value, cst.Tuple) and kind.items is not None else (kind,)
        else:
            kinds.append(Kind("slice"))
    return kinds


def is_known_index(rewriter: Rewriter, target: cst.Subscript) -> bool:
    """Whether no part of the index can be a boolean mask."""
    return all(
        kind.must_be(*_BASIC) or (kind.is_tensor and kind.dtype == "int") for kind in index_kinds(rewriter, target)
    )  # fmt: skip


def index_expression(rewriter: Rewriter, target: cst.Subscript) -> cst.BaseExpression:
    """The index as a value: one expression, or a tuple with ``slice(...)`` for slices."""
    parts: list[cst.BaseExpression] = []
    for element in target.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            index = rewriter.expression(part.value)
            parts.append(rewriter.library("jnp.array", index) if rewriter.kind(part.value).name == "list" else index)
        elif isinstance(part, cst.Slice):
            bounds = [
                cst.Name("None") if bound is None else rewriter.expression(bound) for bound in (part.lower, part.upper)
            ]
            if part.step is not None:
                bounds.append(rewriter.expression(part.step))
            elif part.lower is None:
                bounds = bounds[1:]
            parts.append(cst.Call(cst.Name("slice"), [cst.Arg(bound) for bound in bounds]))
    if len(parts) == 1:
        return parts[0]
    return tuple_of([cst.Element(part) for part in parts])


def _augmented(rewriter: Rewriter, statement: cst.AugAssign) -> Sequence[cst.BaseSmallStatement] | None:
    target = statement.target
    if isinstance(target, cst.Name):
        match = rewriter.facts.matches.get(statement)
        return None if match is None else [assigned(target.value, rewriter.augmented_value(statement))]
    if not isinstance(target, cst.Subscript) or not is_tensor_store(rewriter, target):
        return None
    if not rewriter.kind(target.value).is_tensor:
        return [_stored(rewriter, target, rewriter.augmented_value(statement), rewriter.kind(target))]
    kinds = index_kinds(rewriter, target)
    method = _AT_METHODS.get(type(statement.operator))
    # torch adds to a repeated index once, jnp.add as often as it is repeated: only plain indices have no repeats.
    if method is not None and all(kind.must_be(*_BASIC) for kind in kinds) and statement not in rewriter.facts.matches:
        assert isinstance(target.value, cst.Name)
        return [assigned(target.value.value, _at(rewriter, target, method, rewriter.expression(statement.value)))]
    if rewriter.kind(statement.value).must_be("int", "float", "bool") and not is_known_index(rewriter, target):
        # Whatever the index selects, the whole may be computed and the selected part stored.
        whole = statement.with_changes(target=target.value)
        base, index = target.value, index_expression(rewriter, target)
        assert isinstance(base, cst.Name)
        value = rewriter.augmented_value(whole)
        return [assigned(base.value, rewriter.call_helper("store_same", base, index, value))]
    return [_stored(rewriter, target, rewriter.augmented_value(statement), rewriter.kind(target))]
