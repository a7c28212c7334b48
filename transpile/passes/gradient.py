"""``no_grad``: what is computed under it is a constant to whoever differentiates.

torch's operations record nothing there, so their results are stopped, wherever they go: into a name, a list, a dict,
the caller. What is only passed on (``y = x``, ``rows[0]`` of a list) is what it was before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from ..facts import ModuleFacts
from ..kinds import Kind
from ..rewrite import Rewriter

_CONTAINERS = ("list", "tuple", "dict", "set", "str", "iterator", "range")
# Built-in functions that hand on what they are given, or its parts.
_PASSING = frozenset(
    f"builtins.{name}"
    for name in ("list", "tuple", "dict", "set", "zip", "enumerate", "reversed", "sorted", "iter", "next", "map",
                 "filter", "getattr", "print")
)  # fmt: skip


def stopped_expression(
    rewriter: Rewriter, node: cst.BaseExpression, rewrite: Callable[[cst.BaseExpression], cst.BaseExpression]
) -> cst.BaseExpression:
    """The expression in terms of JAX, stopped where it is the outermost to compute something."""
    if isinstance(node, cst.Lambda):  # it is called somewhere else
        outer, rewriter.no_grad = rewriter.no_grad, False
        try:
            return rewrite(node)
        finally:
            rewriter.no_grad = outer
    if rewriter.stopping or not _computes(rewriter.facts, node):
        return rewrite(node)
    rewriter.stopping = True
    try:
        return stopped(rewriter, rewrite(node))
    finally:
        rewriter.stopping = False


def stopped_parts(rewriter: Rewriter, node: cst.BaseExpression) -> cst.BaseExpression:
    """What a loop takes apart: the rows of a tensor are computed, also where only its name stands."""
    if not rewriter.no_grad or rewriter.stopping:
        return rewriter.expression(node)
    if isinstance(node, cst.Call) and rewriter.kind(node.func).detail in _PASSING:
        arguments = [argument.with_changes(value=stopped_parts(rewriter, argument.value)) for argument in node.args]
        return node.with_changes(args=arguments)
    kind = rewriter.kind(node)
    new = rewriter.expression(node)
    return stopped(rewriter, new) if kind.is_tensor and _carries_gradient(kind) else new


def stopped_writes(
    rewriter: Rewriter, statement: cst.BaseSmallStatement, written: Sequence[cst.BaseSmallStatement]
) -> Sequence[cst.BaseSmallStatement]:
    """The new values of the tensors that a statement writes to, which were made in the block themselves."""
    if not any(reads_gradient(rewriter.facts, source) for source in _sources(statement)):
        return written
    return [
        part.with_changes(value=stopped(rewriter, part.value))
        if isinstance(part, cst.Assign) and not isinstance(part.value, cst.Name)
        else part
        for part in written
    ]


def _sources(statement: cst.BaseSmallStatement) -> list[cst.BaseExpression]:
    """The expressions whose values a statement writes: not the receiver, not the index."""
    value = getattr(statement, "value", None)
    found = []
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        found += [argument.value for argument in value.args]
        value = value.func.value
    return found + ([value] if isinstance(value, cst.BaseExpression) and not isinstance(statement, cst.Expr) else [])


def augmented(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """``y += x`` of what may be a tensor is ``y = stop_gradient(y + x)`` in the block."""
    if not rewriter.no_grad or not isinstance(statement, cst.AugAssign) or not isinstance(statement.target, cst.Name):
        return None
    kind = rewriter.kind(statement.target)
    if kind.name in _CONTAINERS or not reads_gradient(rewriter.facts, statement.value):
        return None
    return [cst.Assign([cst.AssignTarget(statement.target)], rewriter.augmented_value(statement))]


def stopped(rewriter: Rewriter, value: cst.BaseExpression) -> cst.BaseExpression:
    """``jax.lax.stop_gradient(value)``, once."""
    rewriter.libraries.add("jax")
    function = cst.parse_expression("jax.lax.stop_gradient")
    if isinstance(value, cst.Call) and value.func.deep_equals(function):
        return value
    if isinstance(value, cst.Tuple) and not value.lpar:
        value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.Call(function, [cst.Arg(value)])


def _computes(facts: ModuleFacts, node: cst.BaseExpression) -> bool:
    """Whether this is an operation of torch, or of a function that may be made of them, on what carries a gradient."""
    if not _carries_gradient(facts.kind(node)):
        return False
    if isinstance(node, cst.Call):
        receiver = facts.kind(node.func.value) if isinstance(node.func, cst.Attribute) else None
        passes_on = facts.kind(node.func).detail in _PASSING or (receiver is not None and receiver.name in _CONTAINERS)
        operation = node in facts.matches or not passes_on
    elif isinstance(node, cst.Subscript):
        operation = facts.kind(node.value).name not in _CONTAINERS and not _is_key(facts, node)
    else:
        operation = isinstance(node, cst.BinaryOperation | cst.UnaryOperation) or node in facts.matches
    return operation and reads_gradient(facts, node)


def _is_key(facts: ModuleFacts, node: cst.Subscript) -> bool:
    index = node.slice[0].slice
    return isinstance(index, cst.Index) and facts.kind(index.value).name == "str"


def reads_gradient(facts: ModuleFacts, node: cst.CSTNode) -> bool:
    """Whether a name in this expression holds what carries a gradient."""
    if isinstance(node, cst.Name | cst.Attribute) and node in facts.kinds and _carries_gradient(facts.kinds[node]):
        return True
    return any(reads_gradient(facts, child) for child in node.children)


def _carries_gradient(kind: Kind) -> bool:
    if kind.name in ("tuple", "list", "dict", "union", "iterator"):
        members = kind.items or ((kind.element,) if kind.element else ())
        return any(_carries_gradient(member) for member in members)
    return (kind.is_tensor and kind.dtype not in ("int", "bool")) or kind.name == "unknown"
