"""One call of a torch function and of its twin, compared: values, gradients, and what happens to the arguments.

The twin runs twice: eagerly (``jax.disable_jit()``) and as it is written, jitted. Gradients are those of a seeded
random cotangent with respect to every floating tensor among the arguments, also inside tuples, lists and dicts. A
result that torch does not differentiate (``detach``, ``no_grad``) must have gradient zero in the twin.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

from .arguments import Arguments
from .comparison import Check, Scale, compare_leaf
from .examples import Case
from .modules import Pair
from .reference import Reference, is_differentiable, run_torch
from .trees import argument_to_jax, leaves, shape_of, to_jax

MODES = ("eager", "jit")


@dataclass(frozen=True)
class Report:
    """All comparisons of one call. ``notes`` says what could not be compared and why."""

    case: Case
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.ok)

    def __str__(self) -> str:
        lines = [f"{self.case.name}: {'equal' if self.ok else 'DIFFERENT'}"]
        lines += [f"  {check}" for check in (self.failures or self.checks)]
        return "\n".join(lines + [f"  note: {note}" for note in self.notes])


def compare_call(pair: Pair, case: Case, seed: int = 0) -> Report:
    """Run the function of a case and its twin, and compare them in both modes.

    Raises OriginalError when the torch function raises. Whatever the twin raises becomes a failed check.
    """
    function = getattr(pair.original, case.function)
    arguments = Arguments(function, case)
    reference = run_torch(function, arguments, seed)
    checks: list[Check] = [
        Check("caller", "torch", place, "torch changes this argument in place and does not return it")
        for place in reference.mutated
    ]
    with jax.enable_x64(pair.x64):
        for mode in MODES:
            checks += _Twin(pair, case, arguments, reference, mode).checks()
    return Report(case, tuple(checks), reference.notes)


class _Twin:
    """The twin's side of a comparison, in one mode."""

    def __init__(self, pair: Pair, case: Case, arguments: Arguments, reference: Reference, mode: str) -> None:
        self.pair, self.arguments, self.reference, self.mode = pair, arguments, reference, mode
        self.function = getattr(pair.twin, case.function)
        self.scale = Scale.of(_shapes(arguments, reference))

    def checks(self) -> Iterator[Check]:
        """Forward comparisons, and gradients where the results are comparable at all."""
        forward = list(self._guarded("forward", self._forward))
        yield from forward
        if self.reference.cotangents and all(check.ok or check.worst is not None for check in forward):
            yield from self._guarded("gradient", self._gradient)

    def _guarded(self, stage: str, run: Callable[[], list[Check]]) -> list[Check]:
        """The checks of a stage, run in this mode; an exception or a warning of the twin's own is a failed check."""
        modes = jax.disable_jit() if self.mode == "eager" else contextlib.nullcontext()
        with modes, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                checks = run()
            except Exception as error:  # the twin is what is being tested: nothing it raises may stop the others
                return [self._label(stage, "result", f"raised {type(error).__name__}: {error}")]
        messages = {str(warning.message) for warning in caught} - self.reference.warned
        return checks + [self._label(stage, "result", f"warned: {message}") for message in sorted(messages)]

    def _label(self, stage: str, place: str, problem: str = "") -> Check:
        return Check(stage, self.mode, place, problem)

    def _convert(self, place: str, leaf: Any) -> Any:
        return argument_to_jax(leaf, self.pair.original, self.pair.twin, self.pair.x64)

    def _forward(self) -> list[Check]:
        args, kwargs = self.arguments.changed(self._convert)
        actual = self.function(*args, **kwargs)
        expected = self.reference.result
        checks = self._compare("forward", expected, actual, "result")
        after = self.arguments.places_in(args, kwargs)
        for place, leaf in self.reference.replaced.items():
            checks += self._compare("caller", leaf, after.get(place), place)
        return checks

    def _compare(self, stage: str, expected: Any, actual: Any, root: str) -> list[Check]:
        if shape_of(expected) != shape_of(actual):
            problem = f"expected the nesting {shape_of(expected)}, got {shape_of(actual)}"
            return [self._label(stage, root, problem)]
        actual_leaves = [leaf for _, leaf in leaves(actual)]
        return [
            compare_leaf(leaf, other, self.pair.x64, self.scale, self._label(stage, place))
            for (place, leaf), other in zip(leaves(expected, root), actual_leaves, strict=True)
        ]

    def _gradient(self) -> list[Check]:
        inputs = {place: leaf for place, leaf in self.arguments.leaves() if is_differentiable(leaf)}
        arrays = {place: to_jax(leaf, self.pair.x64) for place, leaf in inputs.items()}
        _, pullback = jax.vjp(self._differentiated, arrays)
        # torch's gradient of a complex value is the conjugate of jax's.
        cotangents = [jnp.conj(to_jax(value, self.pair.x64)) for value in self.reference.cotangents.values()]
        (gradients,) = pullback(cotangents)
        return [
            compare_leaf(
                expected, jnp.conj(gradients[place]), self.pair.x64, self.scale, self._label("gradient", place)
            )
            for place, expected in self.reference.gradients.items()
        ]

    def _differentiated(self, arrays: dict[str, jax.Array]) -> list[jax.Array]:
        """The floating results as a function of the floating arguments."""
        args, kwargs = self.arguments.changed(
            lambda place, leaf: arrays[place] if place in arrays else self._convert(place, leaf)
        )
        names = [place for place, _ in leaves(self.reference.result, "result")]
        actual = dict(zip(names, (leaf for _, leaf in leaves(self.function(*args, **kwargs))), strict=True))
        return [actual[place] for place in self.reference.cotangents]


def _shapes(arguments: Arguments, reference: Reference) -> Iterator[tuple[int, ...]]:
    every = [leaf for _, leaf in arguments.leaves()] + [leaf for _, leaf in leaves(reference.result)]
    for leaf in every:
        if isinstance(leaf, (torch.Tensor, np.ndarray)):
            yield tuple(leaf.shape)
