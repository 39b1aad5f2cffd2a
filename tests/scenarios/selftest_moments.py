"""A terminal whose parts are tested, at each page; and one that somebody wants to shut down."""

from collections.abc import Iterator
from typing import Final

import msgspec

from hardware.contract import (
    Battery,
    Fan,
    Heat,
    PanelButton,
    PartFailed,
    RepairHint,
    SensorReadings,
    Supply,
    SupplyTrouble,
)
from hardware.part_wiring import KeyWiring
from kiosk.view.panel_view import PartsView, SelfTestInput, ShutDown
from kiosk.view.table_view import TableView
from tests.scenarios.moments import Moment, Table

_NAMES: Final = (
    "button reshuffle", "lamp in reshuffle", "button shut-down", "key", "lamp", "buzzer", "backlight",
    "fan", "battery", "supply", "heat",
)  # fmt: skip
_KEY: Final = (msgspec.structs.replace(KeyWiring.state, on=True),)
_WEAK: Final = frozenset({SupplyTrouble.UNDER_VOLTAGE, SupplyTrouble.THROTTLED})
_READINGS: Final = SensorReadings(
    Supply(frozenset({SupplyTrouble.UNDER_VOLTAGE}), _WEAK),
    Battery(83, on_mains=False),
    Heat(61),
    Fan(100, 2970),
)
_FAILED: Final = (
    PartFailed("button end-turn", "stuck: closed for a minute", RepairHint.RELEASE),
    PartFailed("supply", "there is no vcgencmd here", RepairHint.RIGHTS),
    PartFailed("fan", "stalled", RepairHint.FAN),
)
_OPEN: Final = ("menu", "judge-menu", "self-test")
_COURSE: Final = (
    ("button-reshuffle", "broken"),
    ("button-shut-down", "broken"),
    ("key", "broken"),
    ("lamp-red", "seen-red"),
    ("lamp-green", "seen-green"),
    ("lamp-blue", "seen-blue"),
    ("lamp-white", "seen-nothing"),
    ("buzzer", "works"),
    ("backlight", "works"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "works"),
    ("touch", "works"),
    ("calibration", "as-it-was"),
    ("power", "broken"),
)
"""Each page by its part, and the touch that leads to the next."""


def selftest_moments(seats: int) -> Iterator[Moment]:
    """Every page of a self-test, in order, and the question of the shut-down button."""
    play = msgspec.structs.replace(Table(seats).running().view(), judge_present=True)
    view = _with(play, PartsView(_NAMES, _FAILED, _READINGS, SelfTestInput(), switches=_KEY))
    yield Moment("test-start", "test-start", view, _OPEN)
    touches: tuple[str, ...] = (*_OPEN, "start")
    for number, (part, touch) in enumerate(_COURSE, 1):
        yield Moment(f"test-{number:02}-{part}", f"test-{part}", view, touches)
        touches = (*touches, touch)
    yield Moment("test-report", "test-report", view, touches)
    pressed = PartsView(_NAMES, (), _READINGS, SelfTestInput((PanelButton.RESHUFFLE,)))
    yield Moment("test-button-pressed", "test-button-reshuffle", _with(play, pressed), (*_OPEN, "start"))
    question = PartsView(_NAMES, shut_down=ShutDown.ASKED)
    yield Moment("shut-down", "shut-down", _with(play, question))
    yield Moment("shut-down-failed", "shut-down", _with(play, PartsView(shut_down=ShutDown.FAILED)))


def _with(view: TableView, parts: PartsView) -> TableView:
    return msgspec.structs.replace(view, parts=parts)
