"""The kind of every expression of a module, by flow through its statements.

Each function is evaluated in order, with the kinds of its parameters at entry. Where nobody says what a parameter is,
the body's own demands on it are evidence, and so is what call sites pass; the function is evaluated again with what
was found until nothing changes. Recursion sees the result known so far.
"""

from __future__ import annotations

import libcst as cst

from . import kinds as k
from .annotations import annotated
from .calls import call
from .control_flow import grad_mode
from .expressions import HANDLERS
from .facts import Frame, Function, ModuleFacts, OtherModules, as_parameter, names_of, parameter_memory
from .findings import Finding, finding_of
from .kinds import Kind
from .rules import RuleBook
from .settings import Settings
from .statement_nodes import bound_names
from .statements import block
from .writes import hands_back

MAX_ROUNDS = 3
# Parameters whose name alone says what they are, where neither annotation nor default does.
_BY_NAME = {"device": k.DEVICE, "dtype": k.DTYPE}


def analyse(tree: cst.Module, rules: RuleBook, settings: Settings, siblings: OtherModules | None = None) -> ModuleFacts:
    """Everything the rewriting needs to know of a module."""
    module = ModuleFacts(tree, rules, settings)
    top = Function("<module>", cst.FunctionDef(cst.Name("module"), cst.Parameters(), cst.IndentedBlock([])), None)
    module.top = top
    frame = Frame(module, top, None)
    frame.siblings = siblings
    module.globals = frame.names
    for line in tree.body:
        try:
            if not block(frame, [line]):
                break
        except Exception as error:
            top.findings[line, "internal-error"] = finding_of(line, error)
    module.globals = frame.names
    for function in list(module.functions.values()):
        if not function.done:
            run(function)
    _rerun_with_callers(module)
    module.missing |= {name for line in tree.body if module.module_findings(line) for name in bound_names(line)}
    return module


def _rerun_with_callers(module: ModuleFacts) -> None:
    """Functions first evaluated before their call sites were known are evaluated again, and so are their callers."""
    for _ in range(MAX_ROUNDS):
        stale = [function for function in module.functions.values() if entry_kinds(function) != function.parameters]
        if not stale:
            return
        for function in module.functions.values():
            function.done = False
        for function in list(module.functions.values()):
            if not function.done:
                run(function)


def run(function: Function) -> None:
    """Evaluate a body until what it demands of its parameters agrees with what they are taken to be."""
    function.running = True
    entry = entry_kinds(function)
    for _ in range(MAX_ROUNDS):
        function.parameters, before = entry, function.result
        try:
            _evaluate(function)
        except Exception as error:
            function.result = k.UNKNOWN
            function.findings[function.node, "internal-error"] = finding_of(function.node, error)
            break
        entry = entry_kinds(function)
        if entry == function.parameters and (not function.recursive or function.result == before):
            break
    function.running = False
    function.done = True
    _check_mutation(function)


def _evaluate(function: Function) -> None:
    outer = function.frame
    assert outer is not None
    frame = Frame(outer.module, function, outer)
    frame.siblings = outer.siblings
    frame.names = dict(function.parameters)
    function.findings.clear()
    function.obstacles.clear()
    function.mutated.clear()
    function.static.clear()  # what was demanded of a parameter before it was known to be a tensor
    if not function.recursive:
        function.result = k.UNDEFINED
    node = function.node
    if isinstance(node, cst.Lambda):
        function.result = frame.evaluate(node.body).without_literal()
        for write in frame.pending:
            frame.report(
                write.node, "aliased-write", "a lambda writes into a tensor",
                "make it a function that returns the tensor",
            )  # fmt: skip
        return
    for decorator in node.decorators:
        if grad_mode(outer, decorator.decorator) is False:
            frame.no_grad = k.storage_of(frame.names.values())
    if block(frame, node.body.body):
        function.result = k.join(function.result, k.NONE)


def entry_kinds(function: Function) -> dict[str, Kind]:
    """The kinds of the parameters, by the strongest evidence there is."""
    parameters = function.node.params
    entry: dict[str, Kind] = {}
    for position, parameter in enumerate(names_of(parameters)):
        name = parameter.name.value
        if function.is_method and position == 0:
            entry[name] = as_parameter(function, name, Kind("instance", detail=function.name.rpartition(".")[0]))
        else:
            entry[name] = as_parameter(function, name, _entry_kind(function, parameter, name))
    if isinstance(parameters.star_arg, cst.Param):
        name = parameters.star_arg.name.value
        entry[name] = k.many("tuple", entry[name])
    if parameters.star_kwarg:
        name = parameters.star_kwarg.name.value
        entry[name] = k.many("dict", entry[name])
    return entry


def _entry_kind(function: Function, parameter: cst.Param, name: str) -> Kind:
    frame = function.frame
    assert frame is not None
    default = frame.module.kind(parameter.default).without_literal() if parameter.default is not None else None
    optional = default is not None and default.name == "none"
    if parameter.annotation is not None:
        kind = annotated(frame, parameter.annotation.annotation)
        if kind.name != "unknown":
            return k.join(kind, k.NONE) if optional else kind
    if default is not None and not optional and default.name not in ("unknown", "function"):
        # A default says what a parameter usually is; a tensor passed for a float does what the float does.
        passed = function.flowed.get(name)
        return k.join(default, passed) if passed is not None and passed.name != "unknown" else default
    known = function.evidence.get(name) or function.flowed.get(name) or _BY_NAME.get(name, k.UNKNOWN)
    if known.name in ("undefined", "none"):
        known = k.UNKNOWN
    return k.join(known, k.NONE) if optional else known


def _check_mutation(function: Function) -> None:
    """A write to the caller's tensor is right only if the tensor is what the function returns."""
    for parameter, node in function.mutated.items():
        if parameter in function.static:
            continue  # a Python value that must be known while JAX traces is no tensor
        if not hands_back(function.result, parameter_memory(function, parameter)):
            function.findings[node, "mutated-argument"] = Finding(
                node, "mutated-argument", f"this changes the caller's {parameter}, which is not returned",
                f"return {parameter}, or work on a copy: {parameter} = {parameter}.clone()",
            )  # fmt: skip


def _define(frame: Frame, node: cst.FunctionDef | cst.ClassDef) -> None:
    """Bind the name of a definition; functions are evaluated when called, or at the end."""
    module = frame.module
    name = node.name.value
    if isinstance(node, cst.ClassDef):
        frame.names[name] = _define_class(frame, node)
        return
    _evaluate_signature(frame, node)
    function = module.by_node.get(node)
    if function is None:
        function = Function(name, node, frame, parent=frame.function if frame.parent is not None else None)
    function.frame = frame
    frame.names[name] = module.function(function)
    if frame.parent is not None:
        function.done = False


def _evaluate_signature(frame: Frame, node: cst.FunctionDef) -> None:
    """What a definition evaluates where it stands: the decorators, the defaults, the annotation of the result."""
    for decorator in node.decorators:
        if grad_mode(frame, decorator.decorator) is None:
            frame.evaluate(decorator.decorator)
    for parameter in names_of(node.params):
        if parameter.default is not None:
            frame.evaluate(parameter.default)
    if node.returns is not None:
        annotated(frame, node.returns.annotation)


def _define_class(frame: Frame, node: cst.ClassDef) -> Kind:
    module = frame.module
    for base in node.bases:
        frame.evaluate(base.value)
    saved = dict(frame.names)
    for line in node.body.body:
        if isinstance(line, cst.FunctionDef):
            if line not in module.by_node:
                decorators = {d.decorator.value for d in line.decorators if isinstance(d.decorator, cst.Name)}
                name = f"{node.name.value}.{line.name.value}"
                module.function(Function(name, line, frame, "staticmethod" not in decorators))
            _evaluate_signature(frame, line)
        else:
            block(frame, [line])
    frame.names = saved
    return Kind("class", detail=f"{node.name.value}")


Frame.handlers = {**HANDLERS, cst.Call: call}
Frame.run = staticmethod(run)
Frame.block = staticmethod(block)
Frame.define = _define
