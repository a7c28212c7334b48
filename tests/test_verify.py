"""verify/: what it calls equal, and that every sort of difference is found."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np
import pytest
import torch
from jaxtwin.verify.comparison import EXACT, TOLERANCES, Scale
from jaxtwin.verify.equivalence import Report, compare_call
from jaxtwin.verify.examples import Case, ExampleError, evaluate, find
from jaxtwin.verify.lowering import lower
from jaxtwin.verify.modules import Pair, load_pair
from jaxtwin.verify.reference import OriginalError

MakePair = Callable[..., Pair]
TORCH = "import torch\nimport torch.nn.functional as F\n\n"
JAX = "import functools\n\nimport jax\nimport jax.numpy as jnp\n\n"


@pytest.fixture
def make_pair(tmp_path: Path) -> MakePair:
    """Writes an original and a twin from the bodies given, and loads them."""

    def make(original: str, twin: str, x64: bool = False) -> Pair:
        source, generated = tmp_path / "m.py", tmp_path / "m_jax.py"
        source.write_text(TORCH + textwrap.dedent(original))
        generated.write_text(JAX + textwrap.dedent(twin))
        return load_pair(source, generated, x64)

    return make


def compare(pair: Pair, *args: object, **kwargs: object) -> Report:
    torch.manual_seed(0)
    return compare_call(pair, Case("case", "f", args, kwargs))


def only_problem(report: Report) -> str:
    """The one problem that all failed checks share, whatever the mode."""
    problems = {f"{check.stage} {check.place}: {check.problem}" for check in report.failures}
    assert len(problems) == 1, str(report)
    return problems.pop()


# What is equal -------------------------------------------------------------------------------------------------------


def test_equal_functions_are_equal_in_both_modes(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x, scale=2.0):\n    return (torch.sin(x) * scale).sum(dim=1)\n",
        "@jax.jit\ndef f(x, scale=2.0):\n    return jnp.sum(jnp.sin(x) * scale, axis=1)\n",
    )
    report = compare(pair, torch.randn(4, 7), scale=3.0)
    assert report.ok, str(report)
    assert [(check.stage, check.mode, check.place) for check in report.checks] == [
        ("forward", "eager", "result"),
        ("gradient", "eager", "x"),
        ("forward", "jit", "result"),
        ("gradient", "jit", "x"),
    ]
    forward = report.checks[0]
    assert (forward.expected, forward.actual) == ("float32[4]", "float32[4]")
    assert 0 <= forward.max_absolute < 1e-5
    assert forward.worst is not None


def test_nested_results_and_arguments(make_pair: MakePair) -> None:
    pair = make_pair(
        """
        def f(pair, batch):
            a, b = pair
            return {"sum": a + b, "rest": [batch["w"] * 2, None, a.shape[0]]}, a.max(0)
        """,
        """
        @jax.jit
        def f(pair, batch):
            a, b = pair
            return {"sum": a + b, "rest": [batch["w"] * 2, None, a.shape[0]]}, (a.max(0), jnp.argmax(a, 0))
        """,
    )
    report = compare(pair, (torch.randn(3), torch.randn(3)), {"w": torch.randn(2), "name": 3})
    assert report.ok, str(report)
    places = {check.place for check in report.checks if check.stage == "gradient"}
    assert places == {"pair[0]", "pair[1]", "batch['w']"}


def test_static_arguments_dtypes_and_functions_are_passed_on(make_pair: MakePair) -> None:
    pair = make_pair(
        """
        def double(x):
            return x * 2
        def f(x, mode, dtype, g):
            return g(x).to(dtype) if mode == "twice" else x
        """,
        """
        def double(x):
            return x * 2
        @functools.partial(jax.jit, static_argnames=("mode", "dtype", "g"))
        def f(x, mode, dtype, g):
            return g(x).astype(dtype) if mode == "twice" else x
        """,
    )
    assert compare(pair, torch.randn(3), "twice", torch.float16, g=pair.original.double).ok


def test_doubles_narrow_unless_x64(make_pair: MakePair) -> None:
    original = "def f(x):\n    return x.exp(), torch.arange(3)\n"
    twin = "@jax.jit\ndef f(x):\n    return jnp.exp(x), jnp.arange(3)\n"
    report = compare(make_pair(original, twin), torch.randn(3, dtype=torch.float64))
    assert report.ok, str(report)
    assert report.checks[0].actual == "float32[3]"
    report = compare(make_pair(original, twin, x64=True), torch.randn(3, dtype=torch.float64))
    assert report.ok, str(report)
    assert report.checks[0].actual == "float64[3]"
    assert not jax.enable_x64.value


def test_complex_gradients_follow_torchs_convention(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(z, w):\n    return z * z * w, (z.conj() * w).real\n",
        "@jax.jit\ndef f(z, w):\n    return z * z * w, (z.conj() * w).real\n",
    )
    assert compare(pair, torch.randn(4, dtype=torch.complex64), torch.randn(4)).ok


def test_half_precision(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x * 3\n", "@jax.jit\ndef f(x):\n    return x * 3\n")
    assert compare(pair, torch.randn(4, dtype=torch.bfloat16)).ok
    assert compare(pair, torch.randn(4, dtype=torch.float16)).ok


def test_writes_into_an_argument_that_is_returned(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    x[0] = 1.0\n    return x\n", "@jax.jit\ndef f(x):\n    x = x.at[0].set(1.0)\n    return x\n"
    )
    assert compare(pair, torch.randn(3)).ok


def test_matching_infinities_and_nans_are_equal(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x * 1\n", "@jax.jit\ndef f(x):\n    return x * 1\n")
    assert compare(pair, torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0])).ok
    assert compare(pair, torch.randn(0, 3)).ok


# What is different ---------------------------------------------------------------------------------------------------


def test_a_wrong_sign(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x - 1\n", "@jax.jit\ndef f(x):\n    return 1 - x\n")
    report = compare(pair, torch.tensor([0.0, 1.0]))
    first = report.failures[0]
    assert first.problem == "expected -1.0, got 1.0 at [0] (allowed error 1.6e-05)"
    assert (first.max_absolute, first.max_relative, first.worst) == (2.0, 2.0, (0,))
    assert {check.stage for check in report.failures} == {"forward", "gradient"}


def test_a_wrong_dtype(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x.sum()\n", "@jax.jit\ndef f(x):\n    return x.sum().astype(float)\n")
    assert only_problem(compare(pair, torch.ones(3, dtype=torch.int32))).endswith("expected dtype int32, got float32")


def test_a_wrong_shape_and_a_wrong_nesting(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x.sum(0)\n", "@jax.jit\ndef f(x):\n    return x.sum(0, keepdims=True)\n")
    assert only_problem(compare(pair, torch.ones(3))) == "forward result: expected shape [], got [1]"
    pair = make_pair("def f(x):\n    return x, x\n", "@jax.jit\ndef f(x):\n    return x\n")
    assert only_problem(compare(pair, torch.ones(3))).endswith("expected the nesting ('leaf', 'leaf'), got leaf")


def test_a_nan_gradient(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    return x.norm()\n", "@jax.jit\ndef f(x):\n    return jnp.sqrt(jnp.sum(jnp.square(x)))\n"
    )
    report = compare(pair, torch.zeros(3))
    assert {check.stage for check in report.failures} == {"gradient"}
    assert "expected 0.0, got nan" in report.failures[0].problem


def test_a_dropped_detach(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x.detach() * 2\n", "@jax.jit\ndef f(x):\n    return x * 2\n")
    assert only_problem(compare(pair, torch.ones(1))).startswith("gradient x: expected 0.0, got")


def test_only_the_jitted_twin_fails(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    return x if x.sum() > 0 else -x\n",
        "@jax.jit\ndef f(x):\n    return x if x.sum() > 0 else -x\n",
    )
    report = compare(pair, torch.ones(3))
    assert {check.mode for check in report.failures} == {"jit"}
    assert "raised TracerBoolConversionError" in report.failures[0].problem


def test_a_warning_of_the_twin(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    return x.double()\n", "@jax.jit\ndef f(x):\n    return x.astype(jnp.float64) * 1\n"
    )
    assert "warned: Explicitly requested dtype" in only_problem(compare(pair, torch.ones(3)))


def test_an_argument_that_torch_changes(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    x.mul_(2)\n    return x.sum()\n", "@jax.jit\ndef f(x):\n    return (x * 2).sum()\n"
    )
    problem = only_problem(compare(pair, torch.ones(3)))
    assert problem == "caller x: torch changes this argument in place and does not return it"


def test_a_container_that_torch_changes(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x, seen):\n    seen['x'] = x * 2\n    return x\n",
        "@jax.jit\ndef f(x, seen):\n    seen['x'] = x * 2\n    return x\n",
    )
    report = compare(pair, torch.ones(3), {"x": torch.zeros(3)})
    assert [(check.stage, check.mode, check.place) for check in report.failures] == [("caller", "jit", "seen['x']")]


def test_a_python_number_of_another_sort(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x.shape[0]\n", "@jax.jit\ndef f(x):\n    return x.shape[0] * 1.0\n")
    assert "expected 3, got float" in compare(pair, torch.ones(3)).failures[0].problem


def test_integers_are_compared_exactly(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x\n", "@jax.jit\ndef f(x):\n    return x + 1\n", x64=True)
    assert not compare(pair, torch.tensor([2**60])).ok


def test_the_original_raises(make_pair: MakePair) -> None:
    pair = make_pair("def f(x):\n    return x @ x\n", "@jax.jit\ndef f(x):\n    return x @ x\n")
    with pytest.raises(OriginalError, match="mat1 and mat2"):
        compare(pair, torch.ones(2, 3))


def test_what_torch_cannot_differentiate_is_noted(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x):\n    return torch.from_numpy(x.numpy()) * 2\n", "@jax.jit\ndef f(x):\n    return x * 2\n"
    )
    report = compare(pair, torch.ones(3))
    assert report.ok, str(report)
    assert "torch cannot differentiate this call" in report.notes[0]


# Tolerances ----------------------------------------------------------------------------------------------------------


def test_tolerances_grow_with_the_root_of_the_sum() -> None:
    scale = Scale.of([(100, 400), (3,)])
    assert scale.terms(100) == 400
    assert scale.terms(1) == 40_000
    assert Scale.of([]).terms(1) == 1
    assert TOLERANCES["float32"].scaled(400).absolute == pytest.approx(20e-6)
    assert EXACT.scaled(400) == EXACT


# Examples ------------------------------------------------------------------------------------------------------------

SOURCE = """
import torch

SIZE = 3

# A comment.
# torch2jax: example f(torch.randn(SIZE), k=2)
# torch2jax: example f(torch.zeros(1))
@torch.no_grad()
def f(x, k=1):
    return x * k


def g(x):
    return x
"""


def test_examples_are_found_and_evaluated(tmp_path: Path) -> None:
    first, second = find(SOURCE)
    assert (first.name, first.line, second.name, second.line) == ("f-0", 7, "f-1", 8)
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "m_jax.py").write_text("")
    module = load_pair(tmp_path / "m.py", tmp_path / "m_jax.py").original
    case, again = evaluate(first, module), evaluate(first, module)
    assert case.args[0].shape == (3,)
    assert case.kwargs == {"k": 2}
    assert torch.equal(case.args[0], again.args[0])
    assert evaluate(second, module).args[0].shape == (1,)


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("f(torch.ones(3)", "line 1: the example is no expression"),
        ("g(torch.ones(3))", "line 1: the example must be a call of f"),
        ("3", "line 1: the example must be a call of f"),
    ],
)
def test_examples_that_are_no_calls(comment: str, message: str) -> None:
    with pytest.raises(ExampleError, match=message):
        find(f"# torch2jax: example {comment}\ndef f(x):\n    return x\n")


# Modules and lowering ------------------------------------------------------------------------------------------------


def test_siblings_are_imported_and_forgotten(tmp_path: Path) -> None:
    for folder, factor in ("one", 1), ("two", 2):
        package = tmp_path / folder / "pack"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "base.py").write_text(f"FACTOR = {factor}\n")
        (package / "m.py").write_text("from .base import FACTOR\nfrom pack.base import FACTOR as AGAIN\n")
        (package / "m_jax.py").write_text("from .base import FACTOR\n")
    for folder, factor in ("one", 1), ("two", 2):
        package = tmp_path / folder / "pack"
        pair = load_pair(package / "m.py", package / "m_jax.py")
        assert {pair.original.FACTOR, pair.original.AGAIN, pair.twin.FACTOR} == {factor}
    assert "pack" not in sys.modules
    assert str(tmp_path / "one") not in sys.path


def test_a_twin_that_turns_on_64_bits_does_so_for_itself_only(make_pair: MakePair) -> None:
    twin = (
        'jax.config.update("jax_enable_x64", True)\nPI = jnp.asarray(3.25)\n\n@jax.jit\ndef f(x):\n    return x * PI\n'
    )
    pair = make_pair("def f(x):\n    return x * 3.25\n", twin, x64=True)
    assert pair.twin.PI.dtype == np.float64
    assert not jax.enable_x64.value
    assert compare(pair, torch.ones(3, dtype=torch.float64)).ok


def test_lowering_for_three_platforms(make_pair: MakePair) -> None:
    pair = make_pair(
        "def f(x, dim):\n    return x.sum(dim)\n",
        '@functools.partial(jax.jit, static_argnames=("dim",))\ndef f(x, dim):\n    return x.sum(dim)\n\n'
        "def g(x, dim):\n    return x\n",
    )
    assert lower(pair, Case("c", "f", (torch.ones(3, 2), 1), {})).platforms == ("cpu", "cuda", "tpu")
    pair.original.g = pair.original.f
    with pytest.raises(TypeError, match="g is not jitted"):
        lower(pair, Case("c", "g", (torch.ones(3, 2), 1), {}))
