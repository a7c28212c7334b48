"""The command ``torch2jax``. Exit codes: 0 clean, 1 findings (errors or warnings), 2 wrong usage or a crash.

Each verb imports what it needs when it runs: ``check`` of twins that have not drifted loads no parser.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from . import __version__
from .console import CRASH, FORMATS, Console, difference

Verb = Callable[..., None]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: the process at once if the arguments are its own, else by SystemExit."""
    gc.disable()  # syntax trees are many objects and few cycles: collecting seldom saves a fifth of the time
    try:
        code = cli.main(arguments, prog_name="torch2jax", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = CRASH
    except (click.Abort, KeyboardInterrupt):
        click.echo("torch2jax: interrupted", err=True)
        code = CRASH
    except BrokenPipeError:  # `torch2jax ... | head`; stdout must not be flushed again on the way out
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = CRASH
    except Exception as error:
        _confess(error, verbose=bool({"-v", "--verbose"} & set(sys.argv if arguments is None else arguments)))
        code = CRASH
    finally:
        gc.enable()
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """End the process without taking apart what it holds: the trees of a package are millions of objects."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = CRASH
    os._exit(code)


def _confess(error: Exception, verbose: bool) -> None:
    """A defect of the tool: say so; the traceback is for those who asked for details."""
    if verbose:
        import traceback

        traceback.print_exception(error)
    click.echo(f"torch2jax: internal error: {type(error).__name__}: {error}", err=True)
    click.echo("  hint: please report it with the output of the same command with -v", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torch2jax", message="%(prog)s %(version)s")
def cli() -> None:
    """Turn PyTorch modules into readable JAX twins that stand beside them."""


def _talking(verb: Verb) -> Callable[..., int]:
    """The options of every verb that reads sources. The verb gets a Console; what it raises becomes a diagnostic."""

    @click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How diagnostics are written.")
    @click.option("-q", "--quiet", is_flag=True, help="Errors and warnings only.")
    @click.option("-v", "--verbose", is_flag=True, help="More about what is done.")
    @functools.wraps(verb)
    def talking(form: str, quiet: bool, verbose: bool, **options: Any) -> int:
        console = Console(form, quiet, verbose)
        _guarded(verb, console, options)
        return console.close()

    return talking


def _guarded(verb: Verb, console: Console, options: dict[str, Any]) -> None:
    """Run a verb; a path, a configuration or a rule file that cannot be used ends it with a clear message."""
    from .transpile.diagnostics import Diagnostic, Severity
    from .transpile.discovery import PathError
    from .transpile.files import SourceError
    from .transpile.settings import ConfigurationError

    try:
        verb(console=console, **options)
    except PathError as error:
        raise click.UsageError(str(error)) from None
    except SourceError as error:
        console.report([error.diagnostic])
    except ConfigurationError as error:
        where = (error.path, error.line, 1, error.line, 1)
        console.report([Diagnostic(*where, Severity.ERROR, "bad-configuration", error.message)])
    except Exception as error:
        from .transpile.rules import RuleError

        if not isinstance(error, RuleError):
            raise
        where = (error.path, error.line, 1, error.line, 1)
        console.report([Diagnostic(*where, Severity.ERROR, "bad-rules", error.message)])


@cli.command()
@click.argument("paths", nargs=-1)
@click.option("--diff", is_flag=True, help="Print what the tool changes, source to twin, and write nothing.")
@click.option("--strict", is_flag=True, help="Write no twin for a file with an error.")
@_talking
def transpile(console: Console, paths: tuple[str, ...], diff: bool, strict: bool) -> None:
    """Write the twin of each source in PATHS: model/loss.py to model/loss_jax.py.

    A path is a file, a folder (the files in it that use torch), a pattern, or - for standard input, whose twin goes to
    standard output. Without PATHS, the twins below the current folder that have drifted are brought up to date.
    """
    from .transpile.discovery import discover
    from .transpile.project import Project

    if "-" in paths:
        _transpile_stdin(console, paths, diff, strict)
        return
    project = Project()
    sources = discover(paths, project) if paths else _drifted(console, project)
    named = {os.path.abspath(path) for path in paths}
    for source in _sparingly(sources):
        _transpile_file(console, source, project, diff, strict, os.path.abspath(source) in named)


def _sparingly(sources: Iterable[Path]) -> Iterator[Path]:
    """The sources, with the garbage of some dozens of files collected at once, and what is left not looked at again."""
    for number, source in enumerate(sources, 1):
        yield source
        if number % 32 == 0:
            gc.collect()
            gc.freeze()


def _drifted(console: Console, project: Any) -> list[Path]:
    """The sources of the twins below the current folder that are not what the tool would write."""
    from .transpile.drift import examine, known

    found = []
    for source in known("."):
        drift = examine(source, project)
        if source.exists() and drift.diagnostics:
            found.append(source)
        else:
            console.report(drift.diagnostics)
    console.detail(f"{len(found)} twins to bring up to date")
    return found


def _transpile_file(console: Console, source: Path, project: Any, diff: bool, strict: bool, named: bool) -> None:
    from .transpile.drift import publish
    from .transpile.files import SourceError, twin_path
    from .transpile.project import build

    text, diagnostics = build(source, project)
    console.report(one for one in diagnostics if named or one.code != "no-torch")
    twin = twin_path(source)
    if text is None:
        return
    if strict and _has_error(diagnostics):
        console.say(f"did not write {twin}")
    elif diff:
        from .transpile.files import read_source

        console.data(difference(read_source(source), text, str(source), str(twin)))
    else:
        try:
            changed = publish(source, text)
        except SourceError as error:
            console.report([error.diagnostic])
            return
        console.written += [str(twin)] * changed
        console.say(f"wrote {twin}" if changed else f"{twin} is up to date")


def _has_error(diagnostics: Sequence[Any]) -> bool:
    return any(diagnostic.severity.value == "error" for diagnostic in diagnostics)


def _transpile_stdin(console: Console, paths: tuple[str, ...], diff: bool, strict: bool) -> None:
    """The twin without its header: it has no source to follow."""
    from .transpile.files import decode
    from .transpile.project import Project, translate

    if len(paths) > 1:
        raise click.UsageError("- stands alone: standard input is one source")
    if console.form != "text":
        raise click.UsageError(f"--format {console.form} and the twin of - both go to standard output")
    data = sys.stdin.buffer.read()
    result = translate("<stdin>", Project(), data)
    console.report(result.diagnostics)
    if result.body is not None and not (strict and _has_error(result.diagnostics)):
        before = decode(data, "<stdin>")
        console.data(difference(before, result.body, "<stdin>", "<stdout>") if diff else result.body)


@cli.command()
@click.argument("paths", nargs=-1)
@click.option("--diff", is_flag=True, help="Print how each drifted twin would change.")
@_talking
def check(console: Console, paths: tuple[str, ...], diff: bool) -> None:
    """Compare twins with their sources and name the drift; write nothing.

    With PATHS (files, folders, patterns) every source in them must have a twin; without, the twins below the current
    folder are checked.
    """
    from .transpile.discovery import discover
    from .transpile.drift import examine, known, orphans
    from .transpile.project import Project

    project = Project()
    if paths:
        sources = [*discover(paths, project), *orphans([path for path in paths if os.path.isdir(path)])]
    else:
        sources = list(known("."))
    drifted = 0
    for source in sources:
        drift = examine(source, project)
        console.report(drift.diagnostics)
        drifted += bool(drift.diagnostics)
        if diff and drift.expected is not None:
            console.data(difference(drift.actual, drift.expected, f"{source} (twin on disk)", f"{source} (twin due)"))
    console.say(f"checked {len(sources)} source{'s' * (len(sources) != 1)}, {drifted} drifted")


@cli.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def explain(names: tuple[str, ...]) -> int:
    """Show the rules of a torch API (torch.std), with a before and after, or what a diagnostic code means.

    Rules and settings of the project in the current folder count.
    """
    console = Console()
    _guarded(_explain, console, {"names": names})
    return console.close()


def _explain(console: Console, names: tuple[str, ...]) -> None:
    from .transpile.explain import Unknown, explain

    for name in names:
        try:
            console.data(explain(name))
        except Unknown as error:
            console.complain(str(error))


@cli.command()
@click.argument("paths", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How counts are written.")
def coverage(paths: tuple[str, ...], form: str) -> int:
    """Count the torch APIs that PATHS use, translated or not; without PATHS, what the rule table holds."""
    console = Console()
    _guarded(_coverage, console, {"paths": paths, "form": form})
    return console.close()


def _coverage(console: Console, paths: tuple[str, ...], form: str) -> None:
    import json

    from .transpile import coverage as counts
    from .transpile.project import Project

    project = Project()
    if paths:
        rows = counts.count(_uses(console, paths, project))
        console.data(json.dumps(counts.record(rows), indent=2) if form == "json" else counts.table(rows))
    else:
        spaces = counts.namespaces(project.rules(project.settings("here.py")))
        console.data(json.dumps([space._asdict() for space in spaces]) if form == "json" else counts.rule_table(spaces))


def _uses(console: Console, paths: tuple[str, ...], project: Any) -> Iterator[Any]:
    """Every use of torch in the sources; one that cannot be read is reported, and the others go on."""
    from .transpile.discovery import discover
    from .transpile.files import SourceError
    from .transpile.project import translate

    for source in _sparingly(discover(paths, project)):
        try:
            result = translate(source, project)
        except SourceError as error:
            console.report([error.diagnostic])
        else:
            console.report(one for one in result.diagnostics if one.code in ("syntax-error", "internal-error"))
            yield from result.uses
