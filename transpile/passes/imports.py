"""Imports: torch's are gone, those of siblings that have a twin name the twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import libcst as cst

from ..names import alias_name, dotted, is_torch

Statements = Sequence[cst.BaseSmallStatement]


class HasSiblings(Protocol):
    """The rewriter: which modules have twins, the names it gives to submodules, the imports it has written."""

    sibling: Callable[[str], Path | None] | None
    imported: set[str]

    def submodule(self, qualified: str) -> str: ...


def rewritten_import(rewriter: HasSiblings, statement: cst.Import | cst.ImportFrom) -> Statements:
    if isinstance(statement, cst.Import):
        return _import(rewriter, statement)
    module = dotted(statement.module)
    if not statement.relative and is_torch(module):
        return []
    if rewriter.sibling is None:
        return [statement]
    dots = "." * len(statement.relative)
    twin = rewriter.sibling(dots + module) if module else None
    if isinstance(statement.names, cst.ImportStar):
        return [statement if twin is None else _from(statement, module, twin)]
    names = [_submodule(rewriter, dots + module, alias) for alias in statement.names]
    below = [new for new, old in zip(names, statement.names, strict=True) if new is not old]
    rest = [new for new, old in zip(names, statement.names, strict=True) if new is old]
    if twin is None or not rest:
        return [statement.with_changes(names=names) if below else statement]
    parts = [_from(statement.with_changes(names=_closed(rest, statement)), module, twin)]
    return [statement.with_changes(names=_closed(below, statement)), *parts] if below else parts


def _from(statement: cst.ImportFrom, module: str, twin: Path) -> cst.ImportFrom:
    return statement.with_changes(module=_dotted_node(twin_module(module, twin)))


def _closed(names: list[cst.ImportAlias], statement: cst.Import | cst.ImportFrom) -> list[cst.ImportAlias]:
    """The names of an import, the last of them followed by what the last one of the statement was."""
    assert not isinstance(statement.names, cst.ImportStar)
    return [*names[:-1], names[-1].with_changes(comma=statement.names[-1].comma)]


def _submodule(rewriter: HasSiblings, package: str, alias: cst.ImportAlias) -> cst.ImportAlias:
    """``from . import utils`` where utils is a module with a twin."""
    name = dotted(alias.name)
    separator = "" if package.endswith(".") else "."
    twin = rewriter.sibling(f"{package}{separator}{name}") if rewriter.sibling else None
    return alias if twin is None else _renamed(alias, twin_module(name, twin), alias_name(alias) or name)


def _import(rewriter: HasSiblings, statement: cst.Import) -> Statements:
    kept: list[cst.ImportAlias] = []
    added: list[cst.BaseSmallStatement] = []
    for alias in statement.names:
        full = dotted(alias.name)
        if is_torch(full):
            continue
        twin = rewriter.sibling(full) if rewriter.sibling else None
        if alias_name(alias) and twin is not None:
            kept.append(_renamed(alias, twin_module(full, twin), alias_name(alias)))
        elif (
            not alias_name(alias)
            and rewriter.sibling
            and (twin is not None or rewriter.sibling(full.partition(".")[0]))
        ):
            added += _bound_package(rewriter, full, twin)
        else:
            kept.append(alias)
    if len(kept) == len(statement.names) and all(new is old for new, old in zip(kept, statement.names, strict=True)):
        return [statement]
    return ([statement.with_changes(names=_closed(kept, statement))] if kept else []) + added


def _bound_package(rewriter: HasSiblings, full: str, twin: Path | None) -> list[cst.BaseSmallStatement]:
    """``import package.module`` binds the package and the module below it; the twin names each of them."""
    root, _, below = full.partition(".")
    wanted = []
    package = rewriter.sibling(root) if rewriter.sibling else None
    if package is not None:
        wanted.append(f"import {twin_module(root, package)} as {root}")
    if below and twin is not None:
        space, _, name = full.rpartition(".")
        local = rewriter.submodule(full)
        wanted.append(f"from {space} import {twin_module(name, twin)} as {local}")
    fresh = [source for source in wanted if source not in rewriter.imported]
    rewriter.imported.update(fresh)
    return [_small(source) for source in fresh]


def _small(source: str) -> cst.BaseSmallStatement:
    line = cst.parse_statement(source)
    assert isinstance(line, cst.SimpleStatementLine)
    return line.body[0]


def _renamed(alias: cst.ImportAlias, module: str, local: str) -> cst.ImportAlias:
    name = _dotted_node(module)
    return alias.with_changes(name=name, asname=cst.AsName(cst.Name(local)))


def twin_module(module: str, source: Path) -> str:
    """The module name of a twin: ``utils`` is ``utils_jax``; of a package, the twin of its ``__init__``."""
    return f"{module}.__init___jax" if source.name == "__init__.py" else f"{module}_jax"


def _dotted_node(name: str) -> cst.Attribute | cst.Name:
    node = cst.parse_expression(name)
    assert isinstance(node, cst.Attribute | cst.Name)
    return node
