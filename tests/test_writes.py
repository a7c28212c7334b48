"""Writes into tensors: what a second name would see is carried over right, or refused."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from transpiled import assert_same, assert_sound, codes, definitions, errors, function

# What must be carried over: nobody else sees the write, or everybody who does gets the new value.
CARRIED = [
    "y = x.clone(); y[0] = 1; return y", "y = x.clone(); y[1:, ::2] += 1; y[..., -1] -= x[..., 0]; return y",
    "y = x * 2; y.mul_(2).add_(1).clamp_(min=0); return y", "y = x * 2; z = y.mul_(2).add_(1); return z - y",
    "y = (x * 2).add_(1).mul_(3); return y", "y = x * 2; return torch.sin(y.add_(1))",
    "y = x * 2; torch.relu_(y); F.relu_(y); torch.Tensor.add_(y, 1); return y",
    "y = x * 2; y += 1; y -= x; y *= 3; y /= 2; return y", "y = x * 2; torch.add(y, 1, out=y); return y",
    "y = torch.empty(3, 4); torch.exp(x, out=y); return y", "y = torch.empty(3, 4); z = torch.exp(x, out=y); return z",
    "x[0] = 1; return x", "x += 1; return x", "return x.add_(1).mul_(2)", "x = x + 1; x += 1; return x * 2",
    "x = x.clone(); x[0] = 1; return x.sum()", "y = x * 2; z = y[1:3]; z = z + 1; return y, z",
    "y = x * 2; s = y[0].clone(); y += 1; return s", "y = x * 2; s = y[[0]]; y += 1; return s",
    "y = x * 2; s = y[0].sum(); y += 1; return y, s", "y = x.clone(); v = y[:2]; s = v.sum(); y += 1; return y, s",
    "y = x.expand(2, 3, 4).clone(); y[0, 0] = 1; return y",
    "y = torch.zeros(4)\nfor i in range(3): y[i] = x[0, i] + y[i - 1]\nreturn y",
    ("out = []\nfor i in range(3):\n    y = torch.zeros(4)\n    y[i] = x[0, i]\n    out.append(y)\nreturn "
     "torch.stack(out)"),
    ("out, y = [], torch.zeros(4)\nfor i in range(3):\n    y[i] = x[0, i]\n    out.append(y.clone())\nreturn "
     "torch.stack(out)"),
    "p = torch.zeros(4)\nfor i in range(3):\n    c = torch.zeros(4)\n    c[i] = p.sum() + x[0, i]\n    p = c\nreturn p",
    "def step(s):\n    s[0] = 1\n    return s\ny = step(x * 2)\ny = step(y)\nreturn y",
    "y = x * 2; y.detach_(); return y * x", "y = x * 1; y.t_(); y.unsqueeze_(0); y.squeeze_(0); return y",
    "with torch.no_grad():\n    y = x * 2\n    y += 1\nreturn y * x",
    "y = x.detach().clone(); y.requires_grad_(); return y * 2",
    "terms = {}; terms['a'] = x.sum(); parts = [None]; parts[0] = terms['a']; return parts, terms",
    "y = x * 2; F.relu(y, inplace=True); return y", "y = F.relu(x * 2, inplace=True); return y",
    "y = torch.zeros(4); y[0] = y[1] = 3; return y * x", "y = x * 1; y[0] = s = x[1] * 2; return y, s",
    "y = x * 1; d = {}; d['a'] = y[1] = s = x[0] + 1; return y, s, d['a']",
    "y = torch.zeros(3, 4)\nfor i in range(3): y[i] = s = x[i] + y.sum()\nreturn y, s",
    "with torch.no_grad():\n    y = x * 1\n    y[0] = s = x[1] * 2\nreturn y * x, s * x",
    "y, z = torch.zeros(2, 3, 4), x * 2; y[0] = z.add_(1); return y, z",
    "l = []; y = x * 2; l.append(y.mul_(2)); return l",
    "l = []\nfor k in (1, 2):\n    y = x[:k].sum(0)\n    l.append(y.mul_(2))\nreturn l",
    "l = []\nfor k in (1, 2):\n    y = x[:k].sum(0)\n    v = y[:2]\n    l.append(v.sum())\n    y += 1\n    l.append(y)\nreturn l",
    "y, z = torch.zeros(2, 3, 4), x * 2; y[0] = y[1] = s = z.add_(1).mul_(2); return y, z, s",
]  # fmt: skip


@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x"])
@pytest.mark.parametrize("body", CARRIED)
def test_carried(body: str, parameter: str) -> None:
    if parameter == "x" and codes(function(body, parameter)) & {"unknown-receiver"}:
        return  # an honest way out: it asks for the annotation
    assert_same(function(body, parameter), "f(torch.randn(3, 4))")


# A write through each of these is seen through y.
VIEWS = [
    "y.view(-1)", "y.T", "y.t()", "y.mT", "y.flatten()", "y.reshape(2, 8)", "y.ravel()", "y.chunk(2)[0]",
    "y.unbind(0)[1]", "torch.split(y, 2)[1]", "y.tensor_split(2)[0]", "torch.hsplit(y, 2)[0]", "y[1:3]", "y[0]",
    "y[:, None]", "y[..., 0]", "y.squeeze()", "y.unsqueeze(0)", "y.transpose(0, 1)", "y.permute(1, 0)",
    "y.movedim(0, 1)", "y.diagonal()", "torch.diagonal(y)", "y.narrow(0, 1, 2)", "y.select(0, 1)", "y.unfold(0, 2, 2)",
    "y.view_as(x)", "y.unflatten(0, (2, 2))", "y.real", "y.detach()", "y.data", "y.contiguous()", "y.float()",
    "y.to(torch.float32)", "y.cpu()", "y.type_as(x)", "torch.as_tensor(y)", "torch.atleast_2d(y)",
    "torch.broadcast_tensors(y, y)[0]", "y.expand(4, 4)", "list(y)[0]", "[r for r in y][0]",
    "[y[i] for i in range(4)][1]", "[y][0]", "{'a': y}['a']", "(y, x)[0]", "next(iter(y))",
    "(y if x.shape[0] > 1 else x * 1)", "getattr(y, 'view')(-1)", "(lambda: y)()", "(lambda t: t[0])(y)",
    "max([y], key=len)",
]  # fmt: skip
WRITES = ["v[0] = 7", "v += 1", "v.mul_(2)", "torch.relu_(v)", "torch.add(v, 1, out=v)"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x"])
def test_through_a_view(view: str, parameter: str) -> None:
    for write in WRITES:
        assert_sound(function(f"y = x * 2; v = {view}; {write}; return y", parameter), "f(torch.randn(4, 4))")
    assert_sound(function(f"y = x * 2; {view}.mul_(2); return y", parameter), "f(torch.randn(4, 4))")
    assert_sound(function(f"y = x * 2; v = {view}; y += 1; return v", parameter), "f(torch.randn(4, 4))")


# Ways by which a write may get lost, or may reach somebody else.
SOUND = [
    "y = x * 2\nfor row in y: row /= row.sum()\nreturn y", "y = x * 2\nfor row in y: row.div_(2)\nreturn y",
    "y = x * 2\nfor i, row in enumerate(y): row[i] = 0\nreturn y",
    "y = x * 2\nfor row, other in zip(y, x): row.add_(other)\nreturn y",
    "y = x * 2\nfor i in range(4):\n    r = y[i]\n    r[0] = i\nreturn y",
    "y = x * 2; a, b, c, d = y; a += b; return y", "y = x * 2; a, b = y.chunk(2); a.zero_(); return y + b.sum()",
    "y = x * 2; rows = [r for r in y]; rows[0] += 1; return y", "y = x * 2; [r.add_(1) for r in y]; return y",
    "y = x * 2; list(map(torch.zero_, y)); return y", "y = x * 2; list(map(lambda r: r.zero_(), y)); return y",
    "y = x * 2; d = {'a': y}; d['a'][0] = 1; return y", "y = x * 2; d = {'a': y}; d['a'] += 1; return y",
    "y = x * 2; d = dict(a=y); y += 1; return d", "y = x * 2; l = []; l.append(y); y[0] = 1; return l",
    "y = x * 2; l = []\nfor i in range(3):\n    y += 1\n    l.append(y)\nreturn torch.stack(l)",
    "out, y = [], torch.zeros(4)\nfor i in range(3):\n    y[i] = x[0, i]\n    out.append(y)\nreturn torch.stack(out)",
    ("out = []\nfor i in range(3):\n    y = torch.zeros(4)\n    out.append(y)\n    y[i] = x[0, i]\nreturn "
     "torch.stack(out)"),
    "p = q = torch.zeros(4)\nfor i in range(3):\n    p[i] = x[0, i]\n    p, q = q, p\nreturn p, q",
    "y = x.clone(); v = y[0]\nfor i in range(3): y[i] = v.sum()\nreturn y",
    "y = x.clone(); v = y[0]\nfor i in range(3): y += v\nreturn y", "def g(): y.add_(1)\ny = x * 2; g(); return y",
    "y = x * 2\ndef g():\n    y[0] = 1\n    return y\ng(); return y",
    "y = x * 2\ndef g(): return y.sum()\ny[0] = 1; return g()", "y = x * 2; g = lambda: y.sum(); y.add_(1); return g()",
    "y = x * 2; g = lambda t: t.add_(1); g(y); return y", "y = x * 2\ndef g(t): t[0] = 1\ng(y); return y",
    "y = x * 2\ndef g():\n    nonlocal y\n    y = y + 1\ng(); return y", "x += 1; return x * 2",
    "x += 1; return x.sum()", "x[0] = 1; return x[1]", "y = x.add_(1); return y + x", "y = x; y += 1; return y.sum()",
    "y = x.view(-1); y += 1; return y.sum()", "y = x.contiguous(); y[0] = 1; return y * 2",
    "y = x.float(); y += 1; return y * 2", "a = b = x * 2; a += 1; return b", "a, b = (x * 2,) * 2; a += 1; return b",
    "z = x * 1; z.data.add_(1); return z * x", "z = x * 1; z.data[0] = 1; return z * x",
    "z = x * 1; z.data.copy_(x * 3); return z * x", "z = x * 1; z.data = x * 3; return z * 2",
    "z = torch.zeros(4)\nwith torch.no_grad(): z[0] = x[0, 0]\nreturn z * x",
    "z = x * 2\nwith torch.no_grad(): z.add_(1)\nreturn z * x", "z = x * 2\nwith torch.no_grad(): z += 1\nreturn z * x",
    "z = torch.empty(4, 4); w = z; torch.exp(x, out=z); return w",
    "z = torch.empty(2, 4, 4); torch.mul(x, 2, out=z[0]); return z",
    "z = torch.empty(4, 4); y = torch.exp(x, out=z); y += 1; return z",
    "v, i = torch.empty(4), torch.empty(4, dtype=torch.long); torch.max(x, dim=1, out=(v, i)); return v, i",
    "y = x * 2; z = F.relu(y, inplace=True); return y + z", "y = x * 2; z = y.mul_(2) + y; return z",
    "y = x * 2; z = y + y.mul_(2); return z", "y = x * 2; z = [y.add_(1), y.mul_(2)]; return z",
    "y = x * 2; return y.add_(1), y", "y = x * 2; z = torch.sin(y.add_(1)); return z + y",
    "y = x * 2; assert y.add_(1).shape[0] == 4; return y", "y = x * 2\nif y.add_(1).shape[0] == 4: y = y * 2\nreturn y",
    "y = x * 2\nwhile y.add_(1).shape[0] > 9: pass\nreturn y", "y = x * 2\nfor _ in y.add_(1): pass\nreturn y",
    "y = x * 2; t = f'{y.add_(1).shape}'; return y", "y = x * 2; (z := y).add_(1); return y",
    "y = x * 2; getattr(y, 'add_')(1); return y", "y = x * 2; bump = y.add_; bump(1); return y",
    "y = x * 2; y.__setitem__(0, 1.0); y.__iadd__(1.0); return y",
    "import operator; y = x * 2; operator.iadd(y, 1); return y", "y, z = x * 2, x * 3; y[0], z[1] = 1, 2; return y, z",
    "y = x * 1; y[0] = y[1] = 3; return y", "y = x * 1; y[0] = v = y[1]; return y, v",
    "y = x * 1; y[1:] = v = y[0]; y += 1; return v", "y = x * 1; v = y[0]; y[0] = s = v.add_(1); return y, s, v",
    "y = x * 2; v = y[0]; return torch.stack([y.mul_(2)[0], v])", "y = x * 2; v = y; return y.add_(1), v",
    "y = x * 2; v = y[0]; z = y.mul_(2).sum() + v.sum(); return z", "y = x * 2; v = y; return v + y.add_(1)",
    "y = x * 2; v = y; return dict(a=y.add_(1), b=v)", "y = x * 2; v = y; y.add_(1).mul_(v); return y",
    "y = x * 2; y.add_(1).mul_(y); return y", "y = x * 2; v = y[0]; return y.add_(1).mul_(v.sum())",
    "y = x * 2; v = y; return torch.add(v, 1, out=y) + v", "y = x * 2; v = y; l = [v.sum()]; l.append(y.mul_(2)); return l, v",
    "l, y = [], x * 2\nfor i in range(2): l.append(y.mul_(2))\nreturn l",
    "l, y = [], x * 2\nfor i in range(2):\n    l.append(y.sum())\n    y = x * i\n    l.append(y.mul_(2))\nreturn l",
    "l, y = [], x * 2\nfor i in range(2):\n    if i > 0: y = x * i\n    l.append(y.mul_(2))\nreturn l",
    "g = lambda: y.sum()\nl = []\nfor i in range(2):\n    if i: l.append(g())\n    y = x * 2\n    l.append(y.mul_(2))\nreturn l",
    "def g(t, u):\n    t.add_(1)\n    t.mul_(u)\n    return t\ny = x * 2; v = y; y = g(y, v); return y",
    "y = x * 1; i = 0; y[i] = i = 3; return y, i", "y = x * 1; y[0], s = s, y[1] = x[2], x[3]; return y, s",
    "y = x * 1; y[0] = a, b, c, d = x[1]; return y, a, d", "y = x * 1\nfor y[0] in range(3): pass\nreturn y",
    "y = x * 1; z = y; z.unsqueeze_(0); return y", "y = x * 1; z = y; z.detach_(); return y * x",
    "y = x * 1; y[0].fill_(3); y[0][1] = 2; return y", "y = x * 1; y.T[0] = 1; y.t().zero_(); return y",
]  # fmt: skip


@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x"])
@pytest.mark.parametrize("body", SOUND)
def test_carried_over_right_or_refused(body: str, parameter: str) -> None:
    assert_sound(function(body, parameter), "f(torch.randn(4, 4))")


# ---------------------------------------------------------------------------------------------------- other functions

CALLEES = {
    "itself": "t.add_(1); return t",
    "with another": "t.add_(1); return t, t.sum()",
    "in a dict": "t.add_(1); return {'t': t}",
    "its view": "t.add_(1); return t.view(-1)",
    "its row": "t.add_(1); return t[0]",
    "something else": "t.add_(1); return t * 2",
    "nothing": "t.add_(1)",
    "on one path": "if t.shape[0] == 3: return t * 2\nt.add_(1); return t",
    "or something else": "if t.shape[0] == 4: return t * 2\nt.add_(1); return t",
}
CALLERS = [
    "y = x * 2; g(y); return y",
    "y = x * 2; z = g(y); return y",
    "y = x * 2; z = g(y); return y, z",
    "y = x * 2; z = y; y = g(y); return z",
    "y = x * 2; s = g(t=y); return s",
    "return g(x * 2)",
    "y = x * 2; r = g(y[1:]); return y",
]


@pytest.mark.parametrize("callee", CALLEES.values(), ids=CALLEES)
@pytest.mark.parametrize("caller", CALLERS)
def test_a_callee_that_writes(caller: str, callee: str) -> None:
    source = function(callee, "t", "g") + "\n\n" + function(caller)
    assert_sound(source, "f(torch.randn(4, 4))")


def test_two_arguments_written() -> None:
    source = function("t.add_(1); u.mul_(2); return t, u", "t, u", "g")
    assert_sound(source + function("a, b = x * 1, x * 2; g(a, b); return a + b"), "f(torch.randn(3))")
    assert_same(source + function("a, b = x * 1, x * 2; a, b = g(a, b); return a + b"), "f(torch.randn(3))")


CONTAINERS = [
    "ys[0] = x", "ys.append(x)", "ys.extend([x])", "ys += [x]", "ys.pop()", "ys.clear()", "ys[0] += x", "ys[0].add_(x)",
    "y = ys[0]; y += x", "for y in ys: y.mul_(2)", "ys.reverse()", "ys.insert(0, x)", "del ys[0]",
]  # fmt: skip


@pytest.mark.parametrize("annotation", ["", ": list", ": list[torch.Tensor]"])
@pytest.mark.parametrize("change", CONTAINERS)
def test_the_callers_list(change: str, annotation: str) -> None:
    source = function(f"{change}; return x * 2", f"x: torch.Tensor, ys{annotation}")
    assert_sound(source, "f(torch.randn(3), [torch.randn(3), torch.randn(3)])")


DICTS = [
    "d['b'] = x", "d['a'] = x", "d.update(b=x)", "d['a'] += x", "d['a'].add_(x)", "y = d['a']; y += x", "d.pop('a')",
    "for v in d.values(): v.add_(x)", "d.setdefault('b', x)",
]  # fmt: skip


@pytest.mark.parametrize("change", DICTS)
def test_the_callers_dict(change: str) -> None:
    assert_sound(
        function(f"{change}; return x * 2", "x: torch.Tensor, d: dict"), "f(torch.randn(3), {'a': torch.randn(3)})"
    )


STATE = [
    "STATE.add_(x); return STATE.sum()", "STATE[0] = x[0]; return STATE * 2", "s = STATE; s += x; return s * 2",
    "ROWS.append(x); return x * 2", "s = STATE[1:]; s += 1; return STATE * x", "TABLE['a'] = x; return x * 2",
    "TABLE['a'].add_(x); return TABLE['a'] * 1",
]  # fmt: skip


@pytest.mark.parametrize("body", STATE)
def test_state_of_the_module(body: str) -> None:
    """Under jit the second call would not see what the first one left."""
    source = "STATE = torch.zeros(4)\nROWS = []\nTABLE = {'a': torch.zeros(4)}\n\n\n" + function(body)
    assert_sound(source, "f(torch.randn(4))", "f(torch.randn(4))")
    assert errors(source) or "@jax.jit" not in definitions(source)


@pytest.mark.parametrize(
    "statement",
    [
        "T.add_(1)",
        "V = T[1:]\nV += 1",
        "def g(y=T.add_(1)): return y",
        "class A:\n    V = T.view(-1)\n    V += 1",
        "R = T\nR[0] = 1",
    ],
)
def test_writes_while_the_module_is_imported(statement: str) -> None:
    assert_sound(f"T = torch.zeros(4)\n{statement}\n\n\n" + function("return x + T"), "f(torch.randn(4))")


def test_state_that_the_module_itself_makes() -> None:
    assert_same("T = torch.zeros(4)\nT[1] = 3.0\nT.add_(1)\n\n\n" + function("return x + T"), "f(torch.randn(4))")
    assert errors("T = torch.zeros(2, 4)\nR = T[0]\nR[1] = 3.0\n\n\n" + function("return x + T")) == {"aliased-write"}


BOX = """
class Box:
    def __init__(self, t):
        self.t = t

    def bump(self):
        self.t.add_(1)
        return self.t

    def more(self, t):
        self.t += t
        return self.t


"""
OBJECTS = [
    "b = Box(y); return b.more(x) + b.more(x)", "b = Box(y); z = b.more(x); return y, z",
    "b = Box(y); b.bump(); return y", "b = Box(y); b.t += 1; return y", "b = Box(y); y += 1; return b.t",
    "b = Box(y); b.t[0] = 1; return y", "b = Box(y); b.t.add_(1); return b.t", "b = Box(y); t = b.t; t += 1; return y",
]  # fmt: skip


@pytest.mark.parametrize("body", OBJECTS)
def test_objects_that_hold_a_tensor(body: str) -> None:
    assert_sound(BOX + function("y = x * 2; " + body), "f(torch.randn(4))")


# ------------------------------------------------------------------------------------------------------------- dtypes

DTYPES = [
    ("n[0] = 2.7; return n", "f(torch.arange(4))"),
    ("n[0] = True; return n", "f(torch.arange(4))"),
    ("n[0] = m[0]; n[1:] = m[1:] * 5; return n", "f(torch.arange(4), torch.randn(4))"),
    ("n[0] += 1; return n", "f(torch.zeros(4, dtype=torch.uint8))"),
    ("n += m; return n", "f(torch.zeros(4, dtype=torch.uint8), torch.arange(4))"),
    ("n += m; return n", "f(torch.randn(4).half(), torch.randn(4))"),
    ("n.mul_(m); return n", "f(torch.randn(4).half(), torch.randn(4))"),
    ("n[1:] += m[1:]; return n", "f(torch.randn(4).half(), torch.randn(4))"),
    ("n *= m; return n", "f(torch.arange(4), torch.tensor([True, False, True, True]))"),
    ("n &= m; n |= m; n ^= m; return n", "f(torch.tensor([True, False]), torch.tensor([True, True]))"),
    ("n //= 2; n %= 2; n **= 2; n <<= 1; return n", "f(torch.arange(4))"),
    ("n.copy_(m); return n", "f(torch.randn(2, 4), torch.arange(4))"),
    ("n.fill_(3.9); return n", "f(torch.arange(4))"),
    ("n[:] = m; return n", "f(torch.zeros(4).half(), torch.randn(4))"),
    ("torch.mul(m, 2, out=n); return n", "f(torch.zeros(4), torch.arange(4))"),
    ("n = n > 0; n[0] = 2; return n", "f(torch.randn(4))"),
    ("n.index_add_(0, torch.tensor([0, 0, 2]), m); return n", "f(torch.zeros(4), torch.randn(3))"),
    ("n[torch.tensor([0, 3, 2])] += m; return n", "f(torch.zeros(4), torch.ones(3))"),
    ("n /= n.sum(); return n", "f(torch.rand(4).half())"),
    ("n += n.mean(0) + m.to(n.dtype).mean(); return n", "f(torch.randn(4), torch.randn(4).double())"),
    ("k = m.to(n.dtype); n += torch.zeros_like(m, dtype=m.dtype) + m; return n", "f(torch.randn(4).half(), torch.randn(4))"),
    ("k = torch.zeros(4, dtype=torch.float16); k += torch.ones(4, dtype=torch.float32); return k", "f(torch.randn(4))"),
    ("k = torch.zeros(4, dtype=torch.float16); k += torch.ones(4, dtype=torch.half).exp(); return k", "f(torch.randn(4))"),
]


@pytest.mark.parametrize(("body", "call"), DTYPES)
def test_a_write_keeps_the_dtype(body: str, call: str) -> None:
    assert_same(function("n = n.clone(); " + body, "n: torch.Tensor, m: torch.Tensor | None = None"), call)


def test_plain_numbers_are_no_writes() -> None:
    assert definitions(function("k = n; n += 1; return x.sum() * n + k", "x, n: int")).count("n += 1") == 1
    assert_same(function("k = n; n += 1; return x.sum() * n + k", "x, n: int"), "f(torch.randn(3), 2)")


RUNS = """
import sys
from jaxtwin.transpile.pipeline import transpile
from jaxtwin.transpile.rules import load
from jaxtwin.transpile.settings import Settings
source = sys.stdin.read()
result = transpile(source, "x.py", Settings(), load())
print(result.body, result.diagnostics)
"""

SEEN_BY_MANY = """
import torch


def f(first: torch.Tensor, second: torch.Tensor, flag: bool):
    if flag:
        one, two, three = first[0], first[1], first[2]
    else:
        one, two, three = second[0], first[1], second[2]
    one.mul_(2)
    return two + three + first


def g(first: torch.Tensor, second: torch.Tensor, flag: bool):
    either = first if flag else second
    either.mul_(2)
    return first * second
"""


def test_what_is_written_does_not_depend_on_the_hash_seed() -> None:
    """Twins are compared by their text: the same source must give the same twin and the same words in every process."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", RUNS],
            input=SEEN_BY_MANY, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in range(6)
    }  # fmt: skip
    assert len(outputs) == 1
