"""Which torch APIs a tree uses, and which of them the tool translates; or what the rule table holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .pipeline import Use
from .rules import RuleBook


class Row(NamedTuple):
    """One torch API: how many of its uses there are, and how many are translated."""

    name: str
    uses: int
    translated: int


class Namespace(NamedTuple):
    """One namespace of the rule table: its names, their signatures, and how many names are refused with a reason."""

    name: str
    names: int
    signatures: int
    refused: int


def count(uses: Iterable[Use]) -> list[Row]:
    """A row for each API, the most used first."""
    totals: dict[str, list[int]] = {}
    for use in uses:
        entry = totals.setdefault(use.name, [0, 0])
        entry[0] += 1
        entry[1] += use.translated
    return sorted((Row(name, *entry) for name, entry in totals.items()), key=lambda row: (-row.uses, row.name))


def table(rows: list[Row]) -> str:
    """The rows as text, with totals."""
    if not rows:
        return "no use of torch"
    width = max(len(row.name) for row in rows)
    lines = [f"{'torch API':{width}}  uses  translated"]
    lines += [f"{row.name:{width}}  {row.uses:4}  {_verdict(row)}" for row in rows]
    whole = sum(row.translated == row.uses for row in rows)
    uses, translated = sum(row.uses for row in rows), sum(row.translated for row in rows)
    return "\n".join([*lines, "", f"{_share(whole, len(rows))} APIs and {_share(translated, uses)} uses translated"])


def _verdict(row: Row) -> str:
    if row.translated == row.uses:
        return "yes"
    return f"{row.translated} of {row.uses}" if row.translated else "no"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part // whole}%)"


def record(rows: list[Row]) -> dict[str, Any]:
    """The rows for JSON."""
    return {
        "apis": [row._asdict() for row in rows],
        "uses": sum(row.uses for row in rows),
        "translated": sum(row.translated for row in rows),
    }


def namespaces(rules: RuleBook) -> list[Namespace]:
    """What the rule table holds, by namespace. A name counts as refused if no signature of it is translated."""
    totals: dict[str, list[int]] = {}
    for name in rules.names():
        entry = totals.setdefault(name.rpartition(".")[0], [0, 0, 0])
        found = rules.rules(name)
        entry[0] += 1
        entry[1] += len(found)
        entry[2] += bool(found) and all(rule.unsupported for rule in found)
    return [Namespace(name, *entry) for name, entry in sorted(totals.items())]


def rule_table(rows: list[Namespace]) -> str:
    """The namespaces as text, with totals."""
    total = Namespace("total", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    width = max(len(row.name) for row in [*rows, total, Namespace("namespace", 0, 0, 0)])
    lines = [f"{'namespace':{width}}  names  signatures  refused with a reason"]
    lines += [f"{row.name:{width}}  {row.names:5}  {row.signatures:10}  {row.refused:7}" for row in [*rows, total]]
    return "\n".join(lines)
