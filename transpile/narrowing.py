"""What a condition tells about the names in it, on each of its two ways out."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from . import kinds as k
from .annotations import class_kind
from .facts import Frame
from .kinds import Kind, replace


def narrowed(frame: Frame, test: cst.BaseExpression, truth: bool) -> dict[str, Kind]:
    """The names of the frame as they are where the test came out as ``truth``."""
    names = dict(frame.names)
    for name, kind in _facts(frame, test, truth).items():
        names[name] = kind
    return names


def _facts(frame: Frame, test: cst.BaseExpression, truth: bool) -> dict[str, Kind]:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _facts(frame, test.expression, not truth)
    if isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And) is truth:
            return {**_facts(frame, test.left, truth), **_facts(frame, test.right, truth)}
        return {}
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return _comparison(frame, test, truth)
    if isinstance(test, cst.Call) and isinstance(test.func, cst.Name | cst.Attribute):
        return _predicate(frame, test, truth)
    if isinstance(test, cst.Name) and truth:
        return _known(frame, test, lambda kind: k.without(kind, "none"))
    return {}


def _known(frame: Frame, node: cst.BaseExpression, change: Callable[[Kind], Kind]) -> dict[str, Kind]:
    kind = frame.lookup(node.value) if isinstance(node, cst.Name) else None
    if kind is None or not isinstance(node, cst.Name):
        return {}
    return {node.value: change(kind)}


def _comparison(frame: Frame, test: cst.Comparison, truth: bool) -> dict[str, Kind]:
    target = test.comparisons[0]
    if not isinstance(target.comparator, cst.Name) or target.comparator.value != "None":
        return {}
    if isinstance(target.operator, cst.Is | cst.Equal):
        is_none = truth
    elif isinstance(target.operator, cst.IsNot | cst.NotEqual):
        is_none = not truth
    else:
        return {}
    if is_none:
        return _known(frame, test.left, lambda kind: k.NONE)
    return _known(frame, test.left, lambda kind: k.without(kind, "none"))


def _predicate(frame: Frame, test: cst.Call, truth: bool) -> dict[str, Kind]:
    function = frame.module.kind(test.func).detail
    if not test.args:
        return {}
    subject = test.args[0].value
    if function == "torch.is_tensor":
        wanted = [k.TENSOR]
    elif function == "builtins.isinstance" and len(test.args) == 2:
        wanted = _classes(frame, test.args[1].value)
    else:
        return {}
    if not wanted:
        return {}
    names = _names(wanted)
    if isinstance(subject, cst.Name) and subject.value in frame.names:
        # What is demanded of it on one side of the test is no evidence of what it is on the other.
        frame.names[subject.value] = replace(frame.names[subject.value], direct=False)
    if truth:
        return _known(frame, subject, lambda kind: _restricted(kind, wanted))
    return _known(frame, subject, lambda kind: k.without(kind, *names))


def _classes(frame: Frame, node: cst.BaseExpression) -> list[Kind]:
    if isinstance(node, cst.Tuple | cst.List):
        kinds = [_classes(frame, element.value) for element in node.elements]
        return [kind for group in kinds for kind in group] if all(kinds) else []
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        left, right = _classes(frame, node.left), _classes(frame, node.right)
        return left + right if left and right else []
    kind = class_kind(frame.module.kind(node).detail)
    return [] if kind.name == "unknown" else [kind]


def _names(wanted: list[Kind]) -> set[str]:
    """The kinds that pass: a bool is an int."""
    names = {kind.name for kind in wanted}
    return names | {"bool"} if "int" in names else names


def _restricted(kind: Kind, wanted: list[Kind]) -> Kind:
    """The alternatives of a kind that a passed isinstance test leaves; the wanted kinds where nothing is known."""
    names = _names(wanted)
    if kind.name == "union":
        left = [item for item in kind.alternatives if item.name in names]
        if left:
            return k.join_all(left)
    if kind.name in names:
        return kind
    chosen = k.join_all(wanted)
    storage = kind.storage if chosen.may_be("tensor", "list", "tuple", "dict") else k.EMPTY
    origins = k.EMPTY if chosen.is_tensor else kind.origins
    return replace(chosen, origins=origins, storage=storage)


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
