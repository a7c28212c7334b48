"""Writes into tensors, and who sees them.

JAX arrays never change, so a write becomes a new value for one name. That is right only if no other name that is read
later sees the same memory; otherwise the write is refused here.
"""

from __future__ import annotations

import libcst as cst

from .facts import CALLERS, Frame, Write, parameter_memory
from .kinds import Kind
from .liveness import loaded_after


def written(
    frame: Frame, name: str, node: cst.CSTNode, statement: cst.CSTNode, seen_by: tuple[str, ...] | None = None
) -> None:
    """A write to the tensor of this name: note what it means for the caller, refuse what other names would see.

    seen_by: the names that share the tensor; those that do now if None
    """
    kind = frame.names.get(name)
    if kind is None:
        frame.report(
            node, "aliased-write", f"{name} belongs to an enclosing scope, which would not see the write",
            "return the new value instead",
        )  # fmt: skip
        return
    for other in sharing(frame, name, kind.storage) if seen_by is None else seen_by:
        if other not in frame.names or loaded_after(frame, other, statement):
            frame.report(
                node, "aliased-write", f"this write into {name} is seen through {other} as well",
                f"write through {other} itself, or {name} = {name}.clone() first if the sharing is not meant",
            )  # fmt: skip
            break
    _outside(frame, name, node, kind)


def _outside(frame: Frame, name: str, node: cst.CSTNode, kind: Kind) -> None:
    """What a write means outside of the block, and of the function, that it stands in."""
    if frame.no_grad is not None and kind.storage & frame.no_grad:
        frame.report(
            node, "no-grad-store", f"{name} comes from outside the no_grad block that writes into it",
            f"write into {name}.detach().clone(), or move the write out of the block",
        )  # fmt: skip
    own = {parameter_memory(frame.function, parameter): parameter for parameter in frame.function.parameters}
    for memory, parameter in own.items():
        if memory in kind.storage:
            frame.function.mutated.setdefault(parameter, node)
    if any(token.startswith("parameter/") for token in kind.storage - own.keys()):
        frame.report(
            node, "aliased-write", f"{name} is an argument of the function around this one", "return the new value"
        )


def sharing(frame: Frame, name: str, storage: frozenset[str]) -> list[str]:
    """Other names, here and in the bodies around, whose memory overlaps."""
    found = [other for other, kind in frame.names.items() if other != name and kind.storage & storage]
    around = frame.parent
    while around is not None:
        found += [other for other, kind in around.names.items() if kind.storage & storage and other not in frame.names]
        around = around.parent
    return found


def is_callers(kind: Kind) -> bool:
    """Whether the value, or a part of it, lives where an argument of the caller's lives."""
    return any(token.startswith("parameter/") for token in kind.storage)


def hands_back(kind: Kind, memory: str) -> bool:
    """Whether a result is, or holds, just the tensor that lives in this memory: no view of it, nothing else."""
    if kind.storage == {memory} and (kind.is_tensor or (kind.name == "unknown" and kind.direct)):
        return kind.rank == memory or isinstance(kind.rank, int) or kind.name == "unknown"
    if kind.name == "union":
        return False
    return any(hands_back(member, memory) for member in kind.items or ())


def changed_outside(frame: Frame, node: cst.CSTNode, container: cst.BaseExpression, kind: Kind) -> None:
    """A list or dict that others see is changed: right in Python, lost under jit."""
    if isinstance(container, cst.Name) and container.value in frame.names and not is_callers_own(kind):
        return
    name = container.value if isinstance(container, cst.Name) else "an object"
    frame.obstruct(node, "not-jitted", f"it changes {name}, which others see", "return what is new")


def is_callers_own(kind: Kind) -> bool:
    """Whether a container, or what may be one, is the caller's; its members may be so in any case."""
    return kind.detail == CALLERS if kind.name in ("list", "dict", "set") else is_callers(kind)


def is_fresh(frame: Frame, kind: Kind) -> bool:
    """Whether no name can see this value: writing into it is an ordinary computation."""
    return not sharing(frame, "", kind.storage) and not is_callers(kind)


def in_place(frame: Frame, node: cst.Call, receiver: cst.BaseExpression, kind: Kind) -> None:
    """Note the write of ``receiver.f_(...)``: to a name, to the name its chain began with, or to a passing value."""
    writes = frame.module.writes
    if isinstance(receiver, cst.Name):
        note_write(frame, node, receiver.value)
    elif receiver in writes:
        note_write(frame, node, writes[receiver])
    elif is_callers(kind):
        _report_expression(frame, node)
    else:
        writes[node] = ""
        frame.pending.append(Write(node, tuple(sharing(frame, "", kind.storage))))


def note_write(frame: Frame, node: cst.CSTNode, name: str) -> None:
    """A call that writes into the tensor of a name, or into a passing value if there is none."""
    frame.module.writes[node] = name
    if name:
        storage = frame.names[name].storage if name in frame.names else frozenset[str]()
        frame.pending.append(Write(node, tuple(sharing(frame, name, storage))))


def _report_expression(frame: Frame, node: cst.CSTNode) -> None:
    frame.report(
        node, "aliased-write", "this writes into a tensor through an expression that shares its memory",
        "name the tensor and store by index: x[...] = value",
    )  # fmt: skip


def settle(frame: Frame, statement: cst.CSTNode, value: cst.BaseExpression | None, targets: list[str]) -> None:
    """At the end of a statement: check each write that its expression made.

    The write may be the whole value (``x.add_(1)``, ``y = x.mul_(2)``, ``return x.exp_()``); inside a larger
    expression only if the name is not read again. What shares the memory may be read within the write alone, where it
    is read before: beside it nobody can tell the order of things.
    """
    pending, frame.pending = frame.pending, []
    chain = _chain(value) if pending else set()
    for write in pending:
        name = frame.module.writes.get(write.node, "")
        beside = any(_is_read(statement, word, write.node) for word in (name, *write.seen_by))
        if not name:
            if beside or any(
                other not in frame.names or loaded_after(frame, other, statement) for other in write.seen_by
            ):
                _report_expression(frame, write.node)
            continue
        if beside:
            frame.report(
                write.node, "aliased-write", f"{name} is written in the middle of an expression",
                "make the write a statement of its own",
            )  # fmt: skip
        if write.node not in chain and name not in targets and loaded_after(frame, name, statement):
            frame.report(
                write.node, "aliased-write", f"{name} is written in the middle of an expression and read later",
                "make the write a statement of its own",
            )  # fmt: skip
    last = {frame.module.writes.get(write.node, ""): write for write in pending}
    for name, write in last.items():
        if name:
            written(frame, name, write.node, statement, write.seen_by)


def _chain(value: cst.BaseExpression | None) -> set[cst.CSTNode]:
    """The calls of ``x.f_(...).g_(...)``, outermost first."""
    found: set[cst.CSTNode] = set()
    while isinstance(value, cst.Call):
        found.add(value)
        value = value.func.value if isinstance(value.func, cst.Attribute) else None
    return found


def names_first(statement: cst.Assign) -> list[cst.BaseAssignTargetExpression]:
    """The targets of an assignment, stores last: a name bound to a view of what is stored into sees the store.

    In the order they stand in where a store looks at a name that is bound here: Python binds from left to right.
    """
    targets = [target.target for target in statement.targets]
    names = [target for target in targets if not isinstance(target, cst.Subscript)]
    stores = [target for target in targets if target not in names]
    if any(_is_read(store, word) for store in stores for name in names for word in _words(name)):
        return targets
    return names + stores


def _words(target: cst.BaseExpression) -> list[str]:
    """The names in a target that is no store."""
    if isinstance(target, cst.Name):
        return [target.value]
    parts = target.elements if isinstance(target, cst.Tuple | cst.List) else ()
    return [word for part in parts for word in _words(part.value)]


def _is_read(node: cst.CSTNode, name: str, but: cst.CSTNode | None = None) -> bool:
    """Whether a name is read in a node, one part of it left out."""
    counter = _Counter(name, but)
    node.visit(counter)
    return counter.count > 0


class _Counter(cst.CSTVisitor):
    def __init__(self, name: str, but: cst.CSTNode | None) -> None:
        self.name, self.but, self.count = name, but, 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node is not self.but and super().on_visit(node)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return not isinstance(node.target, cst.Name)  # a name that is bound anew is not read

    def visit_AnnAssign_target(self, node: cst.AnnAssign) -> None:
        self.count -= isinstance(node.target, cst.Name) and node.target.value == self.name

    def visit_Name(self, node: cst.Name) -> None:
        self.count += node.value == self.name
