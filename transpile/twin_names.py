"""The names in the text of a twin, apart from its helpers: what it uses, what it binds, what it needs when imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# What twins import, by the name they give it.
LIBRARIES = {"jax": "jax", "jnp": "jax.numpy", "math": "math", "builtins": "builtins"}


@dataclass
class TwinNames:
    """All names of one file.

    named:     every name that stands in an expression, read or bound
    loads:     every name that is read, with the top-level definition it is read in ("the module" outside of one)
    bound:     every name that an assignment, a parameter, a definition or an import binds anywhere, but for
               ``LIBRARIES`` imported under their usual names
    mentioned: names in annotations written as strings, and in ``__all__``
    at_import: names read by what runs while the file is imported: statements, defaults, decorators
    functions: the functions at the top level
    """

    named: set[str] = field(default_factory=set)
    loads: list[tuple[str, str]] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)
    at_import: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)

    @property
    def used(self) -> set[str]:
        """The names that must mean something in this file."""
        return self.named | self.mentioned


def names_in(text: str) -> TwinNames:
    """The names of a file, in one walk. Raises SyntaxError for a text that is no Python."""
    names = TwinNames()
    for statement in ast.parse(text).body:
        place = getattr(statement, "name", "the module")
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                names.named.add(node.id)
                if isinstance(node.ctx, ast.Load):
                    names.loads.append((place, node.id))
                else:
                    names.bound.add(node.id)
            elif isinstance(node, ast.arg):
                names.bound.add(node.arg)
                _add_quoted(names, node.annotation)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names.bound.add(node.name)
                _add_quoted(names, node.returns)
            elif isinstance(node, ast.ClassDef):
                names.bound.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                _add_quoted(names, node.annotation)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names.bound |= {local for local, full in _imported(node) if LIBRARIES.get(local) != full}
        _add_import_time(names, statement)
    return names


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names an import binds, each with what it stands for."""
    module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = module + alias.name
        root = name if module else name.partition(".")[0]
        yield (alias.asname, name) if alias.asname else (root.rpartition(".")[2], root)


def _add_quoted(names: TwinNames, annotation: ast.expr | None) -> None:
    for part in ast.walk(annotation) if annotation is not None else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            names.mentioned |= set(re.findall(r"[^\W\d]\w*", part.value))


def _add_import_time(names: TwinNames, statement: ast.stmt) -> None:
    parts: list[ast.AST | None] = [statement]
    if isinstance(statement, ast.FunctionDef):
        names.functions.add(statement.name)
        parts = [*statement.args.defaults, *statement.args.kw_defaults, *statement.decorator_list]
    inside = [node for part in parts if part is not None for node in ast.walk(part)]
    names.at_import |= {node.id for node in inside if isinstance(node, ast.Name)}
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
        names.mentioned |= {
            node.value for node in inside if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
