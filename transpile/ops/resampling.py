"""Resizing of the axes behind (batch, channels), and the trading of channels for space."""

import jax.numpy as jnp
import numpy as np

from .pooling import adaptive_avg_pool


def interpolate(
    x, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):
    """Resizes the axes of x behind (batch, channels) to `size`, or by `scale_factor`; one number, or one for each axis.

    mode is 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'. Where align_corners is
    set the centres of the corner elements stay in place, else the outer edges do.
    """
    axes = x.ndim - 2
    factors = [scale_factor] * axes if isinstance(scale_factor, int | float | None) else list(scale_factor)
    sizes = [size] * axes if isinstance(size, int | None) else list(size)
    if size is None:
        sizes = [int(n * factor) for n, factor in zip(x.shape[2:], factors)]
    if mode == "area":
        return adaptive_avg_pool(x, sizes, axes=axes)
    wide = x if mode.startswith("nearest") else x.astype(jnp.promote_types(x.dtype, jnp.float32))
    for axis in reversed(range(2, x.ndim)):
        factor = None if recompute_scale_factor else factors[axis - 2]
        wide = resample_axis(wide, axis, sizes[axis - 2], factor, mode, align_corners, antialias)
    return wide.astype(x.dtype)


def resample_axis(x, axis, size, factor, mode, align_corners, antialias):
    """One axis of x resized: each of `size` elements is a weighted sum of a few of x."""
    n, real = x.shape[axis], np.float64 if x.dtype == jnp.float64 else np.float32
    number = np.arange(size, dtype=real)
    if align_corners:
        step = real((n - 1) / (size - 1)) if size > 1 else real(0)
    else:
        step = real(1 / factor) if factor else real(n) / real(size)
    if mode == "nearest" and size == n and x.ndim == 4:
        return x  # in images, and only there, torch overlooks a factor that leaves the size as it is
    if mode.startswith("nearest"):
        place = (step * (number + real(0.5 if mode == "nearest-exact" else 0))).astype(int)
        return jnp.take(x, np.minimum(place, n - 1), axis=axis)
    if size == n and (mode != "bicubic" or step == 1) and not antialias:
        return x
    centre = step * number if align_corners and not antialias else step * (number + real(0.5)) - real(0.5)
    place, weight = (antialiased_taps if antialias else taps)(mode, n, centre, step)
    members = jnp.take(x, place, axis=axis)
    return jnp.sum(members * weight.reshape(*weight.shape, *(1,) * (x.ndim - axis - 1)), axis=axis + 1)


def taps(mode, n, centre, step):
    """Places (size, members) in an axis of n elements and their weights, for each centre."""
    if mode not in ("linear", "bilinear", "trilinear", "bicubic"):
        raise ValueError(f"there is no mode {mode!r}")
    if mode != "bicubic":
        centre = np.maximum(centre, 0)
    first = np.floor(centre)
    reach = np.arange(-1, 3) if mode == "bicubic" else np.arange(2)
    distance = np.abs(centre[:, None] - (first[:, None] + reach)).astype(centre.dtype)
    weight = cubic(distance, -0.75) if mode == "bicubic" else 1 - distance
    return np.clip(first[:, None].astype(int) + reach, 0, n - 1), weight


def antialiased_taps(mode, n, centre, step):
    """Places and weights of a filter as wide as the step between centres, so that no element is passed over."""
    scale = max(step, centre.dtype.type(1))
    radius = scale * (2 if mode == "bicubic" else 1)
    start = np.maximum((centre - radius + 1).astype(int), 0)
    end = np.minimum((centre + radius + 1).astype(int), n)
    place = start[:, None] + np.arange((end - start).max())
    distance = np.abs(place - centre[:, None]).astype(centre.dtype) / scale
    weight = cubic(distance, -0.5) if mode == "bicubic" else np.maximum(1 - distance, 0)
    weight = np.where(place < end[:, None], weight, 0).astype(centre.dtype)
    return np.minimum(place, n - 1), weight / weight.sum(axis=1, keepdims=True)


def cubic(distance, a):
    """The cubic convolution kernel of parameter a at distances from 0."""
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0)).astype(distance.dtype)


def pixel_shuffle(x, factor):
    """(..., channels * factor**2, height, width) to (..., channels, height * factor, width * factor)."""
    *lead, channels, height, width = x.shape
    x = x.reshape(*lead, channels // factor**2, factor, factor, height, width)
    x = jnp.moveaxis(x, (-4, -3), (-3, -1))
    return x.reshape(*lead, channels // factor**2, height * factor, width * factor)


def pixel_unshuffle(x, factor):
    """(..., channels, height * factor, width * factor) to (..., channels * factor**2, height, width)."""
    *lead, channels, height, width = x.shape
    x = x.reshape(*lead, channels, height // factor, factor, width // factor, factor)
    x = jnp.moveaxis(x, (-3, -1), (-4, -3))
    return x.reshape(*lead, channels * factor**2, height // factor, width // factor)


def channel_shuffle(x, groups):
    """Channels (axis 1) of (groups, members) reordered as (members, groups)."""
    return x.reshape(x.shape[0], groups, -1, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)
