"""``[tool.torch2jax]`` of the nearest pyproject.toml that has it.

[tool.torch2jax]
x64 = true                 # the project computes in double; twins turn JAX's 64-bit mode on
kinks = "torch"            # gradients at kinks are torch's own; there is no other choice yet
rules = ["my_rules.yaml"]  # rule files of your own, relative to pyproject.toml
line_length = 88           # where twins are broken; ruff's or black's from the same file if left out, else the source's
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FILE = "pyproject.toml"
KINKS = ("torch",)  # a project that prefers plain jnp will say "jax" once the rules can tell the two apart


@dataclass(frozen=True)
class Settings:
    """What a project has decided. ``rules`` holds absolute paths."""

    x64: bool = False
    kinks: str = "torch"
    rules: tuple[str, ...] = ()
    line_length: int | None = None


class ConfigurationError(Exception):
    """A table that cannot be used: ``path``, ``line`` (from 1; 0 where unknown) and ``message``."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


def find_settings(path: str | os.PathLike[str]) -> Settings:
    """The settings for a source file (or folder): those of the nearest pyproject.toml above it with the table.

    Raises ConfigurationError for broken TOML, an unknown key, a value of the wrong type or a rule file that is missing.
    """
    folder = os.path.abspath(path)
    while True:
        settings = read_settings(os.path.join(folder, FILE))
        parent = os.path.dirname(folder)
        if settings is not None or parent == folder:
            return settings or Settings()
        folder = parent


def read_settings(path: str) -> Settings | None:
    """The settings in one pyproject.toml; None if there is no such file, or no table in it."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError(path, 0, f"cannot be read: {error.strerror}") from None
    if b"torch2jax" not in data:
        return None
    tools = _parse(path, data).get("tool", {})
    table = tools.get("torch2jax")
    return None if table is None else _checked(path, data, table, _line_length(tools))


def _line_length(tools: Mapping[str, Any]) -> int | None:
    """What the project's formatter is told."""
    tables = (tools.get(name) for name in ("ruff", "black"))
    lengths = (table.get("line-length") for table in tables if isinstance(table, Mapping))
    return next((length for length in lengths if isinstance(length, int)), None)


def _parse(path: str, data: bytes) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigurationError(path, 0, "not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        raise ConfigurationError(path, int(place[1]) if place else 0, f"not TOML: {error}") from None


def _checked(path: str, data: bytes, table: Any, line_length: int | None) -> Settings:
    if not isinstance(table, Mapping):
        raise ConfigurationError(path, 0, "tool.torch2jax must be a table")
    known = Settings.__dataclass_fields__
    for key, value in table.items():
        problem = _problem(key, value) if key in known else f"unknown key; the known ones are {', '.join(known)}"
        if problem:
            raise ConfigurationError(path, _line_of(data, key), f"tool.torch2jax.{key}: {problem}")
    folder = os.path.dirname(path)
    rules = tuple(os.path.normpath(os.path.join(folder, rule)) for rule in table.get("rules", ()))
    for rule in rules:
        if not os.path.isfile(rule):
            raise ConfigurationError(path, _line_of(data, "rules"), f"tool.torch2jax.rules: no such file: {rule}")
    return Settings(
        table.get("x64", False), table.get("kinks", "torch"), rules, table.get("line_length", line_length)
    )  # fmt: skip


def _problem(key: str, value: Any) -> str:
    if key == "x64" and not isinstance(value, bool):
        return "must be true or false"
    if key == "kinks" and value not in KINKS:
        return f"must be one of {', '.join(map(repr, KINKS))}"
    if key == "rules" and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        return "must be a list of paths"
    if key == "line_length" and (not isinstance(value, int) or value < 20):
        return "must be a number of columns"
    return ""


def _line_of(data: bytes, key: str) -> int:
    """The line, from 1, on which a key of the table is set; 0 if it is written in a way not foreseen."""
    inside = False
    for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.startswith("[tool.torch2jax]")
        elif inside and re.match(rf"""["']?{re.escape(key)}["']?\s*=""", stripped):
            return number
    return 0
