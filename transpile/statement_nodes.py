"""Questions to statements of LibCST, and small changes to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from .syntax import walk

Line = cst.BaseStatement

Node = TypeVar("Node", bound=cst.CSTNode)


def changed(node: Node, **changes: object) -> Node:
    """The node with these changes; the node itself if they change nothing."""
    real = {name: value for name, value in changes.items() if not _same(getattr(node, name), value)}
    return node.with_changes(**real) if real else node


def _same(old: object, new: object) -> bool:
    if isinstance(old, Sequence) and isinstance(new, Sequence) and not isinstance(old, str):
        return len(old) == len(new) and all(one is other for one, other in zip(old, new, strict=True))
    return old is new


def separated(statements: Sequence[cst.BaseSmallStatement]) -> list[cst.BaseSmallStatement]:
    return [statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for statement in statements]


def plain_assignment(line: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if isinstance(part, cst.Assign) and len(part.targets) == 1 and isinstance(part.targets[0].target, cst.Name):
        return part.targets[0].target.value, part.value
    return None


def bound_names(line: cst.CSTNode) -> set[str]:
    """The names that a statement of the module binds by assignment."""
    if isinstance(line, cst.FunctionDef | cst.ClassDef):
        return set()
    inside = walk(line, into_definitions=False)
    targets = [part.target for part in inside if isinstance(part, cst.AssignTarget | cst.AnnAssign)]
    return {part.value for target in targets for part in walk(target) if isinstance(part, cst.Name)}


def has_comment(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and line.trailing_whitespace.comment is not None


class Renamed(cst.CSTTransformer):
    """Exchanges a name; counts how often it stood there."""

    def __init__(self, name: str, new: cst.BaseExpression) -> None:
        self.name, self.new, self.count = name, new, 0

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        self._attribute = node.attr

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if original_node.value != self.name or original_node is getattr(self, "_attribute", None):
            return updated_node
        self.count += 1
        return self.new


def leaves(line: Line) -> bool:
    """Whether a statement is a ``return`` or the like."""
    last = line.body[-1] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(last, cst.Return | cst.Raise | cst.Break | cst.Continue)


def is_empty(body: cst.BaseSuite) -> bool:
    """Whether a block consists of ``pass``."""
    lines = body.body
    return len(lines) == 1 and isinstance(lines[0], cst.SimpleStatementLine) and isinstance(lines[0].body[0], cst.Pass)


def comments(line: cst.CSTNode) -> list[cst.EmptyLine]:
    """The comment lines above a statement that is gone; they belong to the text, not to it."""
    leading: Sequence[cst.EmptyLine] = getattr(line, "leading_lines", ())
    return list(leading) if any(entry.comment for entry in leading) else []


def with_leading(line: Line, lines: Sequence[cst.EmptyLine]) -> Line:
    return line.with_changes(leading_lines=[*lines, *getattr(line, "leading_lines", ())])


def is_main_guard(line: cst.CSTNode) -> bool:
    """``if __name__ == "__main__"``: a script's business, not the twin's."""
    test = line.test if isinstance(line, cst.If) else None
    return isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__"


def without_exports(line: Line, gone: set[str]) -> Line:
    """``__all__ = [...]`` without the names that the twin does not have; any other statement as it is."""
    name, value = plain_assignment(line) or ("", None)
    if name != "__all__" or not isinstance(value, cst.List | cst.Tuple):
        return line
    kept = [entry for entry in value.elements if _text_of(entry.value) not in gone]
    if len(kept) == len(value.elements):
        return line
    if kept and len(value.elements) > 1:
        kept[-1] = kept[-1].with_changes(comma=value.elements[-1].comma)
    assert isinstance(line, cst.SimpleStatementLine)
    part = line.body[0].with_changes(value=value.with_changes(elements=kept))
    return line.with_changes(body=[part])


def _text_of(node: cst.BaseExpression) -> str:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return value if isinstance(value, str) else ""
