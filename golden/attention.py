"""Attention as people call it and as people write it out."""

import math

import torch
import torch.nn.functional as F


# torch2jax: example attend(torch.randn(2, 3, 5, 4), torch.randn(2, 3, 6, 4), torch.randn(2, 3, 6, 4))
def attend(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


# torch2jax: example causal(torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4))
def causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)


# torch2jax: example masked(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.eye(3).bool())
# torch2jax: example masked(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.zeros(3, 3).bool())
# torch2jax: example masked(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(3, 3), scale=1.0)
def masked(q, k, v, mask, scale=None):
    """A row that may attend to nothing is 0, with no gradient."""
    return F.scaled_dot_product_attention(q, k, v, mask, scale=scale)


# torch2jax: example grouped(torch.randn(2, 6, 5, 4), torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 4))
def grouped(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


# torch2jax: example by_hand(torch.randn(2, 5, 8), torch.randn(24, 8) / 3, torch.randn(8, 8) / 3, torch.randn(24))
def by_hand(x, in_weight, out_weight, in_bias, heads=2):
    """Multi-head self-attention from its parts."""
    batch, length, width = x.shape
    q, k, v = F.linear(x, in_weight, in_bias).chunk(3, dim=-1)
    q, k, v = (t.view(batch, length, heads, -1).transpose(1, 2) for t in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    weights = F.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    y = (weights @ v).transpose(1, 2).contiguous().view(batch, length, width)
    return F.linear(y, out_weight)


# torch2jax: example block(torch.randn(2, 5, 8), torch.randn(24, 8) / 3, torch.randn(8, 8) / 3, torch.randn(16, 8) / 3, torch.randn(8, 16) / 4)
def block(x, w_qkv, w_out, w_up, w_down):
    """A transformer block without dropout, as it runs for inference."""
    h = F.layer_norm(x, (x.size(-1),))
    q, k, v = F.linear(h, w_qkv).unflatten(-1, (3, 2, -1)).permute(2, 0, 3, 1, 4)
    h = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    x = x + F.dropout(F.linear(h, w_out), p=0.1, training=False)
    h = F.linear(F.gelu(F.linear(F.layer_norm(x, (8,)), w_up)), w_down)
    return x + F.dropout(h, 0.0) + F.alpha_dropout(h, 0.2)


# torch2jax: example inference(torch.randn(2, 3, 4))
def inference(x):
    """Dropout that is switched off is nothing."""
    x = F.dropout(x, 0.5, False) + F.dropout1d(x, 0.5, False) + F.dropout1d(x, training=False) + F.dropout1d(x, 0.0)
    x = F.dropout2d(x, 0.5, False) + F.dropout2d(x, training=False) + F.dropout2d(x, 0.0)
    x = x[None, None]
    x = F.dropout3d(x, 0.5, False) + F.dropout3d(x, training=False) + F.dropout3d(x, 0.0)
    return F.feature_alpha_dropout(x, 0.5, training=False)
