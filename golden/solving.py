"""Linear systems, inverses, least squares."""

import torch


# torch2jax: example systems(torch.randn(2, 3, 3), torch.randn(2, 3), torch.randn(3, 4))
def systems(a, b, c):
    x = torch.linalg.solve(a, b)
    return x, torch.linalg.solve(a, c), torch.linalg.solve(a[0], c[:, 0]), torch.linalg.solve(a, c.T, left=False)


# torch2jax: example inverses(torch.randn(2, 3, 3))
def inverses(a):
    return torch.inverse(a), a.inverse(), torch.linalg.inv(a)


# torch2jax: example pseudo(torch.randn(4, 3))
def pseudo(a):
    return torch.pinverse(a), a.pinverse(rcond=1e-6), torch.linalg.pinv(a), torch.linalg.pinv(a, rtol=1e-3)


# torch2jax: example fitted(torch.randn(6, 2), torch.randn(6, 1))
def fitted(x, y):
    """A line fitted by least squares."""
    design = torch.cat([x, torch.ones_like(x[:, :1])], dim=1)
    weights = torch.linalg.lstsq(design, y).solution
    solution, _, rank, _ = torch.linalg.lstsq(design, y, rcond=1e-6, driver="gelsy")
    return weights, design @ solution - y, rank


# torch2jax: example triangular(torch.randn(3, 3) + 3 * torch.eye(3), torch.randn(3, 2))
def triangular(a, b):
    lower = torch.linalg.solve_triangular(a, b, upper=False)
    solution, copy = torch.triangular_solve(b, a)
    return (
        lower, torch.linalg.solve_triangular(a, b.T, upper=True, left=False), solution + copy[:, :2],
        torch.linalg.solve_triangular(a, b, upper=True, unitriangular=True), b.triangular_solve(a, upper=False, transpose=True).solution,
    )  # fmt: skip


# torch2jax: example definite(torch.randn(3, 3), torch.randn(3, 2))
def definite(a, b):
    """Systems with a positive definite matrix, by its Cholesky factor."""
    factor = torch.linalg.cholesky(a @ a.T + torch.eye(3))
    upper = factor.T
    return torch.cholesky_solve(b, factor), b.cholesky_solve(upper, upper=True), torch.cholesky_inverse(factor), upper.cholesky_inverse(True)


# torch2jax: example of_tensors(torch.randn(2, 3, 6), torch.randn(2, 3))
def of_tensors(a, b):
    square = a.view(6, 2, 3)
    return torch.linalg.tensorinv(square, ind=1), torch.linalg.tensorsolve(a, b)


# torch2jax: example log_likelihood(torch.randn(4, 3), torch.randn(3), torch.randn(3, 3))
def log_likelihood(x, mean, a):
    """Of a multivariate normal."""
    covariance = a @ a.mT + 0.1 * torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    factor = torch.linalg.cholesky(covariance)
    z = torch.linalg.solve_triangular(factor, (x - mean).unsqueeze(-1), upper=False).squeeze(-1)
    half_log_det = factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)
    return -0.5 * (z.pow(2).sum(-1) + x.shape[-1] * torch.log(torch.tensor(2 * torch.pi))) - half_log_det
