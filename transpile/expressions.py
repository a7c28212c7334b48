"""The kind of every expression but calls: names, literals, operators, subscripts, attributes, comprehensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from . import kinds as k
from .facts import FOLDED, Frame, Function, fresh, names_of
from .findings import Finding
from .kinds import Kind, replace
from .methods import attribute_of
from .names import builtin, member
from .narrowing import condition, narrowed
from .operators import binary, comparison
from .rule_calls import constant_of
from .subscripts import subscript


def name(frame: Frame, node: cst.Name) -> Kind:
    kind = frame.lookup(node.value)
    if kind is None:
        return builtin(node.value)
    return constant_of(frame, node, kind) if kind.name == "function" else kind


def integer(frame: Frame, node: cst.Integer) -> Kind:
    return k.literal(int(node.value, 0))


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
            if frame.siblings.lacks(base.detail, label):
                frame.report(node, "left-torch", f"{label} could not be carried over where it is made")
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
    if known.frame is not frame:  # the body around it is evaluated again, with other kinds for what it closes over
        known.frame, known.done = frame, False
    for parameter in names_of(node.params):
        if parameter.default is not None:
            frame.evaluate(parameter.default)
    if not known.done and not known.running:
        Frame.run(known)
    return module.function(known)


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
