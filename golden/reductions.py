"""Sums, means, spreads: of everything, along axes, and running."""

import torch
from torch import Tensor


# torch2jax: example sums(torch.randn(2, 3, 4))
# torch2jax: example sums(torch.arange(24).reshape(2, 3, 4))
# torch2jax: example sums(torch.zeros(2, 0, 4))
def sums(x):
    plain = x.sum(), torch.sum(x, 1), x.sum(dim=(0, -1), keepdim=True), x.sum(axis=0), torch.sum(x, dtype=torch.float32)
    return plain, x.prod(), torch.prod(x, 1), x.count_nonzero(), torch.count_nonzero(x, dim=1)


# torch2jax: example means(torch.randn(2, 3, 4))
def means(x):
    return x.mean(), torch.mean(x, dim=(1, 2)), x.mean(-1, keepdim=True), x.mean(dim=0).square().mean().sqrt()


# torch2jax: example gaps(torch.tensor([[1.0, float("nan"), 3.0], [float("nan"), 5.0, 6.0]]))
def gaps(x):
    return torch.nansum(x), x.nansum(dim=1), torch.nanmean(x, dim=0), x.nanmedian(), x.nanquantile(0.5, dim=1)


# torch2jax: example spreads(torch.randn(3, 4))
# torch2jax: example spreads(torch.ones(2, 2))
def spreads(x: Tensor):
    """Unbiased unless said otherwise; the gradient of a spread of nothing is 0."""
    variances = x.var(), torch.var(x, 1), x.var(dim=0, unbiased=False), torch.var(x, unbiased=False), x.var(1, correction=0)
    deviations = x.std(), x.std(0, keepdim=True), torch.std(x, unbiased=False), x.std(dim=1, correction=0)
    return variances, deviations


# torch2jax: example moments(torch.randn(3, 4))
def moments(x):
    variance, mean = torch.var_mean(x, dim=1)
    deviation, _ = torch.std_mean(x, dim=1, unbiased=False)
    whole = torch.var_mean(x, unbiased=False), torch.std_mean(x, correction=0), torch.std_mean(x, unbiased=True)
    return (x - mean[:, None]) / variance[:, None].sqrt(), deviation, whole, torch.var_mean(x, 0, unbiased=True)


# torch2jax: example related(torch.randn(3, 6), torch.tensor([1, 2, 1, 1, 3, 1]), torch.rand(6))
def related(x, counts, weights):
    plain = torch.cov(x), x.cov(correction=0), torch.corrcoef(x)
    return plain, torch.cov(x, fweights=counts, aweights=weights)


# torch2jax: example running(torch.tensor([[1.0, 2.0, 0.0], [3.0, -1.0, 2.0]]))
def running(x):
    return x.cumsum(0), torch.cumsum(x, dim=1), x.cumprod(dim=1), torch.cumprod(x, 0, dtype=torch.float32), x.logcumsumexp(1)


# torch2jax: example counted(torch.tensor([3, 1, 2]))
def counted(n: torch.IntTensor):
    return n.cumsum(0), torch.cumprod(n, 0), (n > 1).cumsum(0), n.sum(), (n > 1).sum(), n.prod()


# torch2jax: example differences(torch.randn(2, 5))
def differences(x):
    return torch.diff(x), x.diff(n=2, dim=0), torch.diff(x, prepend=x[:, :1], append=x[:, -1:])


# torch2jax: example areas(torch.randn(2, 5), torch.linspace(0, 1, 5))
def areas(y, x):
    whole = torch.trapezoid(y, x), torch.trapezoid(y, dx=0.5, dim=0), torch.trapz(y, x)
    return whole, torch.cumulative_trapezoid(y, x), torch.cumulative_trapezoid(y, dx=2.0)


# torch2jax: example truths(torch.tensor([[True, False], [True, True]]))
# torch2jax: example truths(torch.tensor([[1, 0], [2, 3]]))
def truths(p):
    return p.any(), torch.all(p, dim=1), p.all(), torch.any(p, 0, keepdim=True)
