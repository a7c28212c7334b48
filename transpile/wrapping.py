"""Break the lines that have become too long, as a formatter would.

Most calls are longer in JAX than in torch (``x.sum(-1)`` is ``jnp.sum(x, axis=-1)``), so a source that keeps within a
limit has a twin that does not. Only lines over the limit that the source does not have are touched: first what stands
in the last bracket goes to a line of its own, then each of its parts; a tuple, or a sum, gets parentheses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .line_tokens import WORDS, brackets, loosest, operands, parts, split, tokens_of

_DEFAULT, _WIDEST = 88, 120
_INDENT = "    "
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def limit_for(source: str, configured: int | None) -> int:
    """The length that lines may have: what the project says, else that of the longest line of the source."""
    if configured is not None:
        return configured
    longest = max((len(line) for line in source.split("\n")), default=0)
    return min(max(longest, _DEFAULT), _WIDEST)


def wrapped(text: str, source: str, limit: int) -> str:
    """The text of a twin with its long lines broken; as it is, should that ever say something else."""
    lines = text.split("\n")
    kept = {line.strip() for line in source.split("\n")}
    long = {number for number, line in enumerate(lines, 1) if len(line) > limit and line.strip() not in kept}
    if not long:
        return text
    tree = ast.parse(text)
    for first, last, statement in sorted(_statements(tree), key=lambda entry: -entry[0]):
        inside = long.intersection(range(first, last + 1))
        if inside and "# fmt: skip" not in lines[last - 1]:
            lines[first - 1 : last] = _broken(lines[first - 1 : last], statement, {n - first for n in inside}, limit)
    new = "\n".join(lines)
    return new if _says_the_same(new, tree, long) else text


def _says_the_same(text: str, tree: ast.Module, touched: set[int]) -> bool:
    """Whether a text has the tree, of whose lines these have been touched."""
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        return False
    return len(statements) == len(tree.body) and all(
        ast.dump(statement) == ast.dump(before)
        for statement, before in zip(statements, tree.body, strict=True)
        if not touched.isdisjoint(range(first_line(before), (before.end_lineno or before.lineno) + 1))
    )


def first_line(statement: ast.stmt) -> int:
    """The line a statement begins on, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(entry.lineno for entry in decorators)])


def _statements(tree: ast.Module) -> Iterator[tuple[int, int, ast.AST]]:
    """First and last line of every statement, of a compound one's header, and of every decorator."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            yield decorator.lineno, decorator.end_lineno, decorator
        if isinstance(node, ast.stmt):
            last = node.end_lineno or node.lineno
            if isinstance(node, ast.Match):
                last = max(node.lineno, node.cases[0].pattern.lineno - 1)
            elif getattr(node, "body", None):
                below = node.body[0]  # type: ignore[attr-defined]
                start = min([below.lineno, *(entry.lineno for entry in getattr(below, "decorator_list", ()))])
                last = max(node.lineno, start - 1)
            yield node.lineno, last, node


def _broken(lines: list[str], statement: ast.AST, long: set[int], limit: int) -> list[str]:
    """The lines of one statement; those already broken keep their breaks."""
    if len(lines) == 1:
        return _logical(lines[0], statement, limit)
    long = long - _within_texts(statement)
    result: list[str] = []
    for number, line in enumerate(lines):
        result += _inner(line, limit) if number in long else [line]
    return result


def _within_texts(statement: ast.AST) -> set[int]:
    """The lines, from the statement's first, that a text of several lines takes up."""
    first = getattr(statement, "lineno", 0)
    texts = [node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)]
    spans = (range(text.lineno - first, (text.end_lineno or 0) - first + 1) for text in texts)
    return {line for span in spans if len(span) > 1 for line in span}


def _logical(line: str, statement: ast.AST, limit: int) -> list[str]:
    indent, code, comment = parts(line)
    if len(indent + code) <= limit or isinstance(statement, ast.ImportFrom | ast.Import):
        return [line]
    head, value, tail = _value(code, statement, len(indent))
    tokens = tokens_of(value)
    if tokens is None:
        return [line]
    if value and loosest(tokens) is not None:
        result = [indent + head + "(", *_body(value, indent + _INDENT, limit), indent + ")" + tail]
    else:
        result = _at_bracket(code, indent, limit, first=isinstance(statement, _DEFINITIONS)) or [line]
    return [*result[:-1], result[-1] + comment] if result != [line] else result


def _value(code: str, statement: ast.AST, indent: int) -> tuple[str, str, str]:
    """What stands before a statement's expression, the expression, and what follows; no expression if none is apart."""
    node = getattr(statement, "value", None) or getattr(statement, "test", None)
    if not isinstance(node, ast.expr) or isinstance(statement, ast.Assert | ast.expr | ast.Expr):
        return code, "", ""
    data = code.encode()
    start, end = node.col_offset - indent, (node.end_col_offset or 0) - indent
    head, tail = data[:start].decode(), data[end:].decode()
    if head.endswith("(") and tail.startswith(")"):
        head, tail = head[:-1], tail[1:]
    return head, data[start:end].decode(), tail


def _inner(line: str, limit: int) -> list[str]:
    """A line inside of brackets: at its commas, else at its last bracket."""
    indent, code, comment = parts(line)
    tokens = tokens_of(code)
    if comment or tokens is None or len(indent + code) <= limit:
        return [line]
    if any(token.text == "for" and token.is_operator for token in tokens):
        return _body(code, indent, limit)
    if len(split(code, tokens, ",")) > 1 and tokens[0].text not in WORDS:
        return _elements(code, indent, limit)
    return _at_bracket(code, indent, limit) or [line]


def _body(code: str, indent: str, limit: int) -> list[str]:
    """What stands in brackets: on one line if it fits, else a part a line."""
    if len(indent + code) <= limit:
        return [indent + code]
    tokens = tokens_of(code)
    level = loosest(tokens) if tokens else None
    if tokens is None or level is None:
        return _at_bracket(code, indent, limit) or [indent + code]
    if "," in level:
        return _elements(code, indent, limit)
    pieces = operands(code, tokens, level)
    if "for" in level:  # the clauses of a comprehension have commas that part no elements
        return [piece for part in pieces for piece in _clause(part, indent, limit)]
    return [piece for part in pieces for piece in _body(part, indent, limit)]


def _clause(part: str, indent: str, limit: int) -> list[str]:
    return [indent + part] if len(indent + part) <= limit else _at_bracket(part, indent, limit) or [indent + part]


def _elements(code: str, indent: str, limit: int) -> list[str]:
    """An element a line, each with its comma."""
    return [piece for part in split(code, tokens_of(code) or [], ",") for piece in _element(part, indent, limit)]


def _element(part: str, indent: str, limit: int) -> list[str]:
    """One element, with its comma."""
    if len(indent + part) + 1 <= limit:
        return [f"{indent}{part},"]
    pieces = _body(part, indent, limit - 1)
    return [*pieces[:-1], pieces[-1] + ","]


def _at_bracket(code: str, indent: str, limit: int, first: bool = False) -> list[str] | None:
    """Broken in the last bracket (or the first) that holds something and lets head and tail fit; None if none does."""
    pairs = brackets(tokens_of(code) or [])
    for start, end in pairs if first else reversed(pairs):
        head, body, tail = code[: start + 1], code[start + 1 : end].strip(), code[end:]
        if body and len(indent + head) <= limit and len(indent + tail) <= limit:
            lay_out = _elements if body.endswith(",") else _body
            return [indent + head, *lay_out(body, indent + _INDENT, limit), indent + tail]
    return None
