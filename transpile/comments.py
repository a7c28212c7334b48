"""Comments: directives such as ``# torch2jax: skip`` above a definition, and comments within expressions."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence

import libcst as cst

PREFIX = re.compile(r"#\s*torch2jax:\s*(?P<words>.*)")


def directives(node: cst.FunctionDef | cst.ClassDef) -> set[str]:
    """The words said to the tool about this definition."""
    words: set[str] = set()
    for comment in _comments(node):
        found = PREFIX.match(comment.value)
        if found:
            words.add(found["words"].split()[0] if found["words"] else "")
    return words


def _comments(node: cst.FunctionDef | cst.ClassDef) -> Iterator[cst.Comment]:
    for line in (*node.leading_lines, *node.lines_after_decorators):
        if line.comment:
            yield line.comment
    if isinstance(node.body, cst.IndentedBlock) and node.body.header.comment:
        yield node.body.header.comment


def without_directives(lines: list[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Leading lines less the directives, which say nothing to the reader of a twin."""
    return [line for line in lines if line.comment is None or not PREFIX.match(line.comment.value)]


def within_expressions(source: str) -> frozenset[str]:
    """The comments that stand inside brackets, where the rewriting of an expression may lose them."""
    found: set[str] = set()
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline) if "#" in source else ():
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
            elif token.type == tokenize.COMMENT and depth:
                found.add(token.string)
    except (tokenize.TokenError, SyntaxError):  # LibCST reads a little more than Python's own tokenizer
        return frozenset()
    return frozenset(found)


def lost(known: frozenset[str], old: cst.BaseStatement, new: Sequence[cst.CSTNode]) -> list[cst.EmptyLine]:
    """The comments within the expressions of a statement that what has become of it lacks, as lines above it."""
    before = "".join(map(_CODE.code_for_node, _expressions(old))) if known else ""
    inside = [comment for comment in known if comment in before]
    after = "".join(map(_CODE.code_for_node, new)) if inside else ""
    gone = sorted((comment for comment in inside if comment not in after), key=before.index)
    return [cst.EmptyLine(comment=cst.Comment(comment)) for comment in gone]


_CODE = cst.Module([])


def _expressions(statement: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    """The parts of a statement that are expressions, its blocks left aside."""
    if isinstance(statement, cst.SimpleStatementLine):
        return statement.body
    if isinstance(statement, cst.If | cst.While):
        return [statement.test]
    if isinstance(statement, cst.For):
        return [statement.target, statement.iter]
    return statement.items if isinstance(statement, cst.With) else ()
