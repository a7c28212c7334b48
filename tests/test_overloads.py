"""Which rule a call takes, and what kind its result is."""

from __future__ import annotations

import libcst as cst
import pytest
from jaxtwin.transpile import kinds as k
from jaxtwin.transpile.kinds import Kind
from jaxtwin.transpile.overloads import Choice, choose, is_static, result_kind
from jaxtwin.transpile.rules import Rule
from jaxtwin.transpile.signature import Argument, parse
from transpiled import assert_same, codes, definitions, function

NODE = cst.Name("node")


def rule(text: str, expression: str = "jnp.g()", **fields: str) -> Rule:
    return Rule("torch.f", parse(text, {}), (expression, expression), text=text, **fields)  # type: ignore[arg-type]


def chosen(texts: list[str], *kinds: Kind, **keywords: Kind) -> str:
    """The number of the signature taken, or the code of the refusal."""
    arguments = [Argument(cst.Name("a"), kind) for kind in kinds]
    arguments += [Argument(cst.Name("a"), kind, keyword=name) for name, kind in keywords.items()]
    rules = [rule(text, f"jnp.g{number}()") for number, text in enumerate(texts)]
    found = choose(rules, arguments, {"device": ""})
    return str(rules.index(found.rule)) if isinstance(found, Choice) else found.code


INT_OR_TENSOR = ["f(a, b:int)", "f(a, b:Tensor)"]
CHOICES = [
    (INT_OR_TENSOR, (k.TENSOR, k.INT), "0"),
    (INT_OR_TENSOR, (k.TENSOR, k.TENSOR), "1"),
    (INT_OR_TENSOR, (k.TENSOR, k.STR), "unknown-signature"),
    (INT_OR_TENSOR, (k.TENSOR, k.UNKNOWN), "ambiguous-overload"),
    (INT_OR_TENSOR, (k.TENSOR, k.join(k.INT, k.TENSOR)), "ambiguous-overload"),
    (INT_OR_TENSOR, (k.TENSOR,), "unknown-signature"),
    (["f(a)", *INT_OR_TENSOR], (k.UNKNOWN,), "0"),
    (["f(a, b:int)", "f(a, b:any)"], (k.TENSOR, k.UNKNOWN), "1"),
    (["f(a, b:int)", "f(a, b:any)"], (k.TENSOR, k.INT), "0"),
    (["f(a:Tensor, b:int)"], (k.UNKNOWN, k.UNKNOWN), "0"),
    (["f(a, b:'x')", "f(a, b:str)"], (k.TENSOR, k.STR), "1"),
    (["f(a, b:'x')", "f(a, b:str)"], (k.TENSOR, k.literal("x")), "0"),
    (["f(a, b:'x')", "f(a, b:'y')"], (k.TENSOR, k.STR), "ambiguous-overload"),
    (["f(a, b:int=...)", "f(a, b:-1=...)"], (k.TENSOR, k.UNKNOWN), "0"),
    (["f(a:Tensor, b:int)", "f(a:Tensors, b:int)"], (k.UNKNOWN, k.INT), "ambiguous-overload"),
    (["f(a:Tensor, b:int)", "f(a:Tensor, b:int, c=...)"], (k.UNKNOWN, k.INT), "0"),
]


@pytest.mark.parametrize(("texts", "kinds", "expected"), CHOICES)
def test_choosing(texts: list[str], kinds: tuple[Kind, ...], expected: str) -> None:
    assert chosen(texts, *kinds) == expected


def test_keywords_choose_too() -> None:
    texts = ["f(a, other)", "f(a, dim, keepdim=...)"]
    assert chosen(texts, k.TENSOR, dim=k.UNKNOWN) == "1"
    assert chosen(texts, k.TENSOR, other=k.UNKNOWN) == "0"
    assert chosen(texts, k.TENSOR, k.UNKNOWN, keepdim=k.BOOL) == "1"
    assert chosen(texts, k.TENSOR, k.INT, device=k.STR) == "0"
    assert chosen(texts, k.TENSOR, mistake=k.INT) == "unknown-signature"


STATIC = [
    (("int",), True), (("int", "Shape"), True), (("Tensor",), False), (("Number",), False), (("int", "Tensor"), False),
    (("'a'", "'b'"), True), (("bool", "None"), True), (("-1",), True), (("float",), False), ((), False),
    (("any",), False), (("dtype",), True), (("str",), True),
]  # fmt: skip


@pytest.mark.parametrize(("kinds", "expected"), STATIC)
def test_what_must_be_static(kinds: tuple[str, ...], expected: bool) -> None:
    assert is_static(kinds) is expected


def result(text: str, kind: Kind = k.TENSOR, expression: str = "jnp.g()") -> Kind:
    return result_kind(rule(text, expression), {"a": Argument(cst.Name("a"), kind)}, NODE)


def test_results() -> None:
    memory = frozenset("1")
    assert result("f(a)", k.tensor("int")).dtype == "int"
    assert result("f(a) -> Tensor[bool]").dtype == "bool"
    assert result("f(a)", k.tensor("int").with_storage(memory)).storage.isdisjoint(memory)
    assert result("f(a) -> view", k.TENSOR.with_storage(memory)).storage == memory
    assert result("f(a) -> Tensors", k.TENSOR.with_storage(memory)).element == result(
        "f(a) -> view", k.TENSOR.with_storage(memory)
    )
    assert result("f(a) -> (u, v)").fields == ("u", "v")
    assert result("f(a) -> int") == k.INT
    assert result("f(a) -> Shape") == k.SHAPE
    assert result("f(a) -> any") == k.UNKNOWN
    assert result("f(a) -> bool", expression="False").literal is False


# --------------------------------------------------------------------------------- on real rules, against torch itself

CALLS = [
    ("torch.max(x), x.max()", "x", "f(torch.randn(2, 3))"),
    ("torch.max(x, 1).values, x.max(dim=0)[1], x.max(-1, True).indices", "x", "f(torch.randn(2, 3))"),
    ("torch.max(x, x.abs()), x.max(other=-x)", "x", "f(torch.randn(2, 3))"),
    ("x.sum(), x.sum(0), x.sum((0, 1)), x.sum(dim=[1], keepdim=True), x.sum(-1, True)", "x", "f(torch.randn(2, 3))"),
    ("x.std(), x.std(False), x.std(0), x.std(0, False), x.std(dim=1, correction=0), x.std(unbiased=False)", "x",
     "f(torch.randn(2, 3))"),
    ("x.view(6), x.view(3, 2), x.view((2, 3)), x.view([6]), x.view(*x.shape), x.view(-1)", "x", "f(torch.randn(2, 3))"),
    ("x.to(torch.float16), x.to('cpu'), x.to(x.half()), x.to(dtype=torch.int32), x.to('cpu', torch.float16)", "x",
     "f(torch.randn(2, 3))"),
    ("x.norm(), x.norm(2), x.norm(p=1), x.norm(2, 1), x.norm(dim=0), torch.norm(x, p='fro')", "x",
     "f(torch.randn(2, 3))"),
    ("x.reshape(3, -1), x.permute(1, 0), x.permute((1, 0)), x.repeat(2, 1), x.expand(4, 2, 3), x.flatten(), "
     "x.flatten(0, 1)",
     "x", "f(torch.randn(2, 3))"),
    ("torch.where(x > 0, x, 0.0), torch.where(x > 0, 1.0, x), x.where(x > 0, x * 2)", "x", "f(torch.randn(2, 3))"),
    ("torch.clamp(x, 0), torch.clamp(x, max=1), x.clamp(-1, 1), x.clamp(min=x * 2)", "x", "f(torch.randn(2, 3))"),
    ("torch.add(x, x, alpha=2), x.add(1), torch.sub(x, 1, alpha=3), x.mul(2), torch.div(x, 2, rounding_mode='floor')",
     "x", "f(torch.randn(2, 3))"),
    ("x.all(), (x > 0).all(1), (x > 0).any(dim=0), x.prod(), x.prod(1), x.argmax(), x.argmax(1)", "x",
     "f(torch.randn(2, 3))"),
    ("torch.arange(3), torch.arange(1, 4), torch.arange(0, 1, 0.25), torch.arange(3.0), torch.full((2,), 3), "
     "torch.full((2,), 1.5)",
     "", "f()"),
    ("torch.linspace(0, 1, 5), torch.zeros(2, 3), torch.ones((2,)), torch.eye(2), torch.tensor([1, 2]), "
     "torch.tensor(1.5)",
     "", "f()"),
]  # fmt: skip


@pytest.mark.parametrize(("expressions", "parameters", "call"), CALLS)
def test_overloads_of_torch(expressions: str, parameters: str, call: str) -> None:
    assert_same(function(f"return {expressions}", parameters), call)


def test_an_annotation_settles_it() -> None:
    assert codes(function("return torch.max(x, y)", "x, y")) == {"ambiguous-overload"}
    assert "jnp.maximum(x, y)" in definitions(function("return torch.max(x, y)", "x, y: torch.Tensor"))
    assert codes(function("return torch.max(x, y)", "x, y: int")) == set()
