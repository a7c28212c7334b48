"""Line breaks and comments between the arguments of a call survive its rewriting."""

from __future__ import annotations

import ast

import pytest
from transpiled import definitions, twin

SPREAD = [
    ("torch.cat(\n        [x, x],\n        dim=1,\n    )", "jnp.concatenate(\n        [x, x],\n        axis=1,\n    )"),
    ("torch.cat(\n        [x, x], dim=1\n    )", "jnp.concatenate(\n        [x, x], axis=1\n    )"),
    ("torch.cat([x, x],\n              dim=1)", "jnp.concatenate([x, x], axis=1)"),
    ("torch.cat(  # join\n        [x, x],  # twice\n        dim=1,  # along\n    )",
     "jnp.concatenate(  # join\n        [x, x],  # twice\n        axis=1,  # along\n    )"),
    ("torch.cat(\n        # first\n        [x, x],\n        # second\n        dim=1,\n    )",
     "jnp.concatenate(\n        # first\n        [x, x],\n        # second\n        axis=1,\n    )"),
    ("x.sum(\n        dim=1,  # rows\n        keepdim=True,\n    )",
     "jnp.sum(\n        x,\n        axis=1,  # rows\n        keepdims=True,\n    )"),
    ("torch.stack([\n        x,  # one\n        x.sin(),  # two\n    ])",
     "jnp.stack([\n        x,  # one\n        jnp.sin(x),  # two\n    ])"),
    ("torch.stack(\n        [\n            x,\n            torch.sin(x),\n        ],\n        dim=0,\n    )",
     "jnp.stack(\n        [\n            x,\n            jnp.sin(x),\n        ],\n        axis=0,\n    )"),
    ("(\n        x.sin()  # a\n        + x.cos()  # b\n    )",
     "(\n        jnp.sin(x)  # a\n        + jnp.cos(x)  # b\n    )"),
    ("x.sin() + \\\n        x.cos()", "jnp.sin(x) + \\\n        jnp.cos(x)"),
    ("{\n        'a': x.sin(),  # a\n        **{'b': x},\n    }",
     "{\n        'a': jnp.sin(x),  # a\n        **{'b': x},\n    }"),
    ("print(\n        x.sin(),  # mine\n        sep='',\n    )",
     "print(\n        jnp.sin(x),  # mine\n        sep='',\n    )"),
    ("torch.sum( x,dim = 1 )", "jnp.sum(x, axis=1)"),
    ("[\n        t.sin()\n        for t in x  # each\n        if t.ndim\n    ]",
     "[\n        jnp.sin(t)\n        for t in x  # each\n        if t.ndim\n    ]"),
    ("lambda t: torch.sum(\n        t,  # it\n    )", "lambda t: jnp.sum(\n        t,  # it\n    )"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SPREAD)
def test_spread_over_lines(before: str, after: str) -> None:
    body = definitions(f"def f(x: torch.Tensor):\n    y = {before}\n    return y\n")
    assert f"    y = {after}\n" in body


CALLS = [
    "torch.clamp(\n        x,  # in\n        min=0,  # low\n        max=1,  # high\n    )",
    "x.view(\n        2,  # rows\n        3,  # columns\n    )",
    "x.permute(\n        1,\n        0,\n    )",
    "torch.zeros(\n        2,  # a\n        3,  # b\n        device='cpu',  # here\n    ) + x",
    "torch.add(\n        x,\n        x,\n        alpha=2,\n    )",
    "F.gelu(\n        x,  # in\n        approximate='tanh',  # how\n    )",
    "x.to(\n        torch.float16,\n        non_blocking=True,  # fast\n    )",
]


@pytest.mark.parametrize("call", CALLS)
def test_whatever_becomes_of_the_arguments_it_is_python(call: str) -> None:
    ast.parse(twin(f"def f(x: torch.Tensor):\n    return {call}\n"))


def test_a_chain_in_parentheses() -> None:
    body = definitions(
        "def f(x: torch.Tensor):\n    return (\n        x\n        .sin()  # one\n        .sum(dim=0)  # two\n    )\n"
    )
    ast.parse(body)
    assert "    # one\n    # two\n    return jnp.sum(jnp.sin(x), axis=0)\n" in body


def test_a_comment_whose_place_is_gone_stands_above() -> None:
    body = definitions(
        "def f(x: torch.Tensor):\n    # first\n    y = torch.cat([x, x],  # both\n                  dim=0)  # last\n"
        "    if (x.sum()  # all\n            .ndim == 0):\n        y = y.sin()\n    return y\n"
    )
    assert "    # first\n    # both\n    y = jnp.concatenate([x, x], axis=0)  # last\n    # all\n    if " in body


def test_lines_stay_within_the_limit_that_the_source_keeps() -> None:
    """Names grow: a line that was within 120 columns is still, or is spread over several."""
    names = ", ".join(f"x.to(torch.float16).sum(dim={i}, keepdim=True)" for i in range(2))
    result = "first.long(), second.float(), first.bool(), second.half(), first.int(), second.short()"
    source = f"def f(x: torch.Tensor):\n    first, second = {names}\n    return {result}\n"
    assert max(map(len, source.split("\n"))) <= 120
    assert max(map(len, definitions(source).split("\n"))) <= 120
