"""What was found wrong with a part of a source, before it has a place, and the exception that carries it."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst


@dataclass(frozen=True)
class Finding:
    """A diagnostic before it has a place: the node it speaks of, the code, the message and the hint."""

    node: cst.CSTNode
    code: str
    message: str
    hint: str = ""


class Refused(Exception):
    """Raised while rewriting what cannot be carried over; the function around it becomes a stub."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def finding_of(node: cst.CSTNode, error: Exception) -> Finding:
    """What stopped a definition or statement, which is left out while all else goes on.

    Anything but Refused shows a defect of the tool. Too deep a nesting concerns the whole file: it is raised again.
    """
    if isinstance(error, Refused):
        return error.finding
    if isinstance(error, RecursionError):
        raise error
    message = f"{type(error).__name__}: {error}".partition("\n")[0]
    return Finding(node, "internal-error", message, "please report this")
