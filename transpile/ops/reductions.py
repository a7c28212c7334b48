"""Reductions whose derivative or result no single jnp call gives as torch has it."""

import functools

import jax
import jax.numpy as jnp


def std(x, axis=None, ddof=1, keepdims=False):
    """The standard deviation, with derivative 0 where all of x is equal (jnp.std: NaN)."""
    variance = jnp.var(x, axis=axis, ddof=ddof, keepdims=keepdims)
    zero = variance == 0
    return jnp.where(zero, 0, jnp.sqrt(jnp.where(zero, 1, variance)))


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def max_along(x, axis, keepdims=False):
    """The largest along an axis; where several tie, the derivative goes to the first (jnp.max: to all of them)."""
    return jnp.max(x, axis=axis, keepdims=keepdims)


@max_along.defjvp
def _max_along_jvp(axis, keepdims, primals, tangents):
    largest = jnp.argmax(primals[0], axis=axis, keepdims=True)
    tangent = jnp.take_along_axis(tangents[0], largest, axis)
    return max_along(primals[0], axis, keepdims), tangent if keepdims else jnp.squeeze(tangent, axis)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def min_along(x, axis, keepdims=False):
    """The smallest along an axis; where several tie, the derivative goes to the first (jnp.min: to all of them)."""
    return jnp.min(x, axis=axis, keepdims=keepdims)


@min_along.defjvp
def _min_along_jvp(axis, keepdims, primals, tangents):
    smallest = jnp.argmin(primals[0], axis=axis, keepdims=True)
    tangent = jnp.take_along_axis(tangents[0], smallest, axis)
    return min_along(primals[0], axis, keepdims), tangent if keepdims else jnp.squeeze(tangent, axis)


def argcummax(x, axis):
    """Where the largest so far along an axis stands: the last place of those that tie, or of a NaN."""
    axis %= x.ndim
    best = (x == jax.lax.cummax(x, axis=axis)) | jnp.isnan(x)
    places = jnp.expand_dims(jnp.arange(x.shape[axis]), [a for a in range(x.ndim) if a != axis])
    return jax.lax.cummax(jnp.where(best, places, 0), axis=axis)


def cummax(x, axis):
    """The largest so far along an axis; where several tie, the derivative goes to the last."""
    return jnp.take_along_axis(x, argcummax(x, axis), axis)


def argcummin(x, axis):
    """Where the smallest so far along an axis stands: the last place of those that tie, or of a NaN."""
    axis %= x.ndim
    best = (x == jax.lax.cummin(x, axis=axis)) | jnp.isnan(x)
    places = jnp.expand_dims(jnp.arange(x.shape[axis]), [a for a in range(x.ndim) if a != axis])
    return jax.lax.cummax(jnp.where(best, places, 0), axis=axis)


def cummin(x, axis):
    """The smallest so far along an axis; where several tie, the derivative goes to the last."""
    return jnp.take_along_axis(x, argcummin(x, axis), axis)


def cumulative_trapezoid(y, x=None, dx=1, axis=-1):
    """The integral of y so far along an axis, by trapezoids; one shorter than y."""
    y = jnp.moveaxis(y, axis, -1)
    if x is not None:
        dx = jnp.diff(x if x.ndim == 1 else jnp.moveaxis(x, axis, -1))
    return jnp.moveaxis(jnp.cumsum(dx * (y[..., 1:] + y[..., :-1]) / 2, axis=-1), -1, axis)


def histc(x, bins=100, min=0, max=0):
    """How many elements of x fall into each of equally wide bins from min to max (of x itself if both are equal)."""
    whole = min == max
    min, max = jnp.where(whole, jnp.min(x), min), jnp.where(whole, jnp.max(x), max)
    min, max = jnp.where(min == max, min - 1, min), jnp.where(min == max, max + 1, max)
    places = jnp.minimum(((x - min) / (max - min) * bins).astype(int), bins - 1)
    inside = (x >= min) & (x <= max)
    return jnp.zeros(bins, x.dtype).at[jnp.where(inside, places, 0)].add(inside.astype(x.dtype))
