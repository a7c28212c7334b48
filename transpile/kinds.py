"""What a value may be, as far as reading the source can tell.

A :class:`Kind` is a small frozen value: a name from :data:`NAMES` and what else is known. Kinds form a flat lattice:
:func:`join` goes up to a union of a few alternatives, and from there to *unknown*; :data:`UNDEFINED`, the kind of a
name not bound yet, is below everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

NAMES = frozenset(
    [
        "tensor",
        "int",
        "float",
        "bool",
        "complex",
        "str",
        "none",
        "shape",
        "dtype",
        "device",
        "tuple",
        "list",
        "dict",
        "set",
        "function",
        "module",
        "class",
        "instance",
        "slice",
        "ellipsis",
        "range",
        "numpy",
        "iterator",
        "unknown",
        "union",
        "undefined",
    ]
)

EMPTY: frozenset[str] = frozenset()
WIDEST_UNION = 4


class _Unset:
    """The literal value of a kind whose value the source does not show."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


@dataclass(frozen=True)
class Kind:
    """One abstract value.

    name:    one of :data:`NAMES`
    literal: the value itself where the source shows it (int, float, bool, str, None), else ``UNSET``
    dtype:   of a tensor: ``"float"``, ``"int"``, ``"bool"``, ``"complex"`` or None when unknown; of a dtype: its torch
             name (``"float64"``), or None
    exact:   of a tensor: a text that is the same for tensors of just the same dtype, whichever it is; empty if unknown
    rank:    number of dimensions of a tensor, or length of a shape; a text where only that it is the same as another's
             is known; None when nothing is
    items:   the members of a tuple or list of known length, and the alternatives of a union
    element: what every member of a list, tuple, set, dict (its values) or iterator of unknown length is
    detail:  qualified name of a function, class, module or of an instance's class; identity of a local function
    fields:  names of the members of a named tuple
    origins: parameters that a plain Python value was computed from; they must be static if the value must be
    direct:  of an unknown: it is the parameter named by ``origins`` itself, or that with a number added and the like,
             so that what is demanded of it is demanded of the parameter
    storage: abstract memory that a tensor (or the tensors in a container) may share with others
    """

    name: str
    literal: Any = UNSET
    dtype: str | None = None
    exact: str = ""
    rank: int | str | None = None
    items: tuple[Kind, ...] | None = None
    element: Kind | None = None
    detail: str = ""
    fields: tuple[str, ...] = ()
    origins: frozenset[str] = EMPTY
    direct: bool = False
    storage: frozenset[str] = EMPTY

    def __str__(self) -> str:
        if self.name == "union":
            return " | ".join(str(item) for item in self.items or ())
        if self.name == "tensor" and self.dtype:
            return f"tensor[{self.dtype}]"
        return self.name

    @property
    def alternatives(self) -> tuple[Kind, ...]:
        """The members of a union, or the kind itself."""
        return self.items or () if self.name == "union" else (self,)

    @property
    def is_tensor(self) -> bool:
        """Certainly a tensor."""
        return self.name == "tensor"

    @property
    def is_mask(self) -> bool:
        """A boolean tensor, or what is one if it is a tensor at all (a comparison with something unknown)."""
        return self.dtype == "bool" and self.name in ("tensor", "unknown")

    def may_be(self, *names: str) -> bool:
        """Whether a value of this kind could be one of these names; an unknown could be anything."""
        return any(kind.name == "unknown" or kind.name in names for kind in self.alternatives)

    def must_be(self, *names: str) -> bool:
        """Whether a value of this kind is certainly one of these names."""
        return all(kind.name in names for kind in self.alternatives)

    def with_origins(self, origins: frozenset[str]) -> Kind:
        return self if origins <= self.origins else replace(self, origins=self.origins | origins)

    def with_storage(self, storage: frozenset[str]) -> Kind:
        return self if storage == self.storage else replace(self, storage=storage)

    def without_literal(self) -> Kind:
        return self if self.literal is UNSET else replace(self, literal=UNSET)


def replace(kind: Kind, **changes: Any) -> Kind:
    """The kind with some of its fields changed: as ``dataclasses.replace``, which takes five times as long."""
    changed = object.__new__(Kind)
    changed.__dict__.update(kind.__dict__)
    changed.__dict__.update(changes)
    return changed


UNKNOWN = Kind("unknown")
UNDEFINED = Kind("undefined")
NONE = Kind("none", literal=None)
TENSOR = Kind("tensor")
INT = Kind("int")
FLOAT = Kind("float")
BOOL = Kind("bool")
COMPLEX = Kind("complex")
STR = Kind("str")
SHAPE = Kind("shape")
DTYPE = Kind("dtype")
DEVICE = Kind("device")
SLICE = Kind("slice")
ELLIPSIS = Kind("ellipsis")
NUMPY = Kind("numpy")

_LITERAL_NAMES = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str", type(None): "none"}


def literal(value: Any) -> Kind:
    """The kind of a literal int, float, bool, complex, str or None."""
    return Kind(_LITERAL_NAMES[type(value)], literal=value)


def tensor(dtype: str | None = None, rank: int | str | None = None) -> Kind:
    return Kind("tensor", dtype=dtype, rank=rank)


def sequence(name: str, items: Iterable[Kind]) -> Kind:
    """A tuple or list whose members are known."""
    members = tuple(items)
    return Kind(name, items=members, origins=origins_of(members), storage=storage_of(members))


def many(name: str, element: Kind) -> Kind:
    """A tuple, list, set, dict or iterator of unknown length, all of whose members are of one kind."""
    return Kind(name, element=element, origins=element.origins, storage=element.storage)


def origins_of(kinds: Iterable[Kind]) -> frozenset[str]:
    return EMPTY.union(*(kind.origins for kind in kinds))


def storage_of(kinds: Iterable[Kind]) -> frozenset[str]:
    return EMPTY.union(*(kind.storage for kind in kinds))


def element_of(kind: Kind) -> Kind:
    """What one member of a container is, whichever it is."""
    if kind.name == "union":
        return join_all(element_of(item) for item in kind.alternatives)
    if kind.items is not None:
        return join_all(kind.items)
    if kind.element is not None:
        return kind.element
    if kind.name in ("shape", "range"):
        return Kind("int", origins=kind.origins)
    if kind.name == "str":
        return STR
    if kind.name == "tensor":
        rank = max(kind.rank - 1, 0) if isinstance(kind.rank, int) else None
        return replace(kind, rank=rank)
    return Kind("unknown", origins=kind.origins, storage=kind.storage)


def join(left: Kind, right: Kind) -> Kind:
    """The least kind that covers both."""
    if left == right or right.name == "undefined":
        return left
    if left.name == "undefined":
        return right
    origins, storage = left.origins | right.origins, left.storage | right.storage
    if left.name == "unknown" or right.name == "unknown":
        return Kind("unknown", origins=origins, direct=left.direct and right.direct, storage=storage)
    if left.name == right.name and left.name != "union":
        return _join_same(left, right, origins, storage)
    merged: dict[str, Kind] = {}
    for kind in left.alternatives + right.alternatives:
        merged[kind.name] = join(merged[kind.name], kind) if kind.name in merged else kind
    if len(merged) > WIDEST_UNION:
        return Kind("unknown", origins=origins, storage=storage)
    if len(merged) == 1:
        return next(iter(merged.values()))
    return Kind("union", items=tuple(merged.values()), origins=origins, storage=storage)


def _join_same(left: Kind, right: Kind, origins: frozenset[str], storage: frozenset[str]) -> Kind:
    items = element = None
    if left.items is not None and right.items is not None and len(left.items) == len(right.items):
        items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
    elif left.name in ("tuple", "list", "set", "dict", "iterator"):
        element = join(_members(left), _members(right))
        element = None if element.name == "undefined" else element
    return Kind(
        left.name,
        literal=left.literal if _same_literal(left.literal, right.literal) else UNSET,
        dtype=left.dtype if left.dtype == right.dtype else None,
        exact=left.exact if left.exact == right.exact else "",
        rank=left.rank if left.rank == right.rank else None,
        items=items,
        element=element,
        detail=_joined_detail(left, right),
        fields=left.fields if left.fields == right.fields else (),
        origins=origins,
        storage=storage,
    )


def _joined_detail(left: Kind, right: Kind) -> str:
    """What both are; of containers what either is, since only a caller's has one."""
    if left.detail == right.detail or left.name in ("list", "dict", "set"):
        return left.detail or right.detail
    return ""


def _members(kind: Kind) -> Kind:
    if kind.items is not None:
        return join_all(kind.items)
    return kind.element or UNKNOWN


def _same_literal(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right


def join_all(kinds: Iterable[Kind]) -> Kind:
    """The least kind that covers all; :data:`UNDEFINED` for none."""
    result = UNDEFINED
    for kind in kinds:
        result = join(result, kind)
    return result


def without(kind: Kind, *names: str) -> Kind:
    """What is left of a union once these names are ruled out."""
    if kind.name != "union":
        return kind
    left = [item for item in kind.alternatives if item.name not in names]
    return join_all(left) if left else kind
