"""The smallest example: two elementwise operations and a sum."""

import torch


# torch2jax: example f(torch.linspace(-1.0, 1.0, 5))
def f(x):
    a = torch.sin(x)
    b = torch.exp(x * 2)
    return (a + b).sum()
