"""Example calls that stand as comments above a function, and their arguments.

The line ``# torch2jax: example rotate(torch.randn(8, 3), angle=0.5)`` belongs right above ``def rotate(coord, angle)``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch

MARK = "# torch2jax: example "


class ExampleError(ValueError):
    """An example comment that is no call of its function, or whose evaluation raised. The message has the line."""


@dataclass(frozen=True)
class Example:
    """One example as text. ``line`` is that of the comment, counting from 1; ``index`` counts within the function."""

    function: str
    call: str
    line: int
    index: int

    @property
    def name(self) -> str:
        return f"{self.function}-{self.index}"


@dataclass(frozen=True)
class Case:
    """One call with concrete torch arguments."""

    name: str
    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def find(source: str) -> tuple[Example, ...]:
    """All examples of the top-level functions of a source text, in order. Reads the text only.

    Raises SyntaxError when the source does not parse, ExampleError when a comment is no call of the function below it.
    """
    lines = source.splitlines()
    found: list[Example] = []
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            comments = _comments_above(lines, node)
            calls = _calls(comments, node.name)
            found += [Example(node.name, call, line, index) for index, (line, call) in enumerate(calls)]
    return tuple(found)


def _comments_above(lines: list[str], node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[int, str]]:
    """The unbroken block of comment lines above a def and its decorators, with line numbers."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    above = first - 1
    while above > 0 and lines[above - 1].startswith("#"):
        above -= 1
    return [(number + 1, lines[number]) for number in range(above, first - 1)]


def _calls(comments: list[tuple[int, str]], function: str) -> list[tuple[int, str]]:
    """The example calls in a block of comments, with their lines. Raises ExampleError for what is no such call."""
    calls = [(line, comment.removeprefix(MARK).strip()) for line, comment in comments if comment.startswith(MARK)]
    for line, text in calls:
        try:
            expression = ast.parse(text, mode="eval").body
        except SyntaxError as error:
            raise ExampleError(f"line {line}: the example is no expression ({error.msg}): {text}") from None
        name = expression.func if isinstance(expression, ast.Call) else None
        if not (isinstance(name, ast.Name) and name.id == function):
            raise ExampleError(f"line {line}: the example must be a call of {function}: {text}")
    return calls


def evaluate(example: Example, module: ModuleType, seed: int = 0) -> Case:
    """The arguments of an example, evaluated with torch seeded and the globals of the module it stands in.

    Raises ExampleError when the evaluation raises.
    """
    captured: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    capture: Callable[..., None] = lambda *args, **kwargs: captured.append((args, kwargs))  # noqa: E731
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            eval(example.call, {"torch": torch, **vars(module), example.function: capture})
        except Exception as error:
            raise ExampleError(f"line {example.line}: {example.call}: {type(error).__name__}: {error}") from error
    args, kwargs = captured[-1]
    return Case(example.name, example.function, args, kwargs)
