"""Reading sources and writing twins: encodings, newlines, names, and writes that leave no partial file."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .diagnostics import Diagnostic, Severity

BOM = b"\xef\xbb\xbf"
SUFFIX = "_jax"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = frozenset({"utf-8", "utf8", "utf-8-sig", "u8", "ascii", "us-ascii"})


class SourceError(Exception):
    """A file that cannot be read or written, with the diagnostic that says so."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def read_source(path: str | os.PathLike[str]) -> str:
    """The text of a Python file: UTF-8, without a BOM, with every newline as ``\\n``. Raises SourceError."""
    return decode(read_bytes(path), os.fspath(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file. Raises SourceError."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError as error:
        raise SourceError(problem(os.fspath(path), f"cannot be read: {reason(error)}")) from None


def decode(data: bytes, path: str) -> str:
    """Text from the bytes of a Python file, as :func:`read_source` gives it."""
    try:
        text = normalised(data).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: byte 0x{data[error.start]:02x}"
        hint = "save the file in UTF-8; twins are written in it"
        raise SourceError(problem(path, message, line, error.start - data.rfind(b"\n", 0, error.start), hint)) from None
    declared = _declared_encoding(data)
    if declared not in _UTF8 and not data.isascii():
        message = f"not UTF-8: the file declares its encoding as {declared}"
        raise SourceError(problem(path, message, 1, 1, "save the file in UTF-8 and drop the declaration"))
    return text


def _declared_encoding(data: bytes) -> str:
    """The encoding that a comment in the first two lines declares, spelled as Python normalises it."""
    for line in data.split(b"\n", 2)[:2]:
        found = _COOKIE.match(line)
        if found:
            return found[1].decode("ascii", "replace").lower().replace("_", "-")
    return "utf-8"


def normalised(data: bytes) -> bytes:
    """The bytes without a BOM and with ``\\n`` for every newline, as Python itself reads them."""
    data = data.removeprefix(BOM)
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def newline_of(data: bytes) -> str:
    """The newline most lines of a file end in: ``\\r\\n``, ``\\r`` or ``\\n``."""
    windows = data.count(b"\r\n")
    unix, classic = data.count(b"\n") - windows, data.count(b"\r") - windows
    return "\n" if unix >= max(windows, classic) else "\r\n" if windows >= classic else "\r"


def twin_path(path: str | os.PathLike[str]) -> Path:
    """Where the twin of a source is: ``model/loss.py`` to ``model/loss_jax.py``."""
    return Path(twin_name(os.fspath(path)))


def source_path(path: str | os.PathLike[str]) -> Path | None:
    """The source whose twin would have this path; None if it is no twin's name."""
    name = source_name(os.fspath(path))
    return Path(name) if name else None


def twin_name(path: str) -> str:
    """:func:`twin_path` on plain text, which is several times as fast."""
    stem, extension = os.path.splitext(path)
    return f"{stem}{SUFFIX}{extension}"


def source_name(path: str) -> str:
    """:func:`source_path` on plain text; empty if it is no twin's name."""
    stem, extension = os.path.splitext(path)
    if not stem.endswith(SUFFIX) or os.path.basename(stem) == SUFFIX:
        return ""
    return stem.removesuffix(SUFFIX) + extension


def write(path: str | os.PathLike[str], text: str, newline: str = "\n") -> bool:
    """Write a file whole or not at all; returns whether anything changed. Raises SourceError.

    The text goes to a new file in the same folder, which then takes the place of the old one and has its mode.
    """
    target = os.path.realpath(path)
    data = text.replace("\n", newline).encode("utf-8") if newline != "\n" else text.encode("utf-8")
    temporary = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.{os.getpid()}.tmp")
    try:
        before = _content(target)
        if before == data:
            return False
        _create(temporary, data, None if before is None else os.stat(target).st_mode & 0o7777)
        os.replace(temporary, target)
    except OSError as error:
        _remove(temporary)
        raise SourceError(problem(os.fspath(path), f"cannot be written: {reason(error)}")) from None
    except BaseException:
        _remove(temporary)
        raise
    return True


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _create(path: str, data: bytes, mode: int | None) -> None:
    _remove(path)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
        file.write(data)
    if mode is not None:
        os.chmod(path, mode)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # it was never there, or its folder is what cannot be written


def reason(error: OSError) -> str:
    """What the operating system said, without the path."""
    return (error.strerror or str(error)).lower()


def problem(path: str, message: str, line: int = 0, column: int = 1, hint: str = "") -> Diagnostic:
    """The diagnostic ``unreadable`` for a file."""
    return Diagnostic(path, line, column, line, column + 1, Severity.ERROR, "unreadable", message, hint)
