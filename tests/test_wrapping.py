"""Long lines are broken as a formatter breaks them, and never change what they say."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import golden_files
import pytest
from jaxtwin.transpile import wrapping
from jaxtwin.transpile.project import twin_path
from jaxtwin.transpile.wrapping import limit_for, wrapped

STATEMENTS = [
    "y = _cross_entropy(jnp.reshape(logits, (-1, logits.shape[-1])), jnp.reshape(labels, (-1,)), label_smoothing=0.1)",
    "y = _layer_norm(hidden_states_of_the_block, (width,), weight=weight_of_the_norm, bias=b)",
    "return jax.nn.relu(alpha_beta), jax.nn.relu6(alpha_beta), jax.nn.silu(gamma_delta), jax.nn.elu(x)",
    "total = jnp.sum(jnp.where(mask, values, 0.0), axis=-1) / jnp.maximum(jnp.sum(mask, axis=-1), 1) + 1",
    "if jnp.ndim(x) == 2 and x.shape[0] == jnp.shape(y)[0] and x.shape[1] == jnp.shape(y)[1]:\n    pass",
    "while jnp.ndim(x) == 2 or x.shape[0] == jnp.shape(yyyyyyyyyyy)[0] or x.shape[1] == jnp.shape(y)[1]:\n    pass",
    "x = [jnp.sum(row_of_matrix) * 2 for row_of_matrix in zip(alpha_beta_gamma, delta_epsilon, zeta_eta)]",
    "x = {'first': jnp.sum(alpha_beta_gamma), 'second': jnp.mean(delta_epsilon), 'third': jnp.max(zeta)}",
    "out.append(jnp.concatenate([first_half_of_the_input, second_half_of_the_input, padding], axis=-1))",
    "z = z.at[..., 0].set(-jnp.sum(alpha_beta_gamma_delta) if condition else jnp.sum(zeta_eta_theta_iota))",
    "accumulated += jnp.where(mask_of_the_valid_ones, jnp.exp(log_probabilities - largest), 0.0) * weight",
    "def f(first_argument: jax.Array, second_argument: jax.Array, third: float = 1.0) -> jax.Array:\n    pass",
    "assert first_shape_of_the_input == second_shape_of_the_input, message_about(what_is_wrong, with_what)",
    "raise ValueError(f'expected {expected_number_of_columns} columns and found {jnp.shape(values)[-1]}')",
    "for index, (first, second) in enumerate(zip(alpha_beta_gamma_delta, epsilon_zeta_eta_theta, iota)):\n    pass",
    "a, b = jnp.split(projection_of_everything, 2, axis=-1)[0], jnp.split(projection_of_everything, 2, axis=-1)[1]",
    "value = first_thing_that_is_long @ second_thing_that_is_long - third_thing_that_is_long * fourth_thing",
    "return f(jnp.zeros((3,), dtype=the_dtype_of_the_result) + jnp.full((3,), 0.5, dtype=the_dtype_of_the_result), x)",
    "return f(first_thing, second_thing_that_is_long if condition_that_is_long else third_thing_that_is_longer_still, y)",
    "return (jnp.sum(alpha_beta_gamma_delta) + jnp.sum(epsilon_zeta_eta_theta) - jnp.sum(iota_kappa_lambda))",
]


def formatted(text: str) -> str:
    options = ["--isolated", "--line-length", "88", "--config", "format.quote-style='preserve'", "-"]
    command = [sys.executable, "-m", "ruff", "format", *options]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("statement", STATEMENTS)
def test_as_a_formatter_does(statement: str) -> None:
    text = "def outer():\n" + "\n".join("    " + line for line in statement.split("\n")) + "\n"
    assert max(map(len, text.split("\n"))) > 88
    assert wrapped(text, "", 88) == formatted(text)


@pytest.mark.parametrize("source", [pytest.param(path, id=golden_files.name(path)) for path in golden_files.sources()])
@pytest.mark.parametrize("limit", [40, 79])
def test_what_is_said_stays(source: Path, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The breaking checks this by itself, and leaves a text alone if not: here it must be right without."""
    monkeypatch.setattr(wrapping, "_says_the_same", lambda new, tree, touched: True)
    text = Path(twin_path(source)).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(wrapped(text, "", limit))) == ast.dump(ast.parse(text))


def test_a_text_that_would_say_something_else_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrapping, "_broken", lambda *arguments: ["x = ("])
    assert wrapped(f"x = {LONG}\n", "", 88) == f"x = {LONG}\n"


LONG = "jnp.sum(alpha_beta_gamma_delta_epsilon) + jnp.sum(zeta_eta_theta_iota_kappa) + jnp.sum(lambda_mu_nu)"


@pytest.mark.parametrize(
    "text",
    [
        f"'''A text.\n\n{LONG}\n'''\n",
        f"x = {LONG}  # fmt: skip\n",
        f"x = 1  # {LONG}\n",
        f"x = '{LONG}'\n",
        "from a_module_with_a_long_name.and_another_one import first_thing_of_it, second_thing_of_it, third_thing\n",
        "x = jnp.abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijkl\n",
        "x = f'{jnp.sum(alpha_beta_gamma_delta_epsilon)} {jnp.sum(zeta_eta_theta_iota_kappa)} {jnp.sum(lambda_mu)}'\n",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert wrapped(text, "", 88) == text


def test_a_line_of_the_source_is_left_alone() -> None:
    line = f"x = {LONG}\n"
    assert wrapped(line, line, 88) == line
    assert wrapped(line, "", 88) != line


def test_a_comment_stays_with_its_statement() -> None:
    assert wrapped(f"x = f({LONG})  # why\n", "", 88).endswith(")  # why\n")


def test_lines_inside_of_brackets() -> None:
    text = "x = [\n    first_of_all_the_members, second_of_all_the_members, third_of_all_the_members, fourth_of_them,\n]\n"
    expected = text.replace(", ", ",\n    ")
    assert wrapped(text, "", 88) == expected


def test_what_has_a_header() -> None:
    """Only the header of a compound statement is looked at, and what it holds by itself."""
    inner = f"        x = f({LONG})\n"
    for header in ("match y:\n    case 1:\n", "try:\n    if y:\n", "with a:\n    for b in c:\n"):
        text = header + inner + ("finally:\n    pass\n" if header.startswith("try") else "")
        assert wrapped(text, "", 88) == formatted(text)


def test_the_limit() -> None:
    assert limit_for("x = 1\n", None) == 88
    assert limit_for("x" * 100 + "\n", None) == 100
    assert limit_for("x" * 200 + "\n", None) == 120
    assert limit_for("x" * 200 + "\n", 79) == 79
