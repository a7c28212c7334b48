"""Other modules of the project, as one module's imports see them.

A sibling that has a twin is analysed too, so that a call of its function is known as well as one of the module's own;
each module is analysed once a project.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary

import libcst as cst

from .analysis import analyse
from .facts import ModuleFacts
from .kinds import Kind
from .rules import RuleBook
from .settings import Settings

PROJECT = "project:"


class HasSiblings(Protocol):
    """What is asked of a project: the source file behind an import, if that file has a twin."""

    def sibling(self, importer: Path, module: str, level: int) -> Path | None: ...


_analyses: WeakKeyDictionary[HasSiblings, dict[tuple[Path, Settings], ModuleFacts | None]] = WeakKeyDictionary()


class Siblings:
    """The siblings of one importer. ``found``: whether any import has led to one."""

    def __init__(self, importer: Path, settings: Settings, rules: RuleBook, project: HasSiblings) -> None:
        self._importer, self._settings, self._rules, self._project = importer, settings, rules, project
        self._analysed = _analyses.setdefault(project, {})
        self.found = False

    def twin(self, dotted: str) -> Path | None:
        """The source file that a module name with leading dots means, if it has a twin."""
        module = dotted.lstrip(".")
        path = self._project.sibling(self._importer, module, len(dotted) - len(module))
        self.found = self.found or path is not None
        return path

    def imported(self, qualified: str, into: ModuleFacts) -> Kind | None:
        """What ``from module import name`` or ``import module`` binds; None if that is no sibling's business."""
        if self.twin(qualified) is not None:
            return Kind("module", detail=f"{PROJECT}{qualified}")
        space, _, name = qualified.rpartition(".")
        module = f"{space}." if qualified.startswith(".") and not space.strip(".") else space
        return self.member(module, name, into) if module else None

    def member(self, module: str, name: str, into: ModuleFacts) -> Kind | None:
        """An attribute of a sibling module: one of its names, or a module below it."""
        module = module.removeprefix(PROJECT)
        inner = f"{module}{'' if module.endswith('.') else '.'}{name}"
        if self.twin(inner) is not None:
            return Kind("module", detail=f"{PROJECT}{inner}")
        facts = self._facts(module)
        if facts is None:
            return None
        into.known.update(facts.known)
        return facts.globals.get(name)

    def exports(self, module: str, into: ModuleFacts) -> Iterator[tuple[str, Kind]]:
        """The names that ``from module import *`` binds."""
        facts = self._facts(module)
        if facts is not None:
            into.known.update(facts.known)
            yield from ((name, kind) for name, kind in facts.globals.items() if not name.startswith("_"))

    def _facts(self, module: str) -> ModuleFacts | None:
        path = self.twin(module)
        if path is None:
            return None
        key = (path, self._settings)
        if key not in self._analysed:
            self._analysed[key] = None  # an import cycle sees nothing
            try:
                tree = cst.parse_module(path.read_text(encoding="utf-8-sig"))
                inner = Siblings(path, self._settings, self._rules, self._project)
                self._analysed[key] = analyse(tree, self._rules, self._settings, inner)
            except (OSError, UnicodeDecodeError, cst.ParserSyntaxError):
                return None
        return self._analysed[key]
