"""Convolutions and their transposes, and images as patches."""

import torch
import torch.nn.functional as F


# torch2jax: example signal(torch.randn(2, 4, 9), torch.randn(6, 4, 3), torch.randn(6))
# torch2jax: example signal(torch.randn(4, 9), torch.randn(6, 4, 3), torch.randn(6))
def signal(x, weight, bias):
    y = F.conv1d(x, weight, bias, padding=1)
    return y, torch.conv1d(x, weight, stride=2), F.conv1d(x, weight, bias, 1, "same", 2)


# torch2jax: example image(torch.randn(2, 4, 8, 7), torch.randn(6, 2, 3, 2), torch.randn(6))
def image(x, weight, bias=None):
    y = F.conv2d(x, weight, bias, stride=2, padding=(1, 0), groups=2)
    return y, torch.conv2d(x, weight, bias, dilation=(2, 1), padding="valid", groups=2)


# torch2jax: example volume(torch.randn(1, 2, 5, 4, 3), torch.randn(3, 2, 2, 2, 2))
def volume(x, weight):
    return F.conv3d(x, weight), torch.conv3d(x, weight, stride=(2, 1, 1), padding=1)


# torch2jax: example depthwise(torch.randn(2, 3, 6, 6))
def depthwise(x):
    """A blur of each channel by itself."""
    kernel = torch.tensor([1.0, 2.0, 1.0])
    kernel = (kernel[:, None] * kernel[None, :]) / 16
    kernel = kernel.expand(x.shape[1], 1, 3, 3)
    return F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), kernel, groups=x.shape[1])


# torch2jax: example larger(torch.randn(2, 4, 5), torch.randn(4, 3, 3), torch.randn(2, 4, 4, 3), torch.randn(4, 3, 3, 2))
def larger(x, weight, y, weight2):
    one = F.conv_transpose1d(x, weight, stride=2, padding=1, output_padding=1) + 0 * torch.conv_transpose1d(x, weight).sum()
    two = F.conv_transpose2d(y, weight2, stride=(2, 1), groups=2, dilation=(1, 2))
    return one, two, torch.conv_transpose2d(y, weight2, padding=1)


# torch2jax: example larger_volume(torch.randn(1, 2, 3, 3, 2), torch.randn(2, 3, 2, 2, 2), torch.randn(3))
def larger_volume(x, weight, bias):
    return F.conv_transpose3d(x, weight, bias, stride=2), torch.conv_transpose3d(x, weight, bias)


# torch2jax: example time_first(torch.randn(7, 2, 3), torch.randn(3, 3, 4), torch.randn(4))
def time_first(x, weight, bias):
    return torch.conv_tbc(x, weight, bias, 1) + F.conv_tbc(x, weight, bias, pad=1)


# torch2jax: example patches(torch.randn(2, 3, 8, 6))
def patches(x):
    columns = F.unfold(x, kernel_size=(3, 2), stride=2, padding=(1, 0))
    return columns, F.unfold(x, 2, dilation=2)


# torch2jax: example overlapping_mean(torch.randn(2, 3, 8, 6))
def overlapping_mean(x):
    """Taking an image apart and putting it together, over how often each place was taken."""
    columns = F.unfold(x, 3, stride=2, padding=1)
    image = F.fold(columns, x.shape[-2:], 3, stride=2, padding=1)
    count = F.fold(torch.ones_like(columns), output_size=x.shape[-2:], kernel_size=3, stride=2, padding=1)
    return image / count
