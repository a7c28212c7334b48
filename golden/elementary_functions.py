"""Exponentials, logarithms, trigonometry."""

import torch
import torch.nn.functional as F


# torch2jax: example exponentials(torch.tensor([-1.0, 0.0, 2.0]))
# torch2jax: example exponentials(torch.arange(3))
def exponentials(x):
    return x.exp(), torch.exp2(x), x.expm1(), torch.special.exp2(x), x.exp().neg_()


# torch2jax: example logarithms(torch.tensor([0.5, 1.0, 3.0]))
def logarithms(x):
    return x.log(), torch.log2(x), x.log10(), torch.log1p(x), x.sqrt(), torch.rsqrt(x), (x / 4).logit(), torch.logit(x, eps=0.1)


# torch2jax: example edges(torch.tensor([0.0, 1.0, -1.0, float("inf")]))
def edges(x: torch.Tensor):
    """Where the function, or its derivative, is infinite or not defined."""
    return x.log(), x.sqrt(), torch.log1p(x), x.exp(), 1 / x


# torch2jax: example stable(torch.tensor([[1000.0, 1000.0], [-float("inf"), 0.0]]), torch.tensor([[0.0, 999.0], [0.0, 0.0]]))
def stable(x, y):
    """Sums of exponentials that do not overflow."""
    pairs = torch.logaddexp(x, y), x.logaddexp2(y)
    return pairs, torch.logsumexp(x, 0), x.logsumexp(dim=(0, 1)), torch.logsumexp(y, dim=-1, keepdim=True)


# torch2jax: example weighted(torch.tensor([0.0, 2.0, 0.0]), torch.tensor([1.0, 3.0, 5.0]))
def weighted(x, y):
    """0 * log(0) is 0."""
    return torch.xlogy(x, y), x.xlogy(2.0), torch.special.xlog1py(x, y), torch.xlogy(2, y + 1), torch.special.entr(x)


# torch2jax: example circular(torch.tensor([-0.9, 0.0, 0.5]))
def circular(x):
    angles = x.sin(), torch.cos(x), x.tan(), torch.asin(x), x.acos(), torch.atan(x), torch.arcsin(x), x.arccos(), x.arctan()
    return angles, torch.sinc(x), torch.deg2rad(x), x.rad2deg()


# torch2jax: example directions(torch.tensor([1.0, -1.0, 0.0, 0.0]), torch.tensor([1.0, 0.0, 2.0, -2.0]))
def directions(y, x):
    return torch.atan2(y, x), y.arctan2(x)


# torch2jax: example hyperbolic(torch.tensor([-0.9, 0.0, 0.5]))
def hyperbolic(x):
    there = x.sinh(), torch.cosh(x), x.tanh()
    return there, torch.asinh(x), (x + 2).acosh(), torch.atanh(x), x.arcsinh(), torch.arccosh(x + 2), x.arctanh()


# torch2jax: example chances(torch.tensor([-1, 0, 3]), torch.tensor([-1.0, 0.0, 3.0]))
def chances(n: torch.LongTensor, x):
    return torch.sigmoid(n), n.sigmoid() * x.sigmoid(), torch.special.expit(x)


# torch2jax: example gated(torch.tensor([-1.0, 0.0, 2.0, 7.0]))
def gated(x: torch.FloatTensor):
    return F.relu6(x) + F.softplus(x) * x.tanh()
