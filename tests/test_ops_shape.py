"""Helpers for shapes and for new arrays against torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jaxtwin.transpile.ops import creation, fourier, shape
from torch_checks import agree, array


def randn(*sizes: int) -> torch.Tensor:
    return torch.randn(sizes, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(
    ("sizes", "target"),
    [((3,), (2, 3)), ((3,), (2, -1)), ((1, 3), (4, 3)), ((2, 1), (-1, 5)), ((2, 1, 3), (5, 2, 4, -1)), ((), (2, 2)), ((), ()),
     ((1, 0), (3, 0)), ((1, 0), (-1, -1))],
)  # fmt: skip
def test_expand(sizes: tuple[int, ...], target: tuple[int, ...]) -> None:
    agree(lambda x: x.expand(target), lambda x: shape.expand(x, target), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "axis"),
    [((1, 3), 0), ((1, 3), 1), ((1, 3), -1), ((3, 1), -1), ((1, 3, 1), (0, 2)), ((1, 3, 1), (0, 1)), ((1, 3, 1), (-1,)), ((), 0),
     ((0, 1), 0), ((0, 1), 1), ((1, 1), ())],
)  # fmt: skip
def test_squeeze(sizes: tuple[int, ...], axis: Any) -> None:
    agree(lambda x: x.squeeze(axis), lambda x: shape.squeeze(x, axis), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "start", "end"),
    [((2, 3, 4), 0, -1), ((2, 3, 4), 1, 2), ((2, 3, 4), 0, 1), ((2, 3, 4), -2, -1), ((2, 3, 4), 1, 1), ((), 0, -1), ((5,), 0, 0),
     ((0, 3, 4), 1, -1), ((2, 0), 0, 1)],
)  # fmt: skip
def test_flatten(sizes: tuple[int, ...], start: int, end: int) -> None:
    agree(lambda x: x.flatten(start, end), lambda x: shape.flatten(x, start, end), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "axis", "into"),
    [((6,), 0, (2, 3)), ((6, 2), 0, (2, -1)), ((2, 6), -1, (3, 2)), ((2, 6), 1, [-1]), ((2, 6, 1), -2, (1, 2, 3)), ((0, 4), 1, (2, -1)),
     ((0, 4), 0, (-1, 2))],
)  # fmt: skip
def test_unflatten(sizes: tuple[int, ...], axis: int, into: Any) -> None:
    agree(lambda x: x.unflatten(axis, into), lambda x: shape.unflatten(x, axis, into), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "size", "axis"),
    [((5, 2), 2, 0), ((5, 2), 5, 0), ((5, 2), 9, 0), ((2, 6), 3, -1), ((5, 2), [1, 3, 1], 0), ((5, 2), (5, 0), 0), ((2, 5), (2, 3), 1),
     ((0, 2), 3, 0), ((0, 2), 0, 0), ((4,), 1, 0)],
)  # fmt: skip
def test_split(sizes: tuple[int, ...], size: Any, axis: int) -> None:
    x = randn(*sizes)
    agree(lambda x: x.split(size, axis), lambda x: shape.split(x, size, axis), x)
    assert isinstance(shape.split(array(x), size, axis), tuple)


@pytest.mark.parametrize(
    ("sizes", "chunks", "axis"),
    [((6,), 3, 0), ((5,), 3, 0), ((5, 2), 4, 0), ((4,), 3, 0), ((1,), 2, 0), ((2, 7), 2, -1), ((0, 3), 3, 0), ((3,), 5, 0), ((3,), 1, 0)],
)
def test_chunk(sizes: tuple[int, ...], chunks: int, axis: int) -> None:
    agree(lambda x: x.chunk(chunks, axis), lambda x: shape.chunk(x, chunks, axis), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "indices", "axis"),
    [((5, 2), (1, 3), 0), ((5, 2), (1, 7), 0), ((5, 2), (3, 1), 0), ((2, 5), [-2], 1), ((2, 5), [], -1), ((0,), (0, 2), 0)],
)
def test_split_at(sizes: tuple[int, ...], indices: Any, axis: int) -> None:
    agree(lambda x: x.tensor_split(indices, axis), lambda x: shape.split_at(x, indices, axis), randn(*sizes))


@pytest.mark.parametrize(
    ("sizes", "axis", "size", "step"),
    [((7,), 0, 3, 1), ((7,), 0, 3, 2), ((2, 7, 3), 1, 2, 3), ((2, 7), -1, 7, 1), ((4, 2), 0, 1, 1), ((2, 0), 0, 2, 1)],
)
def test_windows(sizes: tuple[int, ...], axis: int, size: int, step: int) -> None:
    agree(lambda x: x.unfold(axis, size, step), lambda x: shape.windows(x, axis, size, step), randn(*sizes))


@pytest.mark.parametrize(("sizes", "target"), [((2, 3), (1, 3)), ((4, 2, 3), (2, 1)), ((2, 3), ()), ((2, 3), (2, 3)), ((1, 3), (1, 1))])
def test_sum_to(sizes: tuple[int, ...], target: tuple[int, ...]) -> None:
    agree(lambda x: x.sum_to_size(target), lambda x: shape.sum_to(x, target), randn(*sizes))


@pytest.mark.parametrize(
    ("target", "twin"),
    [(torch.float16, jnp.float16), (torch.int32, jnp.int32), (torch.bool, bool), ("cpu", "cpu"), (torch.device("cpu"), None),
     (torch.bfloat16, jnp.dtype("bfloat16")), (torch.zeros(2, dtype=torch.int16), jnp.zeros(2, jnp.int16))],
)  # fmt: skip
def test_converted(target: Any, twin: Any) -> None:
    agree(lambda x: x.to(target), lambda x: shape.converted(x, twin), torch.tensor([-1.5, 0.0, 2.7]), gradient=False)


def test_view_as_real() -> None:
    agree(torch.view_as_real, shape.view_as_real, torch.complex(randn(2, 3), randn(2, 3).flip(0)))


# New arrays ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "dtype"),
    [(1.5, "float32"), (2, "int64"), (True, "bool"), ([1, 2], "int64"), ([1.0, 2], "float32"), ([[True], [False]], "bool"),
     (1 + 2j, "complex64"), ([], "float32"), (np.float64(1.0), "float64"), ([np.float64(1.0)], "float64"), (np.arange(3), "int64"),
     (np.ones(2, np.float32), "float32"), ([[1, 2.5], [3, 4]], "float32")],
)  # fmt: skip
def test_tensor_in_64_bits(data: Any, dtype: str) -> None:
    assert str(torch.tensor(data).dtype) == f"torch.{dtype}"
    with jax.enable_x64(True):
        found = creation.tensor(data)
        assert str(found.dtype) == dtype
        np.testing.assert_array_equal(found, torch.tensor(data).numpy())
        assert creation.tensor(data, jnp.complex64).dtype == jnp.complex64
        if isinstance(data, float) and not isinstance(data, np.floating):
            assert str(jax.jit(creation.tensor)(data).dtype) == dtype


@pytest.mark.parametrize(("value", "dtype"), [(1.5, "float32"), (2, "int64"), (True, "bool")])
def test_full_promotes_as_an_array(value: Any, dtype: str) -> None:
    assert str(torch.full((2,), value).dtype) == f"torch.{dtype}"
    for wide in (False, True):
        with jax.enable_x64(wide):
            found = creation.full((2,), value)
            assert str(found.dtype) == (dtype if wide else {"int64": "int32"}.get(dtype, dtype))
            assert not found.weak_type
            assert jax.jit(lambda v: creation.full((2,), v))(value).dtype == found.dtype
            assert creation.full((2,), value, jnp.int8).dtype == jnp.int8


@pytest.mark.parametrize(
    "bounds", [(5,), (2.5,), (1, 7, 2), (0, 1, 0.25), (1.0, 4), (5, 0, -2), (0,), (3, 3), (0, 1, 0.1)]
)
def test_arange(bounds: Any) -> None:
    expected = torch.arange(*bounds)
    for wide in (False, True):
        with jax.enable_x64(wide):
            found = creation.arange(*bounds)
            name = str(expected.dtype).removeprefix("torch.")
            assert str(found.dtype) == (name if wide else {"int64": "int32"}.get(name, name))
            np.testing.assert_allclose(found, expected.numpy(), rtol=1e-6)
            assert creation.arange(*bounds, dtype=jnp.float16).dtype == jnp.float16


DTYPES = ["bool", "uint8", "int8", "int32", "float16", "bfloat16", "float32", "complex64"]


@pytest.mark.parametrize("source", DTYPES)
def test_can_cast(source: str) -> None:
    for target in DTYPES:
        expected = torch.can_cast(getattr(torch, source), getattr(torch, target))
        assert creation.can_cast(jnp.dtype(source), jnp.dtype(target)) is expected, target


WINDOWS: list[tuple[Callable[..., torch.Tensor], Callable[..., Any]]] = [
    (torch.hann_window, lambda n, p: creation.cosine_window(n, (0.5, 0.5), p)),
    (torch.hamming_window, lambda n, p: creation.cosine_window(n, (0.54, 0.46), p)),
    (torch.blackman_window, lambda n, p: creation.cosine_window(n, (0.42, 0.5, 0.08), p)),
    (torch.bartlett_window, creation.bartlett_window),
    (torch.kaiser_window, creation.kaiser_window),
]


@pytest.mark.parametrize(("original", "twin"), WINDOWS, ids=[original.__name__ for original, _ in WINDOWS])
@pytest.mark.parametrize("length", [0, 1, 2, 5, 8])
@pytest.mark.parametrize("periodic", [True, False])
def test_windows_of_a_signal(
    original: Callable[..., torch.Tensor], twin: Callable[..., Any], length: int, periodic: bool
) -> None:
    agree(lambda: original(length, periodic), lambda: twin(length, periodic), gradient=False, tolerance=2e-6)


def test_kaiser_window_takes_beta_and_a_dtype() -> None:
    def original() -> torch.Tensor:
        return torch.kaiser_window(6, False, 3.0, dtype=torch.float64)

    agree(original, lambda: creation.kaiser_window(6, False, 3.0, float), gradient=False)


@pytest.mark.parametrize("lengths", [(3,), (2, 3), (2, 1, 4), (0, 2)])
def test_cartesian_prod(lengths: tuple[int, ...]) -> None:
    agree(torch.cartesian_prod, creation.cartesian_prod, *[randn(length) for length in lengths])


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(("length", "r"), [(4, 2), (4, 3), (4, 1), (2, 3), (3, 0), (0, 2)])
def test_combinations(length: int, r: int, repeated: bool) -> None:
    def original(x: torch.Tensor) -> torch.Tensor:
        return torch.combinations(x, r, repeated)

    agree(original, lambda x: creation.combinations(x, r, repeated), randn(length), gradient=r > 0)


@pytest.mark.parametrize(
    ("sizes", "offset", "axis1", "axis2"),
    [((3,), 0, -2, -1), ((3,), 1, -2, -1), ((2, 3), -2, -2, -1), ((2, 3), 0, 0, 2), ((2, 3), 1, 2, 0), ((2, 3), 1, -1, -2),
     ((0, 3), 0, -2, -1), ((2, 0), 1, -2, -1)],
)  # fmt: skip
def test_diag_embed(sizes: tuple[int, ...], offset: int, axis1: int, axis2: int) -> None:
    def original(x: torch.Tensor) -> torch.Tensor:
        return torch.diag_embed(x, offset, axis1, axis2)

    agree(original, lambda x: creation.diag_embed(x, offset, axis1, axis2), randn(*sizes))


# Short-time Fourier transforms -----------------------------------------------------------------------------------------

STFT: list[dict[str, Any]] = [
    {"n_fft": 8},
    {"n_fft": 8, "hop_length": 3, "win_length": 6},
    {"n_fft": 7, "hop_length": 2, "center": False},
    {"n_fft": 8, "normalized": True, "pad_mode": "constant"},
    {"n_fft": 8, "onesided": False, "pad_mode": "replicate"},
    {"n_fft": 6, "win_length": 5, "pad_mode": "circular"},
]


@pytest.mark.parametrize("options", STFT)
@pytest.mark.parametrize("sizes", [(32,), (2, 32)])
@pytest.mark.parametrize("windowed", [False, True])
def test_stft(options: dict[str, Any], sizes: tuple[int, ...], windowed: bool) -> None:
    window = torch.hann_window(options.get("win_length", options["n_fft"]), periodic=False) + 0.1 if windowed else None
    twin_window = array(window) if window is not None else None

    def original(x: torch.Tensor) -> torch.Tensor:
        return torch.stft(x, **options, window=window, return_complex=True)

    agree(original, lambda x: fourier.stft(x, **options, window=twin_window), randn(*sizes))


@pytest.mark.parametrize(
    ("options", "length"),
    [({"n_fft": 8}, None), ({"n_fft": 8}, 20), ({"n_fft": 8, "hop_length": 3, "win_length": 6}, None),
     ({"n_fft": 7, "hop_length": 2, "center": False}, 20), ({"n_fft": 8, "normalized": True}, 14), ({"n_fft": 8, "onesided": False}, None),
     ({"n_fft": 8, "onesided": True}, 20), ({"n_fft": 6, "win_length": 5}, None), ({"n_fft": 8, "hop_length": 2}, 20)],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:The length of signal")
def test_istft(options: dict[str, Any], length: int | None) -> None:
    window = torch.hann_window(options.get("win_length", options["n_fft"]), periodic=False) + 0.1
    rows = options["n_fft"] if options.get("onesided") is False else options["n_fft"] // 2 + 1
    spectrum = torch.complex(randn(2, rows, 9), randn(2, rows, 9).flip(0))
    twin_options = {key: value for key, value in options.items() if key != "onesided"}

    def original(x: torch.Tensor) -> torch.Tensor:
        return torch.istft(x, **options, window=window, length=length)

    def twin(x: Any) -> Any:
        return fourier.istft(x, **twin_options, window=array(window), length=length)

    agree(original, twin, spectrum, tolerance=1e-4)


@pytest.mark.filterwarnings("ignore:The length of signal")
def test_istft_pads_with_zeros_what_the_frames_do_not_reach() -> None:
    spectrum = torch.complex(randn(5, 4), randn(5, 4).flip(0))
    window = torch.ones(8)
    agree(
        lambda x: torch.istft(x, 8, window=window, center=False, length=17),
        lambda x: fourier.istft(x, 8, window=array(window), center=False, length=17),
        spectrum,
    )


def test_istft_of_stft_is_the_signal() -> None:
    x = array(randn(3, 40))
    window = array(torch.hann_window(8))
    back = fourier.istft(fourier.stft(x, 8, window=window), 8, window=window, length=40)
    np.testing.assert_allclose(back, x, atol=1e-5)


def test_complex_signals() -> None:
    x = torch.complex(randn(24), randn(24).flip(0))
    window = torch.hann_window(8) + 0.1
    agree(
        lambda x: torch.stft(x, 8, window=window, return_complex=True),
        lambda x: fourier.stft(x, 8, window=array(window)),
        x,
    )
    agree(
        lambda x: torch.istft(torch.stft(x, 8, window=window, return_complex=True), 8, window=window, return_complex=True),
        lambda x: fourier.istft(fourier.stft(x, 8, window=array(window)), 8, window=array(window), return_complex=True),
        x,
    )
