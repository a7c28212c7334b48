"""Keep what a rewritten expression looked like: line breaks and comments between arguments, quotes in f-strings."""

from __future__ import annotations

import libcst as cst


def laid_out_like(new: cst.BaseExpression, old: cst.BaseExpression) -> cst.BaseExpression:
    """A rewritten call, spread over lines as the original call was; anything else as it is."""
    if not isinstance(new, cst.Call) or not isinstance(old, cst.Call) or not new.args or not _is_spread(old):
        return new
    commas = [argument.comma for argument in old.args]
    between = next((comma for comma in commas if _breaks(comma)), None)
    if isinstance(between, cst.Comma):
        between = between.with_changes(whitespace_after=_without_comment(between.whitespace_after))
    # A method's object has become the first argument: the others keep the commas, and comments, that were theirs.
    offset = max(len(new.args) - len(old.args), 0) if isinstance(old.func, cst.Attribute) else 0
    arguments = []
    for position, argument in enumerate(new.args):
        original = commas[position - offset] if offset <= position < len(commas) + offset else None
        if position == len(new.args) - 1:
            comma = commas[-1] if isinstance(commas[-1], cst.Comma) else cst.MaybeSentinel.DEFAULT
        elif isinstance(original, cst.Comma) and position - offset < len(commas) - 1:
            comma = original
        else:
            comma = between or cst.MaybeSentinel.DEFAULT
        arguments.append(argument.with_changes(comma=comma))
    arguments[-1] = arguments[-1].with_changes(whitespace_after_arg=old.args[-1].whitespace_after_arg)
    return new.with_changes(args=arguments, whitespace_before_args=old.whitespace_before_args)


def _is_spread(call: cst.Call) -> bool:
    return bool(call.args) and isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace)


def _breaks(comma: cst.Comma | cst.MaybeSentinel) -> bool:
    return isinstance(comma, cst.Comma) and isinstance(comma.whitespace_after, cst.ParenthesizedWhitespace)


def _without_comment(space: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(
            first_line=space.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        )
    return space


def quoted_apart(node: cst.FormattedString) -> cst.FormattedString:
    """An f-string whose texts inside do not have its own quotes, which Python takes from 3.12 on only."""
    quote = node.start[-1]
    if node.start.endswith(quote * 3):
        return node
    changed = node.visit(_Quotes(quote))
    return changed if isinstance(changed, cst.FormattedString) else node


class _Quotes(cst.CSTTransformer):
    """Exchanges one kind of quotes for the other."""

    def __init__(self, quote: str) -> None:
        self._quote, self._other = quote, '"' if quote == "'" else "'"

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        text = updated_node.value
        if text.count(self._quote) == 2 and text.endswith(self._quote) and not {self._other, "\\"} & set(text):
            return updated_node.with_changes(value=text.replace(self._quote, self._other))
        return updated_node
