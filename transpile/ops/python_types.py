"""What Python code asks of values that JAX traces."""

from __future__ import annotations

from typing import Any

import jax


def is_array(x: Any) -> bool:
    """Whether x is an array, and not a Python number that is traced: that is a weakly typed scalar."""
    return isinstance(x, jax.Array) and not (isinstance(x, jax.core.Tracer) and x.weak_type and x.ndim == 0)


def is_instance(x: Any, kinds: Any) -> bool:
    """``isinstance`` for a number that may be traced: a Python number is then a weakly typed scalar array."""
    if not isinstance(x, jax.core.Tracer) or not x.weak_type:
        return isinstance(x, kinds)
    return issubclass({"f": float, "i": int, "c": complex}[x.dtype.kind], kinds)
