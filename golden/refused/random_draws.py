"""Random numbers drawn inside."""

import torch
import torch.nn.functional as F


def noisy(x, sigma):
    return x + sigma * torch.randn_like(x)


def made(n):
    return torch.rand(n), torch.randn(n, 2), torch.randint(0, 10, (n,)), torch.randperm(n), torch.normal(0.0, 1.0, (n,))


def alike(x):
    return torch.rand_like(x), torch.randint_like(x, 10)


def sampled(p, n):
    return torch.bernoulli(p), torch.bernoulli(p, 0.5), torch.multinomial(p, n), torch.poisson(p), torch.binomial(p, p)


def by_method(p):
    return p.bernoulli(), p.multinomial(2, replacement=True)


def dropped(x):
    return (
        torch.dropout(x, 0.5, True), torch.alpha_dropout(x, 0.5, True), torch.feature_dropout(x, 0.5, True),
        torch.feature_alpha_dropout(x, 0.5, True), torch.native_dropout(x, 0.5, True), torch.rrelu(x),
    )  # fmt: skip


def in_place(x):
    y = torch.empty_like(x)
    y.uniform_(-1, 1)
    y.normal_()
    y.random_(10)
    y.exponential_()
    y.cauchy_()
    y.log_normal_()
    y.geometric_(0.5)
    y.bernoulli_(0.5)
    return y


def seeded(x, seed):
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    state = torch.get_rng_state()
    torch.set_rng_state(state)
    generator = torch.Generator()
    return x, generator, torch.initial_seed(), torch.seed(), torch.default_generator


def projected(x):
    return torch.svd_lowrank(x), torch.pca_lowrank(x)


def dropped(x, training: bool):
    """Dropout in training draws; switched off it is nothing."""
    x = F.dropout1d(x) + F.dropout2d(x, 0.1) + F.dropout3d(x, 0.1, training) + F.alpha_dropout(x, training=True)
    return F.feature_alpha_dropout(x, 0.1, True) + F.rrelu(x, training=True) + F.gumbel_softmax(x)


def pooled(x):
    x = F.fractional_max_pool2d(x, 2, output_size=1) + F.fractional_max_pool3d(x, 2, output_size=1)
    return F.fractional_max_pool2d_with_indices(x, 2, output_size=1), F.fractional_max_pool3d_with_indices(x, 2, output_size=1)


def attended(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return F.scaled_dot_product_attention(q, k, v, dropout_p=0.1)


def source(x):
    return x, torch.default_generator
