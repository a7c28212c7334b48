"""Imports: torch's are gone, those of siblings that have a twin name the twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import libcst as cst

from ..facts import ModuleFacts
from ..names import alias_name, dotted, is_torch

Statements = Sequence[cst.BaseSmallStatement]


class HasSiblings(Protocol):
    """The rewriter: which modules have twins, the names it gives to submodules, the imports it has written."""

    facts: ModuleFacts
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
    gone = rewriter.facts.torch_names | rewriter.facts.missing
    packages: list[cst.BaseSmallStatement] = []
    names: list[cst.ImportAlias] = []
    for alias in statement.names:
        name = dotted(alias.name)
        full = _inside(dots + module, name)
        local = alias_name(alias) or name
        # A package may bind the name of a module below it to something else: then that is what is imported.
        below = rewriter.sibling(full) if rewriter.facts.kind(alias).name in ("module", "unknown") else None
        if below is None and twin is not None and local in gone:
            continue  # the twin beside this one does not have it
        if below is not None and _is_package(below):
            packages.append(_small(_import_of(full, below, local)))
        else:
            names.append(alias if below is None else _renamed(alias, f"{name}_jax", local))
    if names == list(statement.names) and twin is None:
        return [statement]
    own = [alias for alias in names if twin is not None and alias in statement.names]
    beside = [alias for alias in names if alias not in own]
    parts = [statement.with_changes(names=_closed(beside, statement))] if beside else []
    if own and twin is not None:
        parts.append(_from(statement.with_changes(names=_closed(own, statement)), module, twin))
    return [*packages, *parts]


def _from(statement: cst.ImportFrom, module: str, twin: Path) -> cst.ImportFrom:
    return statement.with_changes(module=_dotted_node(twin_module(module, twin)))


def _closed(names: list[cst.ImportAlias], statement: cst.Import | cst.ImportFrom) -> list[cst.ImportAlias]:
    """The names of an import, the last of them followed by what the last one of the statement was."""
    assert not isinstance(statement.names, cst.ImportStar)
    return [*names[:-1], names[-1].with_changes(comma=statement.names[-1].comma)]


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
        wanted.append(_import_of(full, twin, rewriter.submodule(full)))
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
    return f"{module}.__init___jax" if _is_package(source) else f"{module}_jax"


def _is_package(source: Path) -> bool:
    return source.name == "__init__.py"


def _inside(package: str, name: str) -> str:
    """The full name of what ``from package import name`` means if it is a module."""
    return f"{package}{'' if package.endswith('.') else '.'}{name}"


def _import_of(full: str, source: Path, local: str) -> str:
    """The statement that binds the twin of a module below a package."""
    space, _, name = twin_module(full, source).rpartition(".")
    return f"from {space} import {name} as {local}"


def _dotted_node(name: str) -> cst.Attribute | cst.Name:
    node = cst.parse_expression(name)
    assert isinstance(node, cst.Attribute | cst.Name)
    return node
