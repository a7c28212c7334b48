"""Activations, among them the points where they bend."""

import torch
import torch.nn.functional as F
from torch import Tensor

KINKS = torch.tensor([-30.0, -6.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 30.0])


# torch2jax: example rectified(KINKS)
def rectified(x: Tensor):
    """Each takes its own side at 0."""
    return F.relu(x), torch.relu(x), F.relu6(x), F.leaky_relu(x), F.leaky_relu(x, 0.2), F.rrelu(x), F.rrelu(x, 0.1, 0.3)


# torch2jax: example relu6_of_numbers(torch.arange(-2, 9))
def relu6_of_numbers(n):
    return F.relu6(n.long())


# torch2jax: example exponential(KINKS, 1.5)
def exponential(x, alpha):
    return F.elu(x), F.elu(x, alpha=alpha), F.selu(x), torch.selu(x), F.celu(x, alpha), torch.celu(x)


# torch2jax: example smooth(KINKS)
def smooth(x):
    return F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.mish(x), F.softsign(x), F.tanhshrink(x)


# torch2jax: example soft(torch.tensor([-200.0, -20.0, 0.0, 19.0, 21.0, 90.0, 200.0]))
# torch2jax: example soft(torch.tensor([-1.0, 0.0, 2.0]), beta=0.5)
def soft(x, beta=2.0):
    return F.softplus(x) + F.softplus(x, beta=beta) + F.softplus(x, 3, 10), F.logsigmoid(x), F.sigmoid(x) * F.tanh(x)


# torch2jax: example bounded(KINKS)
def bounded(x):
    return F.hardtanh(x), F.hardtanh(x, -3.0, 0.5), F.hardsigmoid(x), F.hardswish(x)


# torch2jax: example shrunk(KINKS)
def shrunk(x, width: float = 3.0):
    by_method = x.hardshrink(width)
    return F.softshrink(x), F.softshrink(x, lambd=width), F.hardshrink(x), torch.hardshrink(x, width), by_method


# torch2jax: example cut(KINKS)
def cut(x):
    return F.threshold(x, 0.5, -2.0), torch.threshold(x, 0.0, 1.0)


# torch2jax: example learned(torch.tensor([[-1.0, 0.0, 2.0]]), torch.tensor([0.1, 0.2, 0.3]))
# torch2jax: example learned(KINKS, torch.tensor([0.25]))
def learned(x, weight):
    return F.prelu(x, weight), torch.prelu(x, weight).sum(), x.prelu(weight)


# torch2jax: example gated(torch.randn(3, 4, 6))
def gated(x: Tensor):
    return F.glu(x), F.glu(x, dim=1)


# torch2jax: example probabilities(torch.randn(3, 4))
# torch2jax: example probabilities(torch.randn(3, 4, 2), -1)
def probabilities(x, dim=1):
    p = F.softmax(x, dim=dim) + F.softmax(x, dim, dtype=torch.float32) + F.softmin(x, dim=-1)
    return p, F.log_softmax(x, dim), F.log_softmax(x, dim=0, dtype=torch.float32), F.softmin(x, 0, dtype=torch.float32)


# torch2jax: example without_axis(torch.randn(4))
# torch2jax: example without_axis(torch.randn(3, 4))
# torch2jax: example without_axis(torch.randn(2, 3, 4))
# torch2jax: example without_axis(torch.randn(2, 3, 4, 2))
def without_axis(x):
    """Which axis torch takes depends on how many there are."""
    return F.softmax(x), F.log_softmax(2 * x), F.softmin(x, dtype=torch.float32)
