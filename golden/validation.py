"""Checks on shapes and types are carried over as they are."""

import torch


# torch2jax: example distance(torch.randn(4, 3), torch.randn(5, 3))
def distance(a, b):
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(f"expected points in space, got {tuple(a.shape)} and {tuple(b.shape)}")
    return (a[:, None] - b[None]).pow(2).sum(-1)


# torch2jax: example mean_of(torch.randn(4))
def mean_of(x: torch.Tensor, reduction: str = "mean"):
    assert x.dim() == 1, f"one dimension expected, got {x.dim()}"
    assert isinstance(x, torch.Tensor)
    if not torch.is_tensor(x):
        raise TypeError(f"a tensor expected, got {type(x)}")
    if reduction == "mean":
        return x.mean()
    elif reduction == "sum":
        return x.sum()
    raise ValueError(f"unknown reduction: {reduction}")


# torch2jax: example floating(torch.arange(3))
# torch2jax: example floating(torch.randn(3))
def floating(x):
    if not x.is_floating_point():
        x = x.float()
    if x.dtype != torch.float32:
        raise TypeError("single precision expected")
    return x / x.numel()


# torch2jax: example optional(torch.randn(3), None)
# torch2jax: example optional(torch.randn(3), torch.randn(3))
def optional(x, weight=None):
    if weight is None:
        weight = torch.ones_like(x)
    elif weight.shape != x.shape:
        raise ValueError("one weight to each element")
    return (x * weight).sum() / weight.sum()


# torch2jax: example number_or_tensor(torch.randn(3), 0.5)
# torch2jax: example number_or_tensor(torch.randn(3), torch.tensor(0.5))
def number_or_tensor(x, scale):
    if not isinstance(scale, torch.Tensor):
        scale = torch.tensor(scale, dtype=x.dtype, device=x.device)
    return x * scale
