"""The tokens of a line of code: its operators and brackets, and how deep they stand."""

from __future__ import annotations

import io
import itertools
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Operators by how loosely they bind; a long expression is broken at the loosest there is.
_LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"for"}), frozenset({","}), frozenset({"if", "else"}), frozenset({"or"}), frozenset({"and"}),
    frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "is"}), frozenset({"|"}), frozenset({"^"}), frozenset({"&"}),
    frozenset({"<<", ">>"}), frozenset({"+", "-"}), frozenset({"*", "/", "//", "%", "@"}),
)  # fmt: skip
_OPEN, _CLOSE = "([{", ")]}"


class Token(NamedTuple):
    """A token with its place in the line, and how many brackets it stands in."""

    text: str
    start: int
    end: int
    depth: int
    is_operator: bool


def parts(line: str) -> tuple[str, str, str]:
    """Indentation, code, and comment with the space before it."""
    code = line.lstrip(" ")
    indent = line[: len(line) - len(code)]
    tokens = list(_raw(code))
    comment = next((token for token in tokens if token.type == tokenize.COMMENT), None)
    if comment is None:
        return indent, code.rstrip(), ""
    bare = code[: comment.start[1]].rstrip()
    return indent, bare, code[len(bare) :]


def _raw(code: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(code).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def tokens_of(code: str) -> list[Token] | None:
    """The tokens of code on one line; None if its brackets do not match or a text goes on beyond it."""
    result: list[Token] = []
    depth, lambdas, texts = 0, 0, 0
    before = ""
    for raw in _raw(code):
        name = tokenize.tok_name[raw.type]  # from Python 3.12 on an f-string comes as several tokens
        texts += name.endswith("STRING_START")
        if texts:
            texts -= name.endswith("STRING_END")
            before = '"'
            continue
        if raw.type in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT):
            continue
        if raw.start[0] > 1 or raw.type == tokenize.ERRORTOKEN:
            return None
        depth -= raw.string in _CLOSE and raw.type == tokenize.OP
        if depth < 0:
            return None
        lambdas += raw.string == "lambda" and depth == 0
        operand = bool(before) and (before[-1].isalnum() or before[-1] in "_)]}'\"") and before not in WORDS
        follows = operand or (bool(before) and raw.string in WORDS)
        is_operator = depth == 0 and not lambdas and raw.string in _OPERATORS and follows
        lambdas -= bool(lambdas) and raw.string == ":" and depth == 0
        result.append(Token(raw.string, raw.start[1], raw.end[1], depth, is_operator))
        depth += raw.string in _OPEN and raw.type == tokenize.OP
        before = raw.string
    return result if depth == 0 else None


_OPERATORS = frozenset().union(*_LEVELS)
WORDS = frozenset({"for", "if", "else", "or", "and", "in", "is", "not", "return", "lambda"})


def loosest(tokens: Sequence[Token]) -> frozenset[str] | None:
    found = {token.text for token in tokens if token.is_operator}
    return next((level for level in _LEVELS if level & found), None)


def split(code: str, tokens: Sequence[Token], text: str) -> list[str]:
    """The parts between separators; a separator at the end adds none."""
    places = [token.start for token in tokens if token.is_operator and token.text == text]
    bounds = [-1, *places, len(code)]
    return [part for one, other in itertools.pairwise(bounds) if (part := code[one + 1 : other].strip())]


def operands(code: str, tokens: Sequence[Token], level: frozenset[str]) -> list[str]:
    """The operands of the loosest operators, each but the first after its operator."""
    places = [token.start for token in tokens if token.is_operator and token.text in level]
    bounds = [0, *places, len(code)]
    return [part for one, other in itertools.pairwise(bounds) if (part := code[one:other].strip())]


def brackets(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the outermost brackets open and close."""
    opened = [token.start for token in tokens if token.depth == 0 and token.text in _OPEN and token.text]
    closed = [token.start for token in tokens if token.depth == 0 and token.text in _CLOSE and token.text]
    return list(zip(opened, closed, strict=False))
