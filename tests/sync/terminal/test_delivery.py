"""The delivery of the journal's streams to the app, and how rarely the card has to store it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault
from sync.protocol.entry import GENESIS, ClockReading, Epoch, StreamId, chained_hash, content_bytes
from sync.protocol.journal import Journal
from sync.protocol.session import StoreEntries
from sync.terminal.agent_contract import LinkPhase, LinkReport, LinkReported, OrderArrived, Received
from sync.terminal.delivery import LinkReportFilter, OrderReceipts

CLOCK = ClockReading(0, 0, 0, trusted=True)
EPOCH = Epoch("5a10015a10015a10")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db", StreamId("table/1"), StreamId("orders/1"), "board") as journal_file:
        yield journal_file


def orders(*bodies: bytes) -> StoreEntries:
    raws = tuple(content_bytes(CLOCK, body) for body in bodies)
    hashes = [GENESIS]
    for raw in raws:
        hashes.append(chained_hash(hashes[-1], raw))
    return StoreEntries(StreamId("orders/1"), EPOCH, 1, raws, tuple(hashes[1:]))


def test_orders_are_told_once_and_those_the_app_knows_not_at_all(journal: Journal) -> None:
    delivery = OrderReceipts(journal)
    delivery.resume(0)
    assert delivery.keep(orders(b"\x01", b"\x02")).seq == 2
    assert delivery.new_orders() == (OrderArrived(1, b"\x01"), OrderArrived(2, b"\x02"))
    assert delivery.new_orders() == ()
    later = OrderReceipts(journal)
    later.resume(1)
    assert later.new_orders() == (OrderArrived(2, b"\x02"),)


def test_what_is_no_entry_is_no_order_and_is_not_kept(journal: Journal) -> None:
    delivery = OrderReceipts(journal)
    wrong = msgspec.structs.replace(orders(b"\x01"), raws=(b"\xc1",))
    with pytest.raises(PeerFault, match="is not an entry"):
        delivery.keep(wrong)
    assert len(journal.orders()) == 0


def test_what_was_received_is_noted_every_64_entries_and_when_the_station_is_gone(journal: Journal) -> None:
    delivery = OrderReceipts(journal)
    journal.append(tuple(bytes([number]) for number in range(100)))
    noted = []
    for seq in range(1, 101):
        assert delivery.acknowledge(seq, 0) == Received(seq)
        delivery.note(0)
        noted.append(journal.last_acknowledged())
    assert noted == [0] * 63 + [64] * 37
    delivery.note_at_once()
    assert journal.last_acknowledged() == 100


def test_what_was_received_is_noted_with_the_next_entry_or_after_a_minute(journal: Journal) -> None:
    delivery = OrderReceipts(journal)
    journal.append((b"\x01", b"\x02"))
    delivery.acknowledge(1, now_ms=5_000)
    delivery.note(64_999)
    assert (journal.last_acknowledged(), delivery.next_deadline_ms()) == (0, 65_000)
    journal.append((b"\x03",))
    assert journal.last_acknowledged() == 1
    delivery.acknowledge(2, now_ms=70_000)
    delivery.note(130_000)
    assert (journal.last_acknowledged(), delivery.next_deadline_ms()) == (2, None)


def test_a_station_that_has_less_than_before_is_believed_at_once(journal: Journal) -> None:
    journal.append(tuple(bytes([number]) for number in range(100)))
    journal.note_received(90)
    delivery = OrderReceipts(journal)
    delivery.resume(0)
    assert delivery.received == 90
    delivery.acknowledge(40, 0)
    delivery.note(0)
    assert journal.last_acknowledged() == 40


BEGUN = LinkReport(LinkPhase.SEARCHING)


def test_what_the_screen_shows_is_told_at_once_and_once() -> None:
    news = LinkReportFilter(BEGUN)
    connected = msgspec.structs.replace(BEGUN, phase=LinkPhase.CONNECTED, way="tcp")
    assert news.of(BEGUN, 0) == ()
    assert news.of(connected, 1) == (LinkReported(connected),)
    assert news.of(connected, 2) == ()


def test_what_only_counts_is_told_every_five_seconds() -> None:
    news = LinkReportFilter(BEGUN)
    first = msgspec.structs.replace(BEGUN, tries=1)
    assert news.of(first, 4_999) == ()
    assert news.of(first, 5_000) == (LinkReported(first),)
    second = msgspec.structs.replace(first, tries=2, heard_at_ms=9_000)
    assert news.of(second, 9_999) == ()
    assert news.of(second, 10_000) == (LinkReported(second),)
