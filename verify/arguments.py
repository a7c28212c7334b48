"""The arguments of one call, with a name for every tensor in them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from .examples import Case
from .trees import leaves, rebuild


class Arguments:
    """Arguments of a case. Every leaf has a place, such as ``pairs[0]`` or ``batch['mask']``."""

    def __init__(self, function: Callable[..., Any], case: Case) -> None:
        """Raises TypeError when the arguments do not fit the function's signature."""
        signature = inspect.signature(function)
        signature.bind(*case.args, **case.kwargs)
        names = _positional_names(signature, len(case.args))
        self._args = list(zip(names, case.args, strict=True))
        self._kwargs = dict(case.kwargs)

    def leaves(self) -> Iterator[tuple[str, Any]]:
        """All leaves with their places."""
        for name, value in [*self._args, *self._kwargs.items()]:
            yield from leaves(value, name)

    def changed(self, change: Callable[[str, Any], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """New arguments to call with, in new containers: every leaf replaced by ``change(place, leaf)``."""
        args = tuple(rebuild(value, change, name) for name, value in self._args)
        return args, {name: rebuild(value, change, name) for name, value in self._kwargs.items()}

    def places_in(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The leaves of arguments made by :meth:`changed`, as they are now, by place."""
        named = [*zip((name for name, _ in self._args), args, strict=True), *kwargs.items()]
        return {place: leaf for name, value in named for place, leaf in leaves(value, name)}


def _positional_names(signature: inspect.Signature, count: int) -> list[str]:
    """Names of the first ``count`` positional arguments; those of ``*args`` are ``args[0]``, ``args[1]``, ..."""
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{index}]" for index in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return names[:count]
