"""Sampling of an image or volume at given points."""

import jax
import jax.numpy as jnp
import numpy as np


def grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """x (batch, channels, *space) at the points grid (batch, *out, axes), as (batch, channels, *out).

    Points run from -1 to 1, last axis of x first; between the centres of the corner elements where align_corners is
    set, else between the outer edges. Outside is 0 ('zeros'), the edge ('border') or a mirror image ('reflection').
    """
    shape = x.shape[2:]
    places = []
    for axis, n in enumerate(shape):
        point = grid[..., len(shape) - 1 - axis] + 1
        place = point / 2 * (n - 1) if align_corners else (point * n - 1) / 2
        places.append(place if mode == "bicubic" else inside(place, n, padding_mode, align_corners))
    if mode == "nearest":
        return elements(x, [jnp.round(place) for place in places], padding_mode, align_corners)
    reach = range(-1, 3) if mode == "bicubic" else range(2)
    total = 0
    for corner in np.ndindex((len(reach),) * len(shape)):
        near = [jnp.floor(place) + reach[step] for place, step in zip(places, corner)]
        weight = 1
        for place, spot in zip(places, near):
            weight = weight * (cubic_weight if mode == "bicubic" else linear_weight)(place - spot)
        total = total + elements(x, near, padding_mode, align_corners) * jnp.expand_dims(weight, 1)
    return total


def inside(place, n, padding_mode, align_corners):
    """Places moved into an axis of n elements, constant for the derivative where they are cut off."""
    if padding_mode == "zeros":
        return place
    if padding_mode == "reflection":
        low, span = (0, n - 1) if align_corners else (-0.5, n)
        if span == 0:
            return jnp.zeros_like(place)
        distance = jnp.abs(place - low)
        extra = jnp.fmod(distance, span)
        place = low + jnp.where(jnp.floor(distance / span) % 2 == 0, extra, span - extra)
    return jnp.where(place <= 0, 0, jnp.where(place >= n - 1, n - 1, place))


def elements(x, places, padding_mode, align_corners):
    """x at whole places (batch, *out), one array for each axis of space; 0 outside unless the padding moves them in."""
    places = [inside(p, n, padding_mode, align_corners) for p, n in zip(places, x.shape[2:])]
    valid = jnp.ones(places[0].shape, bool)
    for place, n in zip(places, x.shape[2:]):
        valid = valid & (place >= 0) & (place <= n - 1)
    index = [jnp.where(valid, place, 0).astype(int) for place in places]
    picked = jax.vmap(lambda image, *spot: image[(slice(None), *spot)])(x, *index)
    return jnp.where(jnp.expand_dims(valid, 1), picked, 0)


def linear_weight(distance):
    """1 - |distance| for distances within 1 of 0, differentiated at 0 as torch does: from above."""
    return jnp.where(distance >= 0, 1 - distance, 1 + distance)


def cubic_weight(distance):
    """The cubic convolution kernel with parameter -0.75."""
    t = jnp.where(distance >= 0, distance, -distance)
    near = (1.25 * t - 2.25) * t * t + 1
    far = ((-0.75 * t + 3.75) * t - 6) * t + 3
    return jnp.where(t <= 1, near, far)


def affine_grid(theta, size, align_corners=None):
    """The points (batch, *space, axes) that the affine maps theta (batch, axes, axes + 1) give for an image of this size."""
    lines = []
    for n in size[2:]:
        line = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
        lines.append(line if align_corners else line * (n - 1) / n)
    points = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(size[2:])], axis=-1)
    return jnp.einsum("...j,bij->b...i", points.astype(theta.dtype), theta, precision=jax.lax.Precision.HIGHEST)
