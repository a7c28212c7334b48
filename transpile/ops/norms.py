"""Norms of vectors and matrices, with derivative 0 at zero."""

import math

import jax.numpy as jnp

from .elementwise import absolute


def norm(x, axis=None, keepdims=False):
    """The Euclidean norm, of all elements or along axes, with derivative 0 where it is 0 (jnp.linalg.norm: NaN)."""
    squares = jnp.sum(jnp.real(x * jnp.conj(x)), axis=axis, keepdims=keepdims)
    zero = squares == 0
    return jnp.where(zero, 0, jnp.sqrt(jnp.where(zero, 1, squares)))


def p_norm(x, ord=2, axis=None, keepdims=False):
    """(sum |x|**ord)**(1 / ord), of all elements or along axes, with derivative 0 where it is 0 (jnp: NaN)."""
    if ord == 2:
        return norm(x, axis, keepdims)
    size = absolute(x)
    if ord == 0:
        return jnp.sum(x != 0, axis=axis, keepdims=keepdims, dtype=size.dtype)
    if ord == 1:
        return jnp.sum(size, axis=axis, keepdims=keepdims)
    if ord in (math.inf, -math.inf):
        return (jnp.max if ord > 0 else jnp.min)(size, axis=axis, keepdims=keepdims)
    zero = size == 0
    powers = jnp.where(zero, 0.0 if ord > 0 else math.inf, jnp.where(zero, 1, size) ** ord)
    total = jnp.sum(powers, axis=axis, keepdims=keepdims)
    zero = (total == 0) | (total == math.inf) if ord < 0 else total == 0
    return jnp.where(zero, 0, jnp.where(zero, 1, total) ** (1 / ord))


def matrix_norm(x, ord="fro", axis=(-2, -1), keepdims=False):
    """The norm of the matrices in two axes: 'fro', 'nuc', or 1, 2, inf and their negatives."""
    if ord == "fro":
        return norm(x, axis, keepdims)
    rows, columns = (a % x.ndim for a in axis)
    reduce = jnp.sum if ord == "nuc" else jnp.max if ord > 0 else jnp.min
    if ord in ("nuc", 2, -2):
        found = reduce(jnp.linalg.svd(jnp.moveaxis(x, (rows, columns), (-2, -1)), compute_uv=False), axis=-1)
        return jnp.expand_dims(found, (rows, columns)) if keepdims else found
    within, across = (rows, columns) if abs(ord) == 1 else (columns, rows)
    found = reduce(jnp.sum(absolute(x), axis=within, keepdims=True), axis=across, keepdims=True)
    return found if keepdims else jnp.squeeze(found, (rows, columns))


def linalg_norm(x, ord=None, axis=None, keepdims=False):
    """The norm of vectors along one axis or of matrices in two; without axes, of what x itself is."""
    if ord is None:
        return norm(x, axis, keepdims)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    return (p_norm if len(axes) == 1 else matrix_norm)(x, ord, axes, keepdims)
