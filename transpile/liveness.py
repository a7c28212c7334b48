"""Whether a name is read after a place in its function: asked only when a write is found, so computed only then."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import libcst as cst

from .facts import Frame


class _Order(cst.CSTVisitor):
    """Numbers the nodes of a body in source order; notes where names are read and where loops begin and end.

    captured: names that functions inside read, whenever they are called
    """

    def __init__(self) -> None:
        self.clock = 0
        self.captured: set[str] = set()
        self._inside = 0
        self.spans: dict[cst.CSTNode, tuple[int, int]] = {}
        self.loads: dict[str, list[int]] = {}
        self.loops: list[cst.CSTNode] = []
        self._starts: list[int] = []
        self._stores: set[cst.CSTNode] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        self._starts.append(self.clock)
        self.clock += 1
        self._inside += isinstance(node, cst.FunctionDef | cst.Lambda)
        if isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Name):
            self._stores.add(node.target)
        elif isinstance(node, cst.Name) and node not in self._stores:
            self.loads.setdefault(node.value, []).append(self.clock)
            if self._inside > 1:
                self.captured.add(node.value)
        elif isinstance(node, cst.For | cst.While):
            self.loops.append(node)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        self.spans[original_node] = (self._starts.pop(), self.clock)
        self._inside -= isinstance(original_node, cst.FunctionDef | cst.Lambda)


_orders: WeakKeyDictionary[object, _Order] = WeakKeyDictionary()


def loaded_after(frame: Frame, name: str, statement: cst.CSTNode) -> bool:
    """Whether the name may be read after this statement: below it, or anywhere in a loop around it."""
    function = frame.function
    order = _orders.get(function)
    if order is None:
        order = _orders[function] = _Order()
        function.node.visit(order)
    if statement not in order.spans:
        return True
    start, end = order.spans[statement]
    loads = order.loads.get(name, [])
    if any(load > end for load in loads):
        return True
    for loop in order.loops:
        first, last = order.spans[loop]
        inside = [load for load in loads if first < load <= last]
        if first <= start and end <= last and inside and not _set_before(order, loop, name, inside[0]):
            return True
    return False


def _set_before(order: _Order, loop: cst.CSTNode, name: str, load: int) -> bool:
    """Whether each turn of a loop gives the name a new value before it is first read."""
    body = loop.body.body if isinstance(loop, cst.For | cst.While) and name not in order.captured else ()
    targets = [
        target.target
        for line in body
        if isinstance(line, cst.SimpleStatementLine) and order.spans[line][1] <= load
        for small in line.body
        if isinstance(small, cst.Assign)
        for target in small.targets
    ]
    return any(isinstance(target, cst.Name) and target.value == name for target in targets)
