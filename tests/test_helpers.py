"""Copies of helpers: each with what it calls, once, in order, under free names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from jaxtwin.transpile import helpers
from jaxtwin.transpile.helpers import Copied, copy_helpers, exists
from transpiled import executed, rules

HEADER = """\
from __future__ import annotations

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np


"""


@pytest.fixture
def ops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of helpers in the place of transpile/ops."""
    monkeypatch.setattr(helpers, "FOLDER", tmp_path)
    for cache in (helpers._sources, helpers._file_of, helpers._parsed):
        cache.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> None:
    for cache in (helpers._sources, helpers._file_of, helpers._parsed):
        cache.cache_clear()


def lay(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.py").write_text(HEADER + text)


def names(copied: Copied) -> list[str]:
    return [node.name for block in copied.blocks for node in ast.parse(block).body if isinstance(node, ast.FunctionDef)]


def test_dependencies_come_first_and_once(ops: Path) -> None:
    lay(
        ops,
        "a",
        "def low(x):\n    return x\n\n\ndef left(x):\n    return low(x)\n\n\n"
        "def right(x):\n    return low(x) + left(x)\n",
    )
    assert names(copy_helpers(["right", "left"], lambda name: f"_{name}")) == ["_low", "_left", "_right"]


def test_across_files_and_under_other_names(ops: Path) -> None:
    lay(ops, "a", "def low(x):\n    return math.floor(x)\n")
    lay(ops, "b", "from .a import low\nfrom .a import low as lower\n\n\ndef high(x):\n    return low(x) + lower(x)\n")
    copied = copy_helpers(["high"], {"low": "_low_2", "high": "_high"}.__getitem__)
    assert copied.blocks == (
        "def _low_2(x):\n    return math.floor(x)",
        "def _high(x):\n    return _low_2(x) + _low_2(x)",
    )
    assert copied.libraries == {"math": "import math"}


def test_libraries_are_those_used(ops: Path) -> None:
    lay(
        ops,
        "a",
        "@functools.partial(jax.jit, static_argnums=0)\ndef one(x):\n    return jnp.sin(np.pi)\n\n\n"
        "def two(x: jax.Array):\n    return x\n",
    )
    assert copy_helpers(["one"], str).libraries == {
        "functools": "import functools", "jax": "import jax", "jnp": "import jax.numpy as jnp",
        "np": "import numpy as np",
    }  # fmt: skip
    assert copy_helpers(["two"], str).libraries == {"jax": "import jax"}


CUSTOM = """@jax.custom_jvp
def absolute(x):
    return jnp.abs(x)


@absolute.defjvp
def absolute_jvp(primals, tangents):
    return absolute(*primals), sign(*primals) * tangents[0]


def sign(x):
    return jnp.sign(x)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, k):
    return x * k


def scaled_fwd(x, k):
    return scaled(x, k), None


def scaled_bwd(k, residual, g):
    return (g * FACTOR,)


FACTOR = 2.0
scaled.defvjp(scaled_fwd, scaled_bwd)
"""


def test_what_attaches_to_a_function_comes_with_it(ops: Path) -> None:
    lay(ops, "a", CUSTOM)
    copied = copy_helpers(["absolute", "scaled"], lambda name: f"_{name}")
    text = "\n\n\n".join(copied.blocks)
    program = "\n".join([*copied.libraries.values(), text])
    module = executed("twin", program)
    public = {name for name in vars(module) if not name.startswith("_")}
    assert public == set(copied.libraries)
    assert text.count("defjvp") == text.count("defvjp") == 1
    import jax

    assert jax.grad(module._absolute)(0.0) == 0.0
    assert jax.grad(module._scaled)(1.0, 3.0) == 2.0


def test_recursion_ends(ops: Path) -> None:
    lay(ops, "a", "def f(x):\n    return g(x) if x else f(x)\n\n\ndef g(x):\n    return f(x - 1)\n")
    assert sorted(names(copy_helpers(["f"], str))) == ["f", "g"]


def test_local_names_are_no_references(ops: Path) -> None:
    lay(
        ops, "a",
        "def norm(x):\n    return x\n\n\ndef one(x, norm=None):\n    return norm or x.norm\n\n\n"
        "def two(x):\n    norm = 3\n    return norm\n\n\ndef three(x):\n    return one(x, norm=norm(x))\n",
    )  # fmt: skip
    rename = "_{}".format
    assert copy_helpers(["one"], rename).blocks == ("def _one(x, norm=None):\n    return norm or x.norm",)
    assert copy_helpers(["two"], rename).blocks == ("def _two(x):\n    norm = 3\n    return norm",)
    assert copy_helpers(["three"], rename).blocks[-1] == "def _three(x):\n    return _one(x, norm=_norm(x))"


def test_text_outside_of_ascii_does_not_move_the_names(ops: Path) -> None:
    lay(ops, "a", "def low(x):\n    return x\n\n\ndef high(x):\n    '''é'''; return low(x), 'ü', low(x)\n")
    expected = "def _high(x):\n    '''é'''; return _low(x), 'ü', _low(x)"
    assert copy_helpers(["high"], "_{}".format).blocks[-1] == expected


def test_an_unknown_helper() -> None:
    assert exists("norm")
    assert not exists("no_such_helper")
    assert not exists("jnp")
    with pytest.raises(KeyError):
        copy_helpers(["no_such_helper"], str)


def every() -> list[str]:
    """The helpers that rules name."""
    import re

    book = rules()
    texts = [
        text
        for name in book.names()
        for rule in book.rules(name)
        for text in (*rule.expression, *(source for _, source in rule.members))
    ]
    return sorted({found for text in texts for found in re.findall(r"\bops\.(\w+)", text)})


@pytest.mark.parametrize("name", every())
def test_every_helper_of_the_rules_stands_alone(name: str) -> None:
    """With its imports and nothing else: every global name it uses is there."""
    copied = copy_helpers([name], lambda found: f"_{found}")
    tree = ast.parse("\n".join([*copied.libraries.values(), *copied.blocks]))
    code = compile(tree, name, "exec")
    module = executed("twin", "\n".join([*copied.libraries.values(), *copied.blocks]))
    missing = {
        used
        for used in _globals(code)
        if used not in vars(module) and used not in dir(__builtins__) and used not in __builtins__
    }  # type: ignore[operator]
    assert missing == set()
    assert all(label.startswith("_") for label in vars(module) if label not in copied.libraries)


def _globals(code: object) -> set[str]:
    import dis
    from types import CodeType

    assert isinstance(code, CodeType)
    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(_globals(constant) for constant in code.co_consts if isinstance(constant, CodeType)))
