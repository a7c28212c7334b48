"""Diagnostics for machines: JSON, GitHub's annotations, SARIF 2.1.0."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .diagnostics import Code, Diagnostic, Severity

_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_json(diagnostics: Iterable[Diagnostic], **more: Any) -> str:
    """``{"diagnostics": [...], ...}``; lines and columns from 1, ``end_column`` exclusive, line 0 for a whole file."""
    return json.dumps({"diagnostics": [_fields(diagnostic) for diagnostic in diagnostics], **more}, indent=2)


def _fields(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "path": diagnostic.path,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "end_line": diagnostic.end_line,
        "end_column": diagnostic.end_column,
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "function": diagnostic.function,
    }


def to_github(diagnostics: Iterable[Diagnostic]) -> str:
    """A workflow command a line; GitHub shows each beside the source line it speaks of."""
    return "\n".join(_annotation(diagnostic) for diagnostic in diagnostics)


def _annotation(diagnostic: Diagnostic) -> str:
    properties: dict[str, Any] = {"file": diagnostic.path}
    if diagnostic.line:
        properties |= {"line": diagnostic.line, "endLine": diagnostic.end_line, "col": diagnostic.column}
        if diagnostic.end_line == diagnostic.line:
            properties["endColumn"] = max(diagnostic.end_column - 1, diagnostic.column)
    properties["title"] = f"torch2jax {diagnostic.code}"
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    return f"::{_GITHUB_LEVELS[diagnostic.severity]} {listed}::{_escaped(_message(diagnostic))}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def to_sarif(diagnostics: Sequence[Diagnostic], codes: Mapping[str, Code], version: str) -> str:
    """One SARIF run, with the explanation of every code that occurs in it."""
    occurring = sorted({diagnostic.code for diagnostic in diagnostics})
    driver = {"name": "torch2jax", "version": version, "rules": [_rule(name, codes.get(name)) for name in occurring]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, occurring.index(diagnostic.code)) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(name: str, code: Code | None) -> dict[str, Any]:
    if code is None:
        return {"id": name}
    return {"id": name, "shortDescription": {"text": code.summary}, "fullDescription": {"text": code.explanation}}


def _result(diagnostic: Diagnostic, index: int) -> dict[str, Any]:
    from urllib.parse import quote

    place: dict[str, Any] = {"artifactLocation": {"uri": quote(diagnostic.path.replace("\\", "/"))}}
    if diagnostic.line:
        place["region"] = {
            "startLine": diagnostic.line,
            "startColumn": diagnostic.column,
            "endLine": diagnostic.end_line,
            "endColumn": diagnostic.end_column,
        }
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity.value,
        "message": {"text": _message(diagnostic)},
        "locations": [{"physicalLocation": place}],
    }


def _message(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.message}\nhint: {diagnostic.hint}" if diagnostic.hint else diagnostic.message
