"""From the paths on a command line to the sources they mean."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import header
from .files import SUFFIX, SourceError, normalised, read_bytes, source_name, twin_name
from .project import Project


class PathError(Exception):
    """A path on the command line that names nothing to work on."""


def discover(paths: Sequence[str | os.PathLike[str]], project: Project | None = None) -> list[Path]:
    """The sources that files, folders and patterns name, each once, as they were named.

    A folder stands for the files in it that use torch, twins left out; a twin for its source. Raises PathError for a
    path that does not exist and is no pattern with a match, and for a file that is not Python.
    """
    project = project or Project()
    found: dict[str, Path] = {}
    for path in _expanded(paths):
        if os.path.isdir(path):
            absolute = os.path.abspath(path)
            for file in walk(absolute):
                if not file.endswith(f"{SUFFIX}.py") and project.uses_torch(file):
                    found.setdefault(file, Path(path, file[len(absolute) + 1 :]))
        else:
            source = _original(path)
            found.setdefault(os.path.abspath(source), Path(source))
    return list(found.values())


def _expanded(paths: Sequence[str | os.PathLike[str]]) -> Iterator[str]:
    for path in (os.fspath(path) for path in paths):
        matches = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
        if not matches and not _is_orphaned(path):
            raise PathError(f"no such file or folder: {path}")
        for match in matches or [path]:
            if not os.path.isdir(match) and not match.endswith(".py"):
                raise PathError(f"not a Python file: {match}")
        yield from matches or [path]


def _is_orphaned(path: str) -> bool:
    """Whether this missing source has left a twin."""
    return path.endswith(".py") and is_twin(twin_name(path))


def _original(path: str) -> str:
    """The source of a twin that the tool wrote; any other file itself."""
    source = source_name(path)
    return source if source and is_twin(path) else path


def is_twin(path: str | os.PathLike[str]) -> bool:
    """Whether the tool wrote this file."""
    try:
        return header.split(normalised(read_bytes(path)))[0] is not None
    except SourceError:
        return False


def walk(folder: str) -> Iterator[str]:
    """The Python files under a folder in order; hidden folders, caches and virtual environments are left out."""
    for parent, folders, files in os.walk(os.path.normpath(folder)):
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in ("__pycache__", "node_modules"))
        prefix = "" if parent == os.curdir else os.path.join(parent, "")
        yield from (prefix + name for name in sorted(files) if name.endswith(".py"))
