"""New tensors: from numbers, of one value, in even steps, of the shape of another."""

import numpy as np
import torch

KERNEL = torch.tensor([[1.0, 2.0, 1.0], [0.0, 0.0, 0.0], [-1.0, -2.0, -1.0]])
ORDER = torch.tensor([2, 0, 1])
HALF = torch.tensor(0.5)
TABLE = np.linspace(0.0, 1.0, 4, dtype=np.float32)


# torch2jax: example constants(torch.randn(3, 3))
def constants(x):
    return (x * KERNEL).sum() * HALF + x[ORDER, 0], torch.tensor(3), torch.tensor(True), torch.tensor(7.5, dtype=torch.float16)


# torch2jax: example copied(torch.randn(3))
# torch2jax: example copied(torch.arange(3))
def copied(x: torch.Tensor):
    """torch.tensor copies: no gradient flows through it. torch.as_tensor keeps it."""
    extremes = torch.tensor([x.min(), x.max()])
    return torch.tensor(x) * x, extremes, torch.as_tensor(x) * 2, torch.as_tensor(x, dtype=torch.float16), torch.asarray(x)


# torch2jax: example from_python([0.5, 1.5], 2, 0.25)
def from_python(values, count, step):
    sizes = torch.as_tensor([1, 2, 3])
    flags = torch.as_tensor(True)
    pair = torch.as_tensor(count), torch.as_tensor(2), torch.as_tensor(1.5), torch.asarray([step, 1.0])
    return torch.tensor(values), torch.as_tensor(values), sizes, flags, pair, torch.as_tensor([HALF, HALF])


# torch2jax: example from_table(torch.randn(4))
def from_table(x):
    table = torch.from_numpy(TABLE)
    return x * table + torch.scalar_tensor(2)


# torch2jax: example filled(torch.randn(2, 3), 4)
def filled(x, n: int):
    b, d = x.shape
    zeros = torch.zeros(b, n)
    ones = torch.ones((n, d), dtype=torch.int32)
    buffer = torch.empty(size=(b, 2))
    buffer[:, 0] = x[:, 0]
    buffer[:, 1] = 1
    return zeros, ones, buffer, torch.zeros(n), torch.ones([2, 2]), torch.zeros(x.size()), torch.zeros(())


# torch2jax: example with_value(torch.randn(2), 2.5, 3)
def with_value(x, value, n: int):
    whole = torch.full((2, n), 7)
    real = torch.full((n,), 0.5)
    flags = torch.full([2], True)
    typed = torch.full((2,), 1, dtype=torch.float16)
    return whole, real, flags, typed, torch.full((n,), value), torch.full((2,), value, dtype=torch.int16), torch.fill(x, value)


# torch2jax: example mixed_precision(torch.randn(3).bfloat16())
def mixed_precision(x):
    """A filled tensor promotes as a tensor, which a Python number would not."""
    return x + torch.full((3,), 0.5), x + torch.ones(3), x * torch.tensor(2.0)


# torch2jax: example alike(torch.randn(2, 3).half())
# torch2jax: example alike(torch.arange(4))
def alike(x):
    y = torch.empty_like(x)
    y[...] = 3
    return (
        torch.zeros_like(x), torch.ones_like(x, dtype=torch.float32), y, torch.full_like(x, 2.5),
        torch.full_like(x, fill_value=1, dtype=torch.bool), torch.zeros_like(x, memory_format=torch.preserve_format),
    )  # fmt: skip


# torch2jax: example new(torch.randn(2).half(), 3, 1.5)
def new(x, n: int, value):
    like = x.new_tensor([1, 2, 3]), x.new_tensor(x), x.new_tensor([HALF, HALF])
    empty = x.new_empty(n, 1)
    empty.zero_()
    return x.new_zeros(n), x.new_ones((n, 2)), x.new_full((n,), value), x.new_zeros(2, n, dtype=torch.long), like, empty


# torch2jax: example steps(5, 7.0)
def steps(n: int, stop: float):
    """The bounds of an arange decide its dtype: integers give integers."""
    ids = torch.arange(n), torch.arange(1, n), torch.arange(n, 0, -2), torch.arange(n, dtype=torch.float32)
    reals = torch.arange(2.5), torch.arange(0, 1, 0.25), torch.arange(0.0, 3.0), torch.arange(1, n, step=0.5, dtype=torch.float16)
    return ids, reals, torch.arange(start=0, end=n, step=2)


# torch2jax: example lines(5)
def lines(n: int, device=None):
    inner = torch.linspace(-1, 1, n, device=device)[1:-1]
    whole = torch.linspace(-3, 3, steps=6, dtype=torch.int64)
    decades = torch.logspace(-2, 2, n), torch.logspace(0, 3, 4, base=2.0, dtype=torch.float16)
    return inner, whole, decades, torch.linspace(start=0.0, end=1.0, steps=1)


# torch2jax: example identity(torch.randn(3, 3), 2)
def identity(x, m: int):
    return x + torch.eye(3), torch.eye(3, m), torch.eye(m, dtype=torch.bool)


# torch2jax: example grids(torch.randn(2), torch.arange(3.0))
def grids(x, y):
    rows, columns = torch.meshgrid(x, y, indexing="ij")
    u, v = torch.meshgrid([y, x], indexing="xy")
    return rows * columns, u + v, torch.stack(torch.meshgrid(x, y), dim=-1)


# torch2jax: example pairs(torch.randn(4), torch.arange(3))
def pairs(x, y):
    i, j = torch.triu_indices(4, 4, offset=1)
    return (
        torch.cartesian_prod(x, x), torch.combinations(y), torch.combinations(x, r=3, with_replacement=True),
        x[i] - x[j], torch.tril_indices(3, 4), torch.triu_indices(3, 3, dtype=torch.int32),
    )  # fmt: skip


# torch2jax: example triangles(torch.randn(2, 3, 4))
def triangles(x):
    causal = torch.ones(4, 4).tril().bool()
    return torch.tril(x), x.triu(1), x.tril(diagonal=-1), causal


# torch2jax: example diagonals(torch.randn(2, 3), torch.randn(3, 3))
def diagonals(x, m):
    return (
        torch.diag(m), torch.diag(x[0]), m.diag(1), torch.diagflat(x, 1), torch.diag_embed(x), x.diag_embed(offset=1, dim1=0, dim2=2),
        torch.diagonal(m), x.diagonal(offset=1, dim1=-2, dim2=-1),
    )  # fmt: skip


# torch2jax: example blocks(torch.randn(2, 2), torch.randn(3), torch.randn(4))
def blocks(a, b, nodes):
    return torch.block_diag(a, b), torch.vander(nodes), torch.vander(nodes, N=3, increasing=True)


# torch2jax: example numbers(torch.randn(3), torch.randn(3))
def numbers(real, imag):
    z = torch.complex(real, imag)
    w = torch.polar(real.abs(), imag)
    return z * w, z.real + w.imag, torch.view_as_real(z), torch.real(z), torch.imag(w)


# torch2jax: example constructed(torch.randn(3), [1.0, 2.5, 0.0])
def constructed(x, values):
    """The constructors of old, each with a dtype of its own."""
    floats = torch.Tensor([1e10, 1]), torch.FloatTensor([1.0]), torch.HalfTensor([0.5]), torch.BFloat16Tensor([2]), torch.DoubleTensor([3.0])
    whole = torch.LongTensor([2, 1]), torch.IntTensor([3]), torch.ShortTensor([1]), torch.CharTensor([-1]), torch.ByteTensor([7])
    return floats, whole, torch.BoolTensor([True, False]), torch.Tensor(x) * 2


# torch2jax: example listed([1.0, 2.0, 0.0])
def listed(values):
    floats = torch.Tensor(values), torch.FloatTensor(values), torch.HalfTensor(values), torch.BFloat16Tensor(values), torch.DoubleTensor(values)
    whole = torch.LongTensor(values), torch.IntTensor(values), torch.ShortTensor(values), torch.CharTensor(values), torch.ByteTensor(values)
    return floats, whole, torch.BoolTensor(values)


# torch2jax: example doubled([1, 2, 0])
def doubled(values):
    numbers = [2 * value for value in values]
    floats = torch.Tensor(numbers), torch.FloatTensor(numbers), torch.HalfTensor(numbers), torch.BFloat16Tensor(numbers), torch.DoubleTensor(numbers)
    whole = torch.LongTensor(numbers), torch.IntTensor(numbers), torch.ShortTensor(numbers), torch.CharTensor(numbers), torch.ByteTensor(numbers)
    return floats, whole, torch.BoolTensor(numbers)


# torch2jax: example again(torch.randn(3), torch.randn(3).half(), torch.randn(3).bfloat16())
def again(x: torch.Tensor, h: torch.Tensor, b: torch.Tensor):
    """Of a tensor they take the dtype that they are named for, and give the tensor itself."""
    n = torch.arange(3)
    whole = torch.LongTensor(n), torch.IntTensor(n.int()), torch.ShortTensor(n.short()), torch.CharTensor(n.char()), torch.ByteTensor(n.byte())
    return torch.FloatTensor(x), torch.Tensor(x), torch.HalfTensor(h), torch.BFloat16Tensor(b), torch.DoubleTensor(x.double()), whole, torch.BoolTensor(n > 1)
