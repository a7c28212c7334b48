"""New arrays that jnp has no function for: windows, combinations, diagonals."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np


def tensor(data, dtype=None):
    """An array of the data; Python numbers take torch's 32-bit dtype while JAX computes in 64 bits."""
    array = jnp.array(data, dtype=dtype)
    plain = all(getattr(leaf, "weak_type", not hasattr(leaf, "dtype")) for leaf in jax.tree.leaves(data))
    if dtype is not None or not plain or not jnp.issubdtype(array.dtype, jnp.inexact):
        return array
    return array.astype(jnp.complex64 if jnp.iscomplexobj(array) else jnp.float32)


def full(shape, value, dtype=None):
    """An array filled with a value, with the dtype that torch gives the value; it promotes as an array, not as a number."""
    if dtype is None:
        kind = jnp.result_type(value)
        plain = getattr(value, "weak_type", not hasattr(value, "dtype")) and jnp.issubdtype(kind, jnp.floating)
        dtype = jnp.float32 if plain else kind
    return jnp.full(shape, value, dtype=dtype)


def arange(start, stop=None, step=1, dtype=None):
    """Numbers from start (0 if it stands alone) up to stop; of dtype float32 if one of them is a float."""
    start, stop = (0, start) if stop is None else (start, stop)
    if dtype is None and any(isinstance(bound, float) for bound in (start, stop, step)):
        dtype = jnp.float32
    return jnp.arange(start, stop, step, dtype=dtype)


def can_cast(source, target):
    """Whether a dtype is of the kind of another or of a lesser one: bool, integers, reals, complex numbers."""
    order = (jnp.bool_, jnp.integer, jnp.floating, jnp.complexfloating)
    ranks = [[jnp.issubdtype(dtype, family) for family in order].index(True) for dtype in (source, target)]
    return ranks[0] <= ranks[1]


def cosine_window(length, coefficients, periodic=True, dtype=jnp.float32):
    """The sum of (-1)**k * coefficients[k] * cos(2 pi k t), t over one period; symmetric unless periodic."""
    if length == 1:
        return jnp.ones(1, dtype)
    t = np.arange(length) / (length if periodic else length - 1)
    terms = [(-1) ** k * c * np.cos(2 * math.pi * k * t) for k, c in enumerate(coefficients)]
    return jnp.asarray(sum(terms), dtype)


def bartlett_window(length, periodic=True, dtype=jnp.float32):
    """A triangle from 0 up to 1 and down; symmetric unless periodic."""
    if length == 1:
        return jnp.ones(1, dtype)
    t = np.arange(length) / (length if periodic else length - 1)
    return jnp.asarray(1 - np.abs(2 * t - 1), dtype)


def kaiser_window(length, periodic=True, beta=12.0, dtype=jnp.float32):
    """I0(beta * sqrt(1 - t**2)) / I0(beta), t from -1 to 1; symmetric unless periodic."""
    if length == 1:
        return jnp.ones(1, dtype)
    t = 2 * np.arange(length) / (length if periodic else length - 1) - 1
    return jnp.asarray(np.i0(beta * np.sqrt(np.maximum(1 - t * t, 0))) / np.i0(beta), dtype)


def cartesian_prod(*vectors):
    """Every way to take one element of each vector, as rows; of one vector, the vector."""
    if len(vectors) == 1:
        return vectors[0]
    return jnp.stack(jnp.meshgrid(*vectors, indexing="ij"), axis=-1).reshape(-1, len(vectors))


def combinations(x, r=2, with_replacement=False):
    """Every choice of r elements of a vector in their order, as rows."""
    if r == 0:
        return jnp.zeros(0, x.dtype)
    rows = np.indices((x.size,) * r).reshape(r, -1).T
    steps = np.diff(rows, axis=1)
    return x[rows[np.all(steps >= 0 if with_replacement else steps > 0, axis=1)]]


def diag_embed(x, offset=0, axis1=-2, axis2=-1):
    """Matrices, along two new axes, whose diagonal of the given offset is the last axis of x."""
    embed = functools.partial(jnp.diag, k=offset)
    matrices = jnp.vectorize(embed, signature="(n)->(m,m)")(x)
    return jnp.moveaxis(matrices, (-2, -1), (axis1, axis2))
