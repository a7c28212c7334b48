"""Writes into tensors: by subscript, by augmented assignment, by in-place methods."""

import torch


# torch2jax: example first_row(torch.randn(3, 4))
def first_row(x):
    """The first row is replaced in a copy; the caller's tensor stays as it is."""
    y = x.clone()
    y[0] = 1.0
    return y


# torch2jax: example slices(torch.randn(4, 5), torch.randn(4))
def slices(x, column):
    y = torch.zeros_like(x)
    y[:, 0] = column
    y[1:3, 1:] = x[1:3, 1:] * 2
    y[-1, ::2] += 1
    y[..., -1] -= column
    return y


# torch2jax: example scaled_diagonal(torch.randn(3, 3), 2.5)
def scaled_diagonal(x, factor):
    out = x * 1.0
    index = torch.arange(x.shape[0])
    out[index, index] *= factor
    return out


# torch2jax: example running(torch.randn(5))
def running(x):
    """A recurrence written element by element."""
    out = torch.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.shape[0]):
        out[i] = 0.5 * out[i - 1] + x[i]
    return out


# torch2jax: example in_place(torch.randn(4), torch.randn(4))
def in_place(x, y):
    """In-place methods, plain and chained."""
    z = x + y
    z.mul_(2).add_(1)
    z.clamp_(min=0.0)
    z += x
    z /= 3
    return z


# torch2jax: example into_argument(torch.randn(3), 2.0)
def into_argument(x: torch.Tensor, value):
    """The tensor that was passed is changed and returned."""
    x[1] = value
    return x


# torch2jax: example accumulate(torch.randn(6, 2), torch.tensor([0, 2, 1, 0, 2, 2]), 3)
def accumulate(x, index, groups):
    out = torch.zeros(groups, x.shape[1])
    out.index_add_(0, index, x)
    return out


# torch2jax: example scatter_rows(torch.randn(2, 3), torch.tensor([[0, 1, 0], [1, 0, 0]]))
def scatter_rows(x, index):
    out = torch.zeros(2, 3)
    out.scatter_add_(0, index, x)
    return out


# torch2jax: example fill(torch.randn(2, 3))
def fill(x):
    y = torch.empty(2)
    y.zero_()
    z = x.clone()
    z.fill_(3.0)
    return y, z


# torch2jax: example branches(torch.randn(3), True)
# torch2jax: example branches(torch.randn(3), False)
def branches(x, flip: bool):
    y = x.clone()
    if flip:
        y[0] = -y[0]
    else:
        y[1:] = 0
    return y


# torch2jax: example a_dict_is_no_tensor(torch.randn(3))
def a_dict_is_no_tensor(x):
    """Stores into Python's own containers stay what they are."""
    terms = {}
    terms["sum"] = x.sum()
    terms["square"] = (x * x).sum()
    parts = [None, None]
    parts[0] = terms["sum"]
    parts[1] = terms["square"]
    return parts[0] + parts[1], terms


# torch2jax: example smoothed(torch.randn(4, 3))
def smoothed(x):
    """The name is bound first: what has a name can be stored as often as need be."""
    means, last = torch.zeros_like(x), torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        means[t] = last = 0.5 * last + x[t]  # exponential
    ends = torch.zeros(2, 3)
    ends[0] = ends[1] = last.mul_(2)
    return means, ends
