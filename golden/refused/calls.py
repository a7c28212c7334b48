"""Calls that cannot be told apart, or that no rule knows."""

import torch


def which_max(x, y):
    return torch.max(x, y)


def spread(x, *args):
    return torch.sum(x, *args)


def spread_keywords(x, **kwargs):
    return torch.sum(x, **kwargs)


def by_name(x, name):
    return getattr(torch, name)(x)


def unknown(x):
    return torch.no_such_function(x)


def misspelled(x):
    return torch.sum(x, dimension=1)


def open_values(x):
    return torch.Tensor(x.size()) + torch.Tensor(x.shape[:1]), torch.Tensor(2, 3)


def saved(x, path):
    torch.save(x, path)


def either(x):
    """Arrays of NumPy have this attribute too, and it means something else."""
    return x * x.data


def store_into(x, value):
    x[0] = value
    return x


# torch2jax: skip
def left_out(x):
    return x.cuda()
