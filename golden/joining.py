"""Tensors joined and cut."""

from typing import List

import torch
from torch import Tensor


# torch2jax: example joined(torch.randn(2, 3), torch.randn(4, 3))
def joined(a, b):
    return torch.cat([a, b]), torch.cat((a, b[:2]), dim=-1), torch.concat([a, b], 0), torch.concatenate((a, a), dim=1)


# torch2jax: example mixed(torch.randn(2), torch.arange(3), torch.tensor([True]))
def mixed(x, n, flag):
    """Joining promotes."""
    return torch.cat([n, x]), torch.cat([flag, n]), torch.stack([n[:2], n[1:]])


# torch2jax: example stacked([torch.randn(3), torch.randn(3)])
def stacked(xs: List[Tensor]) -> Tensor:
    total = torch.stack(xs, dim=0).sum(dim=0)
    return torch.stack([total, xs[0]], -1)


# torch2jax: example piled(torch.randn(2, 3), torch.randn(3), torch.tensor(1.0))
def piled(m, v, s):
    return (
        torch.hstack((v, v)), torch.hstack([m, m]), torch.vstack([m, v]), torch.row_stack((v, v)), torch.dstack([m, m]),
        torch.column_stack((m[:, 0], m)), torch.hstack([s, v]),
    )  # fmt: skip


# torch2jax: example pieces(torch.randn(5, 6))
def pieces(x):
    q, k, v = x.chunk(3, dim=-1)
    a, b = torch.split(x, [2, 3])
    head, tail = x.split(4, dim=1)
    uneven = torch.chunk(x, 4)
    return q * k + v, a.sum() - b.sum(), head, tail, [part.sum(0) for part in uneven], x.split_with_sizes((1, 5), dim=1)


# torch2jax: example unbound(torch.randn(3, 4, 2))
def unbound(x):
    a, b, c = x.unbind()
    u, v = torch.unbind(x, dim=-1)
    real, imag = x.unbind(-1)
    return a * b - c, torch.complex(real, imag), torch.stack((-v, u), dim=-1).flatten(-2)


# torch2jax: example cut(torch.randn(5, 4, 3))
def cut(x):
    return (
        torch.tensor_split(x, 3), x.tensor_split(2, dim=1), x.tensor_split((1, 9)), torch.hsplit(x, 2), x.hsplit([1, 3]), torch.vsplit(x, (2,)),
        torch.dsplit(x, 3),
    )  # fmt: skip


# torch2jax: example padded([torch.randn(2), torch.randn(4), torch.randn(1)])
def padded(xs: List[Tensor]):
    """Sequences of different lengths in one tensor."""
    longest = max(x.size(0) for x in xs)
    rows = [torch.cat([x, x.new_zeros(longest - x.size(0))]) for x in xs]
    return torch.stack(rows)


# torch2jax: example rotate_half(torch.randn(2, 6))
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)
