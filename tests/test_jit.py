"""`@jax.jit`: who gets it, which arguments are static, and what is said of those who do not get it."""

from __future__ import annotations

import ast

import pytest
from transpiled import assert_same, assert_sound, codes, definitions, diagnostics, function, twin


def static(source: str, name: str = "f") -> tuple[str, ...] | None:
    """The static arguments of a function of the twin; None if it is not jitted."""
    tree = ast.parse(twin(source))
    node = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if decorators == ["jax.jit"]:
        return ()
    call = next((d for d in node.decorator_list if isinstance(d, ast.Call) and "jax.jit" in ast.unparse(d)), None)
    if call is None:
        return None
    names = ast.literal_eval(call.keywords[0].value)
    return (names,) if isinstance(names, str) else names


STATIC = [
    ("return x.sum()", "x", ()), ("return x.sum(dim)", "x, dim", ("dim",)), ("return x.sum(dim)", "x, dim=1", ("dim",)),
    ("return x.sum(dim)", "x, *, dim", ("dim",)),
    ("return x.sum(dim, keepdim=keep).to(dtype)", "x, dim=1, keep=False, dtype=torch.float32",
     ("dim", "keep", "dtype")),
    ("return x.transpose(a, b)", "x, a, b", ("a", "b")),
    ("return x.reshape(n, m)", "x, n: int = 3, *, m: int = 4", ("n", "m")),
    ("return x.view(n, -1)", "x, n", ("n",)), ("m = n * 2; return x.view(m + 1, -1)", "x, n", ("n",)),
    ("n = n + 1; return x.view(n, -1)", "x, n", ("n",)), ("n = x.shape[0]; return x.view(n, -1)", "x, n", ()),
    ("return x.view(max(n, 1), -1), x.view(abs(k), min(3, 6 // j))", "x, n, k, j", ("n", "k", "j")),
    ("m = n if n > 1 else 1; return x.view(m, -1)", "x, n", ("n",)),
    ("return x.view(int(n / 2), -1)", "x, n", ("n",)),
    ("import math; return x.view(math.ceil(n / 2), -1)", "x, n", ("n",)),
    ("import numpy as np; return x.view(int(np.prod([n, 2])), -1)", "x, n", ("n",)),
    ("s = x.shape[:-1] + (n, -1); return x.view(s)", "x, n", ("n",)),
    ("s = []; s.append(n); return x.view(s)", "x, n", ("n",)),
    ("d = {'n': n}; return x.view(d['n'], -1)", "x, n", ("n",)), ("return torch.zeros(n) + x", "x, n", ("n",)),
    ("return torch.zeros(shape) + x.abs()", "x, shape", ("shape",)),
    ("return torch.arange(n)", "n", ("n",)), ("return torch.zeros(3)", "", ()), ("return x[:k].sum()", "x, k", ("k",)),
    ("return x[i:i + 2].sum()", "x, i", ("i",)), ("return x[k].sum()", "x, k", ()),
    ("return x.sum() + x[i, j]", "x, i, j", ()),
    ("return x.abs() if flag else x", "x: torch.Tensor, flag", ("flag",)),
    ("if reduction == 'mean': return x.mean()\nreturn x.sum()", "x, reduction='mean'", ("reduction",)),
    ("return x.abs() if s in ('a', 'b') else x.exp()", "x, s", ("s",)),
    ("for _ in range(steps): x = x.sin()\nreturn x", "x, steps", ("steps",)),
    ("while lo < hi:\n    x = x.abs()\n    lo += 1\nreturn x", "x, lo, hi", ("lo", "hi")),
    ("return torch.stack([x] * n)", "x, n", ("n",)), ("return torch.cat((x,) * n)", "x, n", ("n",)),
    ("return [x.abs() for _ in range(n)]", "x, n", ("n",)), ("return [x.abs(), x.exp()][i]", "x, i", ("i",)),
    ("return {'a': x.abs(), 'b': x.exp()}[key]", "x, key", ("key",)),
    ("return fn(x).sum()", "x, fn", ("fn",)), ("return fn(x)", "x: torch.Tensor, fn=torch.sin", ("fn",)),
    ("assert n > 0; return x.abs() * n", "x, n", ("n",)),
    ("if n < 0: raise ValueError(f'bad {n}')\nreturn x.abs() * n", "x, n", ("n",)),
    ("return x.sum() * n", "x, n: int", ()), ("return x.clamp(min=a)", "x, a: float", ()),
    ("return x / (x.norm() + eps)", "x, eps=1e-6", ()), ("return x.norm(p)", "x, p: float", ("p",)),
    ("return x.sum() if w is None else (x * w).sum()", "x, w=None", ()),
    ("def inner(): return x.view(n, -1)\nreturn inner()", "x, n", ("n",)),
    ("g = lambda k: x.view(k, -1); return g(n)", "x, n", ("n",)),
    ("return x.view(n, -1) if isinstance(n, int) else x.abs()", "x, n", ("n",)),
    ("return torch.stack(xs)", "*xs", ()), ("return torch.stack(xs)", "xs", ()),
    ("return x.abs().to(device)", "x, device='cpu'", ("device",)),
    ("return torch.zeros(3, device=device) + x", "x: torch.Tensor, device=None", ("device",)),
    ("return torch.zeros(3, dtype=dt) + x", "x: torch.Tensor, dt=None", ("dt",)),
    ("return x.abs() + len(mode)", "x, mode: str", ("mode",)), ("return x.sum(cfg.dim)", "x, cfg", ("cfg",)),
    ("return x.topk(n).values, F.pad(x, (m, 0)), torch.roll(x, k)", "x, n, m, k", ("n", "m", "k")),
]  # fmt: skip


@pytest.mark.parametrize(("body", "parameters", "expected"), STATIC)
def test_static_arguments(body: str, parameters: str, expected: tuple[str, ...]) -> None:
    source = function(body, parameters)
    assert static(source) == expected
    assert "not-jitted" not in codes(source)


def test_what_a_callee_needs_static_is_static_in_its_callers() -> None:
    source = function("return x.view(n, -1)", "x, n", "_h") + function("return _h(x, k + 1) + _h(x, n=m)", "x, k, m")
    assert static(source) == ("k", "m")
    source = function("return x.view(n, -1)", "x, n", "g") + function("h = g; return h(x, n)", "x, n")
    assert static(source) == ("n",)
    box = "class C:\n    def __init__(self, n):\n        self.n = n\n\n\n"
    assert_sound(box + function("c = C(n); return x.view(c.n, -1)", "x, n"), "f(torch.randn(6), 2)")


EAGER = [
    ("return x.item()", "x: torch.Tensor", "concrete-value"),
    ("return float(x.sum())", "x", "concrete-value"),
    ("return x.sum().item() * x", "x", "concrete-value"),
    ("return x.tolist()", "x: torch.Tensor", "concrete-value"),
    ("return x.abs().numpy()", "x", "concrete-value"),
    ("import math; return x.abs() * math.sqrt(x.sum())", "x", "concrete-value"),
    ("from math import sqrt; return x.abs() * sqrt(x.sum())", "x", "concrete-value"),
    ("import numpy as np; return x * np.sqrt(x.abs())", "x", "concrete-value"),
    ("for i in range(x.sum()): x = x + i\nreturn x", "x: torch.Tensor", "concrete-value"),
    ("if x.sum() > 0: return x\nreturn -x", "x", "tensor-condition"),
    ("while x.sum() < 10: x = x.abs() + 1\nreturn x", "x", "tensor-condition"),
    ("return x if x.sum() > 0 and flag else -x", "x, flag", "tensor-condition"),
    ("return x.abs() if not x.sum() else x", "x", "tensor-condition"),
    ("return max(x.sum(), x.mean())", "x", "tensor-condition"), ("return x / max(1, x.sum())", "x", "tensor-condition"),
    ("return x / max(x.sum(), 0.5)", "x", "tensor-condition"), ("return max(0, *x.abs())", "x", "tensor-condition"),
    ("return x.abs(), x.shape[0]", "x", "not-jitted"),
    ("return x.abs(), x.shape", "x", "not-jitted"),
    ("return x.abs(), 'name'", "x", "not-jitted"),
    ("return x.permute(*dims)", "x, *dims", "not-jitted"),
    ("return x.sum(kw['dim'])", "x, **kw", "not-jitted"),
    ("global COUNT; COUNT = 1; return x.abs()", "x", "not-jitted"),
    ("yield x.abs()", "x", "not-jitted"),
    ("return x.view(shape)", "x, shape: list[int]", "not-jitted"),
    ("y, n = p; return y.repeat(n)", "p: tuple[torch.Tensor, int]", "not-jitted"),
    ("return x.sum(cfg['dim'])", "x, cfg", "not-jitted"),
    ("return x[s].abs()", "x, s: slice", "not-jitted"),
]


@pytest.mark.parametrize(("body", "parameters", "code"), EAGER)
def test_left_without_jit_and_why(body: str, parameters: str, code: str) -> None:
    source = function(body, parameters)
    assert static(source) is None
    assert code in codes(source)


def test_a_caller_of_what_is_not_compiled_is_not_compiled() -> None:
    source = function("return x.sum().item()", "x", "g") + function("return x.abs() * g(x)", "x")
    assert static(source) is None
    assert any("calls g" in diagnostic.message for diagnostic in diagnostics(source))


@pytest.mark.parametrize("name", ["_f", "__f"])
def test_private_functions_are_not_decorated(name: str) -> None:
    assert static(function("return x.abs()", "x", name), name) is None
    assert codes(function("return x.abs()", "x", name)) == set()


def test_methods_and_inner_functions_are_not_decorated() -> None:
    body = definitions(
        "class A:\n    def f(self, x):\n        return x.abs()\n\n\n"
        + function("def g(): return x.abs()\nreturn g()", "x")
    )
    assert body.count("jax.jit") == 1


@pytest.mark.parametrize(
    "decorator",
    ["@torch.jit.script", "@torch.compile", "@torch.jit.ignore", "@torch.no_grad()", "@torch.inference_mode()"],
)
def test_decorators_of_torch_make_room(decorator: str) -> None:
    assert static(f"{decorator}\n" + function("return x.abs()", "x")) == ()


def test_other_decorators_stay_and_keep_jit_away() -> None:
    source = "def deco(g):\n    return g\n\n\n@deco\n" + function("return x.abs()", "x")
    assert static(source) is None
    assert "@deco\n" in definitions(source)
    assert "not-jitted" in codes(source)


@pytest.mark.parametrize("comment", ["# torch2jax: eager\ndef f(x):\n", "def f(x):  # torch2jax: eager\n"])
def test_the_eager_directive(comment: str) -> None:
    source = f"{comment}    return x.abs().sum().item()\n"
    assert static(source) is None
    assert codes(source) == set()
    assert "torch2jax" not in definitions(source)


PUBLIC = [
    "a, b = x[:2], x[2:]; return a + b", "return x * 2", "return [x, x + 1]", "y = x[0]; return -y",
    "return x ** 2 / x[-1]",
]  # fmt: skip


@pytest.mark.parametrize("body", PUBLIC)
def test_plain_arithmetic_in_a_torch_module_is_jitted(body: str) -> None:
    """`x: torch.Tensor` says enough; no call of torch is needed."""
    assert static(function(body)) == ()


# What Python asks about a value must come out under jit as it does without.
QUESTIONS = [
    ("if isinstance(a, int): return x * a * 2\nreturn x * a.sum()", "f(torch.randn(3), 2)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if isinstance(a, float): return x.sin() * a * 2\nreturn x * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if isinstance(a, (int, float)): return x.sin() * a * 2\nreturn x * a", "f(torch.randn(3), 2)",
     "f(torch.randn(3), 1.5)"),
    ("if torch.is_tensor(a): return x.sin() * a * 2\nreturn x * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if isinstance(a, torch.Tensor): return x.sin() * a * 2\nreturn x * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if not isinstance(a, torch.Tensor): a = torch.tensor(a)\nreturn x.sin() * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if type(a) is int: return x.sin() * a * 2\nreturn x * a", "f(torch.randn(3), 2)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if type(a) is torch.Tensor: return x.sin() * a\nreturn x * a", "f(torch.randn(3), 2)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if type(a) == float: return x.sin() * a\nreturn x * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("if hasattr(a, 'shape'): return x.sin() * a\nreturn x * a", "f(torch.randn(3), 2.0)",
     "f(torch.randn(3), torch.randn(3))"),
    ("return x.sin() if a is None else x * a", "f(torch.randn(3), None)", "f(torch.randn(3), torch.randn(3))"),
    ("return x.sin() * (a or 1)", "f(torch.randn(3), 0)", "f(torch.randn(3), 2)"),
    ("if callable(a): return a(x)\nreturn x.sin() * a", "f(torch.randn(3), 2)"),
]  # fmt: skip


@pytest.mark.parametrize("case", QUESTIONS, ids=lambda case: case[0])
def test_questions_about_a_value(case: tuple[str, ...]) -> None:
    body, *calls = case
    assert_sound(function(body, "x, a"), *calls)


def test_a_list_for_static_axes_within_the_module() -> None:
    source = function("return x.mean(dims)", "x, dims", "h") + function("return h(x, [0, 1])", "x")
    assert_same(source, "f(torch.randn(2, 3))")


CONFIG = """
from dataclasses import dataclass
from typing import NamedTuple


{head}
    dim: int = -1


"""


@pytest.mark.parametrize(
    ("head", "jitted"),
    [("@dataclass\nclass C:", False), ("@dataclass(frozen=True)\nclass C:", True), ("class C(NamedTuple):", True)],
)
def test_a_configuration_is_static_if_it_can_be_hashed(head: str, jitted: bool) -> None:
    source = CONFIG.format(head=head) + function("return x.sum(cfg.dim)", "x, cfg=C()")
    assert ("jax.jit" in definitions(source)) is jitted
    assert ("not-jitted" in codes(source)) is not jitted
    assert_same(source, "f(torch.randn(3, 4))", "f(torch.randn(3, 4), C(0))")


def test_recursion_that_finds_what_must_be_static() -> None:
    source = (
        "def f(x: torch.Tensor, sizes, depth):\n    if depth == 0:\n        return x.view(sizes)\n"
        "    return f(x * 2, sizes, depth - 1)\n"
    )
    assert_same(source, "f(torch.ones(4), (2, 2), 3)")
    assert static(source) == ("sizes", "depth")


def test_a_class_in_a_class() -> None:
    source = (
        "class Outer:\n    class Inner:\n        def __init__(self, x):\n            self.x = x\n\n"
        "        def twice(self) -> torch.Tensor:\n            return torch.mul(self.x, 2)\n\n\n"
        "def f(x: torch.Tensor):\n    return Outer.Inner(x).twice()\n"
    )
    assert_same(source, "f(torch.ones(4))")


@pytest.mark.parametrize("parameter", ["x", "x: torch.Tensor"])
def test_the_number_of_elements_of_a_shape(parameter: str) -> None:
    body = "s = x.size(); return x.abs() * x.shape.numel() + s[1:].numel()"
    assert_same(function(body, parameter), "f(torch.randn(2, 3, 4))")


@pytest.mark.parametrize("kinds", ["(float, torch.Tensor)", "(torch.Tensor, float, int)", "(int, float)"])
@pytest.mark.parametrize("factor", ["2.0", "3", "torch.tensor(1.5)", "torch.randn(3)", "torch.tensor([1, 2, 3])"])
def test_a_number_or_a_tensor(kinds: str, factor: str) -> None:
    """A traced number is no array to the source, and a traced array is one."""
    body = f"if isinstance(factor, {kinds}): return x * 2\nreturn x * 3"
    assert_same(function(body, "x: torch.Tensor, factor"), f"f(torch.randn(3), {factor})")
