"""Local names to qualified ones."""

from __future__ import annotations

import libcst as cst
import pytest
from jaxtwin.transpile import kinds as k
from jaxtwin.transpile.kinds import Kind
from jaxtwin.transpile.names import alias_name, builtin, canonical, dotted, imported, is_torch, member, qualified_kind
from transpiled import rules

CANONICAL = [
    ("torch.sum", "torch.sum"), ("torch.functional.einsum", "torch.einsum"), ("torch.Tensor.add", "Tensor.add"),
    ("torch.Tensor", "torch.Tensor"), ("torch._tensor.Tensor", "torch.Tensor"), ("torch.types.Tensor", "torch.Tensor"),
    ("torch._C._nn.gelu", "torch.nn.functional.gelu"), ("torch.nn.modules.module.Module", "torch.nn.Module"),
    ("torch.nn.functional", "torch.nn.functional"), ("numpy.sum", "numpy.sum"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), CANONICAL)
def test_canonical(name: str, expected: str) -> None:
    assert canonical(name) == expected


KINDS = [
    ("torch", "module"), ("torch.nn", "module"), ("torch.nn.functional", "module"), ("torch.linalg", "module"),
    ("torch.nn.utils.rnn", "module"), ("torch.sum", "function"), ("torch.float32", "function"),
    ("torch.Tensor", "class"), ("torch.nn.Parameter", "class"), ("torch.Size", "class"), ("torch.FloatTensor", "class"),
    ("torch.autograd.Function", "class"), ("torch.nn.functional.relu", "function"), ("torch.no_such_thing", "function"),
    ("math.pi", "float"), ("math.sqrt", "function"), ("numpy.pi", "float"), ("typing.Optional", "class"),
    ("scipy.optimize", "unknown"), ("numpy.ndarray", "function"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "family"), KINDS)
def test_what_a_qualified_name_stands_for(name: str, family: str) -> None:
    kind = qualified_kind(rules(), name)
    assert kind.name == family
    assert family == "float" or kind.detail == name


def test_members() -> None:
    assert member(rules(), Kind("module", detail="torch.nn"), "functional") == Kind(
        "module", detail="torch.nn.functional"
    )
    assert member(rules(), Kind("class", detail="torch.Tensor"), "add") == Kind("function", detail="Tensor.add")
    assert member(rules(), Kind("class", detail="Mine"), "add").name == "unknown"


IMPORTS = [
    ("import torch", [("torch", "torch")]), ("import torch as t", [("t", "torch")]),
    ("import torch.nn as nn", [("nn", "torch.nn")]), ("import torch.nn.functional", [("torch", "torch")]),
    ("import a, b.c as d", [("a", "a"), ("d", "b.c")]),
    ("from torch import sin, cos as c", [("sin", "torch.sin"), ("c", "torch.cos")]),
    ("from . import a", [("a", ".a")]), ("from .b import a", [("a", ".b.a")]),
    ("from ..b.c import a as d", [("d", "..b.c.a")]), ("from .. import a", [("a", "..a")]), ("from torch import *", []),
    ("from torch import (a,\n  b)", [("a", "torch.a"), ("b", "torch.b")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_what_imports_bind(source: str, expected: list[tuple[str, str]]) -> None:
    line = cst.parse_statement(source)
    assert isinstance(line, cst.SimpleStatementLine)
    statement = line.body[0]
    assert isinstance(statement, cst.Import | cst.ImportFrom)
    assert list(imported(statement)) == expected


def test_builtins() -> None:
    assert builtin("None") == k.NONE
    assert builtin("True") == k.literal(True)
    assert builtin("int") == Kind("class", detail="builtins.int")
    assert builtin("len") == Kind("function", detail="builtins.len")
    assert builtin("no_such_name") == k.UNKNOWN


def test_dotted_names() -> None:
    assert [dotted(cst.parse_expression(text)) for text in ("a", "a.b.c", "a().b", "a[0].b", "(a).b")] == [
        "a",
        "a.b.c",
        "",
        "",
        "a.b",
    ]
    assert dotted(None) == ""
    assert alias_name(cst.ImportAlias(cst.Name("a"), cst.AsName(cst.Name("b")))) == "b"
    assert alias_name(cst.ImportAlias(cst.Name("a"))) == ""


def test_what_is_torch() -> None:
    assert [
        is_torch(name) for name in ("torch", "torch.sum", "Tensor.add", "torchvision.ops", "mytorch", "Tensor")
    ] == [True, True, True, False, False, False]
