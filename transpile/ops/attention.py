"""Attention, embeddings and the bilinear form."""

import math

import jax
import jax.numpy as jnp


def scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    """softmax(scale * query @ key.T) @ value, for (..., heads, length, features); scale is 1 / sqrt(features) if absent.

    attn_mask is boolean (True: may attend) or added to the scores. A query that may attend to nothing gets 0.
    enable_gqa lets several heads of query share one of key and value.
    """
    if enable_gqa:
        key = jnp.repeat(key, query.shape[-3] // key.shape[-3], axis=-3)
        value = jnp.repeat(value, query.shape[-3] // value.shape[-3], axis=-3)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = jnp.matmul(query * scale, jnp.swapaxes(key, -1, -2))
    if is_causal:
        scores = jnp.where(jnp.tri(*scores.shape[-2:], dtype=bool), scores, -jnp.inf)
    if attn_mask is None:
        return jnp.matmul(jax.nn.softmax(scores, axis=-1), value)
    if attn_mask.dtype == bool:
        scores = jnp.where(attn_mask, scores, -jnp.inf)
    else:
        scores = scores + attn_mask.astype(scores.dtype)
    seen = jnp.any(scores > -jnp.inf, axis=-1, keepdims=True)
    weights = jax.nn.softmax(jnp.where(seen, scores, 0), axis=-1)
    return jnp.matmul(jnp.where(seen, weights, 0), value)


def embedding(index, weight, padding_idx):
    """The rows of weight at index; the row padding_idx gets no derivative."""
    rows = weight[index]
    fixed = index == padding_idx % weight.shape[0]
    return jnp.where(fixed[..., None], jax.lax.stop_gradient(rows), rows)


def bilinear(a, b, weight, bias=None):
    """a @ weight[k] @ b for each k along the last axis of a and b, plus bias."""
    y = jnp.einsum("...i,kij,...j->...k", a, weight, b)
    return y if bias is None else y + bias


def linear(x, weight, bias=None):
    """x @ weight.T, plus bias if there is one."""
    return x @ weight.T if bias is None else x @ weight.T + bias
