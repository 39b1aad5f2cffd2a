"""The differences of two JSON values, field by field."""

from collections.abc import Mapping, Sequence

import msgspec


class Difference(msgspec.Struct, frozen=True):
    """A field whose value is not the expected one.

    path: such as ``turns[3].loss``.
    found: None if the value is null.
    """

    path: str
    expected: str
    found: str


NOTHING = "nothing"
"""The marker for a missing field."""


def differences(expected: object, found: object, path: str = "") -> tuple[Difference, ...]:
    """Return every field of expected that differs in found; extra fields of found are ignored."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return tuple(
            difference
            for key, value in expected.items()
            for difference in (
                differences(value, found[key], _join_path(path, str(key)))
                if key in found
                else (Difference(_join_path(path, str(key)), as_json(value), NOTHING),)
            )
        )
    if _is_list(expected) and _is_list(found):
        assert isinstance(expected, Sequence)
        assert isinstance(found, Sequence)
        if len(expected) != len(found):
            return (Difference(path, as_json(expected), as_json(found)),)
        return tuple(
            difference
            for place, (one, other) in enumerate(zip(expected, found, strict=True))
            for difference in differences(one, other, f"{path}[{place}]")
        )
    # In Python a bool is an int, in JSON it isn't.
    if expected == found and isinstance(expected, bool) is isinstance(found, bool):
        return ()
    return (Difference(path, as_json(expected), as_json(found)),)


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _join_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
