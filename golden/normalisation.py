"""Normalisation over features, groups, batches and instances."""

import torch
import torch.nn.functional as F


# torch2jax: example layer(torch.randn(2, 5, 4), torch.rand(4), torch.randn(4))
# torch2jax: example layer(torch.randn(2, 5, 4), torch.rand(4), torch.randn(4), eps=0.1)
def layer(x, weight, bias, eps: float = 1e-5):
    y = F.layer_norm(x, (x.size(-1),), weight, bias, eps)
    return y, F.layer_norm(x, x.shape[1:]), torch.layer_norm(x, [4], weight, bias)


# torch2jax: example half_precision(torch.randn(2, 8).half())
def half_precision(x: torch.Tensor):
    """Statistics are taken in float32, the result is half again."""
    return F.layer_norm(x, (8,)), F.rms_norm(x, (8,)), F.group_norm(x, 2)


# torch2jax: example root_mean_square(torch.randn(2, 5, 4), torch.rand(4))
def root_mean_square(x, weight):
    return F.rms_norm(x, (4,), weight=weight, eps=1e-6), torch.rms_norm(x, (5, 4))


# torch2jax: example group(torch.randn(2, 6, 4), torch.rand(6), torch.randn(6))
# torch2jax: example group(torch.randn(3, 6, 2, 2), torch.rand(6), torch.randn(6))
def group(x, weight, bias):
    return F.group_norm(x, 3, weight, bias, eps=1e-3), torch.group_norm(x, 2, weight)


# torch2jax: example batch(torch.randn(4, 3, 5), torch.randn(3), torch.rand(3), torch.rand(3), torch.randn(3))
def batch(x, mean, var, weight, bias):
    mean, var = mean.detach(), var.detach()
    y = F.batch_norm(x, mean, var, weight=weight, bias=bias, eps=1e-3)
    z = F.batch_norm(x, mean, var, None, None, False, 0.1, 1e-5)
    return y, z, torch.batch_norm(x, weight, bias, mean, var, False, 0.1, 1e-5, True)


# torch2jax: example batch_statistics(torch.randn(4, 3, 5), torch.rand(3), torch.randn(3))
def batch_statistics(x, weight, bias):
    """No running statistics: nothing to update."""
    y = F.batch_norm(x, None, None, weight, bias, training=True)
    return y, torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False)


# torch2jax: example instance(torch.randn(2, 3, 5), torch.rand(3), torch.randn(3), torch.randn(3), torch.rand(3))
def instance(x, weight, bias, mean, var):
    y = F.instance_norm(x, weight=weight, bias=bias)
    z = F.instance_norm(x, mean.detach(), var.detach(), weight, bias, use_input_stats=False)
    return y, z, F.instance_norm(x, eps=0.1)


# torch2jax: example response(torch.randn(2, 6, 5), torch.randn(2, 6, 3, 3))
def response(x, image):
    return F.local_response_norm(x, 3), F.local_response_norm(image, size=4, alpha=0.1, beta=0.5, k=2.0)
