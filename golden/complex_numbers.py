"""Complex numbers and what they are made of."""

import torch


# torch2jax: example parts(torch.randn(3, dtype=torch.complex64))
def parts(z):
    return z.real, torch.imag(z), z.abs(), torch.angle(z), z.conj(), torch.conj_physical(z), torch.isreal(z), z.sgn()


# torch2jax: example rotated(torch.randn(4), torch.randn(4))
def rotated(x, phase):
    z = torch.polar(x.abs() + 1, phase) * torch.exp(1j * phase)
    return torch.view_as_real(z), z * z.conj(), torch.complex(x, phase).angle()


# torch2jax: example real_numbers(torch.tensor([-1.0, 0.0, 2.0]))
def real_numbers(x):
    return x.angle(), x.conj(), torch.isreal(x), x.sgn(), x.real
