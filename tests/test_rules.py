"""Rule files: the grammar, its errors with their lines, files of one's own, and the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jaxtwin.transpile import rule_cache, rules
from jaxtwin.transpile.pipeline import Result, transpile
from jaxtwin.transpile.rules import RuleBook, RuleError, load
from jaxtwin.transpile.settings import Settings


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TORCH2JAX_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def book(tmp_path: Path, *texts: str) -> RuleBook:
    """The built-in rules with files of these texts on top."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(tmp_path / f"r{number}.yaml")
        paths[-1].write_text(text)
    return load(paths)


def translated(rules: RuleBook, expression: str, x64: bool = False) -> Result:
    return transpile(
        f"import torch\n\n\ndef f(x: torch.Tensor, n=2):\n    return {expression}\n", "m.py", Settings(x64=x64), rules
    )


def written(rules: RuleBook, expression: str, x64: bool = False) -> str:
    """What an expression becomes."""
    result = translated(rules, expression, x64)
    assert result.diagnostics == ()
    assert result.body is not None
    return next(line for line in result.body.split("\n") if line.startswith("    return ")).removeprefix("    return ")


# ------------------------------------------------------------------------------------------------------- the grammar

GRAMMAR = [
    ("f(input): jnp.g(input)", "torch.f(x)", "jnp.g(x)"), ("f(input): jnp.g(input)", "x.f()", "jnp.g(x)"),
    ("f(input, k=...): jnp.g(input, a=k)", "torch.f(x)", "jnp.g(x)"),
    ("f(input, k=...): jnp.g(input, a=k)", "torch.f(x, 3)", "jnp.g(x, a=3)"),
    ("f(input, k=1): jnp.g(input, a=k)", "torch.f(x)", "jnp.g(x, a=1)"),
    ("f(input, k=1): jnp.g(input, a=k)", "torch.f(x, k=n)", "jnp.g(x, a=n)"),
    ("f(input, *, k:int): jnp.g(input, k)", "torch.f(x, k=3)", "jnp.g(x, 3)"),
    ("f(*size): jnp.g(size)", "torch.f(1, 2)", "jnp.g((1, 2))"),
    ("f(*size): jnp.g(size)", "torch.f((1, 2))", "jnp.g((1, 2))"),
    ("f(*size): jnp.g(size)", "torch.f([1, 2])", "jnp.g((1, 2))"),
    ("f(*size): jnp.g(size)", "torch.f(*x.shape)", "jnp.g(x.shape)"),
    ("f(input, mode:'a'|'b'='a'): jnp.g(input, first=mode == 'a')", "torch.f(x)", "jnp.g(x, first=True)"),
    ("f(input, mode:'a'|'b'='a'): jnp.g(input, first=mode == 'a')", "torch.f(x, 'b')", "jnp.g(x, first=False)"),
    ("f(input, k=None): jnp.g(input) if k is None else jnp.h(input, k)", "torch.f(x)", "jnp.g(x)"),
    ("f(input, k=None): jnp.g(input) if k is None else jnp.h(input, k)", "torch.f(x, k=4)", "jnp.h(x, 4)"),
    ("f(input, k:bool=False): jnp.g(input) if not k else jnp.h(input)", "torch.f(x, True)", "jnp.h(x)"),
    ("f(input): {x32: jnp.a(input), x64: jnp.b(input)}", "torch.f(x)", "jnp.a(x)"),
    ("f(input): {values: jnp.a(input), indices: jnp.b(input)}", "torch.f(x)", "jnp.a(x), jnp.b(x)"),
    ("f(input): {values: jnp.a(input), indices: jnp.b(input)}", "torch.f(x).indices", "jnp.b(x)"),
    ("f(input): {values: jnp.a(input), indices: jnp.b(input)}", "torch.f(x)[0]", "jnp.a(x)"),
    ("f(input) -> (u, v): jnp.g(input)", "torch.f(x).v", "jnp.g(x)[1]"),
    ("f(input) -> Shape: jnp.g(input)", "x.view(torch.f(x))", "jnp.reshape(x, jnp.g(x))"),
    ("f(input) -> Tensor[bool]: jnp.g(input)", "torch.f(x) * 2", "jnp.g(x) * 2"),
    ("f(input): math.floor(input) + len(input)", "torch.f(x)", "math.floor(x) + len(x)"),
    ("f(input): ops.norm(input)", "torch.f(x)", "_norm(x)"), ("f: torch.sin", "torch.f(x)", "jnp.sin(x)"),
    ("f: jnp.k", "torch.f * x", "jnp.k * x"),
    ("f(input): jax.lax.g(input, jnp.h)", "torch.f(x)", "jax.lax.g(x, jnp.h)"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "expression", "expected"), GRAMMAR)
def test_the_grammar(tmp_path: Path, rule: str, expression: str, expected: str) -> None:
    assert written(book(tmp_path, f"torch:\n  {rule}\n"), expression) == expected


def test_expressions_by_the_width(tmp_path: Path) -> None:
    rules = book(
        tmp_path,
        "torch:\n  f(input): {x32: jnp.a(input), x64: jnp.b(input)}\n  g(*, dtype=default_float): jnp.c(dtype=dtype)\n",
    )
    assert written(rules, "torch.f(x)", x64=True) == "jnp.b(x)"
    assert written(rules, "torch.g() + x") == "jnp.c() + x"
    assert written(rules, "torch.g() + x", x64=True) == "jnp.c(dtype=jnp.float32) + x"
    assert written(rules, "torch.g(dtype=torch.int32) + x") == "jnp.c(dtype=jnp.int32) + x"


def test_overloads_are_tried_in_order(tmp_path: Path) -> None:
    rules = book(
        tmp_path,
        "torch:\n  f(input, k:int): jnp.i(input, k)\n  f(input, k:Tensor): jnp.t(input, k)\n"
        "  f(input, k:any): jnp.a(input, k)\n",
    )
    assert [written(rules, f"torch.f(x, {k})") for k in ("1", "x", "'s'", "n + 1")] == [
        "jnp.i(x, 1)",
        "jnp.t(x, x)",
        "jnp.a(x, 's')",
        "jnp.i(x, n + 1)",
    ]


def test_refusals_carry_reason_remedy_and_code(tmp_path: Path) -> None:
    rules = book(
        tmp_path,
        "torch:\n  f: {unsupported: it is far, instead: torch.g, code: dynamic-shape}\n  g: {unsupported: no}\n",
    )
    (found,) = translated(rules, "torch.f(x)").diagnostics
    assert (found.code, found.message, found.hint) == ("dynamic-shape", "torch.f: it is far", "torch.g")
    (found,) = translated(rules, "torch.g(x)").diagnostics
    assert (found.code, found.message) == ("unsupported-api", "torch.g: no")


# -------------------------------------------------------------------------------------------------------- the errors

ERRORS = [
    ("torch:\n  f(input): [\n", 3, "not YAML"), ("torch:\n\tf: g\n", 2, "not YAML"),
    ("- torch\n", 1, "a mapping from text is expected here"), ("torch: 3\n", 1, "a mapping is expected here"),
    ("torch:\n  f(input): [1, 2]\n", 2, "a mapping from text is expected here"),
    ("torch:\n  f(input): {unsupported: [a]}\n", 2, "text is expected here"),
    ("torch:\n  f(input): jnp.g(x)\n", 2, "x is no parameter of f"),
    ("torch:\n  f(input): jnp.g(\n", 2, "is no expression"), ("torch:\n  f(input): ''\n", 2, "is no expression"),
    ("torch:\n  f(input: jnp.g(input)\n", 2, "is no signature"),
    ("torch:\n  f(**k): jnp.g()\n", 2, "** has no meaning in a rule"),
    ("torch:\n  f(a): jnp.g(a)\n\n  f(a): jnp.h(a)\n", 4, "f(a) stands here and at line 2"),
    ("torch:\n  f(a): jnp.g(a)\ntorch:\n  g(a): jnp.h(a)\n", 3, "torch stands here and at line 1"),
    ("torch:\n  f(a): jnp.g(a)\n  f(a:int): jnp.h(a)\n", 3,
     "never reached, the signature at line 2 takes every call first"),
    ("torch:\n  f(a): {unsupported: no, because: of}\n", 2, "because has no meaning beside unsupported"),
    ("torch:\n  f(a): {unsupported: no, code: no-such-code}\n", 2, "no-such-code"),
    ("torch:\n  f(a): {x32: jnp.a(a)}\n", 2, "x64"),
    ("torch:\n  f(a): ops.no_such_helper(a)\n", 2, "no_such_helper"),
    ("torch:\n  f(a): jnp.g(a)\n  h: torch.no_such_name\n", 3, "torch.no_such_name"),
    ("torch:\n  f(a:banana): jnp.g(a)\n", 2, "banana"), ("torch:\n  f(a) -> banana: jnp.g(a)\n", 2, "banana"),
    ("torch:\n  f(a): '[i for i in a]'\n", 2, "'[i for i in a]'"),
    ("parameters:\n  dim: [int]\n", 2, "text is expected here"),
    ("ignore:\n  a: b\n  a: c\n", 3, "a stands here and at line 2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), ERRORS)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        book(tmp_path, text)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "r0.yaml"), line)
    assert message in caught.value.message


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "r.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RuleError, match="cannot be read") as caught:
        load([path])
    assert (caught.value.path, caught.value.line) == (str(path), 0)


@pytest.mark.parametrize("text", ["", "# nothing\n", "torch:\n", "torch: {}\n", "torch: ~\n", "ignore:\n"])
def test_files_with_nothing_in_them(tmp_path: Path, text: str) -> None:
    assert written(book(tmp_path, text), "torch.sin(x)") == "jnp.sin(x)"


# --------------------------------------------------------------------------------------------------- files of one's own


def test_later_files_override_name_by_name(tmp_path: Path) -> None:
    """A name is taken over whole, overloads and all; every other name stays."""
    first = "torch:\n  max(input): jnp.one(input)\n  f(input): jnp.f(input)\n"
    rules = book(tmp_path, first, "torch:\n  f(input): jnp.two(input)\n")
    assert written(rules, "torch.f(x)") == "jnp.two(x)"
    assert written(rules, "torch.max(x)") == "jnp.one(x)"
    assert translated(rules, "torch.max(x, 1)").diagnostics[0].code == "unknown-signature"
    assert written(rules, "torch.min(x)") == written(load(), "torch.min(x)")
    assert [rule.location for rule in rules.rules("torch.f")] == ["r1.yaml:2"]


def test_a_method_of_its_own_goes_before_the_function(tmp_path: Path) -> None:
    rules = book(tmp_path, "Tensor:\n  f(self): jnp.method(self)\ntorch:\n  f(input, k=...): jnp.function(input, k)\n")
    assert written(rules, "x.f()") == "jnp.method(x)"
    assert written(rules, "torch.f(x)") == "jnp.function(x)"
    assert written(rules, "x.f(2)") == "jnp.function(x, 2)"


def test_namespaces_and_keywords_of_ones_own(tmp_path: Path) -> None:
    text = (
        "torch.ops.mine:\n  fused(a, b:Tensor): jnp.fused(a, b)\nignore:\n  verbose: talk\nparameters:\n  a: Tensor\n"
    )
    rules = book(tmp_path, text)
    assert written(rules, "torch.ops.mine.fused(x, x, verbose=True)") == "jnp.fused(x, x)"
    assert rules.ignored["verbose"] == "talk"
    assert rules.ignored["device"] == load().ignored["device"]
    assert rules.rules("torch.ops.mine.fused")[0].signature.parameters[0].kinds == ("Tensor",)


def test_aliases_in_a_circle_have_no_rule(tmp_path: Path) -> None:
    rules = book(tmp_path, "torch:\n  f: torch.g\n  g: torch.f\n")
    assert rules.rules("torch.f") == ()


# ------------------------------------------------------------------------------------------------------------ the cache


def cached(own_cache: Path) -> Path:
    (path,) = own_cache.glob("rules-*.json")
    return path


def test_the_cache_is_found_by_digest(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load()
    assert cached(own_cache).name == f"rules-{first.digest}.json"
    monkeypatch.setattr(rules, "RuleReader", None)  # from here on reading YAML raises
    again = load()
    assert again.rules("torch.sum") == first.rules("torch.sum")
    assert again.digest == first.digest
    with pytest.raises(TypeError):
        book(tmp_path, "torch:\n")


def test_the_digest_follows_the_text_alone(tmp_path: Path) -> None:
    one, other = book(tmp_path, "torch:\n"), book(tmp_path, "torch:\n  f(a): jnp.g(a)\n")
    assert one.digest != other.digest != load().digest
    (tmp_path / "elsewhere").mkdir()
    moved = book(tmp_path / "elsewhere", "torch:\n  f(a): jnp.g(a)\n")
    assert moved.digest == other.digest
    assert moved.rules("torch.f")[0].path == str(tmp_path / "elsewhere" / "r0.yaml")


BAD = {
    "empty": b"",
    "half": None,
    "no seal": b"{}",
    "foreign": b"0" * 32 + b"\n{}",
    "not JSON": b"\x00\xff\n",
    "list": b"[]\n[]",
}  # fmt: skip


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_bad_content_is_never_trusted(own_cache: Path, content: bytes | None) -> None:
    expected = load().rules("torch.sum")
    path = cached(own_cache)
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2] if content is None else content)
    assert load().rules("torch.sum") == expected
    assert path.read_bytes() == good


def test_content_sealed_by_somebody_else_is_never_trusted(own_cache: Path) -> None:
    """A well-formed file that does not hold the table of its digest."""
    load()
    path = cached(own_cache)
    for content in (
        b"{}",
        b"[]",
        b"3",
        json.dumps({"entries": {}, "ignored": [], "undecided": 3, "paths": 1}).encode(),
    ):
        path.write_bytes(rule_cache._seal(content).encode() + b"\n" + content)
        assert load().has("torch.sum")


@pytest.mark.parametrize("place", ["a file", "read only", "below a file"])
def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = tmp_path / "elsewhere"
    if place == "read only":
        folder.mkdir(mode=0o500)
        monkeypatch.setattr(rule_cache.tempfile, "mkstemp", refuse)  # root may write anywhere
    else:
        folder.write_text("")
    monkeypatch.setenv("TORCH2JAX_CACHE", str(folder / "inner" if place == "below a file" else folder))
    assert load().has("torch.sum")
    assert load().has("torch.sum")


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TORCH2JAX_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert rule_cache.cache_folder() == Path("/x/torch2jax")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/h")
    assert rule_cache.cache_folder() == Path("/h/.cache/torch2jax")


def test_several_processes_at_once(own_cache: Path) -> None:
    program = "from jaxtwin.transpile.rules import load; print(len(list(load().names())))"
    environment = {**os.environ, "TORCH2JAX_CACHE": str(own_cache)}
    started = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment, text=True)
        for _ in range(4)
    ]
    printed = {process.communicate()[0] for process in started}
    assert [process.returncode for process in started] == [0] * 4
    assert printed == {f"{len(list(load().names()))}\n"}
    assert [path.suffix for path in own_cache.iterdir()] == [".json"]
