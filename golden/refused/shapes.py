"""Shapes that the data decides."""

import torch


def selected(x, mask: torch.Tensor):
    return x[mask]


def selected_by_condition(x):
    positive = x[x > 0]
    return positive.mean()


def where_are(x):
    return torch.nonzero(x)


def distinct(ids):
    return torch.unique(ids).shape[0]


def where_alone(x):
    return torch.where(x > 0)


def different_mask(x, y, mask, other):
    out = x.clone()
    out[mask] = y[other]
    return out


def repeated(x, counts):
    return torch.repeat_interleave(x, counts, dim=0)


def scaled(x, mask, factor):
    ret = x.clone()
    ret[:, mask] = x[:, mask] * factor
    return ret


def doubled(x):
    y = x.clone()
    y[y < 0] *= 2
    return y
