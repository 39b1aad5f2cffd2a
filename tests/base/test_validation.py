"""Errors of files in words that people without Python understand."""

import enum
from typing import Annotated

import msgspec
import pytest

from base.validation import ValueFault, explain


class Sound(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Lamp(msgspec.Struct, forbid_unknown_fields=True):
    blue: Annotated[int, msgspec.Meta(ge=0, le=27)]
    bright: Annotated[float, msgspec.Meta(gt=0, lt=1)] | None = None
    sound: Sound = Sound.LOW


class Panel(msgspec.Struct):
    lamp: Lamp
    buttons: dict[str, Lamp] = {}
    sounds: tuple[Sound, ...] | None = None
    name: str = ""


@pytest.mark.parametrize(
    ("value", "key", "problem"),
    [
        ({"lamp": {"blue": 28}}, "lamp.blue", "must be a whole number, at most 27"),
        ({"lamp": {"blue": -1}}, "lamp.blue", "must be a whole number, at least 0"),
        ({"lamp": {"blue": "17"}}, "lamp.blue", "must be a whole number; it is a text"),
        ({"lamp": {"blue": 1, "bright": 2.0}}, "lamp.bright", "must be a number, less than 1.0"),
        ({"lamp": {"blue": 1, "bright": "x"}}, "lamp.bright", "must be a number or nothing; it is a text"),
        ({"lamp": {"blue": 1, "sound": "loud"}}, "lamp.sound", "'loud' is not allowed; choose low, high"),
        (
            {"lamp": {"blue": 1}, "buttons": {"undo": {"blue": 1, "sound": "loud"}}},
            "buttons[...].sound",
            "'loud' is not allowed; choose low, high",
        ),
        (
            {"lamp": {"blue": 1}, "sounds": ["loud"]},
            "sounds[0]",
            "'loud' is not allowed; choose low, high",
        ),
        ({"lamp": {"blue": 1, "red": 2}}, "lamp", "there is no `red` here"),
        ({"lamp": {}}, "lamp", "`blue` is missing"),
        ({}, "", "`lamp` is missing"),
        ({"lamp": [], "name": "x"}, "lamp", "must be a table; it is a list"),
        ({"lamp": {"blue": 1}, "name": True}, "name", "must be a text; it is true or false"),
    ],
)
def test_a_wrong_value_is_explained(value: object, key: str, problem: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, Panel)
    assert explain(caught.value, Panel) == ValueFault(key, problem)


def test_what_is_not_known_stays_as_it_is() -> None:
    assert explain(msgspec.ValidationError("Expected a name")) == ValueFault("", "Expected a name")
