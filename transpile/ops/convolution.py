"""Convolutions in torch's layout (batch, channels, then space), and the unfolding of an image into its patches."""

import jax
import jax.numpy as jnp
import numpy as np


def per_axis(value, count):
    """A tuple of one number for each of `count` axes, from one number or a sequence of one or `count`."""
    values = (value,) if isinstance(value, int) else tuple(value)
    return values * count if len(values) == 1 else values


def conv(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation of x, (batch, channels, *space) or (channels, *space), with weight (out, channels / groups, *kernel).

    padding is a number, one for each axis, 'valid', or 'same' (an odd rest goes to the end).
    """
    axes = weight.ndim - 2
    dilation = per_axis(dilation, axes)
    reach = [d * (size - 1) for d, size in zip(dilation, weight.shape[2:])]
    if padding == "same":
        pads = [(r // 2, r - r // 2) for r in reach]
    else:
        pads = [(p, p) for p in per_axis(0 if padding == "valid" else padding, axes)]
    batch = x if x.ndim == weight.ndim else x[None]
    y = jax.lax.conv_general_dilated(
        batch, weight, per_axis(stride, axes), pads, rhs_dilation=dilation, feature_group_count=groups
    )
    if bias is not None:
        y = y + bias.reshape(-1, *(1,) * axes)
    return y if x.ndim == weight.ndim else y[0]


def conv_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv with weight (channels, out / groups, *kernel); output_padding lengthens the end of each axis."""
    axes = weight.ndim - 2
    dilation = per_axis(dilation, axes)
    padding, output_padding = per_axis(padding, axes), per_axis(output_padding, axes)
    reach = [d * (size - 1) for d, size in zip(dilation, weight.shape[2:])]
    pads = [(r - p, r - p + extra) for r, p, extra in zip(reach, padding, output_padding)]
    kernel = jnp.flip(weight, range(2, weight.ndim)).reshape(groups, -1, *weight.shape[1:])
    kernel = kernel.swapaxes(1, 2).reshape(-1, weight.shape[0] // groups, *weight.shape[2:])
    batch = x if x.ndim == weight.ndim else x[None]
    y = jax.lax.conv_general_dilated(
        batch, kernel, (1,) * axes, pads, per_axis(stride, axes), dilation, feature_group_count=groups
    )
    if bias is not None:
        y = y + bias.reshape(-1, *(1,) * axes)
    return y if x.ndim == weight.ndim else y[0]


def patch_grid(size, kernel_size, dilation, padding, stride):
    """Row and column numbers, in the padded image, of each kernel element (axes 0, 2) at each place (axes 1, 3)."""
    grids = []
    for n, k, d, p, s in zip(size, kernel_size, dilation, padding, stride):
        places = (n + 2 * p - d * (k - 1) - 1) // s + 1
        grids.append(d * np.arange(k)[:, None] + s * np.arange(places))
    return grids[0][:, :, None, None], grids[1]


def unfold(x, kernel_size, dilation=1, padding=0, stride=1):
    """The patches of x (..., channels, height, width) as columns: (..., channels * kernel elements, places)."""
    kernel_size, dilation, padding, stride = (per_axis(v, 2) for v in (kernel_size, dilation, padding, stride))
    rows, columns = patch_grid(x.shape[-2:], kernel_size, dilation, padding, stride)
    padded = jnp.pad(x, [(0, 0)] * (x.ndim - 2) + [(p, p) for p in padding])
    patches = jnp.swapaxes(padded[..., rows, columns], -3, -2)
    return patches.reshape(*x.shape[:-3], x.shape[-3] * kernel_size[0] * kernel_size[1], -1)


def fold(x, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The transpose of unfold: the sum of overlapping patches, as (..., channels, *output_size)."""
    output_size = per_axis(output_size, 2)
    kernel_size, dilation, padding, stride = (per_axis(v, 2) for v in (kernel_size, dilation, padding, stride))
    rows, columns = patch_grid(output_size, kernel_size, dilation, padding, stride)
    (high, down), (wide, across) = rows.shape[:2], columns.shape
    patches = jnp.swapaxes(x.reshape(*x.shape[:-2], -1, high, wide, down, across), -3, -2)
    image = jnp.zeros((*patches.shape[:-4], *(n + 2 * p for n, p in zip(output_size, padding))), x.dtype)
    image = image.at[..., rows, columns].add(patches)
    return image[..., padding[0] : padding[0] + output_size[0], padding[1] : padding[1] + output_size[1]]
