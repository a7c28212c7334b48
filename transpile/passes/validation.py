"""Checks on values, which a compiled function does not have while it is traced: left out, with a note."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ..findings import Finding
from ..rewrite import Rewriter


def value_check(rewriter: Rewriter, statement: cst.BaseSmallStatement) -> Sequence[cst.BaseSmallStatement] | None:
    """``assert (x > 0).all()`` is left out; asserts on shapes and types stay."""
    if not isinstance(statement, cst.Assert) or not rewriter.kind(statement.test).is_tensor:
        return None
    rewriter.notes.append(left_out(statement))
    return []


def left_out(node: cst.CSTNode) -> Finding:
    return Finding(node, "value-check", "this check on values is left out of the twin")
