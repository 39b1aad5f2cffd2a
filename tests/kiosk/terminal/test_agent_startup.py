"""The startup of the agent: certificate, enrolment, the judge's decision about a card, a damaged journal."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import Unavailable
from core.game.ending.judge_calls import CallJudge
from core.game.orders import AssignTable
from core.game.setup import CheckIn
from core.game.state.game import Phase
from core.terms import SeatNo, TableNo
from kiosk.preferences import Preferences
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress, file_problem_from_error
from kiosk.terminal.startup.agent import (
    accept_board_change,
    clear_board_change,
    find_station,
    is_board_change_accepted,
    misnamed_file,
    request_card_reset,
    reset_card_if_requested,
)
from kiosk.terminal.startup.terminal_certificate import TerminalCertificate
from kiosk.terminal.startup_settings import StartupSettings
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import AskGame, BeginAnew, CardDecision, ChangePreferences, DismissNotice, GoOnHere
from kiosk.view.table_view import CardDoubt, CodeOutcome, Enrolment, FileProblem
from sync.enrolment.provisioning import provisioning_of
from sync.enrolment.provisioning_keys import Fault, WrongFile
from sync.protocol.entry import ClockReading, StreamId, TerminalId, content_bytes, orders_of
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause
from sync.terminal.agent import SynchronousAgent
from sync.terminal.agent_contract import (
    CardIsForeign,
    EnrolmentChanged,
    EnrolmentStage,
    JournalFailed,
    JournalsDisagree,
    LinkChanged,
    LinkPhase,
    Resumed,
    Saved,
)
from sync.terminal.station_record import StationRecord
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.kiosk.rig.stand_ins import Paper, mock_panel, seat_order, terminal_of, wired


@pytest.mark.slow
def test_a_new_terminal_gets_a_key_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with TerminalCertificate(tmp_path / "data") as identity:
            key, certificate = identity.files()
        assert key.stat().st_mode & 0o777 == 0o600
        names.add(fingerprint_of_pem(certificate.read_text(encoding="ascii"), "certificate"))
    assert len(names) == 1


@pytest.mark.slow
def test_a_key_that_was_put_aside_since_the_start_is_followed_by_another(tmp_path: Path) -> None:
    key, _ = own_identity(tmp_path, "before")
    before = key.read_bytes()
    with TerminalCertificate(tmp_path) as identity:
        key.unlink()
        identity.files()
    assert key.read_bytes() != before


@pytest.mark.slow
def test_a_key_that_is_being_set_aside_is_not_lost_to_a_new_one(tmp_path: Path) -> None:
    key, _ = own_identity(tmp_path, "before")
    before = key.read_bytes()
    request_card_reset(tmp_path)
    # The power fails after the first file was archived.
    (tmp_path / "aside-1").mkdir()
    key.rename(tmp_path / "aside-1/key.pem")
    with TerminalCertificate(tmp_path) as identity:
        identity.close()
        reset_card_if_requested(tmp_path)
        key, _ = identity.files()
    assert (tmp_path / "aside-1/key.pem").read_bytes() == before
    assert key.read_bytes() != before


@pytest.mark.slow
def test_a_folder_that_cannot_hold_them_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with TerminalCertificate(tmp_path / "data") as identity, pytest.raises(OSError, match="data"):
        identity.files()


def written(data: Path) -> tuple[str, str]:
    _, certificate = own_identity(data, "Saloon terminal")
    name = fingerprint_of_pem(certificate.read_text(encoding="ascii"), "test")
    with Journal(
        data / "journal.db", StreamId(f"table/{name}"), orders_of(TerminalId(name)), "board"
    ) as journal:
        journal.append((content_bytes(ClockReading(1, 2, 3, trusted=False), b"\xc0"),))
        return name, journal.facts.epoch


def test_nothing_is_set_aside_that_nobody_asked_for(tmp_path: Path) -> None:
    before = written(tmp_path)
    assert reset_card_if_requested(tmp_path) is None
    assert written(tmp_path) == before


@pytest.mark.slow
@pytest.mark.parametrize("moved", range(4))
def test_a_cut_in_the_middle_leaves_no_half(tmp_path: Path, moved: int) -> None:
    name, epoch = written(tmp_path)
    request_card_reset(tmp_path)
    aside = tmp_path / "aside-1"
    aside.mkdir()
    for file in ("journal.db", "key.pem", "certificate.pem")[:moved]:
        (tmp_path / file).rename(aside / file)
    assert reset_card_if_requested(tmp_path) == aside
    assert reset_card_if_requested(tmp_path) is None
    again = written(tmp_path)
    assert again[0] != name
    assert again[1] != epoch
    assert written(aside)[:2] == (name, epoch)
    request_card_reset(tmp_path)
    assert reset_card_if_requested(tmp_path) == tmp_path / "aside-2"


def test_only_a_terminal_whose_card_is_doubtful_is_decided_on() -> None:
    decided: list[CardDecision] = []
    panel = mock_panel()
    terminal = terminal_of(Paper(), panel, board=BoardServices(card_decided=decided.append))
    terminal.carry_out((BeginAnew(), GoOnHere()), 0)
    assert decided == []
    terminal.on_news((JournalsDisagree("other entries"),))
    assert terminal.view(0).doubt is CardDoubt.DISAGREES
    terminal.carry_out((GoOnHere(), BeginAnew()), 0)
    assert decided == [BeginAnew()]
    terminal.on_news((LinkChanged(LinkPhase.CONNECTED),))
    assert terminal.view(0).doubt is None
    terminal.on_news((CardIsForeign(),))
    assert terminal.view(0).doubt is CardDoubt.FOREIGN
    terminal.carry_out((GoOnHere(),), 0)
    assert decided == [BeginAnew(), GoOnHere()]
    terminal.close()
    panel.close()


def test_a_card_of_another_board_is_shown_and_not_written(tmp_path: Path) -> None:
    name, epoch = written(tmp_path)
    stream, orders = StreamId(f"table/{name}"), orders_of(TerminalId(name))
    agent = SynchronousAgent(Journal(tmp_path / "journal.db", stream, orders, "board"))
    assert agent.start().received == 0
    assert agent.news() == (CardIsForeign(),)
    assert agent.news() == ()
    assert agent.append(b"never kept") == 2
    agent.stop()
    with Journal(tmp_path / "journal.db", stream, orders, "board") as journal:
        assert journal.head().seq == 1
        assert journal.facts.epoch == epoch


def test_a_moved_card_goes_on_once_the_judge_said_so(tmp_path: Path) -> None:
    assert not is_board_change_accepted(tmp_path)
    accept_board_change(tmp_path)
    assert is_board_change_accepted(tmp_path)
    clear_board_change(tmp_path)
    assert not is_board_change_accepted(tmp_path)


NOT_UTF8 = b"\x81\xa4body\xa4\xff\xfe\xfd\xfc"


@pytest.fixture
def played() -> tuple[list[bytes], list[bytes]]:
    keeper = GameKeeper()
    orders = [wired(AssignTable(TableNo(3), "hash")), wired(seat_order())]
    own = [body for number, order in enumerate(orders, 1) for body in keeper.carry_out(number, order)]
    own += [keeper.ask(CheckIn(SeatNo(n))) for n in (1, 2, 3)]
    return own, orders


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    panel = mock_panel()
    made = terminal_of(Paper(), panel)
    yield made
    made.close()
    panel.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_no_damage_whatever_keeps_a_terminal_from_starting(
    played: tuple[list[bytes], list[bytes]], data: st.DataObject
) -> None:
    own, orders = map(list, played)
    for bodies in (own, orders):
        at = data.draw(st.integers(0, len(bodies) - 1))
        junk = st.binary(max_size=40)
        body = bodies[at]
        cut = data.draw(st.integers(0, len(body)))
        bodies[at] = body[:cut] + data.draw(junk) + body[cut + data.draw(st.integers(0, 3)) :]
    keeper = GameKeeper()
    keeper.resume(tuple(own), tuple(orders))
    assert keeper.orders_done >= len(orders)


@pytest.mark.parametrize(
    "body", [b"", b"\xc1", NOT_UTF8, b"\x91" * 100_000, msgspec.msgpack.encode({"body": 1})]
)
def test_an_order_that_is_none_is_left_and_the_next_is_carried_out(body: bytes) -> None:
    keeper = GameKeeper()
    assert keeper.carry_out(1, body) == ()
    assert len(keeper.carry_out(2, wired(seat_order()))) == 1


def test_a_table_is_told_that_its_journal_is_damaged(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal
) -> None:
    own, orders = played
    own[2] = NOT_UTF8
    terminal.resume(Resumed(tuple(own), tuple(orders), 0))
    assert "Check the screen" in terminal.view(0).notice
    terminal.carry_out((ChangePreferences(Preferences("it")),), 0)
    assert "Confrontate lo schermo" in terminal.view(0).notice
    terminal.carry_out((DismissNotice(),), 0)
    assert terminal.view(0).notice == ""


def test_damage_of_an_earlier_game_is_nobodys_trouble(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal
) -> None:
    own, orders = played
    own[2] = NOT_UTF8
    orders.append(wired(seat_order("g2")))
    terminal.resume(Resumed(tuple(own), tuple(orders), 0))
    view = terminal.view(0)
    assert view.notice == ""
    assert view.game is not None
    assert (view.game.game, view.game.phase) == ("g2", Phase.SEATING)


def test_while_nothing_can_be_saved_the_table_is_told_until_it_can(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal
) -> None:
    terminal.resume(Resumed(tuple(played[0]), tuple(played[1]), 0))
    terminal.on_news((JournalFailed("disk full"),))
    assert "don't unplug" in terminal.view(0).notice
    terminal.carry_out((AskGame(CallJudge()),), 0)
    assert "Can't save right now" in terminal.view(0).notice
    terminal.carry_out((AskGame(CheckIn(SeatNo(1))),), 0)
    assert "Can't save right now" not in terminal.view(0).notice
    terminal.carry_out((DismissNotice(),), 0)
    assert "Can't save right now" in terminal.view(0).notice
    terminal.on_news((Saved(5),))
    assert terminal.view(0).notice == ""


FAILED = EnrolmentStage.FAILED


def test_a_number_to_compare_is_shown_until_the_cable_is_pulled() -> None:
    enrolling = EnrolmentProgress()
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view == Enrolment(place="serial x")
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913", place="serial x"))
    assert enrolling.view.check_code == "482913"
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view == Enrolment(place="serial x")


def test_a_refusal_stays_until_the_next_number() -> None:
    enrolling = EnrolmentProgress()
    enrolling.on_changed(EnrolmentChanged(FAILED, cause=CloseCause.REFUSED))
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.refused
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913"))
    assert not enrolling.view.refused


@pytest.mark.parametrize(
    ("news", "outcome"),
    [
        (EnrolmentChanged(FAILED, cause=CloseCause.WRONG_CODE, by_code=True), CodeOutcome.WRONG),
        (EnrolmentChanged(FAILED, cause=CloseCause.NO_CODE, by_code=True), CodeOutcome.NOT_VALID),
        (EnrolmentChanged(FAILED, by_code=True, not_reached=True), CodeOutcome.NOT_REACHED),
        (EnrolmentChanged(FAILED, by_code=True), CodeOutcome.NOT_PROVEN),
        (EnrolmentChanged(EnrolmentStage.DONE, by_code=True), CodeOutcome.NONE),
    ],
)
def test_what_became_of_a_code_is_told_and_outlasts_the_asking_at_the_cable(
    news: EnrolmentChanged, outcome: CodeOutcome
) -> None:
    enrolling = EnrolmentProgress(("192.0.2.1:7373",))
    enrolling.on_trying_code()
    assert enrolling.view.outcome is CodeOutcome.TRYING
    enrolling.on_changed(news)
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.outcome is outcome
    assert enrolling.view.addresses == ("192.0.2.1:7373",)


def test_a_wrong_file_is_told_until_the_terminal_belongs_somewhere() -> None:
    problem = FileProblem(3, "rotation = 45", "[terminal] rotation", Fault.ONE_OF, (("choices", "0, 90"),))
    enrolling = EnrolmentProgress(file_problem=problem)
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view.file_problem == problem
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.DONE))
    assert enrolling.view.file_problem is None


def test_what_is_wrong_is_handed_on_in_pieces_that_can_be_translated() -> None:
    with pytest.raises(WrongFile) as wrong:
        provisioning_of("[station]\ncolour = 1\n", "saloon.toml")
    assert file_problem_from_error(wrong.value) == FileProblem(
        2, "colour = 1", "[station] colour", Fault.NO_KEY
    )
    away = Unavailable("saloon.toml: Input/output error")
    assert file_problem_from_error(away) == FileProblem(detail="saloon.toml: Input/output error")


@pytest.mark.parametrize("name", ["saloon-table-7.toml", "saloon.toml.txt", "Saloon (1).TOML"])
def test_a_file_of_another_name_on_the_card_is_named(tmp_path: Path, name: str) -> None:
    wanted = tmp_path / "boot" / "saloon.toml"
    assert misnamed_file([tmp_path / "boot.toml", wanted]) is None
    wanted.parent.mkdir()
    for other in ("config.txt", "._saloon.toml", "other.toml", name):
        (wanted.parent / other).touch()
    wrong = misnamed_file([tmp_path / "boot.toml", wanted])
    assert wrong is not None
    assert file_problem_from_error(wrong) == FileProblem(
        fault=Fault.OTHER_NAME, fields=(("found", name), ("name", "saloon.toml"))
    )
    wanted.touch()
    assert misnamed_file([tmp_path / "boot.toml", wanted]) is None


def test_a_new_terminal_shows_the_file_of_another_name(tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot" / "saloon-table-7.toml").touch()
    settings = StartupSettings(data=tmp_path, boot_files=(tmp_path / "boot" / "saloon.toml",))
    known, problem = find_station(settings, StationRecord(tmp_path / "record"))
    assert known is None
    assert problem is not None
    assert problem.fault is Fault.OTHER_NAME
