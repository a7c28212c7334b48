"""What the command line says, and where: data to stdout, talk to stderr, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import click

from . import __version__
from .transpile.diagnostics import Diagnostic, Severity, render

FORMATS = ("text", "json", "github", "sarif")
CLEAN, FINDINGS, CRASH = 0, 1, 2
# A diagnostic with one of these codes means that the run itself failed.
_CRASHES = frozenset({"internal-error", "bad-rules", "bad-configuration"})
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class Console:
    """Collects the diagnostics of a run and prints them, at once as text or at the end for a machine."""

    def __init__(self, form: str = "text", quiet: bool = False, verbose: bool = False) -> None:
        self.form, self.quiet, self.verbose = form, quiet, verbose
        self.diagnostics: list[Diagnostic] = []
        self.written: list[str] = []
        self._complaints = 0

    def report(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take diagnostics in; as text they appear now, those of a file in the order of its lines."""
        for diagnostic in sorted(diagnostics, key=lambda one: (one.path, one.line, one.column)):
            if self.quiet and diagnostic.severity is Severity.NOTE:
                continue
            self.diagnostics.append(diagnostic)
            if self.form == "text":
                click.echo(_coloured(diagnostic), err=True, color=colour(sys.stderr))

    def say(self, text: str) -> None:
        """Talk, unless asked to be quiet."""
        if not self.quiet:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Talk for those who asked for more."""
        if self.verbose:
            click.echo(text, err=True)

    def complain(self, text: str) -> None:
        """Something asked for is not there, and no source is to blame."""
        self._complaints += 1
        click.echo(f"torch2jax: {text}", err=True)

    def data(self, text: str) -> None:
        """What the command was asked for."""
        click.echo(text, nl=not text.endswith("\n"))

    def close(self) -> int:
        """Print what a machine asked for, sum up for a person, and return the exit code."""
        if self.form == "text":
            self._sum_up()
        else:
            self._emit()
        if any(diagnostic.code in _CRASHES for diagnostic in self.diagnostics):
            return CRASH
        findings = any(diagnostic.severity is not Severity.NOTE for diagnostic in self.diagnostics)
        return FINDINGS if findings or self._complaints else CLEAN

    def _emit(self) -> None:
        from .transpile import formats

        if self.form == "json":
            self.data(formats.to_json(self.diagnostics, written=self.written))
        elif self.form == "sarif":
            from .transpile.explain import codes

            self.data(formats.to_sarif(self.diagnostics, codes(), __version__))
        elif self.diagnostics:
            self.data(formats.to_github(self.diagnostics))

    def _sum_up(self) -> None:
        counts = [(sum(one.severity is severity for one in self.diagnostics), severity.value) for severity in Severity]
        parts = [f"{number} {word}{'s' * (number > 1)}" for number, word in counts if number and word != "note"]
        if parts:
            self.say(f"found {' and '.join(parts)}")


def _coloured(diagnostic: Diagnostic) -> str:
    label = f"{diagnostic.severity.value}[{diagnostic.code}]"
    return render(diagnostic).replace(label, click.style(label, fg=_COLOURS[diagnostic.severity], bold=True), 1)


def colour(stream: object) -> bool:
    """Whether to write colours to a stream: a terminal, and nobody has set NO_COLOR."""
    return not os.environ.get("NO_COLOR") and bool(getattr(stream, "isatty", bool)())


def difference(before: str, after: str, old: str, new: str) -> str:
    """A unified diff; empty if the texts are equal."""
    import difflib

    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
