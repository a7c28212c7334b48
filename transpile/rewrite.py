"""Expressions: what a rule says by rule, the rest rebuilt around it; what Python asks of a value, asked of an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import libcst as cst

from . import kinds as k
from .annotation_writer import AnnotationWriter
from .facts import DEVICE_TYPE, FOLDED, Function, names_of
from .findings import Finding, Refused
from .indexing import subscript
from .layout import quoted_apart
from .names import TENSOR_CLASSES, is_torch
from .references import reference
from .syntax import walk
from .template import ATOM, needed, parenthesized, precedence, tuple_of

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
_DTYPE_QUESTIONS = {"is_floating_point": "jnp.floating", "is_complex": "jnp.complexfloating"}
# Parts that set their expression apart, so that it needs no parentheses.
_APART = (
    cst.Arg, cst.Element, cst.Index, cst.Slice, cst.DictElement, cst.ListComp, cst.FormattedStringExpression, cst.Param,
    cst.Lambda, cst.NamedExpr,
)  # fmt: skip


Node = TypeVar("Node", bound=cst.CSTNode)


class Rewriter(AnnotationWriter):
    """Rewrites the expressions of one module."""

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
            return self.by_rule(node, match)
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
        elif isinstance(node, cst.FormattedString):
            new = self.rebuilt(node)
            return new if new is node else quoted_apart(new)
        return self.rebuilt(node)

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
        matches = (self.facts.matches.get(part) for part in walk(node))
        return any(match is not None and match.name == "Tensor.requires_grad" for match in matches)

    def _name(self, node: cst.Name | cst.Attribute) -> cst.BaseExpression:
        kind = self.kind(node)
        if kind.name == "device" and not (isinstance(node, cst.Name) and self._is_parameter(node.value)):
            return cst.Name("None")  # what assigned it has vanished
        if kind.name == "class" and is_torch(kind.detail):
            return self.class_of(node, kind)
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
            return self.library("float", self.rebuilt(node))
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

    def _is_parameter(self, name: str) -> bool:
        """Whether a name is a parameter of the function being rewritten, or of one around it."""
        function = self.function
        while function is not None:
            if name in function.parameters:
                return True
            function = function.parent
        return False

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
        method = node.func if isinstance(node.func, cst.Attribute) else None
        if method is not None and method.attr.value == "numel" and self.kind(method.value).name == "shape":
            return self.library("math.prod", self.expression(method.value))
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
        test: cst.BaseExpression = self.library("isinstance", self.expression(subject), name)
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
