"""Normalisation of activations and of vectors, and the similarities built on it."""

import jax
import jax.numpy as jnp
import numpy as np

from .elementwise import clamp
from .norms import norm, p_norm


def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance over the trailing axes that normalized_shape counts, then weight and bias.

    Statistics are taken in at least 32 bits; the result has the dtype of x.
    """
    axes = tuple(range(x.ndim - len(normalized_shape), x.ndim))
    y = standardized(x, axes, eps)
    if weight is not None:
        y = y * weight
    return (y if bias is None else y + bias).astype(x.dtype)


def standardized(x, axes, eps):
    """(x - mean) / sqrt(variance + eps) over the axes, in at least 32 bits."""
    x = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    x = x - jnp.mean(x, axis=axes, keepdims=True)
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=axes, keepdims=True) + eps)


def rms_norm(x, normalized_shape, weight=None, eps=None):
    """x over its root mean square along the trailing axes that normalized_shape counts, times weight.

    Without eps it is the machine epsilon of the dtype that the statistics are taken in (at least 32 bits).
    """
    axes = tuple(range(x.ndim - len(normalized_shape), x.ndim))
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    eps = jnp.finfo(wide.dtype).eps if eps is None else eps
    y = wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=axes, keepdims=True) + eps)
    return (y if weight is None else y * weight).astype(x.dtype)


def group_norm(x, num_groups, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance within each group of channels (axis 1), then weight and bias by channel."""
    grouped = x.reshape(x.shape[0], num_groups, -1)
    y = standardized(grouped, 2, eps).reshape(x.shape)
    return by_channel(y, weight, bias).astype(x.dtype)


def batch_norm(x, mean=None, variance=None, weight=None, bias=None, eps=1e-5):
    """Normalises each channel (axis 1) by the mean and variance given, else by those of the batch itself."""
    if mean is None:
        y = standardized(x, (0, *range(2, x.ndim)), eps)
    else:
        y = by_channel(x, None, -mean)
        y = by_channel(y, jax.lax.rsqrt(variance + eps))
    return by_channel(y, weight, bias).astype(x.dtype)


def instance_norm(x, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance within each channel of each sample, then weight and bias by channel."""
    return by_channel(standardized(x, tuple(range(2, x.ndim)), eps), weight, bias).astype(x.dtype)


def by_channel(x, scale=None, shift=None):
    """x * scale + shift with one entry of scale and shift for each channel (axis 1)."""
    trailing = (1,) * (x.ndim - 2)
    if scale is not None:
        x = x * scale.reshape(-1, *trailing)
    return x if shift is None else x + shift.reshape(-1, *trailing)


def local_response_norm(x, size, alpha=1e-4, beta=0.75, k=1.0):
    """x over (k + alpha * mean of x**2 over `size` neighbouring channels) ** beta; absent channels count as 0."""
    before = [(0, 0)] * x.ndim
    before[1] = (size // 2, (size - 1) // 2)
    squares = jnp.pad(x * x, before)
    total = sum(jax.lax.slice_in_dim(squares, i, i + x.shape[1], axis=1) for i in range(size))
    return x / (alpha * total / size + k) ** beta


def normalize(x, axis=1, eps=1e-12):
    """x over its Euclidean norm along an axis, the norm being at least eps."""
    squares = jnp.sum(x * x, axis=axis, keepdims=True)
    return x / jnp.sqrt(jnp.maximum(squares, eps**2))


def normalize_by(x, ord, axis=1, eps=1e-12):
    """x over its norm of the given order along an axis, the norm being at least eps."""
    return x / clamp(p_norm(x, ord, axis, keepdims=True), eps)


def cosine_similarity(a, b, axis=1, eps=1e-8):
    """Cosine of the angle between a and b along an axis. Norms below eps count as eps, and differentiate as norms."""
    a, b = jnp.broadcast_arrays(a, b)
    a, b = (x / at_least(norm(x, axis, keepdims=True), eps) for x in (a, b))
    return jnp.sum(a * b, axis=axis)


def at_least(x, low):
    """The larger of x and low, differentiated as x."""
    return x + jax.lax.stop_gradient(jnp.maximum(x, low) - x)


def pairwise_distance(a, b, ord=2.0, eps=1e-6, keepdims=False):
    """Norm of a - b + eps along the last axis."""
    return p_norm(a - b + eps, ord, -1, keepdims)


def pdist(x, ord=2.0):
    """The norm of x[i] - x[j] for each pair of rows i < j of x (rows, features)."""
    first, second = np.triu_indices(x.shape[0], 1)
    return p_norm(x[first] - x[second], ord, -1)
