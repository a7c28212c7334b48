"""Calls, operators and members by rule: the rule's expression filled with the arguments."""

from __future__ import annotations

from typing import Any

import libcst as cst

from .facts import Match
from .findings import Finding, Refused
from .kinds import Kind
from .layout import laid_out_like
from .rules import DEFAULT_FLOAT, parsed
from .signature import AGREES, REQUIRED, Argument, Parameter, literal_value
from .template import OMITTED, Filler, TemplateError, Value, needed, parenthesized, tuple_of
from .writer import Writer

_DOUBLE = frozenset({"torch.float64", "torch.double", "Tensor.double"})


class RuleWriter(Writer):
    """Fills the expressions of rules."""

    def by_rule(self, node: cst.BaseExpression, match: Match) -> cst.BaseExpression:
        rule = match.rule
        if match.name == "Tensor.requires_grad":
            raise Refused(
                Finding(node, "unsupported-syntax", "arrays of JAX do not know whether a gradient is wanted of them",
                        "compute the same either way, or pass a flag")
            )  # fmt: skip
        filler = self.filler(match)
        self.fired.add(rule.location)
        try:
            if rule.members:
                members = [cst.Element(filler.fill(parsed(source))) for _, source in rule.members]
                return tuple_of(members)
            filled = filler.fill(rule.parsed(self.facts.settings.x64))
        except TemplateError as error:
            raise Refused(Finding(node, "unknown-signature", f"{match.name}: {error}")) from None
        if rule.name in _DOUBLE and not self.facts.settings.x64:
            self.notes.append(
                Finding(node, "needs-x64", "float64 narrows to float32 while 64-bit mode is off", "set x64 = true")
            )
        return laid_out_like(filled, node)

    def filler(self, match: Match) -> Filler:
        values = {parameter.name: self._value(match, parameter) for parameter in match.rule.signature.parameters}
        if match.rule.constant and "self" in match.bound:
            values["self"] = self._argument(match.bound["self"], ())
        return Filler(values, self.rename)

    def _value(self, match: Match, parameter: Parameter) -> Value:
        given = match.bound.get(parameter.name)
        if given is not None:
            value = self._star(given, parameter) if parameter.star else self._argument(given, parameter.kinds)
            optional = isinstance(given, Argument) and given.kind.may_be("none")
            asks = parameter.default == DEFAULT_FLOAT and self.facts.settings.x64 and optional
            return self._or_default(value) if asks else value
        if parameter.default == DEFAULT_FLOAT:
            if not self.facts.settings.x64:
                return OMITTED
            self.libraries.add("jnp")
            return Value(cst.parse_expression("jnp.float32"))
        if parameter.default in (AGREES, REQUIRED):
            return OMITTED
        literal = literal_value(parameter.default)
        return Value(cst.parse_expression(parameter.default), literal)

    def _or_default(self, value: Value) -> Value:
        """A dtype that may be None: torch's default is float32 then, JAX's in 64-bit mode is not."""
        default = cst.parse_expression("jnp.float32")
        self.libraries.add("jnp")
        node = value.node
        if not isinstance(node, cst.BaseExpression) or (isinstance(node, cst.Name) and node.value == "None"):
            return Value(default)
        test = cst.Comparison(node, [cst.ComparisonTarget(cst.Is(), cst.Name("None"))])
        return Value(cst.IfExp(test, default, node))

    def _argument(self, given: Any, kinds: tuple[str, ...]) -> Value:
        argument: Argument = given
        node = self.expression(argument.node)
        if "Shape" in kinds:
            node = self._as_tuple(node, argument.kind)
        optional = argument.kind.may_be("none") and (not kinds or "None" in kinds)
        return Value(node, argument.kind.literal, optional)

    def _as_tuple(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        """JAX takes axes and sizes as tuples only."""
        if isinstance(node, cst.List):
            return tuple_of(node.elements)
        if kind.name in ("list", "iterator", "range"):
            return self.library("tuple", node)
        return node

    def _star(self, given: Any, parameter: Parameter) -> Value:
        """``*size``: several arguments become a tuple; a single one is the sequence already, or the only member."""
        arguments: tuple[Argument, ...] = given
        if len(arguments) == 1:
            argument = arguments[0]
            node = self._as_tuple(self.expression(argument.node), argument.kind)
            if argument.star:
                if argument.kind.name not in ("shape", "tuple"):
                    node = self.library("tuple", node) if not isinstance(node, cst.Call) else node
                return Value(node)
            if argument.kind.name in ("int", "tensor"):
                node = tuple_of([cst.Element(node)])
            return Value(node)
        elements: list[cst.BaseElement] = [
            (cst.StarredElement if argument.star else cst.Element)(self.expression(argument.node))
            for argument in arguments
        ]
        return Value(tuple_of(elements))

    def member_of(self, match: Match, position: int) -> cst.BaseExpression:
        self.fired.add(match.rule.location)
        return self.filler(match).fill(parsed(match.rule.members[position][1]))

    def augmented_value(self, statement: cst.AugAssign) -> cst.BaseExpression:
        """``x + y`` for ``x += y``, by rule where the operator has one."""
        match = self.facts.matches.get(statement)
        if match is not None:
            self.fired.add(match.rule.location)
            return self.filler(match).fill(match.rule.parsed(self.facts.settings.x64))
        return self.combined(statement, self.expression(statement.target))

    def combined(self, statement: cst.AugAssign, left: cst.BaseExpression) -> cst.BinaryOperation:
        """``left + y`` for ``x += y``, with JAX's own operator."""
        name = type(statement.operator).__name__.removesuffix("Assign")
        right = self.expression(statement.value)
        new = cst.BinaryOperation(left, getattr(cst, name)(), right)
        return new.with_changes(right=parenthesized(right, needed(new, right)))
