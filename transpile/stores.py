"""What an assignment stores: into names, into the elements of tensors and containers, into attributes."""

from __future__ import annotations

import libcst as cst

from . import kinds as k
from .expressions import bind_target
from .facts import FOLDED, Frame, fresh
from .kinds import Kind, replace
from .operators import OPERATORS, operation
from .selections import reads_under, selection
from .subscripts import index_kinds, indexed
from .writes import changed_outside, is_callers, is_callers_own, settle, sharing, written


def stored_value(frame: Frame, node: cst.Assign | cst.AugAssign, target: cst.CSTNode | None) -> Kind:
    """The value of an assignment. In that of a store, reads under the same index select nothing that the store does
    not put back, as long as each element is computed from its own place."""
    if not isinstance(target, cst.Subscript):
        return frame.evaluate(node.value)
    module = frame.module
    reads = reads_under(target, node.value)
    module.masked_reads.update(reads)
    kind = frame.evaluate(node.value)
    found = selection(frame, node, target, reads)
    if found is not None:
        module.selections[node] = found
    elif reads:
        module.selections.pop(node, None)
        module.masked_reads.difference_update(reads)
        kind = frame.evaluate(node.value)
    return kind


def store(frame: Frame, node: cst.CSTNode, target: cst.BaseExpression, kind: Kind) -> None:
    """One target of an assignment: names are bound, a tensor's elements are written."""
    if isinstance(target, cst.Tuple | cst.List):
        if any(isinstance(element.value, cst.Subscript | cst.Attribute) for element in target.elements):
            for position, element in enumerate(target.elements):
                exact = kind.items is not None and len(kind.items) == len(target.elements)
                part = kind.items[position] if exact and kind.items else k.element_of(kind)
                store(frame, node, element.value, part)
        else:
            bind_target(frame, target, kind)
    elif isinstance(target, cst.Subscript):
        _store_item(frame, node, target, kind)
    elif isinstance(target, cst.Attribute):
        base = frame.evaluate(target.value)
        if base.is_tensor or (target.attr.value == "data" and base.name == "unknown" and not base.detail):
            frame.report(target, "unsupported-syntax", f"an assignment to .{target.attr.value} of a tensor", "")
    else:
        bind_target(frame, target, kind.without_literal() if kind.detail == FOLDED else kind)


def _store_item(frame: Frame, node: cst.CSTNode, target: cst.Subscript, kind: Kind) -> None:
    base = indexed(frame, target)
    indices = index_kinds(frame, target)
    if base.name == "unknown" and any(
        index.must_be("slice", "ellipsis", "tensor") or index.is_mask for index in indices
    ):
        frame.demand_tensor(base)
        if isinstance(target.value, cst.Name) and not base.detail:
            base = k.TENSOR.with_storage(base.storage)
            frame.names[target.value.value] = base
            frame.module.kinds[target.value] = base
    if base.is_tensor:
        if isinstance(target.value, cst.Name):
            written(frame, target.value.value, target, node)
        else:
            frame.report(
                target, "aliased-write", "this writes into a tensor through an expression that shares its memory",
                "name the tensor and store with one index: x[i, j] = value",
            )  # fmt: skip
    elif base.name == "unknown" and not base.detail and isinstance(target.value, cst.Name):
        # A helper finds out while JAX traces; whoever else sees the object sees the store only if it is no tensor.
        written(frame, target.value.value, target, node)
    elif base.name == "unknown" and not base.detail:
        frame.report(
            target, "unknown-receiver", "this stores into a tensor, a list or a dict: it cannot be told which",
            "annotate what is stored into",
        )  # fmt: skip
    elif base.name in ("list", "dict") and not (
        isinstance(target.value, cst.Name) and target.value.value in frame.names
    ):
        changed_outside(frame, target, target.value, base)
    elif base.name in ("list", "dict") and isinstance(target.value, cst.Name):
        for index in indices:
            frame.demand_static(index)
        changed_outside(frame, target, target.value, base)
        members = [k.element_of(base)] if base.items or base.element else []
        element = k.join_all([*members, kind.without_literal()])
        frame.names[target.value.value] = replace(k.many(base.name, element), detail=base.detail)


def augmented(frame: Frame, node: cst.AugAssign) -> None:
    """``x += y``: a write where x is a tensor, a new value where it is a number or a string."""
    value = stored_value(frame, node, node.target)
    settle(frame, node, None, [])
    if isinstance(node.target, cst.Subscript):
        frame.module.masked_reads.add(node.target)
    before = frame.evaluate(node.target)
    kind = operation(frame, node, OPERATORS[type(node.operator)], (node.target, before), (node.value, value))
    if isinstance(node.target, cst.Subscript):
        in_container = frame.module.kind(node.target.value).name in ("list", "tuple", "dict") and before.may_be(
            "tensor"
        )
        if in_container and (is_callers(before) or _is_shared(frame, node.target, before)):
            frame.report(node, "aliased-write", "a tensor in a container is written in place", "assign a new value")
        _store_item(frame, node, node.target, kind)
    elif isinstance(node.target, cst.Name):
        name = node.target.value
        if before.is_tensor or (before.name == "unknown" and not before.detail and _is_seen(frame, name, before)):
            written(frame, name, node, node)
            kind = before
        elif before.may_be("list", "unknown"):
            if before.name == "list" and is_callers_own(before):
                changed_outside(frame, node, node.target, before)
            # A list grows by the other's members; a number or a tensor becomes something of its own.
            shared = value.storage if before.name == "list" else fresh(node)
            kind = kind.with_storage(before.storage | shared)
        frame.names[name] = kind.without_literal()
        frame.module.kinds[node.target] = before
    elif before.is_tensor or (before.name == "unknown" and _is_shared(frame, node.target, before)):
        frame.report(node, "aliased-write", "an attribute is written in place", "assign a new value: a.x = a.x + y")


def _is_seen(frame: Frame, name: str, kind: Kind) -> bool:
    """Whether writing into what may be a tensor could be noticed: by another name, or by the caller."""
    outside_block = frame.no_grad is not None and bool(kind.storage & frame.no_grad)
    return is_callers(kind) or outside_block or bool(sharing(frame, name, kind.storage))


def _is_shared(frame: Frame, target: cst.BaseExpression, kind: Kind) -> bool:
    """Whether a name beside the one the target starts with shares its memory."""
    root = target
    while isinstance(root, cst.Attribute | cst.Subscript):
        root = root.value
    return bool(sharing(frame, root.value if isinstance(root, cst.Name) else "", kind.storage))
