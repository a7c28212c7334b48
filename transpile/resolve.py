"""From an import to the file of the project it means, by looking at folders alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from .files import SUFFIX
from .scan import Import
from .settings import FILE

INIT = "__init__.py"
_FOREIGN = frozenset({*sys.stdlib_module_names, "torch", "jax", "numpy"})


class Resolver:
    """Finds the sources that imports name. Each folder is listed once."""

    def __init__(self) -> None:
        self._folders: dict[str, frozenset[str]] = {}
        self._roots: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str, int], str | None] = {}

    def resolve(self, importer: str, module: str, level: int) -> str | None:
        """The file of the project that ``from <level dots><module>`` means in the file ``importer`` (absolute paths).

        An absolute name is looked for beside the package that holds the importer, then beside the importer, then at the
        root of the project (the nearest folder with a pyproject.toml). A twin is no source.
        """
        return self._resolve(os.path.dirname(importer), module, level)

    def _resolve(self, folder: str, module: str, level: int) -> str | None:
        key = (folder, module, level)
        if key not in self._found:
            self._found[key] = self._search(folder, module, level)
        return self._found[key]

    def _search(self, folder: str, module: str, level: int) -> str | None:
        parts = module.split(".") if module else []
        if not level and (not parts or is_foreign(module)):
            return None
        for root in [_above(folder, level - 1)] if level else self._absolute_roots(folder):
            found = self._within(root, parts)
            if found:
                return None if found.endswith(f"{SUFFIX}.py") else found
        return None

    def targets(self, importer: str, imports: Iterable[Import]) -> list[str]:
        """The files of the project that a file's imports name, submodules taken for what they are."""
        folder = os.path.dirname(importer)
        found: dict[str | None, None] = {}
        for level, module, names in imports:
            if not level and is_foreign(module):
                continue
            inner = [self._resolve(folder, f"{module}.{name}".lstrip("."), level) for name in names]
            found.update(dict.fromkeys(inner))
            if not names or None in inner:
                found[self._resolve(folder, module, level)] = None
        return [target for target in found if target]

    def _within(self, folder: str, parts: list[str]) -> str | None:
        """The module of this dotted name under a folder; a package goes before a file, as in Python."""
        for number, part in enumerate(parts, 1):
            listing = self._listing(folder)
            if part not in listing:
                is_file = number == len(parts) and f"{part}.py" in listing
                return f"{folder}{os.sep}{part}.py" if is_file else None
            folder = f"{folder}{os.sep}{part}"
        if INIT in self._listing(folder):
            return f"{folder}{os.sep}{INIT}"
        return f"{folder}.py" if parts and f"{parts[-1]}.py" in self._listing(os.path.dirname(folder)) else None

    def _absolute_roots(self, folder: str) -> list[str]:
        """The folders in which the first part of an absolute name may be, for the files of a folder."""
        if folder not in self._roots:
            package = root = folder
            while INIT in self._listing(package) and os.path.dirname(package) != package:
                package = os.path.dirname(package)
            while FILE not in self._listing(root) and os.path.dirname(root) != root:
                root = os.path.dirname(root)
            self._roots[folder] = list(dict.fromkeys([package, folder, root]))
        return self._roots[folder]

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._folders:
            try:
                self._folders[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._folders[folder] = frozenset()
        return self._folders[folder]


def is_foreign(module: str) -> bool:
    """Whether an absolute name is no project's: the standard library's, torch's, jax's or numpy's."""
    return module.partition(".")[0] in _FOREIGN


def _above(folder: str, steps: int) -> str:
    for _ in range(steps):
        folder = os.path.dirname(folder)
    return folder
