"""Determinants and decompositions."""

import torch


def _definite(a):
    return a @ a.mT + torch.eye(a.size(-1))


# torch2jax: example determinants(torch.randn(2, 3, 3))
# torch2jax: example determinants(torch.eye(2))
def determinants(a):
    spd = _definite(a)
    sign, logabsdet = torch.linalg.slogdet(a)
    return (
        torch.det(a), a.det(), torch.linalg.det(a), sign, logabsdet, torch.slogdet(a).logabsdet, torch.slogdet(spd)[1], torch.logdet(spd),
        spd.logdet(),
    )  # fmt: skip


# torch2jax: example singular(torch.tensor([[1.0, 2.0], [2.0, 4.0]]))
def singular(a):
    return torch.det(a)


# torch2jax: example spectrum(torch.randn(3, 3))
def spectrum(a):
    """One triangle is read; the eigenvectors' signs are not compared."""
    values, vectors = torch.linalg.eigh(a)
    upper = torch.linalg.eigh(a, UPLO="U").eigenvalues
    return values, vectors.abs(), upper, torch.linalg.eigvalsh(a), torch.linalg.eigvalsh(a, UPLO="U")


# torch2jax: example general_spectrum(torch.randn(3, 3))
# torch2jax: eager
def general_spectrum(a):
    """JAX has it on CPUs and GPUs only."""
    values, vectors = torch.linalg.eig(a)
    return torch.linalg.eigvals(a).abs().sum(), values.abs().square().sum(), vectors.abs().sum(0)


# torch2jax: example principal(torch.randn(8, 3))
def principal(points):
    """Principal axes of a point cloud."""
    centred = points - points.mean(dim=0)
    _, _, v = torch.svd(centred)
    u, s, vh = torch.linalg.svd(centred, full_matrices=False)
    return (centred @ v[:, :2]).abs(), s**2 / 7, (u * s) @ vh, v.T.abs()


# torch2jax: example singular_values(torch.randn(2, 4, 3))
def singular_values(a):
    nuclear = torch.linalg.svdvals(a).sum(-1)
    return nuclear, torch.linalg.svd(a).S, torch.svd(a, some=False).S, torch.linalg.svd(a).U.shape[-1] * nuclear


# torch2jax: example rotation(torch.randn(5, 3), torch.randn(5, 3))
def rotation(source, target):
    """The rotation that maps source onto target best (Kabsch)."""
    u, s, vt = torch.linalg.svd(source.T @ target)
    d = torch.sign(torch.det(u @ vt))
    flip = torch.diag(torch.stack([torch.ones_like(d), torch.ones_like(d), d]))
    return u @ flip @ vt


# torch2jax: example triangular(torch.randn(3, 3), torch.randn(4, 2))
def triangular(a, b):
    """Factors whose signs are settled."""
    q, r = torch.linalg.qr(b)
    q2, r2 = torch.qr(b)
    full = torch.linalg.qr(a, mode="complete").R
    return q @ r, r.abs(), q2.abs() @ r2.abs(), full.abs(), torch.qr(b, some=True)[1].abs(), torch.linalg.qr(b.detach(), mode="r")[1].abs(), torch.qr(a, some=False)[1].abs()


# torch2jax: example factored(torch.randn(2, 3, 3))
def factored(a):
    spd = _definite(a)
    lower = torch.linalg.cholesky(spd)
    return lower, torch.linalg.cholesky(spd, upper=True), torch.cholesky(spd), spd.cholesky(upper=True)


# torch2jax: example lu(torch.randn(3, 3), torch.randn(3, 2))
def lu(a, b):
    p, l, u = torch.linalg.lu(a)
    factors, pivots = torch.linalg.lu_factor(a)
    return p, l, u, factors, pivots, torch.linalg.lu_solve(factors, pivots, b), b.lu_solve(factors, pivots)


# torch2jax: example ranks(torch.tensor([[1.0, 2.0], [2.0, 4.0]]), torch.randn(3, 3))
def ranks(a, b):
    return (
        torch.linalg.matrix_rank(a), torch.linalg.matrix_rank(b), torch.linalg.matrix_rank(b, rtol=0.9), torch.linalg.matrix_rank(b, atol=1.0),
        torch.linalg.cond(b),
        torch.linalg.cond(b, p=2),
    )  # fmt: skip


# torch2jax: example views(torch.randn(2, 3, 3), torch.randn(3))
def views(a, nodes):
    return torch.linalg.diagonal(a), torch.linalg.diagonal(a, offset=1, dim1=0, dim2=2), torch.linalg.vander(nodes), torch.linalg.vander(nodes, N=4)
