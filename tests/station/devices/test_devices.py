"""Phones as terminals at the station: what judges do at once, disks that refuse, and games that end."""

import asyncio
import threading
from pathlib import Path

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
    with pytest.raises(Refused) as refused:
        station.run(alone.offer(ONE, JUDGE))
    assert refused.value.reason is DeviceRefusal.NOT_INSTALLED


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
