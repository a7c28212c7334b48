"""What torch does with one call: results, gradients, warnings, and which arguments it changes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .arguments import Arguments
from .trees import leaves


class OriginalError(RuntimeError):
    """The torch function itself raised on the arguments of the case; there is nothing to compare."""


@dataclass(frozen=True)
class Reference:
    """One run of the torch function.

    result:      what it returned
    cotangents:  a random cotangent for every floating tensor in the result, by place
    gradients:   their pullback to every floating tensor argument, by place (zeros where torch has None)
    mutated:     places of arguments that were written to in place and are not returned
    replaced:    what containers among the arguments hold afterwards, where that changed
    warned:      messages of the warnings raised
    notes:       what could not be determined, and why
    """

    result: Any
    cotangents: dict[str, torch.Tensor]
    gradients: dict[str, torch.Tensor]
    mutated: tuple[str, ...]
    replaced: dict[str, Any]
    warned: frozenset[str]
    notes: tuple[str, ...] = ()


def is_differentiable(value: Any) -> bool:
    """Whether torch could differentiate with respect to a value: a floating or complex tensor."""
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def run_torch(function: Callable[..., Any], arguments: Arguments, seed: int = 0) -> Reference:
    """Run and differentiate the torch function. Raises OriginalError when it raises."""
    try:
        return _Call(function, arguments, differentiable=True, seed=seed).reference()
    except OriginalError as error:
        note = f"torch cannot differentiate this call: {error}"
    return _Call(function, arguments, differentiable=False, seed=seed).reference(note)


class _Call:
    """A run of the function on copies of the arguments, made at construction."""

    def __init__(self, function: Callable[..., Any], arguments: Arguments, differentiable: bool, seed: int) -> None:
        self.arguments, self.differentiable, self.seed = arguments, differentiable, seed
        self.originals: dict[str, Any] = {}
        self.passed: dict[str, Any] = {}
        args, kwargs = arguments.changed(self._copy)
        with warnings.catch_warnings(record=True) as caught, torch.random.fork_rng(devices=[]):
            warnings.simplefilter("always")
            torch.manual_seed(seed)
            try:
                self.result = function(*args, **kwargs)
            except Exception as error:
                raise OriginalError(f"{type(error).__name__}: {error}") from error
        self.warned = frozenset(str(warning.message) for warning in caught)
        self.after = arguments.places_in(args, kwargs)

    def _copy(self, place: str, leaf: Any) -> Any:
        """A copy to pass. It is no leaf of autograd's graph, so that the function may write into it."""
        if isinstance(leaf, torch.Tensor):
            self.originals[place] = leaf.detach().clone()
            if self.differentiable and is_differentiable(leaf):
                self.originals[place].requires_grad_()
            leaf = self.originals[place].clone()
        elif isinstance(leaf, np.ndarray):
            self.originals[place] = leaf
            leaf = leaf.copy()
        self.passed[place] = leaf
        return leaf

    def reference(self, *notes: str) -> Reference:
        outputs = {place: leaf for place, leaf in leaves(self.result, "result") if isinstance(leaf, torch.Tensor)}
        cotangents, gradients = {}, {}
        if self.differentiable:
            try:
                cotangents = self._cotangents(outputs)
                gradients = self._gradients(outputs, cotangents)
            except RuntimeError as error:
                cotangents, notes = {}, (*notes, f"torch has no gradient here: {error}")
        return Reference(
            self.result, cotangents, gradients, self._mutated(outputs), self._replaced(), self.warned, notes
        )

    def _cotangents(self, outputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        generator = torch.Generator().manual_seed(self.seed)
        return {
            place: torch.randn(output.shape, generator=generator, dtype=_wide(output.dtype)).to(output.dtype)
            for place, output in outputs.items()
            if is_differentiable(output)
        }

    def _gradients(
        self, outputs: dict[str, torch.Tensor], cotangents: dict[str, torch.Tensor]
    ) -> dict[str, torch.Tensor]:
        inputs = {place: value for place, value in self.originals.items() if is_differentiable(value)}
        places = [place for place in cotangents if outputs[place].requires_grad]
        results: tuple[torch.Tensor | None, ...] = (None,) * len(inputs)
        if places and inputs:
            results = torch.autograd.grad(
                [outputs[place] for place in places],
                list(inputs.values()),
                [cotangents[place] for place in places],
                allow_unused=True,
            )
        pairs = zip(inputs.items(), results, strict=True)
        return {place: torch.zeros_like(value) if grad is None else grad for (place, value), grad in pairs}

    def _mutated(self, outputs: dict[str, torch.Tensor]) -> tuple[str, ...]:
        returned = {_identity(output) for output in outputs.values()}
        return tuple(
            place
            for place, before in self.originals.items()
            if not _equal(before, self.passed[place])
            and not (isinstance(before, torch.Tensor) and _identity(self.passed[place]) in returned)
        )

    def _replaced(self) -> dict[str, Any]:
        missing = object()
        return {place: leaf for place, leaf in self.after.items() if self.passed.get(place, missing) is not leaf}


def _wide(dtype: torch.dtype) -> torch.dtype:
    """A dtype that randn can draw in."""
    return dtype if dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128) else torch.float32


def _identity(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Equal for two tensors that are the same elements of the same memory."""
    return tensor.data_ptr(), tuple(tensor.shape), tensor.stride()


def _equal(before: Any, after: Any) -> bool:
    """Same shape and elements, NaN included."""
    if isinstance(before, np.ndarray):
        return bool(np.array_equal(before, after, equal_nan=before.dtype.kind in "fc"))
    if before.shape != after.shape:
        return False
    same = (before == after) | ((before != before) & (after != after))
    return bool(same.all())
