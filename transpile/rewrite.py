"""Expressions by rule: calls, methods, attributes, operators and names of torch become what the rules say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import libcst as cst

from . import kinds as k
from .facts import DEVICE_TYPE, FOLDED, Finding, Function, Match, ModuleFacts, Refused, names_of, nodes_of
from .indexing import subscript
from .kinds import Kind
from .layout import laid_out_like
from .names import TENSOR_CLASSES, is_torch
from .references import reference
from .rules import DEFAULT_FLOAT, parsed
from .signature import AGREES, REQUIRED, Argument, Parameter, literal_value
from .template import ATOM, OMITTED, Filler, TemplateError, Value, needed, parenthesized, precedence, tuple_of

# Where the expressions of a node (or of the parts it is made of) stand.
_CHILDREN: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Call: ("func", "args"), cst.Arg: ("value",), cst.Attribute: ("value",), cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",), cst.Index: ("value",), cst.Slice: ("lower", "upper", "step"),
    cst.BinaryOperation: ("left", "right"), cst.BooleanOperation: ("left", "right"),
    cst.UnaryOperation: ("expression",), cst.Comparison: ("left", "comparisons"),
    cst.ComparisonTarget: ("comparator",), cst.IfExp: ("test", "body", "orelse"),
    cst.Tuple: ("elements",), cst.List: ("elements",), cst.Set: ("elements",), cst.Element: ("value",),
    cst.StarredElement: ("value",), cst.Dict: ("elements",), cst.DictElement: ("key", "value"),
    cst.StarredDictElement: ("value",), cst.ListComp: ("elt", "for_in"), cst.SetComp: ("elt", "for_in"),
    cst.GeneratorExp: ("elt", "for_in"), cst.DictComp: ("key", "value", "for_in"),
    cst.CompFor: ("iter", "ifs", "inner_for_in"), cst.CompIf: ("test",), cst.Lambda: ("params", "body"),
    cst.Parameters: ("params", "kwonly_params", "posonly_params", "star_arg", "star_kwarg"), cst.Param: ("default",),
    cst.FormattedString: ("parts",), cst.FormattedStringExpression: ("expression",), cst.NamedExpr: ("value",),
    cst.Await: ("expression",), cst.Yield: ("value",), cst.From: ("item",),
    cst.ConcatenatedString: ("left", "right"),
}  # fmt: skip
_DOUBLE = frozenset({"torch.float64", "torch.double", "Tensor.double"})
_DTYPE_QUESTIONS = {"is_floating_point": "jnp.floating", "is_complex": "jnp.complexfloating"}
# Parts that set their expression apart, so that it needs no parentheses.
_APART = (
    cst.Arg, cst.Element, cst.Index, cst.Slice, cst.DictElement, cst.ListComp, cst.FormattedStringExpression, cst.Param,
    cst.Lambda, cst.NamedExpr,
)  # fmt: skip


Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(eq=False)
class Rewriter:
    """Rewrites the expressions of one module, and keeps what its twin needs.

    helpers:  names of transpile/ops in use         libraries: jnp, jax and other modules the expressions name
    notes:    findings that do not stop anything    function:  the function being rewritten
    replaced: what to write for certain expressions of the source, whatever the rules say
    no_grad:  whether torch records nothing here    stopping:  whether what is around stops the gradient already
    """

    facts: ModuleFacts
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

    def expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression in terms of JAX; the same node if nothing in it changes."""
        new = self._rewritten(node)
        return self.in_single(new) if node in self.facts.single else new

    def in_single(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """torch's default dtype is float32 whatever the width of the integers it came from."""
        self.libraries.add("jnp")
        method = cst.Attribute(parenthesized(node, ATOM), cst.Name("astype"))
        return cst.Call(method, [cst.Arg(cst.parse_expression("jnp.float32"))])

    def _rewritten(self, node: cst.BaseExpression) -> cst.BaseExpression:
        if node in self.replaced:
            return self.replaced[node]
        match = self.facts.matches.get(node)
        asks_kind = match is not None and match.name == "torch.is_tensor" and isinstance(node, cst.Call)
        if asks_kind and isinstance(node, cst.Call) and self._is_traced_number(node.args[0].value):
            return self.call_helper("is_array", self.expression(node.args[0].value))
        if match is not None:
            return self._by_rule(node, match)
        if isinstance(node, cst.Name | cst.Attribute):
            return self._name(node)
        if isinstance(node, cst.Subscript):
            member = self._member_by_index(node)
            if member is not None:
                return member
            return subscript(self, node) if self.kind(node.value).is_tensor else self.rebuilt(node)
        elif isinstance(node, cst.Call):
            return self._call(node)
        elif isinstance(node, cst.BooleanOperation | cst.UnaryOperation | cst.IfExp):
            return self._folded(node)
        elif isinstance(node, cst.Comparison):
            return self._type_test(node) or self.rebuilt(node)
        return self.rebuilt(node)

    # ------------------------------------------------------------------------------------------------------ rebuilding

    def rebuilt(self, node: Node) -> Node:
        """The node with its expressions rewritten; the same node if none of them changes."""
        changes: dict[str, Any] = {}
        for name in _CHILDREN.get(type(node), ()):
            child = getattr(node, name)
            if isinstance(child, cst.CSTNode):
                new: Any = self._child(node, child)
                if new is not child:
                    changes[name] = new
            elif isinstance(child, Sequence) and child:
                many = [self._child(node, part) for part in child]
                if any(new is not old for new, old in zip(many, child, strict=True)):
                    changes[name] = many
        return node.with_changes(**changes) if changes else node

    def _child(self, parent: cst.CSTNode, child: cst.CSTNode) -> cst.CSTNode:
        if not isinstance(child, cst.BaseExpression):
            return self.rebuilt(child)
        return self.operated(parent, child, self.expression(child))

    def operated(self, parent: cst.CSTNode, child: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
        """What has become of an operand, in parentheses if its place asks for them."""
        if new is not child and not isinstance(parent, _APART):
            return parenthesized(new, min(precedence(child), needed(parent, child)))
        return new

    def _folded(self, node: cst.BooleanOperation | cst.UnaryOperation | cst.IfExp) -> cst.BaseExpression:
        """Leave out what a rule has decided: ``not torch.jit.is_scripting() and x`` is ``x``."""
        if isinstance(node, cst.IfExp):
            truth = self.decided(node.test)
            if truth is not None:
                return self.expression(node.body if truth else node.orelse)
        elif isinstance(node, cst.BooleanOperation):
            is_and = isinstance(node.operator, cst.And)
            for one, other in ((node.left, node.right), (node.right, node.left)):
                truth = self.decided(one)
                if truth is is_and:
                    return self.expression(other)
                if truth is not None and one is node.left:
                    return cst.Name(str(truth))
        elif isinstance(node.operator, cst.Not):
            truth = self.decided(node.expression)
            if truth is not None:
                return cst.Name(str(not truth))
        return self.rebuilt(node)

    def decided(self, node: cst.BaseExpression) -> bool | None:
        """The truth of a condition that a rule makes a literal, or None."""
        kind = self.kind(node)
        return bool(kind.literal) if kind.detail == FOLDED and kind.literal is not k.UNSET else None

    def asks_for_gradient(self, node: cst.BaseExpression) -> bool:
        """Whether ``x.requires_grad`` is part of a condition."""
        matches = (self.facts.matches.get(part) for part in nodes_of(node))
        return any(match is not None and match.name == "Tensor.requires_grad" for match in matches)

    # ------------------------------------------------------------------------------------------------------ by rule

    def _by_rule(self, node: cst.BaseExpression, match: Match) -> cst.BaseExpression:
        rule = match.rule
        if match.name == "Tensor.requires_grad":
            raise Refused(
                Finding(node, "unsupported-syntax", "arrays of JAX do not know whether a gradient is wanted of them",
                        "compute the same either way, or pass a flag")
            )  # fmt: skip
        filler = self.filler(match)
        self.fired.add(rule.location)
        try:
            if rule.members:
                members = [cst.Element(filler.fill(parsed(source))) for _, source in rule.members]
                return tuple_of(members)
            filled = filler.fill(rule.parsed(self.facts.settings.x64))
        except TemplateError as error:
            raise Refused(Finding(node, "unknown-signature", f"{match.name}: {error}")) from None
        if rule.name in _DOUBLE and not self.facts.settings.x64:
            self.notes.append(
                Finding(node, "needs-x64", "float64 narrows to float32 while 64-bit mode is off", "set x64 = true")
            )
        return laid_out_like(filled, node)

    def filler(self, match: Match) -> Filler:
        values = {parameter.name: self._value(match, parameter) for parameter in match.rule.signature.parameters}
        if match.rule.constant and "self" in match.bound:
            values["self"] = self._argument(match.bound["self"], ())
        return Filler(values, self.rename)

    def _value(self, match: Match, parameter: Parameter) -> Value:
        given = match.bound.get(parameter.name)
        if given is not None:
            return self._star(given, parameter) if parameter.star else self._argument(given, parameter.kinds)
        if parameter.default == DEFAULT_FLOAT:
            if not self.facts.settings.x64:
                return OMITTED
            self.libraries.add("jnp")
            return Value(cst.parse_expression("jnp.float32"))
        if parameter.default in (AGREES, REQUIRED):
            return OMITTED
        literal = literal_value(parameter.default)
        return Value(cst.parse_expression(parameter.default), literal)

    def _argument(self, given: Any, kinds: tuple[str, ...]) -> Value:
        argument: Argument = given
        node = self.expression(argument.node)
        if "Shape" in kinds:
            node = self._as_tuple(node, argument.kind)
        optional = argument.kind.may_be("none") and (not kinds or "None" in kinds)
        return Value(node, argument.kind.literal, optional)

    def _as_tuple(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        """JAX takes axes and sizes as tuples only."""
        if isinstance(node, cst.List):
            return tuple_of(node.elements)
        if kind.name in ("list", "iterator", "range"):
            return cst.Call(cst.Name("tuple"), [cst.Arg(node)])
        return node

    def _star(self, given: Any, parameter: Parameter) -> Value:
        """``*size``: several arguments become a tuple; a single one is the sequence already, or the only member."""
        arguments: tuple[Argument, ...] = given
        if len(arguments) == 1:
            argument = arguments[0]
            node = self._as_tuple(self.expression(argument.node), argument.kind)
            if argument.star:
                if argument.kind.name not in ("shape", "tuple"):
                    node = cst.Call(cst.Name("tuple"), [cst.Arg(node)]) if not isinstance(node, cst.Call) else node
                return Value(node)
            if argument.kind.name in ("int", "tensor"):
                node = tuple_of([cst.Element(node)])
            return Value(node)
        elements: list[cst.BaseElement] = [
            (cst.StarredElement if argument.star else cst.Element)(self.expression(argument.node))
            for argument in arguments
        ]
        return Value(tuple_of(elements))

    def rename(self, name: str) -> str:
        """The name in the twin for a free name of a rule, noting what the twin must import or carry."""
        if name.startswith("ops."):
            return self.helper(name.removeprefix("ops."))
        if name in ("jnp", "jax", "math"):
            self.libraries.add(name)
        return name

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
        """A call such as ``jnp.where(a, b, c)``."""
        self.libraries.add(dotted.partition(".")[0])
        return cst.Call(cst.parse_expression(dotted), [cst.Arg(argument) for argument in arguments])

    # -------------------------------------------------------------------------------------------- augmented assignments

    def augmented_value(self, statement: cst.AugAssign) -> cst.BaseExpression:
        """``x + y`` for ``x += y``, by rule where the operator has one."""
        match = self.facts.matches.get(statement)
        if match is not None:
            self.fired.add(match.rule.location)
            return self.filler(match).fill(match.rule.parsed(self.facts.settings.x64))
        return self.combined(statement, self.expression(statement.target))

    def combined(self, statement: cst.AugAssign, left: cst.BaseExpression) -> cst.BinaryOperation:
        """``left + y`` for ``x += y``, with JAX's own operator."""
        name = type(statement.operator).__name__.removesuffix("Assign")
        right = self.expression(statement.value)
        new = cst.BinaryOperation(left, getattr(cst, name)(), right)
        return new.with_changes(right=parenthesized(right, needed(new, right)))

    # -------------------------------------------------------------------------------------------------- annotations

    def annotation(self, node: cst.Annotation) -> cst.Annotation:
        new = self.annotated(node.annotation)
        return node if new is node.annotation else node.with_changes(annotation=new)

    def annotated(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The annotation in terms of JAX; jaxtyping's ``Float[Tensor, "b n"]`` takes jaxtyping's own ``Array``."""
        if isinstance(node, cst.SimpleString):
            return self._annotated_text(node)
        if isinstance(node, cst.BinaryOperation):
            return node.with_changes(left=self.annotated(node.left), right=self.annotated(node.right))
        if isinstance(node, cst.Subscript):
            return self._annotated_subscript(node)
        if isinstance(node, cst.Tuple | cst.List):
            return node.with_changes(
                elements=[element.with_changes(value=self.annotated(element.value)) for element in node.elements]
            )
        if isinstance(node, cst.Name | cst.Attribute):
            kind = self.kind(node)
            if kind.name == "class" and is_torch(kind.detail):
                return self._annotated_class(node, kind)
            if is_torch(kind.detail):
                return cst.Name("object")
        return node

    def _annotated_class(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        try:
            return self._class(node, kind)
        except Refused:
            return cst.Name("object")

    def _annotated_subscript(self, node: cst.Subscript) -> cst.BaseExpression:
        family = self.kind(node.value).detail
        if family.startswith("jaxtyping."):
            first, *rest = node.slice
            if isinstance(first.slice, cst.Index):
                inner = self.kind(first.slice.value)
                if inner.detail in TENSOR_CLASSES:
                    self.libraries.add("jaxtyping.Array")
                    first = first.with_changes(slice=cst.Index(cst.Name("Array")))
            return node.with_changes(slice=[first, *rest])
        if family.endswith(".Literal"):
            return node
        elements = [
            element.with_changes(slice=element.slice.with_changes(value=self.annotated(element.slice.value)))
            if isinstance(element.slice, cst.Index) else element
            for element in node.slice
        ]  # fmt: skip
        return node.with_changes(value=self.annotated(node.value), slice=elements)

    def _annotated_text(self, node: cst.SimpleString) -> cst.BaseExpression:
        """An annotation in quotes: evaluated nowhere, so only its names are exchanged."""
        text = str(node.evaluated_value)
        if "Tensor" not in text and "torch" not in text:
            return node
        self.libraries.add("jax")
        new = re.sub(r"\b(torch\.)?(\w+\.)*\w*Tensor\b", "jax.Array", text)
        new = new.replace("torch.dtype", "object").replace("torch.device", "object")
        return node.with_changes(value=node.quote + new + node.quote)

    # ------------------------------------------------------------------------------------------- names, members, calls

    def _name(self, node: cst.Name | cst.Attribute) -> cst.BaseExpression:
        kind = self.kind(node)
        if kind.name == "device" and not isinstance(node, cst.Name):
            return cst.Name("None")
        if kind.name == "class" and is_torch(kind.detail):
            return self._class(node, kind)
        if kind.name == "function" and is_torch(kind.detail):
            if isinstance(node, cst.Name) and node.value not in self.facts.torch_names:
                return node  # a local alias, which its own assignment has made a function of JAX
            return reference(self, node, kind.detail)
        if kind.name == "module" and kind.detail.startswith("project:") and isinstance(node, cst.Attribute):
            return cst.Name(self.submodule(kind.detail.removeprefix("project:")))
        if kind.name == "module" and is_torch(kind.detail):
            raise Refused(Finding(node, "left-torch", f"the module {kind.detail} is used as a value"))
        if isinstance(node, cst.Name):
            return node
        base = self.kind(node.value)
        if base.detail == "finfo" and kind.name == "float":  # a number of Python: JAX's own would widen what it meets
            return cst.Call(cst.Name("float"), [cst.Arg(self.rebuilt(node))])
        if base.name == "dtype" and node.attr.value in _DTYPE_QUESTIONS:
            family = cst.parse_expression(_DTYPE_QUESTIONS[node.attr.value])
            return self.library("jnp.issubdtype", self.expression(node.value), family)
        if base.name == "device" or kind.detail == DEVICE_TYPE:
            raise Refused(
                Finding(node, "unsupported-syntax", f"{node.attr.value} of a device has no counterpart in JAX",
                        "compare device.type with a text in a condition, or leave it out")
            )  # fmt: skip
        if base.fields and node.attr.value in base.fields:
            return self._member(node.value, base.fields.index(node.attr.value))
        if kind.name == "function" and kind.detail.startswith("bound:"):
            raise Refused(
                Finding(node, "left-torch", f"the method {node.attr.value} of a tensor is used as a value", "call it")
            )
        return self.rebuilt(node)

    def _class(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        if kind.detail in TENSOR_CLASSES:
            self.libraries.add("jax")
            return cst.parse_expression("jax.Array")
        known = {"torch.Size": "tuple", "torch.dtype": "jnp.dtype", "torch.device": "jax.Device"}
        if kind.detail not in known:
            raise Refused(Finding(node, "left-torch", f"the class {kind.detail} has no counterpart"))
        self.libraries.add(known[kind.detail].partition(".")[0])
        return cst.parse_expression(known[kind.detail])

    def _member_by_index(self, node: cst.Subscript) -> cst.BaseExpression | None:
        part = node.slice[0].slice
        match = self.facts.matches.get(node.value)
        if match is None or not match.rule.members or len(node.slice) != 1 or not isinstance(part, cst.Index):
            return None
        position = self.kind(part.value).literal
        return (
            self._member(node.value, position) if isinstance(position, int) and not isinstance(position, bool) else None
        )

    def _member(self, node: cst.BaseExpression, position: int) -> cst.BaseExpression:
        """One member of a named tuple: its own expression where the rule has one a member, else by index."""
        match = self.facts.matches.get(node)
        if match is not None and match.rule.members:
            return self.member_of(match, position)
        value = parenthesized(self.expression(node), 20)
        return cst.Subscript(value, [cst.SubscriptElement(cst.Index(cst.Integer(str(position))))])

    def member_of(self, match: Match, position: int) -> cst.BaseExpression:
        self.fired.add(match.rule.location)
        return self.filler(match).fill(parsed(match.rule.members[position][1]))

    def _call(self, node: cst.Call) -> cst.BaseExpression:
        kind = self.kind(node.func)
        if kind.detail == "builtins.str" and node.args and self.kind(node.args[0].value).name == "device":
            raise Refused(Finding(node, "unsupported-syntax", "the name of a device", "leave it out"))
        if kind.detail == "builtins.abs" and self._may_be_array(node.args[0].value):
            return self.call_helper("absolute_of_any", self.expression(node.args[0].value))
        if kind.detail == "builtins.isinstance" and len(node.args) == 2:
            return self._isinstance(node)
        if kind.detail == "builtins.getattr" and self.kind(node).detail and is_torch(self.kind(node).detail):
            return reference(self, node, self.kind(node).detail)
        if self.kind(node).name == "device" and kind.name != "unknown":
            return cst.Name("None")
        if node in self.facts.calls:
            return self._with_tuples(self.rebuilt(node), self.facts.calls[node])
        return self.rebuilt(node)

    def _with_tuples(self, node: cst.Call, function: Function) -> cst.Call:
        """A list written where a function of this module needs a static value: jax.jit takes what can be hashed."""
        names = [parameter.name.value for parameter in names_of(function.node.params)][function.is_method :]
        arguments = []
        for position, argument in enumerate(node.args):
            name = argument.keyword.value if argument.keyword else names[position] if position < len(names) else ""
            if isinstance(argument.value, cst.List) and name in function.static and not argument.star:
                argument = argument.with_changes(value=tuple_of(argument.value.elements))
            arguments.append(argument)
        changed = any(new is not old for new, old in zip(arguments, node.args, strict=True))
        return node.with_changes(args=arguments) if changed else node

    def _may_be_array(self, node: cst.BaseExpression) -> bool:
        """Whether this is of unknown kind, and not a Python value that must be static."""
        kind = self.kind(node)
        static = kind.origins and not self._is_traced_number(node)
        return kind.may_be("tensor") and not static

    def _type_test(self, node: cst.Comparison) -> cst.BaseExpression | None:
        """``type(x) is torch.Tensor``: no array's type is ``jax.Array`` itself."""
        call, target = node.left, node.comparisons[0]
        asked = isinstance(call, cst.Call) and self.kind(call.func).detail == "builtins.type" and len(call.args) == 1
        if not asked or self.kind(target.comparator).detail not in TENSOR_CLASSES or len(node.comparisons) > 1:
            return None
        subject = call.args[0].value  # type: ignore[attr-defined]
        name = self.expression(target.comparator)
        test: cst.BaseExpression = cst.Call(cst.Name("isinstance"), [cst.Arg(self.expression(subject)), cst.Arg(name)])
        if self._is_traced_number(subject):
            test = self.call_helper("is_array", self.expression(subject))
        if isinstance(target.operator, cst.IsNot | cst.NotEqual):
            return cst.UnaryOperation(cst.Not(), test)
        return test

    def _is_traced_number(self, node: cst.BaseExpression) -> bool:
        """Whether this may be a Python number of the caller's, which jax.jit makes an array."""
        kind = self.kind(node)
        function = self.function.root if self.function else None
        if kind.is_tensor or not kind.origins or function is None:
            return False
        return not any(origin.partition("/")[2] in function.static for origin in kind.origins)

    def _isinstance(self, node: cst.Call) -> cst.BaseExpression:
        """``isinstance(x, float)``: a Python number arrives in a compiled function as a weakly typed scalar."""
        subject, family = self.kind(node.args[0].value), self.kind(node.args[1].value)
        numbers = {"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"}
        classes = {item.detail for item in family.items} if family.items else {family.detail}
        if self._is_traced_number(node.args[0].value):
            subject_node = self.expression(node.args[0].value)
            if classes & numbers:
                return self.call_helper("is_instance", subject_node, self.expression(node.args[1].value))
            if classes <= TENSOR_CLASSES and subject.may_be("int", "float", "bool", "complex"):
                return self.call_helper("is_array", subject_node)
        return self.rebuilt(node)
