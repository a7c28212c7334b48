"""Decompositions that JAX does not have in this form."""

import torch


def checked(a, b):
    """The forms that report failure by a number."""
    factor, info = torch.linalg.cholesky_ex(a)
    inverse, _ = torch.linalg.inv_ex(a)
    solution, _ = torch.linalg.solve_ex(a, b)
    return factor, info, inverse, solution, torch.linalg.lu_factor_ex(a)


def indefinite(a, b):
    factors, pivots = torch.linalg.ldl_factor(a)
    return torch.linalg.ldl_solve(factors, pivots, b)


def reflectors(a, c):
    r, tau = torch.geqrf(a)
    return torch.orgqr(r, tau), torch.ormqr(r, tau, c), torch.linalg.householder_product(r, tau)


def iterated(a):
    return torch.lobpcg(a)


def steps(n):
    return torch.range(0, n)


def hermitian(x):
    return torch.fft.hfft2(x), torch.fft.ihfft2(x), torch.fft.hfftn(x), torch.fft.ihfftn(x)
