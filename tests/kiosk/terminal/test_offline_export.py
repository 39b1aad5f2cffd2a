"""Codes on the screen, and files on a USB drive."""

import errno
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pygame
import pytest
import zxingcpp
from PIL import Image

from base.signing import signer
from core.game.decide import GameCommand
from core.game.ending.finished_game import finished_game
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.orders import AssignTable
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.result import result_of
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles
from core.game.state.game import Cause, Confirmation
from core.terms import Role, SeatNo, TableNo
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.link.offline_export import UsbStick
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.view.intents import AskGame, CloseExport, PlayParts, ShowCodes, StepParcelPart, WriteStick
from kiosk.view.table_view import OfflineExportView, ParcelContents, ShownParcel, UsbStickState
from kiosk.virtual.tiles import pixels_of
from sync.protocol.entry import StreamId
from sync.protocol.journal import Journal
from sync.protocol.parcel import CarriedEntries, CarriedSheet, Parcel, ParcelAssembler, open_parcel, part_of
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import Received
from sync.terminal.agent_steps import Packer
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.kiosk.rig.stand_ins import App, seat_order, terminal_of
from tests.kiosk.rig.virtual_table import CHEAP_PIN
from tests.scenarios.moments import CAST

ROLES = (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE)
PATIENCE_S = 10
BY_PLAYERS = ("carry", "show-game")
BY_JUDGE = ("menu", "judge-menu", "carry", "show-game")


class Table(App):
    """A terminal with a journal, a USB drive and a finger, but no station."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.stick = folder / "stick"
        self.stick.mkdir()
        key, certificate = own_identity(folder / "own", "terminal")
        self.certificate = certificate.read_text()
        self.id = fingerprint_of_pem(self.certificate, "own")
        self.journal = Journal(folder / "j.db", StreamId(f"table/{self.id}"), StreamId("o"), "board")
        packer = Packer(self.id, signer(key.read_bytes(), "key"))
        self.agent = JournalAgent(self.journal, None, packer=packer)
        self.woken = threading.Event()
        self.start()

    def start(self) -> None:
        board = BoardServices(stick=UsbStick(self.stick, lambda path: path.exists()))
        held = self.agent.start()
        self.terminal = terminal_of(self.agent, self.panel, held, board=board, wake=self.woken.set)

    def close(self) -> None:
        super().close()
        self.agent.stop()

    def ask(self, *commands: GameCommand) -> None:
        self.asks(*map(AskGame, commands))
        assert self.notice == ""

    @property
    def carried(self) -> OfflineExportView:
        return self.terminal.view(self.now_ms).carried

    @property
    def parcel(self) -> ShownParcel:
        assert self.carried.parcel is not None
        return self.carried.parcel

    def begins(self) -> None:
        seats = [SeatNo(n) for n in range(1, 6)]
        self.ask(*(CheckIn(seat) for seat in seats), DealRoles())
        self.ask(*(ChooseCharacter(seat, CAST[seat - 1]) for seat in seats), BeginGame())

    def ends(self) -> None:
        game = self.terminal.view(0).game
        assert game is not None
        self.ask(*(LoseLife(SeatNo(1), 1) for _ in range(game.seats[0].life)))
        self.ask(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER), DeclareRoles(ROLES))

    def wait(self, wanted: Callable[[], bool]) -> None:
        """Let the threads work until a condition holds."""
        end = threading.Event()
        for _ in range(PATIENCE_S * 100):
            self.terminal.on_news(self.agent.news())
            if wanted():
                return
            end.wait(0.01)
        raise TimeoutError(self.carried)

    def all_saved(self) -> None:
        def saved() -> bool:
            delivery = self.terminal.view(self.now_ms).delivery
            return delivery.saved == delivery.entered

        self.wait(saved)

    def drawn(self) -> bool:
        parcel = self.carried.parcel
        return parcel is not None and parcel.code is not None

    def codes(self, intent: ShowCodes) -> None:
        """Open the codes and wait for the first."""
        self.asks(intent)
        self.wait(self.drawn)

    def parcels(self, intent: ShowCodes, by: tuple[str, ...] = BY_PLAYERS) -> tuple[Parcel, ...]:
        """Read the parcels in the codes shown on a screen, one after another. by: what opens them."""
        self.codes(intent)
        gathering, parcels = ParcelAssembler(), []
        for _ in range(self.parcel.count):
            self.wait(self.drawn)
            text = self.read(screen_geometry_for((800, 480)), by)
            made = gathering.add(part_of(text, "screen"))
            parcels += [made] if made is not None else []
            self.asks(StepParcelPart(1))
        return tuple(open_parcel(parcel, self.certificate, "screen") for parcel in parcels)

    def entries(self, intent: ShowCodes, by: tuple[str, ...] = BY_PLAYERS) -> CarriedEntries:
        """Read the only parcel, which holds entries."""
        (parcel,) = self.parcels(intent, by)
        assert isinstance(parcel.content, CarriedEntries)
        return parcel.content

    def read(self, glass: ScreenGeometry, by: tuple[str, ...] = BY_PLAYERS) -> str:
        screen = TableScreen(glass, failsafe=False)
        view = self.terminal.view(self.now_ms)
        screen.update(msgspec.structs.replace(view, judge_present=True))
        for target in by:
            touch(screen, target)
            screen.update(msgspec.structs.replace(view, judge_present=True))
        assert screen.scene_name() == "code"
        (code,) = codes_on(screen.surface)
        return code


_moments = itertools.count(20_000, 1_100)


def touch(screen: TableScreen, name: str) -> None:
    now_ms = next(_moments)
    target = next(target for target in screen.targets() if target.id == name)
    x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
    screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, now_ms))
    screen.pointer(Pointer(1, PointerPhase.UP, x, y, now_ms + 100))


def codes_on(surface: pygame.Surface) -> list[str]:
    picture = Image.frombytes("RGB", surface.get_size(), pixels_of(surface, "RGB"))
    return [
        code.text
        for code in zxingcpp.read_barcodes(
            picture, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
        )
    ]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.order(AssignTable(TableNo(3), CHEAP_PIN), seat_order())
    yield made
    made.close()


@pytest.fixture
def confirmed(table: Table) -> Table:
    table.begins()
    table.ends()
    table.ask(ConfirmSheet(Confirmation.PIN))
    table.all_saved()
    return table


def test_a_record_sheet_is_one_code_that_says_what_the_table_confirmed(confirmed: Table) -> None:
    (parcel,) = confirmed.parcels(ShowCodes(ParcelContents.SHEET))
    assert confirmed.parcel.count == 1
    game = confirmed.terminal.view(0).game
    assert game is not None
    assert isinstance(parcel.content, CarriedSheet)
    assert parcel.terminal == confirmed.id
    assert (parcel.content.game, parcel.content.confirmed) == (game.game, "pin")
    assert result_of(parcel.content.result, "code") == finished_game(game)
    head = confirmed.journal.head()
    assert (parcel.content.seq, parcel.content.hash) == (head.seq, head.hash)


def test_a_whole_game_is_in_its_codes_byte_for_byte(confirmed: Table) -> None:
    game = confirmed.entries(ShowCodes(ParcelContents.GAME))
    assert (game.first, game.raws) == (1, confirmed.journal.after(0, 1000))


@pytest.mark.slow
def test_what_the_station_has_is_left_out_unless_the_whole_game_is_asked_for(confirmed: Table) -> None:
    confirmed.terminal.on_news((Received(7),))
    assert confirmed.entries(ShowCodes(ParcelContents.OWED)).first == 8
    assert confirmed.entries(ShowCodes(ParcelContents.GAME)).first == 1
    last, carried = confirmed.journal.head().seq, confirmed.carried
    assert (carried.owed, carried.of_game) == (last - 7, last)


def test_a_terminal_that_started_anew_knows_where_its_game_begins(confirmed: Table) -> None:
    first_game = confirmed.journal.head().seq
    confirmed.order(seat_order("g2"))
    confirmed.begins()
    confirmed.ends()
    confirmed.all_saved()
    count = len(confirmed.journal.own())
    assert confirmed.carried.of_game == count - first_game
    confirmed.terminal.close()
    confirmed.agent.stop()
    confirmed.agent = JournalAgent(confirmed.journal, None)
    confirmed.start()
    assert confirmed.carried.of_game == count - first_game


@pytest.mark.by_day(5)
@pytest.mark.slow
@pytest.mark.parametrize("size", [(800, 480, 5.2), (480, 800, 5.2), (1280, 720, 8.3), (720, 1280, 8.3)])
@pytest.mark.parametrize("quarter_turns", [0, 1, 2, 3])
def test_a_full_code_is_read_from_every_glass_however_it_hangs(
    confirmed: Table, size: tuple[int, int, float], quarter_turns: int
) -> None:
    confirmed.codes(ShowCodes(ParcelContents.GAME))
    part = part_of(confirmed.read(ScreenGeometry(*size, quarter_turns)), "screen")
    assert part.count == confirmed.parcel.count


def test_parts_play_by_themselves_and_stop_when_somebody_turns_them(confirmed: Table) -> None:
    confirmed.codes(ShowCodes(ParcelContents.GAME))
    count = confirmed.parcel.count
    assert count > 1

    def number() -> int:
        confirmed.terminal.advance(confirmed.now_ms)
        return confirmed.parcel.number

    seen = []
    for _ in range(count + 1):
        seen.append(number())
        due = confirmed.terminal.next_deadline_ms(confirmed.now_ms)
        assert due == confirmed.now_ms + 500
        confirmed.now_ms = due
    assert seen == [*range(1, count + 1), 1]
    confirmed.asks(StepParcelPart(-1))
    before = number()
    confirmed.now_ms += 10_000
    assert number() == before
    confirmed.asks(PlayParts(is_playing=True, every_ms=250))
    confirmed.now_ms += 250
    assert number() == before % count + 1
    confirmed.asks(CloseExport())
    assert confirmed.carried.parcel is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "intent", [ShowCodes(ParcelContents.GAME), ShowCodes(ParcelContents.OWED), WriteStick()]
)
def test_of_a_game_that_runs_nothing_leaves_but_in_the_judges_hands(
    table: Table, intent: ShowCodes | WriteStick
) -> None:
    table.begins()
    table.all_saved()
    table.asks(intent)
    assert (table.carried.parcel, table.carried.stick) == (None, None)
    game = table.entries(ShowCodes(ParcelContents.GAME, by_judge=True), BY_JUDGE)
    assert game.raws == table.journal.after(0, 1000)


def test_the_next_game_puts_the_last_ones_codes_away(confirmed: Table) -> None:
    confirmed.codes(ShowCodes(ParcelContents.SHEET))
    confirmed.order(seat_order("g2"))
    assert confirmed.carried.parcel is None


def test_what_cannot_be_shown_says_so(table: Table) -> None:
    table.begins()
    table.asks(ShowCodes(ParcelContents.SHEET, by_judge=True))
    assert table.parcel.has_failed


def test_a_stick_takes_the_whole_game(confirmed: Table) -> None:
    confirmed.terminal.on_news((Received(confirmed.journal.head().seq),))
    confirmed.asks(WriteStick())
    assert confirmed.carried.stick is UsbStickState.WRITING
    confirmed.wait(lambda: confirmed.carried.stick is UsbStickState.WRITTEN)
    (file,) = confirmed.stick.iterdir()
    assert file.name == confirmed.carried.file
    assert file.name.startswith("saloon-table-3-")
    parcel = open_parcel(file.read_bytes(), confirmed.certificate, "stick")
    assert isinstance(parcel.content, CarriedEntries)
    assert parcel.content.raws == confirmed.journal.after(0, 1000)


def test_without_a_stick_the_screen_says_so_and_it_may_be_tried_again(confirmed: Table) -> None:
    confirmed.stick.rmdir()
    confirmed.asks(WriteStick())
    confirmed.wait(lambda: confirmed.carried.stick is UsbStickState.NO_STICK)
    confirmed.stick.mkdir()
    confirmed.asks(WriteStick())
    confirmed.wait(lambda: confirmed.carried.stick is UsbStickState.WRITTEN)


NAME = "saloon-table-7-0a1b2c3d4e5f6071.parcel"
DATA = bytes(range(256)) * 20


def everywhere(_: Path) -> bool:
    return True


def test_a_parcel_is_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert UsbStick(tmp_path, everywhere).write(NAME, b"older") is UsbStickState.WRITTEN
    assert UsbStick(tmp_path, everywhere).write(NAME, DATA) is UsbStickState.WRITTEN
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: DATA}


def test_a_folder_on_the_card_is_no_stick(tmp_path: Path) -> None:
    assert UsbStick(tmp_path).write(NAME, DATA) is UsbStickState.NO_STICK
    assert UsbStick(tmp_path / "none").write(NAME, DATA) is UsbStickState.NO_STICK
    assert list(tmp_path.iterdir()) == []


def test_a_stick_mounted_by_its_label_within_the_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "JUDGE").mkdir()
    (tmp_path / "a-folder").mkdir()
    stick = UsbStick(tmp_path, lambda path: path.name == "JUDGE")
    assert stick.write(NAME, DATA) is UsbStickState.WRITTEN
    assert (tmp_path / "JUDGE" / NAME).read_bytes() == DATA


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (errno.ENOSPC, UsbStickState.FULL),
        (errno.EROFS, UsbStickState.READ_ONLY),
        (errno.EACCES, UsbStickState.READ_ONLY),
        (errno.EIO, UsbStickState.PULLED),
        (errno.ENODEV, UsbStickState.PULLED),
        (errno.EINVAL, UsbStickState.FAILED),
    ],
)
def test_a_stick_that_fails_at_any_step_is_named_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, state: UsbStickState
) -> None:
    stick = UsbStick(tmp_path, everywhere)
    assert stick.write(NAME, b"older") is UsbStickState.WRITTEN

    def failing(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", failing)
    assert stick.write(NAME, DATA) is state
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: b"older"}


def test_a_stick_pulled_out_before_anything_is_written_is_named(tmp_path: Path) -> None:
    assert UsbStick(tmp_path / "gone", everywhere).write(NAME, DATA) is UsbStickState.PULLED


def test_other_bytes_on_the_stick_than_were_written_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path)[:-1] + b"?")
    assert UsbStick(tmp_path, everywhere).write(NAME, DATA) is UsbStickState.PULLED
