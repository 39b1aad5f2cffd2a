"""The differences between two JSON values, field by field."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

import msgspec


class Difference(msgspec.Struct, frozen=True):
    """A field whose value is not the expected one. ``path`` is like ``turns[3].loss``, values are JSON."""

    path: str
    expected: str
    actual: str


NOTHING = "nothing"
"""The marker for a missing field."""


def differences(expected: object, actual: object, path: str = "") -> tuple[Difference, ...]:
    """Return every field of ``expected`` that differs in ``actual``, whose other fields are ignored."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return tuple(
            difference
            for key, value in expected.items()
            for difference in (
                differences(value, actual[key], _join_path(path, str(key)))
                if key in actual
                else (Difference(_join_path(path, str(key)), as_json(value), NOTHING),)
            )
        )
    if _is_list(expected) and _is_list(actual) and len(expected) == len(actual):
        return tuple(
            difference
            for place, (one, other) in enumerate(zip(expected, actual, strict=True))
            for difference in differences(one, other, f"{path}[{place}]")
        )
    # In Python a bool is an int, in JSON it isn't.
    if expected == actual and isinstance(expected, bool) is isinstance(actual, bool):
        return ()
    return (Difference(path, as_json(expected), as_json(actual)),)


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _join_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
