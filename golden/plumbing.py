"""Devices, dtypes and memory: what has no meaning in JAX vanishes, what has stays."""

from typing import Optional

import torch
from torch import Tensor


# torch2jax: example moved(torch.randn(3), torch.arange(3))
def moved(x: Tensor, index: Tensor) -> Tensor:
    index = index.to(x.device)
    weights = torch.ones(3, device=x.device, dtype=x.dtype).contiguous()
    return x[index] * weights.to(x)


# torch2jax: example made(torch.randn(2, 3))
def made(x: Tensor):
    eye = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    steps = torch.arange(x.size(1), device=x.device)
    line = torch.linspace(0, 1, steps=4, dtype=x.dtype, device=x.device)
    return x @ eye, steps, line


# torch2jax: example casts(torch.randn(3), torch.tensor([1, 0, 2]))
def casts(x, n):
    return x.long(), n.float(), n.bool(), x.to(torch.int32), n.type_as(x), x.half(), n.to(dtype=torch.uint8)


# torch2jax: example integers(torch.tensor([3, 4, 5]), torch.tensor([2, 2, 2]))
def integers(a, b):
    """True division of integers is floating; floor division, remainder and sums stay integers."""
    return a / b, a / 2, a // b, a % b, a.sum(), (a > b).sum(), a * 0.5, a**2


# torch2jax: example promoted(torch.arange(3), torch.randn(3).half(), torch.randn(3))
def promoted(n: torch.Tensor, half: torch.Tensor, single: torch.Tensor):
    """A Python number does not promote within its class; two tensors do."""
    return n * half, half * single, n * single, half + 1, n + 1.5, n + True


# torch2jax: example same_as(torch.randn(2, 3), torch.randn(3).half())
def same_as(x, like):
    y = like.new_zeros(2)
    z = torch.full_like(like, 2)
    return x.view(-1), y, z, torch.zeros(x.shape), torch.empty_like(x).shape, x.new_tensor([1.0, 2.0])


# torch2jax: example pinned(torch.randn(3))
def pinned(x: Optional[Tensor], device: Optional[torch.device] = None) -> Tensor:
    assert x is not None
    if device is not None:
        x = x.to(device, non_blocking=True)
    if x.is_cuda:
        torch.cuda.synchronize()
    return x.clone(memory_format=torch.contiguous_format)
