"""One leaf of torch's result against the twin's: type, shape, dtype, values.

Tolerances follow the dtype and the length of the sums that may stand behind a value. Rounding errors of a sum of n
terms grow like sqrt(n), so what :data:`TOLERANCES` allows for one operation is multiplied by sqrt(n), where n is the
larger of: how many elements of the largest tensor in the call there are to one element of this leaf, and the longest
axis of any tensor in the call (a matrix product sums over an axis and keeps the size). An error is allowed up to
``absolute + relative * |expected|``. Integers, booleans, infinities and NaN must be equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np
import torch

from .trees import Values, dtype_name, to_numpy


@dataclass(frozen=True)
class Tolerance:
    """Largest error that is rounding: relative to the expected value, plus absolute."""

    relative: float
    absolute: float

    def scaled(self, terms: float) -> Tolerance:
        """What a sum of so many terms may be off by."""
        factor = math.sqrt(max(terms, 1.0))
        return Tolerance(self.relative * factor, self.absolute * factor)


EXACT = Tolerance(0.0, 0.0)
TOLERANCES = {
    "float64": Tolerance(1e-10, 1e-12),
    "complex128": Tolerance(1e-10, 1e-12),
    "float32": Tolerance(1e-5, 1e-6),
    "complex64": Tolerance(1e-5, 1e-6),
    "float16": Tolerance(2e-3, 1e-4),
    "bfloat16": Tolerance(1.6e-2, 1e-3),
}


@dataclass(frozen=True)
class Check:
    """One comparison: ``stage`` (forward, gradient, caller) in ``mode`` (eager, jit) at ``place``.

    ``problem`` is empty when they agree. ``expected`` and ``actual`` name types (``float32[8, 3]``); the errors are the
    largest over all elements, ``worst`` the index of the element that exceeds its tolerance by the largest factor.
    """

    stage: str
    mode: str
    place: str
    problem: str = ""
    expected: str = ""
    actual: str = ""
    max_absolute: float = 0.0
    max_relative: float = 0.0
    worst: tuple[int, ...] | None = None
    tolerance: Tolerance = EXACT

    @property
    def ok(self) -> bool:
        return not self.problem

    def __str__(self) -> str:
        verdict = self.problem or f"max error {self.max_absolute:.2g} absolute, {self.max_relative:.2g} relative"
        return f"{self.stage} ({self.mode}) {self.place}: {verdict}"


@dataclass(frozen=True)
class Scale:
    """The sizes of the tensors of a call, from which the length of a sum is estimated."""

    largest: int
    longest_axis: int

    @staticmethod
    def of(shapes: Iterable[tuple[int, ...]]) -> Scale:
        every = list(shapes)
        return Scale(max(map(math.prod, every), default=1), max((size for shape in every for size in shape), default=1))

    def terms(self, size: int) -> float:
        """How many terms the sum behind one element of a leaf with ``size`` elements may have."""
        return max(self.largest / max(size, 1), self.longest_axis)


def describe(value: Any) -> str:
    """``float32[8, 3]`` for a tensor or an array; the type's name for anything else."""
    if isinstance(value, (torch.Tensor, jax.Array, np.ndarray)):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return type(value).__name__


def compare_leaf(expected: Any, actual: Any, x64: bool, scale: Scale, label: Check) -> Check:
    """The verdict on one leaf; ``label`` carries stage, mode and place."""
    label = replace(label, expected=describe(expected), actual=describe(actual))
    if isinstance(expected, np.ndarray):  # of Tensor.numpy: the twin's must be one of numpy's as well
        if not isinstance(actual, np.ndarray):
            return replace(label, problem=f"expected an array of numpy, got {describe(actual)}")
        expected = torch.from_numpy(expected)
    if isinstance(expected, torch.Tensor):
        problem = _tensor_problem(expected, actual, x64)
        if problem:
            return replace(label, problem=problem)
        tolerance = TOLERANCES.get(dtype_name(expected.dtype, x64), EXACT).scaled(scale.terms(expected.numel()))
        return _compare_values(to_numpy(expected), _as_numpy(actual), tolerance, label)
    if isinstance(expected, (bool, int, float, complex)):
        return _compare_number(expected, actual, x64, scale, label)
    return replace(label, problem=_object_problem(expected, actual, x64))


def _tensor_problem(expected: torch.Tensor, actual: Any, x64: bool) -> str:
    if not isinstance(actual, (jax.Array, np.ndarray)):
        return f"expected an array, got {describe(actual)}"
    if tuple(actual.shape) != tuple(expected.shape):
        return f"expected shape {list(expected.shape)}, got {list(actual.shape)}"
    dtype = dtype_name(expected.dtype, x64)
    return "" if str(actual.dtype) == dtype else f"expected dtype {dtype}, got {actual.dtype}"


def _compare_number(expected: complex, actual: Any, x64: bool, scale: Scale, label: Check) -> Check:
    """A Python number, which jit turns into a 0-d array of the same sort."""
    array = np.asarray(actual)
    kind = {bool: "b", int: "iu", float: "fV", complex: "c"}[type(expected)]
    if array.shape != () or array.dtype.kind not in kind:
        return replace(label, problem=f"expected {expected!r}, got {describe(actual)}")
    name = {float: "float64", complex: "complex128"}.get(type(expected), "")
    name = name if x64 else name.replace("64", "32").replace("128", "64")
    tolerance = TOLERANCES.get(name, EXACT).scaled(scale.terms(1))
    return _compare_values(np.asarray(expected), _as_numpy(actual), tolerance, label)


def _object_problem(expected: Any, actual: Any, x64: bool) -> str:
    """Anything that is no number: dtypes by name, functions and classes by name, the rest by equality."""
    if isinstance(expected, torch.dtype):
        same = dtype_name(expected, x64) == str(np.dtype(actual))
    elif callable(expected):
        same = callable(actual)
    else:
        same = expected == actual
    return "" if same else f"expected {expected!r}, got {actual!r}"


def _as_numpy(array: Any) -> Values:
    """The array with a dtype that numpy itself knows; jax's bfloat16 as float32, exactly."""
    plain: Values = np.asarray(array)
    return plain.astype(np.float32) if plain.dtype.kind == "V" else plain


def _compare_values(expected: Values, actual: Values, tolerance: Tolerance, label: Check) -> Check:
    if expected.size == 0:
        return replace(label, tolerance=tolerance)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    left, right = (expected, actual) if tolerance == EXACT else (expected.astype(wide), actual.astype(wide))
    error = _errors(left, right)
    magnitude = np.where(np.isfinite(left), np.abs(left.astype(wide)), 0.0)
    allowed = tolerance.absolute + tolerance.relative * magnitude
    excess = np.where(error == 0, 0.0, error / np.maximum(allowed, np.finfo(np.float64).tiny))
    worst = tuple(int(index) for index in np.unravel_index(np.argmax(excess), excess.shape))
    relative = np.where(error == 0, 0.0, error / np.maximum(magnitude, np.finfo(np.float64).tiny))
    problem = "" if excess[worst] <= 1 else _value_problem(expected, actual, worst, float(allowed[worst]))
    return replace(
        label,
        problem=problem,
        max_absolute=float(error.max()),
        max_relative=float(relative.max()),
        worst=worst,
        tolerance=tolerance,
    )


def _errors(expected: Values, actual: Values) -> Values:
    """Absolute errors; 0 where both are NaN or the same infinity, infinite where only one is."""
    same = (expected == actual) | ((expected != expected) & (actual != actual))
    with np.errstate(invalid="ignore", over="ignore"):
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        error = np.abs(expected.astype(wide) - actual.astype(wide))
    if expected.dtype.kind in "iub":  # integers beyond 2**53 differ although their doubles do not
        error = np.maximum(error, 1.0)
    error = np.where(np.isfinite(error), error, np.inf)
    errors: Values = np.where(same, 0.0, error)
    return errors


def _value_problem(expected: Values, actual: Values, worst: tuple[int, ...], allowed: float) -> str:
    where = f" at {list(worst)}" if worst else ""
    return f"expected {expected[worst]!s}, got {actual[worst]!s}{where} (allowed error {allowed:.2g})"
