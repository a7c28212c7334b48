"""A function of torch used as a value (``map(torch.sin, xs)``, ``activation=F.relu``): the function of JAX to pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import libcst as cst

from .findings import Finding, Refused
from .signature import REQUIRED
from .template import ABSENT, Filler, Value

if TYPE_CHECKING:
    from .rewrite import Rewriter


def reference(rewriter: Rewriter, node: cst.BaseExpression, name: str) -> cst.BaseExpression:
    """The JAX function of this name's first rule, itself where the parameters agree, else a lambda."""
    rules = rewriter.facts.rules.rules(name)
    rule = rules[0] if rules else None
    if rule is not None and rule.unsupported:
        rewriter.facts.refused[node] = rule
        raise Refused(Finding(node, rule.code, f"{name}: {rule.unsupported}", rule.instead))
    if rule is None or rule.members or rule.signature.result.startswith("("):
        raise Refused(
            Finding(
                node, "left-torch", f"{name} is used as a value, and no function of JAX does just that",
                "wrap it in a function of your own",
            )
        )  # fmt: skip
    rewriter.fired.add(rule.location)
    required = [parameter for parameter in rule.signature.parameters if parameter.default == REQUIRED or parameter.star]
    tree = rule.parsed(rewriter.facts.settings.x64)
    defaults = {parameter.name: parameter for parameter in rule.signature.parameters if parameter not in required}
    values = {parameter.name: Value(cst.Name(parameter.name)) for parameter in required}
    for label, parameter in defaults.items():
        literal = None if parameter.default in ("...", "default_float") else ast.literal_eval(parameter.default)
        values[label] = Value(_absent(parameter.default), literal)
    body = Filler(values, rewriter.rename).fill(tree)
    names = [parameter.name for parameter in required if not parameter.star]
    if isinstance(body, cst.Call) and len(names) == len(required) and _passes_on(body, names):
        return body.func
    parameters = [cst.Param(cst.Name(parameter.name)) for parameter in required if not parameter.star]
    starred = next((cst.Param(cst.Name(parameter.name), star="*") for parameter in required if parameter.star), None)
    return cst.Lambda(cst.Parameters(parameters, star_arg=starred or cst.MaybeSentinel.DEFAULT), body)


def _passes_on(call: cst.Call, names: list[str]) -> bool:
    """Whether a call gives exactly these names, by position and in order."""
    given = [
        argument.value.value if isinstance(argument.value, cst.Name) and argument.keyword is None else ""
        for argument in call.args
    ]
    return given == names


def _absent(default: str) -> Any:
    return ABSENT if default in ("...", "default_float") else cst.parse_expression(default)
