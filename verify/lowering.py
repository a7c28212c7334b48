"""Whether a jitted twin compiles for other machines: lowered here for cpu, cuda and tpu, which needs none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.export

from .arguments import Arguments
from .examples import Case
from .modules import Pair
from .trees import argument_to_jax

PLATFORMS = ("cpu", "cuda", "tpu")


def is_jitted(function: Any) -> bool:
    """Whether a function of a twin is the result of ``jax.jit``."""
    return isinstance(function, jax.stages.Wrapped)


def lower(pair: Pair, case: Case, platforms: Sequence[str] = PLATFORMS) -> jax.export.Exported:
    """Lower the jitted twin of a case for all platforms at once, at the shapes and dtypes of the case.

    Raises what jax raises when the function cannot be traced or has no lowering on one of them, and TypeError when the
    twin is not jitted.
    """
    function = getattr(pair.twin, case.function)
    if not is_jitted(function):
        raise TypeError(f"{case.function} is not jitted")
    arguments = Arguments(getattr(pair.original, case.function), case)
    with jax.enable_x64(pair.x64):
        args, kwargs = arguments.changed(lambda _, leaf: argument_to_jax(leaf, pair.original, pair.twin, pair.x64))
        return jax.export.export(function, platforms=platforms)(*args, **kwargs)
