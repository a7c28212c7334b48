"""The twin as a text: imports, helpers, 64 bits, comments and layout."""

from __future__ import annotations

import ast
import textwrap

import pytest
from transpiled import codes, differences, errors, executed, function, translated, twin

SUM = "def f(x):\n    return x.sum()\n"


def text(source: str, *, x64: bool = False) -> str:
    return twin(source, bare=True, x64=x64)


def head(source: str, *, x64: bool = False) -> list[str]:
    """The lines of the twin above its first definition."""
    lines = text(source, x64=x64).split("\n")
    return lines[: next(i for i, line in enumerate(lines) if line.startswith(("@", "def ", "class ")))]


# -------------------------------------------------------------------------------------------------------- placement

HEADS = {
    "the plain case": ("import torch\n\n\n", "import jax\nimport jax.numpy as jnp\n\n\n"),
    "no blank lines in the source": ("import torch\n", "import jax\nimport jax.numpy as jnp\n\n\n"),
    "docstring": ('"""Doc."""\n\nimport torch\n\n\n', '"""Doc."""\n\nimport jax\nimport jax.numpy as jnp\n\n\n'),
    "future": (
         '"""Doc."""\n\nfrom __future__ import annotations\n\nimport torch\n\n\n',
         '"""Doc."""\n\nfrom __future__ import annotations\n\nimport jax\nimport jax.numpy as jnp\n\n\n'),
    "shebang and licence": (
         "#!/usr/bin/env python\n# Copyright\n\nimport torch\n\n\n",
         "#!/usr/bin/env python\n# Copyright\n\nimport jax\nimport jax.numpy as jnp\n\n\n"),
    "a comment above": (
         "# The framework\nimport torch\n\n\n", "# The framework\nimport jax\nimport jax.numpy as jnp\n\n\n"),
    "two comments": (
         "# one\nimport torch\n# two\nfrom torch import nn\n\n\n",
         "# one\nimport jax\nimport jax.numpy as jnp\n\n\n# two\n"),
    "groups stay": (
         "import os\n\nimport torch\n\nfrom . import u\n\n\nprint(os, u)\n\n\n",
         "import os\n\nimport jax\nimport jax.numpy as jnp\n\nfrom . import u\n\n\nprint(os, u)\n\n\n"),
    "several names": (
         "import os, torch, sys\n\n\nprint(os, sys)\n\n\n",
         "import os, sys\n\nimport jax\nimport jax.numpy as jnp\n\nprint(os, sys)\n\n\n"),
    "already there": (
         "import jax\nimport jax.numpy as jnp\nimport torch\n\n\n", "import jax\nimport jax.numpy as jnp\n\n\n"),
    "unused is gone": (
         "import os\nimport sys as s\nfrom math import pi, e\n\nimport torch\nfrom torch import nn\n\n\nprint(e)\n\n"
         "\n",
         "from math import e\n\nimport jax\nimport jax.numpy as jnp\n\n\nprint(e)\n\n\n"),
    "used in strings": (
         "from typing import List\n\nimport torch\n\n\nx: 'List[int]'\n\n\n",
         "from typing import List\n\nimport jax\nimport jax.numpy as jnp\n\n\nx: 'List[int]'\n\n\n"),
    "exported": (
         "from math import pi\n\nimport torch\n\n__all__ = ['f', 'pi']\n\n\n",
         "from math import pi\n\nimport jax\nimport jax.numpy as jnp\n\n__all__ = ['f', 'pi']\n\n\n"),
    "in the function": (
         "def f(x):\n    import torch\n    return torch.sum(x)\n\n\n", "import jax\nimport jax.numpy as jnp\n\n\n"),
    "one line": (
         "import torch; import math\n\n\nprint(math)\n\n\n",
         "import math\n\nimport jax\nimport jax.numpy as jnp\n\nprint(math)\n\n\n"),
}  # fmt: skip


def squeezed(lines: str) -> list[str]:
    """Lines without the empty ones: where the group goes matters here, the blanks are another test's."""
    return [line for line in lines.split("\n") if line]


@pytest.mark.parametrize(("before", "after"), HEADS.values(), ids=HEADS)
def test_imports_go_where_those_of_torch_stood(before: str, after: str) -> None:
    found = head(before + SUM)
    assert sorted(squeezed("\n".join(found))) == sorted(squeezed(after))
    if "os, " not in before and "; " not in before:
        assert squeezed("\n".join(found)) == squeezed(after)


@pytest.mark.parametrize(
    "name", ["the plain case", "docstring", "future", "shebang and licence", "a comment above", "groups stay"]
)
def test_blank_lines_around_imports(name: str) -> None:
    before, after = HEADS[name]
    assert "\n".join(head(before + SUM)) + "\n" == after


@pytest.mark.parametrize("opening", ["", '"""Doc."""\n', "# a comment\n", "from __future__ import annotations\n"])
def test_a_definition_comes_two_lines_below_the_imports(opening: str) -> None:
    lines = text(f"{opening}import torch\n{SUM}").split("\n")
    first = lines.index("@jax.jit")
    assert lines[first - 3 : first] == ["import jax.numpy as jnp", "", ""]


def test_the_body_starts_with_text() -> None:
    """The header is followed by one blank line; the body brings none of its own."""
    assert not text("import torch\n\n\ndef f(x):\n    return x * 2\n").startswith("\n")


def test_partial_and_math_come_with_the_standard_library() -> None:
    lines = head("import os\n\nimport torch\n\n\ndef f(x, dim):\n    return x.sum(dim) * len(os.sep)\n")
    assert squeezed("\n".join(lines)) == [
        "import os",
        "from functools import partial",
        "import jax",
        "import jax.numpy as jnp",
    ]
    assert "from functools import partial\n\nimport jax\n" in text(
        "import torch\n\n\ndef f(x, dim):\n    return x.sum(dim)\n"
    )


def test_partial_is_imported_in_one_way() -> None:
    """The helper of max(1) is a functools.partial(jax.custom_jvp, ...) where it stands."""
    helped = "import torch\n\n\ndef f(x):\n    return x.max(1)[0]\n"
    assert "\nimport functools\n" in f"\n{text(helped)}"
    both = text(helped + "\n\ndef g(x, dim):\n    return x.sum(dim)\n")
    assert "\nfrom functools import partial\n" in f"\n{both}"
    assert "functools." not in both
    assert both.count("@partial(") == 2


def test_what_is_imported_already_is_used() -> None:
    body = text(
        "from functools import partial\n\nimport torch\n\n\ndef f(x, dim):\n    return partial(torch.sum, dim=dim)(x)\n"
    )
    assert body.count("import partial") == 1


# ----------------------------------------------------------------------------------------------------- name clashes

CLASHES = {
    "a module variable jnp": "jnp = 3\n\n\ndef f(x):\n    return x.sum() + jnp\n",
    "a module variable jax": "jax = 3\n\n\ndef f(x):\n    return x.sum() + jax\n",
    "a parameter jnp": "def f(x, jnp=2):\n    return x.sum() + jnp\n",
    "a local jnp": "def f(x):\n    jnp = x.sum()\n    return jnp + x.cos()\n",
    "a parameter jax": "def f(x, jax=2):\n    return F.relu(x) + jax\n",
    "a function partial": "def partial(x):\n    return x\n\n\ndef f(x, dim=0):\n    return x.sum(dim) + partial(x)\n",
    "a local math": "def f(x):\n    math = x.sum()\n    return F.gelu(x) + math\n",
    "a parameter bool": "def f(x, bool=3):\n    return x.bool() * bool\n",
    "a parameter int": "def f(x, int=3):\n    return x.long() * int\n",
    "a local float": "def f(x):\n    float = torch.finfo(x.dtype).eps\n    return x * float * torch.finfo(x.dtype).eps\n",
    "a parameter slice": "def f(x, slice=3):\n    x[x > 0] = x[x > 0] * 2\n    x[:, None][1:2] = slice\n    return x\n",
    "a parameter tuple": "def f(x, tuple=3):\n    return x.sum([0]) * tuple\n",
    "a helper's name": "def _norm(x):\n    return x.sum()\n\n\ndef f(x):\n    return x.norm() + _norm(x)\n",
    "a local with a helper's name": "def f(x):\n    _norm = 3.0\n    return x.norm() * _norm\n",
    "an attribute with a helper's name": "class A:\n    _norm = 3.0\n\n\ndef f(x):\n    return x.norm() * A._norm\n",
    "a global with a helper's name": "_norm = torch.ones(3)\n\n\ndef f(x):\n    return (x * _norm).norm()\n",
    "a comprehension's name": "def f(x):\n    return [x.norm() * jnp for jnp in range(3)]\n",
}  # fmt: skip


def test_a_word_of_a_comment_is_no_name() -> None:
    """Nor is an import of JAX in the source another meaning of its name."""
    assert codes('def f(x):\n    """As jax and jnp do."""\n    return x.sum()  # math, jax\n') == set()
    assert codes("import jax\n\n\ndef f(x):\n    import jax.numpy as jnp\n    return x.sum(), jnp, jax\n") <= {"not-jitted"}


@pytest.mark.parametrize("source", CLASHES.values(), ids=CLASHES)
def test_names_of_the_source_keep_their_meaning(source: str) -> None:
    if not errors(source):
        assert differences(source, "f(torch.randn(3))") == []


# ---------------------------------------------------------------------------------------------------------- helpers


def test_helpers_are_copied_once_with_what_they_call() -> None:
    body = twin(function("return x.norm() + y.norm() + torch.cdist(x[None], y[None]).sum()", "x, y"))
    names = [node.name for node in ast.parse(body).body if isinstance(node, ast.FunctionDef)]
    assert len(names) == len(set(names))
    assert names[0] == "f"
    assert all(name.startswith("_") for name in names[1:])
    executed("twin", body)


def test_helpers_stand_below_unless_the_import_needs_them() -> None:
    below = text("import torch\n\nTABLE = torch.linspace(0, 1, 5)\n\n\ndef f(x):\n    return x.norm() * TABLE\n")
    assert below.index("def f") < below.index("def _norm")
    above = text("import torch\n\nTABLE = torch.ones(5).norm()\n\n\ndef f(x):\n    return x * TABLE\n")
    assert above.index("import jax") < above.index("def _norm") < above.index("TABLE =")
    called = text("import torch\n\n\ndef g(x):\n    return x.norm()\n\n\nTABLE = g(torch.ones(5))\n")
    executed("twin", called)
    executed("twin", text("import torch\n\n\ndef f(x, scale=torch.ones(3).norm()):\n    return x * scale\n"))
    executed("twin", text("import torch\n\n\nclass A:\n    scale = torch.ones(3).norm()\n"))


def test_nothing_is_defined_that_is_not_used() -> None:
    body = twin(function("return x.sum()", "x"))
    assert [node.name for node in ast.parse(body).body if isinstance(node, ast.FunctionDef)] == ["f"]


# ------------------------------------------------------------------------------------------------------------ 64 bits


def test_the_switch_to_64_bits_follows_the_imports() -> None:
    body = text("import torch\n\nPI = torch.tensor(3.0).norm()\n\n\n" + SUM, x64=True)
    assert (
        body.index("import jax.numpy as jnp")
        < body.index('jax.config.update("jax_enable_x64", True)')
        < body.index("def _norm")
        < body.index("PI =")
    )
    assert 'jax.config.update("jax_enable_x64", True)' not in text("import torch\n\n\n" + SUM)
    assert text("import torch\n\n\ndef f(x):\n    return x * 2\n", x64=True).startswith("import jax\n")


def test_float64_is_told_while_it_is_off() -> None:
    source = function("return x.double()", "x")
    assert codes(source) == {"needs-x64"}
    assert codes(source, x64=True) == set()
    assert differences(source, "f(torch.randn(3))", x64=True) == []


# ------------------------------------------------------------------------------------------- comments and layout

LAYOUT = '''
    """Module."""

    import torch  # the framework


    # Above f.
    # More of it.
    def f(x,  # the input
          dim=0):  # the axis
        """Sums.

        A long story.
        """
        # first
        y = x.sum(dim)  # trailing

        # after a blank line
        if dim:  # why
            # inside
            y = y.abs()  # really
        else:
            pass  # nothing
        # last
        return torch.cat(
            [y, y],  # twice
            dim=0,  # along
        )


    # Between.
    TABLE = [
        torch.zeros(3),  # zeros
        torch.ones(3),
    ]
    # At the end.
'''


def test_comments_and_docstrings_are_kept_in_order() -> None:
    source = textwrap.dedent(LAYOUT).lstrip("\n")
    body = text(source)
    comments = [line[line.index("#") :] for line in source.split("\n") if "#" in line and "framework" not in line]
    assert [line[line.index("#") :] for line in body.split("\n") if "#" in line] == comments
    assert '"""Sums.\n\n    A long story.\n    """' in body
    assert "    return jnp.concatenate(\n        [y, y],  # twice\n        axis=0,  # along\n    )\n" in body


@pytest.mark.parametrize(
    "statement",
    ["x = x.contiguous()", "device = x.device", "x.requires_grad_(False)", "x = x.cpu()", "torch.cuda.synchronize()"],
)
def test_comments_above_what_vanishes_stay(statement: str) -> None:
    body = twin(f"def f(x: torch.Tensor):\n    # why\n    {statement}\n    return x.sum()\n")
    assert "    # why\n    return jnp.sum(x)\n" in body


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
def test_the_indentation_is_the_sources(indent: str) -> None:
    """Newlines are the business of `files`: the text that is translated has none but plain ones."""
    body = text(f"import torch\n\n\ndef f(x, dim):\n{indent}y = x.norm(dim=dim)\n{indent}return y\n")
    assert f"\n{indent}return y\n" in body
    executed("twin", body)


def test_no_newline_at_the_end() -> None:
    executed("twin", text("import torch\n\n\ndef f(x):\n    return x.norm()"))


def test_what_does_not_use_torch_stays_as_it_is() -> None:
    plain = "def g(a, *b, c=1, **d):\n    return [  i for i in (a ,b)  ] + [c,d]   # odd\n\n\n"
    plain += "class A( object ):\n    x = 1 ; y = 2\n"
    assert plain in text("import torch\n\n\n" + plain + "\n\n" + SUM)


def test_the_main_guard_is_left_out() -> None:
    body = text(
        "import argparse\n\nimport torch\n\n\n"
        + SUM
        + '\n\nif __name__ == "__main__":\n    print(f(torch.ones(3)), argparse)\n'
    )
    assert "__name__" not in body
    assert "argparse" not in body


def test_every_twin_ends_with_one_newline() -> None:
    for source in (SUM, function("return x.norm()", "x")):
        body = twin(source)
        assert body.endswith("\n")
        assert not body.endswith("\n\n")


def test_nothing_is_written_for_a_file_without_torch() -> None:
    for source in ("", "x = 1\n", "import numpy as np\n\n\ndef f(x):\n    return x.reshape(-1).sum(axis=0)\n"):
        result = translated(source, bare=True)
        assert result.body is None
        assert [diagnostic.code for diagnostic in result.diagnostics] == ["no-torch"]


@pytest.mark.parametrize("formatted", ["f'{torch.__version__} of torch'", 'f"{torch.__version__}"', "f'''{torch.__version__}'''"])
def test_a_text_in_an_f_string_has_other_quotes(formatted: str) -> None:
    """Python before 3.12 ends the string at its own quote."""
    body = twin(f"def f(x):\n    raise ValueError({formatted})\n")
    quote = "'''" if "'''" in formatted else formatted[1]
    assert "'2.13.0'" in body if quote != "'" else '"2.13.0"' in body
    ast.parse(body, feature_version=(3, 10))
