"""Keep the line breaks and comments between the arguments of a call that has been rewritten."""

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
    by_keyword = {argument.keyword.value: argument.comma for argument in old.args if argument.keyword}
    arguments = []
    for position, argument in enumerate(new.args):
        last = position == len(new.args) - 1
        comma = commas[position] if position < len(commas) and not by_keyword else between
        if last:
            comma = commas[-1] if isinstance(commas[-1], cst.Comma) else cst.MaybeSentinel.DEFAULT
        elif not isinstance(comma, cst.Comma):
            comma = between or cst.MaybeSentinel.DEFAULT
        elif position == len(commas) - 1:
            comma = between or comma
        arguments.append(argument.with_changes(comma=comma))
    arguments[-1] = arguments[-1].with_changes(whitespace_after_arg=old.args[-1].whitespace_after_arg)
    return new.with_changes(args=arguments, whitespace_before_args=old.whitespace_before_args)


def _is_spread(call: cst.Call) -> bool:
    return bool(call.args) and isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace)


def _breaks(comma: cst.Comma | cst.MaybeSentinel) -> bool:
    return isinstance(comma, cst.Comma) and isinstance(comma.whitespace_after, cst.ParenthesizedWhitespace)


def _without_comment(space: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=space.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace("")))
    return space
