"""Elements picked by index."""

import torch


# torch2jax: example chosen(torch.randn(4, 3), torch.tensor([2, 0, 1, 1]))
def chosen(logits, labels):
    """The log-probability of each label."""
    logp = logits.log_softmax(dim=-1)
    return -logp.gather(1, labels.unsqueeze(1)).squeeze(1).mean()


# torch2jax: example gathered(torch.randn(4, 3), torch.tensor([[2, 0], [3, 3]]))
def gathered(x, index):
    """The index may be smaller than the tensor; it is not broadcast."""
    return torch.gather(x, 0, index), x.gather(dim=-1, index=index.clamp(max=2)), x.gather(0, index[:1, :1])


# torch2jax: example selected(torch.randn(5, 3), torch.tensor([4, 0, 4]), torch.tensor(2))
def selected(x, index, one):
    rows = x.index_select(0, index)
    return rows, torch.index_select(x, 1, one), x[index], torch.index_select(x, dim=-1, index=index[1:2])


# torch2jax: example taken(torch.randn(3, 4), torch.tensor([[0, 11], [-1, 5]]))
def taken(x, index):
    order = x.argsort(dim=1)
    return torch.take(x, index), x.take(index), torch.take_along_dim(x, order, dim=1), x.take_along_dim(index.clamp(min=0))


# torch2jax: example batched(torch.randn(2, 5, 3), torch.tensor([[0, 4], [2, 2]]))
def batched(points, index):
    """Points by neighbour index, batch by batch."""
    b, k = index.shape
    spread = index.unsqueeze(-1).expand(b, k, points.shape[-1])
    return torch.gather(points, 1, spread)


# torch2jax: example few_nonzero(torch.tensor([0.0, 1.0, 0.0, 2.0]))
def few_nonzero(x):
    return torch.nonzero_static(x, size=3), x.nonzero_static(size=1, fill_value=0)


# torch2jax: example embed(torch.randn(6, 4), torch.tensor([[1, 2], [0, 5]]))
def embed(table, ids):
    return table.index_select(0, ids.reshape(-1)).view(*ids.shape, -1)
