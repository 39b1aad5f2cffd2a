"""A terminal that is offered a version fetches exactly the signed file, or nothing."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.update.bundle import About, BundleHead
from sync.update.fetcher import UpdateFetcher
from sync.update.messages import (
    UpdateOffer,
    UpdatePiece,
    UpdateReason,
    UpdateReported,
    UpdateStage,
    UpdateWant,
)
from sync.update.place import SPARE, UpdateFolders
from tests.examples import examples
from tests.sync.update.rig import NEW, OLD, head_for, image_in

PAYLOAD = bytes(range(256)) * 160


class Table:
    """A terminal's fetcher, and a station that answers it."""

    def __init__(self, place: UpdateFolders) -> None:
        self.place = place
        self.now_ms = 0
        self.fetcher = UpdateFetcher(place)
        self.fetcher.idle(is_idle=True)
        self.reports: list[UpdateReported] = []

    def close(self) -> None:
        self.fetcher.close()

    def start_again(self) -> None:
        self.close()
        self.fetcher = UpdateFetcher(self.place)
        self.fetcher.idle(is_idle=True)

    def offer(self, head: BundleHead | None, *, again: bool = False) -> None:
        self.fetcher.on_connection()
        self.fetcher.on_message(UpdateOffer(b"" if head is None else head.data, again), self.now_ms)

    def went_back(self, head: BundleHead, reason: str) -> None:
        refused = self.place.updates / "refused"
        refused.mkdir(exist_ok=True)
        (refused / head.manifest.name).write_text(f"{reason}\n")

    def turn(self, payload: bytes = PAYLOAD) -> UpdateWant | None:
        """Let the uplink check once, answer as the station, and return the requests."""
        due = self.fetcher.next_deadline_ms(self.now_ms)
        self.now_ms = max(self.now_ms + 1, due or 0)
        want = None
        for message in self.fetcher.say(self.now_ms, is_quiet=True):
            if isinstance(message, UpdateReported):
                self.reports.append(message)
            elif isinstance(message, UpdateWant):
                want = message
                data = payload[message.offset : message.offset + message.length]
                self.fetcher.on_message(UpdatePiece(message.digest, message.offset, data), self.now_ms)
        return want

    def run(self, payload: bytes = PAYLOAD, *, turns: int = 400) -> UpdateReported:
        for _ in range(turns):
            self.turn(payload)
        return self.reports[-1]

    def answer(self, head: BundleHead, *, again: bool = False) -> tuple[UpdateStage, UpdateReason]:
        """Offer a version, and return what the terminal makes of it."""
        self.offer(head, again=again)
        report = self.run(turns=3)
        assert report.digest == head.manifest.digest
        return report.stage, report.reason

    def takes(self, payload: bytes = PAYLOAD, *, again: bool = False) -> None:
        """Offer a version, and check that all of it arrives."""
        self.offer(head_for(payload), again=again)
        self.fetches(payload)

    def fetches(self, payload: bytes = PAYLOAD) -> None:
        """Check that all that was offered arrives, and nothing else."""
        assert self.run(payload).stage is UpdateStage.WAITING
        assert self.parts()[1].read_bytes() == payload

    def parts(self) -> list[Path]:
        incoming = self.place.incoming
        return sorted(incoming.iterdir()) if incoming.exists() else []


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(image_in(tmp_path))
    yield made
    made.fetcher.close()


def test_an_offered_version_is_fetched_and_lies_whole_on_the_card(table: Table) -> None:
    head = head_for(PAYLOAD)
    table.offer(head)
    report = table.run()
    assert (report.stage, report.have, report.digest) == (
        UpdateStage.WAITING,
        len(PAYLOAD),
        head.manifest.digest,
    )
    first, second = table.parts()
    assert first.read_bytes() == head.data
    assert second.read_bytes() == PAYLOAD
    news = table.fetcher.news()[-1]
    assert news.about == NEW


def test_progress_is_told_now_and_then(table: Table) -> None:
    table.offer(head_for(PAYLOAD))
    table.run()
    haves = [report.have for report in table.reports]
    assert haves == sorted(haves)
    assert 3 < len(haves) < 60


def test_nothing_is_fetched_while_the_table_plays(table: Table) -> None:
    table.offer(head_for(PAYLOAD))
    table.fetcher.idle(is_idle=False)
    assert [table.turn() for _ in range(20)] == [None] * 20
    assert table.fetcher.next_deadline_ms(0) is None
    table.fetcher.idle(is_idle=True)
    table.fetches()


@pytest.mark.parametrize(
    "interrupt",
    [
        pytest.param(Table.start_again, id="a power cut"),
        pytest.param(Table.close, id="let go for another way to a station"),
    ],
)
def test_what_an_interruption_left_is_gone_on_with(table: Table, interrupt: Callable[[Table], None]) -> None:
    table.offer(head_for(PAYLOAD))
    table.run(turns=4)
    before = table.parts()[1].stat().st_size
    assert 0 < before < len(PAYLOAD)
    interrupt(table)
    table.offer(head_for(PAYLOAD))
    want = table.turn() or table.turn()
    assert want is not None
    assert want.offset == before
    table.fetches()


def test_a_station_that_sends_something_else_is_left(table: Table) -> None:
    table.offer(head_for(PAYLOAD))
    report = table.run(bytes(len(PAYLOAD)), turns=900)
    assert (report.stage, report.reason) == (UpdateStage.DECLINED, UpdateReason.DAMAGED)
    assert table.parts() == []


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        (msgspec.structs.replace(NEW, architecture="amd64"), UpdateReason.OTHER_BOARD),
        (msgspec.structs.replace(NEW, base="trixie-1"), UpdateReason.OTHER_BOARD),
        (OLD, UpdateReason.NOT_NEWER),
        (msgspec.structs.replace(NEW, version="0.1.0"), UpdateReason.NOT_NEWER),
    ],
)
def test_what_is_not_for_this_terminal_is_declined(table: Table, about: About, reason: UpdateReason) -> None:
    assert table.answer(head_for(PAYLOAD, about)) == (UpdateStage.DECLINED, reason)
    assert table.parts() == []


def test_a_head_that_nobody_signed_is_declined(table: Table) -> None:
    head = head_for(PAYLOAD)
    table.offer(BundleHead(head.manifest, head.data[:-1] + bytes([head.data[-1] ^ 1])))
    report = table.run(turns=3)
    assert (report.stage, report.reason) == (UpdateStage.DECLINED, UpdateReason.NOT_SIGNED)


def test_a_terminal_without_an_image_takes_nothing(tmp_path: Path) -> None:
    table = Table(UpdateFolders(tmp_path))
    assert table.fetcher.about.base == ""
    table.offer(head_for(PAYLOAD))
    report = table.run(turns=3)
    assert (report.stage, report.reason) == (UpdateStage.DECLINED, UpdateReason.NO_IMAGE)


def test_a_version_that_met_no_station_is_taken_again_when_a_judge_lets_it(table: Table) -> None:
    head = head_for(PAYLOAD)
    table.went_back(head, "no-station")
    assert table.answer(head) == (UpdateStage.WENT_BACK, UpdateReason.NO_STATION)
    table.takes(again=True)


@pytest.mark.parametrize("reason", ["not-up", "starts", "damaged", "nonsense"])
def test_a_version_that_failed_by_itself_is_not_taken_again_whoever_asks(table: Table, reason: str) -> None:
    head = head_for(PAYLOAD)
    table.went_back(head, reason)
    for again in (False, True):
        stage, why = table.answer(head, again=again)
        assert stage is UpdateStage.WENT_BACK
        assert reason != "not-up" or why is UpdateReason.NOT_UP
    assert table.parts() == []


def room_for(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    real = os.statvfs

    def statvfs(path: Path) -> os.statvfs_result:
        fields = list(real(path))
        fields[1], fields[4] = 1, free
        return os.statvfs_result(fields)

    monkeypatch.setattr(os, "statvfs", statvfs)


def test_a_card_without_room_is_not_written_and_has_the_version_when_there_is_room_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = head_for(PAYLOAD)
    room_for(monkeypatch, 2 * len(PAYLOAD) + SPARE - 1)
    for _ in range(3):
        assert table.answer(head) == (UpdateStage.DECLINED, UpdateReason.NO_ROOM)
    assert not table.place.incoming.exists()
    room_for(monkeypatch, 2 * len(PAYLOAD) + SPARE)
    table.fetcher.on_connection()
    assert table.run(turns=1) == UpdateReported(UpdateStage.NONE)
    table.takes()


def test_what_was_fetched_counts_as_room_whatever_version_it_is_of(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.offer(head_for(PAYLOAD))
    table.run()
    for payload in (PAYLOAD, PAYLOAD[::-1]):
        room_for(monkeypatch, len(PAYLOAD) + SPARE)
        table.takes(payload)


def test_what_was_fetched_gives_its_room_back_where_there_is_none(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.offer(head_for(PAYLOAD))
    table.run(turns=4)
    table.start_again()
    room_for(monkeypatch, SPARE)
    table.offer(head_for(PAYLOAD))
    assert table.run(turns=3).reason is UpdateReason.NO_ROOM
    assert table.parts() == []


def test_a_version_for_which_the_system_found_no_room_is_taken_when_there_is_room(table: Table) -> None:
    table.went_back(head_for(PAYLOAD), "no-room")
    table.takes()


def test_a_withdrawn_version_leaves_nothing(table: Table) -> None:
    table.offer(head_for(PAYLOAD))
    table.run(turns=3)
    table.offer(None)
    assert table.run(turns=3).stage is UpdateStage.NONE
    assert table.parts() == []


def test_why_a_version_was_left_is_still_told_when_it_is_withdrawn(table: Table) -> None:
    table.offer(head_for(PAYLOAD, OLD))
    declined = table.run(turns=3)
    table.offer(None)
    assert table.run(turns=3) == declined
    table.takes()


def test_of_two_versions_only_the_last_has_room_on_the_card(table: Table) -> None:
    other = PAYLOAD[::-1]
    table.offer(head_for(PAYLOAD))
    table.run(turns=3)
    table.takes(other)
    assert len(table.parts()) == 2


@pytest.mark.parametrize("message", [UpdateWant(bytes(32), 0, 1), UpdateReported(UpdateStage.NONE)])
def test_what_only_a_terminal_says_is_a_fault_of_the_station(
    table: Table, message: UpdateWant | UpdateReported
) -> None:
    with pytest.raises(PeerFault):
        table.fetcher.on_message(message, 0)


def test_the_card_says_that_a_station_was_reached(table: Table) -> None:
    table.fetcher.on_connection()
    assert (table.place.root / "run/saloon-terminal/reached").read_text() == "0.2.0-a1b2c3d4\n"


@pytest.mark.slow
@settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_after_any_faults_the_file_is_the_source_or_there_is_none(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    table = Table(image_in(tmp_path_factory.mktemp("table")))
    with contextlib.ExitStack() as stack:
        stack.callback(table.close)
        head = head_for(PAYLOAD)
        table.offer(head)
        for _ in range(data.draw(st.integers(1, 40))):
            fault(table, head, data)
        table.fetcher.idle(is_idle=True)
        table.start_again()
        table.offer(head)
        assert table.run(turns=900).stage is UpdateStage.WAITING
        assert table.parts()[1].read_bytes() == PAYLOAD


def fault(table: Table, head: BundleHead, data: st.DataObject) -> None:
    match data.draw(st.sampled_from(["turn", "turn", "turn", "cut", "power", "spoil", "lie", "game"])):
        case "turn":
            table.turn()
        case "cut":
            table.offer(head)
        case "power":
            table.start_again()
            table.offer(head)
        case "spoil":
            for part in table.parts():
                if part.suffix == ".part":
                    table.start_again()
                    raw = part.read_bytes()
                    part.write_bytes(raw[: data.draw(st.integers(0, len(raw)))] + b"?" * 3)
                    table.offer(head)
        case "lie":
            table.turn(b"?" * len(PAYLOAD))
        case _:
            table.fetcher.idle(is_idle=data.draw(st.booleans()))
