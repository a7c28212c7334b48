"""Shapes that the values decide."""

import torch


def where_nonzero(x):
    return torch.nonzero(x), x.nonzero(as_tuple=True), torch.argwhere(x), x.nonzero()


def kept(x, mask):
    return torch.masked_select(x, mask), x.masked_select(mask).mean()


def spread(x, counts):
    """The sum of counts is not known while JAX traces."""
    return x.repeat_interleave(counts, dim=0), torch.repeat_interleave(counts.long())


def decided(x):
    if torch.is_nonzero(x):
        return x
    return -x


def distinct(ids):
    return torch.unique_consecutive(ids), ids.unique(), ids.unique_consecutive(), torch.bincount(ids)


def ranked(x: torch.Tensor):
    """torch takes the nearest rank by another rule than JAX."""
    return torch.quantile(x, 0.5, interpolation="nearest"), torch.nanquantile(x, 0.5, interpolation="nearest")
