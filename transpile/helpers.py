"""Copies of the helpers of transpile/ops that a twin needs: each with what it calls, under names free in the twin.

The files are read as text and parsed with :mod:`ast`; they are never imported here, since that would import jax.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .wrapping import first_line

FOLDER = Path(__file__).resolve().parent / "ops"


@dataclass
class Block:
    """A top-level definition of an ops file: the lines of its statements, in order, and the names they use."""

    name: str
    file: str
    segments: list[ast.stmt] = field(default_factory=list)


@dataclass
class OpsFile:
    """One file of transpile/ops: its lines, its definitions by name, and where its imported names come from."""

    lines: list[str]
    blocks: dict[str, Block]
    imported: dict[str, tuple[str, str]]
    libraries: dict[str, str]


@functools.cache
def _sources() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}


@functools.cache
def _file_of(name: str) -> str:
    """The ops file that defines a name. Raises KeyError for an unknown one."""
    pattern = re.compile(rf"^(?:def|class) {re.escape(name)}\b|^{re.escape(name)} = ", re.MULTILINE)
    for stem, source in _sources().items():
        if pattern.search(source):
            return stem
    raise KeyError(name)


def exists(name: str) -> bool:
    """Whether transpile/ops defines a helper of this name."""
    try:
        return bool(_file_of(name))
    except KeyError:
        return False


@functools.cache
def _parsed(stem: str) -> OpsFile:
    source = _sources()[stem]
    file = OpsFile(source.split("\n"), {}, {}, {})
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                local = alias.asname or alias.name.partition(".")[0]
                file.libraries[local] = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        elif isinstance(statement, ast.ImportFrom):
            _add_import_from(file, statement)
        else:
            name = _owner(statement, file.blocks)
            if name:
                file.blocks.setdefault(name, Block(name, stem)).segments.append(statement)
    return file


def _add_import_from(file: OpsFile, statement: ast.ImportFrom) -> None:
    for alias in statement.names:
        local = alias.asname or alias.name
        if statement.level:
            file.imported[local] = (statement.module or "", alias.name)
        elif statement.module != "__future__":
            file.libraries[local] = f"from {statement.module} import {alias.name}" + (
                f" as {local}" if alias.asname else ""
            )


def _owner(statement: ast.stmt, blocks: dict[str, Block]) -> str:
    """The name a statement defines, or that of the function it attaches to (``f.defjvp(...)``, ``@f.defjvp``)."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        for decorator in statement.decorator_list:
            root = _root(decorator)
            if root in blocks:
                return root
        return statement.name
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        root = _root(statement.value.func)
        return root if root in blocks else ""
    return ""


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@dataclass(frozen=True)
class Copied:
    """The text of the helpers, dependencies first, and the import statements they need, by local name."""

    blocks: tuple[str, ...]
    libraries: dict[str, str]


def copy_helpers(wanted: Iterable[str], name_for: Callable[[str], str]) -> Copied:
    """The source of these helpers and of what they reach, with ``name_for`` giving each its name in the twin."""
    ordered: list[Block] = []
    for name in wanted:
        _visit(_file_of(name), name, ordered, set())
    libraries: dict[str, str] = {}
    texts = []
    for block in ordered:
        file = _parsed(block.file)
        for used in sorted(_names(block)):
            if used in file.libraries:
                libraries[used] = file.libraries[used]
        texts.append("\n\n\n".join(_text(file, block, segment, name_for) for segment in block.segments))
    return Copied(tuple(texts), libraries)


def _visit(stem: str, name: str, ordered: list[Block], open_blocks: set[str]) -> None:
    """Append a definition after everything it uses; recursion ends where a definition is being visited already."""
    file = _parsed(stem)
    block = file.blocks[name]
    if block in ordered or name in open_blocks:
        return
    for used in sorted(_names(block)):
        if used in file.imported:
            _visit(*file.imported[used], ordered, open_blocks | {name})
        elif used in file.blocks and used != name:
            _visit(stem, used, ordered, open_blocks | {name})
    if block not in ordered:
        ordered.append(block)


def _names(block: Block) -> set[str]:
    return {name for segment in block.segments for _, name in _references(segment)}


def _text(file: OpsFile, block: Block, segment: ast.stmt, name_for: Callable[[str], str]) -> str:
    """The source of one statement with the helpers' names exchanged for the twin's."""
    first = first_line(segment)
    assert segment.end_lineno is not None
    lines = file.lines[first - 1 : segment.end_lineno]
    edits = []
    for node, name in _references(segment):
        original = file.imported[name][1] if name in file.imported else name
        if name in file.imported or name in file.blocks:
            edits.append((node[0] - first, node[1], len(name), name_for(original)))
    if isinstance(segment, ast.FunctionDef | ast.ClassDef):
        column = segment.col_offset + len("def " if isinstance(segment, ast.FunctionDef) else "class ")
        new = name_for(segment.name) if segment.name in file.blocks else f"_{segment.name.lstrip('_')}"
        edits.append((segment.lineno - first, column, len(segment.name), new))
    for row, column, length, new in sorted(edits, reverse=True):
        encoded = lines[row].encode()
        lines[row] = (encoded[:column] + new.encode() + encoded[column + length :]).decode()
    return "\n".join(lines)


@functools.cache
def _references(segment: ast.stmt) -> tuple[tuple[tuple[int, int], str], ...]:
    """Free names; parameters and local variables that happen to share a helper's name are not references."""
    nodes = list(ast.walk(segment))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {
        node.id
        for inner in nodes
        if isinstance(inner, ast.FunctionDef | ast.Lambda)
        for node in ast.walk(inner)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return tuple(
        ((node.lineno, node.col_offset), node.id)
        for node in nodes
        if isinstance(node, ast.Name) and node.id not in bound
    )
