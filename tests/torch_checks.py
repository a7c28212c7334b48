"""Hold a function of JAX against its original in torch: values, shapes, dtypes, gradients; eager and compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

# What a dtype of torch is while JAX computes in 32 bits.
NARROW = {"int64": "int32", "float64": "float32", "complex128": "complex64"}


def array(tensor: torch.Tensor) -> jax.Array:
    """The tensor as JAX takes it."""
    tensor = tensor.detach().resolve_conj()
    if tensor.dtype == torch.bfloat16:
        return jnp.asarray(tensor.float().numpy()).astype(jnp.bfloat16)
    return jnp.asarray(tensor.numpy())


def agree(
    original: Callable[..., Any],
    twin: Callable[..., Any],
    *inputs: torch.Tensor,
    gradient: bool = True,
    tolerance: float = 2e-5,
) -> None:
    """Assert that both give the same for the same tensors, and the same gradient of a weighted sum of what they give."""
    given = [array(tensor) for tensor in inputs]
    expected = leaves(original(*inputs))
    for function in (twin, jax.jit(twin)):
        found = leaves(function(*given))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other, tolerance)
    if gradient:
        same_gradient(original, twin, inputs, tolerance * 5)


def leaves(value: Any) -> list[Any]:
    """The tensors in what a function returns."""
    if isinstance(value, (tuple, list)):
        return [leaf for member in value for leaf in leaves(member)]
    return [value]


def same(found: jax.Array, expected: torch.Tensor, tolerance: float) -> None:
    name = str(expected.dtype).removeprefix("torch.")
    assert str(found.dtype) == NARROW.get(name, name)
    assert tuple(found.shape) == tuple(expected.shape)
    close(found, array(expected), tolerance)


def close(found: Any, expected: Any, tolerance: float) -> None:
    one, other = (np.asarray(value).astype(complex) for value in (found, expected))
    scale = max(1.0, float(np.max(np.abs(other[np.isfinite(other)]), initial=0)))
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * scale)


def same_gradient(
    original: Callable[..., Any], twin: Callable[..., Any], inputs: Sequence[torch.Tensor], tolerance: float
) -> None:
    """Of the sum of all real and complex results, each entry with a weight of its own."""
    tracked = [tensor.detach().clone().requires_grad_(differentiable(tensor)) for tensor in inputs]
    places = [place for place, tensor in enumerate(tracked) if tensor.requires_grad]
    weighted = {
        position: (leaf, weight(leaf))
        for position, leaf in enumerate(leaves(original(*tracked)))
        if differentiable(leaf) and leaf.requires_grad
    }
    total = sum((leaf * torch.from_numpy(w)).sum().real for leaf, w in weighted.values())
    assert isinstance(total, torch.Tensor)
    expected = torch.autograd.grad(total, [tracked[place] for place in places], allow_unused=True)

    def loss(*arrays: jax.Array) -> Any:
        found = leaves(twin(*arrays))
        return sum(jnp.sum(jnp.real(found[position] * w)) for position, (_, w) in weighted.items())

    found = jax.jit(jax.grad(loss, argnums=tuple(places)))(*[array(tensor) for tensor in inputs])
    for one, other in zip(found, expected, strict=True):
        close(jnp.conj(one), np.zeros(one.shape) if other is None else array(other), tolerance)


def differentiable(tensor: torch.Tensor) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


def weight(leaf: torch.Tensor) -> Any:
    """Numbers of no pattern, as many as the tensor has entries, of its precision."""
    values = np.cos(np.arange(1, leaf.numel() + 1) * 1.7).reshape(tuple(leaf.shape))
    return values.astype(str(leaf.dtype).removeprefix("torch."))
