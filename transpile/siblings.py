"""Other modules of the project, as one module's imports see them.

A sibling that has a twin is analysed too, so that a call of its function is known as well as one of the module's own.
What is found is kept for the project, and must not depend on which file was asked for first. So the packages around a
module are analysed before it, as Python imports them; and where modules import each other, what was found of one while
another was under way is used for that other alone, and found anew afterwards.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary

import libcst as cst

from .analysis import analyse
from .facts import ModuleFacts
from .kinds import UNKNOWN, Kind
from .names import is_torch
from .rules import RuleBook
from .settings import Settings
from .syntax import parse

PROJECT = "project:"


class HasSiblings(Protocol):
    """What is asked of a project: the source file behind an import, if that file has a twin."""

    def sibling(self, importer: Path, module: str, level: int) -> Path | None: ...


Key = tuple[Path, Settings]


@dataclass
class _Analyses:
    """The analyses of one project.

    settled:     the complete ones that nothing under way has had a part in
    importers:   files with an import that led to a sibling
    under_way:   modules whose analysis has begun, outermost first
    provisional: analyses that saw nothing of a module under way, with the lowest place of such a module in the list
    lowest:      the lowest place that the analysis going on has come upon
    """

    complete: dict[Key, ModuleFacts | None] = field(default_factory=dict)
    settled: set[Key] = field(default_factory=set)
    importers: set[Path] = field(default_factory=set)
    under_way: list[Key] = field(default_factory=list)
    provisional: dict[Key, tuple[ModuleFacts | None, int]] = field(default_factory=dict)
    lowest: int = sys.maxsize


_analyses: WeakKeyDictionary[HasSiblings, _Analyses] = WeakKeyDictionary()


class Siblings:
    """The siblings of one importer. ``found``: whether any of its imports has led to one."""

    def __init__(self, importer: Path, settings: Settings, rules: RuleBook, project: HasSiblings) -> None:
        self._importer = Path(os.path.abspath(importer))
        self._settings, self._rules, self._project = settings, rules, project
        self._known = _analyses.setdefault(project, _Analyses())

    @property
    def found(self) -> bool:
        return self._importer in self._known.importers

    def own(self, tree: cst.Module) -> ModuleFacts:
        """The analysis of the importer itself."""
        key = (self._importer, self._settings)
        facts = self._known.complete[key] if key in self._known.settled else None
        if facts is not None and facts.tree is tree:
            return facts
        return analyse(tree, self._rules, self._settings, self)

    def twin(self, dotted: str) -> Path | None:
        """The source file that a module name with leading dots means, if it has a twin."""
        module = dotted.lstrip(".")
        path = self._project.sibling(self._importer, module, len(dotted) - len(module))
        if path is not None:
            self._known.importers.add(self._importer)
        return path

    def imported(self, qualified: str, local: str, into: ModuleFacts) -> Kind | None:
        """What ``from module import name as local`` or ``import module`` binds; None if that is no sibling's business.

        What is torch's in the sibling is torch's here as well; what the sibling's twin does not have is missing here.
        """
        space, _, name = qualified.rpartition(".")
        module = f"{space}." if qualified.startswith(".") and not space.strip(".") else space
        if not module:
            return Kind("module", detail=f"{PROJECT}{qualified}") if self.twin(qualified) is not None else None
        kind = self.member(module, name, into)
        facts = self._facts(module)
        if facts is not None:
            _pass_on(facts, name, local, into)
        return kind

    def member(self, module: str, name: str, into: ModuleFacts) -> Kind | None:
        """An attribute of a sibling module: one of its names, else a module below it.

        A package may bind the name of a module below it to something else, mostly to the function of that name.
        """
        module = module.removeprefix(PROJECT)
        inner = f"{module}{'' if module.endswith('.') else '.'}{name}"
        facts = self._facts(module)
        kind = facts.globals.get(name) if facts is not None else None
        if kind is None and self.twin(inner) is not None:
            return Kind("module", detail=f"{PROJECT}{inner}")
        if facts is not None:
            into.adopt(facts)
        return kind

    def lacks(self, module: str, name: str) -> bool:
        """Whether the twin of a sibling does not have a name that the sibling has."""
        facts = self._facts(module.removeprefix(PROJECT))
        return facts is not None and name in facts.missing

    def exports(self, module: str, into: ModuleFacts) -> Iterator[tuple[str, Kind]]:
        """The names that ``from module import *`` binds."""
        facts = self._facts(module)
        if facts is not None:
            into.adopt(facts)
            for name, kind in facts.globals.items():
                if not name.startswith("_"):
                    _pass_on(facts, name, name, into)
                    yield name, kind

    def _facts(self, module: str) -> ModuleFacts | None:
        path = self.twin(module)
        if path is None:
            return None
        key = (path, self._settings)
        if key not in self._known.complete:
            for package in self._packages(path):
                if (package, self._settings) not in self._known.under_way:
                    self._analysis((package, self._settings))
        return self._analysis(key)

    def _packages(self, path: Path) -> list[Path]:
        """The ``__init__`` files, of those that have twins, of the packages around a file, outermost first."""
        folder, found = path.parent, []
        level = 2 if path.name == "__init__.py" else 1
        while (folder / "__init__.py").exists():
            found.append(self._project.sibling(path, "", level))
            folder, level = folder.parent, level + 1
        return [package for package in reversed(found) if package is not None and package != path]

    def _analysis(self, key: Key) -> ModuleFacts | None:
        known = self._known
        if key in known.complete:
            return known.complete[key]
        if key in known.provisional:
            facts, lowest = known.provisional[key]
            known.lowest = min(known.lowest, lowest)
            return facts
        if key in known.under_way:  # an import cycle sees nothing
            known.lowest = min(known.lowest, known.under_way.index(key))
            return None
        place, outer, known.lowest = len(known.under_way), known.lowest, sys.maxsize
        known.under_way.append(key)
        try:
            facts = self._analysed(key[0])
        finally:
            known.under_way.pop()
            lowest, known.lowest = known.lowest, outer
        if lowest == sys.maxsize:
            known.settled.add(key)
        if lowest >= place:
            known.complete[key] = facts
            known.provisional = {other: entry for other, entry in known.provisional.items() if entry[1] < place}
        else:
            known.provisional[key] = facts, lowest
            known.lowest = min(outer, lowest)
        return facts

    def _analysed(self, path: Path) -> ModuleFacts | None:
        try:
            tree = parse(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, cst.ParserSyntaxError):
            return None
        return analyse(tree, self._rules, self._settings, Siblings(path, self._settings, self._rules, self._project))


def _pass_on(facts: ModuleFacts, name: str, local: str, into: ModuleFacts) -> None:
    """Enter a name that comes from a sibling's source and not from its twin."""
    if name in facts.torch_names or is_torch(facts.globals.get(name, UNKNOWN).detail):
        into.torch_names.add(local)
    elif name in facts.missing:
        into.missing.add(local)
