"""Choose the rule of a call, note it for the rewriting, and tell what it gives and what it asks of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from . import kinds as k
from .facts import Frame, Match, fresh
from .kinds import Kind
from .names import is_torch
from .overloads import Choice, choose, is_static, result_kind
from .rules import Rule
from .signature import Argument, Bound


def arguments_of(frame: Frame, node: cst.Call) -> list[Argument]:
    return [
        Argument(entry.value, frame.evaluate(entry.value), entry.star, entry.keyword.value if entry.keyword else "")
        for entry in node.args
    ]


def apply_rule(
    frame: Frame,
    node: cst.CSTNode,
    name: str,
    arguments: Sequence[Argument],
    *,
    operator: bool = False,
    writes: bool = False,
) -> Kind:
    """Choose the rule of this name for these arguments, note it for the rewriting, and tell the result's kind."""
    module = frame.module
    rules = module.rules.rules(name)
    if not rules:
        if not operator:
            frame.use(node, name, False)
            frame.report(node, "unknown-api", f"no rule says how JAX spells {name}", ADD_A_RULE)
        return k.UNKNOWN
    chosen = choose(rules, arguments, module.rules.ignored)
    if not isinstance(chosen, Choice):
        if not operator:
            frame.use(node, name, False)
            frame.report(node, chosen.code, f"{name}: {chosen.reason}", _hint(chosen.code))
        return k.TENSOR.with_storage(fresh(node))
    rule = chosen.rule
    if operator and (rule.unsupported or _is_plain(rule)):
        module.matches.pop(node, None)
        return k.TENSOR
    frame.use(node, name, not rule.unsupported)
    if rule.unsupported:
        module.refused[node] = rule
        frame.report(node, rule.code, f"{name}: {rule.unsupported}", rule.instead)
        return result_kind(rule, chosen.bound, node) if rule.signature.result else k.UNKNOWN
    module.refused.pop(node, None)
    module.matches[node] = Match(name, rule, chosen.bound, writes)
    _demand(frame, rule, chosen.bound)
    return result_kind(rule, chosen.bound, node)


ADD_A_RULE = "add a rule to a file of your own, or mark the function `# torch2jax: skip`"


def _hint(code: str) -> str:
    return {"ambiguous-overload": "annotate the parameter: `dim: int` or `other: torch.Tensor`"}.get(code, "")


def _is_plain(rule: Rule) -> bool:
    """Whether the rule only says that JAX's own operator does it."""
    return not rule.expression[0].startswith(("ops.", "jnp.", "jax."))


def _demand(frame: Frame, rule: Rule, bound: Bound) -> None:
    """What a call asks of its arguments is evidence of what they are, and tells which must be static."""
    for parameter in rule.signature.parameters:
        given = bound.get(parameter.name)
        for argument in given if isinstance(given, tuple) else [given] if given else []:
            if is_static(parameter.kinds) or parameter.name in frame.module.rules.static:
                frame.demand_static(argument.kind)
            elif any(kind.startswith("Tensor") for kind in parameter.kinds) and _only_tensor(parameter.kinds):
                frame.demand_tensor(argument.kind)
                if not isinstance(given, tuple):
                    frame.refine(argument.node, argument.kind)
            elif parameter.kinds == ("function",):
                frame.demand_static(argument.kind)


def _only_tensor(kinds: tuple[str, ...]) -> bool:
    return all(kind == "Tensor" or kind.startswith("Tensor[") for kind in kinds)


def constant_of(frame: Frame, node: cst.BaseExpression, kind: Kind) -> Kind:
    """A name of torch that is no function: ``torch.float32``, ``torch.pi``. Anything else stays what it is."""
    if kind.name != "function" or not is_torch(kind.detail):
        return kind
    rules = frame.module.rules.rules(kind.detail)
    if not rules or not rules[0].constant or rules[0].unsupported:
        return kind
    frame.use(node, kind.detail, True)
    frame.module.matches[node] = Match(kind.detail, rules[0])
    return result_kind(rules[0], {}, node) if rules[0].signature.result else k.FLOAT
