"""Explaining validation errors, which msgspec expresses with Python's types and its own paths."""

import re
from typing import Final, NamedTuple

import msgspec

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
_BOUNDS: Final = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<name>.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>.*)`$")
_VALUE: Final = re.compile(r"Invalid enum value (?P<value>.*)$")


class ValueFault(NamedTuple):
    """An invalid value. key: its dotted path, empty for the whole file. problem: as text."""

    key: str
    problem: str


def explain(error: msgspec.ValidationError) -> ValueFault:
    """Return the key and the problem of a validation error.

    >>> explain(msgspec.ValidationError("Expected `int` <= 27 - at `$.lamp.blue`"))
    ValueFault(key='lamp.blue', problem='must be a whole number, at most 27')
    """
    place = _PLACE.match(str(error))
    assert place is not None  # matches anything
    return ValueFault(place["key"] or "", _in_words(place["text"]))


def _in_words(text: str) -> str:
    if found := _EXPECTED.match(text):
        bound = f", {_BOUNDS[found['bound']]}{found['limit']}" if found["bound"] else ""
        got = f"; it is {_kind(found['got'])}" if found["got"] else ""
        return f"must be {_kind(found['kind'])}{bound}{got}"
    if found := _UNKNOWN.match(text):
        return f"there is no `{found['name']}` here"
    if found := _MISSING.match(text):
        return f"`{found['name']}` is missing"
    if found := _VALUE.match(text):
        return f"{found['value']} is none of its values"
    return text


def _kind(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))
