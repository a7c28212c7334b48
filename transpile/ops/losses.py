"""Losses whose value or derivative no single jnp expression gives, and torch's three reductions."""

import math

import jax
import jax.numpy as jnp

from .elementwise import absolute
from .normalization import pairwise_distance
from .norms import p_norm


def reduce_loss(losses, reduction="mean"):
    """The losses themselves for 'none', else their 'sum' or 'mean'."""
    if reduction == "none":
        return losses
    return {"sum": jnp.sum, "mean": jnp.mean}[reduction](losses)


def reduce_weighted(losses, weight=None, reduction="mean"):
    """As reduce_loss, of losses times weight where there is one; the mean is then over the sum of the weights."""
    if weight is None or reduction != "mean":
        return reduce_loss(weighted(losses, weight), reduction)
    return jnp.sum(losses * weight) / jnp.sum(weight)


def weighted(losses, weight=None):
    """The losses times their weight, or themselves where there is none."""
    return losses if weight is None else losses * weight


def smooth_l1(error, beta=1.0):
    """error**2 / (2 * beta) within beta of 0, |error| - beta / 2 beyond."""
    size = absolute(error)
    return jnp.where(size < beta, 0.5 * error * error / jnp.where(beta > 0, beta, 1), size - 0.5 * beta)


def huber(error, delta=1.0):
    """error**2 / 2 within delta of 0, delta * (|error| - delta / 2) beyond."""
    clipped = jnp.clip(error, -delta, delta)
    return clipped * (error - 0.5 * clipped)


def hinge(x):
    """x from 0 on, 0 below; at 0 the derivative is 1 (jax.nn.relu: 0)."""
    return jnp.where(x >= 0, x, 0)


@jax.custom_jvp
def binary_cross_entropy(probability, target):
    """-target * log(probability) - (1 - target) * log(1 - probability), no logarithm below -100."""
    log_true = jnp.maximum(jnp.log(probability), -100)
    log_false = jnp.maximum(jnp.log1p(-probability), -100)
    return -target * log_true - (1 - target) * log_false


@binary_cross_entropy.defjvp
def binary_cross_entropy_jvp(primals, tangents):
    (probability, target), (probability_dot, target_dot) = primals, tangents
    slope = (probability - target) / jnp.maximum(probability * (1 - probability), 1e-12)
    tangent = slope * probability_dot + (jnp.log1p(-probability) - jnp.log(probability)) * target_dot
    return binary_cross_entropy(probability, target), tangent


def sigmoid_cross_entropy(logits, target, pos_weight=None):
    """Binary cross entropy of sigmoid(logits); pos_weight multiplies the part of the positive targets."""
    log_weight = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    return (1 - target) * logits - log_weight * jax.nn.log_sigmoid(logits)


def nll_loss(log_probs, target, weight=None, ignore_index=-100, reduction="mean"):
    """-log_probs of the target classes; classes are axis 1 of log_probs, or axis 0 of a single sample.

    Targets equal to ignore_index count nothing. The mean is by the weight of the target classes.
    """
    axis = min(log_probs.ndim - 1, 1)
    kept = target != ignore_index
    index = jnp.where(kept, target, 0)
    losses = -jnp.take_along_axis(log_probs, jnp.expand_dims(index, axis), axis).squeeze(axis)
    scale = jnp.where(kept, 1 if weight is None else weight[index], 0).astype(log_probs.dtype)
    losses = jnp.where(kept, losses * scale, 0)
    return jnp.sum(losses) / jnp.sum(scale) if reduction == "mean" else reduce_loss(losses, reduction)


def cross_entropy(logits, target, weight=None, ignore_index=-100, reduction="mean"):
    """Cross entropy of softmax(logits) with target classes, or with target probabilities if target is floating.

    Classes are axis 1 of logits, or axis 0 of a single sample; see nll_loss for the rest.
    """
    axis = min(logits.ndim - 1, 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    if not jnp.issubdtype(target.dtype, jnp.floating):
        return nll_loss(log_probs, target, weight, ignore_index, reduction)
    if weight is not None:
        target = target * weight.reshape(-1, *(1,) * (logits.ndim - axis - 1))
    return reduce_loss(-jnp.sum(log_probs * target, axis=axis), reduction)


def smoothed_cross_entropy(logits, target, label_smoothing, weight=None, ignore_index=-100, reduction="mean"):
    """cross_entropy with a share of each target, label_smoothing, spread evenly over the classes."""
    axis = min(logits.ndim - 1, 1)
    is_class = not jnp.issubdtype(target.dtype, jnp.floating)
    share = jax.nn.one_hot(target, logits.shape[axis], axis=axis, dtype=logits.dtype) if is_class else target
    share = (1 - label_smoothing) * share + label_smoothing / logits.shape[axis]
    losses = cross_entropy(logits, share, weight, reduction="none")
    if not is_class:
        return reduce_loss(losses, reduction)
    kept = target != ignore_index
    losses = jnp.where(kept, losses, 0)
    scale = jnp.where(kept, 1 if weight is None else weight[jnp.where(kept, target, 0)], 0).astype(logits.dtype)
    return jnp.sum(losses) / jnp.sum(scale) if reduction == "mean" else reduce_loss(losses, reduction)


def kl_div(log_input, target, reduction="mean", log_target=False):
    """target * (log(target) - log_input), 0 where target is 0; 'batchmean' is the sum over the length of axis 0."""
    if log_target:
        losses = jnp.exp(target) * (target - log_input)
    else:
        losses = jax.scipy.special.xlogy(target, target) - target * log_input
    if reduction == "batchmean":
        return jnp.sum(losses) / (log_input.shape[0] if log_input.ndim else 1)
    return reduce_loss(losses, reduction)


def poisson_nll(x, target, log_input=True, full=False, eps=1e-8):
    """exp(x) - target * x, or x - target * log(x + eps); full adds Stirling's term where target exceeds 1."""
    losses = jnp.exp(x) - target * x if log_input else x - target * jnp.log(x + eps)
    if full:
        count = jnp.where(target > 1, target, 1)
        stirling = count * jnp.log(count) - count + 0.5 * jnp.log(2 * math.pi * count)
        losses = losses + jnp.where(target > 1, stirling, 0)
    return losses


def gaussian_nll(mean, target, variance, full=False, eps=1e-6):
    """(log(variance) + (mean - target)**2 / variance) / 2, the variance being at least eps but differentiated as if not.

    variance is a number, of the shape of mean, or of that shape without the last axis.
    """
    variance = jnp.asarray(variance, mean.dtype)
    if variance.ndim and variance.shape == mean.shape[:-1] != mean.shape:
        variance = variance[..., None]
    variance = variance + jax.lax.stop_gradient(jnp.maximum(variance, eps) - variance)
    losses = 0.5 * (jnp.log(variance) + (mean - target) ** 2 / variance)
    return losses + 0.5 * math.log(2 * math.pi) if full else losses


def hinge_embedding(x, target, margin=1.0):
    """x where target is 1, max(0, margin - x) where it is -1."""
    return jnp.where(target != 1, hinge(margin - x), 0) + jnp.where(target != -1, x, 0)


def cosine_embedding(a, b, target, margin=0.0):
    """1 - cos(a, b) where target is 1, max(0, cos(a, b) - margin) where it is -1; vectors are the last axis."""
    scale = jnp.sqrt((jnp.sum(a * a, axis=-1) + 1e-12) * (jnp.sum(b * b, axis=-1) + 1e-12))
    cosine = jnp.sum(a * b, axis=-1) / scale
    return jnp.where(target == 1, 1 - cosine, 0) + jnp.where(target == -1, hinge(cosine - margin), 0)


def triplet_margin(anchor, positive, negative, margin=1.0, ord=2.0, eps=1e-6, swap=False):
    """max(0, margin + |anchor - positive| - |anchor - negative|) along the last axis.

    swap takes |positive - negative| where that is the smaller distance to the negative.
    """
    to_negative = p_norm(anchor - negative + eps, ord, -1)
    if swap:
        to_negative = jnp.minimum(to_negative, p_norm(positive - negative + eps, ord, -1))
    return hinge(margin + p_norm(anchor - positive + eps, ord, -1) - to_negative)


def triplet_margin_with_distance(anchor, positive, negative, distance=None, margin=1.0, swap=False):
    """max(0, margin + distance(anchor, positive) - distance(anchor, negative)); see triplet_margin for swap."""
    distance = pairwise_distance if distance is None else distance
    to_negative = distance(anchor, negative)
    if swap:
        to_negative = jnp.minimum(to_negative, distance(positive, negative))
    return hinge(margin + distance(anchor, positive) - to_negative)


def multi_margin(x, target, p=1, margin=1.0, weight=None):
    """Mean over classes other than the target of max(0, margin - x[target] + x)**p, classes being the last axis."""
    own = jax.nn.one_hot(target, x.shape[-1], dtype=bool)
    gap = margin - jnp.take_along_axis(x, target[..., None], axis=-1) + x
    gap = jnp.where((gap > 0) & ~own, gap, 0) ** p
    return jnp.sum(gap if weight is None else gap * weight[target][..., None], axis=-1) / x.shape[-1]


def multilabel_margin(x, target):
    """Mean over classes of max(0, 1 - x[label] + x[other]), labels being those before the first negative target."""
    valid = jnp.cumprod(target >= 0, axis=-1).astype(bool)
    label = jnp.where(valid, target, 0)
    other = ~jnp.any(jax.nn.one_hot(label, x.shape[-1], dtype=bool) & valid[..., None], axis=-2)
    gap = 1 - jnp.take_along_axis(x, label, axis=-1)[..., :, None] + x[..., None, :]
    gap = jnp.where((gap > 0) & valid[..., :, None] & other[..., None, :], gap, 0)
    return jnp.sum(gap, axis=(-2, -1)) / x.shape[-1]


def multilabel_soft_margin(x, target, weight=None):
    """Mean over the last axis of the binary cross entropy of sigmoid(x), weighted by class."""
    losses = -(target * jax.nn.log_sigmoid(x) + (1 - target) * jax.nn.log_sigmoid(-x))
    return jnp.mean(losses if weight is None else losses * weight, axis=-1)
