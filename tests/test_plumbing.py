"""Devices, contiguity, scripting and CUDA branches: nothing is left of them."""

from __future__ import annotations

import pytest
from transpiled import assert_same, assert_sound, codes, definitions, function, twin

GONE = [
    "x = x.contiguous()", "x = x.cpu()", "x = x.cuda()", "x = x.to('cuda')", "x = x.to(x.device)",
    "x = x.to(device=x.device)", "x = x.pin_memory()", "x = x.requires_grad_(False)", "device = x.device",
    "device = torch.device('cuda')", "torch.cuda.synchronize()", "torch.cuda.empty_cache()", "if x.is_cuda: x = x * 2",
    "if torch.cuda.is_available(): x = x * 2", "if x.device.type == 'cuda': x = x * 2",
    "if torch.jit.is_scripting(): x = x * 2", "if torch.jit.is_tracing(): x = x * 2", "x.retain_grad()",
]  # fmt: skip


@pytest.mark.parametrize("statement", GONE)
def test_statements_that_vanish(statement: str) -> None:
    assert (
        definitions(function(f"{statement}; return x.sin()"))
        == "@jax.jit\ndef f(x: jax.Array):\n    return jnp.sin(x)\n"
    )


KEPT = [
    ("x.contiguous().view(-1)", "jnp.reshape(x, (-1,))"), ("x.clone().sin()", "jnp.sin(x)"),
    ("x.to(x.device).sin()", "jnp.sin(x)"), ("x.to('cpu', torch.float16)", "x.astype(jnp.float16)"),
    ("x.to(device='cpu', dtype=torch.float16)", "x.astype(jnp.float16)"),
    ("x.sin() if not torch.jit.is_scripting() else x.cos()", "jnp.sin(x)"),
    ("x.sin() if x.is_cuda else x.cos()", "jnp.cos(x)"),
    ("torch.zeros(3, device=x.device, requires_grad=True) + x", "jnp.zeros((3,)) + x"),
    ("torch.ones_like(x, memory_format=torch.preserve_format, device='cpu')", "jnp.ones_like(x)"),
    ("torch.empty(3, pin_memory=True, layout=torch.strided) * 0 + x", "jnp.empty((3,)) * 0 + x"),
    ("x.to('cuda', non_blocking=True) + 1", "x + 1"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), KEPT)
def test_expressions(expression: str, expected: str) -> None:
    assert f"    return {expected}\n" in definitions(function(f"return {expression}"))


BRANCHES = [
    "if x.is_cuda: return x * 2\nelse: return x.sin()",
    "if x.is_cuda: return x * 2\nreturn x.sin()",
    "if not x.is_cuda: return x.sin()\nreturn x.sum(dim=-2)",
    "if torch.jit.is_scripting(): return x * 2\nelif x.ndim == 1: return x.sin()\nelse: return x",
    "if x.ndim == 1: return x.sin()\nelif torch.cuda.is_available(): return x * 2\nelse: return x",
    "if x.ndim == 1 and not x.is_cuda: return x.sin()\nreturn x",
    "if x.is_cuda or x.ndim == 2: return x\nreturn x.sin()",
    "if x.device.type == 'cpu': return x.sin()\nreturn x",
    "if x.device.type != 'cpu': return x\nreturn x.sin()",
    "dev = x.device\nif dev.type == 'cuda': return x\nreturn x.sin().to(dev)",
    "d = 'cuda' if torch.cuda.is_available() else 'cpu'; return x.to(d).sin()",
    "assert x.device == x.device; return x.sin()",
    "assert x.is_contiguous(); return x.sin()",
    "if x.device.index is None: return x.sin()\nreturn x",
    "if str(x.device) == 'cpu': return x.sin()\nreturn x",
    "return {'y': x.sin(), 'device': x.device.type}['y']",
    "return torch.zeros(x.shape, dtype=x.dtype, device=x.device) + x",
    "with torch.autocast('cuda', enabled=False): y = x.sin()\nreturn y",
    "with torch.cuda.amp.autocast(enabled=False): y = x.sin()\nreturn y",
    "with torch.profiler.record_function('f'): y = x.sin()\nreturn y",
    "with torch.autograd.profiler.record_function('f'): y = x.sin()\nreturn y",
    "with torch.device('cpu'): y = torch.zeros(3)\nreturn x + y",
]


@pytest.mark.parametrize("body", BRANCHES)
@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x"])
def test_branches(body: str, parameter: str) -> None:
    assert_sound(function(body, parameter), "f(torch.randn(3))")


@pytest.mark.parametrize("body", BRANCHES[:8])
def test_branches_that_are_decided_leave_nothing(body: str) -> None:
    text = definitions(function(body))
    assert codes(function(body)) == set()
    assert "is_cuda" not in text
    assert "device" not in text
    assert "sum" not in text  # the code below a return that is always reached is gone


def test_a_device_parameter_stays_for_its_callers() -> None:
    source = function("return torch.zeros(3, device=device) + x.to(device)", "x: torch.Tensor, device='cpu'")
    assert_same(source, "f(torch.randn(3))", "f(torch.randn(3), 'cpu')", "f(torch.randn(3), device='cpu')")


def test_a_block_that_becomes_empty() -> None:
    assert_same(
        function("if n > 1: x = x.contiguous()\nelse: x = x.cpu()\nreturn x.sin()", "x: torch.Tensor, n: int"),
        "f(torch.randn(3), 2)",
    )
    waiting = twin(function("for _ in range(2): torch.cuda.synchronize()\nreturn x.sin()"))
    assert "cuda" not in waiting
    assert "return jnp.sin(x)" in waiting
    assert_same(
        function("try: x = x.contiguous()\nexcept ValueError: x = x.cpu()\nreturn x.sin()"), "f(torch.randn(3))"
    )


def test_a_dtype_that_may_be_none_is_torchs_default_in_double() -> None:
    """JAX's own default is float64 once 64-bit mode is on."""
    body = "return torch.zeros(3, dtype=dtype), torch.ones(2, dtype=None), torch.arange(3.0, dtype=dtype) * x"
    source = function(body, "x: torch.Tensor, dtype=None")
    assert_same(source, "f(torch.randn(3))", "f(torch.randn(3), torch.float64)", "f(torch.randn(3), dtype=torch.float16)", x64=True)


@pytest.mark.parametrize(
    "body",
    [
        "device = x.device; return own(3, device) + x",
        "device = x.device; return own(3, device=device) + x",
        "return own(3, x.device) + x",
        "own_device = x.device\ndef inner(): return own(3, own_device)\nreturn inner() + x",
        "return own(3, DEVICE) + x",
        "device, dtype = x.device, x.dtype; return own(3, device).to(dtype) + x",
        "(device, *rest), [dtype, y] = (x.device, 1), [x.dtype, x * 2]; return own(3, device).to(dtype) + y + rest[0]",
    ],
)
def test_a_device_passed_on(body: str) -> None:
    """The assignment vanishes; what is passed on is None."""
    own = "DEVICE = torch.device('cpu')\n\n\ndef own(n: int, device):\n    return torch.ones(n, device=device)\n\n\n"
    assert_same(own + function(body, "x: torch.Tensor"), "f(torch.randn(3))")
