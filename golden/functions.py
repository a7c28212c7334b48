"""How functions call each other: helpers, closures, lambdas, aliases, loops, comprehensions."""

import math
from functools import partial

import torch
import torch.nn.functional as F

EPSILON = 1e-6
SCALES = (1.0, 2.0, 4.0)
WEIGHTS = torch.tensor([0.25, 0.5, 0.25])

activation = F.relu
total = torch.sum


def _normalize(x, dim=-1):
    return x / (x.norm(dim=dim, keepdim=True) + EPSILON)


# torch2jax: example cosine(torch.randn(4, 3), torch.randn(4, 3))
def cosine(a, b):
    return (_normalize(a) * _normalize(b)).sum(dim=-1)


# torch2jax: example pyramid(torch.randn(4))
def pyramid(x):
    levels = [torch.tanh(x * scale) for scale in SCALES]
    return torch.stack(levels).mean(dim=0), sum(level.sum() for level in levels)


# torch2jax: example aliased(torch.randn(3, 4))
def aliased(x):
    """A torch function under a name of one's own keeps its keywords."""
    fn = torch.mean
    return activation(x), total(x, dim=1, keepdim=True), fn(x, dim=0)


# torch2jax: example closure(torch.randn(5), 0.1)
def closure(x, sigma):
    def kernel(distance):
        return torch.exp(-distance.pow(2) / (2 * sigma**2))

    square = lambda t: t * t  # noqa: E731
    return kernel(x).sum() + square(x).mean()


# torch2jax: example composed(torch.randn(2, 3))
def composed(x):
    softmax = partial(torch.softmax, dim=-1)
    return softmax(x)


# torch2jax: example unpacked(torch.randn(2, 3, 4, 4))
def unpacked(x):
    b, c, h, w = x.shape
    flat = x.reshape(b, c, h * w)
    mean, std = flat.mean(-1), flat.std(-1)
    low, high = flat.chunk(2, dim=-1)
    return (flat - mean[..., None]) / (std[..., None] + EPSILON), low.sum() - high.sum(), b * c


# torch2jax: example early(torch.randn(3), "none")
# torch2jax: example early(torch.randn(3), "sum")
# torch2jax: example early(torch.randn(3), "mean")
def early(loss, reduction="mean"):
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    return loss.mean()


# torch2jax: example applied(torch.randn(3))
def applied(x, f=torch.sigmoid):
    return f(x) * 2


# torch2jax: example many(torch.randn(3), torch.randn(3), torch.randn(3))
def many(*tensors):
    result = tensors[0]
    for tensor in tensors[1:]:
        result = torch.maximum(result, tensor)
    return result


# torch2jax: example batch_of(dict(image=torch.randn(2, 3), label=torch.tensor([0, 2])))
def batch_of(batch):
    return F.cross_entropy(batch["image"], batch["label"])


# torch2jax: example weighted(torch.randn(2, 3))
def weighted(x):
    return (x * WEIGHTS).sum(-1) * math.pi


# torch2jax: example while_loop(torch.randn(3), 4)
def while_loop(x, steps: int):
    step = 0
    while step < steps:
        x = x - 0.1 * torch.sin(x)
        step += 1
    return x


# torch2jax: example halves(torch.randn(4))
def halves(x):
    """Unpacking, swapping and nested tuples."""
    a, b = x[:2], x[2:]
    a, b = b, a
    (c, d), e = (a, b), a + b
    return c, d, e
