"""Where the gradient stops."""

import torch


# torch2jax: example detached(torch.randn(4))
def detached(x):
    """Straight through: the forward value is the rounded one, the gradient that of x."""
    return x + (torch.round(x) - x).detach()


# torch2jax: example without_grad(torch.randn(4))
def without_grad(x):
    with torch.no_grad():
        scale = x.abs().max()
        scale = scale + 1.0
    return x / scale


# torch2jax: example evaluated(torch.randn(3))
@torch.no_grad()
def evaluated(x):
    """Nothing flows back through this function."""
    return torch.exp(x) * 2


# torch2jax: example through_evaluated(torch.randn(3))
def through_evaluated(x):
    return x * evaluated(x)


# torch2jax: example flag(torch.randn(3), True)
# torch2jax: example flag(torch.randn(3), False)
def flag(x, stop: bool):
    target = x * 2
    if stop:
        target = target.detach()
    return ((x - target) ** 2).mean()


# torch2jax: example data(torch.randn(3))
def data(x: torch.Tensor):
    return x * x.data


# torch2jax: example advantage(torch.randn(4), torch.randn(4))
def advantage(values, rewards):
    delta = rewards - values
    policy = (delta.detach() * values).mean()
    return policy + 0.5 * delta.pow(2).mean()
