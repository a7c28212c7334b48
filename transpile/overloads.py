"""Choose the rule of a call among the overloads of its name, and tell what kind its result is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from . import kinds as k
from .facts import FOLDED, fresh
from .kinds import Kind, replace
from .rules import Rule
from .signature import PYTHON_DTYPES, Argument, Bound, SignatureError, bind, fits, literal_value

_STATIC = frozenset({"int", "bool", "str", "Shape", "dtype", "device", "None"})


@dataclass(frozen=True)
class Choice:
    rule: Rule
    bound: Bound


@dataclass(frozen=True)
class NoChoice:
    """Why no rule could be chosen: a diagnostic code and the reason."""

    code: str
    reason: str


def choose(rules: Sequence[Rule], arguments: Sequence[Argument], ignored: Mapping[str, str]) -> Choice | NoChoice:
    """The first rule that surely fits, else the only one that may, else the reason."""
    possible: list[Choice] = []
    fallback: Choice | None = None
    reasons: list[str] = []
    for rule in rules:
        if rule.unsupported and not rule.signature.parameters:
            return Choice(rule, {}) if not possible else possible[0]
        try:
            bound = bind(rule.signature, arguments, ignored)
        except SignatureError as error:
            reasons.append(str(error))
            continue
        verdict = _verdict(rule, bound)
        if verdict is True and not possible:
            return Choice(rule, bound)
        if verdict is True:  # it takes whatever it is given: written for what is not known
            fallback = fallback or Choice(rule, bound)
        elif verdict is not False:
            possible.append(Choice(rule, bound))
        else:
            reasons.append(_misfit(rule, bound))
    if fallback is not None:
        return fallback
    if possible and all(_agrees(possible[0], other) for other in possible[1:]):
        return possible[0]
    for choice in possible:
        if all(_covers(choice, other) for other in possible):
            return choice
    if possible:
        signatures = "; ".join(choice.rule.text for choice in possible)
        return NoChoice("ambiguous-overload", f"may be any of: {signatures}")
    if any(argument.star for argument in arguments):
        return NoChoice("star-arguments", "the unpacked arguments cannot be told apart")
    return NoChoice("unknown-signature", reasons[0] if reasons else "no signature is known")


def _covers(general: Choice, special: Choice) -> bool:
    """Whether the general signature takes whatever the uncertain arguments of the special one may turn out to be."""
    wider_kinds = {id(argument): kinds for argument, kinds in _given(general)}
    for argument, kinds in _given(special):
        if fits(argument.kind, kinds) is True:
            continue
        wider = wider_kinds.get(id(argument))
        if wider is None:
            return False
        specials = [kind for kind in kinds if kind != "None"]
        if wider and "any" not in wider and not all(kind in wider or _family(kind) in wider for kind in specials):
            return False
    return True


def _given(choice: Choice) -> Iterator[tuple[Argument, tuple[str, ...]]]:
    """The arguments of a call, and the kinds that the parameter takes which each of them goes to."""
    for parameter in choice.rule.signature.parameters:
        bound = choice.bound.get(parameter.name)
        for argument in (bound,) if isinstance(bound, Argument) else bound or ():
            yield argument, parameter.kinds


def _family(kind: str) -> str:
    """The wider kind that a kind belongs to: ``'mean'`` is a str, ``Tensor[int]`` a Tensor."""
    if kind.startswith("Tensor["):
        return "Tensor"
    return type(literal_value(kind)).__name__


def _same_text(first: Choice, other: Choice) -> bool:
    """Whether both rules write the same for this call: one expression, and one default for all that is left out."""
    if first.rule.expression != other.rule.expression or first.rule.members or other.rule.members:
        return False
    defaults = {parameter.name: parameter.default for parameter in other.rule.signature.parameters}
    return all(
        parameter.name in first.bound or defaults.get(parameter.name) == parameter.default
        for parameter in first.rule.signature.parameters
    )


def _agrees(first: Choice, other: Choice) -> bool:
    """Whether what is uncertain about the first choice is as uncertain about the other: then the order decides."""
    if _same_text(first, other):
        return True
    kinds = {parameter.name: parameter.kinds for parameter in other.rule.signature.parameters}
    for parameter in first.rule.signature.parameters:
        given = first.bound.get(parameter.name)
        if given is None:
            continue
        fit = _fit(given, parameter.kinds)
        if fit is not True and kinds.get(parameter.name) != parameter.kinds:
            return False
    return True


def _verdict(rule: Rule, bound: Bound) -> bool | None:
    verdict: bool | None = True
    for parameter in rule.signature.parameters:
        given = bound.get(parameter.name)
        if given is None:
            continue
        fit = _fit(given, parameter.kinds)
        if fit is False:
            return False
        verdict = verdict and fit
    return verdict


def _fit(given: Argument | tuple[Argument, ...], kinds: tuple[str, ...]) -> bool | None:
    return _fits_star(given, kinds) if isinstance(given, tuple) else fits(given.kind, kinds)


def _fits_star(given: Sequence[Argument], kinds: tuple[str, ...]) -> bool | None:
    if len(given) == 1 and not given[0].star:
        return fits(given[0].kind, kinds)
    single = tuple(kind for kind in kinds if kind not in ("Shape", "Tensors")) or kinds
    single = ("Tensor",) if kinds == ("Tensors",) else single
    verdicts = [True if argument.star else fits(argument.kind, single) for argument in given]
    return False if False in verdicts else None if None in verdicts else True


def _misfit(rule: Rule, bound: Bound) -> str:
    for parameter in rule.signature.parameters:
        given = bound.get(parameter.name)
        if isinstance(given, Argument) and fits(given.kind, parameter.kinds) is False:
            return f"{parameter.name} takes {' or '.join(parameter.kinds)}, not {given.kind}"
    return f"an argument does not fit {rule.text}"


def is_static(kinds: tuple[str, ...]) -> bool:
    """Whether a parameter of these kinds must be known while JAX traces."""
    return bool(kinds) and all(
        kind in _STATIC or (kind[:1] in "'\"-0123456789TF" and kind[:6] != "Tensor") for kind in kinds
    )


# --------------------------------------------------------------------------------------------------------- results

_PLAIN = {
    "int": k.INT, "float": k.FLOAT, "bool": k.BOOL, "str": k.STR, "Shape": k.SHAPE, "device": k.DEVICE, "None": k.NONE,
    "complex": k.COMPLEX, "any": k.UNKNOWN, "function": Kind("function"), "list": Kind("list"), "numpy": k.NUMPY,
    "finfo": Kind("instance", detail="finfo"), "iinfo": Kind("instance", detail="iinfo"),
}  # fmt: skip
DTYPE_CLASSES = {
    "bool": "bool", "uint8": "int", "int8": "int", "int16": "int", "short": "int", "int32": "int", "int": "int",
    "int64": "int", "long": "int", "uint16": "int", "uint32": "int", "uint64": "int", "float16": "float",
    "half": "float", "bfloat16": "float", "float32": "float", "float": "float", "float64": "float", "double": "float",
    "complex64": "complex", "cfloat": "complex", "complex128": "complex", "cdouble": "complex", "complex32": "complex",
}  # fmt: skip


def result_kind(rule: Rule, bound: Bound, node: cst.CSTNode) -> Kind:
    """The kind of what the rule's expression gives for these arguments."""
    result = rule.signature.result
    first = next(iter(bound.values()), None)
    base = first.kind if isinstance(first, Argument) else k.UNKNOWN
    if rule.members:
        members = [_tensor("", rule, bound, node)] * len(rule.members)
        return replace(k.sequence("tuple", members), fields=tuple(name for name, _ in rule.members))
    if result == "dtype":
        name = rule.signature.name
        return replace(k.DTYPE, dtype=DTYPE_CLASSES.get(name), exact=name if name in DTYPE_CLASSES else "")
    if result in _PLAIN:
        return _constant(rule) or _PLAIN[result]
    if result.startswith("view"):
        dtype = result.removeprefix("view").strip("[]")
        casts = "dtype" in "".join(rule.expression) or "astype" in "".join(rule.expression)
        exact = "" if casts else base.exact
        kept = _dtype(bound) if casts else base.dtype
        return Kind("tensor", dtype=dtype or kept, exact=exact, rank=f"of {id(node)}", storage=base.storage)
    if result == "Tensors":
        return k.many(
            "tuple",
            _tensor("", rule, bound, node).with_storage(k.storage_of(argument.kind for argument in _arguments(bound))),
        )
    if result.startswith("("):
        names = [name.strip() for name in result.strip("()").split(",") if name.strip()]
        return replace(k.sequence("tuple", [_tensor("", rule, bound, node)] * len(names)), fields=tuple(names))
    return _tensor(result.removeprefix("Tensor").strip("[]"), rule, bound, node)


def _constant(rule: Rule) -> Kind | None:
    """A rule whose expression is a literal is known now, and conditions on it fold."""
    value = literal_value(rule.expression[0])
    return replace(k.literal(value), detail=FOLDED) if isinstance(value, bool | int | float | str) else None


def _tensor(dtype: str, rule: Rule, bound: Bound, node: cst.CSTNode) -> Kind:
    exact = _exact(dtype, rule, bound)
    return Kind("tensor", dtype=_dtype(bound, dtype), exact=exact, rank=f"of {id(node)}", storage=fresh(node))


def _exact(declared: str, rule: Rule, bound: Bound) -> str:
    """What stands for the exact dtype of the result: the dtype asked for, or that of the floating tensors given."""
    asked, itself = bound.get("dtype"), bound.get(rule.expression[0])
    if isinstance(asked, Argument) and asked.kind.name != "none":
        return asked.kind.exact
    if isinstance(itself, Argument):
        return itself.kind.exact
    tensors = [argument.kind for argument in _arguments(bound) if argument.kind.may_be("tensor")]
    one = {kind.exact if kind.is_tensor and kind.dtype == "float" else "" for kind in tensors}
    return one.pop() if len(one) == 1 and not declared and not rule.members else ""


def _dtype(bound: Bound, declared: str = "") -> str | None:
    """The dtype class asked for, else that which the rule declares, else that of the tensors given, if they agree."""
    asked = bound.get("dtype")
    if isinstance(asked, Argument) and asked.kind.name != "none":
        return asked.kind.dtype if asked.kind.name == "dtype" else PYTHON_DTYPES.get(asked.kind.detail)
    classes = {argument.kind.dtype for argument in _arguments(bound) if argument.kind.is_tensor}
    return declared or (classes.pop() if len(classes) == 1 else None)


def _arguments(bound: Bound) -> list[Argument]:
    """The arguments of a call, those of a starred parameter one by one."""
    return [entry for given in bound.values() for entry in (given if isinstance(given, tuple) else (given,))]
