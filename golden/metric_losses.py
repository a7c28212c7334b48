"""Losses of pairs and triples: ranks, hinges, angles, distances."""

import torch
import torch.nn.functional as F


# torch2jax: example ranks(torch.tensor([1.0, 2.0, 2.0]), torch.tensor([0.0, 2.5, 2.0]), torch.tensor([1.0, -1.0, 1.0]))
def ranks(a, b, target, reduction="mean"):
    """The last pair ties."""
    loss = F.margin_ranking_loss(a, b, target) + F.margin_ranking_loss(a, b, target, reduction=reduction)
    loss = loss + F.margin_ranking_loss(a, b, target, margin=0.5, reduction="sum")
    return loss, F.margin_ranking_loss(a, b, target, 0.1, reduction="none")


# torch2jax: example hinges(torch.tensor([0.0, 0.5, 1.0, 2.0]), torch.tensor([1, -1, -1, -1]))
def hinges(x, target, reduction="mean"):
    loss = F.hinge_embedding_loss(x, target) + F.hinge_embedding_loss(x, target, reduction=reduction)
    return loss + F.hinge_embedding_loss(x, target, 0.3, reduction="sum"), F.hinge_embedding_loss(x, target, reduction="none")


# torch2jax: example angles(torch.randn(3, 4), torch.randn(3, 4), torch.tensor([1, -1, 1]))
def angles(a, b, target, reduction="mean"):
    loss = F.cosine_embedding_loss(a, b, target) + F.cosine_embedding_loss(a, b, target, reduction=reduction)
    loss = loss + F.cosine_embedding_loss(a, b, target, margin=0.2, reduction="sum")
    return loss, F.cosine_embedding_loss(a, b, target, 0.1, reduction="none")


# torch2jax: example triplets(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4))
# torch2jax: example triplets(torch.ones(3, 4), torch.ones(3, 4), torch.ones(3, 4))
def triplets(anchor, positive, negative, reduction="mean"):
    loss = F.triplet_margin_loss(anchor, positive, negative)
    loss = loss + F.triplet_margin_loss(anchor, positive, negative, margin=0.5, p=1, reduction="sum")
    loss = loss + F.triplet_margin_loss(anchor, positive, negative, reduction=reduction)
    loss = loss + F.triplet_margin_loss(anchor, positive, negative, p=3.0)
    return loss, F.triplet_margin_loss(anchor, positive, negative, swap=True, reduction="none")


def _manhattan(a, b):
    return (a - b).abs().sum(-1)


# torch2jax: example own_distance(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4))
def own_distance(a, p, n, how: str = "mean"):
    loss = F.triplet_margin_with_distance_loss(a, p, n, distance_function=_manhattan)
    loss = loss + F.triplet_margin_with_distance_loss(a, p, n, reduction="sum")
    loss = loss + F.triplet_margin_with_distance_loss(a, p, n, distance_function=_manhattan, reduction=how)
    return loss, F.triplet_margin_with_distance_loss(a, p, n, swap=True, reduction="none")


# torch2jax: example distances(torch.randn(5, 4), torch.randn(5, 4))
# torch2jax: example distances(torch.zeros(2, 4), torch.zeros(2, 4))
def distances(a, b):
    plain = F.pairwise_distance(a, b) + F.pairwise_distance(a, b, p=1, eps=0.0)
    apart = torch.pairwise_distance(a, b, p=1.5, keepdim=True)
    return plain, apart, F.pdist(a), torch.pdist(a, p=1.0)


# torch2jax: example cosines(torch.randn(5, 4), torch.randn(5, 4))
# torch2jax: example cosines(torch.zeros(5, 4), torch.randn(5, 4))
def cosines(a, b):
    return F.cosine_similarity(a, b), torch.cosine_similarity(a[:, None], b[None], dim=-1, eps=1e-6)


# torch2jax: example unit(torch.tensor([[3.0, 4.0], [0.0, 0.0], [1e-20, 0.0]]))
def unit(x):
    """Rows of zeros stay zeros, with a finite gradient."""
    return F.normalize(x), F.normalize(x, dim=0), F.normalize(x, p=1, dim=-1), F.normalize(x, p=3.0, eps=1e-6)


# torch2jax: example unit_queries(torch.randn(2, 3, 4), torch.randn(2, 5, 4))
def unit_queries(q, k):
    q, k = F.normalize(q, p=2, dim=-1), F.normalize(k, p=2.0, dim=-1)
    return q @ k.transpose(-1, -2)
