"""From a source to its twin: parse, analyse, rewrite, emit. The page to read first.

1. ``libcst`` parses the source, keeping every comment and blank.
2. ``analysis`` walks the statements in order and finds the kind of every expression, the rule of every call of torch
   (``overloads``), what must be static under jit, and the writes that a second name would see.
3. ``bodies`` walks the statements again: the ``passes`` put what is special about statements into functional form,
   ``rewrite`` fills the rules' expressions. What cannot be carried over becomes a stub and a diagnostic.
4. ``emit`` adds imports and the helpers used, and takes away what nothing needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from .analysis import analyse
from .bodies import BodyRewriter
from .diagnostics import CODES, Diagnostic, Severity
from .emit import emit
from .facts import ModuleFacts
from .findings import Finding
from .positions import spans
from .rules import RuleBook
from .settings import Settings
from .siblings import HasSiblings, Siblings
from .stubs import placed
from .syntax import parse
from .twin_names import LIBRARIES, TwinNames
from .wrapping import limit_for, wrapped


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


def transpile(
    source: str, path: str, settings: Settings, rules: RuleBook, project: HasSiblings | None = None
) -> Result:
    """The twin of one module. Never raises for what is wrong with the source: that is what diagnostics are for.

    path: names the file in messages, and tells where siblings are looked for
    """
    try:
        tree = parse(source)
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
    facts = siblings.own(tree) if siblings else analyse(tree, rules, settings)
    rewriter = BodyRewriter(facts, source, siblings.twin if siblings else None)
    lines = rewriter.module_body()
    clash = _clash(rewriter)
    if clash:
        return Result(
            None,
            (
                _whole_file(
                    path, "unsupported-syntax", f"the source calls something else {clash}, which the twin needs"
                ),
            ),
        )
    if not facts.torch_names and not (siblings and siblings.found):
        return Result(None, (_whole_file(path, "no-torch", "the file does not use torch; nothing is written"),))
    body, names = emit(rewriter, lines, os.path.basename(path) == "__init__.py")
    places = _Places(tree, source, path, rewriter)
    body = placed(body, os.path.basename(path), [places.line(node) for node in rewriter.stub_places])
    body = wrapped(body, source, limit_for(source, facts.settings.line_length))
    left = _left_over(names, facts, path)

    def find_uses() -> tuple[Use, ...]:
        where = spans(tree, source, facts.uses)
        return tuple(Use(name, where.get(node, (0,))[0], done) for node, (name, done) in facts.uses.items())

    used = facts.rules_used() | rewriter.fired
    return Result(body, tuple(sorted([*places.diagnostics(), *left])), used, find_uses)


def _left_over(names: TwinNames, facts: ModuleFacts, path: str) -> list[Diagnostic]:
    """The last check: a name that an import of torch binds in the source, and nothing in the twin, must not survive."""
    left: dict[str, set[str]] = {}
    for place, name in names.loads:
        if name in facts.torch_names and name not in names.bound:
            left.setdefault(place, set()).add(name)
    return [
        _whole_file(path, "left-torch", f"{', '.join(sorted(found))} of torch is left in {place}")
        for place, found in left.items()
    ]


def _clash(rewriter: BodyRewriter) -> str:
    """A name the twin needs that the source gives another meaning."""
    wanted = rewriter.libraries & rewriter.words & set(LIBRARIES)
    return next((name for name in sorted(wanted) if name in rewriter.bound), "")


class _Places:
    """Turns findings into diagnostics; positions are computed once, and only if something needs one."""

    def __init__(self, tree: cst.Module, source: str, path: str, rewriter: BodyRewriter) -> None:
        self._rewriter, self._path, self._tree, self._source = rewriter, path, tree, source
        self._lines = source.splitlines()
        self._wanted = [*rewriter.stub_places, *rewriter.skipped]
        self._wanted += [finding.node for _, finding in rewriter.findings + rewriter.obstacles]
        self._wanted += [finding.node for finding in rewriter.notes]
        self._spans: dict[cst.CSTNode, tuple[int, int, int, int]] | None = None

    def span(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        if self._spans is None:
            self._spans = spans(self._tree, self._source, self._wanted)
        return self._spans.get(node, (0, 0, 0, 0))

    def line(self, node: cst.CSTNode) -> int:
        return self.span(node)[0]

    def diagnostics(self) -> list[Diagnostic]:
        found = [self._diagnostic(finding, name) for name, finding in self._rewriter.findings]
        found += [self._diagnostic(finding, name) for name, finding in self._rewriter.obstacles]
        found += [self._diagnostic(finding, "") for finding in self._rewriter.notes]
        found += [
            self._diagnostic(Finding(node, "skipped", "left out by `# torch2jax: skip`"), "")
            for node in self._rewriter.skipped
        ]
        return sorted(set(found))

    def _diagnostic(self, finding: Finding, function: str) -> Diagnostic:
        line, column, end_line, end_column = self.span(finding.node)
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        code = CODES[finding.code]
        message = finding.message
        return Diagnostic(
            self._path,
            line,
            column,
            end_line,
            end_column,
            code.severity,
            finding.code,
            message,
            finding.hint,
            text,
            function,
        )


def _whole_file(path: str, code: str, message: str) -> Diagnostic:
    return Diagnostic(path, 0, 0, 0, 0, CODES[code].severity, code, message)


def _syntax_error(error: cst.ParserSyntaxError, source: str, path: str) -> Diagnostic:
    lines = source.splitlines()
    line = min(max(error.raw_line, 1), max(len(lines), 1))
    column = error.raw_column + 1
    text = lines[line - 1] if lines else ""
    return Diagnostic(
        path, line, column, line, column + 1, Severity.ERROR, "syntax-error", str(error.message), "", text
    )
