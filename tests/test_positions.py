"""Where nodes stand: the same places as Python's own, for every node that can be reported."""

from __future__ import annotations

import ast
import textwrap

import libcst as cst
import pytest
from jaxtwin.transpile.positions import spans
from transpiled import diagnostics

SOURCES = [
    "a = b(c, d=e)\n",
    ("# comment\n\n\ndef f(x,\n      y=1):  # why\n    # inside\n    return x[0:1, ...]  # end\n\n\nclass A(B):\n    "
     "x: int = 3\n"),
    "if a:\n\tb = (c +\n\t\td)\nelif e: f(); g()\nelse:\n\tpass\n",
    "for i in range(3):\n    while x < 3 and not y:\n        x += [1, {2: 3}, (4,)][0].z\n",
    ("with a as b, c:\n    try:\n        raise d from e\n    except F as g:\n        pass\n    finally:\n        del "
     "h\n"),
    "x = '''a\nb''' + f'{c!r:>{d}}' + \"é\" + e\n",
    "@d(1)\n@e\nasync def f(*a, b: int = 1, **c) -> int:\n    await g\n    yield [i for i in a if i]\n",
    "x = lambda a, *b: (a if b else c, *d)\ny = z = -1 ** 2\n", "é = ü(ö)  # ä\nß = é\n", "a = 1; b = 2 ; c(3)\n",
    "x = (  # one\n    # two\n    y\n    .z(1)  # three\n)\n", "match a:\n    case 1:\n        b = c\n",
    "def f():\n    return\n\n    # trailing\n",
]  # fmt: skip


class _Names(cst.CSTVisitor):
    def __init__(self) -> None:
        self.nodes: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.BaseExpression | cst.BaseSmallStatement):
            self.nodes.append(node)
        return True


@pytest.mark.parametrize("source", SOURCES)
def test_expressions_stand_where_python_sees_them(source: str) -> None:
    """Every expression that the parser of Python knows of is found at its place."""
    module, collector = cst.parse_module(source), _Names()
    module.visit(collector)
    found = set(spans(module, source, collector.nodes).values())
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(
            node, ast.Call | ast.Name | ast.Subscript | ast.BinOp | ast.Return | ast.Assign
        ) and not _in_fstring(node, source):
            start = len(lines[node.lineno - 1].encode()[: node.col_offset].decode()) + 1
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            end = len(lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode()) + 1
            assert (node.lineno, start, node.end_lineno, end) in found, ast.dump(node)


def _in_fstring(node: ast.AST, source: str) -> bool:
    """Python before 3.12 places what is inside of an f-string wrongly."""
    return any(
        node is inner
        for outer in ast.walk(ast.parse(source))
        if isinstance(outer, ast.JoinedStr)
        for inner in ast.walk(outer)
    ) or (isinstance(node, ast.Name | ast.BinOp) and "f'" in source)


def test_only_what_is_wanted() -> None:
    module = cst.parse_module("a = b\n")
    assert spans(module, "a = b\n", []) == {}
    line = module.body[0]
    assert isinstance(line, cst.SimpleStatementLine)
    assert spans(module, "a = b\n", [line.body[0]]) == {line.body[0]: (1, 1, 1, 6)}


@pytest.mark.parametrize(
    ("source", "line", "column", "marked"),
    [
        ("def f(x):\n    return torch.no_such(x)\n", 2, 12, "torch.no_such(x)"),
        ("def f(x):\n\treturn torch.no_such(x)\n", 2, 9, "torch.no_such(x)"),
        (
            "# one\n\n\n# two\ndef f(x):\n    # three\n    y = 1  # four\n    return (torch.no_such(x))\n",
            8,
            13,
            "torch.no_such(x)",
        ),
        ("def f(x, y=torch.no_such(1)):\n    return x\n", 1, 12, "torch.no_such(1)"),
        ("@torch.no_such\ndef f(x):\n    return x\n", 1, 1, "@torch.no_such"),
        ("class A:\n    def f(self, x):\n        é = 'ü'; return torch.no_such(x)\n", 3, 25, "torch.no_such(x)"),
        (
            "def f(x):\n    '''Doc\n    string.'''\n    return [\n        torch.no_such(x),\n    ]\n",
            5,
            9,
            "torch.no_such(x)",
        ),
        ("X = torch.no_such(1)\n", 1, 5, "torch.no_such(1)"),
        ("def f(x: torch.Tensor):\n    x[0] = 1\n    return x.sum()\n", 2, 5, "x[0]"),
        ("def f(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n", 2, 8, "x.sum() > 0"),
    ],
)
def test_diagnostics_point_at_what_they_speak_of(source: str, line: int, column: int, marked: str) -> None:
    (found,) = diagnostics("import torch\n" + source, bare=True)
    assert (found.line, found.column) == (line + 1, column)
    assert found.source_line[found.column - 1 : found.end_column - 1] == marked
    assert found.source_line == textwrap.dedent("import torch\n" + source).split("\n")[line]
