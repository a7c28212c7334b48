"""Devices, memory and modes of running: what has no meaning in JAX vanishes or is known."""

from typing import Optional

import torch
import torch.distributed as dist
from torch import Tensor

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _best_device():
    if torch.cuda.is_available() and torch.cuda.device_count() > 0 and torch.cuda.is_initialized():
        return torch.device("cuda:0")
    if torch.backends.mps.is_available() and torch.backends.mps.is_built() or torch.mps.is_available():
        return torch.device("mps")
    return torch.device("xpu" if torch.xpu.is_available() else "cpu")


# torch2jax: example placed(torch.randn(2, 3))
def placed(x: Tensor, device: Optional[torch.device] = None):
    device = device if device is not None else x.device
    weight = torch.ones(3, device=device).to(DEVICE)
    y = x.to(device) * weight.to(device=x.device, dtype=x.dtype)
    y = y.to(device, non_blocking=True).to("cpu", torch.float16)
    return y, x.cpu().pin_memory() if x.is_cuda else x.cpu()


# torch2jax: example moved(torch.randn(3))
def moved(x):
    y = torch.zeros_like(x, device=_best_device()) + x.to(DEVICE)
    if y.is_cuda or y.is_mps or y.is_xpu or y.is_meta or y.get_device() >= 0:
        y = y.cuda()
    return y if y.is_cpu and not y.is_sparse and not y.is_quantized and not y.is_nested else y.to_dense()


# torch2jax: example dense(torch.randn(3))
def dense(x, on_gpu: bool = False):
    if on_gpu:
        x = x.pin_memory().cuda(0)
        return x.cuda(non_blocking=True).half() if torch.cuda.is_bf16_supported() or torch.cuda.is_current_stream_capturing() else x
    return x.to_dense().exp()


# torch2jax: example laid_out(torch.randn(2, 3, 4, 4))
def laid_out(x):
    if not x.is_contiguous():
        x = x.contiguous()
    y = x.contiguous(memory_format=torch.channels_last)
    z = torch.empty_like(x, memory_format=torch.contiguous_format, layout=torch.strided)
    z[...] = y
    return z.clone(memory_format=torch.preserve_format) if not x.is_pinned() else x


# torch2jax: example compiled(torch.randn(3))
def compiled(x):
    if torch.jit.is_scripting() or torch.jit.is_tracing() or torch.onnx.is_in_onnx_export():
        return x
    if torch.compiler.is_compiling() or torch.compiler.is_dynamo_compiling() or torch.compiler.is_exporting():
        return x * 0
    if torch.is_inference_mode_enabled() or x.is_inference() or x.is_conj() or x.is_neg() or x.is_distributed():
        return -x
    if torch.is_autocast_enabled() or torch.is_autocast_cpu_enabled() or torch.are_deterministic_algorithms_enabled():
        return x.half()
    if torch.is_deterministic_algorithms_warn_only_enabled():
        return x.abs()
    return x * 2


# torch2jax: example tracked(torch.randn(3, requires_grad=True))
def tracked(x: Tensor):
    if not x.requires_grad:
        x.requires_grad_()
    if torch.is_grad_enabled():
        scale = x.detach().abs().max()
        return x / scale
    return x


# torch2jax: example like(torch.randn(3), torch.arange(2))
# torch2jax: example like(torch.randn(3), torch.randn(2).half())
def like(x, other):
    """The dtype of another tensor, or whatever else `to` is given."""
    return x.to(other) * 2


# torch2jax: example detached(torch.randn(3), torch.randn(3))
def detached(x, y):
    gap = (x - y.detach()).pow(2) + x.data * y
    return gap, torch.detach(x) * x


# torch2jax: example kept(torch.randn(3))
def kept(x):
    y = x.clone().requires_grad_()
    return y * torch.positive(x), +x


# torch2jax: example on_one_process(torch.randn(3))
def on_one_process(x):
    if dist.is_available() and dist.is_initialized():
        dist.all_reduce(x)
    if torch.backends.cuda.is_built() or torch.backends.cudnn.is_available():
        return x * 3
    return x.exp()


# torch2jax: example tuned(torch.randn(2, 3, 4, 4))
def tuned(x, timed: bool = False):
    """Settings and waiting: nothing is left of them."""
    if timed:
        torch.set_num_threads(1)
        torch.use_deterministic_algorithms(False)
        torch.cuda.set_device(0)
        torch.cuda.empty_cache()
    y = x.contiguous(memory_format=torch.channels_last) * 2
    z = torch.zeros_like(y, layout=y.layout).to(memory_format=torch.channels_last_3d if y.dim() == 5 else None)
    if timed:
        y.retain_grad()
        torch.cuda.synchronize()
    return y + z


# torch2jax: example available(torch.randn(2))
def available(x):
    """No part of a condition that is known to be false without a look at the rest."""
    if dist.is_initialized() or torch.cuda.is_initialized() or torch.backends.mps.is_built():
        return x * 2
    return x * 3 if torch.cuda.device_count() else x


# torch2jax: example versioned(torch.randn(2, 3))
def versioned(x: Tensor):
    """The version is that of the torch whose behaviour the rules describe. What numpy gets is not compiled."""
    if int(torch.__version__.split(".")[0]) < 2:
        raise RuntimeError(f"torch {torch.__version__} is too old")
    return (x * 2).detach().cpu().numpy()
