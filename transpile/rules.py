"""The rule book: load rules.yaml and the rule files of a project, look a name up."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .rule import DEFAULT_FLOAT, Rule, RuleError, from_record, parsed
from .rule_cache import read_cache, write_cache
from .rule_reader import RuleReader
from .signature import AGREES

BUILT_IN = Path(__file__).resolve().parent.parent / "rules.yaml"
_FORMAT = 6
# The files whose code decides what the table of a rule file is.
_READERS = ("rules.py", "rule.py", "rule_reader.py", "signature.py")


class RuleBook:
    """All rules by qualified name, with what goes for all of them; ``digest`` names the text they come from.

    ignored:   keywords without meaning in JAX, with the reason     undecided: names of tensors that have no rule yet
    static:    parameters that must be Python values while JAX traces, whatever their kind
    """

    def __init__(self, table: Mapping[str, Any], digest: str) -> None:
        self.digest = digest
        self.ignored: dict[str, str] = table["ignored"]
        self.static = frozenset(table["static"])
        self.undecided = frozenset(table["undecided"])
        self.paths: list[str] = table["paths"]
        self._entries: dict[str, list[list[Any]]] = table["entries"]
        self._rules: dict[str, tuple[Rule, ...]] = {}
        self._modules = {name.rpartition(".")[0] for name in self._entries}

    def names(self) -> Iterable[str]:
        """Every qualified name with a rule of its own, such as ``torch.sum`` and ``Tensor.view``."""
        return self._entries.keys()

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules of a qualified name in the order tried; empty if there are none."""
        if name not in self._rules:
            self._rules[name] = self._find(name, frozenset())
        return self._rules[name]

    def has(self, name: str) -> bool:
        return bool(self.rules(name))

    def is_namespace(self, name: str) -> bool:
        """Whether rules exist under this module name."""
        return name in self._modules

    def _find(self, name: str, seen: frozenset[str]) -> tuple[Rule, ...]:
        if name in seen:
            return ()
        found: list[Rule] = []
        for record in self._entries.get(name, ()):
            rule = from_record(record, self.paths)
            if rule.alias:
                found += self._find(rule.alias, seen | {name})
            else:
                found.append(rule)
        space, _, member = name.rpartition(".")
        if space == "Tensor":
            found += [rule for rule in self._find(f"torch.{member}", seen | {name}) if _takes_self(rule)]
        return tuple(found)


def _takes_self(rule: Rule) -> bool:
    parameters = rule.signature.parameters
    return (
        not rule.constant
        and (bool(rule.unsupported) or bool(parameters))
        and (not parameters or parameters[0].name in ("input", "self"))
    )


def load(paths: Sequence[Path] = ()) -> RuleBook:
    """The built-in rules, overridden name by name by the files given. Raises RuleError (also for a missing file)."""
    texts: list[tuple[Path, str]] = []
    for path in (BUILT_IN, *paths):
        try:
            texts.append((path, path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(str(path), 0, f"cannot be read: {error}") from None
    digest = rules_digest(texts)
    cached = read_cache(digest)
    if cached is None:
        reader = RuleReader()
        for path, text in texts:
            reader.read(path, text)
        reader.check_aliases()
        cached = reader.table()
        write_cache(digest, cached)
    cached["paths"] = [str(path) for path, _ in texts]
    return RuleBook(cached, digest)


def rules_digest(texts: Sequence[tuple[Path, str]]) -> str:
    """Names the rules by their text and the reader's code; the files' places do not matter."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (str(_FORMAT), _own_source(), *(text for _, text in texts)):
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


@functools.cache
def _own_source() -> str:
    here = Path(__file__).resolve().parent
    return "".join((here / name).read_text(encoding="utf-8") for name in _READERS)


__all__ = ["AGREES", "DEFAULT_FLOAT", "Rule", "RuleBook", "RuleError", "load", "parsed"]
