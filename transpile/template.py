"""Fill a rule's expression with the arguments of a call: drop what is absent, fold what is literal.

The expression is parsed once with :mod:`ast`; filling it builds LibCST nodes around the argument nodes of the source,
so whatever a person wrote inside an argument (comments, line breaks) stays as it was.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from .kinds import UNSET


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class Value:
    """What a parameter stands for: a node of the source (or ABSENT), its literal value where one is known, and whether
    it may be None at run time."""

    node: cst.BaseExpression | _Absent
    literal: Any = UNSET
    optional: bool = False


OMITTED = Value(ABSENT, None)


class TemplateError(ValueError):
    """The expression needs a parameter that the call leaves out, or uses syntax that rules do not have."""


_BINARY: dict[type[ast.operator], tuple[type[cst.BaseBinaryOp], int]] = {
    ast.Add: (cst.Add, 11), ast.Sub: (cst.Subtract, 11), ast.Mult: (cst.Multiply, 12), ast.Div: (cst.Divide, 12),
    ast.FloorDiv: (cst.FloorDivide, 12), ast.Mod: (cst.Modulo, 12), ast.MatMult: (cst.MatrixMultiply, 12),
    ast.Pow: (cst.Power, 14), ast.BitAnd: (cst.BitAnd, 9), ast.BitOr: (cst.BitOr, 7), ast.BitXor: (cst.BitXor, 8),
    ast.LShift: (cst.LeftShift, 10), ast.RShift: (cst.RightShift, 10),
}  # fmt: skip
_BINARY_PRECEDENCE: dict[type[cst.CSTNode], int] = dict(_BINARY.values())
_UNARY: dict[type[ast.unaryop], type[cst.BaseUnaryOp]] = {
    ast.USub: cst.Minus, ast.UAdd: cst.Plus, ast.Invert: cst.BitInvert, ast.Not: cst.Not,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], type[cst.BaseCompOp]] = {
    ast.Eq: cst.Equal, ast.NotEq: cst.NotEqual, ast.Lt: cst.LessThan, ast.LtE: cst.LessThanEqual,
    ast.Gt: cst.GreaterThan, ast.GtE: cst.GreaterThanEqual, ast.Is: cst.Is, ast.IsNot: cst.IsNot, ast.In: cst.In,
    ast.NotIn: cst.NotIn,
}  # fmt: skip
_COMPARISON, _NOT, _AND, _OR, _CONDITIONAL, _LAMBDA, _UNARY_PRECEDENCE, ATOM = 6, 5, 4, 3, 2, 1, 13, 20
_PRECEDENCE: dict[type[cst.BaseExpression], int] = {
    cst.Comparison: _COMPARISON, cst.IfExp: _CONDITIONAL, cst.Lambda: _LAMBDA, cst.NamedExpr: 0, cst.Yield: 0,
    cst.Tuple: 0, cst.GeneratorExp: 0, cst.Await: 15, cst.Integer: 16, cst.Float: 16,
}  # fmt: skip
_ARGUMENT = 1


def precedence(node: cst.BaseExpression) -> int:
    """How tightly the outermost operator of an expression binds; parenthesised ones and names bind tightest."""
    if node.lpar:
        return ATOM
    if isinstance(node, cst.BinaryOperation):
        return _BINARY_PRECEDENCE[type(node.operator)]
    if isinstance(node, cst.UnaryOperation):
        return _NOT if isinstance(node.operator, cst.Not) else _UNARY_PRECEDENCE
    if isinstance(node, cst.BooleanOperation):
        return _AND if isinstance(node.operator, cst.And) else _OR
    return _PRECEDENCE.get(type(node), ATOM)


def needed(parent: cst.CSTNode, child: cst.CSTNode) -> int:
    """How tightly an expression must bind to stand, without parentheses, where ``child`` stands in ``parent``."""
    if isinstance(parent, cst.BinaryOperation):
        level = _BINARY_PRECEDENCE[type(parent.operator)]
        right_first = isinstance(parent.operator, cst.Power)
        return level + ((child is parent.left) if right_first else (child is parent.right))
    if isinstance(parent, cst.UnaryOperation):
        return precedence(parent.with_changes(lpar=[], rpar=[]))
    if isinstance(parent, cst.Comparison | cst.ComparisonTarget):
        return _COMPARISON + 1
    if isinstance(parent, cst.BooleanOperation):
        return (_AND if isinstance(parent.operator, cst.And) else _OR) + (child is parent.right)
    if isinstance(parent, cst.IfExp):
        return _CONDITIONAL if child is parent.orelse else _CONDITIONAL + 1
    return ATOM


def parenthesized(node: cst.BaseExpression, least: int) -> cst.BaseExpression:
    """The expression, in parentheses if it binds less tightly than its place needs."""
    if precedence(node) >= least:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression as an argument: without parentheses of its own that the call's make needless."""
    inner = node.with_changes(lpar=[], rpar=[]) if len(node.lpar) == 1 and not isinstance(node, cst.Tuple) else node
    if inner is not node and precedence(inner) >= _ARGUMENT:
        return inner
    return parenthesized(node, _ARGUMENT)


def tuple_of(elements: Sequence[cst.BaseElement]) -> cst.Tuple:
    """A tuple in parentheses; the only member keeps the comma that makes it one."""
    if len(elements) == 1:
        elements = [elements[0].with_changes(comma=cst.Comma())]
    return cst.Tuple(list(elements), lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


class Filler:
    """Fills expressions for one call.

    values:  what each parameter stands for
    rename:  the name to write for a free name of the expression (``ops.norm`` is passed as ``"ops.norm"``)
    """

    def __init__(self, values: Mapping[str, Value], rename: Callable[[str], str]) -> None:
        self._values = values
        self._rename = rename

    def fill(self, node: ast.expr) -> cst.BaseExpression:
        """The expression with its parameters replaced. Raises TemplateError."""
        filled = self._expression(node)
        if isinstance(filled, _Absent):
            raise TemplateError("the value is absent")
        return filled

    def fold(self, node: ast.expr) -> Any:
        """The value of a test if it follows from literals and absent parameters, else ``UNSET``."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in self._values:
            return self._values[node.id].literal
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.fold(node.operand)
            return value if value is UNSET else not value
        if isinstance(node, ast.BoolOp):
            return self._fold_boolean(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._fold_comparison(node)
        return UNSET

    def _fold_boolean(self, node: ast.BoolOp) -> Any:
        values = [self.fold(value) for value in node.values]
        decisive = isinstance(node.op, ast.Or)
        if any(value is not UNSET and bool(value) is decisive for value in values):
            return decisive
        return UNSET if any(value is UNSET for value in values) else not decisive

    def _fold_comparison(self, node: ast.Compare) -> Any:
        left, operator, right_node = node.left, node.ops[0], node.comparators[0]
        if isinstance(operator, ast.Is | ast.IsNot):
            value = self.fold(left)
            if value is UNSET and isinstance(left, ast.Name) and left.id in self._values:
                return UNSET if self._values[left.id].optional else isinstance(operator, ast.IsNot)
            return UNSET if value is UNSET else (value is None) is isinstance(operator, ast.Is)
        value, right = self.fold(left), self.fold(right_node)
        if value is UNSET or right is UNSET:
            return UNSET
        if isinstance(operator, ast.Eq | ast.NotEq):
            return (value == right) is isinstance(operator, ast.Eq)
        return UNSET

    def _expression(self, node: ast.expr) -> cst.BaseExpression | _Absent:
        method: Callable[[Any], cst.BaseExpression | _Absent] | None = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise TemplateError(f"rules have no {type(node).__name__}")
        return method(node)

    def _present(self, node: ast.expr, least: int = _ARGUMENT) -> cst.BaseExpression:
        filled = self._expression(node)
        if isinstance(filled, _Absent):
            raise TemplateError(f"{ast.unparse(node)} is absent")
        return parenthesized(filled, least)

    def _Name(self, node: ast.Name) -> cst.BaseExpression | _Absent:
        if node.id in self._values:
            return self._values[node.id].node
        name = self._rename(node.id)
        return cst.parse_expression(name) if "." in name else cst.Name(name)

    def _Attribute(self, node: ast.Attribute) -> cst.BaseExpression:
        if isinstance(node.value, ast.Name) and node.value.id == "ops":
            return cst.Name(self._rename(f"ops.{node.attr}"))
        return cst.Attribute(self._present(node.value, ATOM), cst.Name(node.attr))

    def _Constant(self, node: ast.Constant) -> cst.BaseExpression:
        return cst.Ellipsis() if node.value is ... else cst.parse_expression(ast.unparse(node))

    def _Call(self, node: ast.Call) -> cst.BaseExpression:
        arguments: list[cst.Arg] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                arguments += _unpacked(self._present(argument.value, _COMPARISON + 1))
                continue
            filled = self._expression(argument)
            if not isinstance(filled, _Absent):
                arguments.append(cst.Arg(bare(filled)))
        for keyword in node.keywords:
            filled = self._expression(keyword.value)
            if not isinstance(filled, _Absent) and keyword.arg:
                arguments.append(_keyword(keyword.arg, bare(filled)))
        return cst.Call(self._present(node.func, ATOM), arguments)

    def _BinOp(self, node: ast.BinOp) -> cst.BaseExpression:
        operator, level = _BINARY[type(node.op)]
        right_associative = isinstance(node.op, ast.Pow)
        left = self._present(node.left, level + 1 if right_associative else level)
        right = self._present(node.right, level - 1 if right_associative else level + 1)
        tight = right_associative and _is_simple(left) and _is_simple(right)
        return cst.BinaryOperation(left, _TIGHT_POWER if tight else operator(), right)

    def _UnaryOp(self, node: ast.UnaryOp) -> cst.BaseExpression:
        operator = _UNARY[type(node.op)]
        level = _NOT if operator is cst.Not else _UNARY_PRECEDENCE
        return cst.UnaryOperation(operator(), self._present(node.operand, level))

    def _BoolOp(self, node: ast.BoolOp) -> cst.BaseExpression:
        is_and = isinstance(node.op, ast.And)
        filled = [self._present(value, _AND + 1 if is_and else _OR + 1) for value in node.values]
        result = filled[0]
        for value in filled[1:]:
            result = cst.BooleanOperation(result, cst.And() if is_and else cst.Or(), value)
        return result

    def _Compare(self, node: ast.Compare) -> cst.BaseExpression:
        folded = self.fold(node)
        if folded is not UNSET:
            return cst.Name(str(bool(folded)))
        targets = [
            cst.ComparisonTarget(_COMPARE[type(operator)](), self._present(value, _COMPARISON + 1))
            for operator, value in zip(node.ops, node.comparators, strict=True)
        ]
        return cst.Comparison(self._present(node.left, _COMPARISON + 1), targets)

    def _IfExp(self, node: ast.IfExp) -> cst.BaseExpression | _Absent:
        value = self.fold(node.test)
        if value is not UNSET:
            return self._expression(node.body if value else node.orelse)
        return cst.IfExp(
            test=self._present(node.test, _CONDITIONAL + 1),
            body=self._present(node.body, _CONDITIONAL + 1),
            orelse=self._present(node.orelse, _CONDITIONAL),
        )

    def _Subscript(self, node: ast.Subscript) -> cst.BaseExpression:
        members = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        elements = [cst.SubscriptElement(self._index(member)) for member in members]
        return cst.Subscript(self._present(node.value, ATOM), with_commas(elements))

    def _index(self, node: ast.expr) -> cst.BaseSlice:
        if isinstance(node, ast.Starred):
            return cst.Index(self._present(node.value), star="*")
        if not isinstance(node, ast.Slice):
            return cst.Index(self._present(node))
        lower, upper, step = (
            None if part is None else self._present(part) for part in (node.lower, node.upper, node.step)
        )
        return cst.Slice(lower, upper, step)

    def _Tuple(self, node: ast.Tuple) -> cst.BaseExpression:
        elements = self._elements(node.elts)
        return tuple_of(elements)

    def _List(self, node: ast.List) -> cst.BaseExpression:
        return cst.List(self._elements(node.elts))

    def _elements(self, nodes: list[ast.expr]) -> list[cst.BaseElement]:
        return [
            cst.StarredElement(self._present(node.value)) if isinstance(node, ast.Starred)
            else cst.Element(self._present(node))
            for node in nodes
        ]  # fmt: skip

    def _Lambda(self, node: ast.Lambda) -> cst.BaseExpression:
        parameters = [cst.Param(cst.Name(argument.arg)) for argument in node.args.args]
        return cst.Lambda(cst.Parameters(parameters), self._present(node.body))


def _is_simple(node: cst.BaseExpression) -> bool:
    """A name, an attribute of one, or a number: formatters write ``x**2`` of these, and ``f(x) ** 2``."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer | cst.Float)
    if isinstance(node, cst.Attribute):
        return _is_simple(node.value)
    return isinstance(node, cst.Name | cst.Integer | cst.Float)


_TIGHT_POWER = cst.Power(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))


def _unpacked(value: cst.BaseExpression) -> list[cst.Arg]:
    """``*(a, b)`` is ``a, b`` as an argument, ``*tuple(a)`` is ``*a``; line breaks and comments stay in their tuple."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value == "tuple":
        value = value.args[0].value
    elements = value.elements if isinstance(value, cst.Tuple | cst.List) else ()
    commas = [element.comma for element in elements if isinstance(element.comma, cst.Comma)]
    if not elements or not all(isinstance(comma.whitespace_after, cst.SimpleWhitespace) for comma in commas):
        return [cst.Arg(value, star="*")]
    return [
        cst.Arg(element.value, star="*") if isinstance(element, cst.StarredElement) else cst.Arg(bare(element.value))
        for element in elements
    ]


def _keyword(name: str, value: cst.BaseExpression) -> cst.Arg:
    return cst.Arg(value, keyword=cst.Name(name), equal=TIGHT_EQUAL)


TIGHT_EQUAL = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def with_commas(elements: list[cst.SubscriptElement]) -> list[cst.SubscriptElement]:
    """Subscript elements with ``, `` between them."""
    return [element.with_changes(comma=COMMA) for element in elements[:-1]] + elements[-1:]
