"""Orders and receipts for the app, how rarely a card has to store them, and packed parcels of a journal."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault, Unavailable
from base.signing import signer
from sync.protocol.entry import GENESIS, ClockReading, Epoch, StreamId, content_bytes
from sync.protocol.journal import Journal
from sync.protocol.parcel import CarriedEntries, CarriedSheet, Parcel, open_parcel
from sync.protocol.session import StoreEntries
from sync.terminal.agent_contract import (
    LinkPhase,
    LinkReport,
    LinkReported,
    OrderArrived,
    PackEntries,
    Packing,
    PackSheet,
    Received,
)
from sync.terminal.agent_steps import Packer
from sync.terminal.delivery import LinkReportFilter, OrderReceipts
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.rigs.ends import hashes_of

CLOCK = ClockReading(0, 0, 0, trusted=True)
EPOCH = Epoch("5a10015a10015a10")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db", StreamId("table/1"), StreamId("orders/1"), "board") as journal_file:
        yield journal_file


def orders(*bodies: bytes) -> StoreEntries:
    raws = tuple(content_bytes(CLOCK, body) for body in bodies)
    return StoreEntries(StreamId("orders/1"), EPOCH, 1, raws, hashes_of(*raws))


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


class Sealing:
    """A terminal's key and the parcels that it seals."""

    def __init__(self, folder: Path) -> None:
        key, certificate = own_identity(folder, "terminal")
        self.certificate = certificate.read_text()
        self.packer = Packer(fingerprint_of_pem(self.certificate, "own"), signer(key.read_bytes(), "own key"))

    def opened(self, journal: Journal, wanted: Packing) -> Parcel:
        return open_parcel(self.packer.pack(journal, wanted).parcel, self.certificate, "x")


@pytest.fixture
def sealing(tmp_path: Path) -> Sealing:
    return Sealing(tmp_path / "keys")


def raws(count: int, size: int = 20) -> tuple[bytes, ...]:
    reading = ClockReading(1, 0, 0, trusted=False)
    return tuple(
        content_bytes(reading, msgspec.msgpack.encode(bytes(size) + bytes([n % 256]))) for n in range(count)
    )


def test_entries_are_packed_from_any_number_to_the_head(journal: Journal, sealing: Sealing) -> None:
    said = raws(600)
    journal.append(said)
    for first in (1, 2, 257, 600):
        packed = sealing.packer.pack(journal, PackEntries(first))
        assert (packed.first, packed.last, packed.problem) == (first, 600, "")
        content = sealing.opened(journal, PackEntries(first)).content
        assert content == CarriedEntries(
            journal.facts.epoch,
            first,
            journal.hash_at(first - 1) or b"",
            journal.head().hash,
            said[first - 1 :],
        )


def test_a_sheet_names_the_head_of_the_journal(journal: Journal, sealing: Sealing) -> None:
    for sheet in (PackSheet("g", "pin", b"\x90"), PackSheet("g", "", b"\x91\x01")):
        content = sealing.opened(journal, sheet).content
        head = journal.head()
        assert content == CarriedSheet(
            head.epoch, head.seq, head.hash, sheet.game, sheet.confirmed, sheet.result
        )
        journal.append(raws(3))
    assert journal.hash_at(0) == GENESIS


@pytest.mark.parametrize("first", [4, 5, 0])
def test_where_there_is_nothing_to_pack_the_answer_says_so(
    journal: Journal, sealing: Sealing, first: int
) -> None:
    journal.append(raws(3))
    packed = sealing.packer.pack(journal, PackEntries(first))
    assert packed.parcel == b""
    assert "the journal ends at 3" in packed.problem


def test_more_than_one_parcel_holds_is_packed_from_the_oldest_on(journal: Journal, sealing: Sealing) -> None:
    journal.append(raws(30, size=200_000))
    packed = sealing.packer.pack(journal, PackEntries(1))
    assert (packed.first, packed.last) == (1, 15)
    rest = sealing.packer.pack(journal, PackEntries(packed.last + 1))
    assert (rest.first, rest.last) == (16, 30)


def test_a_card_that_cannot_be_read_is_an_answer_too(journal: Journal, sealing: Sealing) -> None:
    journal.append(raws(3))

    def worn(seq: int, count: int) -> tuple[bytes, ...]:
        raise Unavailable(f"disk I/O error at {seq}, {count}")

    journal.after = worn  # type: ignore[method-assign]  # a card at its end
    assert "disk I/O error" in sealing.packer.pack(journal, PackEntries(1)).problem
