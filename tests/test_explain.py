"""``explain``: the source it makes for an API is good Python, and the engine takes it as meant."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from jaxtwin.transpile.explain import Unknown, example, explain, explain_api, names_for
from jaxtwin.transpile.pipeline import transpile
from jaxtwin.transpile.rules import load
from jaxtwin.transpile.settings import Settings

RULES = load()
NAMES = sorted(name for name in RULES.names() if any(not rule.unsupported for rule in RULES.rules(name)))


def test_there_are_rules_to_explain() -> None:
    assert len(NAMES) > 300


@pytest.mark.parametrize("space", sorted({name.rpartition(".")[0] for name in NAMES}))
def test_the_engine_takes_every_example_as_meant(space: str) -> None:
    """No call in an example is ambiguous, unbound or unknown, and none breaks the engine."""
    wrong = []
    for name in NAMES:
        if name.rpartition(".")[0] != space:
            continue
        source = example(name, [rule for rule in RULES.rules(name) if not rule.unsupported])
        ast.parse(source)
        codes = Counter(one.code for one in transpile(source, "example.py", Settings(), RULES).diagnostics)
        bad = codes.keys() & {
            "internal-error",
            "unknown-api",
            "unknown-signature",
            "ambiguous-overload",
            "star-arguments",
        }
        if bad:
            wrong.append((name, sorted(bad)))
    assert wrong == []


def test_a_refused_api_is_explained_with_its_remedy() -> None:
    name = next(name for name in RULES.names() if RULES.rules(name) and all(r.unsupported for r in RULES.rules(name)))
    rule = RULES.rules(name)[0]
    text = explain_api(name, RULES)
    assert f"refused: {rule.unsupported}" in text
    assert "before" not in text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("torch.sum", ["torch.sum"]),
        ("torch.Tensor.view", ["Tensor.view"]),
        ("F.relu", ["torch.nn.functional.relu"]),
        ("nn.functional.relu", ["torch.nn.functional.relu"]),
        ("linalg.norm", ["torch.linalg.norm"]),
        ("nowhere", []),
    ],
)
def test_short_names(name: str, meant: list[str]) -> None:
    assert names_for(name, RULES) == meant


def test_a_bare_name_means_every_api_that_ends_in_it() -> None:
    assert {"torch.norm", "torch.linalg.norm"} <= set(names_for("norm", RULES))


def test_an_unknown_name_has_suggestions_from_all_namespaces() -> None:
    with pytest.raises(Unknown, match=r"did you mean torch\.softmax, .*torch\.special\.softmax"):
        explain("torch.softmaxx", RULES)
    with pytest.raises(Unknown, match=r"is called zzzzzz$"):
        explain("zzzzzz", RULES)


def test_an_alias_is_explained_by_what_it_stands_for() -> None:
    text = explain_api("torch.clip", RULES)
    assert "clamp(input" in text
    assert "return torch.clip(x" in text
