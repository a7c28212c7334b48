"""Special functions where jax.scipy.special has a gap in value or derivative, or has no such function."""

import jax
import jax.numpy as jnp

from .elementwise import absolute


def xlogy(x, y):
    """x * log(y), and 0 with derivative 0 where x is 0 and log(y) is not finite."""
    void = (x == 0) & ((y <= 0) | jnp.isposinf(y))
    return jnp.where(void, 0, x) * jnp.log(jnp.where(void, 1, y))


def xlog1py(x, y):
    """x * log(1 + y), and 0 with derivative 0 where x is 0 and log(1 + y) is not finite."""
    void = (x == 0) & ((y <= -1) | jnp.isposinf(y))
    return jnp.where(void, 0, x) * jnp.log1p(jnp.where(void, 0, y))


def digamma(x):
    """The derivative of lgamma; infinite at 0 (jax: NaN), and differentiable left of it (jax: wrong below -10)."""
    left = x < 0
    fraction = x - jnp.round(x)
    pole = left & (fraction == 0)
    reflected = jnp.pi / jnp.tan(jnp.pi * jnp.where(left & ~pole, fraction, 0.25))
    value = jax.scipy.special.digamma(jnp.where(left, 1 - x, x)) - jnp.where(left, reflected, 0)
    return jnp.where(x == 0, -jnp.copysign(jnp.inf, x), jnp.where(pole, jnp.nan, value))


def i0(x):
    """The modified Bessel function of order 0, with derivative 0 at 0 (jax: 1)."""
    return jnp.exp(absolute(x)) * jax.scipy.special.i0e(x)


def erfcx(x):
    """exp(x**2) * erfc(x), by its asymptotic series where the first factor overflows."""
    far = 25 if x.dtype == jnp.float64 else 5
    near = jnp.where(x < far, x, 0)
    r = jnp.square(1 / jnp.where(x < far, far, x))
    series = 1 - r / 2 * (1 - 3 * r / 2 * (1 - 5 * r / 2 * (1 - 7 * r / 2 * (1 - 9 * r / 2 * (1 - 11 * r / 2)))))
    return jnp.where(
        x < far,
        jnp.exp(near * near) * jax.scipy.special.erfc(near),
        series / (jnp.where(x < far, far, x) * jnp.sqrt(jnp.pi)),
    )
