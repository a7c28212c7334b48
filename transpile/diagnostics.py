"""What the tool has to say about a source, where, and how a person can help.

Each diagnostic has a named code. The codes are explained once, here: the same text feeds ``torch2jax explain CODE``
and the documentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """How far a diagnostic reaches.

    ``ERROR``: the function (or file) could not be carried over; its twin raises NotImplementedError.
    ``WARNING``: it was carried over, but something a user would expect (the jit, a double) is missing.
    ``NOTE``: worth knowing, and nothing is missing; does not change the exit code.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Code:
    """One entry of the catalogue: what it means and what to do, in Markdown."""

    name: str
    severity: Severity
    summary: str
    explanation: str


@dataclass(frozen=True, order=True)
class Diagnostic:
    """One finding. Lines and columns count from 1; ``end_column`` is exclusive; line 0 speaks of the whole file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    code: str
    message: str
    hint: str = ""
    source_line: str = ""
    function: str = ""

    @property
    def location(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


def render(diagnostic: Diagnostic) -> str:
    """The diagnostic as text: location, code and message, then the source line with carets, then the hint."""
    head = f"{diagnostic.location}: {diagnostic.severity.value}[{diagnostic.code}] {diagnostic.message}"
    lines = [head]
    if diagnostic.line and diagnostic.source_line:
        lines += _excerpt(diagnostic)
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return "\n".join(lines)


def _excerpt(diagnostic: Diagnostic) -> list[str]:
    """The source line and carets under its part; tabs stay tabs so that the carets stay under their text."""
    source = diagnostic.source_line.rstrip()
    start = diagnostic.column - 1
    end = diagnostic.end_column - 1 if diagnostic.end_line == diagnostic.line else len(source)
    end = min(max(end, start + 1), max(len(source), start + 1))
    padding = "".join("\t" if character == "\t" else " " for character in source[:start])
    gutter = f"{diagnostic.line:5} | "
    return [gutter + source, " " * (len(gutter) - 2) + "| " + padding + "^" * (end - start)]


def worst(diagnostics: Sequence[Diagnostic]) -> Severity | None:
    """The most serious severity present."""
    for severity in Severity:
        if any(diagnostic.severity is severity for diagnostic in diagnostics):
            return severity
    return None


def _code(name: str, severity: Severity, summary: str, explanation: str) -> tuple[str, Code]:
    return name, Code(name, severity, summary, " ".join(explanation.split()))


_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CODES: dict[str, Code] = dict(
    [
        _code(
            "syntax-error",
            _ERROR,
            "The source is not valid Python",
            """
        The parser could not read the file. Nothing is written. Fix the syntax at the place named; the tool reads the
        grammar of Python 3.0 to 3.13.""",
        ),
        _code(
            "unreadable",
            _ERROR,
            "The file could not be read or written",
            """
        The path is missing, is not UTF-8, or its folder cannot be written. Nothing is written. The message carries
        the reason the operating system gave.""",
        ),
        _code(
            "not-generated",
            _ERROR,
            "A file with the twin's name was written by hand",
            """
        The tool writes `NAME_jax.py` only where no such file exists or where the existing one carries the tool's
        header. Rename your file, or delete it if the twin shall take its place.""",
        ),
        _code(
            "too-deep",
            _ERROR,
            "Nested too deeply to analyse",
            """
        The expression or block nests deeper than Python's own recursion limit lets the analysis follow. Name an
        intermediate value.""",
        ),
        _code(
            "internal-error",
            _ERROR,
            "The tool failed on this function",
            """
        A defect of torch2jax, not of your code: please report it with the function. The other functions of the file
        are not affected.""",
        ),
        _code(
            "unknown-api",
            _ERROR,
            "No rule says how JAX spells this",
            """
        torch2jax has no rule for this name. Add one in your own rule file (`[tool.torch2jax] rules = [...]`, the
        grammar is the header of rules.yaml), or mark the function `# torch2jax: skip`.""",
        ),
        _code(
            "unsupported-api",
            _ERROR,
            "JAX has nothing that does this",
            """
        The rule for this name says that it cannot be carried over, and why. The hint names what to use instead.""",
        ),
        _code(
            "unknown-signature",
            _ERROR,
            "The call fits none of the signatures known",
            """
        The arguments of the call do not bind to any signature in the rules: an argument is missing, spelled in a
        way torch does not document, or has a kind that no overload takes.""",
        ),
        _code(
            "ambiguous-overload",
            _ERROR,
            "The overload depends on a value of unknown kind",
            """
        torch picks an overload by the types of its arguments, and the analysis could not tell what an argument is:
        `torch.max(x, y)` is an elementwise maximum if `y` is a tensor and a reduction if it is an int. Annotate the
        parameter (`y: torch.Tensor`, `dim: int`).""",
        ),
        _code(
            "unknown-receiver",
            _ERROR,
            "The object of this method could be a tensor or not",
            """
        The method exists on tensors and on other Python objects and is spelled differently in JAX. Annotate the
        parameter the object comes from.""",
        ),
        _code(
            "star-arguments",
            _ERROR,
            "The arguments cannot be told apart",
            """
        `f(*args)` or `f(**kwargs)` into a torch function whose parameters must be known one by one. Write the
        arguments out.""",
        ),
        _code(
            "dynamic-shape",
            _ERROR,
            "The shape of the result depends on the data",
            """
        A compiled function needs shapes that follow from the shapes of its inputs alone. Give a static bound, mask
        instead of selecting, or compute this part outside.""",
        ),
        _code(
            "mask-selects",
            _ERROR,
            "A boolean mask selects a number of elements that the data decides",
            """
        `x[mask]` has as many rows as the mask has True. Keep the full shape and neutralise what is not wanted
        (`torch.where(mask, x, 0).sum()`); stores such as `x[mask] = y[mask]` are carried over.""",
        ),
        _code(
            "aliased-write",
            _ERROR,
            "A write is seen through another name",
            """
        In torch the two names share memory, so the write changes both; arrays in JAX never change. Write through
        the base (`x[..., :2] = ...`), or `.clone()` first if the sharing is not meant.""",
        ),
        _code(
            "mutated-argument",
            _ERROR,
            "The function changes a tensor of its caller",
            """
        The write reaches the tensor that the caller passed in. Return the tensor, or work on a copy
        (`x = x.clone()`).""",
        ),
        _code(
            "no-grad-store",
            _ERROR,
            "A store under no_grad into a tensor from outside",
            """
        Such a store changes values while the gradient flows as if it had not happened. Move it out of the block, or
        store into a copy made inside.""",
        ),
        _code(
            "tensor-condition",
            _WARNING,
            "A tensor decides which Python statement runs",
            """
        Under `jax.jit` the value is not known while Python runs, so the function is left without `@jax.jit`. Use
        `torch.where`, or pass the decision as a Python value.""",
        ),
        _code(
            "concrete-value",
            _WARNING,
            "A tensor's value is needed as a Python number",
            """
        `.item()`, `float(t)`, `.tolist()` and the like need the value itself, which `jax.jit` does not have while it
        traces, so the function is left without `@jax.jit`. Keep the value a tensor.""",
        ),
        _code(
            "not-jitted",
            _WARNING,
            "The function was left without @jax.jit",
            """
        The function is translated but something in it must run in Python: see the message. Mark the function
        `# torch2jax: eager` to accept that.""",
        ),
        _code(
            "random-draw",
            _ERROR,
            "The function draws random numbers",
            """
        JAX draws from explicit keys. Draw outside and pass the tensor in.""",
        ),
        _code(
            "inner-gradient",
            _ERROR,
            "The function differentiates inside",
            """
        `torch.autograd.grad`, `.backward()` and `.grad` work on a recorded graph that JAX does not keep; use a
        function of its own and `torch.func.grad`.""",
        ),
        _code(
            "module-class",
            _ERROR,
            "A class of torch",
            """
        Subclasses of `nn.Module`, `autograd.Function` and other torch classes are not translated. Move the
        computation into a function that takes the parameters as tensors.""",
        ),
        _code(
            "needs-x64",
            _WARNING,
            "Double precision is asked for while it is off",
            """
        JAX computes in 32 bits unless told otherwise, so float64 narrows to float32. Set `x64 = true` under
        `[tool.torch2jax]` to compute in double.""",
        ),
        _code(
            "value-check",
            _NOTE,
            "A check on values was left out",
            """
        `if (x < 0).any(): raise ...` needs the values, which a compiled function does not have while it is traced.
        Checks on shapes and types stay.""",
        ),
        _code(
            "left-torch",
            _ERROR,
            "A torch object remains",
            """
        The value is used in a way that has no counterpart in JAX.""",
        ),
        _code(
            "unsupported-syntax",
            _ERROR,
            "This statement cannot be carried over",
            """
        The construct is not translated. The message names it.""",
        ),
        _code(
            "no-torch",
            _NOTE,
            "The file does not use torch",
            """
        There is nothing to translate, and nothing is written.""",
        ),
        _code(
            "skipped",
            _NOTE,
            "Left out at your word",
            """
        The definition carries `# torch2jax: skip`. Its twin raises NotImplementedError.""",
        ),
        _code(
            "bad-rules",
            _ERROR,
            "A rule file cannot be used",
            """
        The file is no valid YAML or breaks the grammar at the line named; the grammar is the header of
        rules.yaml.""",
        ),
        _code(
            "bad-configuration",
            _ERROR,
            "[tool.torch2jax] cannot be used",
            """
        The table in pyproject.toml has a key or a value that the tool does not know.""",
        ),
    ]
)
