"""Padding of the last axes."""

import jax
import jax.numpy as jnp


def pad(x, widths, mode="constant", value=None):
    """Pads the last axes of x; widths are (before, after) of the last axis, then of the one before it, and so on.

    mode is 'constant', 'reflect', 'replicate' or 'circular'; a negative width cuts off.
    """
    pairs = list(zip(widths[::2], widths[1::2]))[::-1]
    pairs = [(0, 0)] * (x.ndim - len(pairs)) + pairs
    if mode == "constant":
        fill = jnp.asarray(0 if value is None else value, x.dtype)
        return jax.lax.pad(x, fill, [(before, after, 0) for before, after in pairs])
    grow = [(max(before, 0), max(after, 0)) for before, after in pairs]
    cut = tuple(slice(max(-before, 0), min(after, 0) or None) for before, after in pairs)
    if mode == "circular":
        return jnp.pad(x[cut], grow, mode="wrap")
    return jnp.pad(x, grow, mode={"reflect": "reflect", "replicate": "edge"}[mode])[cut]


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Arrays (length, ...) of several lengths as one, (longest, number, ...) or batch_first (number, longest, ...)."""
    longest = max(sequence.shape[0] for sequence in sequences)
    rows = []
    for sequence in sequences:
        width = (0, longest - sequence.shape[0]) if padding_side == "right" else (longest - sequence.shape[0], 0)
        rows.append(jnp.pad(sequence, [width] + [(0, 0)] * (sequence.ndim - 1), constant_values=padding_value))
    return jnp.stack(rows, axis=0 if batch_first else 1)
