"""Values that Python needs while it runs."""

import torch


def branch(x):
    if x.sum() > 0:
        return x
    return -x


def loop(x):
    while x.norm() > 1:
        x = x / 2
    return x


def number(x):
    return x.max().item() * 2


def as_list(x):
    return [value + 1 for value in x.tolist()]


def as_numpy(x):
    return x.detach().cpu().numpy().mean()


def checked(x):
    if torch.isnan(x).any():
        raise ValueError("NaN in the input")
    return x * 2


def asserted(x):
    assert (x > 0).all(), "positive values expected"
    return x.log()


def wanted(x):
    if x.requires_grad:
        return x * 2
    return x
