"""Annotations: the kind that each promises, and how each is written in the twin."""

from __future__ import annotations

import pytest
from jaxtwin.transpile.analysis import analyse
from jaxtwin.transpile.kinds import Kind
from jaxtwin.transpile.settings import Settings
from transpiled import assert_same, executed, function, rules, twin

IMPORTS = """import typing
import typing as t
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Dict, Final, Annotated, List, Literal, Optional, Sequence, Tuple, Union

import jaxtyping as jt
import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import LongTensor, Size, Tensor


"""


def parameter(annotation: str, default: str = "") -> Kind:
    """The kind at entry of a parameter annotated so."""
    import libcst as cst

    tail = f" = {default}" if default else ""
    facts = analyse(cst.parse_module(f"{IMPORTS}def f(p: {annotation}{tail}):\n    return p\n"), rules(), Settings())
    (only,) = facts.functions.values()
    return only.parameters["p"]


PROMISES = [
    ("torch.Tensor", "tensor"), ("Tensor", "tensor"), ("'Tensor'", "tensor"), ("'torch.Tensor'", "tensor"),
    ("torch.nn.Parameter", "tensor"), ("LongTensor", "tensor[int]"), ("torch.BoolTensor", "tensor[bool]"),
    ("torch.FloatTensor", "tensor[float]"), ("torch.cuda.HalfTensor", "tensor[float]"), ("int", "int"),
    ("float", "float"), ("bool", "bool"), ("str", "str"), ("complex", "complex"), ("None", "none"), ("slice", "slice"),
    ("Size", "shape"), ("torch.dtype", "dtype"), ("torch.device", "device"), ("np.ndarray", "numpy"),
    ("Optional[Tensor]", "tensor | none"), ("Optional['Tensor']", "tensor | none"),
    ("'Optional[Tensor]'", "tensor | none"), ("Tensor | None", "tensor | none"), ("None | int", "none | int"),
    ("Union[Tensor, float]", "tensor | float"), ("t.Optional[t.Union[int, Tensor]]", "int | tensor | none"),
    ("int | Any", "unknown"), ("Any", "unknown"), ("Mine", "unknown"), ("object", "unknown"),
    ("Float[Tensor, 'b n']", "tensor[float]"), ("Int[Tensor, '...']", "tensor[int]"),
    ("jt.Bool[torch.Tensor, 'n']", "tensor[bool]"), ("list", "list"), ("List[int]", "list"), ("list[Tensor]", "list"),
    ("Tuple[int, Tensor]", "tuple"), ("tuple[int, ...]", "tuple"), ("Sequence[int]", "list"),
    ("dict[str, Tensor]", "dict"), ("Dict[str, Any]", "dict"), ("Callable[[Tensor], Tensor]", "function"),
    ("Callable", "function"), ("typing.Callable", "function"), ("Literal['a', 'b']", "str"),
    ("Literal[1, 'a']", "int | str"), ("Annotated[int, 'doc']", "int"), ("Final[float]", "float"),
    ("'not an ( annotation'", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "expected"), PROMISES)
def test_promises(annotation: str, expected: str) -> None:
    assert str(parameter(annotation)) == expected


def test_members_of_containers() -> None:
    assert str(parameter("List[Tensor]").element) == "tensor"
    assert [str(item) for item in parameter("Tuple[int, Tensor]").items or ()] == ["int", "tensor"]
    assert str(parameter("tuple[float, ...]").element) == "float"
    assert str(parameter("Dict[str, Tensor]").element) == "tensor"
    assert str(parameter("Optional[List[Tensor]]").alternatives[0].element) == "tensor"


RANKS = [
    ("'b n'", 2), ("''", 0), ("'3'", 1), ("'b #n ?c'", 3), ("'*b n'", None), ("'... n'", None), ("'#*b n'", None),
    ("'b n+1'", 2),
]  # fmt: skip


@pytest.mark.parametrize(("axes", "rank"), RANKS)
def test_axes_tell_the_rank(axes: str, rank: int | None) -> None:
    found = parameter(f"Float[Tensor, {axes}]").rank
    assert found == rank if rank is not None else not isinstance(found, int)


DEFAULTS = [
    ("int", "None", "int | none"), ("Tensor", "None", "tensor | none"), ("Optional[int]", "None", "int | none"),
    ("Any", "3", "int"), ("float", "1", "float"),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "default", "expected"), DEFAULTS)
def test_a_default_adds_what_it_is(annotation: str, default: str, expected: str) -> None:
    assert str(parameter(annotation, default)) == expected


WRITTEN = [
    ("torch.Tensor", "jax.Array"), ("Tensor", "jax.Array"), ("'Tensor'", "'jax.Array'"),
    ("\"torch.Tensor | None\"", "\"jax.Array | None\""), ("Optional[Tensor]", "Optional[jax.Array]"),
    ("Tensor | None", "jax.Array | None"), ("Dict[str, List[Tensor]]", "Dict[str, List[jax.Array]]"),
    ("Tuple[Tensor, ...]", "Tuple[jax.Array, ...]"), ("Mapping[str, Tensor]", "Mapping[str, jax.Array]"),
    ("Iterable[Tensor]", "Iterable[jax.Array]"), ("type[Tensor]", "type[jax.Array]"),
    ("Callable[[Tensor, int], Tensor]", "Callable[[jax.Array, int], jax.Array]"),
    ("LongTensor", "jax.Array"), ("torch.nn.Parameter", "jax.Array"), ("Size", "tuple"), ("torch.dtype", "jnp.dtype"),
    ("torch.device", "jax.Device"), ("Literal['a', 'Tensor']", "Literal['a', 'Tensor']"), ("int", "int"),
    ("np.ndarray", "np.ndarray"), ("torch.Generator", "object"), ("torch.nn.Module", "object"),
    ("Float[Tensor, 'b n']", "Float[Array, 'b n']"), ("Float[torch.Tensor, 'b n']", "Float[Array, 'b n']"),
    ("jt.Float[torch.Tensor, 'b n']", "jt.Float[Array, 'b n']"),
    ("Optional[Float[Tensor, 'b']]", "Optional[Float[Array, 'b']]"),
    ("'Float[Tensor, \"b\"]'", "'Float[jax.Array, \"b\"]'"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), WRITTEN)
def test_written(before: str, after: str) -> None:
    """As parameter, result and variable; and the twin can be imported."""
    source = (
        f"{IMPORTS}def f(p: {before}, x: Tensor) -> {before}:\n    q: {before} = p\n    print(q)\n    return x.sin()\n"
    )
    body = twin(source, bare=True)
    expected = f"def f(p: {after}, x: jax.Array) -> {after}:"
    assert "".join(expected.split()) in "".join(body.split()).replace(",)", ")")  # a long one is broken over lines
    assert f"    q: {after} = p" in body
    assert "torch" not in body
    executed("twin", body.replace("jax.Device", "object"))


def test_an_annotation_without_a_value() -> None:
    assert "    y: jax.Array\n" in twin(function("y: torch.Tensor; y = x.sin(); return y", "x"))


@pytest.mark.parametrize("annotation", ["Tensor | float", "float", "Any", "'Tensor'", "Union[int, Tensor]", "object"])
def test_promises_do_not_change_what_is_computed(annotation: str) -> None:
    source = "from typing import Any, Union\nfrom torch import Tensor\n\n\n" + function(
        "return torch.mul(x, s) + s", f"x: Tensor, s: {annotation}"
    )
    assert_same(source, "f(torch.randn(3), 2.0)")


def test_a_number_promised_and_a_tensor_passed() -> None:
    """Annotations of numbers are widely wrong: a 0-d tensor passed for a float does what the float does."""
    assert_same(
        function("return x.clamp(min=a) * a + a ** 2", "x: torch.Tensor, a: float"),
        "f(torch.randn(3), torch.tensor(0.5))",
    )


def test_a_class_of_torch_that_nobody_knows() -> None:
    """The twin must not name torch where Python evaluates an annotation."""
    source = (
        "from torch import nn\n\n\ndef f(x: torch.Tensor, m: nn.modules.container.Sequential = None)"
        " -> nn.no.such.Thing:\n    return x.sin()\n"
    )
    assert_same(source, "f(torch.randn(3))")
