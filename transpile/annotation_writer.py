"""Annotations in terms of JAX."""

from __future__ import annotations

import re

import libcst as cst

from .by_rule import RuleWriter
from .findings import Finding, Refused
from .kinds import Kind
from .names import TENSOR_CLASSES, dotted, is_torch


class AnnotationWriter(RuleWriter):
    """Exchanges the classes of torch in annotations."""

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
            if is_torch(kind.detail) or dotted(node).partition(".")[0] in self.facts.torch_names:
                return cst.Name("object")
        return node

    def _annotated_class(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        try:
            return self.class_of(node, kind)
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

    def class_of(self, node: cst.BaseExpression, kind: Kind) -> cst.BaseExpression:
        if kind.detail in TENSOR_CLASSES:
            self.libraries.add("jax")
            return cst.parse_expression("jax.Array")
        known = {"torch.Size": "tuple", "torch.dtype": "jnp.dtype", "torch.device": "jax.Device"}
        if kind.detail not in known:
            raise Refused(Finding(node, "left-torch", f"the class {kind.detail} has no counterpart"))
        self.libraries.add(known[kind.detail].partition(".")[0])
        return cst.parse_expression(known[kind.detail])
