"""Syntax trees of source files: parsed once, and walked without what only lays the text out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache, lru_cache

import libcst as cst

_LAYOUT = (
    *("whitespace", "leading_lines", "trailing", "lines_after", "header", "footer"),
    *("lpar", "rpar", "semicolon", "comma", "colon", "dot", "equal"),
)


@lru_cache(maxsize=512)
def parse(source: str) -> cst.Module:
    """The tree of a source text. A module is read for its importers as well as for itself, so that trees are kept.

    Raises ``libcst.ParserSyntaxError`` and, for what nests too deeply, ``RecursionError``.
    """
    return cst.parse_module(source)


def walk(node: cst.CSTNode, into_definitions: bool = True) -> Iterator[cst.CSTNode]:
    """A node and all that is in it but white space and comments; a parent comes before its children.

    LibCST's own ``children`` visits a node with a visitor to find them, which takes five times as long.
    """
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        for name in _parts(type(node)):
            value = getattr(node, name)
            children = reversed(value) if isinstance(value, list | tuple) else (value,)
            waiting += [child for child in children if _is_part(child.__class__, into_definitions)]


def nodes_of(node: cst.CSTNode) -> set[cst.CSTNode]:
    """A node and all that is in it."""
    return set(walk(node))


@cache
def _is_part(value_type: type, into_definitions: bool) -> bool:
    """Whether values of a type are nodes to be walked. To ask each of them for its abstract class would be slower."""
    return issubclass(value_type, cst.CSTNode) and (
        into_definitions or not issubclass(value_type, cst.FunctionDef | cst.ClassDef | cst.Lambda)
    )


@cache
def _parts(node_type: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a type of node that may hold other nodes that mean something, last to first."""
    return tuple(field.name for field in reversed(dataclasses.fields(node_type)) if not field.name.startswith(_LAYOUT))
