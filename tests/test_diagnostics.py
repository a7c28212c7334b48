"""How a diagnostic looks, and that the catalogue of codes is whole."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from command_line import ROOT
from jaxtwin.transpile.diagnostics import Diagnostic, Severity, render, worst
from jaxtwin.transpile.explain import codes
from jaxtwin.transpile.formats import to_github, to_sarif
from jaxtwin.transpile.rules import load

ONE = Diagnostic(
    "model/loss.py",
    *(41, 9, 41, 26),
    Severity.ERROR,
    "dynamic-shape",
    "torch.unique has as many rows as the data decides",
    "give the twin a bound",
    "    u = torch.unique(ids)",
    "loss",
)


def test_a_diagnostic_has_place_code_message_carets_and_hint() -> None:
    assert render(ONE).splitlines() == [
        "model/loss.py:41:9: error[dynamic-shape] torch.unique has as many rows as the data decides",
        "   41 |     u = torch.unique(ids)",
        "      |         ^^^^^^^^^^^^^^^^^",
        "  hint: give the twin a bound",
    ]


def test_carets_stay_under_their_text_after_tabs() -> None:
    lines = render(replace(ONE, source_line="\tu = torch.unique(ids)", column=6, end_column=23)).splitlines()
    assert lines[1:3] == ["   41 | \tu = torch.unique(ids)", "      | \t    ^^^^^^^^^^^^^^^^^"]


def test_carets_of_several_lines_end_with_the_first() -> None:
    lines = render(replace(ONE, end_line=43, end_column=2)).splitlines()
    assert lines[2] == "      |         ^^^^^^^^^^^^^^^^^"


def test_a_diagnostic_of_a_whole_file_has_no_excerpt() -> None:
    text = render(replace(ONE, line=0, hint=""))
    assert text == "model/loss.py: error[dynamic-shape] torch.unique has as many rows as the data decides"


def test_the_worst_of_several() -> None:
    note, warning = replace(ONE, severity=Severity.NOTE), replace(ONE, severity=Severity.WARNING)
    assert worst([]) is None
    assert worst([note]) is Severity.NOTE
    assert worst([note, warning]) is Severity.WARNING
    assert worst([warning, ONE, note]) is Severity.ERROR


# ------------------------------------------------------------------------------------------------------------ catalogue


@pytest.mark.parametrize("name", codes())
def test_every_code_is_explained(name: str) -> None:
    code = codes()[name]
    assert code.name == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert code.summary
    assert not code.summary.endswith(".")
    assert code.explanation.endswith(".")


def used() -> Iterator[tuple[str, str]]:
    """The code of every diagnostic that the sources make: an argument of ``report``, ``Finding`` or ``Diagnostic``."""
    for path in sorted((ROOT / "transpile").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            position = {"report": 1, "Finding": 1, "Diagnostic": 6}.get(name)
            if position is not None and len(node.args) > position:
                argument = node.args[position]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", argument.value


def test_every_code_in_use_is_in_the_catalogue() -> None:
    found = list(used())
    assert len(found) > 10
    assert [(place, code) for place, code in found if code not in codes()] == []


def test_every_code_of_a_rule_is_in_the_catalogue() -> None:
    rules = load()
    found = {rule.code for name in rules.names() for rule in rules.rules(name) if rule.unsupported}
    assert found <= codes().keys()


# -------------------------------------------------------------------------------------------------------------- formats


def test_github_escapes_what_would_end_a_property() -> None:
    odd = replace(ONE, path="a,b:c.py", message="50% of\nit", hint="")
    assert to_github([odd]) == (
        "::error file=a%2Cb%3Ac.py,line=41,endLine=41,col=9,endColumn=25,title=torch2jax dynamic-shape::50%25 of%0Ait"
    )
    whole = replace(odd, line=0, severity=Severity.NOTE)
    assert to_github([whole]) == "::notice file=a%2Cb%3Ac.py,title=torch2jax dynamic-shape::50%25 of%0Ait"


def test_sarif_places_and_levels() -> None:
    record = json.loads(to_sarif([replace(ONE, path="a b.py"), replace(ONE, line=0)], codes(), "1.0"))
    first, second = record["runs"][0]["results"]
    assert first["level"] == "error"
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.py"
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert record["runs"][0]["tool"]["driver"]["rules"][0]["id"] == "dynamic-shape"
