"""Activations that jax.nn lacks, or that torch differentiates otherwise where the function bends."""

import jax.numpy as jnp


def leaky_relu(x, negative_slope=0.01):
    """x above 0, negative_slope * x elsewhere; at 0 the derivative is negative_slope (jax.nn: 1)."""
    return jnp.where(x > 0, x, negative_slope * x)


def hardtanh(x, min_val=-1.0, max_val=1.0):
    """x between the bounds, the bound outside; the derivative at the bounds is 0 (jax.nn.hard_tanh: 1)."""
    return jnp.where(x <= min_val, min_val, jnp.where(x >= max_val, max_val, x)).astype(x.dtype)


def softplus(x, beta=1.0, threshold=20.0):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x exceeds the threshold."""
    scaled = beta * x
    linear = scaled > threshold
    return jnp.where(linear, x, jnp.log1p(jnp.exp(jnp.where(linear, 0, scaled))) / beta)


def hardshrink(x, lambd=0.5):
    """x outside [-lambd, lambd], 0 inside."""
    return jnp.where(jnp.abs(x) <= lambd, 0, x)


def softshrink(x, lambd=0.5):
    """x moved towards 0 by lambd, and 0 inside [-lambd, lambd]."""
    return jnp.where(x > lambd, x - lambd, jnp.where(x < -lambd, x + lambd, 0 * x))


def prelu(x, weight):
    """x above 0, weight * x elsewhere; a weight of several entries has one for each channel (axis 1)."""
    slope = weight.reshape((-1,) + (1,) * (x.ndim - 2)) if x.ndim > 1 else weight.reshape(weight.shape[: x.ndim])
    return jnp.where(x > 0, x, slope * x)


def softmax_axis(ndim):
    """The axis that softmax takes in torch when none is named."""
    return 0 if ndim in (0, 1, 3) else 1
