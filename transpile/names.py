"""Local names to qualified names: what imports and attributes of modules stand for."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from . import kinds as k
from .kinds import Kind
from .rules import RuleBook

# Modules of torch that only gather what lives elsewhere.
_CANONICAL = {
    "torch.functional": "torch",
    "torch.Tensor": "Tensor",
    "torch._tensor.Tensor": "torch.Tensor",
    "torch.types.Tensor": "torch.Tensor",
    "torch._C._nn": "torch.nn.functional",
    "torch.nn.modules.module.Module": "torch.nn.Module",
    "torch.nn.modules.Module": "torch.nn.Module",
}
_TYPED_TENSORS = tuple(
    f"torch.{prefix}{name}Tensor"
    for prefix in ("", "cuda.")
    for name in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")
)
TENSOR_CLASSES = frozenset({"torch.Tensor", "torch.nn.Parameter", *_TYPED_TENSORS})
CLASSES = TENSOR_CLASSES | {"torch.Size", "torch.dtype", "torch.device", "torch.Generator"}
_NAMESPACES = frozenset(
    [
        "torch.nn",
        "torch.nn.functional",
        "torch.nn.init",
        "torch.nn.utils",
        "torch.nn.utils.rnn",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.cuda",
        "torch.cuda.amp",
        "torch.jit",
        "torch.autograd",
        "torch.autograd.functional",
        "torch.autograd.forward_ad",
        "torch.func",
        "torch.utils",
        "torch.utils.data",
        "torch.utils.checkpoint",
        "torch.utils._pytree",
        "torch.distributions",
        "torch.optim",
        "torch.optim.lr_scheduler",
        "torch.distributed",
        "torch.backends",
        "torch.backends.cudnn",
        "torch.backends.cuda",
        "torch.backends.mps",
        "torch.amp",
        "torch.sparse",
        "torch.onnx",
        "torch.compiler",
        "torch._dynamo",
        "torch.multiprocessing",
        "torch.ops",
        "torch.overrides",
        "torch.testing",
        "torch.types",
        "torch.version",
        "torch.random",
        "torch.profiler",
        "torch.hub",
        "torch.fx",
        "torch.mps",
        "torch.xpu",
        "torch.cpu",
        "torch.func",
        "torch.masked",
        "torch.nested",
        "torch.signal",
        "torch.signal.windows",
        "torch._C",
    ]
)
_NUMBERS = frozenset({"pi", "e", "inf", "nan", "tau"})


def canonical(qualified: str) -> str:
    """The name under which rules know it: ``torch.functional.einsum`` is ``torch.einsum``."""
    if qualified in _CANONICAL and not qualified.endswith(".Tensor"):
        return _CANONICAL[qualified]
    space, _, last = qualified.rpartition(".")
    if space in _CANONICAL:
        return f"{_CANONICAL[space]}.{last}"
    return "torch.Tensor" if qualified in ("torch._tensor.Tensor", "torch.types.Tensor") else qualified


def is_torch(qualified: str) -> bool:
    return qualified == "torch" or qualified.startswith(("torch.", "Tensor."))


def qualified_kind(rules: RuleBook, qualified: str) -> Kind:
    """What a qualified name stands for."""
    name = canonical(qualified)
    if name in CLASSES:
        return Kind("class", detail=name)
    if is_torch(name):
        if name == "torch" or name in _NAMESPACES or rules.is_namespace(name):
            return Kind("module", detail=name)
        last = name.rpartition(".")[2]
        looks_like_class = last[:1].isupper() and not rules.has(name)
        return Kind("class" if looks_like_class else "function", detail=name)
    root, _, last = name.rpartition(".")
    if root in ("math", "numpy"):
        if last in _NUMBERS:
            return k.FLOAT
        return Kind("function", detail=name)
    if root in ("typing", "collections.abc", "jaxtyping", "abc", "dataclasses", "enum", "numbers"):
        return Kind("class", detail=name)
    return Kind("unknown", detail=name)


def member(rules: RuleBook, base: Kind, label: str) -> Kind:
    """An attribute of a module, or of a class of torch."""
    if base.name == "class" and not is_torch(base.detail):
        return k.UNKNOWN
    return qualified_kind(rules, f"{base.detail}.{label}")


def builtin(name: str) -> Kind:
    """What a name that nothing binds stands for."""
    if name in ("True", "False", "None"):
        return k.literal({"True": True, "False": False, "None": None}[name])
    if name in ("int", "float", "bool", "complex", "str", "list", "tuple", "dict", "set", "type", "object"):
        return Kind("class", detail=f"builtins.{name}")
    if hasattr(builtins, name):
        value = getattr(builtins, name)
        return Kind("class" if isinstance(value, type) else "function", detail=f"builtins.{name}")
    return k.UNKNOWN


def dotted(node: cst.BaseExpression | None) -> str:
    """``a.b.c`` of a chain of names; empty for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def imported(node: cst.Import | cst.ImportFrom) -> Iterator[tuple[str, str]]:
    """Pairs of the local name an import binds and the qualified name it stands for; relative ones start with dots."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            full = dotted(alias.name)
            local = alias_name(alias)
            yield (local, full) if local else (full.partition(".")[0], full.partition(".")[0])
        return
    module = "." * len(node.relative) + dotted(node.module)
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        name = dotted(alias.name)
        separator = "" if module.endswith(".") else "."
        yield alias_name(alias) or name, f"{module}{separator}{name}"


def alias_name(alias: cst.ImportAlias) -> str:
    return alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else ""


def is_torch_import(line: cst.CSTNode) -> bool:
    """Whether a line imports torch, perhaps among others."""
    for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
        if isinstance(part, cst.Import) and any(is_torch(dotted(alias.name)) for alias in part.names):
            return True
        if isinstance(part, cst.ImportFrom) and not part.relative and is_torch(dotted(part.module)):
            return True
    return False


def tries_torch(node: cst.Try) -> bool:
    """``try: import torch``, with handlers for where it is not there: here it is."""
    lines = node.body.body if isinstance(node.body, cst.IndentedBlock) else ()
    parts = [part for line in lines if isinstance(line, cst.SimpleStatementLine) for part in line.body]
    imports = [part for part in parts if isinstance(part, cst.Import | cst.ImportFrom)]
    others = [part for part in imports if not is_torch_import(cst.SimpleStatementLine([part]))]
    caught = {dotted(handler.type).rpartition(".")[2] if handler.type else "" for handler in node.handlers}
    return bool(imports) and not others and caught <= {"", "ImportError", "ModuleNotFoundError", "Exception"}
