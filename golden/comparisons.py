"""Comparisons, logic, bits, and choosing between two tensors."""

import torch
from torch import Tensor


# torch2jax: example compared(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 3.0, 2.0]))
# torch2jax: example compared(torch.tensor([1, 2, 3]), torch.tensor([1.0, 3.0, float("nan")]))
def compared(x, y):
    functions = torch.eq(x, y), x.ne(y), torch.lt(x, y), x.le(2), torch.gt(x, y), x.ge(y), torch.greater_equal(x, 2), x.less(y)
    return functions, x == y, x != 2, (x < y) & (y > 2), torch.not_equal(x, y)


# torch2jax: example close(torch.tensor([1.0, float("nan")]), torch.tensor([1.0 + 1e-7, float("nan")]))
def close(x, y):
    each = torch.isclose(x, y), x.isclose(y, rtol=1e-3, equal_nan=True)
    return each, torch.allclose(x, y), torch.equal(x, y), torch.allclose(x, y, atol=1e-3, equal_nan=True)


# torch2jax: example classified(torch.tensor([1.0, float("nan"), float("inf"), -float("inf")]))
def classified(x):
    finite = torch.where(torch.isfinite(x), x, torch.zeros_like(x))
    kinds = torch.isnan(x), x.isinf(), torch.isposinf(x), x.isneginf(), x.isfinite()
    return finite, kinds, torch.nan_to_num(x), x.nan_to_num(nan=1.0, posinf=2.0, neginf=-2.0), torch.isreal(x)


# torch2jax: example joined(torch.tensor([True, False, True]), torch.tensor([True, True, False]))
# torch2jax: example joined(torch.tensor([0, 1, 2]), torch.tensor([0.0, 2.0, 0.0]))
def joined(p, q):
    return torch.logical_and(p, q), p.logical_or(q), torch.logical_xor(p, q), p.logical_not()


# torch2jax: example bits(torch.tensor([5, 12, -1]), torch.tensor([3, 10, 1]))
def bits(m: torch.LongTensor, n):
    functions = torch.bitwise_and(m, n), m.bitwise_or(n), torch.bitwise_xor(m, 6), torch.bitwise_not(m)
    shifts = torch.bitwise_left_shift(m, n), m.bitwise_right_shift(n), m << 1, m >> n
    return functions, shifts, m & n, m | 1, m ^ n, ~m


# torch2jax: example flags(torch.tensor([True, False]), torch.tensor([True, True]))
def flags(p: torch.BoolTensor, q: torch.BoolTensor):
    return p & q, p | q, p ^ q, ~p, torch.bitwise_not(q)


# torch2jax: example chosen(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([4.0, 5.0, 6.0]))
def chosen(x, y):
    positive = x > 0
    kinds = torch.where(positive, 1, 0), torch.where(positive, 1.0, -1.0), torch.where(positive, x, 0.0)
    return kinds, torch.where(positive, x, y), x.where(positive, y), x.where(positive, -1.0)


# torch2jax: example safe(torch.tensor([0.0, 4.0, -1.0]))
def safe(x):
    """The branch that is not taken gives NaN, and so does its gradient: in torch as well."""
    return torch.where(x > 0, x.sqrt(), x * 0)


# torch2jax: example filled(torch.tensor([1, 2, 3]), torch.tensor([True, False, True]))
def filled(n: torch.LongTensor, mask):
    flags = n > 1
    return n.masked_fill(mask, 7.0), flags.masked_fill(mask, 0.0), flags.masked_fill(mask, 1), n.float().masked_fill(mask, 0.5)


# torch2jax: example members(torch.tensor([1, 2, 3, 4]), torch.tensor([2, 4]))
def members(n, wanted: Tensor):
    return torch.isin(n, wanted), torch.isin(n, wanted, invert=True), torch.isin(n, 3), torch.isin(2, wanted)


# torch2jax: example copied(torch.zeros(3), torch.tensor([1, 2, 3]))
def copied(x, n):
    y = torch.empty_like(x)
    y.copy_(n)
    z = x.clone()
    z.copy_(2.5)
    return y + z
