"""The files that a terminal keeps: each is read as it was written, and no damage stops anybody."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from base.state_file import StateFile
from core.terms import GameId
from kiosk.preferences import Layout, PreferenceFile, Preferences, Theme
from kiosk.terminal.lock import LockFile
from kiosk.terminal.pin import FailedAttemptFile, FailedPinAttempts
from kiosk.terminal.round_clock import ClockFile, SavedClock, new_clock


class Kept(NamedTuple):
    """What is kept in a file. nothing: what is read without one."""

    file_in: Callable[[Path], StateFile[Any]]
    name: str
    value: object
    nothing: object = None


CHOSEN = Preferences("it", Theme.CONTRAST, Layout.KEEPER, volume=0, muted=True)
LOCK = Kept(LockFile, "lock.json", GameId("g1"))
CLOCK = Kept(ClockFile, "clock.json", SavedClock(GameId("g1"), new_clock(3_600, 5, started=True), 7, "boot"))
PINS = Kept(FailedAttemptFile, "pin.json", FailedPinAttempts("x", 3), FailedPinAttempts())
PREFERENCES = Kept(PreferenceFile, "preferences.json", CHOSEN, Preferences())
FILES = (LOCK, CLOCK, PINS, PREFERENCES)
every_file = pytest.mark.parametrize("kept", FILES, ids=lambda kept: kept.name)


@every_file
def test_what_was_kept_last_is_read_after_a_restart(tmp_path: Path, kept: Kept) -> None:
    file = kept.file_in(tmp_path)
    assert file.read() == kept.nothing
    file.keep(kept.nothing)
    file.keep(kept.value)
    file.close()
    assert kept.file_in(tmp_path).read() == kept.value


@pytest.mark.parametrize(
    ("kept", "damage"),
    [
        *((kept, damage) for kept in FILES for damage in (b"", b"{ half", b"[]", b"\xff\xfe")),
        (LOCK, b'{"game": 3}'),
        (CLOCK, b'{"game": 3}'),
        pytest.param(CLOCK, b'{"left": {"in": "another form"}}', id="clock.json-of a newer version"),
        (PINS, b'{"wrong": -1}'),
    ],
)
def test_a_damaged_file_is_left_out_and_replaced(tmp_path: Path, kept: Kept, damage: bytes) -> None:
    (tmp_path / kept.name).write_bytes(damage)
    file = kept.file_in(tmp_path)
    assert file.read() == kept.nothing
    file.keep(kept.value)
    file.close()
    assert file.read() == kept.value


@every_file
def test_a_folder_that_is_gone_stops_nobody(tmp_path: Path, kept: Kept) -> None:
    file = kept.file_in(tmp_path / "gone")
    file.keep(kept.value)
    file.keep(None)
    file.close()
    assert file.read() == kept.nothing
