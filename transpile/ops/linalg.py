"""Linear algebra where jnp reads other parts of a matrix than torch, or differentiates otherwise."""

import functools
import math

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def mirrored(matrix, lower=True):
    """The Hermitian matrix that one triangle of a matrix stands for. The derivative takes both triangles, evenly."""
    triangle = jnp.tri(matrix.shape[-1], dtype=bool)
    return jnp.where(triangle if lower else triangle.T, matrix, jnp.conj(matrix.mT))


@mirrored.defjvp
def _mirrored_jvp(lower, primals, tangents):
    return mirrored(primals[0], lower), (tangents[0] + jnp.conj(tangents[0].mT)) / 2


def eigh(matrix, UPLO="L"):
    """Eigenvalues and eigenvectors of the Hermitian matrix in one triangle (jnp averages both)."""
    return jnp.linalg.eigh(mirrored(matrix, UPLO in "Ll"), symmetrize_input=False)


def eig(matrix):
    """Eigenvalues and eigenvectors of a general matrix; the derivative takes them for distinct, as torch's does."""
    return jax.lax.linalg.eig(matrix, compute_left_eigenvectors=False, enable_eigvec_derivs=True)


def cholesky(matrix, upper=False):
    """The Cholesky factor of the Hermitian matrix in the triangle that it will fill (jnp averages both)."""
    return jnp.linalg.cholesky(mirrored(matrix, not upper), upper=upper, symmetrize_input=False)


def svd(matrix, full_matrices=True):
    """U, S, Vh. The columns that full_matrices adds carry no derivative (jnp has none at all then)."""
    thin = jnp.linalg.svd(matrix, full_matrices=False)
    rows, columns = matrix.shape[-2:]
    if not full_matrices or rows == columns:
        return thin
    full = jnp.linalg.svd(jax.lax.stop_gradient(matrix), full_matrices=True)
    if rows > columns:
        return thin._replace(U=jnp.concatenate([thin.U, full.U[..., columns:]], axis=-1))
    return thin._replace(Vh=jnp.concatenate([thin.Vh, full.Vh[..., rows:, :]], axis=-2))


def det(matrix):
    """The determinant. Of a singular matrix torch's derivative is 0 (jnp: the cofactors), unless it is 1 by 1."""
    value = jnp.linalg.det(matrix)
    return value if matrix.shape[-1] == 1 else jnp.where(value == 0, jax.lax.stop_gradient(value), value)


def logdet(matrix):
    """The logarithm of the determinant; NaN where that is negative."""
    sign, logarithm = jnp.linalg.slogdet(matrix)
    return jnp.where(sign < 0, math.nan, logarithm)


def solve(matrix, right, left=True):
    """X with matrix @ X = right, or X @ matrix = right unless left; right may be a batch of vectors."""
    if right.ndim == 1 or (right.ndim == matrix.ndim - 1 and right.shape == matrix.shape[:-1]):
        return jnp.linalg.solve(matrix, right[..., None])[..., 0]
    return jnp.linalg.solve(matrix, right) if left else jnp.linalg.solve(matrix.mT, right.mT).mT


def solve_triangular(matrix, right, upper, left=True, unitriangular=False):
    """X with matrix @ X = right, or X @ matrix = right unless left, reading one triangle of matrix."""
    if not left:
        return solve_triangular(matrix.mT, right.mT, not upper, True, unitriangular).mT
    return jax.scipy.linalg.solve_triangular(matrix, right, lower=not upper, unit_diagonal=unitriangular)


def triangular_solve(right, matrix, upper=True, transpose=False, unitriangular=False):
    """X with matrix @ X = right (matrix.T @ X = right if transpose), and the matrix."""
    if transpose:
        return solve_triangular(matrix.mT, right, not upper, True, unitriangular), matrix
    return solve_triangular(matrix, right, upper, True, unitriangular), matrix


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def cholesky_solve(right, factor, upper=False):
    """X with A @ X = right for A = L @ L^H (U^H @ U if upper). The derivative is that of the whole of factor."""
    return jax.scipy.linalg.cho_solve((factor, not upper), right)


@cholesky_solve.defjvp
def _cholesky_solve_jvp(upper, primals, tangents):
    solution, factor = cholesky_solve(*primals, upper), primals[1]
    change = jnp.conj(factor.mT) @ tangents[1] if upper else tangents[1] @ jnp.conj(factor.mT)
    change = change + jnp.conj(change.mT)
    return solution, cholesky_solve(tangents[0] - change @ solution, factor, upper)


def cholesky_inverse(factor, upper=False):
    """The inverse of A = L @ L^H (U^H @ U if upper)."""
    eye = jnp.eye(factor.shape[-1], dtype=factor.dtype)
    return cholesky_solve(jnp.broadcast_to(eye, factor.shape), factor, upper)


def lu(matrix):
    """P, L, U with P @ L @ U = matrix, also for a batch of matrices."""
    factors, _, permutation = jax.lax.linalg.lu(matrix)
    rows, columns = matrix.shape[-2:]
    size = min(rows, columns)
    lower = jnp.tril(factors[..., :size], -1) + jnp.eye(rows, size, dtype=matrix.dtype)
    return jnp.eye(rows, dtype=matrix.dtype)[permutation].mT, lower, jnp.triu(factors[..., :size, :])


def lu_factor(matrix):
    """L and U in one matrix, and the row (from 1) that each row changed places with."""
    factors, pivots, _ = jax.lax.linalg.lu(matrix)
    return factors, pivots + 1


def lu_solve(factors, pivots, right):
    """X with A @ X = right, A given by lu_factor."""
    permutation = jax.lax.linalg.lu_pivots_to_permutation(pivots - 1, factors.shape[-1])
    lower, permuted = jnp.tril(factors, -1), jnp.take_along_axis(right, permutation[..., None], axis=-2)
    half = jax.scipy.linalg.solve_triangular(lower, permuted, lower=True, unit_diagonal=True)
    return jax.scipy.linalg.solve_triangular(jnp.triu(factors), half)


def pinv(matrix, rtol=None, hermitian=False):
    """The pseudo-inverse, taking singular values up to rtol times the largest for zero; rtol is max(shape) * eps."""
    rtol = max(matrix.shape[-2:]) * jnp.finfo(matrix.dtype).eps if rtol is None else rtol
    return jnp.linalg.pinv(matrix, rtol=rtol, hermitian=hermitian)


def matrix_rank(matrix, atol=None, rtol=None):
    """The number of singular values above atol and above rtol times the largest (which jnp takes for a bound itself)."""
    values = jnp.linalg.svdvals(matrix)
    atol = jnp.asarray(0.0 if atol is None else atol)
    if rtol is None:
        rtol = jnp.where(atol > 0, 0, max(matrix.shape[-2:]) * jnp.finfo(matrix.dtype).eps)
    return jnp.sum(values > jnp.maximum(atol, rtol * values[..., 0])[..., None], axis=-1)


def lstsq(matrix, right, rtol=None):
    """The smallest X that minimises |matrix @ X - right|, no residuals, the rank, no singular values: torch's on a CPU."""
    empty, rank = jnp.zeros(0, matrix.dtype), matrix_rank(matrix, rtol=rtol)
    if right.ndim == matrix.ndim - 1 and right.shape == matrix.shape[:-1]:
        return (pinv(matrix, rtol) @ right[..., None])[..., 0], empty, rank, empty
    return pinv(matrix, rtol) @ right, empty, rank, empty


def svd_v(matrix, some=True):
    """U, S and V, the conjugate transpose of the Vh that jnp gives; square U and V unless some."""
    u, s, vh = svd(matrix, not some)
    return u, s, jnp.conj(vh.mT)


def cross(a, b):
    """Cross products along the first axis of a that has size 3."""
    return jnp.cross(a, b, axis=a.shape.index(3))


def vander(x, count=None):
    """The powers 0, 1, ... of each element, along a new last axis."""
    count = x.shape[-1] if count is None else count
    ones = jnp.ones((*x.shape, 1), x.dtype)
    factors = jnp.broadcast_to(x[..., None], (*x.shape, count - 1))
    return jnp.cumprod(jnp.concatenate([ones, factors], axis=-1), axis=-1)
