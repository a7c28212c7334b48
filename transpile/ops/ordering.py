"""Sorting and what follows from it: one winner where torch has one, NaN where torch puts it."""

import functools

import jax
import jax.numpy as jnp


def pick(x, places, axis, keepdims=False):
    """The element of x at one place along an axis; the places have kept the axis."""
    picked = jnp.take_along_axis(x, places, axis)
    return picked if keepdims else jnp.squeeze(picked, axis)


def sort_descending(x, axis=-1):
    """x sorted from the largest (NaN) down; equal elements keep their order."""
    return jnp.flip(jnp.sort(jnp.flip(x, axis), axis=axis), axis)


def top_k(x, k, axis=-1, largest=True):
    """The k largest or smallest along an axis, in order, and where they stand; NaN counts as largest."""
    x = jnp.moveaxis(x, axis, -1)
    if largest:
        values, places = jax.lax.top_k(x, k)
    else:
        places = jnp.argsort(x, axis=-1)[..., :k]
        values = jnp.take_along_axis(x, places, -1)
    return jnp.moveaxis(values, -1, axis), jnp.moveaxis(places, -1, axis)


def median(x):
    """The lower median of all elements, NaN if any is; elements that tie share the derivative."""
    ordered = jax.lax.stop_gradient(jnp.sort(x, axis=None))
    middle = ordered[(x.size - 1) // 2]
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return middle
    value = jnp.max(jnp.where(x <= middle, x, -jnp.inf))
    return jnp.where(jnp.isnan(ordered[-1]), jnp.nan, value)


def nanmedian(x):
    """The lower median of the elements that are not NaN; those that tie share the derivative."""
    ordered = jax.lax.stop_gradient(jnp.sort(x, axis=None))
    middle = ordered[jnp.maximum(jnp.sum(~jnp.isnan(x)) - 1, 0) // 2]
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return middle
    return jnp.where(jnp.isnan(middle), jnp.nan, jnp.max(jnp.where(x <= middle, x, -jnp.inf)))


def argmedian(x, axis, keepdims=False):
    """Where the lower median along an axis stands, or the first NaN."""
    order = jnp.argsort(x, axis=axis)
    middle = jnp.take(order, jnp.array([(x.shape[axis] - 1) // 2]), axis)
    missing = jnp.isnan(x)
    place = jnp.where(jnp.any(missing, axis=axis, keepdims=True), jnp.argmax(missing, axis=axis, keepdims=True), middle)
    return place if keepdims else jnp.squeeze(place, axis)


def median_along(x, axis, keepdims=False):
    """The lower median along an axis, NaN if any element is."""
    return pick(x, argmedian(x, axis, True), axis, keepdims)


def argnanmedian(x, axis, keepdims=False):
    """Where the lower median of the elements that are not NaN stands along an axis."""
    count = jnp.sum(~jnp.isnan(x), axis=axis, keepdims=True)
    place = jnp.take_along_axis(jnp.argsort(x, axis=axis), jnp.maximum(count - 1, 0) // 2, axis)
    return place if keepdims else jnp.squeeze(place, axis)


def nanmedian_along(x, axis, keepdims=False):
    """The lower median along an axis of the elements that are not NaN."""
    return pick(x, argnanmedian(x, axis, True), axis, keepdims)


def argkth(x, k, axis=-1, keepdims=False):
    """Where the k-th smallest element along an axis stands, counted from 1; NaN counts as largest."""
    place = jnp.take(jnp.argsort(x, axis=axis), jnp.array([k - 1]), axis)
    return place if keepdims else jnp.squeeze(place, axis)


def kth(x, k, axis=-1, keepdims=False):
    """The k-th smallest element along an axis, counted from 1; NaN counts as largest."""
    return pick(x, argkth(x, k, axis, True), axis, keepdims)


def argmode(x, axis=-1, keepdims=False):
    """Where the most frequent value along an axis stands last; the smallest of those that are equally frequent."""
    order = jnp.argsort(x, axis=axis)
    ordered = jnp.moveaxis(jnp.take_along_axis(x, order, axis), axis, -1)
    starts = jnp.concatenate([jnp.ones_like(ordered[..., :1], bool), ordered[..., 1:] != ordered[..., :-1]], axis=-1)
    places = jnp.arange(ordered.shape[-1])
    run = places - jax.lax.cummax(jnp.where(starts, places, 0), axis=ordered.ndim - 1)
    end = jnp.moveaxis(jnp.argmax(run, axis=-1, keepdims=True), -1, axis)
    place = jnp.take_along_axis(order, end, axis)
    return place if keepdims else jnp.squeeze(place, axis)


def mode(x, axis=-1, keepdims=False):
    """The most frequent value along an axis, the smallest of those that are equally frequent."""
    return pick(x, argmode(x, axis, True), axis, keepdims)


def searchsorted(ordered, values, side="left"):
    """Where values would keep the last axis of ordered in order; leading axes of the two go together."""
    search = functools.partial(jnp.searchsorted, side=side)
    for _ in ordered.shape[:-1]:
        search = jax.vmap(search)
    return search(ordered, values)
