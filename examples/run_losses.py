"""Runs the twins of losses.py: each value and the norm of its gradient. Needs jax only.

Where torch is installed the originals run as well: the largest difference, and how much longer a call of theirs takes.

python examples/run_losses.py
"""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import jax
import jax.numpy as jnp
import losses_jax
import numpy as np

try:
    import losses
    import torch
except ImportError:  # the twins need neither
    torch = None

CALLS = 15  # of each side, in turn
Arrays = tuple[np.ndarray, ...]
Call = Callable[[], tuple[float, np.ndarray]]


def cases() -> Iterator[tuple[str, Arrays, dict]]:
    """A function of losses.py, its arrays (the first is differentiated), and what else it is called with."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    def integers(below: int, *shape: int) -> np.ndarray:
        return rng.integers(below, size=shape)

    yield "focal_loss", (normal(64, 20), integers(2, 64, 20).astype(np.float32)), {}
    yield "dice_loss", (normal(4, 5, 32, 32), integers(5, 4, 32, 32)), {"ignore_background": True}
    yield "ssim", (rng.random((2, 3, 32, 32), np.float32), rng.random((2, 3, 32, 32), np.float32)), {}
    yield "info_nce", (normal(64, 32), normal(64, 32)), {}
    yield "batch_hard_triplet_loss", (normal(64, 32), integers(8, 64)), {"margin": 0.3}
    yield "dpo_loss", (normal(64), normal(64), normal(64), normal(64)), {"label_smoothing": 0.1}
    yield "gae", (normal(16, 8), normal(16, 8), integers(4, 16, 8) == 0, normal(8)), {}
    yield "discounted_returns", (normal(16, 8), np.ones((16, 8), np.float32)), {"normalize": False}
    yield "masked_huber", (normal(64, 32), normal(64, 32), integers(2, 64, 32) == 1), {}
    yield "gaussian_kl", (normal(64, 16), normal(64, 16)), {}
    yield "sequence_loss", (normal(8, 16, 100), integers(100, 8, 16), integers(16, 8) + 1), {}
    yield "next_token_loss", (normal(8, 16, 100), integers(100, 8, 16)), {"ignore_index": 0}


def scalar(result):
    """What is differentiated: the loss, which comes first where there are several results, and by its mean square."""
    first = result[0] if isinstance(result, tuple) else result
    return first if first.ndim == 0 else (first**2).mean()


def by_jax(function: Callable, arrays: Arrays) -> Call:
    """Value and gradient by the twin, compiled."""
    compiled = jax.jit(jax.value_and_grad(lambda *arguments: scalar(function(*arguments))))
    arguments = [jnp.asarray(array) for array in arrays]

    def call() -> tuple[float, np.ndarray]:
        value, gradient = compiled(*arguments)
        return float(value), np.asarray(gradient)

    return call


def by_torch(function: Callable, arrays: Arrays) -> Call:
    """Value and gradient by torch's autograd."""
    first, *others = (torch.from_numpy(array) for array in arrays)

    def call() -> tuple[float, np.ndarray]:
        leaf = first.clone().requires_grad_()
        value = scalar(function(leaf, *others))
        value.backward()
        return value.item(), leaf.grad.numpy()

    return call


def seconds(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def difference(one: tuple[float, np.ndarray], other: tuple[float, np.ndarray]) -> float:
    """The largest difference of the values and of the gradients."""
    return max(abs(one[0] - other[0]), np.abs(one[1] - other[1]).max())


def main() -> None:
    if torch is not None:
        torch.set_num_threads(1)  # threads that wait for a busy machine would slow torch down many times over
    for name, arrays, keywords in cases():
        twin = by_jax(partial(getattr(losses_jax, name), **keywords), arrays)
        value, gradient = found = twin()
        print(f"{name:24} {value:11.6f}  gradient {np.linalg.norm(gradient):.6f}", end="")
        if torch is not None:
            original = by_torch(partial(getattr(losses, name), **keywords), arrays)
            expected = original()
            apart = difference(found, expected)
            times = [(seconds(original), seconds(twin)) for _ in range(CALLS)]
            slower = statistics.median(a for a, _ in times) / statistics.median(b for _, b in times)
            print(f"  torch {expected[0]:11.6f}  differs by {apart:.1e}  torch / jax {slower:.1f}", end="")
            assert apart < 1e-5 * max(1.0, abs(value)), name
        print(flush=True)


if __name__ == "__main__":
    main()
