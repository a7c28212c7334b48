"""From a source to its twin: parse, analyse, rewrite, emit. The page to read first.

1. ``libcst`` parses the source, keeping every comment and blank.
2. ``analysis`` walks the statements in order and finds the kind of every expression, the rule of every call of torch
   (``overloads``), what must be static under jit, and the writes that a second name would see.
3. ``bodies`` walks the statements again: the ``passes`` put what is special about statements into functional form,
   ``rewrite`` fills the rules' expressions. What cannot be carried over becomes a stub and a diagnostic.
4. ``emit`` adds imports and the helpers used, and takes away what nothing needs.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import libcst as cst

from .analysis import analyse
from .bodies import BodyRewriter
from .diagnostics import CODES, Diagnostic, Severity
from .emit import emit
from .facts import Finding, ModuleFacts
from .kinds import Kind
from .positions import spans
from .rules import RuleBook
from .settings import Settings
from .stubs import placed


@dataclass(frozen=True)
class Use:
    """One use of a name of torch: where, and whether the twin carries it."""

    name: str
    line: int
    translated: bool


@dataclass(frozen=True)
class Result:
    """body: the twin's text without its header, None where nothing is to be written
    rules: the rules that fired, as ``rules.yaml:LINE``
    """

    body: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    rules: frozenset[str] = frozenset()
    find_uses: Callable[[], tuple[Use, ...]] = tuple

    @property
    def uses(self) -> tuple[Use, ...]:
        """Every use of a name of torch; places are computed when asked for."""
        return self.find_uses()


class HasSiblings(Protocol):
    """What the pipeline asks of a project: the source file behind an import, if that file has a twin."""

    def sibling(self, importer: Path, module: str, level: int) -> Path | None: ...


def transpile(
    source: str, path: str, settings: Settings, rules: RuleBook, project: HasSiblings | None = None
) -> Result:
    """The twin of one module. Never raises for what is wrong with the source: that is what diagnostics are for.

    path: names the file in messages, and tells where siblings are looked for
    """
    try:
        tree = cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        return Result(None, (_syntax_error(error, source, path),))
    except RecursionError:
        return Result(None, (_whole_file(path, "too-deep", "the source nests too deeply to be read"),))
    try:
        return _translated(tree, source, path, settings, rules, project)
    except RecursionError:
        return Result(None, (_whole_file(path, "too-deep", "the source nests too deeply to be analysed"),))


def _translated(
    tree: cst.Module, source: str, path: str, settings: Settings, rules: RuleBook, project: HasSiblings | None
) -> Result:
    siblings = Siblings(Path(path), settings, rules, project) if project is not None else None
    facts = analyse(tree, rules, settings, siblings.kind if siblings else None)
    rewriter = BodyRewriter(facts, taken_names(source), os.path.basename(path), siblings.twin if siblings else None)
    lines = rewriter.module_body()
    if not facts.torch_names and not facts.uses and not (siblings and siblings.found):
        return Result(None, (_whole_file(path, "no-torch", "the file does not use torch; nothing is written"),))
    body = emit(rewriter, lines, os.path.basename(path) == "__init__.py")
    places = _Places(tree, source, path, rewriter)
    body = placed(body, os.path.basename(path), [places.line(node) for node in rewriter.stub_places])
    ast.parse(body)

    def find_uses() -> tuple[Use, ...]:
        return tuple(Use(name, places.line(node), done) for node, (name, done) in facts.uses.items())

    return Result(body, tuple(places.diagnostics()), frozenset(rewriter.fired), find_uses)


def taken_names(source: str) -> set[str]:
    """Every word of the source: names that a helper must not take."""
    return set(re.findall(r"\b_\w+\b", source))


class Siblings:
    """Imports of one module that lead to other modules of the project."""

    def __init__(self, importer: Path, settings: Settings, rules: RuleBook, project: HasSiblings) -> None:
        self._importer, self._settings, self._rules, self._project = importer, settings, rules, project
        self._globals: dict[Path, ModuleFacts | None] = {}
        self.found = False

    def twin(self, dotted: str) -> Path | None:
        """The source file that a module name with leading dots means, if it has a twin."""
        module = dotted.lstrip(".")
        path = self._project.sibling(self._importer, module, len(dotted) - len(module))
        self.found = self.found or path is not None
        return path

    def kind(self, qualified: str) -> Kind | None:
        """What an imported name of a sibling is; None if it is no sibling's."""
        space, _, name = qualified.rpartition(".")
        module = space + "." if qualified.startswith(".") and not space.strip(".") else space
        if not name or not module:
            return None
        path = self.twin(module) if module.strip(".") else None
        if path is None:
            return None
        facts = self._facts(path)
        return facts.globals.get(name) if facts else None

    def _facts(self, path: Path) -> ModuleFacts | None:
        if path not in self._globals:
            self._globals[path] = None  # an import cycle sees nothing
            try:
                tree = cst.parse_module(path.read_text(encoding="utf-8-sig"))
                inner = Siblings(path, self._settings, self._rules, self._project)
                inner._globals = self._globals
                self._globals[path] = analyse(tree, self._rules, self._settings, inner.kind)
            except (OSError, UnicodeDecodeError, cst.ParserSyntaxError):
                return None
        return self._globals[path]


class _Places:
    """Turns findings into diagnostics; positions are computed once, and only if something needs one."""

    def __init__(self, tree: cst.Module, source: str, path: str, rewriter: BodyRewriter) -> None:
        self._rewriter, self._path, self._tree = rewriter, path, tree
        self._lines = source.splitlines()
        self._wanted = [*rewriter.stub_places, *rewriter.facts.uses, *rewriter.skipped]
        self._wanted += [finding.node for _, finding in rewriter.findings + rewriter.obstacles]
        self._wanted += [finding.node for finding in rewriter.notes]
        self._spans: dict[cst.CSTNode, tuple[int, int, int, int]] | None = None

    def span(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        if self._spans is None:
            self._spans = spans(self._tree, self._wanted)
        return self._spans.get(node, (0, 0, 0, 0))

    def line(self, node: cst.CSTNode) -> int:
        return self.span(node)[0]

    def diagnostics(self) -> list[Diagnostic]:
        found = [self._diagnostic(finding, name) for name, finding in self._rewriter.findings]
        found += [self._diagnostic(finding, name) for name, finding in self._rewriter.obstacles]
        found += [self._diagnostic(finding, "") for finding in self._rewriter.notes]
        found += [
            self._diagnostic(Finding(node, "skipped", "left out by `# torch2jax: skip`"), "") for node in self._rewriter.skipped
        ]
        return sorted(set(found))

    def _diagnostic(self, finding: Finding, function: str) -> Diagnostic:
        line, column, end_line, end_column = self.span(finding.node)
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        code = CODES[finding.code]
        message = finding.message
        return Diagnostic(
            self._path, line, column, end_line, end_column, code.severity, finding.code, message, finding.hint, text, function
        )


def _whole_file(path: str, code: str, message: str) -> Diagnostic:
    return Diagnostic(path, 0, 0, 0, 0, CODES[code].severity, code, message)


def _syntax_error(error: cst.ParserSyntaxError, source: str, path: str) -> Diagnostic:
    lines = source.splitlines()
    line = min(max(error.raw_line, 1), max(len(lines), 1))
    column = error.raw_column + 1
    text = lines[line - 1] if lines else ""
    return Diagnostic(path, line, column, line, column + 1, Severity.ERROR, "syntax-error", str(error.message), "", text)
