"""The rule book: load and check rules.yaml, look a name up.

Reading 1,000 entries of YAML takes longer than transpiling a file, so the checked table is kept as JSON in the user's
cache folder under the digest of everything it follows from. A cache that cannot be read, written or trusted is ignored.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import helpers
from .diagnostics import CODES
from .signature import AGREES, Parameter, Signature, SignatureError, is_kind, parse

BUILT_IN = Path(__file__).resolve().parent.parent / "rules.yaml"
RESERVED = ("parameters", "ignore", "undecided")
# Names that an expression may use beside its parameters.
FREE_NAMES = frozenset({"jnp", "jax", "ops", "math", "default_float", *dir(builtins)})
DEFAULT_FLOAT = "default_float"

_ALIAS = re.compile(r"(torch|Tensor)(\.\w+)+")
_CONSTANT = re.compile(r"\w+")
_FORMAT = 5


class RuleError(Exception):
    """A rule file that cannot be used: ``path``, ``line`` (from 1; 0 for the whole file) and ``message``."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


@dataclass(frozen=True)
class Rule:
    """One entry: how torch spells it, and the expression that says it in JAX.

    expression: source of the expression, by ``x32`` and ``x64`` where the setting matters
    members:    of a named tuple whose members have an expression each, name to expression
    unsupported, instead, code: why it is refused, the remedy, and the diagnostic's code
    constant:   the entry has no parameters: a constant, or an attribute of a tensor
    """

    name: str
    signature: Signature
    expression: tuple[str, str] = ("", "")
    members: tuple[tuple[str, str], ...] = ()
    unsupported: str = ""
    instead: str = ""
    code: str = "unsupported-api"
    constant: bool = False
    alias: str = ""
    text: str = ""
    path: str = ""
    line: int = 0

    @property
    def location(self) -> str:
        """``rules.yaml:120``."""
        return f"{Path(self.path).name}:{self.line}"

    def parsed(self, x64: bool) -> ast.expr:
        return parsed(self.expression[x64])


@functools.cache
def parsed(source: str) -> ast.expr:
    """The tree of an expression of the rules."""
    return ast.parse(source, mode="eval").body


class RuleBook:
    """All rules by qualified name, with the ignored keywords; ``digest`` names the text they come from."""

    def __init__(self, table: Mapping[str, Any], digest: str) -> None:
        self.digest = digest
        self.ignored: dict[str, str] = table["ignored"]
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
            rule = _from_record(record, self.paths)
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


def _to_record(rule: Rule) -> list[Any]:
    parameters = [[p.name, p.kinds, p.default, p.star, p.keyword_only] for p in rule.signature.parameters]
    return [
        rule.name, rule.signature.name, parameters, rule.signature.result, rule.expression, rule.members,
        rule.unsupported, rule.instead, rule.code, rule.constant, rule.alias, rule.text, int(rule.path), rule.line,
    ]  # fmt: skip


def _from_record(record: list[Any], paths: Sequence[str]) -> Rule:
    name, function, parameters, result, expression, members, why, instead, code, constant, alias, text, path, line = (
        record
    )
    signature = Signature(
        function,
        tuple(Parameter(p[0], tuple(p[1]), p[2], p[3], p[4]) for p in parameters),
        result,
    )
    pairs = tuple((member, source) for member, source in members)
    return Rule(
        name,
        signature,
        (expression[0], expression[1]),
        pairs,
        why,
        instead,
        code,
        constant,
        alias,
        text,
        paths[path],
        line,
    )


# ---------------------------------------------------------------------------------------------------- reading YAML


class _Reader:
    """Turns one YAML file into rules, checking each entry. Later files override earlier ones, name by name."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, tuple[str, ...]] = {}
        self.ignored: dict[str, str] = {}
        self.undecided: list[str] = []
        self.entries: dict[str, list[Rule]] = {}
        self.paths: list[str] = []

    def read(self, path: Path, text: str) -> None:
        self.paths.append(str(path))
        groups = self._mapping(_compose(path, text))
        for reserved in RESERVED:
            if reserved in groups:
                self._read_reserved(reserved, groups[reserved][0])
        fresh: set[str] = set()
        for group, (node, _line) in groups.items():
            if group not in RESERVED:
                for text_, (value, line) in self._mapping(node).items():
                    self._read_entry(group, text_, value, line, fresh)

    def _read_reserved(self, name: str, node: Any) -> None:
        if name == "undecided":
            self.undecided = self._scalar(node, 0).split()
            return
        for key, (value, line) in self._mapping(node).items():
            if name == "ignore":
                self.ignored[key] = self._scalar(value, line)
            else:
                kinds = tuple(self._scalar(value, line).split("|"))
                self.vocabulary.update(dict.fromkeys(key.split("|"), kinds))

    def _read_entry(self, group: str, text: str, value: Any, line: int, fresh: set[str]) -> None:
        rule = self._rule(group, text, value, line)
        if rule.name not in fresh:
            self.entries[rule.name] = []
            fresh.add(rule.name)
        for earlier in self.entries[rule.name]:
            if _shadows(earlier, rule):
                raise self._error(
                    line, f"{text}: never reached, the signature at line {earlier.line} takes every call first"
                )
        self.entries[rule.name].append(rule)

    def check_aliases(self) -> None:
        """Each alias must lead to a name that has rules."""
        for rules in self.entries.values():
            for rule in rules:
                if rule.alias and rule.alias not in self.entries:
                    raise RuleError(self.paths[int(rule.path)], rule.line, f"{rule.alias} has no rule")

    def _rule(self, group: str, text: str, value: Any, line: int) -> Rule:
        signature, constant = self._signature(text, line)
        common: dict[str, Any] = {
            "name": f"{group}.{signature.name}", "signature": signature, "constant": constant, "text": text,
            "path": str(len(self.paths) - 1), "line": line,
        }  # fmt: skip
        if not hasattr(value, "value") or isinstance(value.value, str):
            source = self._scalar(value, line)
            if constant and not signature.result and _ALIAS.fullmatch(source):
                return Rule(**common, alias=source)
            return Rule(**common, expression=(self._expression(source, signature, line),) * 2)
        fields: dict[str, Any] = {key: self._scalar(node, at) for key, (node, at) in self._mapping(value).items()}
        if "unsupported" in fields:
            unknown = fields.keys() - {"unsupported", "instead", "code"}
            if unknown:
                raise self._error(line, f"{text}: {', '.join(sorted(unknown))} has no meaning beside unsupported")
            if fields.get("code", "unsupported-api") not in CODES:
                raise self._error(line, f"{text}: there is no diagnostic called {fields['code']}")
            return Rule(**common, **fields)
        if fields.keys() == {"x32", "x64"}:
            pair = [self._expression(fields[key], signature, line) for key in ("x32", "x64")]
            return Rule(**common, expression=(pair[0], pair[1]))
        if fields.keys() & {"x32", "x64"}:
            raise self._error(line, f"{text}: x32 and x64 go together")
        members = tuple((key, self._expression(source, signature, line)) for key, source in fields.items())
        return Rule(**common, members=members)

    def _signature(self, text: str, line: int) -> tuple[Signature, bool]:
        head, _, result = (part.strip() for part in text.partition("->"))
        if _CONSTANT.fullmatch(head):
            return Signature(head, (), result), True
        try:
            signature = parse(text, self.vocabulary)
            for kind in {kind for parameter in signature.parameters for kind in parameter.kinds}:
                if not is_kind(kind):
                    raise self._error(line, f"{text}: {kind} is no kind")
            return signature, False
        except SignatureError as error:
            raise self._error(line, str(error)) from None

    def _expression(self, source: str, signature: Signature, line: int) -> str:
        try:
            tree = ast.parse(source, mode="eval")
        except SyntaxError as error:
            raise self._error(line, f"{source!r} is no expression: {error.msg}") from None
        known = FREE_NAMES | {parameter.name for parameter in signature.parameters}
        if not signature.parameters:
            known |= {"self"}
        bound = {argument.arg for node in ast.walk(tree) if isinstance(node, ast.Lambda) for argument in node.args.args}
        for node in ast.walk(tree):
            helper = node.attr if isinstance(node, ast.Attribute) and _is_ops(node.value) else ""
            if helper and not helpers.exists(helper):
                raise self._error(line, f"{source!r}: transpile/ops has no helper {helper}")
            if isinstance(node, ast.Name) and node.id not in known | bound:
                raise self._error(
                    line, f"{source!r}: {node.id} is no parameter of {signature.name}, nor jnp, jax, ops or key"
                )
        return source

    def _mapping(self, node: Any) -> dict[str, tuple[Any, int]]:
        """The pairs of a mapping node with their lines; a duplicate key is an error. An empty node is empty."""
        if isinstance(node.value, str):
            if node.value in ("", "null", "~"):
                return {}
            raise self._error(node.start_mark.line + 1, "a mapping is expected here")
        pairs: dict[str, tuple[Any, int]] = {}
        for item in node.value:
            if not isinstance(item, tuple) or not isinstance(item[0].value, str):
                raise self._error(node.start_mark.line + 1, "a mapping from text is expected here")
            key, line = item[0].value, item[0].start_mark.line + 1
            if key in pairs:
                raise self._error(line, f"{key} stands here and at line {pairs[key][1]}")
            pairs[key] = (item[1], line)
        return pairs

    def _scalar(self, node: Any, line: int) -> str:
        if not isinstance(node.value, str):
            raise self._error(line, "text is expected here")
        return node.value

    def _error(self, line: int, message: str) -> RuleError:
        return RuleError(self.paths[-1], line, message)

    def table(self) -> dict[str, Any]:
        entries = {name: [_to_record(rule) for rule in rules] for name, rules in self.entries.items()}
        return {"entries": entries, "ignored": self.ignored, "undecided": self.undecided, "paths": self.paths}


def _is_ops(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "ops"


def _shadows(earlier: Rule, later: Rule) -> bool:
    """Whether every call that binds to the later signature already fits the earlier one."""
    if earlier.alias or later.alias or earlier.unsupported or later.unsupported:
        return False
    if [p.name for p in earlier.signature.parameters] != [p.name for p in later.signature.parameters]:
        return False
    for first, second in zip(earlier.signature.parameters, later.signature.parameters, strict=True):
        wider = not first.kinds or (bool(second.kinds) and set(second.kinds) <= set(first.kinds))
        if not wider or (first.default == "required" and second.default != "required"):
            return False
    return True


def _compose(path: Path, text: str) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise RuleError(str(path), mark.line + 1 if mark else 0, f"not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise RuleError(str(path), 0, f"not YAML: {error}") from None
    if node is None:
        return yaml.ScalarNode("tag:yaml.org,2002:null", "")
    return node


# -------------------------------------------------------------------------------------------------------- caching


def load(paths: Sequence[Path] = ()) -> RuleBook:
    """The built-in rules, overridden name by name by the files given. Raises RuleError (also for a missing file)."""
    texts: list[tuple[Path, str]] = []
    for path in (BUILT_IN, *paths):
        try:
            texts.append((path, path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(str(path), 0, f"cannot be read: {error}") from None
    digest = rules_digest(texts)
    cached = _read_cache(digest)
    if cached is None:
        reader = _Reader()
        for path, text in texts:
            reader.read(path, text)
        reader.check_aliases()
        cached = reader.table()
        _write_cache(digest, cached)
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
    return "".join((here / name).read_text(encoding="utf-8") for name in ("rules.py", "signature.py"))


def cache_folder() -> Path:
    """``$TORCH2JAX_CACHE``, else ``$XDG_CACHE_HOME/torch2jax``, else ``~/.cache/torch2jax``."""
    own = os.environ.get("TORCH2JAX_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "torch2jax"


def _read_cache(digest: str) -> dict[str, Any] | None:
    """The table of this digest, or None. The first line of the file is the digest of the rest of it."""
    try:
        seal, _, content = (cache_folder() / f"rules-{digest}.json").read_bytes().partition(b"\n")
        if seal.decode("ascii") != _seal(content):
            return None
        table: dict[str, Any] = json.loads(content)
        return table if table.keys() >= {"entries", "ignored", "undecided", "paths"} else None
    except (OSError, RuntimeError, ValueError, AttributeError):
        return None


def _write_cache(digest: str, table: dict[str, Any]) -> None:
    """Writes to a file of its own and renames, so that processes starting at once never see half a table."""
    content = json.dumps(table, separators=(",", ":")).encode()
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix="rules-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(content).encode() + b"\n" + content)
            os.replace(name, folder / f"rules-{digest}.json")
        except OSError:
            os.unlink(name)
    except (OSError, RuntimeError):
        return  # a read-only home costs time, not results


def _seal(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


__all__ = ["AGREES", "DEFAULT_FLOAT", "Rule", "RuleBook", "RuleError", "load"]
