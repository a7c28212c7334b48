"""What is computed under ``no_grad``, and what is detached, is a constant to whoever differentiates."""

from __future__ import annotations

import pytest
from transpiled import assert_same, assert_sound, definitions, errors, function

# Statements that may stand in the block, and what is returned below it.
INSIDE = [
    ("y = x.exp()", "y * x"), ("a, b = x.exp(), x.sin()", "a * x + b"), ("y: torch.Tensor = x.exp()", "y * x"),
    ("y = z = x.exp()", "y * z * x"), ("s = x.norm(); y = x / s", "y * x"), ("y = x * 1; y = y + 1; y += x", "y * x"),
    ("y = torch.zeros(3); y += x; y.add_(x); y[0] = x[0]", "y * x"),
    ("y = torch.zeros(3); y[x > 0] = 2.0; torch.exp(x, out=y)", "y * x"),
    ("y = torch.zeros(3); y.copy_(x); y.mul_(x).add_(x)", "y * x"),
    ("out = []\nfor r in x: out.append(r.exp())\ny = torch.stack(out)", "y * x"),
    ("out = []\nfor r in x: out.append(r.exp())", "torch.stack(out) * x"),
    ("out = [x.exp()]; out += [x.sin()]; out.extend([x.cos()])", "torch.stack(out) * x"),
    ("out = [r.exp() for r in x]", "torch.stack(out) * x"),
    ("d = {'a': x.exp()}; d['b'] = x.sin(); d.update(c=x.cos())", "d['a'] * x + d['b'] + d['c']"),
    ("l = [None]; l[0] = x.sin()", "l[0] * x"), ("if (y := x.exp()).shape[0] > 2: z = y", "z * x + y"),
    ("for i in range(2): y = x.exp()", "y * x"), ("for y in x.exp(): pass", "y * x"), ("y = g(x)", "y * x"),
    ("h = lambda t: t.exp()", "h(x) * x"), ("def h(t): return t.exp()", "h(x) * x"),
    ("with torch.enable_grad(): y = x.exp()\nz = x.sin()", "y + z * x"),
    ("y = x.exp() if x.shape[0] == 3 else x.sin()", "y * x"), ("v, i = x.exp().max(0)", "v * x + i"),
    ("*a, b = x.exp(), x.sin(), x.cos()", "a[0] * x + b"), ("n = x.shape[0]; y = x.exp() * n", "y * x + n"),
    ("m = x.max()", "(x - m).exp() / (x - m).exp().sum()"), ("try: y = x.exp()\nfinally: pass", "y * x"),
    ("del x; x = torch.ones(3)", "x * 2"),
    # What is only passed on records as before.
    ("y = x", "y * x"), ("y = [x, x.exp()]", "y[0] * x + y[1]"), ("y = {'a': x, 'b': x.exp()}; y = y['a']", "y * x"),
    ("y = x if x.ndim else x.exp()", "y * x"), ("y = [x][0]", "y * x"),
    # The rows of a tensor are views made here.
    ("out = [r for r in x]", "torch.stack(out) * x"), ("out = []\nfor i, r in enumerate(x): out.append(r * i)", "torch.stack(out) * x"),
    ("y = torch.zeros(3); y[:] = x", "y * x"), ("y = torch.zeros(3); y.add_(x.exp(), alpha=2)", "y * x"),
    ("s = 0\nfor r in x: s += r", "s * x"),
]  # fmt: skip
BLOCKS = ["torch.no_grad()", "torch.inference_mode()", "torch.set_grad_enabled(False)"]


@pytest.mark.parametrize(("statements", "result"), INSIDE)
def test_a_block(statements: str, result: str) -> None:
    lines = statements.replace("; ", "\n").replace("\n", "\n    ")
    source = function("return t.exp()", "t", "g") + function(f"with torch.no_grad():\n    {lines}\nreturn {result}")
    assert_same(source, "f(torch.randn(3))")


@pytest.mark.parametrize(
    "block",
    [*BLOCKS, "torch.no_grad() as g", "torch.autograd.no_grad()", "torch.no_grad() if True else torch.enable_grad()"],
)
def test_ways_to_say_it(block: str) -> None:
    assert_sound(function(f"with {block}: y = x.exp()\nreturn y * x"), "f(torch.randn(3))")


@pytest.mark.parametrize("grad", ["torch.enable_grad()", "torch.set_grad_enabled(True)"])
def test_ways_to_say_the_contrary(grad: str) -> None:
    assert_same(function(f"with torch.no_grad():\n    with {grad}: y = x.exp()\nreturn y * x"), "f(torch.randn(3))")


@pytest.mark.parametrize("train", [True, False])
def test_a_mode_that_the_caller_decides(train: bool) -> None:
    assert_sound(
        function("with torch.set_grad_enabled(train): y = x.exp()\nreturn y * x", "x: torch.Tensor, train: bool"),
        f"f(torch.randn(3), {train})",
    )
    assert_sound(
        function(f"torch.set_grad_enabled({train}); y = x.exp(); torch.set_grad_enabled(True); return y * x"),
        "f(torch.randn(3))",
    )


BODIES = [
    "return t.exp()", "y = t.exp(); return y, y.sum()", "if t.shape[0] > 2: return t.exp()\nreturn t",
    "return {'a': t.exp(), 'b': [t.sin()]}", "return t.exp() if t.ndim else t", "for i in range(3): yield t.exp()",
    "y = t * 1; y += t; y[0] = t[1]; return y", "return [r.exp() for r in t]", "return t.shape[0]", "return t > 0",
]  # fmt: skip


@pytest.mark.parametrize("decorator", ["torch.no_grad()", "torch.no_grad", "torch.inference_mode()"])
@pytest.mark.parametrize("body", BODIES)
def test_a_decorator(body: str, decorator: str) -> None:
    source = f"@{decorator}\n" + function(body, "t", "g")
    uses = {
        "return {": "r = g(x); return r['a'] * x + r['b'][0]",
        "for": "return sum(g(x)) * x",
        "y = t.exp()": "a, b = g(x); return a * x + b",
        "return [": "return torch.stack(g(x)) * x",
    }
    use = next((use for start, use in uses.items() if body.startswith(start)), "return g(x) * x")
    assert_same(source + function(use), "f(torch.randn(3))")


def test_a_decorator_on_a_method_and_an_inner_function() -> None:
    method = "class A:\n    @torch.no_grad()\n    def g(self, t):\n        return t.exp()\n\n\n"
    assert_same(method + function("return A().g(x) * x"), "f(torch.randn(3))")
    assert_same(function("@torch.no_grad()\ndef g(t): return t.exp()\nreturn g(x) * x"), "f(torch.randn(3))")


CUTS = [
    "x.detach() * x", "x.data * x.exp()", "(x > 0).float() + x - x.detach()",
    "x.clone().detach().requires_grad_(True) * 2", "x.detach().clone() * x", "x.round() * x + x.floor() + x.sign()",
    "x.new_tensor(x.detach()) * x", "torch.tensor(2.0) * x", "torch.as_tensor(x) * x", "x.sum().detach() * x",
    "torch.argmax(x) * x", "F.softmax(x.detach(), 0) * x",
]  # fmt: skip


@pytest.mark.parametrize("expression", CUTS)
def test_expressions_that_cut(expression: str) -> None:
    assert_same(function(f"return {expression}"), "f(torch.randn(3))")


def test_integers_need_no_stop() -> None:
    body = definitions(
        function("with torch.no_grad():\n    i = x.argmax()\n    n = x.shape[0]\n    m = x > 0\nreturn x[i] * n * m")
    )
    assert "stop_gradient" not in body


def test_stopped_once() -> None:
    body = definitions(function("with torch.no_grad(): y = x.detach()\nreturn y * x"))
    assert body.count("stop_gradient") == 1


@pytest.mark.parametrize("write", ["y[0] = 1.0", "y += 1", "y.mul_(2)", "torch.exp(x, out=y)", "y.data[0] = 1.0"])
def test_a_write_into_what_came_from_outside(write: str) -> None:
    """The values change and the gradient flows as if they had not: no array of JAX does that."""
    assert errors(function(f"y = x * 2\nwith torch.no_grad(): {write}\nreturn y * x"))


@pytest.mark.parametrize(
    "use",
    [
        "if x.requires_grad: return x * 2\nreturn x * 2",
        "return x * 2 if torch.is_grad_enabled() else x * 2",
        "x.requires_grad = True; return x * 2",
    ],
)
def test_questions_about_the_tape(use: str) -> None:
    assert_sound(function(use), "f(torch.randn(3))")
