"""What works on the graph that autograd records."""

import torch


def slope(x):
    x = x.detach().requires_grad_()
    y = (x**3).sum()
    (g,) = torch.autograd.grad(y, x)
    return g


def step(w: torch.Tensor, x):
    loss = (w * x).sum()
    loss.backward()
    torch.autograd.backward(loss)
    return w.grad


def looked_at(x):
    y = x * 2
    y.retain_grad()
    return y.grad_fn, y.is_leaf, y.retains_grad


def hooked(x):
    y = x * 2
    y.register_hook(lambda g: g * 2)
    y.register_post_accumulate_grad_hook(lambda t: None)
    return y


def optimised(w):
    optimizers = [torch.optim.SGD([w], lr=0.1), torch.optim.Adam([w]), torch.optim.AdamW([w])]
    return optimizers, torch.optim.Adagrad([w]), torch.optim.RMSprop([w]), torch.optim.LBFGS([w])
