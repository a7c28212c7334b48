"""The checked table of rules as JSON in the user's cache folder, under the digest of all that it follows from.

Reading 1,000 entries of YAML takes longer than transpiling a file. A cache that cannot be read, written or trusted is
ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


def cache_folder() -> Path:
    """``$TORCH2JAX_CACHE``, else ``$XDG_CACHE_HOME/torch2jax``, else ``~/.cache/torch2jax``."""
    own = os.environ.get("TORCH2JAX_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "torch2jax"


def read_cache(digest: str) -> dict[str, Any] | None:
    """The table of this digest, or None. The first line of the file is the digest of the rest of it."""
    try:
        seal, _, content = (cache_folder() / f"rules-{digest}.json").read_bytes().partition(b"\n")
        if seal.decode("ascii") != _seal(content):
            return None
        table: dict[str, Any] = json.loads(content)
        return table if table.keys() >= {"entries", "ignored", "static", "undecided", "paths"} else None
    except (OSError, RuntimeError, ValueError, AttributeError):
        return None


def write_cache(digest: str, table: dict[str, Any]) -> None:
    """Writes to a file of its own and renames, so that processes starting at once never see half a table."""
    content = json.dumps(table, separators=(",", ":")).encode()
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix="rules-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(content).encode() + b"\n" + content)
            os.replace(name, folder / f"rules-{digest}.json")
        except OSError:
            os.unlink(name)
    except (OSError, RuntimeError):
        return  # a read-only home costs time, not results


def _seal(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
