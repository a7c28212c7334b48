"""Writes that reach further than the name they are written through."""

import torch


def through_view(x):
    y = x * 2
    v = y.view(-1)
    v[0] = 7
    return y


def through_transpose(x):
    y = x.clone()
    y.T[0] = 1
    return y


def through_flatten(x):
    y = x.clone()
    flat = y.flatten()
    flat.zero_()
    return y


def through_chunk(x):
    y = x.clone()
    a, b = y.chunk(2)
    a.zero_()
    return y + b.sum()


def through_row(x):
    y = x.clone()
    for row in y:
        row.div_(row.sum())
    return y


def caller(x: torch.Tensor, value):
    """The caller's tensor changes, and is not returned."""
    x[0] = value
    return value * 2


def caller_in_place(x):
    x.mul_(2)
    return x.sum()


def caller_out(x, out):
    torch.exp(x, out=out)


def under_no_grad(x, weight: torch.Tensor):
    with torch.no_grad():
        weight[0] = 0.0
    return (x * weight).sum()


def row_of_row(x):
    y = x.clone()
    y[0][1] = 0.0
    return y


def row_filled(x):
    y = x.clone()
    y[0].fill_(3.0)
    return y
