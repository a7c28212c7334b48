"""Dtypes: named, asked for, converted."""

import torch
from torch import Tensor


# torch2jax: example conversions(torch.tensor([-1.5, 0.0, 2.7]))
# torch2jax: example conversions(torch.tensor([3, 0, 100]))
def conversions(x: Tensor):
    return (
        x.float(), x.half(), x.bfloat16(), x.long(), x.int(), x.short(), x.char(), x.abs().byte(), x.bool(), x.cfloat(),
    )  # fmt: skip


# torch2jax: example named(torch.tensor([1.5, 0.0, 2.0]), torch.tensor([1, 2, 3]))
def named(x, n):
    return (
        x.to(torch.float16), x.to(dtype=torch.int32), n.to(x), x.type(torch.bool), n.type_as(x), x.to(torch.half), x.type(torch.uint8),
        x.to(torch.int8), x.to(torch.short), x.to(torch.int16), n.to(torch.float), n.to(torch.float32), x.to(torch.cfloat),
        x.to(torch.complex64), x.to(torch.bfloat16), x.to(torch.int), x.to(torch.uint16), x.to(torch.uint32), x.to(torch.long),
        n.type("torch.FloatTensor"), x.type("torch.LongTensor"),
    )  # fmt: skip


# torch2jax: example by_class(torch.tensor([[1.5, 0.0], [2.0, 1.0]]))
def by_class(x):
    """Python's own classes are dtypes; what is asked for decides, not what the numbers are."""
    y = torch.full((2,), 1, dtype=torch.float32)
    y[0] = x[0, 1]
    off = ~torch.eye(2, dtype=bool)
    return x.masked_fill(off, 0), x.to(int), torch.zeros(2, dtype=int), torch.ones(2, dtype=complex), y.clamp(min=1)


# torch2jax: example eighth(torch.tensor([0.5, 1.0, 3.0]))
def eighth(x):
    """Through eight bits and back."""
    return x.to(torch.float8_e4m3fn).float(), x.to(torch.float8_e5m2).float(), x.to(torch.float8_e4m3fnuz).float(), x.to(torch.float8_e5m2fnuz).float()


# torch2jax: example bits(torch.randn(2, 3))
def bits(x):
    """The same bits read as another dtype."""
    return x.detach().view(torch.int32), x.detach().half().view(torch.int16)


# torch2jax: example accumulate_in_float(torch.randn(8).half())
def accumulate_in_float(x):
    dtype = x.dtype
    return (x.float() ** 2).mean().sqrt().to(dtype)


# torch2jax: example bounded(torch.randn(3))
# torch2jax: example bounded(torch.randn(3).half())
def bounded(x: Tensor):
    tiny = torch.finfo(x.dtype).tiny
    largest = torch.finfo(x.dtype).max
    return torch.clamp(x, min=tiny) * torch.finfo(x.dtype).eps, x.clamp(max=largest), torch.where(x > 0, torch.finfo(x.dtype).min, x)


# torch2jax: example sentinel(torch.tensor([3, 1, 2], dtype=torch.int32))
def sentinel(n):
    return torch.where(n > 1, torch.iinfo(n.dtype).max, n)


# torch2jax: example promoted(torch.randn(2).half(), torch.arange(2))
def promoted(x: Tensor, n: Tensor):
    dtype = torch.promote_types(x.dtype, torch.int32)
    if torch.can_cast(n.dtype, dtype):
        n = n.to(dtype)
    return x.to(dtype) + n, torch.zeros(2, dtype=torch.result_type(x, n)), torch.ones(2, dtype=torch.get_default_dtype())


# torch2jax: example by_family(torch.randn(3))
# torch2jax: example by_family(torch.arange(3))
# torch2jax: example by_family(torch.tensor([True, False]))
# torch2jax: example by_family(torch.randn(3, dtype=torch.complex64))
def by_family(x: Tensor):
    if torch.is_complex(x) or x.is_complex():
        return x.real
    if x.is_floating_point() and torch.is_floating_point(x):
        return x * 2
    if torch.is_signed(x):
        return x.float()
    return ~x


# torch2jax: example either(torch.randn(2), torch.randn(2))
# torch2jax: example either(torch.randn(2), 0.5)
def either(x, scale):
    """A tensor or a number."""
    if torch.is_tensor(scale) and torch.is_same_size(x, scale) and not torch.is_storage(scale):
        return x / scale
    return x * scale


# torch2jax: example footprint(torch.randn(4, 3))
def footprint(x):
    """Half the bytes give half the result."""
    assert x.element_size() == x.itemsize
    return x * (x.numel() * x.element_size()), x.half() * x.nbytes
