"""Connectionist temporal classification."""

import jax
import jax.numpy as jnp

from .losses import reduce_loss

IMPOSSIBLE = -1e30  # a logarithm of 0 whose differences are not NaN


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """-log of the probability that log_probs (time, batch, classes) spell each target with blanks and repeats.

    targets are (batch, length), or one after the other in one axis; without a batch axis there is one sample. The mean
    is over each target's length first. The derivative is that of the logits, as log_probs come from a log_softmax.
    """
    input_lengths, target_lengths = jnp.asarray(input_lengths), jnp.asarray(target_lengths)
    single = log_probs.ndim == 2
    if single:
        log_probs, targets = log_probs[:, None], jnp.atleast_2d(targets)
    input_lengths, target_lengths = jnp.atleast_1d(input_lengths), jnp.atleast_1d(target_lengths)
    if targets.ndim == 1:
        starts = jnp.cumsum(target_lengths) - target_lengths
        targets = jnp.take(targets, starts[:, None] + jnp.arange(targets.shape[0]), mode="clip")
    losses = jax.vmap(ctc_path_loss, (1, 0, 0, 0, None))(log_probs, targets, input_lengths, target_lengths, blank)
    losses = jnp.where(losses > -IMPOSSIBLE / 2, 0.0 if zero_infinity else jnp.inf, losses)
    if reduction == "mean":
        losses = losses / jnp.maximum(target_lengths, 1)
    return reduce_loss(losses[0] if single and reduction == "none" else losses, reduction)


def ctc_path_loss(log_probs, target, input_length, target_length, blank):
    """The loss of one sample: log_probs (time, classes), target (length,)."""
    states = jnp.full(2 * target.size + 1, blank).at[1::2].set(target)
    skips = jnp.concatenate([jnp.zeros(2, bool), (states[2:] != states[:-2]) & (states[2:] != blank)])
    emitted = jnp.maximum(log_probs, IMPOSSIBLE)[:, states]

    def step(reached, now):
        time, emit = now
        before = jnp.concatenate([jnp.full(2, IMPOSSIBLE, reached.dtype), reached])
        skipped = jnp.where(skips, before[:-2], IMPOSSIBLE)
        following = jax.nn.logsumexp(jnp.stack([reached, before[1:-1], skipped]), axis=0) + emit
        return jnp.where(time < input_length, following, reached), None

    start = jnp.where(jnp.arange(states.size) < 2, emitted[0], IMPOSSIBLE)
    times = jnp.arange(1, log_probs.shape[0])
    reached, _ = jax.lax.scan(step, start, (times, emitted[1:]))
    ends = jnp.stack(
        [reached[2 * target_length], jnp.where(target_length > 0, reached[2 * target_length - 1], IMPOSSIBLE)]
    )
    used = jnp.arange(log_probs.shape[0])[:, None] < input_length
    mass = jnp.sum(jnp.where(used, jnp.exp(log_probs), 0))  # its derivative is what log_softmax would take off
    return mass - jax.lax.stop_gradient(mass) - jax.nn.logsumexp(ends)
