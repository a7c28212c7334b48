"""Arithmetic by operator, by function and by method."""

import math

import torch
from torch import Tensor


# torch2jax: example combined(torch.tensor([1.5, -2.0, 0.0]), torch.tensor([0.5, 3.0, -1.0]))
# torch2jax: example combined(torch.arange(3), torch.tensor([0.5, 3.0, -1.0]))
def combined(x, y):
    total = torch.add(x, y, alpha=2) - torch.sub(x, y, alpha=0.5) + x.add(y).sub(1).mul(2.0)
    back = torch.rsub(x, y) + torch.rsub(x, 1, alpha=3) - x.neg() - torch.subtract(y, x)
    return total, back, -x + torch.multiply(x, y) - torch.negative(y), 2 - x


# torch2jax: example divided(torch.tensor([7.0, -7.0, 2.5]), torch.tensor([2.0, 2.0, -0.5]))
# torch2jax: example divided(torch.tensor([7, -7, 5]), torch.tensor([2, 3, -2]))
def divided(x: Tensor, y: Tensor):
    """Division rounds down, towards zero, or not at all."""
    quotients = x / y, torch.div(x, y), x.div(y, rounding_mode="floor"), torch.div(x, y, rounding_mode="trunc"), x // y
    remainders = x % y, torch.fmod(x, y), torch.remainder(x, 3), x.fmod(2), torch.floor_divide(x, y), 7 // y
    return quotients, remainders, torch.true_divide(x, 2), x.reciprocal() + 1 / y + torch.div(x, y, rounding_mode=None)


# torch2jax: example powers(torch.tensor([0.0, 1.0, 2.5]), torch.tensor([2.0, 0.5, 3.0]))
def powers(x, exponent):
    return (
        x**2, x.pow(3), x**exponent, torch.pow(2, exponent), torch.pow(x, 0.5), x.square(), 3**exponent,
        torch.float_power(x, 2), x.float_power(exponent), x.pow(exponent), (x + 1).rsqrt(), (x + 1) ** -1,
    )  # fmt: skip


# torch2jax: example whole_powers(torch.tensor([-2, 0, 3]), torch.tensor([0, 1, 2]))
def whole_powers(n: torch.LongTensor, k):
    return n**2, n.pow(k.abs()), torch.pow(2, k.abs()), n.float() ** k, n.float_power(2)


# torch2jax: example blended(torch.randn(3), torch.randn(3), torch.rand(3))
def blended(x: Tensor, y: Tensor, weight: Tensor):
    between = torch.lerp(x, y, weight), x.lerp(y, 0.25)
    products = torch.addcmul(x, y, weight), x.addcmul(y, weight, value=0.5)
    ratios = torch.addcdiv(x, y, weight + 1), x.addcdiv(y, weight + 1, value=-2)
    return between, products, ratios


# torch2jax: example scaled(torch.tensor([0.75, -3.0, 0.5]), torch.tensor([1, 2, 0]))
def scaled(x, n):
    mantissa, exponent = torch.frexp(x)
    return torch.ldexp(x, n), x.ldexp(n), mantissa, exponent, torch.hypot(x, n.float())


# torch2jax: example divisors(torch.tensor([12, -18, 0]), torch.tensor([8, 27, 5]))
def divisors(m, n):
    return torch.gcd(m, n), m.lcm(n), torch.lcm(m, n)


# torch2jax: example signs(torch.tensor([-1.5, 0.0, -0.0, 2.0]), torch.tensor([1.0, -2.0, 3.0, -4.0]))
def signs(x, y):
    return (
        x.abs(), abs(x), torch.sign(x), x.sgn(), torch.signbit(x), torch.copysign(x, y), x.copysign(-1),
        torch.heaviside(x, y), x.sign() * y, torch.nextafter(x, y),
    )  # fmt: skip


# torch2jax: example sizes(torch.tensor([-3, 0, 4]))
def sizes(n: torch.IntTensor):
    return n.abs(), torch.absolute(n), abs(n), -n, n.sign()


# torch2jax: example bounded(torch.tensor([-2.0, 0.0, 0.5, 1.0, 3.0]), torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0]))
def bounded(x, y):
    """At a bound, and where both are equal, the gradient goes where torch sends it."""
    clipped = x.clamp(0, 1), torch.clip(x, max=0.5), x.clamp_min(0.0), torch.clamp_max(x, 1.0), x.clamp(min=y)
    pairs = torch.maximum(x, y), torch.minimum(x, y), torch.max(x, y), x.min(y), torch.fmax(x, y), torch.fmin(x, y)
    return clipped, pairs


# torch2jax: example rounded(torch.tensor([-2.5, -0.5, 0.5, 1.5, 2.345]))
def rounded(x: Tensor):
    """Halves go to the even neighbour; none of these has a gradient but the fraction."""
    return (
        x.floor(), torch.ceil(x), x.trunc(), torch.fix(x), x.frac(), x.round(), torch.round(x, decimals=2),
        x - x.floor() + x.round().detach(),
    )  # fmt: skip


# torch2jax: example constants(torch.tensor([1.0, 2.0]))
def constants(x):
    return x * torch.pi + torch.e * math.tau, torch.where(x > 1, torch.inf, x), x * torch.nan


# torch2jax: example halves(torch.tensor([1, 2]), torch.randn(2).half())
def halves(n, h):
    """An integer tensor divides to float32; a number widens nothing."""
    return n / 2, h * 2.5, h + n, n * 1.5, (h > 0) + n, n.bool() * 2
