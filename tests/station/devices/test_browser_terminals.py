"""A terminal in a browser: its link, its holder, its screen, and what is kept of it on the disk."""

from pathlib import Path

import msgspec
import pytest

from core.terms import TableNo
from station.devices.model import BrowserTerminal, BrowserTerminalFolder, DeviceScreen

MADE = BrowserTerminal("ab12", TableNo(7), "Anna", 5)
PHONE = DeviceScreen(844, 346, 3.0)


def test_a_link_is_taken_once_and_what_the_browser_keeps_opens_it_from_then_on() -> None:
    offered, word = MADE.with_link()
    assert offered.is_link(word)
    assert not offered.is_link("")
    assert not offered.is_held
    taken, kept = offered.taken(PHONE)
    assert taken.is_holder(kept)
    assert not taken.is_link(word)
    assert not taken.is_holder(word)


def test_a_new_link_shuts_the_former_device_out_and_keeps_the_screen() -> None:
    taken, kept = MADE.with_link()[0].taken(PHONE)
    moved, word = taken.with_link()
    assert not moved.is_holder(kept)
    again, _ = moved.taken(DeviceScreen(600, 1024))
    assert moved.is_link(word)
    assert again.screen == PHONE


def test_nothing_opens_one_whose_game_is_over() -> None:
    taken, kept = MADE.with_link()[0].taken(PHONE)
    assert not msgspec.structs.replace(taken, is_over=True).is_holder(kept)


@pytest.mark.parametrize(
    ("screen", "picture", "inches"),
    [
        (DeviceScreen(844, 346, 3.0), (1024, 420), 6.1),
        (DeviceScreen(390, 800, 2.0), (499, 1024), 5.9),
        (DeviceScreen(1280, 720, 1.0), (1024, 576), 9.8),
        (DeviceScreen(1, 1, 1.0), (320, 320), 4.5),
        (DeviceScreen(10_000, 10_000, 9.0), (1024, 1024), 13.0),
    ],
)
def test_a_picture_fits_the_device_and_slow_wifi(
    screen: DeviceScreen, picture: tuple[int, int], inches: float
) -> None:
    assert (screen.picture(), screen.inches()) == (picture, inches)


def test_terminals_are_found_again_after_a_restart_and_a_damaged_file_costs_only_its_own(
    tmp_path: Path,
) -> None:
    folder = BrowserTerminalFolder(tmp_path)
    assert folder.read() == ()
    folder.save(MADE)
    other, _ = BrowserTerminal("cd34", TableNo(8), "Bob", 9).with_link()
    folder.save(other)
    assert folder.read() == (MADE, other)
    (tmp_path / "ab12" / "browser.json").write_bytes(b"{")
    assert folder.read() == (other,)
    folder.remove(other)
    folder.remove(other)
    assert folder.read() == ()
    assert not (tmp_path / "cd34").exists()


def test_no_word_is_on_the_disk(tmp_path: Path) -> None:
    offered, word = MADE.with_link()
    taken, kept = offered.taken(PHONE)
    for terminal, secret in ((offered, word), (taken, kept)):
        BrowserTerminalFolder(tmp_path).save(terminal)
        assert secret not in (tmp_path / "ab12" / "browser.json").read_text()
