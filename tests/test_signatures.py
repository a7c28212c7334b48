"""Every signature in rules.yaml against torch's own stubs, every name in its expressions against jax and ops."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch_stubs
from jaxtwin.transpile.rules import Rule, load
from jaxtwin.transpile.signature import AGREES, REQUIRED, Parameter, parse
from torch_stubs import UNKNOWN, Overload

BOOK = load()
OPS = Path(torch_stubs.__file__).parent.parent / "transpile" / "ops"
# Callables whose signature torch's files spell in no place that can be read without running them.
UNDOCUMENTED = frozenset({
    "torch.Size",
    *(f"torch.{dtype}Tensor" for dtype in ["", "BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"]),
})  # fmt: skip
# Signatures that torch takes though no stub has them, and why.
EXCEPTIONS = {
    "torch.einsum(operand": "einsum(operand, sublist, ...) is documented in prose",
    "torch.meshgrid(*tensors": "indexing=None means 'ij', with a warning",
}


def callables() -> Iterator[tuple[str, Rule]]:
    """The rules of each name that have parameters, with the name they serve: methods of tensors too."""
    for name in sorted(BOOK.names()):
        attribute = any(rule.constant for rule in BOOK.rules(name))  # x.real, beside torch.real(x)
        for rule in BOOK.rules(name):
            if not attribute and not rule.unsupported:
                yield name, rule
                method = f"Tensor.{name.rpartition('.')[2]}"
                derived = name.count(".") == 1 and rule in BOOK.rules(method) and method not in BOOK.names()
                if derived and torch_stubs.overloads(method):
                    yield method, rule


def mismatches(
    parameters: tuple[Parameter, ...], documented: Sequence[Overload], ignored: frozenset[str]
) -> tuple[str, ...]:
    """Why a rule's parameters are not those of any documented signature, a reason each; empty if they are."""
    problems = [mismatch(parameters, overload, ignored, documented) for overload in documented]
    return () if "" in problems else tuple(sorted(set(problems)))


def mismatch(
    parameters: tuple[Parameter, ...], overload: Overload, ignored: frozenset[str], every: Sequence[Overload]
) -> str:
    """Why a rule's parameters are not those of one documented signature; empty if they are.

    A rule may leave out trailing parameters and ignored ones, take a positional one by keyword only, and a keyword by
    position where torch raises. It may make optional what ``every`` documented signature does not have: ``sum(input)``
    beside ``sum(input, dim, ...)``.
    """
    positional = [parameter.name for parameter in parameters if not parameter.keyword_only and not parameter.star]
    documented = [name for name in overload.positional if name not in ignored or name in positional]
    documented += [name for name in positional if name in overload.keyword_only]
    if overload.star and not any(parameter.star for parameter in parameters):
        return f"{overload.source} takes *{overload.star}"
    if positional != documented[: len(positional)]:
        return f"{overload.source} has the order ({', '.join(documented)})"
    for parameter in parameters:
        known = (*overload.positional, *overload.keyword_only, *([overload.star] if parameter.star else []))
        if parameter.name not in known:
            return f"{overload.source} has no {parameter.name}"
        problem = _default_mismatch(parameter, overload, every)
        if problem:
            return problem
    left_out = set(overload.positional) | set(overload.keyword_only)
    left_out -= {parameter.name for parameter in parameters} | set(overload.defaults) | ignored
    return f"{overload.source} requires {', '.join(sorted(left_out))}" if left_out else ""


def _default_mismatch(parameter: Parameter, overload: Overload, every: Sequence[Overload]) -> str:
    if parameter.default == REQUIRED or parameter.star:
        return ""
    if parameter.name not in overload.defaults:
        names = overload.positional
        before = names[: names.index(parameter.name)] if parameter.name in names else names
        if any(other.positional == before and parameter.name not in other.keyword_only for other in every):
            return ""
        return f"{overload.source} has no default for {parameter.name}"
    documented = overload.defaults[parameter.name]
    if parameter.default in (AGREES, "default_float") or documented is UNKNOWN:
        return ""
    stated = ast.literal_eval(parameter.default)
    agrees = stated == documented and isinstance(stated, bool) == isinstance(documented, bool)
    return "" if agrees else f"{overload.source} has {parameter.name}={documented!r}"


@pytest.mark.parametrize(
    ("name", "rule"), [pytest.param(n, r, id=f"{n.rpartition('.')[0]}.{r.text}") for n, r in callables()]
)
def test_the_signature_is_torchs(name: str, rule: Rule) -> None:
    documented = torch_stubs.overloads(name)
    if any(f"{name.rpartition('.')[0]}.{rule.text}".startswith(each) for each in EXCEPTIONS):
        return
    if name in UNDOCUMENTED:
        assert not documented, f"{name} is documented after all"
        return
    assert documented, f"torch documents no {name}"
    parameters = rule.signature.parameters[name.startswith("Tensor.") :]
    problems = mismatches(parameters, documented, frozenset(BOOK.ignored))
    assert not problems, f"{rule.location} {rule.text}: " + "; ".join(problems)


def test_constants_and_refused_names_exist() -> None:
    """Against the importable torch: constants, attributes and refused names need no signature."""
    import torch

    missing = []
    for name in BOOK.names():
        parts = name.split(".")
        value: object = torch if parts[0] == "torch" else torch.Tensor
        for part in parts[1:]:
            if not hasattr(value, part):
                missing.append(name)
                break
            value = getattr(value, part)
    assert not missing


def expressions(rule: Rule) -> list[str]:
    return [*rule.expression, *(source for _, source in rule.members)]


def chains(source: str) -> Iterator[str]:
    """The dotted names in an expression: ``jnp.linalg.norm``, ``ops.std``."""
    inner: set[ast.expr] = set()
    for node in ast.walk(ast.parse(source, mode="eval")):
        if isinstance(node, ast.Attribute) and node not in inner:
            inner.add(node.value)
            text = ast.unparse(node)
            if all(part.isidentifier() for part in text.split(".")):
                yield text


EVERY_CHAIN = sorted(
    {
        chain
        for name in BOOK.names()
        for rule in BOOK.rules(name)
        for source in expressions(rule)
        if source
        for chain in chains(source)
    }
)


def test_every_jax_name_exists_after_a_plain_import() -> None:
    """In a process of its own: a twin imports jax and jax.numpy and nothing below them."""
    names = [chain for chain in EVERY_CHAIN if chain.split(".")[0] in ("jax", "jnp")]
    assert names
    assert _missing(names) == []


def _missing(names: list[str]) -> list[str]:
    program = (
        "import sys, jax, jax.numpy as jnp\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        eval(name)\n"
        "    except AttributeError:\n        print(name)\n"
    )
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", program, *names]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_every_helper_exists() -> None:
    defined = {
        node.name
        for path in OPS.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    used = {chain.split(".")[1] for chain in EVERY_CHAIN if chain.startswith("ops.")}
    assert used <= defined, f"no such helper: {sorted(used - defined)}"
    assert not {name for name in used if name.startswith("_")}


# These tests can fail ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("sum(input, dim=..., keepdim=..., *, dtype=...)", "torch.sum", ""),
        ("sum(input, axes, keepdim=...)", "torch.sum", "has the order (input, dim, keepdim)"),
        ("sum(input, keepdim=..., dim=...)", "torch.sum", "has the order (input, dim, keepdim)"),
        ("sum(input, *, dims=...)", "torch.sum", "has no dims"),
        ("std(input, dim=..., *, correction=1, keepdim=...)", "torch.std", ""),
        ("std(input, dim=..., *, correction=0, keepdim=...)", "torch.std", "has correction=1"),
        ("max(input, dim:int, keepdim=...)", "torch.max", ""),
        ("max(input, dim:int, keepdim=True)", "torch.max", "has keepdim=False"),
        ("cumsum(input, dim=...)", "torch.cumsum", "has no default for dim"),
        ("where(condition)", "torch.where", ""),
        ("lerp(input, end)", "torch.lerp", "requires weight"),
        ("einsum(equation, *operands)", "torch.einsum", ""),
        ("zeros(*size, dtype=...)", "torch.zeros", ""),
        ("svd(A, full_matrices=True)", "torch.linalg.svd", ""),
        ("gelu(input, approximate='none')", "torch.nn.functional.gelu", ""),
        ("max_pool2d(input, kernel_size, stride=...)", "torch.nn.functional.max_pool2d", ""),
        ("erfc(input)", "torch.special.erfc", ""),
        ("rfft(input, n=..., dim=-1, norm=...)", "torch.fft.rfft", ""),
    ],
)
def test_a_signature_is_held_against_the_stubs(text: str, name: str, problem: str) -> None:
    parameters = parse(text, {}).parameters
    found = torch_stubs.overloads(name)
    assert found
    problems = mismatches(parameters, found, frozenset({"out", "device"}))
    assert bool(problems) == bool(problem), problems
    assert not problem or any(problem in each for each in problems)


def test_a_missing_jax_name_is_found() -> None:
    assert _missing(["jnp.sin", "jnp.no_such_name", "jax.lax.rsqrt"]) == ["jnp.no_such_name"]


def test_chains_of_an_expression() -> None:
    assert set(chains("jnp.linalg.norm(ops.f(x), ord=p)")) == {"jnp.linalg.norm", "ops.f"}
