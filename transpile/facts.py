"""What the analysis finds out about a module, and the frame in which it evaluates one body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import libcst as cst

from .findings import Finding
from .kinds import EMPTY, TENSOR, UNDEFINED, UNKNOWN, Kind, join, replace, sequence
from .rules import Rule, RuleBook
from .settings import Settings
from .signature import Bound
from .syntax import nodes_of

# The ``detail`` of a value that a rule makes a literal: conditions on it are decided while transpiling.
FOLDED = "folded"
# The ``detail`` of a list, dict or set that the caller made: what is put into it is seen outside.
CALLERS = "caller's"
# The ``detail`` of ``x.device.type``.
DEVICE_TYPE = "device type"


@dataclass(frozen=True)
class Match:
    """A call, method, attribute or operator and the rule that says it.

    in_place: the name (or None for a fresh value) whose tensor the call writes to; see ``writes``
    """

    name: str
    rule: Rule
    bound: Bound = field(default_factory=dict)
    writes: bool = False


@dataclass(frozen=True)
class Write:
    """A call that writes into a tensor, until the statement around it ends, and the names that saw it just then."""

    node: cst.CSTNode
    seen_by: tuple[str, ...]


@dataclass(eq=False)
class Function:
    """A function, method or lambda of the module, and what is known of it so far.

    parameters: kinds at entry          evidence: what the body demands of those nobody has said anything about
    flowed:     what call sites pass    static:   parameters that must be Python values while JAX traces
    result:     what it returns         mutated:  parameters whose tensor it writes to, with the write
    obstacles:  why it cannot be jitted
    """

    name: str
    node: cst.FunctionDef | cst.Lambda
    frame: Frame | None
    is_method: bool = False
    parent: Function | None = None
    parameters: dict[str, Kind] = field(default_factory=dict)
    evidence: dict[str, Kind] = field(default_factory=dict)
    flowed: dict[str, Kind] = field(default_factory=dict)
    static: set[str] = field(default_factory=set)
    result: Kind = UNDEFINED
    mutated: dict[str, cst.CSTNode] = field(default_factory=dict)
    obstacles: dict[cst.CSTNode, Finding] = field(default_factory=dict)
    findings: dict[tuple[cst.CSTNode, str], Finding] = field(default_factory=dict)
    running: bool = False
    recursive: bool = False
    done: bool = False

    @property
    def root(self) -> Function:
        """The outermost function around this one."""
        return self.parent.root if self.parent else self


class OtherModules(Protocol):
    """The other modules of the project: see ``siblings``."""

    def imported(self, qualified: str, local: str, into: ModuleFacts) -> Kind | None: ...

    def member(self, module: str, name: str, into: ModuleFacts) -> Kind | None: ...

    def lacks(self, module: str, name: str) -> bool: ...

    def exports(self, module: str, into: ModuleFacts) -> Iterable[tuple[str, Kind]]: ...


@dataclass(eq=False)
class ModuleFacts:
    """Everything known of one module, by node of its tree.

    single:    arithmetic of integers that torch gives in its default dtype, float32, and JAX in 64 bits
    functions: its own, by the ``detail`` of their kind       known: these and those of the siblings it imports
    torch_names: names that stand for something of torch; what binds them is not in the twin
    missing:     names of the module that its twin cannot have
    """

    tree: cst.Module
    rules: RuleBook
    settings: Settings
    kinds: dict[cst.CSTNode, Kind] = field(default_factory=dict)
    matches: dict[cst.CSTNode, Match] = field(default_factory=dict)
    refused: dict[cst.CSTNode, Rule] = field(default_factory=dict)
    uses: dict[cst.CSTNode, tuple[str, bool]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    known: dict[str, Function] = field(default_factory=dict)
    by_node: dict[cst.CSTNode, Function] = field(default_factory=dict)
    calls: dict[cst.CSTNode, Function] = field(default_factory=dict)
    globals: dict[str, Kind] = field(default_factory=dict)
    writes: dict[cst.CSTNode, str] = field(default_factory=dict)
    masked_reads: set[cst.CSTNode] = field(default_factory=set)
    selections: dict[cst.CSTNode, Any] = field(default_factory=dict)
    single: set[cst.CSTNode] = field(default_factory=set)
    torch_names: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    adopted: set[ModuleFacts] = field(default_factory=set)
    top: Function | None = None

    def kind(self, node: cst.CSTNode) -> Kind:
        return self.kinds.get(node, UNKNOWN)

    def adopt(self, other: ModuleFacts) -> None:
        """Make the functions that another module knows known here."""
        if other not in self.adopted:
            self.adopted.add(other)
            self.known.update(other.known)

    def function(self, function: Function) -> Kind:
        """The kind of a function of this module, which is entered as one of them."""
        self.by_node.setdefault(function.node, function)
        key = f"local:{id(function)}"  # not the node's: two analyses may share a tree
        self.functions[key] = self.known[key] = function
        return Kind("function", detail=key)

    def rules_used(self) -> frozenset[str]:
        """Where the rules stand that say something in this module, and those that refuse something."""
        rules = [*(match.rule for match in self.matches.values()), *self.refused.values()]
        return frozenset(rule.location for rule in rules)

    def module_findings(self, part: cst.CSTNode) -> list[Finding]:
        """What was found in a part of the module that runs when it is imported: defaults and class bodies included."""
        if self.top is None or not self.top.findings:
            return []
        inside = nodes_of(part)
        return [finding for (node, _), finding in self.top.findings.items() if node in inside]


Handler = Callable[["Frame", Any], Kind]


class Frame:
    """One body being evaluated: its names, and where to write down what is found.

    handlers: expression type to the function that evaluates it
    no_grad:  the memory that existed when the innermost ``no_grad`` block began, or None outside of one
    """

    handlers: ClassVar[Mapping[type, Handler]] = {}
    run: ClassVar[Callable[[Function], None]]
    block: ClassVar[Callable[[Frame, Sequence[cst.CSTNode]], bool]]
    define: ClassVar[Callable[[Frame, cst.FunctionDef | cst.ClassDef], None]]

    def __init__(self, module: ModuleFacts, function: Function, parent: Frame | None) -> None:
        self.module = module
        self.function = function
        self.parent = parent
        self.names: dict[str, Kind] = {}
        self.no_grad: frozenset[str] | None = None
        self.siblings: OtherModules | None = None
        self.exits: list[dict[str, Kind]] = []
        self.pending: list[Write] = []

    def evaluate(self, node: cst.BaseExpression) -> Kind:
        handler = self.handlers.get(type(node))
        kind = UNKNOWN if handler is None else handler(self, node)
        self.module.kinds[node] = kind
        return kind

    def lookup(self, name: str) -> Kind | None:
        """The kind of a name here, in the bodies around, or in the module; None if nothing binds it."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.parent
        return None

    def report(self, node: cst.CSTNode, code: str, message: str, hint: str = "") -> None:
        self.function.findings[node, code] = Finding(node, code, message, hint)

    def obstruct(self, node: cst.CSTNode, code: str, message: str, hint: str = "") -> None:
        """Note that this body cannot be compiled, and why."""
        self.function.obstacles[node] = Finding(node, code, message, hint)

    def use(self, node: cst.CSTNode, name: str, translated: bool) -> None:
        self.module.uses[node] = (name, translated)

    # ------------------------------------------------------------------------------------------ demands on parameters

    def demand_tensor(self, kind: Kind) -> None:
        """The program only runs if this value is a tensor: evidence, when it comes straight from one parameter."""
        if kind.name == "unknown" and kind.direct and len(kind.origins) == 1:
            self._witness(next(iter(kind.origins)), TENSOR)

    def demand_mapping(self, kind: Kind) -> None:
        """What is looked up by a text is a mapping: evidence, as for a tensor."""
        if kind.name == "unknown" and kind.direct and len(kind.origins) == 1:
            self._witness(next(iter(kind.origins)), Kind("dict"))

    def refine(self, node: cst.BaseExpression, kind: Kind) -> Kind:
        """From here on a name of unknown kind is a tensor: the program has just used it as one."""
        tensor = replace(TENSOR, storage=kind.storage, rank=f"of {id(node)}")
        if isinstance(node, cst.Name) and kind.name == "unknown" and not kind.detail and node.value in self.names:
            self.names[node.value] = tensor
            self.module.kinds[node] = tensor
        return tensor

    def _witness(self, parameter: str, kind: Kind) -> None:
        owner = self._owner(parameter)
        if owner is not None:
            name = parameter.partition("/")[2]
            owner.evidence[name] = join(owner.evidence.get(name, UNDEFINED), kind)

    def demand_static(self, kind: Kind) -> None:
        """This value must be known while JAX traces, and so must every parameter it is computed from."""
        for parameter in all_origins(kind):
            owner = self._owner(parameter)
            if owner is not None:
                owner.static.add(parameter.partition("/")[2])

    def _owner(self, parameter: str) -> Function | None:
        """Origins carry the function's identity, so that a closure's demand reaches the parameter it is about."""
        identity, _, name = parameter.partition("/")
        frame: Frame | None = self
        while frame is not None:
            if str(id(frame.function)) == identity and name in frame.function.parameters:
                return frame.function
            frame = frame.parent
        return None


def all_origins(kind: Kind) -> frozenset[str]:
    """The origins of a value and of its members."""
    members = kind.items or ((kind.element,) if kind.element else ())
    return kind.origins.union(*(all_origins(member) for member in members))


def origin(function: Function, parameter: str) -> str:
    return f"{id(function)}/{parameter}"


def parameter_memory(function: Function, parameter: str) -> str:
    """The memory that the caller's argument lives in."""
    return f"parameter/{id(function)}/{parameter}"


def fresh(node: cst.CSTNode) -> frozenset[str]:
    """The memory that evaluating this node allocates."""
    return frozenset((str(id(node)),))


def as_parameter(function: Function, name: str, kind: Kind) -> Kind:
    """A kind as a parameter has it at entry: memory of the caller's if it may be a tensor, origins if it may not."""
    if kind.name in ("function", "class", "module"):
        return replace(kind, origins=frozenset((origin(function, name),)))
    kind = kind.without_literal()
    memory = frozenset((parameter_memory(function, name),)) if kind.may_be(*_HOLDS_TENSORS) else EMPTY
    # A tensor, None and the length of a container are known or traced as they are: only plain values can be static.
    origins = EMPTY if kind.name in _NEVER_STATIC else frozenset((origin(function, name),))
    if kind.name == "union":
        items = tuple(as_parameter(function, name, item) for item in kind.alternatives)
        return replace(sequence("union", items), name="union")
    if kind.items is not None:
        kind = replace(kind, items=tuple(_as_member(function, name, item) for item in kind.items))
    elif kind.element is not None or kind.name in ("list", "tuple", "dict"):
        kind = replace(kind, element=_as_member(function, name, kind.element or UNKNOWN))
    if kind.name in ("list", "dict", "set"):
        kind = replace(kind, detail=CALLERS)
    rank = parameter_memory(function, name) if kind.is_tensor and not isinstance(kind.rank, int) else kind.rank
    exact = parameter_memory(function, name) if kind.is_tensor else ""
    return replace(kind, origins=origins, direct=kind.name == "unknown", storage=memory, rank=rank, exact=exact)


def _as_member(function: Function, name: str, kind: Kind) -> Kind:
    """What is demanded of a member of a container is no evidence of what the container is."""
    return replace(as_parameter(function, name, kind), direct=False)


_HOLDS_TENSORS = ("tensor", "list", "tuple", "dict", "instance", "iterator", "set", "unknown")
_NEVER_STATIC = ("tensor", "none", "list", "tuple", "dict", "set", "iterator")


OLDER = "~"


def aged(kind: Kind) -> Kind:
    """A kind as the next turn of a loop sees it: what this turn allocated is not what that one will."""
    if not kind.storage and kind.items is None and kind.element is None:
        return kind
    storage = frozenset(
        token if token.startswith("parameter/") or token.endswith(OLDER) else token + OLDER for token in kind.storage
    )
    items = kind.items and tuple(aged(item) for item in kind.items)
    return replace(kind, storage=storage, items=items, element=kind.element and aged(kind.element))


def names_of(parameters: cst.Parameters) -> Sequence[cst.Param]:
    """All parameters in order, ``*args`` and ``**kwargs`` included."""
    star = [parameters.star_arg] if isinstance(parameters.star_arg, cst.Param) else []
    keywords = [parameters.star_kwarg] if parameters.star_kwarg else []
    return [*parameters.posonly_params, *parameters.params, *star, *parameters.kwonly_params, *keywords]
