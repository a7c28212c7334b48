"""Nested arguments and results: tuples, lists, dicts and named tuples, with a name for every place in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import torch

Values: TypeAlias = "np.ndarray[Any, Any]"
NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The members of a nested value that are no containers, with their places, such as ``result[0]['loss']``."""
    children = _children(value)
    if children is None:
        yield place, value
        return
    for key, child in children:
        yield from leaves(child, place + key)


def rebuild(value: Any, change: Callable[[str, Any], Any], place: str = "") -> Any:
    """The same nesting with every leaf replaced by ``change(place, leaf)``; torch's named tuples become tuples."""
    children = _children(value)
    if children is None:
        return change(place, value)
    if isinstance(value, Mapping):
        return {key: rebuild(child, change, f"{place}[{key!r}]") for key, child in value.items()}
    members = [rebuild(child, change, place + key) for key, child in children]
    if isinstance(value, list):
        return members
    if hasattr(value, "_fields"):
        return type(value)(*members)
    return tuple(members)


def shape_of(value: Any) -> Any:
    """The nesting alone, comparable with ``==``. Lists, tuples and named tuples of a length are alike."""
    children = _children(value)
    if children is None:
        return "leaf"
    if isinstance(value, Mapping):
        return {key: shape_of(child) for key, child in value.items()}
    return tuple(shape_of(child) for _, child in children)


def _children(value: Any) -> list[tuple[str, Any]] | None:
    if isinstance(value, Mapping):
        # In one order whatever the dict's own is: jit sorts the dicts that it returns.
        return [(f"[{key!r}]", value[key]) for key in sorted(value, key=repr)]
    fields = getattr(value, "_fields", None)
    if isinstance(value, tuple) and fields:
        return [(f".{name}", child) for name, child in zip(fields, value, strict=True)]
    if isinstance(value, (tuple, list)):
        return [(f"[{index}]", child) for index, child in enumerate(value)]
    return None


def dtype_name(dtype: torch.dtype, x64: bool) -> str:
    """The dtype that a twin has where torch has this one: the same, or its 32-bit form while 64 bits are off."""
    name = str(dtype).removeprefix("torch.")
    return name if x64 else NARROW.get(name, name)


def to_numpy(tensor: torch.Tensor) -> Values:
    """A copy of a tensor's values; bfloat16 (which numpy lacks) as float32, exactly."""
    tensor = tensor.detach().resolve_conj().resolve_neg().to("cpu")
    if tensor.dtype in (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2):
        tensor = tensor.float()
    values: Values = np.array(tensor.numpy())
    return values


def to_jax(tensor: torch.Tensor, x64: bool) -> jax.Array:
    """A tensor as an array of the dtype that :func:`dtype_name` says; shares no memory with the tensor."""
    return jnp.array(to_numpy(tensor), dtype=dtype_name(tensor.dtype, x64))


def argument_to_jax(value: Any, original: ModuleType, twin: ModuleType, x64: bool) -> Any:
    """One leaf of a torch call's arguments as the twin takes it.

    Tensors become arrays, torch dtypes become jax dtypes, and functions and classes of the original module become
    their twins; everything else (numbers, strings, None, callables of plain Python) is passed as it is.
    """
    if isinstance(value, torch.Tensor):
        return to_jax(value, x64)
    if isinstance(value, torch.dtype):
        return getattr(jnp, dtype_name(value, x64).replace("bool", "bool_"))
    if isinstance(value, (FunctionType, type)) and value.__module__ == original.__name__:
        return getattr(twin, value.__name__)
    return value
