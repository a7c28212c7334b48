"""Elements put, added and reduced by index; indices may repeat."""

import torch


# torch2jax: example segments(torch.randn(6, 2), torch.tensor([0, 2, 1, 0, 2, 2]), 4)
def segments(x, index, count: int):
    """Sums and means over groups of rows."""
    spread = index.unsqueeze(-1).expand_as(x)
    total = torch.zeros(count, x.size(1)).scatter_add(0, spread, x)
    number = x.new_zeros(count).scatter_add_(0, index, torch.ones_like(x[:, 0]))
    return total / number.clamp(min=1).unsqueeze(-1), total


# torch2jax: example put_at(torch.randn(3, 4), torch.tensor([[1], [3], [0]]), torch.randn(3, 1))
def put_at(x, index, source):
    one_hot = torch.zeros_like(x).scatter(1, index, 1.0)
    return one_hot, x.scatter(1, index, source), torch.scatter(x, dim=-1, index=index, value=2)


# torch2jax: example combined(torch.randn(3, 4), torch.tensor([[1, 0, 0], [2, 2, 1]]), torch.randn(2, 3))
def combined(x, index, source):
    return x.scatter(0, index, source.detach(), reduce="add"), torch.scatter(x.detach(), 0, index, 2.0, reduce="multiply")


# torch2jax: example reduced(torch.randn(4), torch.tensor([0, 0, 2, 2, 2]), torch.randn(5))
# torch2jax: example reduced(torch.tensor([1.0, 0.0, 2.0, 3.0]), torch.tensor([0, 0, 1, 2, 2]), torch.tensor([1.0, 1.0, 0.0, 2.0, 2.0]))
def reduced(x, index, source):
    return (
        x.scatter_reduce(0, index, source, "sum"), x.scatter_reduce(0, index, source, reduce="sum", include_self=False),
        torch.scatter_reduce(x, 0, index, source, "mean"), x.scatter_reduce(0, index, source, "mean", include_self=False),
        x.scatter_reduce(0, index, source, "amax"), x.scatter_reduce(0, index, source, "amin", include_self=False),
    )  # fmt: skip


# torch2jax: example products(torch.tensor([2.0, 0.0, 3.0]), torch.tensor([0, 0, 1, 2]), torch.tensor([2.0, 3.0, 4.0, 0.0]))
def products(x, index, source):
    """Also with zeros among the factors."""
    return x.scatter_reduce(0, index, source, reduce="prod"), x.scatter_reduce(0, index, source, reduce="prod", include_self=False)


# torch2jax: example by_row(torch.randn(4, 3), torch.tensor([2, 0, 2]), torch.randn(3, 3))
def by_row(x, index, source):
    added = x.index_add(0, index, source)
    return (
        added, torch.index_add(x, 0, index, source, alpha=2), x.index_add(1, index, source[:1].expand(4, 3)),
        x.index_add(-1, index, x, alpha=0.5), x.index_copy(0, index[:2], source[:2]), torch.index_copy(x, 1, index[1:], x[:, :2]),
        x.index_fill(0, index, 0.0), x.index_fill(1, index, source.sum()),
    )  # fmt: skip


# torch2jax: example row_reductions(torch.randn(4, 3), torch.tensor([2, 0, 2]), torch.randn(3, 3))
def row_reductions(x, index, source):
    return (
        x.index_reduce(0, index, source, "mean"), x.index_reduce(0, index, source, reduce="prod", include_self=False),
        x.index_reduce(0, index, source, "amax"), torch.index_reduce(x, 0, index, source, "amin", include_self=False),
    )  # fmt: skip


# torch2jax: example by_position(torch.randn(3, 4), torch.tensor([0, 2]), torch.tensor([1, 3]), torch.randn(2))
def by_position(x, rows, columns, values):
    flat = rows * 4 + columns
    stored = x.index_put((rows, columns), values), x.index_put([rows, rows * 0], values, accumulate=True)
    return stored, x.put(flat, values), torch.put(x, flat * 0, values, accumulate=True)


# torch2jax: example into_slices(torch.randn(4, 4), torch.randn(4))
def into_slices(x, row):
    return (
        x.select_scatter(row, 0, 2), torch.select_scatter(x, row, dim=1, index=-1), x.diagonal_scatter(row), x.diagonal_scatter(row[:3], offset=1),
        x.slice_scatter(row.expand(2, 4), end=2), torch.slice_scatter(x, x[:, :2], 1, start=0, step=2),
    )  # fmt: skip


# torch2jax: example masked(torch.randn(2, 3), torch.tensor([[True, False, True], [False, True, False]]), torch.randn(6))
def masked(x, mask, source):
    return x.masked_scatter(mask, source), torch.masked_scatter(x, mask[:1], source)


# torch2jax: example in_place(torch.randn(3, 3), torch.tensor([0, 0, 2]))
def in_place(x, index):
    y = x.clone()
    y.index_add_(0, index, x)
    y.fill_diagonal_(1.5)
    y.index_fill_(1, index[2:], -1)
    z = torch.ones(3, 3)
    z.masked_scatter_(x > 0, y)
    return y, z


# torch2jax: example confusion(torch.tensor([0, 1, 2, 1]), torch.tensor([0, 2, 2, 1]), 3)
def confusion(predicted, target, classes: int):
    counts = torch.zeros(classes * classes, dtype=torch.long)
    counts.scatter_add_(0, target * classes + predicted, torch.ones_like(target))
    return counts.view(classes, classes)
