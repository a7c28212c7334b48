"""The file does not parse."""

import torch


def f(x:
    return torch.sin(x)
