"""Read rule files: YAML with line numbers, each entry checked so that what is wrong is said here and not in use."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path
from typing import Any

from . import helpers
from .diagnostics import CODES
from .rule import Rule, RuleError, to_record
from .signature import Signature, SignatureError, is_kind, is_result, parse

RESERVED = ("parameters", "static", "ignore", "undecided")
# Names that an expression may use beside its parameters.
FREE_NAMES = frozenset({"jnp", "jax", "ops", "math", "default_float", *dir(builtins)})

_ALIAS = re.compile(r"(torch|Tensor)(\.\w+)+")
_CONSTANT = re.compile(r"\w+")


class RuleReader:
    """Turns one YAML file into rules, checking each entry. Later files override earlier ones, name by name."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, tuple[str, ...]] = {}
        self.ignored: dict[str, str] = {}
        self.static: list[str] = []
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
        if name in ("undecided", "static"):
            words = self._scalar(node, 0).split()
            self.static, self.undecided = (words, self.undecided) if name == "static" else (self.static, words)
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
        if not is_result(result):
            raise self._error(line, f"{text}: {result} is no kind of a result")
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
        entries = {name: [to_record(rule) for rule in rules] for name, rules in self.entries.items()}
        return {
            "entries": entries, "ignored": self.ignored, "static": self.static, "undecided": self.undecided,
            "paths": self.paths,
        }  # fmt: skip


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
