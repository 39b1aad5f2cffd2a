"""Terminals that enrol over real wires and real TLS, and remember their station."""

import contextlib
import socket
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from base.clock import SystemClock
from base.errors import Unavailable
from demo.shaped_line import ShapedLine
from sync.enrolment.terminal_side import Attempt
from sync.ports.tcp import TcpPort
from sync.protocol.messages import CloseCause, TurnedAway
from sync.terminal.agent_contract import EnrolmentChanged, EnrolmentStage, LinkPhase
from sync.terminal.routes import RouteSource, StationRoute
from sync.tls.certificates import own_identity
from tests.rigs.ends import CODE, PATIENCE_S, Newcomer, Start, Station, serial


def cable(path: Path) -> tuple[str, StationRoute]:
    return str(path), StationRoute(f"serial {path}", lambda: serial(path), RouteSource.CABLE)


def test_by_code_a_terminal_is_taken_in_remembers_it_and_comes_back(
    station: Station, tmp_path: Path, new: Newcomer, started: Start
) -> None:
    new.agent.append(b"\x01")
    new.enrol_at(station)
    assert new.wait_stage(EnrolmentStage.DONE).by_code
    new.wait_received(1)
    assert station.raws(new.id) == (b"\x01",)
    kept = new.belonging.load()
    assert kept is not None
    assert kept.station.certificate == station.identity[1].read_text()
    assert kept.station.addresses == (station.address,)
    assert stat.S_IMODE((tmp_path / "t" / "provisioning.toml").stat().st_mode) == 0o600
    new.agent.stop()
    again = Newcomer(tmp_path / "t")
    started(again).wait_phase(LinkPhase.CONNECTED)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "cause"), [("ABCDEFGHJM", CloseCause.WRONG_CODE), ("", CloseCause.NO_CODE)])
def test_a_wrong_code_is_said_and_lets_nobody_in(
    station: Station, code: str, cause: CloseCause, new: Newcomer
) -> None:
    station.code = code
    new.join(station.address)
    assert new.wait_stage(EnrolmentStage.FAILED).cause is cause
    assert not station.known
    assert not station.code
    assert new.belonging.load() is None


def test_where_nobody_answers_that_is_said_and_the_code_is_not_used_up(
    station: Station, new: Newcomer
) -> None:
    station.code = CODE
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        nowhere = f"127.0.0.1:{deaf.getsockname()[1]}"
    new.join(nowhere)
    assert new.wait_stage(EnrolmentStage.FAILED).not_reached
    new.seen.clear()
    new.join("")
    assert new.wait_stage(EnrolmentStage.FAILED).not_reached
    new.join(station.address)
    new.wait_phase(LinkPhase.CONNECTED)


def test_a_station_that_does_not_know_the_code_is_not_believed(station: Station, new: Newcomer) -> None:
    """Such a station accepts any proof, but can't give one of its own."""

    async def gullible(*_: object) -> bytes:
        return bytes(32)

    station.try_code = gullible  # type: ignore[method-assign,assignment]  # a station of somebody else's
    new.join(station.address)
    failed = new.wait_stage(EnrolmentStage.FAILED)
    assert failed.cause is CloseCause.OTHER
    assert not failed.not_reached
    assert new.belonging.load() is None


@pytest.mark.slow
def test_when_the_answer_is_lost_the_terminal_asks_again_and_is_in(station: Station, new: Newcomer) -> None:
    first = station.try_code
    answers: list[bytes] = []

    async def lossy(*arguments: object) -> bytes:
        if not answers:
            answers.append(await first(*arguments))  # type: ignore[arg-type]  # handed on
            raise Unavailable("the wire ends before the answer")
        station.code = CODE
        return await first(*arguments)  # type: ignore[arg-type]

    station.try_code = lossy  # type: ignore[method-assign,assignment]  # a wire that is cut in the worst moment
    new.enrol_at(station)
    new.wait_phase(LinkPhase.CONNECTED)
    assert answers
    assert not [
        news for news in new.seen if isinstance(news, EnrolmentChanged) and news.cause is not CloseCause.OTHER
    ]


@pytest.mark.slow
def test_a_disk_that_is_full_at_the_last_moment_leaves_the_terminal_to_ask_again(
    station: Station, tmp_path: Path, started: Start
) -> None:
    new = Newcomer(tmp_path / "t")
    keep, errors = new.belonging.save_joined, [Unavailable("No space left on device")]

    def joined(certificate: str, addresses: tuple[str, ...], device: str) -> object:
        if errors:
            station.code = CODE
            raise errors.pop()
        return keep(certificate, addresses, device)

    new.belonging.save_joined = joined  # type: ignore[method-assign,assignment]  # a full disk, once
    started(new).enrol_at(station)
    new.wait_phase(LinkPhase.CONNECTED)
    assert not errors


@pytest.mark.slow
def test_once_the_station_is_gone_the_card_knows_what_the_station_has(tmp_path: Path, new: Newcomer) -> None:
    station = Station(tmp_path)
    station.start()
    new.agent.append(b"\x01")
    new.enrol_at(station)
    new.wait_received(1)
    station.stop()
    new.wait_phase(LinkPhase.SEARCHING)
    # As the next start reads it after a power cut: this program has not closed it.
    with contextlib.closing(sqlite3.connect(tmp_path / "t" / "journal.db")) as card:
        noted = card.execute("SELECT value FROM facts WHERE name = 'received'").fetchone()
    assert noted[0].startswith("1 ")


@pytest.mark.slow
def test_a_revoked_terminal_says_so_and_can_be_taken_in_again(station: Station, new: Newcomer) -> None:
    new.agent.append(b"\x01")
    new.enrol_at(station)
    new.wait_received(1)
    station.revoke(new.id)
    new.wait_phase(LinkPhase.REVOKED)
    new.agent.append(b"\x02")
    new.wait_saved(2)
    assert station.raws(new.id) == (b"\x01",)
    new.enrol_at(station)
    new.wait_received(2)
    assert station.raws(new.id) == (b"\x01", b"\x02")


def test_the_judge_cannot_be_asked_over_tcp(station: Station, tmp_path: Path, started: Start) -> None:
    pretended = StationRoute("a cable", lambda: TcpPort("127.0.0.1", station.port))
    new = started(Newcomer(tmp_path / "t", (("x", pretended),)))
    assert new.wait_stage(EnrolmentStage.FAILED).cause is CloseCause.NO_CABLE
    assert not station.questions
    assert not station.known


@pytest.mark.faults
def test_by_cable_the_judge_takes_a_terminal_in_and_it_comes_back(
    wired: Station, tmp_path: Path, started: Start
) -> None:
    new = started(Newcomer(tmp_path / "t", (cable(tmp_path / "a"),)))
    stage = new.wait_stage(EnrolmentStage.COMPARE)
    wired.wait_for(lambda: bool(wired.questions))
    assert wired.questions == [("ttyUSB0", stage.check_code)]
    wired.says(stage.check_code, welcome=True)
    new.deliver(b"\x01")
    assert wired.links[-1] == (new.id, "serial")
    kept = new.belonging.load()
    assert kept is not None
    assert kept.terminal.serial == str(tmp_path / "a")
    new.agent.stop()
    started(Newcomer(tmp_path / "t", (cable(tmp_path / "a"),))).wait_phase(LinkPhase.CONNECTED)


@pytest.mark.faults
def test_by_cable_a_refused_terminal_says_so_and_a_pulled_one_is_forgotten(
    line: ShapedLine, wired: Station, tmp_path: Path, started: Start
) -> None:
    new = started(Newcomer(tmp_path / "t", (cable(tmp_path / "a"),)))
    first = new.wait_stage(EnrolmentStage.COMPARE)
    wired.wait_for(lambda: bool(wired.questions))
    line.cut()
    new.wait_for(lambda news: new.seen.index(news) > 0 and news == EnrolmentChanged(EnrolmentStage.SEARCHING))
    line.join()
    second = new.wait_for(
        lambda news: isinstance(news, EnrolmentChanged) and news.check_code not in {"", first.check_code}
    )
    assert isinstance(second, EnrolmentChanged)
    wired.wait_for(lambda: len(wired.questions) == 2)
    wired.says(second.check_code, welcome=False)
    assert new.wait_stage(EnrolmentStage.FAILED).cause is CloseCause.REFUSED
    assert not wired.known


@pytest.mark.faults
def test_by_code_over_a_cable(wired: Station, tmp_path: Path, started: Start) -> None:
    wired.code = CODE
    new = started(Newcomer(tmp_path / "t", (cable(tmp_path / "a"),)))
    new.join("")
    new.deliver(b"\x01")


def until_over(attempt: Attempt) -> None:
    while attempt.turn(SystemClock().monotonic_ms()) is None:
        pass


def test_the_slow_part_runs_beside(station: Station, tmp_path: Path) -> None:
    """The owner of the attempt continues while the key is derived."""
    station.code = CODE
    slow = threading.Event()

    def key_maker(code: str, parties: object) -> bytes:
        del code, parties
        slow.wait(PATIENCE_S)
        return bytes(32)

    port = TcpPort("127.0.0.1", station.port)
    attempt = Attempt(
        port, own_identity(tmp_path / "t", "t")[1], CODE, SystemClock().monotonic_ms(), key_maker
    )
    try:
        turns = 0
        while (
            attempt.next_deadline_ms(SystemClock().monotonic_ms()) - SystemClock().monotonic_ms() > 40
            or turns < 50
        ):
            assert attempt.turn(SystemClock().monotonic_ms()) is None
            turns += 1
        assert not attempt.is_tried
        slow.set()
        with pytest.raises(TurnedAway, match="another code"):
            until_over(attempt)
    finally:
        slow.set()
        attempt.close()
