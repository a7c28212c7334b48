"""The twin of a source given as text, what the tool says of it, and whether it does what torch does."""

from __future__ import annotations

import ast
import functools
import sys
import textwrap
from types import ModuleType
from typing import TYPE_CHECKING

from jaxtwin.transpile.diagnostics import Diagnostic, Severity
from jaxtwin.transpile.pipeline import Result, transpile
from jaxtwin.transpile.rules import RuleBook, load
from jaxtwin.transpile.settings import Settings

if TYPE_CHECKING:
    from jaxtwin.verify.modules import Pair

IMPORTS = "import torch\nimport torch.nn.functional as F\n\n\n"


def function(body: str, parameters: str = "x: torch.Tensor", name: str = "f") -> str:
    """The source of a function; ``; `` separates the statements of its body as a new line does."""
    lines = textwrap.indent(body.replace("; ", "\n"), "    ")
    return ast.unparse(ast.parse(f"def {name}({parameters}):\n{lines}")) + "\n"


@functools.cache
def rules() -> RuleBook:
    return load()


def translated(source: str, *, x64: bool = False, bare: bool = False) -> Result:
    """The result for a dedented source, under torch's imports unless it is ``bare``."""
    text = textwrap.dedent(source).lstrip("\n")
    return transpile(text if bare else IMPORTS + text, "m.py", Settings(x64=x64), rules())


def twin(source: str, *, x64: bool = False, bare: bool = False) -> str:
    """The text of the twin; there must be one."""
    body = translated(source, x64=x64, bare=bare).body
    assert body is not None
    return body


def definitions(source: str, *, x64: bool = False) -> str:
    """The twin less its imports and the blank lines around it."""
    body = twin(source, x64=x64)
    lines = [line for line in body.split("\n") if not line.startswith(("import ", "from "))]
    return "\n".join(lines).strip("\n") + "\n"


def diagnostics(source: str, *, x64: bool = False, bare: bool = False) -> tuple[Diagnostic, ...]:
    return translated(source, x64=x64, bare=bare).diagnostics


def codes(source: str, *, x64: bool = False, bare: bool = False) -> set[str]:
    return {diagnostic.code for diagnostic in diagnostics(source, x64=x64, bare=bare)}


def errors(source: str) -> set[str]:
    """The codes of what could not be carried over."""
    return {diagnostic.code for diagnostic in diagnostics(source) if diagnostic.severity is Severity.ERROR}


def differences(source: str, *calls: str, x64: bool = False) -> list[str]:
    """Where the twin does something else than torch in these calls: values, dtypes, gradients, arguments changed.

    A call is text, such as ``f(torch.randn(3), dim=0)``; it is evaluated with torch seeded.
    """
    from jaxtwin.verify.equivalence import compare_call
    from jaxtwin.verify.examples import Example, evaluate

    pair = loaded(source, x64=x64)
    found = []
    for index, call in enumerate(calls):
        case = evaluate(Example(call.partition("(")[0], call, 0, index), pair.original)
        found += [f"{call}: {failure}" for failure in compare_call(pair, case).failures]
    return found


def loaded(source: str, *, x64: bool = False) -> Pair:
    """The source and its twin, both run as modules."""
    import jax
    from jaxtwin.verify.modules import Pair

    text = IMPORTS + textwrap.dedent(source).lstrip("\n")
    original = executed("_original", text)
    before = jax.config.jax_enable_x64  # type: ignore[attr-defined]
    try:
        return Pair(original, executed("_twin", twin(source, x64=x64)), x64)
    finally:
        jax.config.update("jax_enable_x64", before)


def executed(name: str, text: str) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)  # where dataclasses look for the module of their class
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module


def assert_same(source: str, *calls: str, x64: bool = False) -> None:
    """Nothing in the source is refused, and the twin does what torch does."""
    assert errors(source) == set()
    assert differences(source, *calls, x64=x64) == []


def assert_sound(source: str, *calls: str) -> None:
    """The source is refused, or the twin does what torch does."""
    if not errors(source):
        assert differences(source, *calls) == [], twin(source)
