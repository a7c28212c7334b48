"""Put the twin together: imports, 64-bit mode, the rewritten statements, the helpers."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import libcst as cst

from .bodies import BodyRewriter
from .helpers import Copied, copy_helpers
from .names import alias_name, dotted, is_torch, is_torch_import
from .twin_names import TwinNames, names_in

_STATEMENTS = {
    "jax": "import jax", "jnp": "import jax.numpy as jnp", "math": "import math",
    "functools.partial": "from functools import partial", "functools": "import functools",
    "builtins": "import builtins",
}  # fmt: skip
X64 = 'jax.config.update("jax_enable_x64", True)'


def emit(rewriter: BodyRewriter, lines: list[cst.BaseStatement], is_package: bool = False) -> tuple[str, TwinNames]:
    """The text of the twin below its header, and the names in it, those in its helpers apart.

    is_package: unused imports of an ``__init__.py`` are re-exports
    """
    module = rewriter.facts.tree
    copied = copy_helpers(list(rewriter.helpers), rewriter.helper)
    needed = {name: _STATEMENTS[name] for name in rewriter.libraries if name in _STATEMENTS}
    if "functools.partial" in needed:
        copied = _with_bare_partial(copied)
    needed |= copied.libraries
    x64 = rewriter.facts.settings.x64
    if x64:
        needed["jax"] = _STATEMENTS["jax"]
    lines = _with_jaxtyping_array(lines) if "jaxtyping.Array" in rewriter.libraries else lines
    lines = _with_imports(module, lines, list(needed.values()))
    if x64:
        lines = _after_imports(lines, X64)
    code = _Code(module)
    names = names_in(code.text(lines))
    if not is_package:
        lines = _without_unused(lines, names.used | set(copied.libraries))
    if not copied.blocks:
        return code.text(lines).lstrip("\r\n"), names
    helpers = "".join(f"\n\n{text}\n" for text in copied.blocks)
    at_top = not names.at_import.isdisjoint({*rewriter.helpers.values(), *names.functions})
    return code.with_helpers(lines, helpers, at_top).lstrip("\r\n"), names


def _with_bare_partial(copied: Copied) -> Copied:
    """The helpers with ``partial`` for ``functools.partial``: the twin imports one of the two, not both."""
    blocks = tuple(block.replace("functools.partial(", "partial(") for block in copied.blocks)
    if any("functools." in block for block in blocks):
        return copied
    return Copied(blocks, {name: text for name, text in copied.libraries.items() if name != "functools"})


class _Code:
    """Writes statements out in the style of a module; each once, however often the lines above it change."""

    def __init__(self, module: cst.Module) -> None:
        self._module = module
        self._texts: dict[cst.CSTNode, str] = {}

    def text(self, lines: Sequence[cst.BaseStatement]) -> str:
        """A file of these statements, with the module's comments above and below."""
        module = self._module
        text = "".join(map(self._code, [*module.header, *lines, *module.footer]))
        return text if module.has_trailing_newline else text.removesuffix(module.default_newline)

    def with_helpers(self, lines: Sequence[cst.BaseStatement], helpers: str, at_top: bool) -> str:
        """That file with the text of the helpers at its end, or below its imports."""
        text = self.text(lines)
        if at_top:
            head = "".join(map(self._code, [*self._module.header, *lines[: _end_of_imports(lines) + _is_x64(lines)]]))
            return head.rstrip("\n") + "\n" + helpers + "\n\n" + text[len(head) :].lstrip("\n")
        return text.rstrip("\n") + "\n" + helpers

    def _code(self, node: cst.CSTNode) -> str:
        if node not in self._texts:
            self._texts[node] = self._module.code_for_node(node)
        return self._texts[node]


def _is_x64(lines: Sequence[cst.BaseStatement]) -> bool:
    """Whether the statement below the imports switches to 64 bits."""
    place = _end_of_imports(lines)
    return place < len(lines) and cst.Module([]).code_for_node(lines[place]).strip() == X64


# ------------------------------------------------------------------------------------------------------------- imports


def _is_import(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Import | cst.ImportFrom)


def _is_future(line: cst.CSTNode) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.ImportFrom)
        and dotted(line.body[0].module) == "__future__"
    )  # fmt: skip


def _is_docstring(line: cst.CSTNode) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, cst.SimpleString | cst.ConcatenatedString)
    )  # fmt: skip


def _with_imports(module: cst.Module, lines: list[cst.BaseStatement], statements: list[str]) -> list[cst.BaseStatement]:
    """The imports the twin needs: the standard library's with those there are, JAX's where torch's stood."""
    present = {
        cst.Module([]).code_for_node(part).strip()
        for line in lines if isinstance(line, cst.SimpleStatementLine)
        for part in line.body if isinstance(part, cst.Import | cst.ImportFrom)
    }  # fmt: skip
    missing = sorted(
        (text for text in statements if text not in present), key=lambda text: (text.startswith("from"), text)
    )
    parsed = [cst.parse_statement(statement) for statement in missing]
    standard = [line for line in parsed if _is_standard(line)]
    others = [line for line in parsed if not _is_standard(line)]
    place = _torch_place(module, lines)
    if others:
        others[0] = others[0].with_changes(leading_lines=_leading_of_torch(module))
    lines = [*lines[:place], *others, *lines[place:]]
    if standard:
        first = next((i for i, line in enumerate(lines) if _is_import(line) and not _is_future(line)), place)
        after = first
        while after < len(lines) and _is_import(lines[after]) and _is_standard(lines[after]):
            after += 1
        if after == first and first < len(lines):
            standard[0] = standard[0].with_changes(leading_lines=getattr(lines[first], "leading_lines", ()))
            lines[first] = lines[first].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        lines[after:after] = standard
    return _opened(lines)


def _spaced(line: cst.BaseStatement) -> cst.BaseStatement:
    if getattr(line, "leading_lines", ()):
        return line
    return line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])


def _is_standard(line: cst.BaseStatement) -> bool:
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if isinstance(part, cst.ImportFrom):
        return not part.relative and dotted(part.module).partition(".")[0] in sys.stdlib_module_names
    return isinstance(part, cst.Import) and all(
        dotted(alias.name).partition(".")[0] in sys.stdlib_module_names for alias in part.names
    )


def _torch_imports(module: cst.Module) -> int | None:
    """Index of the first import of torch in the source."""
    return next((index for index, line in enumerate(module.body) if is_torch_import(line)), None)


def _torch_place(module: cst.Module, lines: list[cst.BaseStatement]) -> int:
    """Where torch was imported: after as many imports of other things as stood above it."""
    index = _torch_imports(module)
    above = 0
    if index is not None:
        above = sum(_is_import(line) and not _only_torch(line) for line in module.body[:index])
    seen = 0
    start = 0
    for position, line in enumerate(lines):
        if _is_import(line):
            if seen == above and not _is_future(line) and index is not None:
                return position
            seen += 1
            start = position + 1
        elif (_is_docstring(line) and position == 0) or seen < above:
            start = position + 1
        elif seen >= above:
            break
    return start


def _only_torch(line: cst.CSTNode) -> bool:
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if isinstance(part, cst.Import):
        return all(is_torch(dotted(alias.name)) for alias in part.names)
    return isinstance(part, cst.ImportFrom) and not part.relative and is_torch(dotted(part.module))


def _leading_of_torch(module: cst.Module) -> Sequence[cst.EmptyLine]:
    index = _torch_imports(module)
    line = module.body[index] if index is not None else None
    return line.leading_lines if isinstance(line, cst.SimpleStatementLine) else ()


def _opened(lines: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """Two blank lines between the imports and a definition that came to stand right below them."""
    for index in range(1, len(lines)):
        if _is_import(lines[index - 1]) and not _is_import(lines[index]):
            leading = list(getattr(lines[index], "leading_lines", ()))
            blank = next((i for i, entry in enumerate(leading) if entry.comment), len(leading))
            wanted = 2 if isinstance(lines[index], cst.FunctionDef | cst.ClassDef) else 1
            if blank < wanted:
                fill = [cst.EmptyLine(indent=False)] * (wanted - blank)
                lines[index] = lines[index].with_changes(leading_lines=fill + leading)
    return lines


def _after_imports(lines: list[cst.BaseStatement], source: str) -> list[cst.BaseStatement]:
    place = _end_of_imports(lines)
    statement = _spaced(cst.parse_statement(source))
    rest = lines[place:]
    if rest and not getattr(rest[0], "leading_lines", ()):
        rest[0] = _spaced(rest[0])
    return [*lines[:place], statement, *rest]


def _end_of_imports(lines: Sequence[cst.BaseStatement]) -> int:
    """Index after the last import of the block at the top."""
    last = 0
    for index, line in enumerate(lines):
        if _is_import(line):
            last = index + 1
        elif not (_is_docstring(line) and index == 0):
            break
    return last


def _with_jaxtyping_array(lines: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """``from jaxtyping import Float`` also imports ``Array``, which stands for ``Tensor`` in the twin."""
    for index, line in enumerate(lines):
        part = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        if (
            isinstance(part, cst.ImportFrom)
            and dotted(part.module) == "jaxtyping"
            and not isinstance(part.names, cst.ImportStar)
        ):
            if any(dotted(alias.name) == "Array" for alias in part.names):
                return lines
            names = [
                cst.ImportAlias(cst.Name("Array"), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))),
                *part.names,
            ]
            lines = list(lines)
            lines[index] = line.with_changes(body=[part.with_changes(names=names)])
            return lines
    return [cst.parse_statement("from jaxtyping import Array"), *lines]


def _without_unused(lines: list[cst.BaseStatement], used: set[str]) -> list[cst.BaseStatement]:
    """The statements without the imports whose names the twin does not use."""
    kept: list[cst.BaseStatement] = []
    pending: list[cst.EmptyLine] = []
    for line in lines:
        part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if (
            isinstance(part, cst.Import | cst.ImportFrom)
            and not _is_future(line)
            and not isinstance(part.names, cst.ImportStar)
        ):
            names = [alias for alias in part.names if _local_name(alias, part) in used]
            if len(names) < len(part.names):
                if not names:
                    pending = pending or list(getattr(line, "leading_lines", ()))
                    continue
                names[-1] = names[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
                line = line.with_changes(body=[part.with_changes(names=names)])
        if pending:
            own = list(getattr(line, "leading_lines", ()))
            if _is_import(line) and not any(entry.comment for entry in own):
                line = line.with_changes(leading_lines=pending)
            elif any(entry.comment for entry in pending):
                line = line.with_changes(leading_lines=[*pending, *own])
            pending = []
        kept.append(line)
    return _opened(kept)


def _local_name(alias: cst.ImportAlias, part: cst.Import | cst.ImportFrom) -> str:
    name = alias_name(alias) or dotted(alias.name)
    return name.partition(".")[0] if isinstance(part, cst.Import) and not alias_name(alias) else name
