"""Filling a rule's expression: what is absent goes, what is literal folds, parentheses where Python needs them."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import libcst as cst
import pytest
from jaxtwin.transpile.kinds import UNSET
from jaxtwin.transpile.template import OMITTED, Filler, TemplateError, Value


def filled(expression: str, renamed: dict[str, str] | None = None, **values: str | Value) -> str:
    """The expression with its parameters replaced by these sources; ``None`` and other literals are known."""
    given = {
        name: value if isinstance(value, Value) else Value(cst.parse_expression(value), literal(value))
        for name, value in values.items()
    }
    rename = lambda name: (renamed or {}).get(name, name)  # noqa: E731
    return cst.Module([]).code_for_node(Filler(given, rename).fill(ast.parse(expression, mode="eval").body))


def literal(source: str) -> Any:
    try:
        value = ast.literal_eval(source)
    except ValueError:
        return UNSET
    return UNSET if isinstance(value, tuple) else value


CASES: list[tuple[str, dict[str, str | Value], str]] = [
    ("jnp.sum(x, axis=dim)", {"x": "a", "dim": "1"}, "jnp.sum(a, axis=1)"),
    ("jnp.sum(x, axis=dim)", {"x": "a", "dim": OMITTED}, "jnp.sum(a)"),
    ("f(dim, x, k=dim)", {"x": "a", "dim": OMITTED}, "f(a)"),
    ("f(*x, dim)", {"x": "a if b else c", "dim": "1"}, "f(*(a if b else c), 1)"),
    ("a if p is None else b", {"p": OMITTED}, "a"), ("a if p is None else b", {"p": "None"}, "a"),
    ("a if p is None else b", {"p": "q"}, "b"),
    ("a if p is None else b", {"p": Value(cst.Name("q"), UNSET, optional=True)}, "a if q is None else b"),
    ("a if p is not None else b", {"p": "1"}, "a"), ("a if p == 'x' else b", {"p": "'x'"}, "a"),
    ("a if p == 'x' else b", {"p": "'y'"}, "b"),
    ("a if p == 'x' else b", {"p": "q"}, "a if q == 'x' else b"),
    ("a if p != 2 else b", {"p": "2"}, "b"), ("a if not p else b", {"p": "True"}, "b"),
    ("a if p and q else b", {"p": "False", "q": "z"}, "b"), ("a if p or q else b", {"p": "True", "q": "z"}, "a"),
    ("a if p and q else b", {"p": "True", "q": "z"}, "a if True and z else b"),
    ("f(p == 'tanh')", {"p": "'none'"}, "f(False)"), ("f(p == 'tanh')", {"p": "q"}, "f(q == 'tanh')"),
    ("x * y", {"x": "a + b", "y": "c"}, "(a + b) * c"), ("x * y", {"x": "a", "y": "b * c"}, "a * (b * c)"),
    ("x - y", {"x": "a - b", "y": "c - d"}, "a - b - (c - d)"),
    ("x ** y", {"x": "a ** b", "y": "c ** d"}, "(a ** b) ** c ** d"),
    ("x ** 2", {"x": "-a"}, "(-a) ** 2"), ("x ** 2", {"x": "a.b"}, "a.b**2"), ("x ** p", {"x": "a", "p": "-0.5"}, "a**-0.5"),
    ("x ** 2", {"x": "f(a)"}, "f(a) ** 2"), ("x ** 2", {"x": "a[0]"}, "a[0] ** 2"), ("f(*x)", {"x": "(a, *b)"}, "f(a, *b)"),
    ("f(*x, 1)", {"x": "[a, b]"}, "f(a, b, 1)"), ("f(*x)", {"x": "tuple(a)"}, "f(*a)"), ("f(*x)", {"x": "(a,)"}, "f(a)"),
    ("f(*x)", {"x": "(a, # a\n b)"}, "f(*(a, # a\n b))"), ("f(*x)", {"x": "()"}, "f(*())"), ("-x", {"x": "a + b"}, "-(a + b)"), ("-x", {"x": "a ** b"}, "-a ** b"),
    ("x.T", {"x": "a + b"}, "(a + b).T"), ("x.T", {"x": "-a"}, "(-a).T"), ("x.T", {"x": "a.b(c)[d]"}, "a.b(c)[d].T"),
    ("x.T", {"x": "1"}, "(1).T"), ("x[0]", {"x": "a or b"}, "(a or b)[0]"),
    ("x[..., :n]", {"x": "a", "n": "k + 1"}, "a[..., :k + 1]"), ("x[dim]", {"x": "a", "dim": "(i, j)"}, "a[(i, j)]"),
    ("f(x)", {"x": "(a + b)"}, "f(a + b)"), ("f(x)", {"x": "(a, b)"}, "f((a, b))"),
    ("f(x)", {"x": "lambda t: t"}, "f(lambda t: t)"), ("f(x)", {"x": "(i for i in a)"}, "f((i for i in a))"),
    ("f(x, 1)", {"x": "(yield)"}, "f((yield), 1)"), ("f(x)", {"x": "(y := z)"}, "f((y := z))"),
    ("f(k=x)", {"x": "(y := z)"}, "f(k=(y := z))"), ("x < y", {"x": "a < b", "y": "c"}, "(a < b) < c"),
    ("x == y", {"x": "a", "y": "not b"}, "a == (not b)"), ("not x", {"x": "a or b"}, "not (a or b)"),
    ("not x", {"x": "a == b"}, "not a == b"),
    ("x and y", {"x": "a or b", "y": "c and d"}, "(a or b) and (c and d)"),
    ("a if x else b", {"x": "c if d else e"}, "a if (c if d else e) else b"),
    ("x if c else y", {"x": "lambda: 1", "y": "lambda: 2"}, "(lambda: 1) if c else (lambda: 2)"),
    ("(x, y)", {"x": "a", "y": "b"}, "(a, b)"), ("(x,)", {"x": "a"}, "(a,)"),
    ("[x, *y]", {"x": "a", "y": "b"}, "[a, *b]"),
    ("lambda t: t + x", {"x": "a if b else c"}, "lambda t: t + (a if b else c)"),
    ("x @ y & z", {"x": "a", "y": "b | c", "z": "d"}, "a @ (b | c) & d"),
    ("-1", {}, "-1"), ("...", {}, "..."),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "values", "expected"), CASES)
def test_filled(expression: str, values: dict[str, str | Value], expected: str) -> None:
    found = filled(expression, **values)
    assert found == expected
    ast.parse(found, mode="eval")


def value(source: str, scope: dict[str, Any]) -> object:
    try:
        return eval(source, dict(scope))
    except (ArithmeticError, TypeError) as error:
        return type(error)


OPERANDS = [
    "a + b", "a * b", "-a", "a ** b", "a if a < b else b", "a < b", "not a", "a or b", "a and b", "(lambda: a)()", "a",
    "a << b", "a & b", "a % b",
]  # fmt: skip
OPERATIONS = [
    "x + y", "x * y", "x - y", "x ** y", "-x", "x // y", "x if x < y else y", "not x", "x or y", "x and y", "x == y",
    "x | y", "[x, y][0]", "max(x, y)",
]  # fmt: skip


@pytest.mark.parametrize("expression", OPERATIONS)
def test_filling_keeps_the_meaning(expression: str) -> None:
    """Whatever operators meet: the value is that of the expression with its parameters bound to their values."""
    scope: dict[str, Any] = {"a": 2, "b": 3}
    for one, other in itertools.product(OPERANDS, repeat=2):
        bound = {**scope, "x": value(one, scope), "y": value(other, scope)}
        assert value(filled(expression, x=one, y=other), scope) == value(expression, bound), (one, other)


def test_names_of_helpers_are_renamed() -> None:
    assert filled("ops.norm(x) + jnp.sum(x)", {"ops.norm": "_norm_2", "jnp": "np"}, x="a") == "_norm_2(a) + np.sum(a)"


def test_comments_inside_an_argument_stay() -> None:
    assert filled("f(x)", x="[\n    1,  # one\n    2,\n]") == "f([\n    1,  # one\n    2,\n])"


@pytest.mark.parametrize("expression", ["x", "x + 1", "x.T", "f(*x)", "[x]", "-x", "x[0]", "a if x else b"])
def test_what_is_absent_and_needed(expression: str) -> None:
    if expression == "a if x else b":
        assert filled(expression, x=OMITTED) == "b"
        return
    with pytest.raises(TemplateError):
        filled(expression, x=OMITTED)


def test_syntax_that_rules_do_not_have() -> None:
    with pytest.raises(TemplateError, match="ListComp"):
        filled("[i for i in x]", x="a")
