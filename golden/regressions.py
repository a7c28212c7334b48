"""Small functions that converters are known to get wrong."""

import torch
import torch.nn.functional as F


# torch2jax: example norm_at_zero(torch.zeros(3))
def norm_at_zero(x):
    return x.norm() + torch.linalg.norm(x)


# torch2jax: example exact_gelu(torch.randn(5))
def exact_gelu(x):
    return F.gelu(x), F.gelu(x, approximate="tanh")


# torch2jax: example unbiased(torch.randn(4, 3))
def unbiased(x):
    return x.std(), x.var(0), torch.std(x, 1, unbiased=False), x.std(dim=0, correction=0)


# torch2jax: example sorted_values(torch.randn(3, 4))
def sorted_values(x):
    """Element 0 of the result is the values, not the first row."""
    return x.sort(dim=1)[0], torch.sort(x, descending=True)[1], x.topk(2, dim=1)[0], x.max(1)[0], x.max(1).values


# torch2jax: example tied(torch.tensor([[1.0, 1.0, 0.0], [2.0, 2.0, 2.0]]))
def tied(x):
    """A maximum over a dimension has one winner; amax shares the gradient; max of all shares it too."""
    return x.max(1).values, x.amax(1), x.max(), x.min(dim=0).values


# torch2jax: example kinks(torch.tensor([-1.0, 0.0, 1.0, 2.0]))
def kinks(x):
    return x.abs(), x.clamp(0, 1), F.relu(x), torch.maximum(x, torch.zeros_like(x)), F.hardtanh(x), x.sign()


# torch2jax: example counts(torch.tensor([[1.0, -1.0, 2.0], [-2.0, -3.0, 0.5]]), torch.tensor([False, False]))
def counts(x, valid):
    """Whole numbers have no derivative to keep; of Python's own max a number is a bound."""
    n = (x > 0).sum(0)
    bounded = n.clamp(min=1), n.clamp(max=1), n.clamp(1, 2), n.clamp_min(1), n.clamp_max(1), torch.clip(n, 2, 1)
    return x / max(n.sum(), 1), x.sum() / max(valid.sum(), 1), min(x.float().mean(), 0.5), bounded


# torch2jax: example integer_division(torch.tensor([1, 2, 3]))
def integer_division(x):
    return x / 2, x // 2, torch.true_divide(x, x + 1)


# torch2jax: example made_inside(torch.randn(3))
def made_inside(x):
    acc = torch.zeros(3)
    for i in range(3):
        acc = acc + x * i
    return acc


# torch2jax: example boolean_sum(torch.randn(5))
def boolean_sum(x):
    return (x > 0).sum(), (x > 0).float().mean(), (x > 0).cumsum(0)


# torch2jax: example product_with_zero(torch.tensor([2.0, 0.0, 3.0]))
def product_with_zero(x):
    return x.prod()


# torch2jax: example masked_log(torch.tensor([0.0, 1.0, 2.0]))
def masked_log(x):
    """The unused branch must not leak NaN into the gradient where torch's does not."""
    positive = x > 0
    safe = torch.where(positive, x, torch.ones_like(x))
    return torch.where(positive, safe.log(), torch.zeros_like(x)).sum()
