"""Stores whose index is only looked at while JAX traces, and stores under a mask."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .indexing import index_parts, numbers_first


def store(x: jax.Array, index: Any, value: Any) -> jax.Array:
    """``x[index] = value`` as a new array, whether the index is of integers or a boolean mask."""
    parts = index if isinstance(index, tuple) else (index,)
    if is_mask(parts[-1]) and all(part == slice(None) for part in parts[:-1]):
        return put_masked(x, parts[-1], value, len(parts) - 1)
    return x.at[index].set(jnp.asarray(value).astype(x.dtype))


def set_item(x: Any, index: Any, value: Any) -> Any:
    """``x[index] = value``: a new array where x is an array, the same list or dict where it is one."""
    if isinstance(x, jax.Array):
        return store(x, index, value)
    x[index] = value
    return x


def store_same(x: jax.Array, index: Any, y: jax.Array) -> jax.Array:
    """``x[index] = y[index]`` as a new array, whether the index is of integers or a boolean mask."""
    parts = index if isinstance(index, tuple) else (index,)
    if is_mask(parts[-1]) and all(part == slice(None) for part in parts[:-1]):
        return where_masked(x, parts[-1], y, len(parts) - 1)
    return x.at[index].set(y[index].astype(x.dtype))


def is_mask(part: Any) -> bool:
    """Whether a part of an index is a boolean array."""
    return bool(getattr(part, "dtype", None) == jnp.bool_)


def store_at(x: jax.Array, index: Any, value: Any, same: bool = False) -> jax.Array:
    """``x[index] = value``, or ``x[index] = value[index]`` if ``same``, as a new array.

    The index may have numbers, slices, index arrays, or one boolean mask beside numbers and slices; the value has its
    axes in torch's order, for which numbers select first.
    """
    first, rest = numbers_first(index_parts(index))
    if same:
        value = value[first]
    return x.at[first].set(store_rest(x[first], rest, value, same))


def store_rest(x: jax.Array, parts: tuple[Any, ...], value: Any, same: bool) -> jax.Array:
    """:func:`store_at` for an index without numbers."""
    place = next((place for place, part in enumerate(parts) if is_mask(part)), None)
    if place is None:
        return x.at[parts].set(jnp.asarray(value[parts] if same else value).astype(x.dtype))
    mask, before, after = parts[place], parts[:place], parts[place + 1 :]
    whole = (*before, *(slice(None),) * mask.ndim, *after)
    part = x[whole]
    axis = part.ndim - mask.ndim - len(after) if ... in before else len(before)
    new = where_masked(part, mask, value[whole], axis) if same else put_masked(part, mask, value, axis)
    return x.at[whole].set(new)


def store_computed(x: jax.Array, index: Any, function: Any, *others: jax.Array) -> jax.Array:
    """``x[index] = function(*(y[index] for y in others))`` as a new array, for an elementwise function.

    Under a mask the function is computed everywhere, with a selected element in place of those that are not, so that
    it is never evaluated, and never differentiated, where it may be undefined.
    """
    parts = index if isinstance(index, tuple) else (index,)
    if not is_mask(parts[-1]):
        return x.at[index].set(function(*(y[index] for y in others)).astype(x.dtype))
    mask, axis = parts[-1], len(parts) - 1
    first = parts[:-1] + tuple(place[None] for place in jnp.unravel_index(jnp.argmax(mask), mask.shape))
    axes = tuple(range(axis + 1, axis + mask.ndim))
    selected = (where_masked(jnp.expand_dims(y[first], axes), mask, y, axis) for y in others)
    return where_masked(x, mask, function(*selected), axis)


def where_masked(x: jax.Array, mask: jax.Array, value: Any, axis: int = 0) -> jax.Array:
    """``x`` with ``value``, of x's shape or a scalar, where the mask over its axes from ``axis`` on is true."""
    mask = mask.reshape((1,) * axis + mask.shape + (1,) * (x.ndim - axis - mask.ndim))
    return jnp.where(mask, jnp.asarray(value).astype(x.dtype), x)


def put_masked(x: jax.Array, mask: jax.Array, values: Any, axis: int = 0) -> jax.Array:
    """``x`` with the rows of ``values``, one for each True in the mask over its axes from ``axis`` on, in order.

    The n-th True takes row n, found by counting, so that the shapes do not depend on the mask.
    """
    values = jnp.asarray(values).astype(x.dtype)
    trailing = x.ndim - axis - mask.ndim
    if values.ndim <= trailing or values.shape[-trailing - 1] == 1:
        if values.ndim > trailing:
            ones = (1,) * mask.ndim
            values = values.reshape(values.shape[: -trailing - 1] + ones + values.shape[values.ndim - trailing :])
        return where_masked(x, mask, values, axis)
    rows = jnp.cumsum(mask.ravel()) - 1
    position = values.ndim - trailing - 1
    spread = jnp.take(values, jnp.clip(rows, 0, values.shape[position] - 1), axis=position)
    spread = spread.reshape(values.shape[:position] + mask.shape + values.shape[position + 1 :])
    return where_masked(x, mask, spread, axis)
