"""What the rewriting of a module writes down: names that its twin uses, helpers, libraries, findings."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from functools import cached_property

import libcst as cst

from .comments import within_expressions
from .facts import Function, ModuleFacts
from .findings import Finding
from .kinds import Kind
from .twin_names import names_in


@dataclass(eq=False)
class Writer:
    """What the twin of a module needs, and where the rewriting stands.

    helpers:  names of transpile/ops in use         libraries: jnp, jax and other modules the expressions name
    notes:    findings that do not stop anything    function:  the function being rewritten
    replaced: what to write for certain expressions of the source, whatever the rules say
    no_grad:  whether torch records nothing here    stopping:  whether what is around stops the gradient already
    """

    facts: ModuleFacts
    source: str
    helpers: dict[str, str] = field(default_factory=dict)
    libraries: set[str] = field(default_factory=set)
    notes: list[Finding] = field(default_factory=list)
    function: Function | None = None
    no_grad: bool = False
    stopping: bool = False
    replaced: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    submodules: dict[str, str] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    obstacles: list[tuple[str, Finding]] = field(default_factory=list)
    stub_places: list[cst.CSTNode] = field(default_factory=list)

    def kind(self, node: cst.CSTNode) -> Kind:
        return self.facts.kind(node)

    def rename(self, name: str) -> str:
        """The name in the twin for a free name of a rule, noting what the twin must import or carry."""
        if name.startswith("ops."):
            return self.helper(name.removeprefix("ops."))
        if name in ("jnp", "jax", "math"):
            self.libraries.add(name)
        elif hasattr(builtins, name) and name in self.bound:
            self.libraries.add("builtins")
            return f"builtins.{name}"
        return name

    @cached_property
    def inner_comments(self) -> frozenset[str]:
        """The comments within the expressions of the source."""
        return within_expressions(self.source)

    @cached_property
    def bound(self) -> set[str]:
        """The names that the source binds anywhere, less JAX under its usual names."""
        return names_in(self.source).bound

    def submodule(self, qualified: str) -> str:
        """The twin's name for ``package.module``, which its imports bind under the module's own name."""
        if qualified not in self.submodules:
            name = qualified.rpartition(".")[2]
            self.submodules[qualified] = name if name not in self.words else f"{name}_jax"
        return self.submodules[qualified]

    def helper(self, name: str) -> str:
        """The twin's name for a helper of transpile/ops: ``_name``, or the first free variant of it."""
        if name not in self.helpers:
            candidate, number = f"_{name}", 2
            while candidate in self.taken:
                candidate, number = f"_{name}_{number}", number + 1
            self.taken.add(candidate)
            self.helpers[name] = candidate
        return self.helpers[name]

    def call_helper(self, name: str, *arguments: cst.BaseExpression) -> cst.Call:
        return cst.Call(cst.Name(self.helper(name)), [cst.Arg(argument) for argument in arguments])

    def library(self, dotted: str, *arguments: cst.BaseExpression) -> cst.Call:
        """A call such as ``jnp.where(a, b, c)`` or ``tuple(a)``."""
        root, dot, rest = dotted.partition(".")
        function = cst.parse_expression(self.rename(root) + dot + rest)
        return cst.Call(function, [cst.Arg(argument) for argument in arguments])

    def expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression in terms of JAX; the same node if nothing in it changes."""
        raise NotImplementedError
