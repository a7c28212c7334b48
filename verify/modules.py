"""Loads an original and its twin from their files, under names of their own.

A file may import its siblings, relatively (``from .quaternions import conjugate``) or by name (``from quaternions
import conjugate``), as it could if its project were installed. Nothing that was loaded stays in ``sys.modules`` under
a name of the project, so a second copy of the same project elsewhere can be loaded after it.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import jax

_COUNTER = itertools.count()


@dataclass(frozen=True)
class Pair:
    """An original and its twin, imported. ``x64`` is whether the twin computes in 64 bits."""

    original: ModuleType
    twin: ModuleType
    x64: bool


def load_pair(source: Path, twin: Path, x64: bool = False) -> Pair:
    """Import the torch source and its twin. A twin that turns 64 bits on does so for its own import only."""
    original = load(source)
    before = jax.enable_x64.value
    try:
        with jax.enable_x64(x64):
            imported = load(twin)
    finally:
        jax.config.update("jax_enable_x64", before)
    return Pair(original, imported, x64)


def load(path: Path) -> ModuleType:
    """Import one file, freshly. Raises what its import raises."""
    path = path.resolve()
    root = _root(path)
    with _importable(root, _siblings(root, path)):
        return _import_under(root, path, f"_torch2jax_{next(_COUNTER)}")


def _root(path: Path) -> Path:
    """The folder that has to be on ``sys.path``: the parent of the outermost package around the file."""
    folder = path.parent
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _import_under(root: Path, path: Path, mount: str) -> ModuleType:
    """Import a file as a submodule of an empty package named ``mount`` whose folder is ``root``."""
    package = ModuleType(mount)
    package.__path__ = [str(root)]
    sys.modules[mount] = package
    parts = path.relative_to(root).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return importlib.import_module(".".join([mount, *parts]))


@contextmanager
def _importable(root: Path, names: frozenset[str]) -> Iterator[None]:
    """``root`` first on ``sys.path``; what other places loaded under these names is set aside meanwhile."""
    aside = _take(names)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(root))
        _take(names)
        sys.modules.update(aside)


def _take(names: frozenset[str]) -> dict[str, ModuleType]:
    """Remove from ``sys.modules`` the modules of these top-level names, and return them."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in names}


def _siblings(root: Path, path: Path) -> frozenset[str]:
    """Top-level names of the project around a file: its package, or the modules beside it."""
    parts = path.relative_to(root).parts
    names = {parts[0]} if len(parts) > 1 else {entry.stem for entry in root.glob("*.py")}
    return frozenset(names) - sys.stdlib_module_names
