"""Every pair of golden/ and examples/: the tool's own output, clean as text, and equal to torch when it runs."""

from __future__ import annotations

import ast
import functools
import textwrap
from pathlib import Path

import golden_files
import pytest
import torch
from golden_files import EXAMPLES, GOLDEN, name, without_inputs
from jaxtwin.transpile.diagnostics import Severity, render
from jaxtwin.transpile.project import find_settings, twin_path
from jaxtwin.transpile.rules import load
from jaxtwin.verify.comparison import Check, Scale, compare_leaf
from jaxtwin.verify.equivalence import compare_call
from jaxtwin.verify.examples import Example, evaluate, find
from jaxtwin.verify.lowering import PLATFORMS, is_jitted, lower
from jaxtwin.verify.modules import Pair, load_pair

SOURCES = golden_files.sources()
BOOK = load()


def by_name(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("source", [pytest.param(path, id=name(path)) for path in paths])


@functools.cache
def pair_of(source: Path) -> Pair:
    return load_pair(source, Path(twin_path(source)), find_settings(source).x64)


# As text -------------------------------------------------------------------------------------------------------------


@by_name(SOURCES)
def test_the_twin_is_what_the_tool_writes(source: Path) -> None:
    text, diagnostics = golden_files.written(source)
    found = Path(twin_path(source)).read_text(encoding="utf-8")
    errors = [render(diagnostic) for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
    assert not errors, "\n".join(errors)
    assert without_inputs(found) == without_inputs(text), "run: pytest --rewrite-golden"
    assert golden_files.written(source)[0] == text, "writing it twice gives two texts"


@by_name(SOURCES)
def test_the_twin_is_clean(source: Path) -> None:
    assert golden_files.static_problems(Path(twin_path(source))) == []


@by_name(golden_files.refused())
def test_the_refusal_is_what_the_tool_says(source: Path) -> None:
    said = golden_files.refusal(source)
    assert said, "the tool has nothing to say about this file"
    assert source.with_suffix(".txt").read_text(encoding="utf-8") == said, "run: pytest --rewrite-golden"


def test_no_twin_is_left_over() -> None:
    expected = {Path(twin_path(source)) for source in SOURCES}
    assert {path for folder in (GOLDEN, EXAMPLES) for path in folder.rglob("*_jax.py")} == expected
    texts = {source.with_suffix(".txt") for source in golden_files.refused()}
    assert set(GOLDEN.rglob("*.txt")) == texts


# As programs ---------------------------------------------------------------------------------------------------------


def examples_of(source: Path) -> tuple[Example, ...]:
    return find(source.read_text(encoding="utf-8"))


def problems_of(pair: Pair, example: Example) -> list[str]:
    """What is wrong with the twin on one example: values, shapes, dtypes, gradients, and lowering if it is jitted."""
    case = evaluate(example, pair.original)
    problems = [str(check) for check in compare_call(pair, case).failures]
    if is_jitted(getattr(pair.twin, case.function)):
        try:
            exported = lower(pair, case)
            assert exported.platforms == PLATFORMS
        except Exception as error:  # whatever jax raises is a finding
            problems.append(f"does not lower: {type(error).__name__}: {error}")
    return problems


EVERY_EXAMPLE = [
    pytest.param(source, example, id=f"{name(source)}::{example.name}")
    for source in SOURCES
    for example in examples_of(source)
]


@pytest.mark.parametrize(("source", "example"), EVERY_EXAMPLE)
def test_the_twin_equals_torch(source: Path, example: Example) -> None:
    problems = problems_of(pair_of(source), example)
    assert not problems, f"{name(source)}:{example.line}: {example.call}\n" + "\n".join(problems)


@by_name(SOURCES)
def test_the_module_level_values_equal_torchs(source: Path) -> None:
    pair = pair_of(source)
    scale = Scale.of([])
    for key, value in vars(pair.original).items():
        if isinstance(value, torch.Tensor):
            check = compare_leaf(value, getattr(pair.twin, key), pair.x64, scale, Check("module", "", key))
            assert check.ok, str(check)


@by_name([source for source in SOURCES if GOLDEN in source.parents])
def test_every_public_function_has_an_example(source: Path) -> None:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    public = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
    assert public - {example.function for example in examples_of(source)} == set()


# All rules -----------------------------------------------------------------------------------------------------------


def lines_of_rules(unsupported: bool) -> dict[str, str]:
    """Where the rules stand, with their texts."""
    every = [rule for key in BOOK.names() for rule in BOOK.rules(key)]
    return {rule.location: rule.text for rule in every if bool(rule.unsupported) == unsupported}


@pytest.mark.parametrize("unsupported", [False, True], ids=["translated", "refused"])
def test_every_rule_is_fired_by_a_golden_file(unsupported: bool) -> None:
    files = golden_files.refused() if unsupported else SOURCES
    fired = frozenset[str]().union(*(golden_files.rules_fired(path) for path in files))
    silent = {place: text for place, text in lines_of_rules(unsupported).items() if place not in fired}
    assert not silent, "\n".join(f"{place}: {text}" for place, text in silent.items())


# These tests can fail ------------------------------------------------------------------------------------------------

ORIGINAL = """
    import torch

    # torch2jax: example f(torch.tensor([0.0, 0.0]), torch.tensor([1, 2]))
    def f(x, n):
        return x.norm() - 1, n.sum()
"""
TWIN = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def f(x, n):
        square = jnp.sum(x * x)
        zero = square == 0
        return jnp.where(zero, 0.0, jnp.sqrt(jnp.where(zero, 1.0, square))) - 1, jnp.sum(n)
"""


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (("", ""), ""),
        (("- 1, ", "+ 1, "), "expected -1.0, got 1.0"),
        (("jnp.sum(n)", "jnp.sum(n) * 1.0"), "expected dtype int32, got float32"),
        (("jnp.where(zero, 1.0, square)", "square"), "gradient (jit) x: expected 0.0, got nan"),
        (("jnp.sum(n)", "n[n > 0].sum()"), "does not lower: NonConcreteBooleanIndexError"),
    ],
    ids=["equal", "sign", "dtype", "nan-gradient", "lowering"],
)
def test_a_wrong_twin_is_found(tmp_path: Path, change: tuple[str, str], found: str) -> None:
    source, twin = tmp_path / "m.py", tmp_path / "m_jax.py"
    source.write_text(textwrap.dedent(ORIGINAL))
    twin.write_text(textwrap.dedent(TWIN.replace(*change) if found else TWIN))
    (example,) = examples_of(source)
    problems = problems_of(load_pair(source, twin), example)
    assert bool(problems) == bool(found)
    assert any(found in problem for problem in problems) or not found, problems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import jax\n\nx = jax\n", ""),
        ("import jax\n", "F401"),
        ("import torch\n\nx = torch.pi\n", "imports torch"),
        ("from jaxtwin.transpile import ops\n\nx = ops\n", "imports jaxtwin"),
        ("x = (\n", "does not parse"),
    ],
)
def test_a_twin_that_is_not_clean_is_found(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "m_jax.py").write_text(text)
    problems = golden_files.static_problems(tmp_path / "m_jax.py")
    assert bool(problems) == bool(found)
    assert found in "\n".join(problems)
