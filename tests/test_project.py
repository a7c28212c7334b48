"""Settings, siblings, and which files there are to translate."""

from __future__ import annotations

import ast
import itertools
import json
from pathlib import Path

import pytest
from command_line import LOSS, PLAIN
from jaxtwin.transpile.discovery import PathError, discover
from jaxtwin.transpile.files import newline_of, source_path, write
from jaxtwin.transpile.project import Project, build, find_settings, read_source, twin_path
from jaxtwin.transpile.scan import Import, imports, scan
from jaxtwin.transpile.settings import ConfigurationError, Settings


def lay(folder: Path, **files: str) -> Path:
    """Write files named with ``__`` for a slash, ``a__b`` for a/b.py; returns the folder."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def make_package(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text("")


# ------------------------------------------------------------------------------------------------------------ settings


def test_settings_come_from_the_nearest_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.torch2jax]\nx64 = true\nkinks = 'torch'\nrules = ['r.yaml']\n")
    (tmp_path / "r.yaml").write_text("torch:\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text("[project]\nname = 'inner'\n")
    expected = Settings(x64=True, rules=(str(tmp_path / "r.yaml"),))
    assert find_settings(tmp_path / "inner" / "loss.py") == expected
    assert Project().settings(tmp_path / "inner" / "loss.py") == expected


def test_settings_without_a_table_are_the_defaults(tmp_path: Path) -> None:
    assert find_settings(tmp_path / "loss.py") == Settings()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[tool.torch2jax]\n\nx46 = 1\n", 3, "tool.torch2jax.x46: unknown key; the known ones are x64, kinks, rules"),
        ("[tool.torch2jax]\nx64 = 1\n", 2, "tool.torch2jax.x64: must be true or false"),
        ("[tool.torch2jax]\nkinks = 'none'\n", 2, "tool.torch2jax.kinks: must be one of 'torch'"),
        ("[tool.torch2jax]\nrules = 'r.yaml'\n", 2, "tool.torch2jax.rules: must be a list of paths"),
        ("[tool.torch2jax]\nx64 = true\nrules = ['r.yaml']\n", 3, "tool.torch2jax.rules: no such file: "),
        ("tool.torch2jax = 3\n", 0, "tool.torch2jax must be a table"),
        ("[tool.torch2jax]\nx64 = \n", 2, "not TOML: "),
    ],
)
def test_bad_settings_name_the_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        find_settings(tmp_path / "loss.py")
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert caught.value.message.startswith(message)


def test_a_pyproject_of_others_is_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is no TOML\n")
    assert find_settings(tmp_path / "loss.py") == Settings()


# --------------------------------------------------------------------------------------------------------------- names


def test_twin_and_source_names() -> None:
    assert twin_path("model/loss.py") == Path("model/loss_jax.py")
    assert source_path("model/loss_jax.py") == Path("model/loss.py")
    assert source_path("model/loss.py") is None
    assert source_path("model/_jax.py") is None


# ------------------------------------------------------------------------------------------------------------- imports

STATEMENTS = """
import torch
import a, b as c
import a.b.c as d; import e
from a import b
from a.b import (c, d as e,  # a comment with ) in it
    f)
from . import a, b
from .. import c
from .a.b import *
from a import b, \\
    c
from \\
  .x import y
if a: import inline
try: from t import u
except ImportError: pass
def f():
    import inside
    from .. import above  # comment
class A:
\timport tabbed
import\tt
"""


def test_the_quick_scan_finds_every_import() -> None:
    assert set(scan(STATEMENTS.encode())) == set(imports(STATEMENTS))


def test_the_quick_scan_misses_nothing_in_the_standard_library() -> None:
    for path in sorted(Path(json.__file__).parent.parent.glob("[a-e]*.py")):
        text = read_source(path) if path.stem != "__phello__" else ""
        assert set(imports(text)) <= set(scan(text.encode())), path


NO_IMPORTS = ["important = 1\n", "x.import_(1)\n", "importlib.y()\n", "# import torch\n", "a = 'import torch'\n"]


@pytest.mark.parametrize("text", NO_IMPORTS)
def test_the_quick_scan_knows_some_words_that_are_no_import(text: str) -> None:
    assert scan(text.encode()) == ()


def test_the_exact_reading_ignores_text() -> None:
    text = '"""\nimport torch\n"""\nimport math\n'
    assert imports(text) == (Import(0, "math"),)
    assert Import(0, "torch") in scan(text.encode())


def test_the_exact_reading_of_a_text_that_does_not_parse_is_the_quick_one() -> None:
    assert imports("import torch\ndef\n") == (Import(0, "torch"),)


# ------------------------------------------------------------------------------------------------------------ siblings


def test_siblings_by_relative_import(tmp_path: Path) -> None:
    lay(tmp_path, pkg__a=LOSS, pkg__sub__b=LOSS, pkg__plain=PLAIN)
    project = Project()
    assert project.sibling(tmp_path / "pkg/c.py", "a", 1) == tmp_path / "pkg/a.py"
    assert project.sibling(tmp_path / "pkg/c.py", "sub.b", 1) == tmp_path / "pkg/sub/b.py"
    assert project.sibling(tmp_path / "pkg/sub/b.py", "a", 2) == tmp_path / "pkg/a.py"
    assert project.sibling(tmp_path / "pkg/sub/b.py", "pkg.a", 3) == tmp_path / "pkg/a.py"
    assert project.sibling(tmp_path / "pkg/c.py", "plain", 1) is None
    assert project.sibling(tmp_path / "pkg/c.py", "missing", 1) is None


def test_siblings_by_absolute_import(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    lay(tmp_path, top=LOSS, src__pkg__a=LOSS, src__pkg__sub__b=LOSS, scripts__helper=LOSS, scripts__run=LOSS)
    make_package(tmp_path / "src/pkg")
    make_package(tmp_path / "src/pkg/sub")
    project = Project()
    assert project.sibling(tmp_path / "src/pkg/sub/b.py", "pkg.a", 0) == tmp_path / "src/pkg/a.py"
    assert project.sibling(tmp_path / "scripts/run.py", "helper", 0) == tmp_path / "scripts/helper.py"
    assert project.sibling(tmp_path / "scripts/run.py", "top", 0) == tmp_path / "top.py"
    assert project.sibling(tmp_path / "scripts/run.py", "pkg.a", 0) is None


def test_a_package_goes_before_a_file_of_the_same_name(tmp_path: Path) -> None:
    lay(tmp_path, a=LOSS, a__x=LOSS, b=LOSS, b__data=LOSS)
    make_package(tmp_path / "a")
    (tmp_path / "a/__init__.py").write_text(LOSS)
    assert Project().sibling(tmp_path / "c.py", "a", 1) == tmp_path / "a/__init__.py"
    assert Project().sibling(tmp_path / "c.py", "b", 1) == tmp_path / "b.py"


def test_names_of_others_are_no_siblings(tmp_path: Path) -> None:
    lay(tmp_path, random=LOSS, torch=LOSS, loss_jax=LOSS)
    project = Project()
    assert project.sibling(tmp_path / "a.py", "random", 0) is None
    assert project.sibling(tmp_path / "a.py", "torch", 0) is None
    assert project.sibling(tmp_path / "a.py", "random", 1) == tmp_path / "random.py"
    assert project.sibling(tmp_path / "a.py", "loss_jax", 1) is None


def test_torch_is_used_through_siblings_and_through_cycles(tmp_path: Path) -> None:
    lay(tmp_path, a="from .b import x\n", b="from . import c\n", c="import a\nimport torch.nn as nn\n")
    lay(tmp_path, p="from .q import x\n", q="from .p import y\nimport math\n")
    project = Project()
    assert all(project.uses_torch(tmp_path / f"{name}.py", exact) for name in "abc" for exact in (False, True))
    assert not any(project.uses_torch(tmp_path / f"{name}.py", exact) for name in "pq" for exact in (False, True))
    assert project.siblings(tmp_path / "a.py") == [str(tmp_path / "b.py"), str(tmp_path / "c.py")]
    assert project.nearest(tmp_path / "a.py") == [str(tmp_path / "b.py")]


def test_a_mention_of_torch_makes_no_sibling(tmp_path: Path) -> None:
    lay(tmp_path, a='"""\nimport torch\n"""\n')
    assert Project().uses_torch(tmp_path / "a.py")
    assert Project().sibling(tmp_path / "b.py", "a", 1) is None


# ------------------------------------------------------------------------------------------------------------ discover


def test_discover_leaves_out_what_is_not_the_projects(tmp_path: Path) -> None:
    lay(tmp_path, a=LOSS, a_jax=LOSS, plain=PLAIN, node_modules__c=LOSS, env__lib__d=LOSS, sub__e=LOSS)
    (tmp_path / "__pycache__").mkdir()
    lay(tmp_path / "__pycache__", b=LOSS)
    (tmp_path / ".hidden").mkdir()
    lay(tmp_path / ".hidden", f=LOSS)
    (tmp_path / "env/pyvenv.cfg").write_text("")
    assert discover([tmp_path]) == [tmp_path / "a.py", tmp_path / "sub/e.py"]


def test_discover_takes_a_named_file_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay(Path(), plain=PLAIN, a=LOSS)
    assert discover(["plain.py", ".", str(tmp_path / "a.py")]) == [Path("plain.py"), Path("a.py")]


@pytest.mark.parametrize("path", ["missing.py", "*.txt", "notes.txt"])
def test_discover_refuses_what_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("")
    with pytest.raises(PathError):
        discover([path])


# ------------------------------------------------------------------------------------------------------ build and write


def test_build_puts_the_header_on_and_names_the_nearest_siblings(tmp_path: Path) -> None:
    lay(tmp_path, loss="import torch\nfrom .sub.far import g\n\n\ndef f(x):\n    return g(torch.sin(x))\n")
    lay(tmp_path, sub__far="import torch\n\n\ndef g(x):\n    return torch.cos(x)\n")
    make_package(tmp_path)
    text, diagnostics = build(tmp_path / "loss.py")
    assert text is not None
    assert diagnostics == ()
    assert text.splitlines()[1].endswith("  with sub/far.py")
    assert "from .sub.far_jax import g" in text
    ast.parse(text)


def test_newlines() -> None:
    assert newline_of(b"a\nb\n") == "\n"
    assert newline_of(b"a\r\nb\r\nc\n") == "\r\n"
    assert newline_of(b"a\rb\r") == "\r"
    assert newline_of(b"") == "\n"


def test_write_keeps_the_mode_and_leaves_nothing_else(tmp_path: Path) -> None:
    path, ordinary = tmp_path / "a_jax.py", tmp_path / "ordinary"
    ordinary.write_text("")
    assert write(path, "one\n")
    assert path.stat().st_mode == ordinary.stat().st_mode
    path.chmod(0o640)
    assert write(path, "two\n", "\r\n")
    assert not write(path, "two\n", "\r\n")
    assert path.read_bytes() == b"two\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [path, ordinary]


def test_write_goes_through_a_link(tmp_path: Path) -> None:
    link, target = tmp_path / "a_jax.py", tmp_path / "elsewhere.py"
    target.write_text("old\n")
    link.symlink_to(target)
    write(link, "new\n")
    assert link.is_symlink()
    assert target.read_text() == "new\n"


CYCLE = {
    "__init__.py": "import torch\nfrom .a import *\nfrom .b import *\n",
    "a.py": "import torch\nimport p\n\n\ndef f(x: torch.Tensor, flag=True):\n    return p.g(x.sin(), flag)\n",
    "b.py": "import torch\nimport p\n\n\ndef g(x, flag):\n    return p.f(x, False) if flag else x.sum()\n",
}


def test_twins_do_not_depend_on_which_was_asked_for_first(tmp_path: Path) -> None:
    """Not even where a package and its modules import each other."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "p").mkdir()
    for name, text in CYCLE.items():
        (tmp_path / "p" / name).write_text(text)
    found = set()
    for order in itertools.permutations(CYCLE):
        project = Project()
        texts = {name: build(tmp_path / "p" / name, project)[0] for name in order}
        found.add(tuple(texts[name] for name in CYCLE))
    assert len(found) == 1
    assert 'static_argnames="flag"' in str(found.pop()[1])
