"""Shapes as torch changes them, where jnp is stricter or splits otherwise."""

import math

import jax.numpy as jnp
import numpy as np


def expand(x, shape):
    """x broadcast to a shape in which -1 stands for the size that x has there."""
    new = len(shape) - x.ndim
    return jnp.broadcast_to(x, tuple(x.shape[i - new] if size == -1 else size for i, size in enumerate(shape)))


def squeeze(x, axis):
    """x without those of the given axes that have size 1; the others stay (jnp.squeeze refuses them)."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return jnp.squeeze(x, tuple(a for a in axes if x.ndim and x.shape[a] == 1))


def flatten(x, start_axis=0, end_axis=-1):
    """x with the axes from start_axis through end_axis merged into one; a scalar becomes a vector."""
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start_axis % x.ndim, end_axis % x.ndim + 1
    return x.reshape(x.shape[:start] + (math.prod(x.shape[start:end]),) + x.shape[end:])


def unflatten(x, axis, shape):
    """x with one axis unfolded into a shape, in which one size may be -1."""
    axis %= x.ndim
    given = math.prod(size for size in shape if size != -1)
    sizes = tuple(x.shape[axis] // given if size == -1 else size for size in shape)
    return x.reshape(x.shape[:axis] + sizes + x.shape[axis + 1 :])


def split(x, size, axis=0):
    """Pieces of x along an axis: of one size, the last maybe smaller, or of the sizes listed."""
    ends = range(size, x.shape[axis], max(size, 1)) if isinstance(size, int) else np.cumsum(size)[:-1]
    return tuple(jnp.split(x, list(ends), axis))


def chunk(x, chunks, axis=0):
    """x cut along an axis into pieces of size ceil(n / chunks), the last maybe smaller; there may be fewer than chunks."""
    length = x.shape[axis]
    if length == 0:
        return (x,) * chunks
    size = -(-length // chunks)
    return tuple(jnp.split(x, list(range(size, length, size)), axis))


def split_at(x, indices, axis=0):
    """x cut along an axis at the indices listed, which may lie past the end or count from it."""
    before = (slice(None),) * (axis % x.ndim)
    bounds = [0, *indices, x.shape[axis]]
    return tuple(x[(*before, slice(*pair))] for pair in zip(bounds, bounds[1:]))


def windows(x, axis, size, step):
    """The windows of x of a size, every step elements along an axis; what a window holds is the last axis."""
    axis %= x.ndim
    starts = np.arange(0, x.shape[axis] - size + 1, step)
    taken = x[(slice(None),) * axis + (starts[:, None] + np.arange(size),)]
    return jnp.moveaxis(taken, axis + 1, -1)


def sum_to(x, shape):
    """x summed over the axes along which a tensor of the given shape would be broadcast to x."""
    new = x.ndim - len(shape)
    axes = tuple(i for i in range(x.ndim) if i < new or (shape[i - new] == 1 and x.shape[i] != 1))
    return jnp.sum(x, axis=axes).reshape(tuple(shape))


def view_as_real(z):
    """The real and the imaginary part of z along a new last axis."""
    return jnp.stack([z.real, z.imag], axis=-1)


def converted(x, target):
    """x as the dtype given, or the dtype of the array given; a device leaves it as it is."""
    if hasattr(target, "dtype"):
        return x.astype(target.dtype)
    return x.astype(target) if isinstance(target, (type, np.dtype)) else x
