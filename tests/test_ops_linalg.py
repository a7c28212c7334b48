"""Linear algebra against torch: matrices that are not symmetric, singular, wide, tall, empty, complex, batched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jaxtwin.transpile.ops import linalg
from torch_checks import agree, array, close


def randn(*sizes: int, seed: int = 0, complex: bool = False) -> torch.Tensor:
    dtype = torch.complex64 if complex else torch.float32
    return torch.randn(sizes, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def positive(*sizes: int, complex: bool = False) -> torch.Tensor:
    """Positive definite in both triangles, which differ."""
    a = randn(*sizes, complex=complex)
    eye = torch.eye(sizes[-1])
    return a @ a.mH + 2 * eye + 0.1 * randn(*sizes, seed=1, complex=complex) * (1 - eye)


MATRICES = [(3, 3), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2)]


@pytest.mark.parametrize("sizes", MATRICES)
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_reads_one_triangle(sizes: tuple[int, ...], upper: bool) -> None:
    """Of complex ones the gradient is held at what they are made of: alone, torch's has a part that no Hermitian sees."""
    eye = torch.eye(sizes[-1])

    def original(b: torch.Tensor) -> torch.Tensor:
        return torch.linalg.cholesky(b @ b.mH + eye, upper=upper)

    def twin(b: Any) -> Any:
        return linalg.cholesky(b @ jnp.conj(b.mT) + array(eye), upper)

    agree(original, twin, randn(*sizes, complex=True), tolerance=1e-4)
    agree(
        lambda a: torch.linalg.cholesky(a, upper=upper), lambda a: linalg.cholesky(a, upper),
        positive(*sizes, complex=True), gradient=False,
    )  # fmt: skip
    agree(lambda a: torch.linalg.cholesky(a, upper=upper), lambda a: linalg.cholesky(a, upper), positive(*sizes))


def sure(vectors: Any, absolute: Callable[[Any], Any]) -> Any:
    """What does not depend on the sign of each vector."""
    return absolute(vectors) ** 2


@pytest.mark.parametrize("sizes", MATRICES)
@pytest.mark.parametrize("UPLO", ["L", "U"])
def test_eigh_reads_one_triangle(sizes: tuple[int, ...], UPLO: str) -> None:
    def original(a: torch.Tensor) -> Any:
        values, vectors = torch.linalg.eigh(a, UPLO)
        return values, sure(vectors, torch.abs)

    def twin(a: Any) -> Any:
        values, vectors = linalg.eigh(a, UPLO)
        return values, sure(vectors, jnp.abs)

    agree(original, twin, randn(*sizes), tolerance=1e-4)
    agree(lambda a: torch.linalg.eigvalsh(a, UPLO), lambda a: linalg.eigh(a, UPLO).eigenvalues, randn(*sizes), tolerance=1e-4)


def test_eigh_of_complex_matrices() -> None:
    a = randn(3, 3, complex=True)
    agree(torch.linalg.eigvalsh, lambda a: linalg.eigh(a).eigenvalues, a, tolerance=1e-4)

    def original(a: torch.Tensor) -> torch.Tensor:
        return sure(torch.linalg.eigh(a)[1], torch.abs)

    agree(original, lambda a: sure(linalg.eigh(a)[1], jnp.abs), a, tolerance=1e-4)


@pytest.mark.parametrize("sizes", [(3, 3), (2, 3, 3), (1, 1)])
@pytest.mark.parametrize("complex", [False, True])
def test_eig(sizes: tuple[int, ...], complex: bool) -> None:
    """Sums over all, since the order of the eigenvalues is not settled."""

    def original(a: torch.Tensor) -> Any:
        values, vectors = torch.linalg.eig(a)
        return (values**3).sum(-1), sure(vectors, torch.abs).sum(-1), torch.linalg.eigvals(a).abs().sum(-1)

    def twin(a: Any) -> Any:
        values, vectors = linalg.eig(a)
        return jnp.sum(values**3, -1), jnp.sum(sure(vectors, jnp.abs), -1), jnp.sum(jnp.abs(jnp.linalg.eigvals(a)), -1)

    agree(original, twin, randn(*sizes, complex=complex), tolerance=1e-3)


@pytest.mark.parametrize("matrix", [torch.eye(3), torch.zeros(3, 3), torch.ones(3, 3)])
def test_eigenvalues_that_repeat_have_a_gradient(matrix: torch.Tensor) -> None:
    """Weights alike where the eigenvalues are: otherwise the gradient depends on the basis."""
    agree(lambda a: torch.linalg.eigvalsh(a).sum(), lambda a: linalg.eigh(a).eigenvalues.sum(), matrix, tolerance=1e-4)
    agree(lambda a: torch.linalg.eigvalsh(a).amax(), lambda a: linalg.eigh(a).eigenvalues[-1], matrix, gradient=False)


@pytest.mark.parametrize("sizes", [(3, 3), (4, 2), (2, 4), (2, 3, 2), (2, 2, 3), (1, 1), (0, 2), (2, 0)])
@pytest.mark.parametrize("full", [True, False])
def test_svd(sizes: tuple[int, ...], full: bool) -> None:
    """Null spaces have no basis of their own: of the columns that full_matrices adds, their projector is compared."""
    rank = min(sizes[-2:])

    def original(a: torch.Tensor) -> Any:
        u, s, vh = torch.linalg.svd(a, full_matrices=full)
        return u[..., :rank].abs() ** 2, s, vh[..., :rank, :].abs() ** 2, (u.detach() @ u.mT.detach()), (vh.mT.detach() @ vh.detach())

    def twin(a: Any) -> Any:
        u, s, vh = linalg.svd(a, full)
        return jnp.abs(u[..., :rank]) ** 2, s, jnp.abs(vh[..., :rank, :]) ** 2, u @ u.mT, vh.mT @ vh

    agree(original, twin, randn(*sizes), gradient=False, tolerance=1e-4)
    if 0 not in sizes:
        agree(lambda a: original(a)[:3], lambda a: twin(a)[:3], randn(*sizes), tolerance=1e-3)
    assert tuple(linalg.svd(array(randn(*sizes)), full).U.shape) == tuple(torch.linalg.svd(randn(*sizes), full).U.shape)


@pytest.mark.parametrize("matrix", [torch.eye(3), torch.zeros(3, 2), torch.ones(2, 4), torch.diag(torch.tensor([1.0, 1.0, 0.0]))])
def test_the_sum_of_singular_values_has_a_gradient(matrix: torch.Tensor) -> None:
    """Also where they repeat or vanish; of a singular matrix both take the vectors that LAPACK gives."""
    agree(lambda a: torch.linalg.svd(a)[1].sum(), lambda a: linalg.svd(a)[1].sum(), matrix, tolerance=1e-4)
    agree(lambda a: torch.linalg.svdvals(a).sum(), lambda a: jnp.linalg.svdvals(a).sum(), matrix, tolerance=1e-4)


@pytest.mark.parametrize("sizes", [(3, 2), (2, 3), (2, 3, 3)])
@pytest.mark.parametrize("some", [True, False])
def test_the_old_svd_gives_v(sizes: tuple[int, ...], some: bool) -> None:
    a = randn(*sizes)
    expected, found = torch.svd(a, some=some), linalg.svd_v(array(a), some)
    assert [tuple(one.shape) for one in found] == [tuple(one.shape) for one in expected]
    rank = min(sizes[-2:])
    u, s, v = found
    close((u[..., :rank] * s[..., None, :]) @ v[..., :rank].mT, a, 1e-5)
    close(s, expected.S, 1e-5)


@pytest.mark.parametrize(
    "matrix",
    [randn(3, 3), positive(2, 3, 3), torch.diag(torch.tensor([1.0, -2.0])), torch.zeros(2, 2), torch.ones(2, 2), torch.zeros(0, 0)],
)
def test_logdet(matrix: torch.Tensor) -> None:
    sign = torch.linalg.slogdet(matrix)[0]
    agree(torch.logdet, linalg.logdet, matrix, gradient=bool((sign > 0).all()) and matrix.numel() > 0)


@pytest.mark.parametrize(
    "matrix",
    [randn(3, 3), randn(2, 3, 3), torch.zeros(3, 3), torch.ones(3, 3), torch.diag(torch.tensor([1.0, 2.0, 0.0])), torch.eye(2),
     torch.tensor([[2.0]]), torch.tensor([[0.0]]), torch.stack([torch.eye(2), torch.ones(2, 2)])],
)  # fmt: skip
def test_det(matrix: torch.Tensor) -> None:
    agree(torch.det, linalg.det, matrix)


SYSTEMS = [
    ((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (2, 3)), ((2, 3, 3), (2, 3, 1)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 2)),
    ((1, 1), (1,)), ((4, 1, 3, 3), (2, 3, 2)), ((0, 0), (0, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "right"), SYSTEMS)
def test_solve(sizes: tuple[int, ...], right: tuple[int, ...]) -> None:
    agree(torch.linalg.solve, linalg.solve, randn(*sizes), randn(*right, seed=1), tolerance=1e-4)


@pytest.mark.parametrize(("sizes", "right"), [((3, 3), (2, 3)), ((2, 3, 3), (2, 4, 3)), ((2, 3, 3), (4, 3))])
def test_solve_from_the_right(sizes: tuple[int, ...], right: tuple[int, ...]) -> None:
    def original(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.linalg.solve(a, b, left=False)

    agree(original, lambda a, b: linalg.solve(a, b, left=False), randn(*sizes), randn(*right, seed=1), tolerance=1e-4)


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("sizes", [(3, 3), (2, 3, 3)])
def test_solve_triangular(sizes: tuple[int, ...], upper: bool, left: bool, unit: bool) -> None:
    """The other triangle holds numbers that must not matter."""
    a = randn(*sizes) + 2 * torch.eye(3)
    b = randn(2, 3, 4, seed=1) if left else randn(2, 4, 3, seed=1)

    def original(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.linalg.solve_triangular(a, b, upper=upper, left=left, unitriangular=unit)

    agree(original, lambda a, b: linalg.solve_triangular(a, b, upper, left, unit), a, b, tolerance=1e-4)


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("transpose", [True, False])
def test_triangular_solve(upper: bool, transpose: bool) -> None:
    def original(b: torch.Tensor, a: torch.Tensor) -> Any:
        return tuple(torch.triangular_solve(b, a, upper, transpose))

    def twin(b: Any, a: Any) -> Any:
        return linalg.triangular_solve(b, a, upper, transpose)

    agree(original, twin, randn(3, 2, seed=1), randn(3, 3) + 2 * torch.eye(3), tolerance=1e-4)


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("complex", [False, True])
def test_cholesky_solve(upper: bool, batch: tuple[int, ...], complex: bool) -> None:
    factor = torch.linalg.cholesky(positive(*batch, 3, 3, complex=complex), upper=upper)
    right = randn(*batch, 3, 2, complex=complex)

    def original(b: torch.Tensor, f: torch.Tensor) -> torch.Tensor:
        return torch.cholesky_solve(b, f, upper)

    agree(original, lambda b, f: linalg.cholesky_solve(b, f, upper), right, factor, tolerance=1e-4)
    if not complex:
        agree(
            lambda f: torch.cholesky_inverse(f, upper), lambda f: linalg.cholesky_inverse(f, upper), factor, tolerance=1e-4
        )


@pytest.mark.parametrize("sizes", [(3, 3), (4, 2), (2, 4), (2, 3, 3), (1, 1)])
def test_lu(sizes: tuple[int, ...]) -> None:
    agree(torch.linalg.lu, linalg.lu, randn(*sizes))


@pytest.mark.parametrize("sizes", [(3, 3), (2, 3, 3)])
def test_lu_factor_and_solve(sizes: tuple[int, ...]) -> None:
    a, b = randn(*sizes), randn(*sizes[:-2], 3, 2, seed=1)
    agree(torch.linalg.lu_factor, linalg.lu_factor, a)
    agree(
        lambda a, b: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b),
        lambda a, b: linalg.lu_solve(*linalg.lu_factor(a), b),
        a, b, tolerance=1e-4,
    )  # fmt: skip


@pytest.mark.parametrize("sizes", [(3, 3), (4, 2), (2, 4), (2, 4, 2)])
def test_pinv_and_lstsq(sizes: tuple[int, ...]) -> None:
    a = randn(*sizes)
    agree(torch.linalg.pinv, linalg.pinv, a, tolerance=1e-4)
    agree(lambda a: torch.linalg.pinv(a, rtol=0.5), lambda a: linalg.pinv(a, rtol=0.5), a, gradient=False, tolerance=1e-4)
    right = randn(*sizes[:-1], 2, seed=1)
    agree(lambda a, b: tuple(torch.linalg.lstsq(a, b)), linalg.lstsq, a, right, tolerance=1e-4)


@pytest.mark.parametrize("options", [{}, {"rtol": 0.4}, {"atol": 1.0}, {"atol": 0.5, "rtol": 0.3}, {"atol": 0.0}])
@pytest.mark.parametrize("sizes", [(3, 3), (2, 4, 3)])
def test_matrix_rank(options: dict[str, float], sizes: tuple[int, ...]) -> None:
    a = randn(*sizes)
    a[..., 0] = a[..., 1]
    original = lambda a: torch.linalg.matrix_rank(a, **options)  # noqa: E731
    agree(original, lambda a: linalg.matrix_rank(a, **options), a, gradient=False)


def test_lstsq_of_a_batch_of_vectors() -> None:
    a, b = randn(2, 4, 3), randn(2, 4, seed=1)
    agree(lambda a, b: tuple(torch.linalg.lstsq(a, b)), linalg.lstsq, a, b, tolerance=1e-4)


def test_pinv_of_a_singular_matrix() -> None:
    a = torch.tensor([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]])
    agree(torch.linalg.pinv, linalg.pinv, a, tolerance=1e-4)
    symmetric = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    agree(
        lambda a: torch.linalg.pinv(a, hermitian=True), lambda a: linalg.pinv(a, hermitian=True), symmetric, gradient=False
    )


@pytest.mark.filterwarnings("ignore:Using torch.cross without")
@pytest.mark.parametrize(("first", "second"), [((3, 3), (3, 3)), ((2, 3), (2, 3)), ((2, 3, 3), (2, 3, 3)), ((1, 3), (3, 3)), ((3, 4), (3, 1))])
def test_cross(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    agree(torch.cross, linalg.cross, randn(*first), randn(*second, seed=1))


@pytest.mark.parametrize(("sizes", "count"), [((3,), None), ((3,), 5), ((2, 3), None), ((2, 3), 2), ((0,), 2)])
def test_vander(sizes: tuple[int, ...], count: Any) -> None:
    x = randn(*sizes)
    if x.numel():
        x[..., 0] = 0
    agree(lambda x: torch.linalg.vander(x, N=count), lambda x: linalg.vander(x, count), x)


def test_mirrored_is_differentiable_twice() -> None:
    a = array(positive(3, 3))
    hessian = jax.hessian(lambda a: jnp.sum(linalg.cholesky(a)))(a)
    expected = torch.autograd.functional.hessian(lambda a: torch.linalg.cholesky(a).sum(), positive(3, 3))
    np.testing.assert_allclose(hessian, expected, atol=1e-4)
