"""Masked stores, which keep their shape."""

import torch


# torch2jax: example scalar(torch.randn(3, 4))
def scalar(x):
    y = x.clone()
    y[y < 0] = 0.0
    return y


# torch2jax: example same_mask(torch.randn(5), torch.randn(5), torch.tensor([True, False, True, False, False]))
def same_mask(x, other, mask):
    ret = x.clone()
    ret[mask] = other[mask]
    return ret


# torch2jax: example columns(torch.randn(2, 4, 3), torch.randn(2, 4, 3), torch.tensor([True, False, False, True]))
def columns(coord, moved, mask):
    ret = coord.clone()
    ret[:, mask] = moved[:, mask]
    return ret


# torch2jax: example rows(torch.randn(4, 3), torch.tensor([True, False, False, True]))
def rows(x, mask):
    y = x.clone()
    y[mask] = -1
    y[~mask] = x[~mask]
    return y


# torch2jax: example safe_divide(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 2.0, 0.0]))
def safe_divide(x, y):
    """The division is masked, so that neither value nor gradient is NaN."""
    zero = y == 0
    safe = torch.where(zero, torch.ones_like(y), y)
    out = x / safe
    out[zero] = 0
    return out


# torch2jax: example ignore_index(torch.randn(4, 3), torch.tensor([0, 2, -100, 1]))
def ignore_index(scores, target, ignore=-100):
    valid = target != ignore
    target = target.clone()
    target[~valid] = 0
    picked = scores.gather(1, target[:, None]).squeeze(1)
    return (picked * valid).sum() / valid.sum()


# torch2jax: example attention(torch.randn(2, 3, 3), torch.tensor([[True, True, False], [True, False, False]]))
def attention(scores, keep):
    scores = scores.masked_fill(~keep[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1)
