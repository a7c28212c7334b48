"""Functions of mathematical physics and statistics."""

import torch


# torch2jax: example errors(torch.tensor([-0.5, 0.0, 0.7]))
def errors(x):
    return x.erf(), torch.erfc(x), x.erfinv(), torch.special.erfcx(x), torch.special.erf(x)


# torch2jax: example gammas(torch.tensor([0.5, 1.0, 3.5]), torch.tensor([1.0, 2.0, 0.5]))
def gammas(x, y):
    """The derivatives of the incomplete gamma functions in their first argument are not known to torch either."""
    whole = x.lgamma(), torch.digamma(x), torch.polygamma(1, x), x.polygamma(2), torch.special.gammaln(x), torch.special.psi(x)
    return whole, torch.igamma(x.detach(), y), torch.igammac(x.detach(), y), torch.special.gammainc(x.detach(), y)


# torch2jax: example multivariate(torch.tensor([3.5, 4.0]))
def multivariate(x):
    return torch.mvlgamma(x, p=2), x.mvlgamma(3), torch.special.multigammaln(x, 2)


# torch2jax: example bessel(torch.tensor([-1.0, 0.5, 2.0]))
def bessel(x):
    return torch.i0(x), torch.special.i0e(x), torch.special.i1(x), torch.special.i1e(x)


# torch2jax: example normal(torch.tensor([-6.0, -0.5, 0.0, 2.0]), torch.tensor([0.1, 0.5, 0.9]))
def normal(x, p):
    return torch.special.ndtr(x), torch.special.log_ndtr(x), torch.special.ndtri(p)


# torch2jax: example hurwitz(torch.tensor([2.0, 3.5]), torch.tensor([1.0, 2.5]))
def hurwitz(x, q):
    return torch.special.zeta(x, q)
