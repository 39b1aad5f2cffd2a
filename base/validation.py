"""Explain validation errors, which msgspec expresses with Python's types and its own paths."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import inspect

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "object": "a table",
    "array": "a list",
    "null": "nothing",
}
_PLACE: Final = re.compile(r"(?P<text>.*?)(?: - at `(?:key in )?\$\.?(?P<key>.*)`)?$", re.DOTALL)
_EXPECTED: Final = re.compile(
    r"Expected `(?P<kind>[^`]+)`(?: (?P<bound>[<>]=?) (?P<limit>\S+?))?(?:, got `(?P<got>.+)`)?$"
)
_STEP: Final = re.compile(r"\[[^\]]*\]|[^.\[]+")
_BOUNDS: Final = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<name>.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>.*)`$")
_VALUE: Final = re.compile(r"Invalid enum value (?P<value>.*)$")


class ValueFault(NamedTuple):
    """An invalid value.

    key: its dotted path, empty for the whole file.
    problem: what is wrong with it, as text.
    """

    key: str
    problem: str


def explain(error: msgspec.ValidationError, file: type[msgspec.Struct] | None = None) -> ValueFault:
    """Return the key and the problem of a validation error.

    file: what the whole file should have been, to list the values that are allowed at the key.

    >>> explain(msgspec.ValidationError("Expected `int` <= 27 - at `$.lamp.blue`"))
    ValueFault(key='lamp.blue', problem='must be a whole number, at most 27')
    """
    place = _PLACE.match(str(error))
    assert place is not None  # matches anything
    key = place["key"] or ""
    allowed = () if file is None else _allowed(inspect.type_info(file), _STEP.findall(key))
    return ValueFault(key, _in_words(place["text"], allowed))


def _allowed(kind: inspect.Type, steps: Sequence[str]) -> Iterable[str]:
    """Yield the values of the choices that a type has at a path, as ``buttons``, ``[...]``, ``sound``."""
    match kind:
        case inspect.UnionType():
            for one in kind.types:
                yield from _allowed(one, steps)
        case inspect.EnumType() if not steps:
            yield from (str(one.value) for one in kind.cls)
        case inspect.LiteralType() if not steps:
            yield from (str(value) for value in kind.values if value)
        case inspect.StructType() if steps:
            for field in kind.fields:
                if field.encode_name == steps[0]:
                    yield from _allowed(field.type, steps[1:])
        case inspect.DictType() if steps:
            yield from _allowed(kind.value_type, steps[1:])
        case inspect.VarTupleType() if steps:
            yield from _allowed(kind.item_type, steps[1:])


def _in_words(text: str, allowed: Iterable[str]) -> str:
    if match := _EXPECTED.match(text):
        bound = f", {_BOUNDS[match['bound']]}{match['limit']}" if match["bound"] else ""
        got = f"; it is {_kind(match['got'])}" if match["got"] else ""
        return f"must be {_kind(match['kind'])}{bound}{got}"
    if match := _UNKNOWN.match(text):
        return f"there is no `{match['name']}` here"
    if match := _MISSING.match(text):
        return f"`{match['name']}` is missing"
    if match := _VALUE.match(text):
        return f"{match['value']} is not allowed; choose {', '.join(allowed)}"
    return text


def _kind(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))
