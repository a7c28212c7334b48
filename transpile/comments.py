"""Directives: ``# torch2jax: skip`` and ``# torch2jax: eager`` above a definition or on its first line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

PREFIX = re.compile(r"#\s*torch2jax:\s*(?P<words>.*)")


def directives(node: cst.FunctionDef | cst.ClassDef) -> set[str]:
    """The words said to the tool about this definition."""
    words: set[str] = set()
    for comment in _comments(node):
        found = PREFIX.match(comment.value)
        if found:
            words.add(found["words"].split()[0] if found["words"] else "")
    return words


def _comments(node: cst.FunctionDef | cst.ClassDef) -> Iterator[cst.Comment]:
    for line in (*node.leading_lines, *node.lines_after_decorators):
        if line.comment:
            yield line.comment
    if isinstance(node.body, cst.IndentedBlock) and node.body.header.comment:
        yield node.body.header.comment


def without_directives(lines: list[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Leading lines less the directives, which say nothing to the reader of a twin."""
    return [line for line in lines if line.comment is None or not PREFIX.match(line.comment.value)]
