"""New tensors and conversions in a project that computes in 64 bits: Python numbers still make 32-bit tensors."""

import torch

WEIGHTS = torch.tensor([0.1, 0.2, 0.7])


# torch2jax: example made(3, 0.25, [0.5, 1.5])
def made(n: int, step: float, values):
    """Floats give float32, integers int64."""
    numbers = torch.tensor(0.1), torch.tensor([1, 2]), torch.tensor(values), torch.as_tensor(0.1), torch.as_tensor(values)
    filled = torch.zeros(n), torch.ones(n), torch.full((n,), 0.1), torch.full((n,), 2), torch.full((n,), step), torch.eye(n)
    steps = torch.arange(n), torch.arange(0, 1, 0.25), torch.arange(2.5), torch.arange(n, dtype=torch.double)
    lines = torch.linspace(0, 1, n), torch.logspace(0, 1, n), torch.linspace(0, 1, n, dtype=torch.float64), torch.hann_window(n)
    return numbers, filled, steps, lines, torch.fft.fftfreq(n), torch.asarray([step, 1.0]), torch.scalar_tensor(0.1)


# torch2jax: example converted(torch.randn(3))
# torch2jax: example converted(torch.randn(3).double())
def converted(x):
    return (
        x.double(), x.to(torch.float64), x.long(), x.to(torch.int64), x.float(), x.to(torch.complex128), x.cdouble(),
        x.to(torch.cdouble), x.abs().to(torch.uint64), x.new_tensor([0.1]), x.new_zeros(2), x * torch.tensor(2.0),
    )  # fmt: skip


# torch2jax: example precise(torch.randn(3, 3).double(), torch.randn(3).double())
def precise(a, b):
    spd = a @ a.T + torch.eye(3, dtype=torch.float64)
    return torch.linalg.solve(spd, b), torch.linalg.cholesky(spd), torch.logdet(spd), torch.finfo(spd.dtype).eps * b


# torch2jax: example weighted(torch.randn(3))
# torch2jax: example weighted(torch.randn(3).double())
def weighted(x):
    return x * WEIGHTS, torch.complex(x, x), torch.polar(x.abs(), x)
