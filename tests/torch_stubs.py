"""Every signature that the installed torch documents, read from its files without importing it."""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

UNKNOWN = object()


@dataclass(frozen=True)
class Overload:
    """One documented signature: positional names in order, keyword-only names, ``*args`` name, defaults by name."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    star: str
    defaults: dict[str, object]
    source: str


@functools.cache
def torch_folder() -> Path:
    """Where torch is installed."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def overloads(name: str) -> tuple[Overload, ...]:
    """All documented signatures of a qualified name such as ``torch.sum``, ``Tensor.view`` or ``torch.linalg.svd``.

    Those of methods come without their receiver. Empty if torch documents none.
    """
    space, _, member = name.rpartition(".")
    return tuple(found for table in _tables(space) for found in table.get(member, ()))


@functools.cache
def _tables(space: str) -> tuple[dict[str, list[Overload]], ...]:
    root = torch_folder()
    if space == "Tensor":
        methods = (
            _from_class(root / "_C/__init__.pyi", "TensorBase"),
            _from_class(root / "_tensor.py", "Tensor"),
            _from_add_docstr(root / "_tensor_docs.py"),
        )
        return tuple({name: [_unbound(each) for each in found] for name, found in table.items()} for table in methods)
    files = {
        "torch": ["_C/_VariableFunctions.pyi", "functional.py", "__init__.py", "_C/__init__.pyi", "_tensor_str.py",
                  "random.py", "serialization.py", "_lobpcg.py", "autograd/grad_mode.py", "_VF.pyi"],
        "torch.nn.functional": ["nn/functional.py", "_C/_nn.pyi"],
    }.get(space, [])  # fmt: skip
    relative = space.removeprefix("torch").lstrip(".").replace(".", "/")
    files = files or [f"{relative}.py", f"{relative}/__init__.py"]
    paths = [root / file for file in files if (root / file).exists()]
    tables = [_from_module(path) for path in paths]
    tables += [_from_add_docstr(path) for path in [*paths, root / "_torch_docs.py"] if path.suffix == ".py"]
    # functional.py re-exports some of torch's own, and gives a private name to what it dispatches on a flag.
    if space == "torch.nn.functional":
        private = {name[1:]: found for name, found in tables[0].items() if name.startswith("_") and name[1:2] != "_"}
        tables += [private, *_tables("torch")]
    return tuple(tables)


def _unbound(overload: Overload) -> Overload:
    """A method's signature as it is called."""
    if overload.positional[:1] != ("self",):
        return overload
    return Overload(overload.positional[1:], overload.keyword_only, overload.star, overload.defaults, overload.source)


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def _from_module(path: Path) -> dict[str, list[Overload]]:
    """Functions, and classes by their ``__init__``, anywhere at the top level of a module (also under an if)."""
    table: dict[str, list[Overload]] = {}
    for node in _top_level(_tree(path).body):
        if isinstance(node, ast.ImportFrom):
            _add_imported(table, node, path)
        elif isinstance(node, ast.FunctionDef):
            table.setdefault(node.name, []).extend(_from_definition(node, path.name))
        elif isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
            found = [_unbound(overload) for item in methods for overload in _from_definition(item, path.name)]
            table.setdefault(node.name, []).extend(found)
    return table


def _add_imported(table: dict[str, list[Overload]], node: ast.ImportFrom, path: Path) -> None:
    """What a module takes from one below torch and passes on as its own."""
    folder = path.parents[node.level - 1] if node.level else torch_folder().parent
    base = folder.joinpath(*(node.module or "").split("."))
    source = next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.exists()), None)
    if source is None or torch_folder() not in source.parents or source.name == "__init__.py":
        return
    defined = {item.name for item in _tree(source).body if isinstance(item, ast.FunctionDef)}
    for alias in node.names:
        names = defined if alias.name == "*" else {alias.name} & defined
        for name in names:
            found = [item for item in _tree(source).body if isinstance(item, ast.FunctionDef) and item.name == name]
            shown = name if alias.name == "*" else alias.asname or name
            overloads_found = [overload for item in found for overload in _from_definition(item, source.name)]
            table.setdefault(shown, []).extend(overloads_found)


def _top_level(body: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in body:
        found.append(node)
        if isinstance(node, (ast.If, ast.Try)):
            found += _top_level(node.body) + _top_level(node.orelse)
    return found


@functools.cache
def _from_class(path: Path, name: str) -> dict[str, list[Overload]]:
    (definition,) = (node for node in _tree(path).body if isinstance(node, ast.ClassDef) and node.name == name)
    table: dict[str, list[Overload]] = {}
    for node in definition.body:
        if isinstance(node, ast.FunctionDef):
            table.setdefault(node.name, []).extend(_from_definition(node, path.name))
    return table


@functools.cache
def _from_add_docstr(path: Path) -> dict[str, list[Overload]]:
    """Builtins documented by ``add_docstr(torch.f, "f(input) -> Tensor ...")``."""
    table: dict[str, list[Overload]] = {}
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and len(node.args) >= 2 and "add_docstr" in ast.unparse(node.func):
            text = _leading_text(node.args[1])
            for name, overload in _from_docstring(text, path.name):
                table.setdefault(name, []).append(overload)
    return table


def _leading_text(node: ast.expr) -> str:
    """The literal that a docstring expression starts with (``"...".format(...)``, ``"..." + ...``)."""
    while not isinstance(node, ast.Constant):
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        if not inner:
            return ""
        node = inner[0]
    return node.value if isinstance(node.value, str) else ""


def _from_definition(node: ast.FunctionDef, source: str) -> list[Overload]:
    """The signature of a def, and those that its docstring starts with."""
    documented = _from_docstring(ast.get_docstring(node) or "", source)
    return [_overload(node.args, source), *(overload for name, overload in documented if name == node.name)]


_SIGNATURE = re.compile(r"^(?:\.\. (?:function|method):: )?(?:torch\.)?(?:\w+\.)*(\w+)(\(.*\))(?: -> .*)?$")

_TYPED = re.compile(r"\b(?:bool|int|float|str|Tensor) (\w)")  # lu_factor(A, *, bool pivot=True)


def _from_docstring(text: str, source: str) -> list[tuple[str, Overload]]:
    """The signatures among the lines of a docstring. Prose that only looks like one does not parse."""
    found = []
    for line in text.splitlines():
        match = _SIGNATURE.match(_TYPED.sub(r"\1", line.strip().replace("\\*", "*")))
        if match:
            try:
                (node,) = ast.parse(f"def {match[1]}{match[2]}: ...").body
            except SyntaxError:
                continue
            assert isinstance(node, ast.FunctionDef)
            found.append((match[1], _overload(node.args, f"{source} (doc)")))
    return found


def _overload(arguments: ast.arguments, source: str) -> Overload:
    positional = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    keyword_only = [argument.arg for argument in arguments.kwonlyargs]
    first = len(positional) - len(arguments.defaults)
    defaults = dict(zip(positional[first:], map(_value, arguments.defaults), strict=True))
    given = zip(keyword_only, arguments.kw_defaults, strict=True)
    defaults |= {name: _value(node) for name, node in given if node is not None}
    star = arguments.vararg.arg if arguments.vararg else ""
    return Overload(tuple(positional), tuple(keyword_only), star, defaults, source)


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return UNKNOWN
