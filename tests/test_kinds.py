"""The lattice of kinds: joining goes up, loses nothing that could be, and does not mind the order."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from jaxtwin.transpile import kinds as k
from jaxtwin.transpile.kinds import Kind

SOME = [
    k.UNDEFINED, k.UNKNOWN, k.NONE, k.INT, k.literal(1), k.literal(True), k.FLOAT, k.STR, k.literal("a"), k.SHAPE,
    k.TENSOR, k.tensor("float", 2), k.tensor("int", 2), k.tensor("bool"), k.sequence("tuple", [k.INT, k.TENSOR]),
    k.sequence("tuple", [k.FLOAT, k.TENSOR]), k.sequence("list", []), k.many("list", k.INT), k.many("dict", k.TENSOR),
    k.many("list", k.many("tuple", k.STR)), k.join(k.INT, k.NONE), k.join(k.TENSOR, k.FLOAT), Kind("list"),
    Kind("function", detail="torch.sum"), Kind("instance", detail="A"), k.INT.with_origins(frozenset("n")),
    k.TENSOR.with_storage(frozenset("1")),
]  # fmt: skip


def sorted_out(kind: Kind) -> Kind:
    """The kind with the alternatives of every union in one order."""
    items = kind.items and tuple(sorted_out(item) for item in kind.items)
    if items and kind.name == "union":
        items = tuple(sorted(items, key=str))
    return replace(kind, items=items, element=kind.element and sorted_out(kind.element))


def same(one: Kind, other: Kind) -> bool:
    return sorted_out(one) == sorted_out(other)


def covers(upper: Kind, lower: Kind) -> bool:
    """Whether whatever the lower kind may be, the upper one may be too."""
    names = {kind.name for kind in upper.alternatives}
    return (
        lower.name == "undefined"
        or "unknown" in names
        or ({kind.name for kind in lower.alternatives} <= names and upper.literal in (k.UNSET, lower.literal))
    )


@pytest.mark.parametrize("kind", SOME, ids=str)
def test_joining_a_kind_with_itself_changes_nothing(kind: Kind) -> None:
    assert k.join(kind, kind) == kind
    assert k.join(kind, k.UNDEFINED) == kind == k.join(k.UNDEFINED, kind)


@pytest.mark.parametrize(("one", "other"), itertools.combinations(SOME, 2))
def test_join_is_an_upper_bound_whatever_the_order(one: Kind, other: Kind) -> None:
    joined = k.join(one, other)
    assert same(joined, k.join(other, one))
    assert covers(joined, one)
    assert covers(joined, other)
    assert joined.storage >= one.storage | other.storage
    assert joined.origins >= one.origins | other.origins
    assert same(k.join(joined, one), joined)


def test_join_does_not_mind_the_grouping() -> None:
    """Loops end only because joining goes up: it may not come down by another way."""
    for a, b, c in itertools.product(SOME, repeat=3):
        left, right = k.join(k.join(a, b), c), k.join(a, k.join(b, c))
        names = [{kind.name for kind in joined.alternatives} for joined in (left, right)]
        assert names[0] == names[1], (a, b, c)


def test_what_joining_keeps() -> None:
    assert k.join(k.literal(1), k.literal(1)).literal == 1
    assert k.join(k.literal(1), k.literal(2)) == k.INT
    assert k.join(k.literal(1), k.literal(True)).literal is k.UNSET
    assert k.join(k.tensor("float", 2), k.tensor("float", 3)) == k.tensor("float")
    assert k.join(k.tensor("float", 2), k.tensor("int", 2)) == k.tensor(rank=2)
    pair = k.join(k.sequence("tuple", [k.INT, k.TENSOR]), k.sequence("tuple", [k.FLOAT, k.TENSOR]))
    assert pair.items is not None
    assert str(pair.items[0]) == "int | float"
    assert pair.items[1] == k.TENSOR
    assert k.join(k.sequence("list", [k.INT]), k.many("list", k.INT)).element == k.INT
    assert k.join(k.sequence("tuple", [k.INT]), k.sequence("tuple", [k.INT, k.STR])).items is None


def test_a_union_of_too_many_is_unknown() -> None:
    several = [k.INT, k.STR, k.NONE, k.TENSOR]
    assert k.join_all(several).name == "union"
    assert k.join_all([*several, k.DTYPE]).name == "unknown"


def test_may_and_must() -> None:
    optional = k.join(k.TENSOR, k.NONE)
    assert optional.may_be("tensor")
    assert not optional.must_be("tensor")
    assert optional.must_be("tensor", "none")
    assert not optional.is_tensor
    assert k.without(optional, "none") == k.TENSOR
    assert k.without(k.NONE, "none") == k.NONE
    assert k.UNKNOWN.may_be("tensor")
    assert not k.UNKNOWN.must_be("tensor")


ELEMENTS = [
    (k.sequence("tuple", [k.INT, k.INT]), k.INT), (k.many("list", k.STR), k.STR), (k.SHAPE, k.INT),
    (Kind("range"), k.INT), (k.STR, k.STR), (k.tensor("float", 2), k.tensor("float", 1)),
    (k.tensor("float", 0), k.tensor("float", 0)), (k.tensor("int", "of 1"), k.tensor("int")), (k.UNKNOWN, k.UNKNOWN),
    (k.INT, k.UNKNOWN), (k.many("dict", k.TENSOR), k.TENSOR),
]  # fmt: skip


@pytest.mark.parametrize(("container", "element"), ELEMENTS)
def test_elements(container: Kind, element: Kind) -> None:
    assert k.element_of(container) == element


def test_elements_share_the_memory_and_origins_of_their_container() -> None:
    for kind in (
        k.TENSOR,
        k.UNKNOWN,
        k.many("list", k.TENSOR.with_storage(frozenset("1"))),
        k.sequence("tuple", [k.TENSOR.with_storage(frozenset("1"))]),
    ):
        assert k.element_of(kind.with_storage(frozenset("1"))).storage == frozenset("1")
    assert k.element_of(Kind("range", origins=frozenset("n"))).origins == frozenset("n")
    assert k.element_of(k.SHAPE.with_origins(frozenset("n"))).origins == frozenset("n")


def test_kinds_as_text() -> None:
    assert [str(kind) for kind in (k.tensor("int"), k.TENSOR, k.join(k.INT, k.NONE))] == [
        "tensor[int]",
        "tensor",
        "int | none",
    ]
    assert {kind.name for kind in SOME} <= k.NAMES
