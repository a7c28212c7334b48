"""Losses of classes and of labels."""

import torch
import torch.nn.functional as F


# torch2jax: example classes(torch.randn(5, 4), torch.tensor([0, 1, 3, 2, 2]))
# torch2jax: example classes(torch.randn(5, 4, 3), torch.randint(0, 4, (5, 3)))
# torch2jax: example classes(torch.randn(4), torch.tensor(2))
# torch2jax: example classes(torch.randn(5, 4), torch.rand(5, 4))
def classes(logits, target):
    """Targets are classes, or probabilities of all classes."""
    loss = F.cross_entropy(logits, target) + F.cross_entropy(logits, target, reduction="sum")
    return loss + F.cross_entropy(logits, target, label_smoothing=0.1), F.cross_entropy(logits, target, reduction="none")


# torch2jax: example token_loss(torch.randn(2, 5, 7), torch.randint(0, 7, (2, 5)).masked_fill(torch.eye(5)[:2].bool(), -1))
def token_loss(logits, tokens, ignore_index: int = -1):
    """Language models flatten time into the batch, and skip padding."""
    flat = logits.view(-1, logits.size(-1))
    return F.cross_entropy(flat, tokens.view(-1), ignore_index=ignore_index)


# torch2jax: example balanced(torch.randn(5, 4), torch.tensor([0, 1, 3, -100, 2]), torch.rand(4).requires_grad_(False))
# torch2jax: example balanced(torch.randn(5, 4), torch.tensor([0, 1, 3, -100, 2]), torch.rand(4), 0.2, "sum")
def balanced(logits, target, weight, smoothing: float = 0.1, reduction="mean"):
    weight = weight.detach()
    loss = F.cross_entropy(logits, target, weight=weight, label_smoothing=smoothing, reduction=reduction)
    return loss + F.cross_entropy(logits, target, weight, reduction=reduction)


# torch2jax: example log_likelihood(torch.randn(5, 4), torch.tensor([0, 1, 3, 2, 2]))
# torch2jax: example log_likelihood(torch.randn(5, 4, 2), torch.tensor([0, 1, 3, 2, 2])[:, None].repeat(1, 2))
def log_likelihood(logits, target):
    log_probs = F.log_softmax(logits, dim=1)
    return F.nll_loss(log_probs, target), F.nll_loss(log_probs, target, reduction="none", ignore_index=2)


# torch2jax: example binary(torch.tensor([0.0, 1.0, 0.5, 0.3]), torch.tensor([0.0, 1.0, 1.0, 0.2]))
# torch2jax: example binary(torch.rand(4), torch.rand(4), reduction="sum")
def binary(p, y, reduction="mean"):
    y = y.detach()
    loss = F.binary_cross_entropy(p, y, reduction=reduction)
    loss = loss + F.binary_cross_entropy(p, y) + F.binary_cross_entropy(p, y, reduction="sum")
    return loss, F.binary_cross_entropy(p, y, reduction="none"), F.binary_cross_entropy(p, y, weight=y + 1)


# torch2jax: example logits(torch.tensor([-200.0, 0.0, 3.0, 200.0]), torch.tensor([0.0, 1.0, 0.3, 0.0]), torch.rand(4))
def logits(x, y, weight, reduction="sum"):
    weight = weight.detach()
    loss = F.binary_cross_entropy_with_logits(x, y) + F.binary_cross_entropy_with_logits(x, y, reduction=reduction)
    loss = loss + F.binary_cross_entropy_with_logits(x, y, reduction="sum", pos_weight=weight)
    return loss + F.binary_cross_entropy_with_logits(x, y, weight), F.binary_cross_entropy_with_logits(x, y, reduction="none")


# torch2jax: example labels(torch.randn(3, 4), torch.tensor([[3, 0, -1, 1], [0, 1, 2, 3], [-1, 2, 0, 1]]))
def labels(x, target, reduction="mean"):
    loss = F.multilabel_margin_loss(x, target) + F.multilabel_margin_loss(x, target, reduction=reduction)
    return loss + F.multilabel_margin_loss(x, target, reduction="sum"), F.multilabel_margin_loss(x, target, reduction="none")


# torch2jax: example multilabel(torch.randn(3, 4), torch.randint(0, 2, (3, 4)).float(), torch.rand(4))
def multilabel(x, y, weight, reduction="mean"):
    loss = F.multilabel_soft_margin_loss(x, y) + F.multilabel_soft_margin_loss(x, y, weight=weight, reduction="sum")
    loss = loss + F.multilabel_soft_margin_loss(x, y, reduction=reduction)
    return loss, F.multilabel_soft_margin_loss(x, y, weight, reduction="none")


# torch2jax: example margins(torch.tensor([[0.5, 1.5, 0.5], [3.0, 0.0, 1.0]]), torch.tensor([1, 2]), torch.rand(3))
def margins(x, target, weight, reduction="mean"):
    weight = weight.detach()
    loss = F.multi_margin_loss(x, target) + F.multi_margin_loss(x, target, p=2, margin=0.5, reduction="sum")
    loss = loss + F.multi_margin_loss(x, target, weight=weight, reduction=reduction)
    return loss, F.multi_margin_loss(x, target, 1, 1.0, weight, reduction="none")


# torch2jax: example signed(torch.randn(4), torch.tensor([1.0, -1.0, 1.0, -1.0]))
def signed(x, target, reduction="mean"):
    loss = F.soft_margin_loss(x, target) + F.soft_margin_loss(x, target, reduction=reduction)
    return loss + F.soft_margin_loss(x, target, reduction="sum"), F.soft_margin_loss(x, target, reduction="none")


# torch2jax: example speech(torch.randn(8, 2, 5), torch.randint(1, 5, (2, 3)), torch.tensor([8, 6]), torch.tensor([3, 2]))
def speech(scores, targets, input_lengths, target_lengths):
    log_probs = scores.log_softmax(dim=-1)
    loss = F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=True)
    return loss + F.ctc_loss(log_probs, targets, (8, 8), (3, 3), reduction="sum")
