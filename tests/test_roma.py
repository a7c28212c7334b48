"""A package that nobody here wrote: every module of roma (rotations in pure torch) is transpiled and run.

Each public function either works, with values and gradients equal to torch's on the inputs made here, or the tool has
said that it cannot carry it over. How many of each is printed (``pytest -s``) and may only get better.

Inputs follow from the names of the parameters, in double precision: R... rotation matrices, q... and quat unit
quaternions, vec... and rotvec rotation vectors, M any matrices, A symmetric matrices, x and y lists of points, steps
between 0 and 1, convention names of Euler angles. Every function is called on a batch, on a single element, on the
identity and with each of its flags turned over.
"""

from __future__ import annotations

import importlib.util
import inspect
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from jaxtwin.transpile.diagnostics import Severity
from jaxtwin.transpile.project import Project, build, twin_path
from jaxtwin.verify.equivalence import compare_call
from jaxtwin.verify.examples import Case
from jaxtwin.verify.modules import Pair, load_pair
from jaxtwin.verify.reference import OriginalError

WORKING = 40  # how many functions work: raise it when more do
MODULES = ("internal", "mappings", "utils", "euler", "transforms")
Arguments = dict[str, Any]


# Inputs --------------------------------------------------------------------------------------------------------------


def rotvecs(*batch: int) -> torch.Tensor:
    """Rotation vectors shorter than pi."""
    direction = torch.nn.functional.normalize(torch.randn(*batch, 3, dtype=torch.float64), dim=-1)
    return direction * (0.2 + 2.7 * torch.rand(*batch, 1, dtype=torch.float64))


def quats(*batch: int) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.randn(*batch, 4, dtype=torch.float64), dim=-1)


def rotmats(*batch: int) -> torch.Tensor:
    x, y, z = rotvecs(*batch).unbind(-1)
    zero = torch.zeros_like(x)
    cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).reshape(*batch, 3, 3)
    return torch.linalg.matrix_exp(cross)


def matrices(*batch: int) -> torch.Tensor:
    return torch.randn(*batch, 3, 3, dtype=torch.float64)


def symmetric(*batch: int) -> torch.Tensor:
    root = torch.randn(*batch, 4, 4, dtype=torch.float64)
    return root + root.transpose(-1, -2)


def vectors(*batch: int) -> torch.Tensor:
    return torch.randn(*batch, 3, dtype=torch.float64)


def points(*batch: int) -> torch.Tensor:
    return torch.randn(*batch, 6, 3, dtype=torch.float64)


MAKERS: dict[str, Callable[..., torch.Tensor]] = {
    **dict.fromkeys(("R", "R0", "R1", "R2", "rotmat"), rotmats),
    **dict.fromkeys(("q", "q0", "q1", "q2", "p", "quat", "xyzw", "wxyz"), quats),
    **dict.fromkeys(("rotvec", "rotvec0", "rotvec1", "vec1", "vec2", "v", "angles"), rotvecs),
    **dict.fromkeys(("M", "tensor"), matrices),
    **dict.fromkeys(("x", "y"), points),
    "A": symmetric,
    "v": vectors,
}
# Parameters whose meaning depends on the function, and those that hold no batch.
SPECIAL: dict[tuple[str, str], Callable[..., Any]] = {
    ("quat_composition", "sequence"): lambda *batch: [quats(*batch) for _ in range(3)],
    ("rotvec_composition", "sequence"): lambda *batch: [rotvecs(*batch) for _ in range(3)],
    ("rotmat_composition", "sequence"): lambda *batch: [rotmats(*batch) for _ in range(3)],
    ("symmatrixvec_to_unitquat", "x"): lambda *batch: torch.randn(*batch, 10, dtype=torch.float64),
    ("sinc", "x"): lambda *batch: torch.linspace(-4, 4, 9, dtype=torch.float64),
    ("inv_sinc", "x"): lambda *batch: torch.linspace(-3, 3, 7, dtype=torch.float64),
    ("flatten_batch_dims", "end_dim"): lambda *batch: -3,
    ("unflatten_batch_dims", "batch_shape"): lambda *batch: batch,
}
PLAIN: dict[str, Any] = {
    "steps": torch.linspace(0, 1, 4, dtype=torch.float64),
    "convention": "xyz",
    "axis": "y",
    "size": (2, 3),
    "device_type": "cpu",
}
IDENTITIES = {
    rotmats: torch.eye(3, dtype=torch.float64),
    quats: torch.tensor([0, 0, 0, 1], dtype=torch.float64),
    rotvecs: torch.zeros(3, dtype=torch.float64),
}


def required(function: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.default is parameter.empty]


def arguments(function: Callable[..., Any], *batch: int) -> Arguments:
    """The required arguments of a function on a batch. Raises KeyError for a parameter that no convention covers."""

    def make(name: str) -> Any:
        if name in PLAIN:
            return PLAIN[name]
        return SPECIAL.get((function.__name__, name), MAKERS.get(name, lambda *_: MAKERS[name]))(*batch)

    return {name: make(name) for name in required(function)}


def calls(function: Callable[..., Any]) -> Iterator[tuple[str, Arguments]]:
    """Named argument sets: a batch, one element, the identity, every flag turned over, and intrinsic Euler angles."""
    torch.manual_seed(0)
    batch = arguments(function, 5)
    yield "batch", batch
    yield "single", arguments(function)
    identity = {name: IDENTITIES[MAKERS[name]] for name in batch if MAKERS.get(name) in IDENTITIES}
    if identity:
        yield "identity", {**arguments(function), **identity}
    for parameter in inspect.signature(function).parameters.values():
        if isinstance(parameter.default, bool):
            yield f"{parameter.name}={not parameter.default}", {**batch, parameter.name: not parameter.default}
    if "convention" in batch:
        yield "intrinsic", {**batch, "convention": "ZXZ"}


# The run -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the installed package in a project of its own that computes in double."""
    spec = importlib.util.find_spec("roma")
    assert spec is not None
    assert spec.origin is not None
    root = tmp_path_factory.mktemp("project")
    (root / "pyproject.toml").write_text("[tool.torch2jax]\nx64 = true\n")
    shutil.copytree(Path(spec.origin).parent, root / "roma", ignore=shutil.ignore_patterns("__pycache__"))
    return root / "roma"


def transpile(package: Path) -> dict[str, set[str]]:
    """Write the twin of every module; for each, the functions that the tool could not carry over."""
    refused: dict[str, set[str]] = {}
    project = Project()
    for path in sorted(package.glob("*.py")):
        text, diagnostics = build(path, project)
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
        assert not [error for error in errors if error.code in ("internal-error", "syntax-error")], errors
        refused[path.stem] = {error.function.partition(".")[0] for error in errors}
        if text is not None:
            Path(twin_path(path)).write_text(text)
    return refused


def public_functions(pair: Pair) -> list[Callable[..., Any]]:
    module = pair.original
    own = [
        value for value in vars(module).values() if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    return [function for function in own if not function.__name__.startswith("_")]


def verdict(pair: Pair, function: Callable[..., Any]) -> tuple[str, list[str]]:
    """``works``, ``refused`` (by way of a function that it calls) or ``wrong``, with what is wrong."""
    problems: list[str] = []
    compared = 0
    for name, keywords in calls(function):
        case = Case(f"{function.__name__} {name}", function.__name__, (), keywords)
        try:
            report = compare_call(pair, case)
        except OriginalError:
            continue
        compared += 1
        if any("raised NotImplementedError" in failure.problem for failure in report.failures):
            return "refused", []
        problems += [str(report)] if not report.ok else []
    assert compared, f"roma itself raises on every input made for {function.__name__}"
    return ("wrong" if problems else "works"), problems


def test_every_function_works_or_is_refused(package: Path) -> None:
    refused = transpile(package)
    verdicts: dict[str, str] = {}
    problems: list[str] = []
    for module in MODULES:
        path = package / f"{module}.py"
        pair = load_pair(path, Path(twin_path(path)), x64=True)
        for function in public_functions(pair):
            name = f"{module}.{function.__name__}"
            if function.__name__ in refused[module]:
                verdicts[name] = "refused"
            else:
                verdicts[name], found = verdict(pair, function)
                problems += found
    working = [name for name, outcome in verdicts.items() if outcome == "works"]
    print(f"\nroma: {len(working)} of {len(verdicts)} functions work; the others are refused:")
    print("  " + ", ".join(name for name, outcome in verdicts.items() if outcome == "refused"))
    assert not problems, "\n".join(problems)
    assert len(working) >= WORKING, f"{len(working)} functions work, {WORKING} did before"
    assert len(working) == WORKING, f"{len(working)} functions work: raise WORKING"
