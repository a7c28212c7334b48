"""One rule: how torch spells something, and how JAX does."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .signature import Parameter, Signature

DEFAULT_FLOAT = "default_float"


class RuleError(Exception):
    """A rule file that cannot be used: ``path``, ``line`` (from 1; 0 for the whole file) and ``message``."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


@dataclass(frozen=True)
class Rule:
    """One entry: how torch spells it, and the expression that says it in JAX.

    expression: source of the expression, by ``x32`` and ``x64`` where the setting matters
    members:    of a named tuple whose members have an expression each, name to expression
    unsupported, instead, code: why it is refused, the remedy, and the diagnostic's code
    constant:   the entry has no parameters: a constant, or an attribute of a tensor
    """

    name: str
    signature: Signature
    expression: tuple[str, str] = ("", "")
    members: tuple[tuple[str, str], ...] = ()
    unsupported: str = ""
    instead: str = ""
    code: str = "unsupported-api"
    constant: bool = False
    alias: str = ""
    text: str = ""
    path: str = ""
    line: int = 0

    @property
    def location(self) -> str:
        """``rules.yaml:120``."""
        return f"{Path(self.path).name}:{self.line}"

    def parsed(self, x64: bool) -> ast.expr:
        return parsed(self.expression[x64])


@functools.cache
def parsed(source: str) -> ast.expr:
    """The tree of an expression of the rules."""
    return ast.parse(source, mode="eval").body


def to_record(rule: Rule) -> list[Any]:
    parameters = [[p.name, p.kinds, p.default, p.star, p.keyword_only] for p in rule.signature.parameters]
    return [
        rule.name, rule.signature.name, parameters, rule.signature.result, rule.expression, rule.members,
        rule.unsupported, rule.instead, rule.code, rule.constant, rule.alias, rule.text, int(rule.path), rule.line,
    ]  # fmt: skip


def from_record(record: list[Any], paths: Sequence[str]) -> Rule:
    name, function, parameters, result, expression, members, why, instead, code, constant, alias, text, path, line = (
        record
    )
    signature = Signature(
        function,
        tuple(Parameter(p[0], tuple(p[1]), p[2], p[3], p[4]) for p in parameters),
        result,
    )
    pairs = tuple((member, source) for member, source in members)
    return Rule(
        name,
        signature,
        (expression[0], expression[1]),
        pairs,
        why,
        instead,
        code,
        constant,
        alias,
        text,
        paths[path],
        line,
    )
