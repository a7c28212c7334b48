"""Pooling: where windows hang over, where elements tie, where they were."""

import torch
import torch.nn.functional as F


# torch2jax: example largest(F.relu(torch.randn(2, 3, 9)), F.relu(torch.randn(2, 3, 9, 8)), F.relu(torch.randn(1, 2, 5, 4, 4)))
def largest(signal, image, volume):
    """Rectified values tie often; the first of equals takes the gradient."""
    one = F.max_pool1d(signal, 3, stride=2, padding=1), torch.max_pool1d(signal, 2, ceil_mode=True)
    two = F.max_pool2d(image, 2), F.max_pool2d(image, (3, 2), 2, 1, dilation=2), torch.max_pool2d(image, 3, stride=1)
    return one, two, F.max_pool3d(volume, 2), torch.max_pool3d(volume, 2, stride=1)


# torch2jax: example places(torch.randn(2, 3, 9), torch.randn(2, 3, 8, 6), torch.randn(1, 2, 4, 4, 4))
def places(signal, image, volume):
    values, indices = F.max_pool2d(image, 2, return_indices=True)
    back = F.max_unpool2d(values, indices, 2, output_size=image.shape)
    line, where = F.max_pool1d(signal, 3, return_indices=True)
    cube, there = F.max_pool3d(volume, 2, return_indices=True)
    return back, indices, F.max_unpool1d(line, where, 3), F.max_unpool3d(cube, there, kernel_size=2)


# torch2jax: example with_places(torch.randn(2, 3, 9), torch.randn(2, 3, 8, 6), torch.randn(1, 2, 4, 4, 4))
def with_places(signal, image, volume):
    return (
        F.max_pool1d_with_indices(signal, 3, 2),
        F.max_pool2d_with_indices(image, 2, padding=1),
        F.max_pool3d_with_indices(volume, 2),
    )


# torch2jax: example means(torch.randn(2, 3, 9), torch.randn(2, 3, 9, 8), torch.randn(1, 2, 5, 4, 4))
def means(signal, image, volume):
    one = F.avg_pool1d(signal, 2), torch.avg_pool1d(signal, 3, stride=2, padding=1, ceil_mode=True)
    two = F.avg_pool2d(image, 3, 1, 1), F.avg_pool2d(image, (2, 3), 2, (1, 0), count_include_pad=False)
    return one, two, F.avg_pool2d(image, 2, divisor_override=3), F.avg_pool3d(volume, 2, ceil_mode=True)


# torch2jax: example powers(torch.rand(2, 3, 9), torch.rand(2, 3, 8, 6), torch.rand(1, 2, 4, 4, 4))
def powers(signal, image, volume):
    one = F.lp_pool1d(signal, 2, 3), F.lp_pool1d(signal, 1.5, 2, stride=1)
    two = F.lp_pool2d(image, 2, 2), F.lp_pool2d(image, float("inf"), (3, 2), ceil_mode=True)
    return one, two, F.lp_pool3d(volume, 3, 2), F.lp_pool3d(volume, 2.0, 2)


# torch2jax: example to_size(torch.randn(2, 3, 9), torch.randn(2, 3, 8, 7), torch.randn(1, 2, 5, 4, 4))
def to_size(signal, image, volume):
    one = F.adaptive_avg_pool1d(signal, 4), torch.adaptive_avg_pool1d(signal, 3)
    two = F.adaptive_avg_pool2d(image, 1).flatten(1), F.adaptive_avg_pool2d(image, (3, 5))
    return one, two, F.adaptive_avg_pool3d(volume, (2, 3, 1))


# torch2jax: example largest_to_size(torch.randn(2, 3, 9), torch.randn(2, 3, 8, 7), torch.randn(1, 2, 5, 4, 4))
def largest_to_size(signal, image, volume):
    values, indices = F.adaptive_max_pool2d(image, (3, 2), return_indices=True)
    one = F.adaptive_max_pool1d(signal, 4), F.adaptive_max_pool1d(signal, 5, return_indices=True)
    three = F.adaptive_max_pool3d(volume, 2), F.adaptive_max_pool3d(volume, 3, return_indices=True)
    return one, F.adaptive_max_pool2d(image, 4), values, indices, three


# torch2jax: example largest_with_places(torch.randn(2, 3, 9), torch.randn(2, 3, 8, 7), torch.randn(1, 2, 5, 4, 4))
def largest_with_places(signal, image, volume):
    return (
        torch.adaptive_max_pool1d(signal, 4),
        F.adaptive_max_pool1d_with_indices(signal, 2),
        F.adaptive_max_pool2d_with_indices(image, 3),
        F.adaptive_max_pool3d_with_indices(volume, 2),
    )
