"""What ``torch2jax explain`` says about a torch API or a diagnostic code.

The before and after of an API is a small source made from its signatures and put through the engine, so it shows what
the tool does, not what somebody once wrote down.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Sequence

from . import drift
from .diagnostics import CODES, Code, render
from .project import Project
from .rules import Rule, RuleBook
from .settings import Settings
from .signature import AGREES, REQUIRED, Parameter

DEFAULTS = Settings()
_WIDTH = 100
_ABBREVIATIONS = {"F": "torch.nn.functional", "nn": "torch.nn", "torch.Tensor": "Tensor", "linalg": "torch.linalg"}
_TENSORS = ("Tensor", "Tensors")
_VALUES = {"int": "1", "bool": "True", "float": "0.5", "Number": "2", "Shape": "(2, 3)", "dtype": "torch.float32"}
_VALUES |= {"function": "torch.sin", "str": "'...'", "device": "'cpu'", "None": "None"}
_NAMED = {"equation": "'ij,jk->ik'"}
_STARRED = "a, b"
_ANNOTATIONS = {"Tensor": "torch.Tensor", "Tensors": "list[torch.Tensor]"}


class Unknown(Exception):
    """A name that is neither an API with a rule nor a diagnostic code; the message has suggestions."""


def codes() -> dict[str, Code]:
    """Every diagnostic code there is."""
    return CODES | drift.CODES


def explain(name: str, rules: RuleBook | None = None, settings: Settings = DEFAULTS) -> str:
    """The text for a torch API (``torch.std``, ``Tensor.view``, ``F.relu``, ``std``) or a code.

    Without a rule book, those rules and settings hold that hold in the current folder. Raises Unknown, and
    ConfigurationError or RuleError where the folder's own cannot be used.
    """
    known = codes()
    if name in known:
        return explain_code(known[name])
    if rules is None:
        project = Project()
        settings = project.settings("here.py")
        rules = project.rules(settings)
    found = names_for(name, rules)
    if not found:
        raise Unknown(_unknown(name, rules, known))
    return "\n\n".join(explain_api(qualified, rules, settings) for qualified in found)


def explain_code(code: Code) -> str:
    """The code, what it means and what to do."""
    return f"{code.name} ({code.severity.value}): {code.summary}\n\n{textwrap.fill(code.explanation, _WIDTH)}"


def names_for(name: str, rules: RuleBook) -> list[str]:
    """The qualified names that a person may mean by a name."""
    for short, full in _ABBREVIATIONS.items():
        if name.startswith(f"{short}."):
            name = full + name[len(short) :]
    if rules.rules(name):
        return [name]
    return [qualified for qualified in rules.names() if qualified.endswith(f".{name}") and rules.rules(qualified)]


def _unknown(name: str, rules: RuleBook, known: dict[str, Code]) -> str:
    last = name.rpartition(".")[2]
    endings: dict[str, list[str]] = {}
    for qualified in rules.names():
        endings.setdefault(qualified.rpartition(".")[2], []).append(qualified)
    close = [full for ending in difflib.get_close_matches(last, endings, n=3) for full in endings[ending]]
    close += difflib.get_close_matches(name, known, n=2)
    hint = f"; did you mean {', '.join(dict.fromkeys(close))}?" if close else ""
    return f"no rule and no diagnostic code is called {name}{hint}"


def explain_api(name: str, rules: RuleBook, settings: Settings = DEFAULTS) -> str:
    """The rules of one qualified name with their places, then before and after."""
    found = rules.rules(name)
    lines = [name, ""]
    for rule in found:
        lines += [f"  {rule.text}    # {rule.location}", *(f"      {line}" for line in _meaning(rule)), ""]
    translated = [rule for rule in found if not rule.unsupported]
    if translated:
        lines += _before_and_after(name, translated, rules, settings)
    return "\n".join(lines).rstrip()


def _meaning(rule: Rule) -> list[str]:
    """What a rule says about its signature."""
    if rule.unsupported:
        remedy = [f"instead: {rule.instead}"] if rule.instead else []
        return [f"refused: {rule.unsupported}", *remedy]
    if rule.members:
        return [f"{member}: {expression}" for member, expression in rule.members]
    single, double = rule.expression
    return [single] if single == double else [single, f"{double}    # with x64"]


def _before_and_after(name: str, rules: Sequence[Rule], book: RuleBook, settings: Settings) -> list[str]:
    from .pipeline import transpile

    source = example(name, rules)
    result = transpile(source, "example.py", settings, book)
    lines = ["before", "", textwrap.indent(source, "    ")]
    if result.body is not None:
        lines += ["after", "", textwrap.indent(result.body, "    ")]
    return lines + [textwrap.indent(render(diagnostic), "    ") for diagnostic in result.diagnostics]


def example(name: str, rules: Sequence[Rule]) -> str:
    """A source with a function for each way a signature is called: with what it requires, and with all it takes."""
    functions = dict.fromkeys(text for rule in rules for text in _functions(name, rule))
    parts = [f"def example_{number}{text}" for number, text in enumerate(functions, 1)]
    return "import torch\n\n\n" + "\n\n".join(parts)


def _functions(name: str, rule: Rule) -> Iterator[str]:
    parameters = rule.signature.parameters
    space, _, member = name.rpartition(".")
    if rule.constant:
        yield f"(x: torch.Tensor):\n    return x.{member}\n" if space == "Tensor" else f"():\n    return {name}\n"
        return
    for chosen in ([one for one in parameters if one.default == REQUIRED or one.star], parameters):
        given = [_argument(one) for one in chosen]
        header = ", ".join(_declaration(one) for one in chosen if _value(one) is None)
        if space == "Tensor":
            yield f"({header}):\n    return {given[0]}.{member}({', '.join(given[1:])})\n"
        else:
            yield f"({header}):\n    return {name}({', '.join(given)})\n"


def _name(parameter: Parameter) -> str:
    return "x" if parameter.name in ("self", "input") else parameter.name


def _argument(parameter: Parameter) -> str:
    """How the parameter is passed on in the example's call."""
    value = _value(parameter)
    if value is None:
        value = _STARRED if parameter.star else _name(parameter)
    return f"{parameter.name}={value}" if parameter.keyword_only else value


def _declaration(parameter: Parameter) -> str:
    """The parameter of the example function, or the two that stand for a starred one."""
    kinds = (_ANNOTATIONS.get(kind.partition("[")[0]) for kind in parameter.kinds)
    annotation = next((f": {annotation}" for annotation in kinds if annotation), "")
    names = _STARRED.split(", ") if parameter.star else [_name(parameter)]
    return ", ".join(name + annotation for name in names)


def _value(parameter: Parameter) -> str | None:
    """A literal that shows the parameter in use; None where a tensor, or anything, is to be passed in."""
    if parameter.name in _NAMED:
        return _NAMED[parameter.name]
    for kind in parameter.kinds:
        if kind.partition("[")[0] in _TENSORS:
            return None
        if parameter.star:
            return "2, 3"
        if kind in _VALUES and (kind != "str" or parameter.default in (REQUIRED, AGREES)):
            return _VALUES[kind]
        if kind not in _VALUES:
            return kind  # a literal that the signature asks for
    return parameter.default if parameter.default not in (REQUIRED, AGREES) else None


__all__ = ["Unknown", "codes", "example", "explain", "explain_api", "explain_code", "names_for"]
