"""What a source imports, read two ways.

:func:`scan` is quick and errs on the side of more: a word in a docstring may count as an import. It serves digests and
the search for files, where more costs a little time. :func:`imports` parses, and serves decisions.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

_IMPORT = b"import"
_FROM = re.compile(rb"\bfrom(?:[ \t]|\\\n)*(\.[\w.]*|[^\W\d][\w.]*)(?:[ \t]|\\\n)*\Z")
_OPENING = re.compile(rb"(?:\A|[;:])(?:[ \t\f]|\\\n)*\Z")
_NAMES = re.compile(rb"(?:[ \t]|\\\n)*(?:\(((?:[^()#]|#[^\n]*)*)\)|((?:[^\n#;\\]|\\\n)*))")
_COMMENT = re.compile(rb"#[^\n]*")


class Import(NamedTuple):
    """One ``from <level dots><module> import <names>`` or, without names, ``import <module>``."""

    level: int
    module: str
    names: tuple[str, ...] = ()

    @property
    def is_torch(self) -> bool:
        return not self.level and (self.module == "torch" or self.module.startswith("torch."))


def scan(source: bytes) -> tuple[Import, ...]:
    """Every import there is in a text with ``\\n`` newlines, and perhaps some that only look like one."""
    found: list[Import] = []
    position = source.find(_IMPORT)
    while position >= 0:
        start, end = _line_start(source, position), source.find(b"\n", position)
        line = source[start : end if end >= 0 else len(source)]
        whole = b"(" not in line and b"\\" not in line
        found += _on_line(line, position - start) if whole else _statement(source[start:], position - start)
        position = source.find(_IMPORT, position + len(_IMPORT))
    return tuple(found)


def _statement(source: bytes, position: int) -> list[Import]:
    """The imports of the statement whose word ``import`` is here; none if it is part of something else."""
    left, after = source[:position], position + len(_IMPORT)
    origin = _FROM.search(left)
    if source[after : after + 1] not in b" \t\\(*" or not (origin or _OPENING.search(left)):
        return []
    members = _NAMES.match(source, after)
    names = _names((members[1] or members[2]) if members else b"")
    if not origin:
        return [Import(0, name) for name in names]
    module = origin[1].decode("utf-8", "replace")
    bare = module.lstrip(".")
    return [Import(len(module) - len(bare), bare, names)]


_on_line = functools.cache(_statement)  # the same few lines open most files of a project


def _line_start(source: bytes, position: int) -> int:
    """Where the line of a position begins, with the lines that a backslash joins to it."""
    start = source.rfind(b"\n", 0, position) + 1
    while start > 1 and source[start - 2] == ord("\\"):
        start = source.rfind(b"\n", 0, start - 1) + 1
    return start


def _names(text: bytes) -> tuple[str, ...]:
    """The first name of each part of ``a as b, c``."""
    plain = _COMMENT.sub(b"", text).replace(b"\\\n", b" ").decode("utf-8", "replace")
    return tuple(words[0] for words in map(str.split, plain.split(",")) if words)


def imports(source: str) -> tuple[Import, ...]:
    """The imports of a source, wherever they stand. Falls back on :func:`scan` for a text that does not parse."""
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return scan(source.encode("utf-8"))
    found: list[Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found.append(Import(node.level, node.module or "", tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.Import):
            found += [Import(0, alias.name) for alias in node.names]
    return tuple(found)
