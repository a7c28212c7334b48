"""Stubs: what stands for a definition that could not be carried over."""

from __future__ import annotations

import ast
import re

import pytest
from transpiled import codes, definitions, diagnostics, executed, function, translated, twin

BAD = "torch.no_such(x)"


def test_a_function() -> None:
    head = "def f(x: torch.Tensor, dim: int = 0, *, key=None) -> torch.Tensor:\n"
    source = head + '    """Sums.\n\n    A story.\n    """\n    y = x.sum()\n    return torch.no_such(y)\n'
    assert definitions(source) == (
        'def f(x, dim = 0, *, key=None):\n    """Sums.\n\n    A story.\n    """\n'
        '    raise NotImplementedError("m.py:11: no rule says how JAX spells torch.no_such")\n'
    )
    assert codes(source) == {"unknown-api"}


def test_the_place_and_the_reason_are_those_of_the_diagnostic() -> None:
    source = function("y = 1; return torch.no_such(x)", "x")
    (found,) = diagnostics(source)
    module = executed("twin", twin(source))
    with pytest.raises(NotImplementedError) as caught:
        module.f(1)
    assert str(caught.value) == f"m.py:{found.line}: {found.message}"


PARAMETERS = [
    "x", "x, y", "x, *, y=1", "x, /, y", "x, *a", "x, **k", "x, y=torch.float32", "x, y=torch.no_such",
    "x, y=torch.no_such(1), *a, z: torch.Tensor = None, **k", "x, y=[1, 2]", "x: 'torch.Tensor'", "x: torch.nn.Module",
    "x: Mine = None",
]  # fmt: skip


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_parameters_stay_without_what_torch_is_needed_for(parameters: str) -> None:
    source = function(f"return {BAD}", parameters)
    module = executed("twin", twin(source))
    with pytest.raises(NotImplementedError, match="no rule says"):
        module.f(1, 2) if "y" in parameters.split(", *")[0] and "y=" not in parameters else module.f(1)


def test_only_the_function_that_cannot_be_carried_over() -> None:
    source = (
        function(f"return {BAD}", "x", "bad")
        + "\n\n"
        + function("return x.sin()", "x", "good")
        + "\n\n"
        + function("return bad(x)", "x", "user")
    )
    body = definitions(source)
    assert body.count("NotImplementedError") == 1
    assert "    return jnp.sin(x)\n" in body
    assert "    return bad(x)\n" in body


def test_several_findings_and_one_stub() -> None:
    source = function(f"y = {BAD}; z = torch.nor_this(x); x.data = y; return z", "x: torch.Tensor")
    assert len(diagnostics(source)) == 3
    assert definitions(source).count("raise") == 1


def test_an_inner_function_takes_the_outer_one_with_it() -> None:
    source = function(f"def g(): return {BAD}\nreturn g()", "x")
    body = definitions(source)
    assert body.count("def ") == 1
    assert diagnostics(source)[0].function == "f"


def test_a_method() -> None:
    source = f"class A:\n    x = 1\n\n    def bad(self, x):\n        return {BAD}\n\n"
    source += "    @property\n    def p(self):\n        return torch.no_such(1)\n\n"
    source += "    def good(self, x):\n        return x.sin()\n"
    module = executed("twin", twin(source))
    with pytest.raises(NotImplementedError, match="no rule says"):
        module.A().bad(1)
    assert module.A.x == 1
    assert "jnp.sin(x)" in twin(source)


CLASSES = ["torch.nn.Module", "nn.Module", "torch.autograd.Function", "torch.utils.data.Dataset"]


@pytest.mark.parametrize("base", CLASSES)
def test_a_class_of_torch(base: str) -> None:
    source = f'from torch import nn\n\n\nclass A({base}):\n    """Doc."""'
    source += "\n\n    def __init__(self, n):\n        super().__init__()\n"
    module = executed("twin", twin(source))
    assert codes(source) == {"module-class"}
    assert module.A.__doc__ == "Doc."
    with pytest.raises(NotImplementedError, match="A is a torch"):
        module.A(3)


def test_a_class_that_inherits_from_a_stub_is_one_itself() -> None:
    source = "class A(torch.nn.Module):\n    pass\n\n\nclass B(A):\n    def forward(self, x):\n        return x\n\n\n"
    source += function("return B()(x).sin()", "x")
    module = executed("twin", twin(source))
    assert "module-class" in codes(source)
    with pytest.raises(NotImplementedError):
        module.B()
    with pytest.raises(NotImplementedError):
        module.f(1)


@pytest.mark.parametrize(
    "comment",
    [
        "# torch2jax: skip\ndef f(x):\n",
        "def f(x):  # torch2jax: skip\n",
        "# why\n# torch2jax: skip\n# more\ndef f(x):\n",
        "@torch.no_grad()\n# torch2jax: skip\ndef f(x):\n",
    ],
)
def test_a_skipped_function(comment: str) -> None:
    source = f"{comment}    return {BAD}\n"
    body = definitions(source)
    assert codes(source) == {"skipped"}
    assert re.search(r'raise NotImplementedError\("m.py:\d+: left out by `# torch2jax: skip`"\)', body)
    assert "torch2jax: skip" not in body.replace("`# torch2jax: skip`", "")
    assert ("# more" in body) == ("# more" in comment)


def test_a_skipped_class() -> None:
    source = "# torch2jax: skip\nclass A(torch.nn.Module):\n    pass\n\n\n" + function("return x.sin()", "x")
    assert codes(source) == {"skipped"}
    assert "jnp.sin(x)" in definitions(source)


def test_quotes_and_braces_in_a_message() -> None:
    source = 'def f(x):\n    return torch.sum(x, mode="it\'s {odd} \\\\")\n'
    ast.parse(twin(source))
    executed("twin", twin(source))


def test_a_module_statement_that_cannot_be_carried_over_is_left_out() -> None:
    source = "X = torch.no_such(1)\n# about Y\nY = 2\n\n\n" + function("return x.sin() * Y", "x")
    result = translated(source)
    assert [d.code for d in result.diagnostics] == ["unknown-api"]
    assert result.body is not None
    assert "X =" not in result.body
    assert "# about Y\nY = 2\n" in result.body
    assert executed("twin", result.body).Y == 2
