"""Images made larger and smaller, sampled, warped, and their channels traded for space."""

import torch
from torch.nn import functional as F


# torch2jax: example resized(torch.randn(2, 3, 6, 5))
def resized(x, size=(8, 3)):
    return (
        F.interpolate(x, size=size),
        F.interpolate(x, size=size, mode="bilinear"),
        F.interpolate(x, size=(7, 7), mode="bilinear", align_corners=True),
        F.interpolate(x, size=4, mode="bicubic", align_corners=False),
        F.interpolate(x, size=(3, 2), mode="area"),
        F.interpolate(x, size=3, mode="nearest-exact"),
    )


# torch2jax: example scaled(torch.randn(2, 3, 6, 5), torch.randn(2, 3, 6), torch.randn(1, 2, 3, 4, 3))
def scaled(image, signal, volume):
    larger = F.interpolate(image, scale_factor=2), F.interpolate(image, scale_factor=1.6, mode="bilinear")
    smaller = F.interpolate(image, scale_factor=0.5, mode="bicubic", antialias=True)
    exact = F.interpolate(image, scale_factor=(1.5, 0.7), mode="bilinear", recompute_scale_factor=True)
    return larger, smaller, exact, F.interpolate(signal, scale_factor=3, mode="linear"), F.interpolate(volume, 5, mode="trilinear")


# torch2jax: example upsampled(torch.randn(2, 3, 4, 5))
def upsampled(x):
    """The older names."""
    a = F.upsample(x, scale_factor=2), F.upsample(x, scale_factor=1.5, mode="bilinear", align_corners=True)
    b = F.upsample_nearest(x, scale_factor=2), F.upsample_nearest(x, scale_factor=1.5)
    return a, b, F.upsample_bilinear(x, size=(7, 9)), F.upsample_bilinear(x, scale_factor=1.5)


# torch2jax: example warped(torch.randn(2, 3, 5, 4), torch.rand(2, 3, 6, 2) * 3 - 1.5)
def warped(x, grid):
    return (
        F.grid_sample(x, grid, align_corners=False),
        F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=True),
        F.grid_sample(x, grid, mode="nearest", padding_mode="reflection", align_corners=False),
        F.grid_sample(x, grid, mode="bicubic", padding_mode="zeros", align_corners=True),
    )


# torch2jax: example transformed(torch.randn(2, 3, 5, 4), torch.randn(2, 2, 3))
def transformed(x, theta):
    grid = F.affine_grid(theta, x.size(), align_corners=False)
    return F.grid_sample(x, grid, align_corners=False)


# torch2jax: example bilinear_sampler(torch.randn(2, 3, 5, 4), torch.rand(2, 3, 6, 2) * 4)
def bilinear_sampler(image, coords: torch.Tensor):
    """Samples at pixel coordinates, as optical flow does."""
    h, w = image.shape[-2:]
    x, y = coords.split([1, 1], dim=-1)
    grid = torch.cat([2 * x / (w - 1) - 1, 2 * y / (h - 1) - 1], dim=-1)
    return F.grid_sample(image, grid, align_corners=True)


# torch2jax: example shuffled(torch.randn(2, 8, 4, 6))
def shuffled(x):
    larger, smaller = F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, downscale_factor=2)
    mixed = F.channel_shuffle(x, 4) + torch.channel_shuffle(x, 2) + F.native_channel_shuffle(x, 2)
    return larger, smaller, mixed + torch.native_channel_shuffle(x, 2), torch.pixel_shuffle(x, 2), torch.pixel_unshuffle(x, 2)


# torch2jax: example pyramid(torch.randn(1, 2, 8, 8))
def pyramid(x, levels=3):
    out = [x]
    for _ in range(levels - 1):
        x = F.avg_pool2d(x, 2)
        out.append(F.interpolate(x, size=out[0].shape[-2:], mode="bilinear", align_corners=False))
    return torch.cat(out, dim=1)
