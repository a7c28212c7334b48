"""Elementwise and special functions against torch: kinks, ties, zeros, poles, infinities, NaN, scalars, all dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jaxtwin.transpile.ops import elementwise, special
from torch_checks import agree, array, close

INF, NAN = float("inf"), float("nan")
POINTS = torch.tensor([-INF, -1e30, -100.0, -2.5, -1.0, -0.5, -1e-30, 0.0, 1e-30, 0.25, 1.0, 2.5, 100.0, 1e30, INF])
PLAIN = torch.tensor([-3.7, -1.0, -0.4, 0.0, 0.3, 1.0, 2.0, 5.5])
WHOLE = torch.arange(-3, 4)
GRID = torch.tensor([-2.5, -1.0, -0.0, 0.0, 1.0, 2.5])
LEFT, RIGHT = GRID.repeat(6), GRID.repeat_interleave(6)
COMPLEX = torch.tensor([0, 1, -1, 1j, -1j, 1 + 1j, -0.5 + 2j, 2 - 3j], dtype=torch.complex64)

Pair = tuple[Callable[..., Any], Callable[..., Any]]

UNARY: dict[str, Pair] = {
    "absolute": (torch.abs, elementwise.absolute),
    "sign": (torch.sign, elementwise.sign),
    "angle": (torch.angle, elementwise.angle),
    "clamp": (lambda x: torch.clamp(x, -1, 1), lambda x: elementwise.clamp(x, -1, 1)),
    "clamp_min": (lambda x: torch.clamp_min(x, 0.25), lambda x: elementwise.clamp(x, min=0.25)),
    "clamp_max": (lambda x: torch.clamp_max(x, 2.5), lambda x: elementwise.clamp(x, max=2.5)),
    "crossed": (lambda x: torch.clamp(x, 1, -1), lambda x: elementwise.clamp(x, 1, -1)),
}


@pytest.mark.parametrize("name", UNARY)
def test_at_every_point(name: str) -> None:
    original, twin = UNARY[name]
    agree(original, twin, POINTS)
    agree(original, twin, torch.tensor(0.0))
    agree(original, twin, torch.zeros(0, 3))
    agree(original, twin, WHOLE, gradient=False)


@pytest.mark.parametrize("name", UNARY)
def test_nan_comes_out_as_in_torch(name: str) -> None:
    """The value; what derivative a NaN has is left open."""
    original, twin = UNARY[name]
    agree(original, twin, torch.tensor([1.0, NAN, -1.0]), gradient=False)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_stays(name: str, dtype: torch.dtype) -> None:
    original, twin = UNARY[name]
    agree(original, twin, PLAIN.to(dtype), gradient=False, tolerance=1e-2)


@pytest.mark.parametrize("name", ["absolute", "angle"])
def test_of_complex_numbers(name: str) -> None:
    original, twin = UNARY[name]
    agree(original, twin, COMPLEX)


def test_the_complex_sign() -> None:
    agree(torch.sgn, elementwise.sgn, COMPLEX)
    agree(torch.sgn, elementwise.sgn, torch.tensor([-2.0, 0.0, NAN, 3.0]), gradient=False)
    agree(torch.sgn, elementwise.sgn, WHOLE, gradient=False)


def test_the_derivative_of_absolute_value_at_nan_is_zero() -> None:
    agree(torch.abs, elementwise.absolute, torch.tensor([NAN, 1.0]))


@pytest.mark.parametrize("bounds", [(-1.0, 1.0), (1.0, -1.0)])
def test_bounds_that_are_tensors_are_differentiated_too(bounds: tuple[float, float]) -> None:
    low, high = (torch.full((6,), bound) for bound in bounds)
    agree(torch.clamp, elementwise.clamp, GRID, low, high)
    agree(torch.clamp, elementwise.clamp, GRID.repeat(2, 1), low, high[:1])


def test_bounds_of_another_type_promote() -> None:
    agree(lambda x: torch.clamp(x, 0.5, 2.5), lambda x: elementwise.clamp(x, 0.5, 2.5), WHOLE, gradient=False)


BINARY: dict[str, Pair] = {
    "fmax": (torch.fmax, elementwise.fmax),
    "fmin": (torch.fmin, elementwise.fmin),
    "copysign": (torch.copysign, elementwise.copysign),
    "arctan2": (torch.atan2, elementwise.arctan2),
    "trunc_divide": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), elementwise.trunc_divide),
}


@pytest.mark.parametrize("name", BINARY)
def test_of_every_two_points(name: str) -> None:
    original, twin = BINARY[name]
    agree(original, twin, LEFT, RIGHT)
    agree(original, twin, GRID[:, None], GRID[None, :])
    agree(original, twin, torch.tensor(0.0), torch.tensor(0.0))


@pytest.mark.parametrize("name", BINARY)
def test_of_integers(name: str) -> None:
    original, twin = BINARY[name]
    left, right = WHOLE.repeat(4), torch.tensor([-3, -2, 2, 3]).repeat_interleave(7)
    agree(original, twin, left, right, gradient=False)
    agree(original, twin, left.to(torch.int8), right.to(torch.int8), gradient=False)


@pytest.mark.parametrize("name", ["fmax", "fmin"])
def test_a_number_beats_nan(name: str) -> None:
    agree(*BINARY[name], torch.tensor([NAN, 1.0, NAN, 2.0]), torch.tensor([1.0, NAN, NAN, 2.0]))


def test_powers() -> None:
    """All but the derivative in the exponent of 0 to a negative power: -inf in torch, NaN in JAX."""
    agree(torch.pow, elementwise.power, LEFT, RIGHT, gradient=False)
    agree(torch.pow, elementwise.power, LEFT.abs(), RIGHT.abs())
    agree(lambda x: torch.pow(x, RIGHT), lambda x: elementwise.power(x, array(RIGHT)), LEFT)
    agree(lambda x: x[:, None] ** torch.arange(4), lambda x: elementwise.power(x[:, None], jnp.arange(4)), GRID)
    agree(lambda x: torch.pow(x, 0.0), lambda x: elementwise.power(x, 0.0), GRID)
    agree(lambda y: torch.pow(2, y), lambda y: elementwise.power(2, y), GRID)


def test_powers_of_integers() -> None:
    left, right = WHOLE[WHOLE != 0].repeat(5), torch.arange(-2, 3).repeat_interleave(6)
    agree(torch.pow, elementwise.power, left, right, gradient=False)


def test_the_polar_form() -> None:
    agree(torch.polar, elementwise.polar, torch.tensor([0.0, 1.0, 2.5]), torch.tensor([0.5, -1.0, 3.0]))


def test_sinc() -> None:
    agree(torch.sinc, elementwise.sinc, torch.tensor([-2.5, -1.0, -0.3, 0.0, 1e-30, 0.5, 1.0, 7.25]))
    agree(torch.sinc, elementwise.sinc, WHOLE, gradient=False)
    agree(torch.sinc, elementwise.sinc, COMPLEX[:6], gradient=False)


@pytest.mark.parametrize("x", [1e-12, 1e-6, 1e-3, 0.029, 0.031, 0.1])
def test_the_derivative_of_sinc_is_exact_around_zero(x: float) -> None:
    """Closer than torch's own in single precision, which is noise there."""
    exact = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (expected,) = torch.autograd.grad(torch.sinc(exact), exact)
    found = jax.grad(elementwise.sinc)(jnp.float32(x))
    if x < 1e-3:
        expected = torch.tensor(-(np.pi**2) * x / 3)
    np.testing.assert_allclose(found, expected.detach().numpy(), rtol=2e-4)


SPECIAL: dict[str, tuple[Callable[..., Any], Callable[..., Any], list[float]]] = {
    "digamma": (torch.digamma, special.digamma, [-30.2, -9.75, -2.5, -0.5, 1e-3, 0.5, 1.0, 10.0, 1e4]),
    "i0": (torch.i0, special.i0, [-20.0, -2.5, -0.0, 0.0, 0.5, 3.0, 20.0]),
    "erfcx": (torch.special.erfcx, special.erfcx, [-5.0, -1.0, 0.0, 0.5, 2.0, 4.999, 5.0, 8.0]),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions(name: str) -> None:
    original, twin, points = SPECIAL[name]
    agree(original, twin, torch.tensor(points))
    agree(original, twin, torch.tensor(points[-1]))


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions_at_their_ends(name: str) -> None:
    original, twin, _ = SPECIAL[name]
    ends = torch.tensor([-INF, -3.0, -0.0, 0.0, 1e30, INF, NAN])
    agree(original, twin, ends, gradient=False)
    agree(original, twin, WHOLE, gradient=False)


def test_erfcx_does_not_overflow() -> None:
    agree(torch.special.erfcx, special.erfcx, torch.tensor([10.0, 100.0, 1e4]), gradient=False)
    x = np.array([10.0, 100.0, 1e4], np.float32)
    expected = -(1 - 1.5 / x**2 + 3.75 / x**4 - 13.125 / x**6) / (np.sqrt(np.pi) * x**2)
    np.testing.assert_allclose(jax.vmap(jax.grad(special.erfcx))(x), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("original", "twin", "shift"), [(torch.xlogy, special.xlogy, 0), (torch.special.xlog1py, special.xlog1py, -1)]
)
def test_nothing_times_an_infinite_logarithm(original: Any, twin: Any, shift: float) -> None:
    """Values everywhere, derivatives in x everywhere, in y where torch's are not NaN."""
    x = torch.tensor([0.0, 0.0, 0.0, -0.0, 2.0, 2.0, -1.0, 0.0])
    y = torch.tensor([0.0, -2.0, 3.0, INF, 3.0, 0.0, 0.5, -0.0]) + shift
    agree(original, twin, x, y, gradient=False)
    finite = y != INF  # where log(y) is infinite, torch gives x the derivative inf
    agree(lambda a: original(a, y[finite]), lambda a: twin(a, array(y[finite])), x[finite])
    agree(lambda b: original(x[2:7], b), lambda b: twin(array(x[2:7]), b), y[2:7])
    agree(original, twin, torch.tensor([0.0, 1.0]), torch.tensor([NAN, NAN]), gradient=False)


def slope(function: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative of a function of torch, itself differentiable."""

    def derivative(x: torch.Tensor) -> torch.Tensor:
        x = x if x.requires_grad else x.detach().requires_grad_()
        return torch.autograd.grad(function(x).sum(), x, create_graph=True)[0]

    return derivative


SMOOTH: dict[str, Pair] = {
    "absolute": (lambda x: torch.abs(x) * x, lambda x: elementwise.absolute(x) * x),
    "clamp": (lambda x: torch.clamp(x * x, 0.5, 4), lambda x: elementwise.clamp(x * x, 0.5, 4)),
    "power": (lambda x: x ** torch.tensor(3.0), lambda x: elementwise.power(x, jnp.float32(3))),
    "arctan2": (lambda x: torch.atan2(x, x * x + 1), lambda x: elementwise.arctan2(x, x * x + 1)),
    "copysign": (lambda x: torch.copysign(x, -x) * x, lambda x: elementwise.copysign(x, -x) * x),
    "sinc": (torch.sinc, elementwise.sinc),
    "xlogy": (lambda x: torch.xlogy(x, x * x), lambda x: special.xlogy(x, x * x)),
    "i0": (torch.i0, special.i0),
    "erfcx": (torch.special.erfcx, special.erfcx),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_second_derivatives(name: str) -> None:
    original, twin = SMOOTH[name]
    agree(
        slope(original),
        jax.grad(lambda x: jnp.sum(twin(x))),
        torch.tensor([-2.6, -1.2, -0.3, 0.4, 1.3]),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("name", [*UNARY, *SPECIAL])
def test_mapped_over_an_axis(name: str) -> None:
    twin = UNARY[name][1] if name in UNARY else SPECIAL[name][1]
    x = array(PLAIN).reshape(2, 4)
    close(jax.vmap(twin)(x), twin(x), 1e-6)
