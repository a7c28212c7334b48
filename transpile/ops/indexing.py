"""Gather and scatter as torch addresses them: by an index array as large as what is moved, along one axis."""

import functools

import jax
import jax.numpy as jnp


def index(x, index):
    """x[index] in torch's order of axes, whatever the parts of the index turn out to be."""
    first, rest = numbers_first(index_parts(index))
    return x[first][rest]


def index_parts(index):
    """The parts of an index: a list that holds sequences, arrays or slices counts as a tuple, others as an array."""
    if isinstance(index, list):
        spread = any(hasattr(part, "__len__") or isinstance(part, slice | None | type(...)) for part in index)
        index = tuple(index) if spread else jnp.array(index)
    parts = index if isinstance(index, tuple) else (index,)
    return tuple(jnp.array(part) if isinstance(part, list | tuple) else part for part in parts)


def numbers_first(parts):
    """An index as two, to be applied one after the other: single numbers, which take no part in the broadcasting of
    index arrays, and the rest."""
    first, rest = [], []
    for part in parts:
        if isinstance(part, bool) or part is None:
            rest.append(part)
        elif isinstance(part, int) or getattr(part, "ndim", 1) == 0:
            first.append(part)
        else:
            rest.append(part)
            axes = part.ndim if getattr(part, "dtype", None) == jnp.bool_ else 1
            first += [...] if part is ... else [slice(None)] * axes
    return tuple(first), tuple(rest)


def addresses(x, axis, index):
    """For each axis of x, where the entries of index point that replace its positions along one axis."""
    if index.ndim == 0:
        return (index,) * x.ndim
    places = list(jnp.indices(index.shape, sparse=True))
    places[axis] = index
    return tuple(places)


def gather(x, axis, index):
    """out[i, j] = x[index[i, j], j] for axis 0. Along other axes index may be smaller than x, and is not broadcast."""
    return x[addresses(x, axis, index)]


def leading(source, shape):
    """The leading part of source that has a shape; a number stays as it is."""
    return source[tuple(slice(size) for size in shape)] if jnp.ndim(source) else source


def scatter(x, axis, index, source):
    """x with x[index[i, j], j] = source[i, j] for axis 0; source may be larger than index, or a number."""
    return x.at[addresses(x, axis, index)].set(jnp.asarray(leading(source, index.shape), x.dtype))


def scatter_add(x, axis, index, source):
    """x with x[index[i, j], j] += source[i, j] for axis 0; source may be larger than index, or a number."""
    return x.at[addresses(x, axis, index)].add(jnp.asarray(leading(source, index.shape), x.dtype))


def scatter_sum(x, axis, index, source, include_self=True):
    """x where each entry that index points to is the sum of all that point there, and of itself if include_self."""
    return scatter_add(x if include_self else scatter(x, axis, index, 0), axis, index, source)


def scatter_mean(x, axis, index, source, include_self=True):
    """x where each entry that index points to is the mean of all that point there, and of itself if include_self."""
    ones = jnp.ones_like(x)
    if not include_self:
        x, ones = scatter(x, axis, index, 0), scatter(ones, axis, index, 0)
    total, count = scatter_add(x, axis, index, source), jnp.maximum(scatter_add(ones, axis, index, 1), 1)
    return total / count if jnp.issubdtype(x.dtype, jnp.inexact) else total // count


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 4))
def scatter_prod(x, axis, index, source, include_self=True):
    """x where each entry that index points to is the product of all that point there, and of itself if include_self."""
    x = x if include_self else scatter(x, axis, index, 1)
    return x.at[addresses(x, axis, index)].multiply(leading(source, index.shape))


@scatter_prod.defjvp
def _scatter_prod_jvp(axis, include_self, primals, tangents):
    x, index, source = primals
    keep = jnp.ones_like(x) if include_self else scatter(jnp.ones_like(x), axis, index, 0)
    source = leading(source, index.shape)
    zeros = scatter_add(keep * (x == 0), axis, index, (source == 0).astype(x.dtype))
    product = scatter_prod(jnp.where(x == 0, 1, x), axis, index, jnp.where(source == 0, 1, source), include_self)
    own = keep * jnp.where(x == 0, product * (zeros == 1), product * (zeros == 0) / jnp.where(x == 0, 1, x))
    product, zeros = gather(product, axis, index), gather(zeros, axis, index)
    rest = jnp.where(source == 0, product * (zeros == 1), product * (zeros == 0) / jnp.where(source == 0, 1, source))
    tangent = scatter_add(own * tangents[0], axis, index, rest * leading(tangents[2], index.shape))
    return scatter_prod(x, axis, index, primals[2], include_self), tangent


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 4, 5))
def scatter_extreme(x, axis, index, source, largest=True, include_self=True):
    """x where each entry that index points to is the extreme of all that point there, and of itself if include_self.

    Those that attain the extreme share its derivative evenly.
    """
    source = leading(source, index.shape)
    start = x if include_self else scatter(x, axis, index, source)
    slots = start.at[addresses(x, axis, index)]
    return slots.max(source) if largest else slots.min(source)


@scatter_extreme.defjvp
def _scatter_extreme_jvp(axis, largest, include_self, primals, tangents):
    x, index, source = primals
    result = scatter_extreme(x, axis, index, source, largest, include_self)
    won = (leading(source, index.shape) == gather(result, axis, index)).astype(x.dtype)
    own = (x == result).astype(x.dtype)
    winners = jnp.maximum(scatter_add(own, axis, index, won), 1)
    own = own if include_self else scatter(own, axis, index, 0)
    tangent = scatter_add(own * tangents[0], axis, index, won * leading(tangents[2], index.shape))
    return result, tangent / winners


def along(x, axis, index):
    """The subscript that selects the indices along an axis of x."""
    return (slice(None),) * (axis % x.ndim) + (jnp.ravel(index),)


def index_add(x, axis, index, source):
    """x with the slices of source added to those at the indices along an axis."""
    return x.at[along(x, axis, index)].add(source)


def index_copy(x, axis, index, source):
    """x with the slices at the indices along an axis replaced by those of source."""
    return x.at[along(x, axis, index)].set(source)


def index_fill(x, axis, index, value):
    """x with the slices at the indices along an axis filled with a value."""
    return x.at[along(x, axis, index)].set(value)


def spread(index, axis, source):
    """A vector of indices along an axis as the index array, as large as source, that scatter takes."""
    return jnp.broadcast_to(jnp.moveaxis(index.reshape((-1,) + (1,) * (source.ndim - 1)), 0, axis), source.shape)


def masked_scatter(x, mask, source):
    """x with its elements under the mask, in order, replaced by the elements of source, in order."""
    shape = jnp.broadcast_shapes(x.shape, mask.shape)
    order = jnp.cumsum(jnp.broadcast_to(mask, shape)) - 1
    return jnp.where(mask, jnp.take(source.ravel(), order, mode="clip").reshape(shape), x)


def put(x, index, source, accumulate=False):
    """x with the elements at the indices of its flat form replaced by, or increased by, those of source."""
    slots, source = x.ravel().at[index.ravel()], source.ravel()
    return (slots.add(source) if accumulate else slots.set(source)).reshape(x.shape)


def slice_scatter(x, source, axis=0, start=None, end=None, step=1):
    """x with its slice start:end:step along an axis replaced by source."""
    return x.at[(slice(None),) * (axis % x.ndim) + (slice(start, end, step),)].set(source)


def select_scatter(x, source, axis, index):
    """x with its slice at one index along an axis replaced by source."""
    return x.at[(slice(None),) * (axis % x.ndim) + (index,)].set(source)


def diagonal_scatter(x, source, offset=0, axis1=0, axis2=1):
    """x with its diagonal of the given offset along two axes replaced by source."""
    steps = jnp.arange(source.shape[-1])
    places = (..., steps + max(-offset, 0), steps + max(offset, 0))
    return jnp.moveaxis(jnp.moveaxis(x, (axis1, axis2), (-2, -1)).at[places].set(source), (-2, -1), (axis1, axis2))
