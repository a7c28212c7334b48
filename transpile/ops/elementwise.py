"""Elementwise functions whose value or derivative no single jnp expression gives as torch has them."""

import jax
import jax.numpy as jnp


def absolute(x):
    """|x| with derivative 0 at 0 (jnp.abs: 1)."""
    return jnp.abs(x) if jnp.iscomplexobj(x) else x * sign(x)


def absolute_of_any(x):
    """``abs(x)``, with torch's derivative where x is an array."""
    return absolute(x) if isinstance(x, jax.Array) else abs(x)


def sign(x):
    """The sign of x, 0 where x is NaN (jnp.sign: NaN)."""
    return jnp.where(jnp.isnan(x), 0, jnp.sign(x))


def sgn(x):
    """x / |x| for complex x, with derivative 0 at 0; else the sign of x, 0 where x is NaN (jnp.sign: NaN)."""
    if not jnp.iscomplexobj(x):
        return sign(x)
    safe = jnp.where(x == 0, 1, x)
    return jnp.where(x == 0, 0, safe / jnp.abs(safe))


def clamp(x, min=None, max=None):
    """x within its bounds, with derivative 1 at a bound (jnp.clip: 1/2); where the bounds cross, max wins."""
    if min is not None:
        x = jnp.where(x < min, min, x)
    if max is not None:
        x = jnp.where(x > max, max, x)
    return x


def fmax(x, y):
    """The larger of x and y, not NaN if either is a number; where they tie, the derivative goes to x alone."""
    return jnp.where((x >= y) | jnp.isnan(y), x, y)


def fmin(x, y):
    """The smaller of x and y, not NaN if either is a number; where they tie, the derivative goes to x alone."""
    return jnp.where((x <= y) | jnp.isnan(y), x, y)


def power(x, y):
    """x ** y with derivative 0 at 0 ** 0 (jnp: NaN); an integer to a negative power rounds towards 0."""
    if jnp.issubdtype(jnp.result_type(x, y), jnp.integer):
        inverse = jnp.where(jnp.abs(x) == 1, x ** (y % 2), 0)
        return jnp.where(y < 0, inverse, x ** jnp.maximum(y, 0))
    return jnp.where((x == 0) & (y == 0), 1, x) ** y


def trunc_divide(x, y):
    """x / y rounded towards 0; integers stay integers."""
    if jnp.issubdtype(jnp.result_type(x, y), jnp.inexact):
        return jnp.trunc(x / y)
    return x // y + ((x % y != 0) & ((x < 0) != (y < 0)))


def copysign(x, y):
    """|x| with the sign of y, with derivative 0 where x is 0."""
    return absolute(x) * jnp.copysign(1.0, y)


def arctan2(y, x):
    """The angle of the point (x, y), with derivative 0 at the origin (jnp.arctan2: NaN)."""
    origin = (y == 0) & (x == 0)
    y = jnp.where(origin, jax.lax.stop_gradient(y), y)
    x = jnp.where(origin, jnp.copysign(1.0, jax.lax.stop_gradient(x)), x)
    return jnp.arctan2(y, x)


def angle(x):
    """The argument of x, with derivative 0 at 0; of real numbers 0 or pi, with derivative 0."""
    if not jnp.iscomplexobj(x):
        return jnp.where(jnp.isnan(x), jnp.nan, jnp.where(x < 0, jnp.pi, 0.0)).astype(jnp.result_type(x, 1.0))
    return jnp.where(x == 0, jnp.angle(jax.lax.stop_gradient(x)), jnp.angle(jnp.where(x == 0, 1, x)))


def polar(size, phase):
    """size * exp(i phase), with derivative 0 in size where that is 0."""
    size = jnp.where(size == 0, jax.lax.stop_gradient(size), size)
    return jax.lax.complex(size * jnp.cos(phase), size * jnp.sin(phase))


def sinc(x):
    """sin(pi x) / (pi x) with an exact derivative around 0, where that of jnp.sinc overflows."""
    small = jnp.abs(x) < 0.03
    t = jnp.square(jnp.pi * jnp.where(small, x, 0))
    series = 1 - t / 6 * (1 - t / 20 * (1 - t / 42 * (1 - t / 72 * (1 - t / 110))))
    return jnp.where(small, series, jnp.sinc(jnp.where(small, 1, x)))
