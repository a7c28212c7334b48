"""Imports: torch's are gone, those of siblings that have a twin name the twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import libcst as cst

from ..names import alias_name, dotted, is_torch


class HasSiblings(Protocol):
    sibling: Callable[[str], Path | None] | None


def rewritten_import(
    rewriter: HasSiblings, statement: cst.Import | cst.ImportFrom
) -> Sequence[cst.BaseSmallStatement]:
    if isinstance(statement, cst.Import):
        return _import(rewriter, statement)
    module = dotted(statement.module)
    if not statement.relative and is_torch(module):
        return []
    dots = "." * len(statement.relative)
    twin = rewriter.sibling(dots + module) if rewriter.sibling and module else None
    if twin is not None:
        return [statement.with_changes(module=_dotted_node(twin_module(module, twin)))]
    if isinstance(statement.names, cst.ImportStar):
        return [statement]
    names = [_submodule(rewriter, dots + module, alias) for alias in statement.names]
    changed = any(new is not old for new, old in zip(names, statement.names, strict=True))
    return [statement.with_changes(names=names) if changed else statement]


def _submodule(rewriter: HasSiblings, package: str, alias: cst.ImportAlias) -> cst.ImportAlias:
    """``from . import utils`` where utils is a module with a twin."""
    name = dotted(alias.name)
    separator = "" if package.endswith(".") else "."
    twin = rewriter.sibling(f"{package}{separator}{name}") if rewriter.sibling else None
    return alias if twin is None else _renamed(alias, twin_module(name, twin), alias_name(alias) or name)


def _import(rewriter: HasSiblings, statement: cst.Import) -> Sequence[cst.BaseSmallStatement]:
    kept = []
    for alias in statement.names:
        full = dotted(alias.name)
        if is_torch(full):
            continue
        twin = rewriter.sibling(full) if rewriter.sibling and alias_name(alias) else None
        kept.append(alias if twin is None else _renamed(alias, twin_module(full, twin), alias_name(alias)))
    if not kept:
        return []
    if len(kept) == len(statement.names) and all(new is old for new, old in zip(kept, statement.names, strict=True)):
        return [statement]
    kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return [statement.with_changes(names=kept)]


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
