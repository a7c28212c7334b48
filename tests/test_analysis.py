"""What a value is: evidence from use, from call sites, through closures, loops and unpacking."""

from __future__ import annotations

import pytest
from transpiled import assert_same, codes, definitions, differences, errors, function

# (body of f, its parameters, a call): each needs the analysis to know what something is, and nothing is refused.
KNOWN = [
    # aliases, getattr, functions as values
    ("g = torch.sum; return g(x, dim=0)", "x", "f(torch.randn(3, 4))"),
    ("g = F.softmax if x.ndim > 1 else torch.softmax; return g(x, dim=0)", "x", "f(torch.randn(3, 4))"),
    ("g = getattr(torch, 'cumsum'); return g(x, 0)", "x", "f(torch.randn(3, 4))"),
    ("return getattr(torch, 'cumsum')(x, dim=0)", "x", "f(torch.randn(3, 4))"),
    ("return torch.Tensor.add(x, x), torch.Tensor.sum(x, 1, keepdim=True)", "x", "f(torch.randn(3, 4))"),
    ("return sum(g(x) for g in [torch.sin, torch.cos])", "x", "f(torch.randn(3))"),
    ("return list(map(torch.sum, x))", "x", "f(torch.randn(3, 4))"),
    ("return {'a': torch.relu, 'b': torch.tanh}[n](x)", "x, n: str", "f(torch.randn(3), 'b')"),
    ("from functools import partial; g = partial(torch.softmax, dim=-1); return g(x)", "x", "f(torch.randn(3, 4))"),
    ("return fn(x) * 2", "x, fn=torch.sigmoid", "f(torch.randn(3))"),
    # unpacking
    ("b, c, h, w = x.shape; return x.view(b, c, h * w).mean(-1)", "x", "f(torch.randn(2, 3, 4, 5))"),
    ("b, c, h, w = x.size(); return x.view(b * c, -1).transpose(0, 1)", "x", "f(torch.randn(2, 3, 4, 5))"),
    ("b, *rest = x.shape; return x.reshape(b, -1), x.view(b, *rest)", "x", "f(torch.randn(2, 3, 4))"),
    ("(a, b), c = (x.sum(), x.prod()), x; return a + b * c.abs()", "x", "f(torch.randn(3))"),
    ("a, b = x.unbind(); return a.exp() + b.log1p().abs()", "x", "f(torch.rand(2, 3))"),
    ("*_, i = x.max(1); return i", "x", "f(torch.randn(2, 3))"),
    ("u, s, v = torch.svd(x); return s.sum(dim=0)", "x", "f(torch.randn(3, 3))"),
    # named tuples
    ("r = x.max(d); return r.values + r[0], r.indices", "x, d: int", "f(torch.randn(2, 3), 1)"),
    ("r = torch.sort(x, descending=True); return r[0], r.indices", "x", "f(torch.randn(2, 3))"),
    ("return torch.sort(x)[0]", "x", "f(torch.randn(2, 3))"),
    ("return x.max(dim=d).values, x.max(dim=d)[1]", "x, d", "f(torch.randn(2, 3), 1)"),
    # closures, lambdas, comprehensions
    ("def inner(y): return y.sum(dim=0) * k\nk = 2; return inner(x)", "x", "f(torch.randn(2, 3))"),
    ("def a():\n    def b(): return x.abs()\n    return b().sum(dim=0)\nreturn a()", "x", "f(torch.randn(2, 3))"),
    ("g = lambda t: t.sum(dim=-1); return g(x)", "x", "f(torch.randn(2, 3))"),
    ("g = lambda t, d=0: t.sum(dim=d); return g(x), g(x, 1), g(x, d=1)", "x", "f(torch.randn(2, 3))"),
    ("return torch.stack([row.sum() for row in x])", "x", "f(torch.randn(2, 3))"),
    ("return torch.stack([r.norm(p=2, dim=-1, keepdim=True) for r in x.unbind(0)])", "x", "f(torch.randn(2, 3))"),
    ("p = {k: x[i].sum(0) for i, k in enumerate('ab')}; return p['a'], p['b'].exp()", "x", "f(torch.randn(2, 3))"),
    ("return [a * b.abs() for a, b in zip(x, y)]", "x, y", "f(torch.randn(2, 3), torch.randn(2, 3))"),
    ("return {k: v.sum(dim=0) for k, v in d.items()}", "d", "f({'a': torch.randn(2, 3)})"),
    ("return torch.cat([x.flatten() for x in xs])", "xs", "f([torch.randn(2, 3), torch.randn(3)])"),
    ("return torch.stack(xs).sum(dim=0)", "*xs", "f(torch.randn(3), torch.randn(3))"),
    ("return a + kw['b'].sum(dim=0)", "a, **kw", "f(torch.randn(3), b=torch.randn(2, 3))"),
    # early returns, loops, conditions
    ("if w is None: w = torch.ones(x.shape[-1])\nreturn (x * w).sum(-1)", "x, w=None", "f(torch.randn(2, 3))"),
    ("if w is not None: return x * w.abs()\nreturn x.abs()", "x, w=None", "f(torch.randn(2, 3), torch.randn(3))"),
    ("return x.sum() if d is None else x.sum(d)", "x, d=None", "f(torch.randn(2, 3), 1)"),
    ("if x.ndim == 2: x = x[None]\nreturn x.sum(dim=(1, 2))", "x", "f(torch.randn(2, 3))"),
    ("for d in range(x.dim()): x = x.cumsum(d)\nreturn x", "x", "f(torch.randn(2, 3))"),
    ("out = []\nfor d in range(x.dim()): out.append(x.sum(d))\na, b = out; return a.exp(), b", "x",
     "f(torch.randn(2, 3))"),
    ("t = 0.0\nfor x in xs: t += x.pow(2).sum()\nreturn t", "xs", "f([torch.randn(2, 3), torch.randn(3)])"),
    ("i = t = 0\nwhile i < 3:\n    t = t + x.sum()\n    i += 1\nreturn t", "x", "f(torch.randn(2, 3))"),
    ("try: y = x.sum(dim=0)\nexcept ValueError: y = x\nreturn y.exp()", "x", "f(torch.randn(2, 3))"),
    ("y = x.sum(0); del x; return y.exp()", "x", "f(torch.randn(2, 3))"),
    ("if (n := x.shape[0]) > 2: return x.view(n, 1)\nreturn x.abs()", "x", "f(torch.randn(3))"),
    # numbers and dtypes
    ("return n / k, n // k, n % k, n.sum() / 2", "n, k", "f(torch.arange(6), 4)"),
    ("return n / k, torch.true_divide(n, k), n.float() / k", "n, k", "f(torch.arange(6), torch.arange(1, 7))"),
    ("return torch.mul(x, s) + s", "x, s", "f(torch.randn(2, 3), 2.0)"),
    ("return x.new_zeros(2, 2), x.new_tensor([1.0]), x.size(-1) * x.sum()", "x", "f(torch.randn(2, 3))"),
    ("return F.one_hot(x.argmax(1), n + 1)", "x, n", "f(torch.randn(2, 3), 2)"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "parameters", "call"), KNOWN)
def test_known(body: str, parameters: str, call: str) -> None:
    assert_same(function(body, parameters), call)


MODULES = [
    ("def f(x, n):\n    if n == 0:\n        return x.sum()\n    return f(x * 2, n - 1)\n", "f(torch.randn(3), 2)"),
    ("def even(x, n):\n    return x if n == 0 else odd(x.exp(), n - 1)\n\n\ndef odd(x, n):\n    return x if n == 0 "
     "else even(x.cos(), n - 1)\n",
     "even(torch.randn(3), 3)"),
    ("def h(x, dim):\n    return x.mean(dim, keepdim=True)\n\n\ndef f(x):\n    return h(x, 1) + h(x, dim=0)\n",
     "f(torch.randn(2, 3))"),
    ("def h(x, dims):\n    return x.mean(dims)\n\n\ndef f(x):\n    return h(x, [0, 1]) + h(x, (0,)).sum()\n",
     "f(torch.randn(2, 3))"),
    ("def _axpy(a, x, y):\n    return a * x + y\n\n\ndef f(x, y):\n    return _axpy(2.0, x, y).norm()\n",
     "f(torch.randn(3), torch.randn(3))"),
    ("def f(x):\n    return g(x).sum(dim=0)\n\n\ndef g(x):\n    return x.abs(), x\n\n\ndef g(x):\n    return "
     "x.abs()\n",
     "f(torch.randn(2, 3))"),
    ("ACTS = {'relu': torch.relu, 'gelu': F.gelu}\n\n\ndef f(x, name: str):\n    return ACTS[name](x)\n",
     "f(torch.randn(3), 'gelu')"),
    ("SCALE = torch.tensor([1.0, 2.0])\n\n\ndef f(x):\n    return (x * SCALE).sum(dim=0)\n", "f(torch.randn(3, 2))"),
    ("class A:\n    @staticmethod\n    def go(t, d: int = 0):\n        return t.sum(dim=d)\n\n    def run(self, t):\n"
     "        return self.go(t).exp()\n\n\ndef f(x):\n    return A().run(x), A.go(x)\n",
     "f(torch.randn(3))"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "call"), MODULES)
def test_across_functions(source: str, call: str) -> None:
    assert_same(source, call)


def test_what_flows_in_from_the_only_callers_is_evidence() -> None:
    source = function("return torch.max(a, b)", "a, b", "_larger") + function("return _larger(x, x.abs())", "x")
    assert errors(source) == set()
    assert "jnp.maximum(a, b)" in definitions(source)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return torch.max(x, y)", "ambiguous-overload"),
        ("return torch.sum(x, *y)", "star-arguments"),
        ("return torch.sum(x, **y)", "star-arguments"),
        ("return y.split(z)", "unknown-receiver"),
        ("return x * y.data", "unknown-receiver"),
        ("return getattr(torch, y)(x)", "left-torch"),
        ("return getattr(x, 'sum')(dim=0)", "unsupported-syntax"),
        ("return x.no_such_method_", "unknown-api"),
        ("return x.sum().no_such_attribute", "unknown-api"),
    ],
)
def test_what_stays_unknown_and_matters_is_refused(body: str, code: str) -> None:
    assert code in codes(function(body, "x: torch.Tensor, y, z"))


def test_a_dict_is_no_tensor() -> None:
    """Stores into containers of the function's own stay stores."""
    source = function("d = {}; d['a'] = x.sum(); l = [0]; l[0] = d['a']; return l", "x")
    assert "d['a'] = jnp.sum(x)" in definitions(source)
    assert_same(source, "f(torch.randn(3))")


DEMANDS = [
    "x.sum()", "x.unsqueeze(0)", "torch.sin(x)", "x[:, 0]", "x[..., 0]", "x[None]", "x @ x", "x.T", "x.shape",
    "F.relu(x)", "x.norm()",
]  # fmt: skip


@pytest.mark.parametrize("use", DEMANDS)
def test_a_use_tells_what_a_parameter_is(use: str) -> None:
    """`x.data` is refused for what may be no tensor; any of these uses says that x is one."""
    assert errors(function(f"y = {use}; return y, x.data", "x")) == set()


# torch takes integers that a slice parts from tensors first, and a list that holds a list for a tuple.
INDICES = [
    "x[0, [1, 2]]", "x[[0, 1], [1, 2]]", "x[..., [1]]", "x[:, [0, 2]]", "x[0, :, [1, 2]]", "x[:, 0, [1, 2]]",
    "x[[0, 1], :, 1]", "x[[[0, 1]]]", "x[[[0, 1], [1, 0]]]", "x[0, :, i]", "x[i, :, i]", "x[i, 0]", "x[i][0]", "x[-2:]",
    "x[::2, None]", "x[True]", "x[()]", "x[None]", "x[i > 1]", "x[[True, False, True]]", "x[0][..., i]",
    "x[i.tolist()]", "x[(0, 1)]", "x[i, ..., i]",
]  # fmt: skip


@pytest.mark.parametrize("parameters", ["x, i", "x: torch.Tensor, i: torch.Tensor"])
@pytest.mark.parametrize("index", INDICES)
def test_indices(index: str, parameters: str) -> None:
    """Right or refused; a mask that nobody could know of may fail as JAX's masks do."""
    source = function(f"return {index}", parameters)
    if not errors(source):
        found = differences(source, "f(torch.randn(3, 4, 5), torch.tensor([1, 2]))")
        assert all("NonConcreteBooleanIndexError" in text or "ConcretizationTypeError" in text for text in found)
