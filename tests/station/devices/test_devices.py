"""Phones as terminals: links, holders and screens, simultaneous judges, failing disks, and games that end."""

import asyncio
import threading
from pathlib import Path

import msgspec
import pytest

from base.errors import Refused, Unavailable
from core.terms import TableNo
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from station.devices.model import BrowserTerminal, BrowserTerminalFolder, DeviceScreen
from station.devices.service import BrowserTerminals, DeviceRefusal
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won

NOWHERE = "127.0.0.1:9"
"""A hub that does not listen: these terminals start and never enrol."""
ONE, TWO = TableNo(1), TableNo(2)
SCREEN = DeviceScreen(800, 480)


@pytest.fixture
def devices(station: Station, tmp_path: Path) -> BrowserTerminals:
    return BrowserTerminals(station.context, tmp_path / "devices")


def test_a_station_without_terminals_offers_none(station: Station, tmp_path: Path) -> None:
    alone = BrowserTerminals(station.context, tmp_path / "devices", tmp_path / "saloon-terminal")
    assert station.refusal(alone.offer(ONE, JUDGE)) is DeviceRefusal.NOT_INSTALLED


@pytest.mark.slow
def test_a_judge_ends_a_terminal_that_a_phone_holds(station: Station, devices: BrowserTerminals) -> None:
    async def evening() -> None:
        async with devices.running(NOWHERE):
            terminal, kept = await devices.take(await devices.offer(ONE, JUDGE), SCREEN)
            await devices.wait_until_ready(terminal.key)
            assert (await devices.ask(terminal.key, "GET", "/")).status == 200
            await devices.end(terminal.key, JUDGE)
            assert devices.at_table(ONE) is None
            with pytest.raises(Refused):
                devices.held(terminal.key, kept)

    station.run(evening())


@pytest.mark.slow
def test_a_phone_keeps_its_terminal_while_the_station_looks_after_another(
    station: Station, devices: BrowserTerminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.opens()
    station.publishes()
    waits, go_on = threading.Event(), threading.Event()
    save = BrowserTerminalFolder.save

    def slow(folder: BrowserTerminalFolder, terminal: BrowserTerminal) -> None:
        if terminal.table == ONE and terminal.game:
            waits.set()
            go_on.wait(10)
        save(folder, terminal)

    async def evening() -> None:
        await devices.offer(ONE, JUDGE)
        word = await devices.offer(TWO, JUDGE)
        monkeypatch.setattr(BrowserTerminalFolder, "save", slow)
        async with devices.running(NOWHERE):
            await asyncio.to_thread(waits.wait, 10)
            taking = asyncio.create_task(devices.take(word, SCREEN))
            await asyncio.sleep(0.2)
            go_on.set()
            terminal, kept = await taking
            await asyncio.sleep(2.5)
            held = devices.held(terminal.key, kept)
            assert held.game
            saved = {one.key: one for one in devices.folder.read()}
            assert saved == {look.terminal.key: look.terminal for look in devices.terminals()}

    station.run(evening())


@pytest.mark.slow
def test_a_link_stays_good_when_the_station_cannot_make_the_terminal(
    station: Station, devices: BrowserTerminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> str:
        raise Unavailable("disk full")

    async def evening() -> None:
        async with devices.running(NOWHERE):
            word = await devices.offer(ONE, JUDGE)
            with monkeypatch.context() as broken:
                broken.setattr(type(station.enrolments), "new_token", refuses)
                with pytest.raises(Unavailable):
                    await devices.take(word, SCREEN)
            terminal, _ = await devices.take(word, SCREEN)
            await devices.wait_until_ready(terminal.key)
            assert (await devices.ask(terminal.key, "GET", "/words")).status == 200

    station.run(evening())


@pytest.mark.slow
def test_the_others_end_with_their_games_although_one_cannot_be_removed(
    station: Station, devices: BrowserTerminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.opens()
    round_ = station.publishes()
    remove = BrowserTerminalFolder.remove

    def fails(folder: BrowserTerminalFolder, terminal: BrowserTerminal) -> None:
        if terminal.table == ONE:
            raise PermissionError(13, "not yours")
        remove(folder, terminal)

    async def evening() -> None:
        monkeypatch.setattr(BrowserTerminalFolder, "remove", fails)
        await devices.offer(ONE, JUDGE)
        await devices.offer(TWO, JUDGE)
        async with devices.running(NOWHERE):
            await asyncio.sleep(2.5)
            for table in (1, 2):
                drawn = next(one for one in round_.tables if one.table == table)
                sheet = AcceptSheet(drawn.game, outlaws_won(round_, table), Source.PAPER)
                await station.service.decide(OPEN, sheet, JUDGE)
            await asyncio.sleep(4)
            assert devices.terminals() == ()
            assert [one.table for one in devices.folder.read()] == [ONE]

    station.run(evening())


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
def test_pictures_fit_device_and_wifi(screen: DeviceScreen, picture: tuple[int, int], inches: float) -> None:
    assert (screen.picture(), screen.inches()) == (picture, inches)


def test_terminals_are_found_after_a_restart_and_a_damaged_file_costs_only_its_own(tmp_path: Path) -> None:
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
