"""Short-time Fourier transforms."""

import jax.numpy as jnp
import numpy as np


def analysis_window(n_fft, win_length, window, dtype):
    """The window of win_length in the middle of n_fft samples; ones if there is none."""
    length = n_fft if win_length is None else win_length
    window = jnp.ones(length, dtype) if window is None else window
    before = (n_fft - length) // 2
    return jnp.pad(window, (before, n_fft - length - before))


def stft(
    x,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
):
    """The spectrum (..., frequency, frame) of windows of n_fft samples, every hop_length (n_fft // 4) along the last axis."""
    hop = n_fft // 4 if hop_length is None else hop_length
    modes = {"replicate": "edge", "circular": "wrap"}
    if center:
        x = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)], mode=modes.get(pad_mode, pad_mode))
    starts = np.arange(0, x.shape[-1] - n_fft + 1, hop)
    frames = x[..., starts[:, None] + np.arange(n_fft)]
    real = not jnp.iscomplexobj(x) and (window is None or not jnp.iscomplexobj(window))
    frames = frames * analysis_window(n_fft, win_length, window, x.dtype)
    transform = jnp.fft.rfft if onesided or (onesided is None and real) else jnp.fft.fft
    return transform(frames, norm="ortho" if normalized else "backward").mT


def istft(
    spectrum,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    length=None,
    return_complex=False,
):
    """The signal whose stft this is: frames added where they overlap, over the sum of the squared windows."""
    hop = n_fft // 4 if hop_length is None else hop_length
    if return_complex:
        frames = jnp.fft.ifft(spectrum.mT, norm="ortho" if normalized else "backward")
    else:
        half = spectrum[..., : n_fft // 2 + 1, :]
        frames = jnp.fft.irfft(half.mT, n_fft, norm="ortho" if normalized else "backward")
    window = analysis_window(n_fft, win_length, window, jnp.real(frames).dtype)
    places = np.arange(frames.shape[-2])[:, None] * hop + np.arange(n_fft)
    total = places[-1, -1] + 1
    signal = jnp.zeros((*frames.shape[:-2], total), frames.dtype).at[..., places].add(frames * window)
    weight = jnp.zeros(total, window.dtype).at[places].add(jnp.broadcast_to(window * window, places.shape))
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - start
    signal = signal[..., start:end] / weight[start:end]
    return (
        signal if length is None else jnp.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(0, length - signal.shape[-1])])
    )
