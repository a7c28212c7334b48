"""Padding, by widths from the last axis backwards."""

import torch.nn.functional as F


# torch2jax: example zeros(torch.randn(3, 4))
# torch2jax: example zeros(torch.arange(12).reshape(3, 4))
def zeros(x):
    return F.pad(x, (1, 2)), F.pad(x, [0, 0, 1, 1]), F.pad(x, (1, 1), "constant", 3)


# torch2jax: example filled(torch.randn(2, 3, 4), 0.5)
def filled(x, value):
    return F.pad(x, (2, 0, 1, 0), value=value)


# torch2jax: example mirrored(torch.randn(2, 3, 4, 5))
def mirrored(x, pad: int = 2):
    edges = F.pad(x, (pad, pad, 1, 0), mode="replicate")
    return F.pad(x, (pad, pad, pad, pad), mode="reflect"), edges, F.pad(x, (1, 2, 0, 1), mode="circular")


# torch2jax: example cropped(torch.randn(2, 3, 6, 5))
def cropped(x):
    """Negative widths cut off."""
    return F.pad(x, (-1, -1)), F.pad(x, (1, -1, 0, -2)), F.pad(x, (-1, 2, 1, 0), mode="reflect")


# torch2jax: example to_multiple(torch.randn(1, 2, 5, 7))
def to_multiple(x, multiple=4):
    h, w = x.shape[-2:]
    bottom, right = -h % multiple, -w % multiple
    return F.pad(x, (0, right, 0, bottom))


# torch2jax: example causal(torch.randn(2, 3, 8), torch.randn(4, 3, 3))
def causal(x, weight, dilation=2):
    x = F.pad(x, ((weight.shape[-1] - 1) * dilation, 0))
    return F.conv1d(x, weight, dilation=dilation)
