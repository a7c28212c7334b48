"""Fourier transforms."""

import torch


# torch2jax: example signals(torch.randn(3, 8))
def signals(x):
    spectrum = torch.fft.rfft(x)
    return (
        spectrum, torch.fft.irfft(spectrum, n=8), torch.fft.fft(x, norm="ortho"), torch.fft.ifft(spectrum, n=6, dim=0, norm="forward"),
        torch.fft.rfft(x, dim=0, norm="ortho"), torch.fft.irfft(spectrum), torch.fft.fft(x, 5), torch.fft.hfft(spectrum), torch.fft.ihfft(x),
    )  # fmt: skip


# torch2jax: example images(torch.randn(2, 4, 6))
def images(x):
    spectrum = torch.fft.rfft2(x)
    return (
        spectrum, torch.fft.irfft2(spectrum, s=x.shape[-2:]), torch.fft.fft2(x, norm="ortho"), torch.fft.ifft2(spectrum, dim=(0, 1)),
    )  # fmt: skip


# torch2jax: example volumes(torch.randn(2, 4, 6))
def volumes(x):
    return (
        torch.fft.fftn(x), torch.fft.ifftn(x, s=(2, 2), dim=(1, 2)), torch.fft.rfftn(x, dim=(0, 2)), torch.fft.irfftn(x, norm="ortho"),
    )  # fmt: skip


# torch2jax: example unscaled(torch.randn(4, 6))
def unscaled(x):
    return torch.fft.irfftn(x, norm="forward")


# torch2jax: example frequencies(torch.randn(4), 6, 0.1)
def frequencies(x, n: int, d: float):
    return (
        torch.fft.fftfreq(n), torch.fft.rfftfreq(n, d=0.5), torch.fft.fftfreq(n, d), torch.fft.fftshift(x), torch.fft.ifftshift(x, dim=0),
    )  # fmt: skip


# torch2jax: example convolved(torch.randn(16), torch.randn(5))
def convolved(signal, kernel):
    """A convolution through the frequency domain."""
    n = signal.shape[-1] + kernel.shape[-1] - 1
    return torch.fft.irfft(torch.fft.rfft(signal, n=n) * torch.fft.rfft(kernel, n=n), n=n)


# torch2jax: example spectrogram(torch.randn(2, 64))
def spectrogram(audio):
    window = torch.hann_window(16, device=audio.device)
    frames = torch.stft(audio, 16, hop_length=4, window=window, return_complex=True)
    return frames.abs() ** 2, torch.istft(frames * 0.5, n_fft=16, hop_length=4, window=window, length=64)


# torch2jax: example frames(torch.randn(40))
def frames(audio):
    narrow = audio.stft(8, win_length=6, center=False, normalized=True, window=torch.ones(6), return_complex=True)
    return narrow, torch.stft(audio, n_fft=8, window=torch.ones(8), pad_mode="constant", onesided=False, return_complex=True)


# torch2jax: example windows(6)
def windows(n: int):
    return (
        torch.hann_window(n), torch.hann_window(n, periodic=False), torch.hamming_window(n), torch.hamming_window(n, False, alpha=0.5, beta=0.5),
        torch.blackman_window(n), torch.bartlett_window(n, periodic=False), torch.kaiser_window(n), torch.kaiser_window(n, False, beta=3.0, dtype=torch.float16),
    )  # fmt: skip
