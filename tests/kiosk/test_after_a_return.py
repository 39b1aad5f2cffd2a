"""An older version reads the files of a newer one after a downgrade, ignoring what it doesn't know."""

from pathlib import Path

import msgspec

from kiosk.preferences import PreferenceFile, Preferences, Theme, preferences_bytes
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.round_clock import ClockFile


def test_a_step_and_an_order_of_a_newer_version_are_left_out_and_told() -> None:
    step = {"game": "g", "events": [{"type": "played-a-card-that-is-not-invented-yet"}], "orders_done": 0}
    order = {"type": "dance", "game": "g"}
    keeper = GameKeeper()
    assert keeper.resume((msgspec.msgpack.encode(step),), (msgspec.msgpack.encode(order),)) == ()
    assert (keeper.left_out, keeper.orders_done, keeper.game) == (1, 1, None)


def test_preferences_of_a_newer_version_keep_what_is_known(tmp_path: Path) -> None:
    data = msgspec.json.decode(preferences_bytes(Preferences(theme=Theme.DIM)))
    (tmp_path / "preferences.json").write_bytes(msgspec.json.encode({**data, "smell": "leather"}))
    file = PreferenceFile(tmp_path)
    assert file.read().theme is Theme.DIM
    file.close()


def test_a_clock_of_a_newer_version_stops_no_start(tmp_path: Path) -> None:
    file = ClockFile(tmp_path)
    (tmp_path / "clock.json").write_text('{"left": {"in": "another form"}}')
    assert file.read() is None
    file.close()
