"""Stores and reads under a boolean mask: a form of static shape that gives what torch gives, or a refusal."""

from __future__ import annotations

import pytest
from transpiled import assert_same, assert_sound, codes, definitions, differences, errors, function

ROWS = "f(torch.randn(3, 4), torch.tensor([True, False, True]))"
WHOLE = "f(torch.randn(3, 4), torch.randn(3, 4) > 0)"
BLOCK = "f(torch.randn(2, 3, 4), torch.randn(2, 3) > 0)"
# What the mask parameter may be annotated with: what is told changes the form, never the values.
MASKS = ["m", "m: torch.Tensor", "m: torch.BoolTensor"]

CARRIED = [
    ("y[m] = 0; return y", WHOLE),
    ("y[m] = -1.5; return y", ROWS),
    ("y[m] = x[m]; return y", BLOCK),
    ("y[m] = x[0, 0]; return y", ROWS),
    ("y[m] = x[0]; return y", ROWS),
    ("y[m] = x[:2] * 3; return y", ROWS),
    ("y[~m] = float('inf'); return y", ROWS),
    ("y[m] += 1; y[m] *= 3; y[m] -= 1; y[m] /= 2; y[m] **= 2; return y", BLOCK),
    ("y[:, m] = 5; return y", "f(torch.randn(3, 4), torch.tensor([True, False, True, False]))"),
    ("y[:, m] = x[:, m]; return y", "f(torch.randn(2, 3, 4), torch.randn(3, 4) > 0)"),
    ("y[m & (y > 0)] = 0; return y", WHOLE),
    ("y.masked_fill_(m, 2.0); return y.masked_fill(~m, 1.0)", WHOLE),
    ("return torch.where(m, x.abs().log(), x.new_zeros(()))", WHOLE),
    ("m = m.clone(); m[0] = False; y[m] = 0; return y", ROWS),
]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("body", "call"), CARRIED)
def test_stores(body: str, call: str, mask: str) -> None:
    assert_same(function("y = x.clone(); " + body, f"x, {mask}"), call)


PRODUCTS = [
    ("y[m] = x[m] * 3; return y", ROWS),
    ("y[m] = -x[m]; return y", WHOLE),
    ("y[m] = torch.sqrt(x[m].abs()) + 1; return y", WHOLE),
    ("y[m] = 1 / x[m]; return y", "f(torch.tensor([1.0, 0.0, 4.0]), torch.tensor([True, False, True]))"),
    ("y[m] = torch.log(x[m]); return y", "f(torch.tensor([1.0, -1.0, 4.0]), torch.tensor([True, False, True]))"),
    ("y[m] += x[m]; return y", WHOLE),
    ("y[m] = x[~m]; return y", "f(torch.randn(4), torch.tensor([True, False, True, False]))"),
    ("y[:, m] = x[:, m] * 3; return y", "f(torch.randn(3, 4), torch.tensor([True, False, True, False]))"),
    ("y[m, 0] = 5.0; return y", ROWS),
    ("y[m, 1:] = 5.0; return y", ROWS),
    ("y[m, :] = 5.0; return y", ROWS),
    ("y[0, m] = 5.0; return y", "f(torch.randn(3, 4), torch.tensor([True, False, True, False]))"),
    ("y[..., m] = 5.0; return y", "f(torch.randn(2, 3, 4), torch.tensor([True, False, True, False]))"),
    ("y[..., m, :] = 5.0; return y", "f(torch.randn(2, 3, 4), torch.tensor([True, False, True]))"),
    ("y[m, 0] += 1; return y", ROWS),
    ("y[m][0] = 5.0; return y", ROWS),
    ("v = y[m]; v += 1; return y", ROWS),
    ("v = y[m]; v[0] = 1; return v", ROWS),
]
READS = [
    "x[m]", "x[m].sum()", "x[m].mean()", "x[m].max()", "x[m].shape[0]", "x[m].numel()", "F.mse_loss(x[m], y[m])",
    "((x[m] - y[m]) ** 2).mean()", "len(x[m])", "x[:, m]", "torch.masked_select(x, m)", "m.nonzero()", "torch.where(m)",
    "x[m.nonzero()[:, 0]]", "torch.cat([x[m], x[~m]])",
]  # fmt: skip


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("body", "call"), PRODUCTS)
def test_stores_of_what_is_selected(body: str, call: str, mask: str) -> None:
    assert_sound(function("y = x.clone(); " + body, f"x, {mask}"), call)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("mask", MASKS)
def test_reads(read: str, mask: str) -> None:
    """What is only known to be some index may select rows by number: then a mask raises JAX's own error under jit."""
    source = function(f"y = x * 2; return {read}", f"x, {mask}")
    if not errors(source):
        found = differences(source, "f(torch.randn(3, 3), torch.tensor([True, False, True]))")
        assert all("(jit) result: raised NonConcreteBooleanIndexError" in text for text in found)
        assert not found or mask != "m: torch.BoolTensor"


MADE = [
    "x > 0", "~(x > 0)", "(x > 0) & (x < 1)", "x.gt(0)", "torch.isfinite(x)", "x != x",
    "torch.zeros_like(x, dtype=torch.bool)", "x.bool()", "x.to(torch.bool)", "torch.logical_not(x > 0)",
    "(x > 0).clone()", "(x > 0).view_as(x)", "(x > 0) | (x < -1)",
]  # fmt: skip


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize(
    "use",
    [
        "return x[m].mean()",
        "return x[m]",
        "y = x * 1; y[m] = 0; return y",
        "x[m] = 0; return x",
        "y = x * 1; y[m] *= 2; return y",
    ],
)
def test_masks_made_in_the_function(made: str, use: str) -> None:
    """Nobody has said that x is a tensor; a comparison that is indexed with says it."""
    assert_sound(function(f"m = {made}; {use}", "x"), "f(torch.randn(3, 4))")


@pytest.mark.parametrize(
    "body", ["return x[x > 0].sum()", "m = x > 0; return x[m]", "return x[~torch.isnan(x)].mean()"]
)
def test_a_selection_is_refused_by_name(body: str) -> None:
    assert codes(function(body, "x: torch.Tensor")) == {"mask-selects"}


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("y = n.clone(); y[m] = 2.7; return y", "f(torch.arange(3), torch.tensor([True, False, True]))"),
        (
            "y = n.clone(); y[m] += 1; return y",
            "f(torch.zeros(3, dtype=torch.uint8), torch.tensor([True, False, True]))",
        ),
        ("y = n.clone(); y[m] = 2.7; return y", "f(torch.randn(3).half(), torch.tensor([True, False, True]))"),
        ("y = n > 0; y[m] = False; return y", "f(torch.randn(3), torch.tensor([True, False, True]))"),
        ("y = n.clone(); y[m] = torch.tensor(2.7); return y", "f(torch.arange(3), torch.tensor([True, False, True]))"),
    ],
)
def test_a_store_keeps_the_dtype(body: str, call: str) -> None:
    assert_same(function(body, "n, m"), call)


def test_an_index_that_may_be_either() -> None:
    """Integers and masks in one parameter: found out while JAX traces."""
    source = function("y = x.clone(); y[i] = v; return y", "x, i, v")
    for index in ("torch.tensor([True, False, True])", "torch.tensor([0, 2])", "1"):
        assert_same(source, f"f(torch.randn(3, 4), {index}, 5.0)", f"f(torch.randn(3, 4), {index}, torch.randn(4))")
    assert_same(source, ROWS.replace("]))", "]), torch.randn(2, 4))"))


def test_lists_of_booleans_are_masks() -> None:
    assert_sound(function("y = x.clone(); m = [True, False, True]; y[m] = 0; return y"), "f(torch.randn(3, 4))")
    assert_sound(function("return x[[True, False, True]]"), "f(torch.randn(3, 4))")


def test_the_plain_form() -> None:
    """Where the mask has the tensor's own shape, what is written is `jnp.where`."""
    assert "y = jnp.where(y < 0, 0.0, y)" in definitions(
        function("y = torch.ones(3) * 2; y[y < 0] = 0.0; return y", "x")
    )
