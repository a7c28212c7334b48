"""Tables and linear maps."""

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence


# torch2jax: example rows(torch.tensor([[0, 2, 2], [1, 3, 0]]), torch.randn(4, 3))
def rows(ids, table):
    return F.embedding(ids, table), torch.embedding(table, ids)


# torch2jax: example padded_rows(torch.tensor([[0, 2, 2], [1, 3, 0]]), torch.randn(4, 3))
def padded_rows(ids, table):
    """The padding row gets no gradient."""
    last = F.embedding(ids, table, padding_idx=-1)
    return F.embedding(ids, table, padding_idx=0), last, torch.embedding(table, ids, 2)


# torch2jax: example indicator(torch.tensor([[0, 2], [1, 1]]))
def indicator(ids, num_classes: int = 3):
    return F.one_hot(ids, num_classes), F.one_hot(ids, num_classes=4).float().mean(0)


# torch2jax: example affine(torch.randn(2, 5, 3), torch.randn(4, 3), torch.randn(4))
def affine(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    return F.linear(x, weight, bias), F.linear(x, weight)


# torch2jax: example maybe_affine(torch.randn(5, 3), torch.randn(4, 3))
# torch2jax: example maybe_affine(torch.randn(5, 3), torch.randn(4, 3), torch.randn(4))
def maybe_affine(x, weight, bias=None):
    return F.linear(x, weight, bias)


# torch2jax: example pairs(torch.randn(5, 3), torch.randn(5, 4), torch.randn(2, 3, 4), torch.randn(2))
def pairs(a, b, weight, bias):
    return F.bilinear(a, b, weight, bias), torch.bilinear(a, b, weight)


# torch2jax: example together(torch.randn(3, 2), torch.randn(5, 2), torch.randn(1, 2))
def together(a, b, c):
    rows = pad_sequence([a, b, c], batch_first=True)
    return rows, pad_sequence((a, b), padding_value=-1.0)
