"""``@jax.jit`` on every public function that can have it, with the arguments that must be static."""

from __future__ import annotations

import libcst as cst

from ..comments import PREFIX, without_directives
from ..facts import Function, ModuleFacts, names_of
from ..findings import Finding
from ..kinds import Kind
from ..names import dotted
from ..rewrite import Rewriter


def jitted(rewriter: Rewriter, node: cst.FunctionDef, function: Function, eager: bool) -> cst.FunctionDef:
    """The definition with its decorator; as it is where it is private, a method, computes no tensor or cannot."""
    node = node.with_changes(leading_lines=without_directives(list(node.leading_lines)))
    header = node.body.header if isinstance(node.body, cst.IndentedBlock) else None
    if header is not None and header.comment is not None and PREFIX.match(header.comment.value):
        bare = header.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        node = node.with_changes(body=node.body.with_changes(header=bare))
    if function.is_method or function.name.startswith("_") or "." in function.name:
        return node
    if not _computes(function):
        if function.obstacles and not eager and any(_holds_tensor(kind) for kind in function.parameters.values()):
            rewriter.obstacles.append((function.name, next(iter(function.obstacles.values()))))
        return node
    obstacle = _obstacle(rewriter.facts, node, function)
    if obstacle is not None:
        if not eager:
            rewriter.obstacles.append((function.name, obstacle))
        return node
    if eager:
        return node
    rewriter.libraries.add("jax")
    decorator = cst.Decorator(cst.parse_expression(_decorator(rewriter, function)))
    return node.with_changes(decorators=[decorator, *node.decorators])


def _decorator(rewriter: Rewriter, function: Function) -> str:
    order = [parameter.name.value for parameter in names_of(function.node.params)]
    static = [name for name in order if name in function.static or _is_callable(function, name)]
    if not static:
        return "jax.jit"
    names = ", ".join(f'"{name}"' for name in static)
    argument = names if len(static) == 1 else f"({names})"
    # The source may have functools under its own name already, or use the word partial for something else.
    whole = "functools" in rewriter.words or ("partial" in rewriter.words and not _is_functools_partial(rewriter))
    rewriter.libraries.add("functools" if whole else "functools.partial")
    return f"{'functools.' * whole}partial(jax.jit, static_argnames={argument})"


def _is_functools_partial(rewriter: Rewriter) -> bool:
    kind = rewriter.facts.globals.get("partial")
    return kind is not None and kind.detail == "functools.partial"


def _is_callable(function: Function, name: str) -> bool:
    """Values that no trace can carry are static whatever is done with them."""
    return any(
        kind.name in ("str", "function", "class", "dtype", "device") for kind in function.parameters[name].alternatives
    )


def _computes(function: Function) -> bool:
    """Whether the function returns, or is given, what may be a tensor, and does something of torch's."""
    if not _may_be_traced(function.result):
        return False
    return any(_holds_tensor(kind) for kind in (*function.parameters.values(), function.result))


def _may_be_traced(kind: Kind) -> bool:
    if kind.name == "union":
        items = _without_numbers(kind)
        return all(_may_be_traced(item) for item in items) and any(item.name != "none" for item in items)
    return kind.name in ("tensor", "tuple", "list", "dict", "unknown")


def _without_numbers(kind: Kind) -> list[Kind]:
    """The alternatives of a union, without the number that a sum of tensors began with: an array does as well."""
    if not kind.may_be("tensor"):
        return list(kind.alternatives)
    return [item for item in kind.alternatives if item.name not in ("int", "float", "complex")]


def _holds_tensor(kind: Kind) -> bool:
    members = kind.items or ((kind.element,) if kind.element else ())
    return kind.is_tensor or any(_holds_tensor(member) for member in members)


def _obstacle(facts: ModuleFacts, node: cst.FunctionDef, function: Function) -> Finding | None:
    """Why this function cannot be compiled, if it cannot."""
    if function.obstacles:
        return next(iter(function.obstacles.values()))
    if node.decorators:
        return Finding(function.node, "not-jitted", f"{function.name} carries a decorator of its own")
    if node.asynchronous is not None:
        return Finding(function.node, "not-jitted", f"{function.name} is asynchronous")
    parameters = function.node.params
    for star in (parameters.star_arg, parameters.star_kwarg):
        if isinstance(star, cst.Param) and star.name.value in function.static:
            return Finding(
                star, "not-jitted", f"the values in {star.name.value} must be static, which jax.jit cannot say"
            )
    for name, kind in function.parameters.items():
        if kind.name == "slice" or (name in function.static and kind.name in ("list", "dict", "set")):
            return Finding(
                function.node, "not-jitted", f"{name} must be static, but no {kind.name} can be hashed", "take a tuple"
            )  # fmt: skip
        if name in function.static and kind.name == "instance" and not _can_be_hashed(facts, kind.detail):
            return Finding(
                function.node, "not-jitted", f"{name} must be static, and a {kind.detail} may change or have no hash",
                "make it a NamedTuple or a frozen dataclass",
            )  # fmt: skip
        if name in function.static and _holds_tensor(kind):
            return Finding(
                function.node, "not-jitted", f"{name} holds tensors beside what must be static", "pass them apart"
            )
    untraceable = _untraceable(function.result)
    if untraceable:
        return Finding(
            function.node, "not-jitted",
            f"{function.name} returns a Python {untraceable}, which jax.jit would make an array",
            "return tensors alone, or mark the function `# torch2jax: eager`",
        )  # fmt: skip
    return None


def _can_be_hashed(facts: ModuleFacts, name: str) -> bool:
    """Whether this class of the module is a named tuple, an enumeration or a frozen dataclass."""
    definitions = [line for line in facts.tree.body if isinstance(line, cst.ClassDef) and line.name.value == name]
    if not definitions:
        return False
    bases = {dotted(base.value).rpartition(".")[2] for base in definitions[0].bases}
    frozen = any(
        argument.keyword and argument.keyword.value == "frozen" and dotted(argument.value) == "True"
        for decorator in definitions[0].decorators
        if isinstance(decorator.decorator, cst.Call)
        for argument in decorator.decorator.args
    )
    return frozen or bool(bases & {"NamedTuple", "Enum", "IntEnum", "StrEnum"})


def _untraceable(kind: Kind) -> str:
    """A Python value in a result that jit cannot return, or would return as an array: a size would no longer be one."""
    if kind.name in ("str", "dtype", "function", "class", "module", "slice", "set", "range", "shape", "int", "bool"):
        return kind.name
    members = kind.items or ((kind.element,) if kind.element else ())
    for member in _without_numbers(kind) if kind.name == "union" else members:
        found = _untraceable(member)
        if found:
            return found
    return ""
