"""Losses as projects carry them about: of segmentation, images, embeddings, preferences, returns and sequences."""

import torch
import torch.nn.functional as F
from torch import Tensor


# torch2jax: example focal_loss(torch.randn(6, 3), torch.randint(0, 2, (6, 3)).float())
# torch2jax: example focal_loss(torch.randn(6, 3), torch.rand(6, 3), alpha=-1, gamma=1.5, reduction="sum")
# torch2jax: example focal_loss(torch.tensor([-200.0, 0.0, 200.0]), torch.tensor([1.0, 1.0, 0.0]), reduction="none")
# torch2jax: example focal_loss(torch.tensor([-200.0, 200.0]), torch.tensor([0.0, 1.0]))
def focal_loss(inputs, targets, alpha: float = 0.25, gamma: float = 2, reduction: str = "mean"):
    """Focal loss of RetinaNet: cross-entropy that turns away from what is easy. A negative alpha weights nothing."""
    p = torch.sigmoid(inputs)
    ce_loss = F.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    p_t = p * targets + (1 - p) * (1 - targets)
    loss = ce_loss * ((1 - p_t) ** gamma)

    if alpha >= 0:
        alpha_t = alpha * targets + (1 - alpha) * (1 - targets)
        loss = alpha_t * loss

    if reduction == "none":
        pass
    elif reduction == "mean":
        loss = loss.mean()
    elif reduction == "sum":
        loss = loss.sum()
    else:
        raise ValueError(f"Invalid value for arg 'reduction': '{reduction}'")
    return loss


# torch2jax: example dice_loss(torch.randn(2, 3, 4, 4), torch.randint(0, 3, (2, 4, 4)))
# torch2jax: example dice_loss(torch.randn(2, 3, 4, 4), torch.zeros(2, 4, 4, dtype=torch.long), ignore_background=True)
# torch2jax: example dice_loss(20 * torch.randn(1, 3, 2, 2), torch.ones(1, 2, 2, dtype=torch.long), smooth=0.0)
def dice_loss(logits, targets, smooth=1.0, ignore_background=False):
    """One minus the overlap of each class, averaged: logits (N, C, H, W), class indices (N, H, W)."""
    num_classes = logits.shape[1]
    probs = F.softmax(logits, dim=1)
    one_hot = F.one_hot(targets, num_classes).permute(0, 3, 1, 2).float()
    if ignore_background:
        probs, one_hot = probs[:, 1:], one_hot[:, 1:]

    dims = (0, 2, 3)
    intersection = torch.sum(probs * one_hot, dims)
    cardinality = torch.sum(probs + one_hot, dims)
    dice = (2.0 * intersection + smooth) / (cardinality + smooth)
    return 1 - dice.mean()


# torch2jax: example gaussian_window(5, 1.5, 2)
def gaussian_window(size: int, sigma: float, channels: int) -> Tensor:
    coords = torch.arange(size, dtype=torch.float32) - size // 2
    g = torch.exp(-(coords**2) / (2 * sigma**2))
    g /= g.sum()
    window = g.unsqueeze(1) @ g.unsqueeze(0)
    return window.expand(channels, 1, size, size).contiguous()


# torch2jax: example ssim(torch.rand(2, 3, 16, 16), torch.rand(2, 3, 16, 16))
# torch2jax: example ssim(torch.ones(1, 1, 12, 12), torch.ones(1, 1, 12, 12), window_size=5, size_average=False)
# torch2jax: example ssim(torch.zeros(1, 2, 8, 8), torch.rand(1, 2, 8, 8), window_size=7, data_range=255)
def ssim(img1: Tensor, img2: Tensor, window_size: int = 11, data_range: float = 1.0, size_average: bool = True):
    """Structural similarity of two batches of images under a Gaussian window."""
    channel = img1.size(1)
    window = gaussian_window(window_size, 1.5, channel).to(img1.device).type_as(img1)
    padding = window_size // 2

    mu1 = F.conv2d(img1, window, padding=padding, groups=channel)
    mu2 = F.conv2d(img2, window, padding=padding, groups=channel)
    mu1_sq = mu1.pow(2)
    mu2_sq = mu2.pow(2)
    mu1_mu2 = mu1 * mu2

    sigma1_sq = F.conv2d(img1 * img1, window, padding=padding, groups=channel) - mu1_sq
    sigma2_sq = F.conv2d(img2 * img2, window, padding=padding, groups=channel) - mu2_sq
    sigma12 = F.conv2d(img1 * img2, window, padding=padding, groups=channel) - mu1_mu2

    C1 = (0.01 * data_range) ** 2
    C2 = (0.03 * data_range) ** 2
    ssim_map = ((2 * mu1_mu2 + C1) * (2 * sigma12 + C2)) / ((mu1_sq + mu2_sq + C1) * (sigma1_sq + sigma2_sq + C2))

    if size_average:
        return ssim_map.mean()
    return ssim_map.mean(1).mean(1).mean(1)


# torch2jax: example info_nce(torch.randn(5, 8), torch.randn(5, 8))
# torch2jax: example info_nce(torch.randn(4, 8), torch.zeros(4, 8), temperature=0.5, symmetric=False)
def info_nce(query, key, temperature=0.07, symmetric=True):
    """InfoNCE inside a batch: row i of the queries belongs to row i of the keys."""
    query = F.normalize(query, dim=-1)
    key = F.normalize(key, dim=-1)
    logits = query @ key.t() / temperature
    labels = torch.arange(len(query), device=query.device)
    loss = F.cross_entropy(logits, labels)
    if symmetric:
        loss = (loss + F.cross_entropy(logits.t(), labels)) / 2
    return loss


# torch2jax: example batch_hard_triplet_loss(torch.randn(6, 4), torch.tensor([0, 0, 1, 1, 2, 2]), margin=0.3)
# torch2jax: example batch_hard_triplet_loss(torch.randn(4, 3), torch.tensor([0, 1, 1, 1]))
# torch2jax: example batch_hard_triplet_loss(torch.ones(4, 3), torch.tensor([0, 0, 0, 0]))
def batch_hard_triplet_loss(embeddings, labels, margin=1.0, squared=False):
    """The furthest positive and the nearest negative of each anchor; labels decide which are which."""
    dot = embeddings @ embeddings.t()
    norms = torch.diagonal(dot)
    dist = norms.unsqueeze(0) - 2.0 * dot + norms.unsqueeze(1)
    dist = dist.clamp(min=0.0)
    if not squared:
        # The root has no gradient at zero.
        mask = dist.eq(0.0).float()
        dist = (1.0 - mask) * torch.sqrt(dist + mask * 1e-16)

    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    positive = same & ~torch.eye(labels.size(0), dtype=torch.bool, device=labels.device)
    hardest_positive, _ = (dist * positive.float()).max(dim=1, keepdim=True)
    hardest_negative = dist.masked_fill(same, 1e9).min(dim=1, keepdim=True)[0]
    return F.relu(hardest_positive - hardest_negative + margin).mean()


# torch2jax: example dpo_loss(torch.randn(4), torch.randn(4), torch.randn(4), torch.randn(4))
# torch2jax: example dpo_loss(torch.randn(4), torch.randn(4), torch.randn(4), torch.randn(4), 0.5, label_smoothing=0.1)
# torch2jax: example dpo_loss(torch.full((2,), 2e3), torch.ones(2), torch.ones(2), torch.ones(2), reference_free=True)
def dpo_loss(
    policy_chosen_logps: torch.FloatTensor,
    policy_rejected_logps: torch.FloatTensor,
    reference_chosen_logps: torch.FloatTensor,
    reference_rejected_logps: torch.FloatTensor,
    beta: float = 0.1,
    label_smoothing: float = 0.0,
    reference_free: bool = False,
) -> tuple[torch.FloatTensor, torch.FloatTensor, torch.FloatTensor]:
    """Direct preference optimisation: the losses (batch,) and the rewards of the chosen and the rejected."""
    pi_logratios = policy_chosen_logps - policy_rejected_logps
    ref_logratios = reference_chosen_logps - reference_rejected_logps
    if reference_free:
        ref_logratios = 0

    logits = pi_logratios - ref_logratios
    losses = (
        -F.logsigmoid(beta * logits) * (1 - label_smoothing)
        - F.logsigmoid(-beta * logits) * label_smoothing
    )
    chosen_rewards = beta * (policy_chosen_logps - reference_chosen_logps).detach()
    rejected_rewards = beta * (policy_rejected_logps - reference_rejected_logps).detach()
    return losses, chosen_rewards, rejected_rewards


# torch2jax: example gae(torch.randn(5, 2), torch.randn(5, 2), torch.randint(0, 2, (5, 2)).bool(), torch.randn(2))
# torch2jax: example gae(torch.randn(3, 2), torch.randn(3, 2), torch.ones(3, 2).bool(), torch.randn(2), lam=1.0)
# torch2jax: example gae(torch.randn(1, 2), torch.randn(1, 2), torch.zeros(1, 2).bool(), torch.randn(2), gamma=0.0)
def gae(rewards, values, dones, next_value, gamma=0.99, lam=0.95):
    """Generalised advantages and returns of a rollout: everything (time, env), ``next_value`` (env,)."""
    num_steps = rewards.shape[0]
    advantages = torch.zeros_like(rewards)
    not_done = 1.0 - dones.float()
    lastgaelam = 0
    for t in reversed(range(num_steps)):
        if t == num_steps - 1:
            nextvalues = next_value
        else:
            nextvalues = values[t + 1]
        delta = rewards[t] + gamma * nextvalues * not_done[t] - values[t]
        advantages[t] = lastgaelam = delta + gamma * lam * not_done[t] * lastgaelam
    returns = advantages + values
    return advantages, returns


# torch2jax: example discounted_returns(torch.randn(5, 2), torch.randint(0, 2, (5, 2)).float())
# torch2jax: example discounted_returns(torch.randn(1), torch.ones(1), gamma=0.5)
def discounted_returns(rewards, masks, gamma=0.99, normalize=True):
    """Returns to go, standardised over the rollout."""
    returns = []
    R = torch.zeros_like(rewards[0])
    for step in reversed(range(len(rewards))):
        R = rewards[step] + gamma * R * masks[step]
        returns.insert(0, R)
    returns = torch.stack(returns)
    if normalize:
        returns = (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-8)
    return returns


# torch2jax: example masked_huber(torch.randn(3, 4), torch.randn(3, 4), torch.rand(3, 4) > 0.4)
# torch2jax: example masked_huber(torch.tensor([0.0, 1.0, -3.0]), torch.zeros(3), torch.tensor([True, True, True]))
# torch2jax: example masked_huber(torch.randn(3), torch.full((3,), torch.nan), torch.zeros(3, dtype=torch.bool))
def masked_huber(pred: Tensor, target: Tensor, valid: Tensor, delta: float = 1.0) -> Tensor:
    """Huber loss over the valid entries; targets that are missing may be NaN."""
    target = torch.where(valid, target, pred.detach())
    abs_diff = (pred - target).abs()
    quadratic = torch.clamp(abs_diff, max=delta)
    linear = abs_diff - quadratic
    loss = 0.5 * quadratic**2 + delta * linear
    return (loss * valid).sum() / valid.sum().clamp(min=1)


# torch2jax: example gaussian_kl(torch.randn(4, 3), torch.randn(4, 3))
# torch2jax: example gaussian_kl(torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3), torch.randn(3), "sum")
# torch2jax: example gaussian_kl(torch.zeros(2, 3), torch.zeros(2, 3), reduction="none")
def gaussian_kl(mu, logvar, prior_mu=None, prior_logvar=None, reduction="batchmean"):
    """KL divergence of diagonal Gaussians from a prior, the standard normal unless one is given."""
    if prior_mu is None:
        prior_mu = torch.zeros_like(mu)
    if prior_logvar is None:
        prior_logvar = torch.zeros_like(logvar)
    kl = -0.5 * (1 + logvar - prior_logvar - ((mu - prior_mu).pow(2) + logvar.exp()) / prior_logvar.exp())
    kl = kl.sum(dim=-1)
    if reduction == "batchmean":
        return kl.sum() / mu.size(0)
    return kl.sum() if reduction == "sum" else kl


# torch2jax: example sequence_loss(torch.randn(2, 4, 5), torch.randint(0, 5, (2, 4)), torch.tensor([4, 2]))
# torch2jax: example sequence_loss(torch.randn(2, 4, 5), torch.randint(0, 5, (2, 4)), torch.tensor([0, 0]), True)
# torch2jax: example sequence_loss(torch.randn(2, 4, 5), torch.randint(0, 5, (2, 4)), torch.tensor([0, 0]))
# torch2jax: example sequence_loss(500 * torch.randn(1, 3, 5), torch.randint(0, 5, (1, 3)), torch.tensor([1]))
def sequence_loss(logits, targets, lengths, per_sequence=False):
    """Cross-entropy of the first ``lengths`` tokens of every sequence: logits (batch, time, vocabulary)."""
    batch, max_len = targets.shape
    mask = torch.arange(max_len, device=lengths.device).expand(batch, max_len) < lengths.unsqueeze(1)
    log_probs = F.log_softmax(logits, dim=-1)
    nll = -log_probs.gather(dim=-1, index=targets.unsqueeze(-1)).squeeze(-1)
    nll = nll * mask.float()
    if per_sequence:
        return nll.sum(1) / mask.sum(1).clamp(min=1)
    return nll.sum() / mask.sum()


# torch2jax: example next_token_loss(torch.randn(2, 4, 5), torch.tensor([[1, 2, 3, -100], [4, -100, -100, -100]]))
# torch2jax: example next_token_loss(torch.randn(1, 3, 5), torch.full((1, 3), -100))
# torch2jax: example next_token_loss(torch.randn(1, 3, 5), torch.tensor([[0, 1, 4]]), label_smoothing=0.1)
def next_token_loss(logits, labels, ignore_index=-100, label_smoothing=0.0):
    """The loss of a language model: position t predicts token t + 1."""
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = labels[..., 1:].contiguous()
    loss = F.cross_entropy(
        shift_logits.view(-1, shift_logits.size(-1)),
        shift_labels.view(-1),
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
    )
    with torch.no_grad():
        valid = shift_labels != ignore_index
        correct = (shift_logits.argmax(dim=-1) == shift_labels) & valid
        accuracy = correct.sum().float() / valid.sum().clamp_min(1)
    return loss, accuracy
