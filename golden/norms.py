"""Norms and distances; at zero torch's gradient is 0, where that of the plain formula is NaN."""

import torch
from torch import Tensor


# torch2jax: example lengths(torch.tensor([[3.0, -4.0], [0.0, 0.0]]))
def lengths(x):
    vectors = x.norm(), x.norm(dim=1), torch.norm(x, p=1, dim=-1), x.norm(2, 1, keepdim=True), torch.norm(x, float("inf"))
    return vectors, torch.norm(x, 3, dim=0), x.norm(p=2.5), torch.norm(x, p="fro"), x.norm(0)


# torch2jax: example nuclear(torch.tensor([[3.0, -4.0], [1.0, 2.0]]))
def nuclear(a: Tensor):
    return torch.norm(a, p="nuc"), torch.linalg.norm(a, "nuc")


# torch2jax: example vectors(torch.tensor([[3.0, -4.0, 0.0], [0.0, 0.0, 0.0]]))
def vectors(x):
    euclidean = torch.linalg.norm(x, dim=1), torch.linalg.vector_norm(x, dim=-1, keepdim=True), torch.linalg.norm(x, 2, 1)
    return euclidean, torch.linalg.vector_norm(x, 1, dim=1), torch.linalg.vector_norm(x, ord=2.5), torch.linalg.norm(x, ord=3, dim=0)


# torch2jax: example matrices(torch.randn(2, 3, 3))
def matrices(a):
    whole = torch.linalg.norm(a[0]), torch.linalg.matrix_norm(a), torch.linalg.matrix_norm(a, ord=1)
    return whole, torch.linalg.norm(a[0], ord=float("inf")), torch.linalg.matrix_norm(a, "nuc"), torch.linalg.matrix_norm(a, float("inf"))


# torch2jax: example apart(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, 3.0]))
# torch2jax: example apart(torch.ones(3), torch.ones(3))
def apart(x, y):
    return torch.dist(x, y), x.dist(y, 1), torch.dist(x, y, p=2.5)


# torch2jax: example pairs(torch.tensor([[0.0, 0.0], [3.0, 4.0]]), torch.tensor([[0.0, 0.0], [1.0, 1.0], [3.0, 4.0]]))
def pairs(x, y):
    """Some of the points coincide."""
    return torch.cdist(x, y), torch.cdist(x, y, p=1), torch.cdist(x, y, 1.5), torch.cdist(x, y).min(dim=1).values


# torch2jax: example unit(torch.randn(4, 3))
def unit(x):
    return x / x.norm(dim=-1, keepdim=True).clamp_min(1e-12)
