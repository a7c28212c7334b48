"""float64 and int64 stay what they are in a project with x64 = true."""

import torch

SHIFT = torch.tensor([0.5, 1.5], dtype=torch.float64)


# torch2jax: example energy(torch.randn(4, 3).double())
def energy(positions):
    difference = positions[:, None] - positions[None]
    square = difference.pow(2).sum(-1) + torch.eye(len(positions), dtype=positions.dtype)
    return (1 / square).sum() / 2


# torch2jax: example mixed(torch.randn(3), torch.arange(3))
def mixed(x, n):
    """float32 is still torch's default, and integers are 64 bits wide."""
    return x * 2, x.double() * n, torch.zeros(2), torch.arange(3), n.sum(), torch.ones(2, dtype=torch.float64), n / 2


# torch2jax: example shifted(torch.randn(2).double())
def shifted(x):
    return x + SHIFT, torch.tensor([1.0, 2.0]), torch.tensor(3), torch.full((2,), 1.5), torch.linspace(0, 1, 3)
