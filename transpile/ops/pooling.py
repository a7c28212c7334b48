"""Pooling over windows of the last axes of (batch, channels, *space) or (channels, *space)."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from .convolution import per_axis


def pooled_size(size, kernel, stride, padding, dilation, ceil_mode):
    """How many windows an axis has. ceil_mode adds one that hangs over the end, unless it starts beyond the padding."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil_mode else room // stride) + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= size + padding else count


def window_pads(shape, kernel, stride, padding, dilation, ceil_mode):
    """The padding (before, after) of each pooled axis that makes its windows fit."""
    pads = []
    for n, k, s, p, d in zip(shape[-len(kernel) :], kernel, stride, padding, dilation):
        count = pooled_size(n, k, s, p, d, ceil_mode)
        pads.append((p, max((count - 1) * s + d * (k - 1) + 1 - n - p, 0)))
    return pads


def max_pool(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, axes):
    """Largest value in each window over the last `axes` axes; windows neither reach nor count what is outside x."""
    kernel, dilation, padding = (per_axis(value, axes) for value in (kernel_size, dilation, padding))
    stride = per_axis(stride, axes) if stride else kernel
    if any(d > 1 for d in dilation):  # which lax.reduce_window does not differentiate
        return max_pool_with_indices(x, kernel, stride, padding, dilation, ceil_mode, axes=axes)[0]
    pads = window_pads(x.shape, kernel, stride, padding, dilation, ceil_mode)
    lowest = -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min
    lead = x.ndim - axes
    return jax.lax.reduce_window(
        x,
        np.asarray(lowest, x.dtype)[()],
        jax.lax.max,
        (1,) * lead + kernel,
        (1,) * lead + stride,
        [(0, 0)] * lead + pads,
    )


def max_pool_with_indices(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, axes):
    """max_pool, and the place of each largest value (the first of equals) in the flattened last `axes` axes."""
    kernel, dilation, padding = (per_axis(value, axes) for value in (kernel_size, dilation, padding))
    stride = per_axis(stride, axes) if stride else kernel
    places = []
    for n, k, s, p, d in zip(x.shape[-axes:], kernel, stride, padding, dilation):
        place = s * np.arange(pooled_size(n, k, s, p, d, ceil_mode))[:, None] - p + d * np.arange(k)
        places.append(repeat_first(place, (place >= 0) & (place < n)))
    return pick_largest(x, places)


def repeat_first(place, valid):
    """Windows (windows, members) whose members that are not valid repeat the first one that is."""
    first = np.take_along_axis(place, valid.argmax(axis=1)[:, None], axis=1)
    return np.where(valid, place, first)


def pick_largest(x, places):
    """The largest of x at the places listed for each last axis as (windows, members), and where it was."""
    axes = len(places)
    shape = x.shape[-axes:]
    flat = np.zeros((1,) * (2 * axes), int)
    for axis, (n, place) in enumerate(zip(shape, places)):
        spread = [1] * (2 * axes)
        spread[axis], spread[axes + axis] = place.shape
        flat = flat * n + place.reshape(spread)
    flat = flat.reshape(*flat.shape[:axes], -1)
    candidates = x.reshape(*x.shape[:-axes], math.prod(shape))[..., flat]
    winner = jnp.argmax(candidates, axis=-1, keepdims=True)
    values = jnp.take_along_axis(candidates, winner, axis=-1)[..., 0]
    return values, jnp.take_along_axis(jnp.broadcast_to(flat, candidates.shape), winner, axis=-1)[..., 0]


def avg_pool(
    x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, axes
):
    """Mean of each window over the last `axes` axes; padding counts as zeros, or not at all without count_include_pad."""
    kernel, padding = per_axis(kernel_size, axes), per_axis(padding, axes)
    stride = per_axis(stride, axes) if stride else kernel
    pads = window_pads(x.shape, kernel, stride, padding, (1,) * axes, ceil_mode)
    lead = x.ndim - axes
    total = jax.lax.reduce_window(
        x, np.zeros((), x.dtype)[()], jax.lax.add, (1,) * lead + kernel, (1,) * lead + stride, [(0, 0)] * lead + pads
    )
    if divisor_override:
        return jax.lax.div(total, jnp.full_like(total, divisor_override))
    count = np.ones((), int)
    for n, k, s, p, places in zip(x.shape[-axes:], kernel, stride, padding, total.shape[-axes:]):
        start = s * np.arange(places) - p
        end = np.minimum(start + k, n + p)
        inside = end - start if count_include_pad else np.minimum(end, n) - np.maximum(start, 0)
        count = np.multiply.outer(count, inside)
    return jax.lax.div(total, jnp.broadcast_to(jnp.asarray(count, total.dtype), total.shape))


def lp_pool(x, norm_type, kernel_size, stride=None, ceil_mode=False, *, axes):
    """(sum of x**norm_type)**(1 / norm_type) of each window, with derivative 0 where the sum is 0."""
    if norm_type in (math.inf, -math.inf):
        sign = math.copysign(1, norm_type)
        return sign * max_pool(sign * x * jnp.sign(x), kernel_size, stride, ceil_mode=ceil_mode, axes=axes)
    total = avg_pool(x**norm_type, kernel_size, stride, ceil_mode=ceil_mode, axes=axes)
    total = total * math.prod(per_axis(kernel_size, axes))
    return jnp.where(total == 0, 0, jnp.where(total == 0, 1, total) ** (1 / norm_type))


def max_unpool(x, indices, kernel_size, stride=None, padding=0, output_size=None, *, axes):
    """x back at the places that max_pool_with_indices gave, 0 elsewhere; of output_size, if that is given."""
    kernel, padding = per_axis(kernel_size, axes), per_axis(padding, axes)
    stride = per_axis(stride, axes) if stride else kernel
    lead, space = x.shape[:-axes], x.shape[-axes:]
    size = tuple((n - 1) * s - 2 * p + k for n, s, p, k in zip(space, stride, padding, kernel))
    size = size if output_size is None else tuple(output_size)[-axes:]
    flat = jnp.zeros((math.prod(lead), math.prod(size)), x.dtype)
    rows = np.arange(flat.shape[0])[:, None]
    flat = flat.at[rows, indices.reshape(flat.shape[0], -1)].set(x.reshape(flat.shape[0], -1))
    return flat.reshape(*lead, *size)


def adaptive_windows(n, count):
    """First and last + 1 element of each of `count` windows that cover n elements as evenly as integers allow."""
    number = np.arange(count)
    return number * n // count, -((-(number + 1) * n) // count)


def adaptive_avg_pool(x, output_size, *, axes):
    """Mean over windows of the last `axes` axes, placed to give output_size; None keeps the size of an axis."""
    for axis, count in zip(range(x.ndim - axes, x.ndim), per_axis_or_none(output_size, axes)):
        if count is not None:
            start, end = adaptive_windows(x.shape[axis], count)
            place = start[:, None] + np.arange((end - start).max())
            share = (place < end[:, None]) / (end - start)[:, None]
            members = jnp.take(x, np.minimum(place, x.shape[axis] - 1), axis=axis)
            shape = (-1, place.shape[1]) + (1,) * (x.ndim - axis - 1)
            x = jnp.sum(members * share.reshape(shape).astype(x.dtype), axis=axis + 1)
    return x


def adaptive_max_pool(x, output_size, *, axes):
    """Largest value, and its place, in windows of the last `axes` axes, placed to give output_size."""
    places = []
    for n, count in zip(x.shape[-axes:], per_axis_or_none(output_size, axes)):
        start, end = adaptive_windows(n, n if count is None else count)
        place = start[:, None] + np.arange((end - start).max())
        places.append(repeat_first(place, place < end[:, None]))
    return pick_largest(x, places)


def per_axis_or_none(value, count):
    """A tuple of `count` sizes, from one size (or None) or a sequence of sizes (or None)."""
    return (value,) * count if value is None else per_axis(value, count)
