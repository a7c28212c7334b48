"""Shapes: read, changed, broadcast, reordered."""

import torch
from torch import Tensor


# torch2jax: example sizes(torch.randn(2, 3, 4, 5))
def sizes(x):
    b, c, h, w = x.shape
    n = x.numel() // (b * c)
    assert x.dim() == 4 and x.ndimension() == x.ndim
    assert x.nelement() == torch.numel(x)
    scale = x.size(-1) * h / w + x[:, 0].size(0)
    return x.reshape(b, c, n) * scale, torch.zeros(x.size()[1:]), torch.ones(torch.Size([b, n]))


# torch2jax: example viewed(torch.randn(2, 3, 4))
def viewed(x: Tensor):
    b = x.size(0)
    return x.view(b, -1), x.view(-1), x.view((3, 8)), x.view(*x.shape[:-1], 2, 2), x.reshape(-1, 4), torch.reshape(x, (4, 6))


# torch2jax: example like_another(torch.randn(2, 6), torch.randn(3, 4), torch.randn(5, 3, 4))
def like_another(x, y, z):
    return x.view_as(y) + x.reshape_as(y), y.expand_as(z) * z, y[:1].expand(4, -1)


# torch2jax: example flat(torch.randn(2, 3, 4))
# torch2jax: example flat(torch.zeros(0, 3, 4))
def flat(x):
    return (
        x.flatten(), torch.flatten(x), x.flatten(1), torch.flatten(x, start_dim=1), x.flatten(0, 1), x.flatten(end_dim=-2),
        x.flatten(1, -1),
        x.ravel(), torch.ravel(x),
    )  # fmt: skip


# torch2jax: example unflat(torch.randn(2, 12))
def unflat(x):
    heads = x.unflatten(-1, (3, -1))
    return heads, torch.unflatten(x, dim=1, sizes=(2, 2, 3)), x.unflatten(0, [1, 2])


# torch2jax: example squeezed(torch.randn(1, 3, 1, 2))
# torch2jax: example squeezed(torch.randn(1, 1, 1, 1))
def squeezed(x):
    """An axis that is not of size 1 stays."""
    return x.squeeze(), x.squeeze(0), x.squeeze(1), torch.squeeze(x, -1), x.squeeze((0, 2)), x.squeeze(dim=2)


# torch2jax: example unsqueezed(torch.randn(3), torch.randn(4))
def unsqueezed(x, y):
    return x.unsqueeze(-1) * y.unsqueeze(0), torch.unsqueeze(x, dim=0), x[:, None] + y[None, :], x[..., None, None]


# torch2jax: example expanded(torch.randn(1, 3), (4, 3))
def expanded(x, shape):
    row = x.expand(2, 3)
    return row, x.expand(5, -1, -1), x.expand(shape), torch.broadcast_to(x, (2, 3)), x.broadcast_to(2, 1, 3), x.expand(4, 3).clone()


# torch2jax: example broadcast(torch.randn(3, 1), torch.randn(4))
def broadcast(x, y):
    a, b = torch.broadcast_tensors(x, y)
    shape = torch.broadcast_shapes(x.shape, y.shape, (2, 1, 1))
    return a - b, x.expand(shape), torch.zeros(shape).sum_to_size(3, 1), (x * y).sum_to_size(1, 4)


# torch2jax: example repeated(torch.randn(2, 3), torch.tensor([2, 1, 0]))
def repeated(x, counts):
    return (
        x.repeat(2, 1), x.repeat(1, 2, 1), x[0].repeat(4), torch.tile(x, (2, 2)), x.tile(2), x.repeat_interleave(2),
        torch.repeat_interleave(x, 3, dim=1), x.repeat_interleave(counts, dim=1, output_size=3),
    )  # fmt: skip


# torch2jax: example permuted(torch.randn(2, 3, 4, 5))
def permuted(x):
    y = x.permute(0, 2, 3, 1).contiguous()
    return y, x.permute((3, 2, 1, 0)), torch.permute(x, (0, -1, 1, 2)), x.movedim(1, -1), torch.movedim(x, (0, 1), (1, 0)), x.moveaxis(0, 2)


# torch2jax: example transposed(torch.randn(2, 3, 4), torch.randn(3, 2))
def transposed(x, m):
    return (
        x.transpose(1, 2), torch.transpose(x, 0, -1), x.swapaxes(0, 1), x.swapdims(-1, -2), m.t(), torch.t(m), m.T, x.mT,
        m.H, x.mH, x.adjoint(), m[0].t(),
    )  # fmt: skip


# torch2jax: example conjugates(torch.randn(2, 3, dtype=torch.complex64))
def conjugates(z):
    return z.mH, z.H, z.adjoint(), z.real, z.imag, torch.view_as_real(z), z.resolve_conj().resolve_neg()


# torch2jax: example as_complex(torch.randn(3, 2))
def as_complex(x):
    return torch.view_as_complex(x) * 2


# torch2jax: example rotary(torch.randn(2, 4, 6), torch.randn(4, 3))
def rotary(x, angles):
    """Rotary embedding with complex numbers, as language models write it."""
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * turns).flatten(-2).type_as(x)


# torch2jax: example parts(torch.randn(4, 6), torch.tensor(1))
def parts(x, start):
    return (
        x.narrow(0, 1, 2), torch.narrow(x, dim=1, start=-3, length=2), x.narrow(0, start, 2), x.select(1, 2), torch.select(x, 0, -1),
        x.unfold(1, 3, 2), x.narrow_copy(0, 0, 1),
    )  # fmt: skip


# torch2jax: example flipped(torch.randn(2, 3, 4))
def flipped(x):
    return (
        x.flip(0), x.flip(0, -1), torch.flip(x, dims=(1, 2)), torch.flip(x, [1]), x.fliplr(), torch.flipud(x), x.roll(1),
        torch.roll(x, 2, 1), x.roll(shifts=(1, -1), dims=(0, 2)), torch.rot90(x), x.rot90(2, (1, 2)),
    )  # fmt: skip


# torch2jax: example patches(torch.randn(2, 3, 4, 6), 2)
def patches(x, size: int):
    """An image cut into patches, in the usual way."""
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // size, size, w // size, size)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.flatten(1, 2).flatten(2)
