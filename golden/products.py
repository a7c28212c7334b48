"""Products of vectors and matrices."""

import torch
from torch import Tensor


# torch2jax: example matrices(torch.randn(2, 3), torch.randn(3, 4), torch.randn(3))
def matrices(a: Tensor, b: Tensor, v: Tensor):
    return a @ b, torch.matmul(a, b), a.mm(b), torch.mm(a, b), a.matmul(v), torch.mv(a, v), a.mv(v), v @ b


# torch2jax: example batches(torch.randn(2, 3, 4), torch.randn(2, 4, 5))
def batches(a, b):
    scores = torch.bmm(a, b)
    return scores, a.bmm(b), a.matmul(b[0]), torch.linalg.matmul(a, b), a @ a.transpose(-2, -1)


# torch2jax: example vectors(torch.randn(4), torch.randn(4), torch.randn(3))
def vectors(u, v, w):
    return (
        u.dot(v), torch.dot(u, v), torch.vdot(u, v), u.inner(v), torch.inner(u, v), torch.outer(u, w), u.outer(v), torch.ger(u, w),
        torch.linalg.vecdot(u, v),
    )  # fmt: skip


# torch2jax: example complex_vectors(torch.randn(4, dtype=torch.complex64), torch.randn(4, dtype=torch.complex64))
def complex_vectors(u, v):
    return torch.vdot(u, v), torch.dot(u, v), torch.linalg.vecdot(u, v)


# torch2jax: example integers(torch.arange(6).view(2, 3), torch.arange(3))
def integers(m, v):
    return m @ v, m @ m.T, v.dot(v), torch.outer(v, v), torch.einsum("ij,j->i", m, v)


# torch2jax: example contracted(torch.randn(2, 3, 4), torch.randn(4, 5))
def contracted(x, w):
    y = torch.einsum("bnd, dk -> bnk", x, w)
    gram = torch.einsum("bnd,bmd->bnm", [x, x])
    return (
        y, gram, torch.einsum("bnd->bd", x), torch.einsum("...d,dk", x, w), torch.einsum("bii->bi", gram), torch.einsum("ij,ij->", w, w),
        torch.einsum(x, [0, 1, 2], w, [2, 3], [0, 1, 3]),
    )  # fmt: skip


# torch2jax: example tensors(torch.randn(2, 3, 4), torch.randn(3, 4, 5), torch.randn(2, 2))
def tensors(a, b, c):
    return (
        torch.tensordot(a, b), torch.tensordot(a, c, dims=([0], [1])), torch.tensordot(a, b, dims=2), torch.kron(c, c[0]), c.kron(c),
    )  # fmt: skip


# torch2jax: example accumulated(torch.randn(2, 4), torch.randn(2, 3), torch.randn(3, 4), torch.randn(4))
def accumulated(m, a, b, bias):
    return (
        torch.addmm(bias, a, b), m.addmm(a, b, beta=0.5, alpha=2), torch.addmm(m, a, b, beta=0), torch.addmm(m, a, b, beta=0, alpha=0.5),
        torch.addmv(bias, b.T, a[0]), bias.addmv(b.T, a[1], beta=2, alpha=3), torch.addmv(bias, b.t(), a[0], beta=0),
        torch.addr(m, a[:, 0], bias), m.addr(a[:, 0], bias, beta=0.5, alpha=2), torch.addr(m, a[:, 0], bias, beta=0, alpha=3),
    )  # fmt: skip


# torch2jax: example accumulated_batches(torch.randn(2, 2, 4), torch.randn(2, 2, 3), torch.randn(2, 3, 4))
def accumulated_batches(m, a, b):
    return (
        torch.baddbmm(m, a, b), m.baddbmm(a, b, beta=0.5, alpha=2), torch.baddbmm(m, a, b, beta=0, alpha=0.5),
        torch.addbmm(m[0], a, b), m[1].addbmm(a, b, beta=2, alpha=0.5), torch.addbmm(m[0], a, b, beta=0),
    )  # fmt: skip


# torch2jax: example chained(torch.randn(2, 3), torch.randn(3, 4), torch.randn(4, 2))
def chained(a, b, c):
    return torch.linalg.multi_dot([a, b, c]), torch.chain_matmul(a, b, c)


# torch2jax: example crossed(torch.randn(4, 3), torch.randn(4, 3))
def crossed(a, b):
    normal = torch.cross(a, b, dim=-1)
    return normal, a.cross(b, dim=1), torch.linalg.cross(a, b), torch.cross(a, b), torch.linalg.cross(a.T, b.T, dim=0)


# torch2jax: example powers(torch.randn(3, 3) / 3)
def powers(a):
    return (
        torch.matrix_power(a, 3), a.matrix_power(0), torch.linalg.matrix_power(a, -2), torch.matrix_exp(a), a.matrix_exp(),
        torch.linalg.matrix_exp(a), a.trace(), torch.trace(a),
    )  # fmt: skip


# torch2jax: example attention(torch.randn(2, 3, 4, 5), torch.randn(2, 3, 4, 5), torch.randn(2, 3, 4, 5))
def attention(q, k, v):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    causal = torch.tril(torch.ones(q.size(-2), k.size(-2), dtype=torch.bool))
    return scores.masked_fill(~causal, float("-inf")).softmax(dim=-1) @ v
