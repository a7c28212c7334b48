"""Losses between numbers, with errors of 0 and of the size where the loss changes its form."""

import torch
import torch.nn.functional as F


# torch2jax: example squared(torch.randn(4, 3), torch.randn(4, 3), torch.rand(4, 3))
def squared(x, y, weight):
    per_element = F.mse_loss(x, y, reduction="none")
    total = F.mse_loss(x, y, reduction="sum")
    return F.mse_loss(x, y) + total, per_element, F.mse_loss(x, y, weight=weight)


# torch2jax: example absolute(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, 4.0]), torch.rand(3))
def absolute(x, y, weight):
    """The first error is 0."""
    return F.l1_loss(x, y), F.l1_loss(x, y, reduction="sum"), F.l1_loss(x, y, reduction="none"), F.l1_loss(x, y, weight=weight)


# torch2jax: example between(torch.tensor([0.0, 0.5, 1.0, -1.0, 4.0]), torch.zeros(5))
# torch2jax: example between(torch.tensor([0.0, 0.5, 1.0, -1.0, 4.0]), torch.zeros(5), beta=0.5)
def between(x, y, beta=1.0):
    per_element = F.smooth_l1_loss(x, y, reduction="none", beta=beta) + F.smooth_l1_loss(x, y, reduction="none", beta=0.0)
    return F.smooth_l1_loss(x, y), F.smooth_l1_loss(x, y, reduction="sum", beta=2.0), per_element


# torch2jax: example robust(torch.tensor([0.0, 0.5, 1.5, -1.5, 4.0]), torch.zeros(5))
def robust(x, target, delta=1.5):
    mean = F.huber_loss(x, target, delta=delta)
    return mean + F.huber_loss(x, target, reduction="sum"), F.huber_loss(x, target, reduction="none", delta=0.5)


# torch2jax: example weighted(torch.randn(5), torch.randn(5), torch.rand(5))
def weighted(x, target, weight):
    return F.huber_loss(x, target, weight=weight) + F.huber_loss(x, target, "sum", 0.5, weight)


# torch2jax: example chosen(torch.randn(5), torch.randn(5))
# torch2jax: example chosen(torch.randn(5), torch.randn(5), reduction="sum")
# torch2jax: example chosen(torch.randn(5), torch.randn(5), reduction="none")
def chosen(x, y, reduction="mean"):
    """The caller says how to reduce."""
    loss = F.mse_loss(x, y, reduction=reduction) + F.l1_loss(x, y, reduction=reduction)
    return loss + F.smooth_l1_loss(x, y, reduction=reduction) + F.huber_loss(x, y, reduction=reduction)


# torch2jax: example counts(torch.rand(6), torch.tensor([0.0, 1.0, 2.0, 5.0, 0.5, 1.5]).requires_grad_(False))
def counts(rate, seen):
    loss = F.poisson_nll_loss(rate, seen) + F.poisson_nll_loss(rate, seen, log_input=False, reduction="sum")
    return loss, F.poisson_nll_loss(rate, seen, full=False, reduction="none"), _poisson(rate, seen, "sum")


def _poisson(rate, seen, how: str):
    return F.poisson_nll_loss(rate, seen.detach(), full=True, reduction=how)


# torch2jax: example gaussian(torch.randn(4, 3), torch.randn(4, 3), torch.rand(4, 3))
# torch2jax: example gaussian(torch.randn(4, 3), torch.randn(4, 3), torch.rand(4), reduction="sum")
# torch2jax: example gaussian(torch.randn(4, 3), torch.randn(4, 3), torch.zeros(4, 1), full=True)
def gaussian(mean, target, variance, full=False, reduction="mean"):
    loss = F.gaussian_nll_loss(mean, target, variance, full=full, reduction=reduction)
    known = F.gaussian_nll_loss(mean, target, 0.5) + F.gaussian_nll_loss(mean, target, variance, reduction="sum")
    return loss + known, F.gaussian_nll_loss(mean, target, variance, eps=0.1, reduction="none")


# torch2jax: example divergence(torch.randn(3, 4).log_softmax(1), torch.rand(3, 4))
# torch2jax: example divergence(torch.randn(3, 4).log_softmax(1), torch.rand(3, 4), "sum")
def divergence(log_q, p, reduction="batchmean"):
    loss = F.kl_div(log_q, p, reduction=reduction) + F.kl_div(log_q, p.log(), reduction="batchmean", log_target=True)
    return loss, F.kl_div(log_q, p, reduction="none")
