"""Stub signatures: parsing, binding a call as torch does, and whether a value is of the kinds wanted."""

from __future__ import annotations

import libcst as cst
import pytest
from jaxtwin.transpile import kinds as k
from jaxtwin.transpile.kinds import Kind
from jaxtwin.transpile.signature import Argument, Parameter, SignatureError, bind, fits, parse

VOCABULARY = {"input": ("Tensor",), "dim": ("int", "Shape")}


def test_what_a_signature_says() -> None:
    found = parse(
        "std(input, dim=..., *, correction=1, mode:'a'|'b'='a', out:any=None) -> (values, indices)", VOCABULARY
    )
    assert found.name == "std"
    assert found.result == "(values, indices)"
    assert found.parameters == (
        Parameter("input", ("Tensor",)),
        Parameter("dim", ("int", "Shape", "None"), "..."),
        Parameter("correction", (), "1", keyword_only=True),
        Parameter("mode", ("'a'", "'b'"), "'a'", keyword_only=True),
        Parameter("out", ("any", "None"), "None", keyword_only=True),
    )


def test_stars_and_positional_only() -> None:
    found = parse("view(self, /, *size, dtype=...)", VOCABULARY)
    assert found.parameters == (
        Parameter("self"),
        Parameter("size", ("int", "Shape"), star=True),
        Parameter("dtype", (), "...", keyword_only=True),
    )  # fmt: skip
    assert parse("cat(*tensors:Tensor|Tensors)", {}).parameters == (
        Parameter("tensors", ("Tensor", "Tensors"), star=True),
    )


@pytest.mark.parametrize("text", ["f(", "f(a b)", "f(**k)", "f", "f(a): 1; g(", "class A", "f(a=1, b)"])
def test_no_signature(text: str) -> None:
    with pytest.raises(SignatureError):
        parse(text, {})


def arguments(call: str, kind: Kind = k.UNKNOWN) -> list[Argument]:
    node = cst.parse_expression(call)
    assert isinstance(node, cst.Call)
    return [Argument(a.value, kind, a.star, a.keyword.value if a.keyword else "") for a in node.args]


def shown(text: str, call: str, ignored: dict[str, str] | None = None) -> str:
    """The binding as text: ``input=x dim=(1, 2)``."""
    bound = bind(parse(text, VOCABULARY), arguments(call), ignored or {})
    code = cst.Module([]).code_for_node
    return " ".join(
        f"{name}=({', '.join(a.star + code(a.node) for a in given)})"
        if isinstance(given, tuple)
        else f"{name}={code(given.node)}"
        for name, given in bound.items()
    )


BINDINGS = [
    ("sum(input, dim=...)", "f(x)", "input=x"),
    ("sum(input, dim=...)", "f(x, 1)", "input=x dim=1"),
    ("sum(input, dim=...)", "f(dim=1, input=x)", "dim=1 input=x"),
    ("sum(input, dim=..., keepdim=...)", "f(x, axis=1, keepdims=True)", "input=x dim=1 keepdim=True"),
    ("add(input, other)", "f(x1=x, x2=y)", "input=x other=y"),
    ("abs(input)", "f(x=y)", "input=y"),
    ("f(x, input)", "f(x=1, input=2)", "x=1 input=2"),
    ("zeros(*size, dtype=...)", "f(2, 3, dtype=d)", "size=(2, 3) dtype=d"),
    ("zeros(*size)", "f((2, 3))", "size=((2, 3))"),
    ("zeros(*size)", "f(*s)", "size=(*s)"),
    ("zeros(*size)", "f(2, *s, 3)", "size=(2, *s, 3)"),
    ("zeros(*size)", "f(size=(2, 3))", "size=((2, 3))"),
    ("view(input, *size)", "f(x, *s)", "input=x size=(*s)"),
]


@pytest.mark.parametrize(("text", "call", "expected"), BINDINGS)
def test_binding(text: str, call: str, expected: str) -> None:
    assert shown(text, call) == expected


@pytest.mark.parametrize(
    ("text", "call", "message"),
    [
        ("sum(input)", "f()", "input is missing"),
        ("zeros(*size)", "f()", "size is missing"),
        ("sum(input)", "f(x, y)", "1 positional arguments too many"),
        ("sum(input, *, dim=...)", "f(x, 1)", "1 positional arguments too many"),
        ("sum(input, *, dim)", "f(x)", "dim is missing"),
        ("sum(input)", "f(x, input=y)", "input is given twice"),
        ("sum(input, dim=...)", "f(x, dim=1, axis=2)", "dim is given twice"),
        ("sum(input)", "f(x, dimension=1)", "there is no parameter dimension"),
        ("sum(input, dim=...)", "f(*x)", "an unpacked argument meets a single parameter"),
        ("sum(input, dim=...)", "f(x, **k)", "** cannot be told apart"),
    ],
)
def test_no_binding(text: str, call: str, message: str) -> None:
    with pytest.raises(SignatureError, match=message.replace("*", r"\*")):
        shown(text, call)


def test_ignored_keywords_are_dropped_but_not_a_parameter_of_that_name() -> None:
    assert shown("zeros(*size)", "f(2, device=d, pin_memory=True)", {"device": "", "pin_memory": ""}) == "size=(2)"
    assert shown("to(input, device)", "f(x, device=d)", {"device": ""}) == "input=x device=d"


INTS, OPTIONAL = k.sequence("tuple", [k.INT, k.INT]), k.join(k.TENSOR, k.NONE)
FITS = [
    (k.INT, "int", True), (k.FLOAT, "int", False), (k.INT, "float", True), (k.BOOL, "bool", True),
    (k.INT, "bool", False), (k.UNKNOWN, "int", None), (k.TENSOR, "Tensor", True), (k.TENSOR, "int", False),
    (k.TENSOR, "Tensor|int", True), (OPTIONAL, "Tensor", None), (OPTIONAL, "Tensor|None", True),
    (OPTIONAL, "int", False), (OPTIONAL, "None", None), (k.tensor("bool"), "Tensor[bool]", True),
    (k.tensor("int"), "Tensor[bool]", False), (k.TENSOR, "Tensor[bool]", None), (INTS, "Shape", True),
    (k.SHAPE, "Shape", True), (Kind("range"), "Shape", True), (k.sequence("tuple", []), "Shape", True),
    (k.sequence("list", [k.INT, k.FLOAT]), "Numbers[float]", True), (INTS, "Numbers[int]", True),
    (INTS, "Numbers[float]", False), (k.many("list", INTS), "Numbers[int]", True), (k.SHAPE, "Numbers[int]", True),
    (k.sequence("list", [k.BOOL, k.INT]), "Numbers[bool]", False), (k.sequence("list", []), "Numbers[int]", False),
    (k.sequence("list", [k.TENSOR, k.FLOAT]), "Numbers[float]", False), (Kind("list"), "Numbers[int]", None),
    (k.sequence("list", [k.FLOAT]), "Shape", False), (Kind("list"), "Shape", True),
    (k.many("list", k.UNKNOWN), "Shape", None), (k.sequence("list", [k.TENSOR]), "Tensors", True),
    (INTS, "Tensors", False), (k.TENSOR, "Tensors", False), (k.literal("a"), "'a'", True),
    (k.literal("b"), "'a'", False), (k.STR, "'a'", None), (k.INT, "'a'", False), (k.literal("b"), "'a'|'b'", True),
    (k.literal(2), "2", True), (k.literal(2.0), "2", False), (k.literal(True), "1", False), (k.NONE, "None", True),
    (k.literal(-1), "-1", True), (k.DTYPE, "dtype", True), (k.STR, "device", True), (Kind("class"), "function", True),
    (k.COMPLEX, "Number", True), (k.STR, "any", True), (k.UNKNOWN, "any", True),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "wanted", "verdict"), FITS)
def test_fits(kind: Kind, wanted: str, verdict: bool | None) -> None:
    assert fits(kind, wanted.split("|")) is verdict


def test_whatever_fits_no_kinds() -> None:
    assert fits(k.UNKNOWN, ()) is True
