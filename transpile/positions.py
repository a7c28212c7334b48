"""Where nodes stand in the source: computed for the statements that have something to report, and for no others."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from .syntax import walk
from .wrapping import first_line


class _Done(Exception):
    """Every node wanted has been found."""


class _Recorder(CodegenState):
    """Follows line and column while the module writes itself out, and notes where the wanted nodes begin and end."""

    def __init__(self, module: cst.Module, wanted: Iterable[cst.CSTNode], line: int = 1) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.line, self.column = line, 0
        self.wanted = {id(node) for node in wanted}  # a node's own hash is a call of Python
        self.spans: dict[cst.CSTNode, tuple[int, int, int, int]] = {}
        self._starts: dict[cst.CSTNode, tuple[int, int]] = {}

    def add_token(self, value: str) -> None:
        super().add_token(value)
        self._advance(value)

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        for token in self.indent_tokens:
            self._advance(token)

    def _advance(self, text: str) -> None:
        lines = text.count("\n")
        if lines:
            self.line += lines
            self.column = len(text) - text.rfind("\n") - 1
        elif text == "\r":
            self.line, self.column = self.line + 1, 0
        else:
            self.column += len(text)

    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Any:
        return _Span(self, node, end_node)

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self._starts[node] = (self.line, self.column)

    def after_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self.spans.setdefault(node, (*self._starts[node], self.line, self.column))
            if len(self.spans) == len(self.wanted):
                raise _Done


class _Span:
    """The part of a statement that is not its leading and trailing white space."""

    def __init__(self, recorder: _Recorder, node: cst.CSTNode, end_node: cst.CSTNode | None) -> None:
        self._recorder, self._node = recorder, node
        self._start = (0, 0)

    def __enter__(self) -> None:
        self._start = (self._recorder.line, self._recorder.column)

    def __exit__(self, *error: object) -> None:
        if id(self._node) in self._recorder.wanted:
            self._recorder.spans[self._node] = (*self._start, self._recorder.line, self._recorder.column)


def spans(
    module: cst.Module, source: str, nodes: Iterable[cst.CSTNode]
) -> dict[cst.CSTNode, tuple[int, int, int, int]]:
    """First line, first column, last line and end column of each node; lines and columns count from 1."""
    wanted = set(nodes)
    found: dict[cst.CSTNode, tuple[int, int, int, int]] = {}
    lines = _first_lines(module, source) if wanted else None
    parts = [(module, 1)] if lines is None else zip(module.body, lines, strict=True)
    for part, line in parts:
        inside = wanted if part is module else wanted.intersection(walk(part))
        if inside:
            recorder = _Recorder(module, inside, line)
            with suppress(_Done):
                part._codegen(recorder)
            found |= recorder.spans
        if len(found) == len(wanted):
            break
    return {node: (a, b + 1, c, d + 1) for node, (a, b, c, d) in found.items()}


def _first_lines(module: cst.Module, source: str) -> list[int] | None:
    """The line that the text of each statement of a module begins on, with the comments above it, as Python counts.

    None where Python's parser and LibCST's do not see the same statements.
    """
    try:
        statements = iter(ast.parse(source).body)
    except SyntaxError:
        return None
    lines = []
    for node in module.body:
        parts = len(node.body) if isinstance(node, cst.SimpleStatementLine) else 1
        first = [statement for _, statement in zip(range(parts), statements, strict=False)]
        if len(first) < parts:
            return None
        lines.append(first_line(first[0]) - len(getattr(node, "leading_lines", ())))
    return lines if next(statements, None) is None else None
