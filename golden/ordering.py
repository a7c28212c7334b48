"""Extremes, ranks and quantiles: which element wins a tie, and where the gradient goes."""

import torch
from torch import Tensor


# torch2jax: example largest(torch.tensor([[1.0, 3.0, 3.0], [2.0, 0.0, 2.0]]))
def largest(x):
    """Of several equal elements the whole maximum shares the gradient, the one along an axis has a single winner."""
    values, indices = x.max(dim=1)
    low = torch.min(x, 0, keepdim=True)
    return values, indices, low.values, low.indices, x.max(), torch.min(x), x.amax(1), torch.amin(x, dim=(0, 1))


# torch2jax: example places(torch.tensor([[1.0, 3.0, 3.0], [2.0, 0.0, 0.0]]))
def places(x):
    low, high = torch.aminmax(x, dim=1)
    return x.argmax(), torch.argmax(x, dim=1), x.argmin(0), torch.argmin(x, dim=1, keepdim=True), high - low, x.aminmax()


# torch2jax: example records(torch.tensor([1.0, 3.0, 2.0, 3.0]))
def records(x):
    values, indices = torch.cummax(x, dim=0)
    return values, indices, x.cummin(0).values, x.cummin(0)[1]


# torch2jax: example ordered(torch.tensor([[3.0, 1.0, 2.0], [0.0, 0.0, -1.0]]))
def ordered(x):
    values, indices = torch.sort(x)
    down = x.sort(dim=0, descending=True)
    steady = torch.sort(x, stable=True), torch.sort(x, dim=0, stable=True, descending=True).indices
    return values, indices, down.values, down[1], torch.argsort(x, dim=0), x.argsort(stable=True), torch.msort(x), steady


# torch2jax: example best(torch.tensor([[3.0, 1.0, 2.0, 5.0], [0.0, 7.0, -1.0, 4.0]]), 2)
def best(x: Tensor, k: int):
    top = torch.topk(x, k)
    bottom, _ = x.topk(k, dim=-1, largest=False)
    third = torch.kthvalue(x, 3, dim=1)
    return top.values, top.indices, bottom, x.topk(1, 0)[0], third.values, third.indices


# torch2jax: example middles(torch.tensor([[3.0, 1.0, 2.0, 5.0], [0.0, 7.0, -1.0, 4.0]]))
def middles(x):
    """The lower of two medians, with one winner."""
    median, index = x.median(dim=1)
    nan = torch.nanmedian(x, 0)
    return torch.median(x), median, index, nan.values, nan.indices, torch.nanmedian(x)


# torch2jax: example common(torch.tensor([[1, 2, 2], [3, 3, 1]]))
def common(n):
    values, indices = torch.mode(n, dim=1)
    return values, indices, n.mode(0).values


# torch2jax: example quantiles(torch.randn(3, 5), torch.tensor([0.1, 0.9]))
def quantiles(x, q):
    return torch.quantile(x, 0.5), x.quantile(q, dim=1), torch.quantile(x, 0.3, dim=0, keepdim=True, interpolation="lower")


# torch2jax: example inserted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([[0.0, 3.0], [6.0, 4.0]]))
def inserted(edges, x):
    left = torch.searchsorted(edges, x), torch.searchsorted(edges, 3.0), torch.bucketize(x, edges)
    return left, torch.searchsorted(edges, x, right=True), torch.bucketize(x, edges, right=True)


# torch2jax: example histogram(torch.tensor([0, 1, 1, 3]), torch.rand(4), torch.rand(20))
def histogram(n, weights, x):
    return torch.bincount(n, minlength=5), torch.bincount(n, weights, minlength=4), torch.histc(x, bins=4, min=0, max=1)
