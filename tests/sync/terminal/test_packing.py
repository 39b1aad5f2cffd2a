"""A packed parcel contains the journal's entries, and a station can open it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.errors import Unavailable
from base.signing import signer
from sync.protocol.entry import GENESIS, ClockReading, StreamId, content_bytes
from sync.protocol.journal import Journal
from sync.protocol.parcel import CarriedEntries, CarriedSheet, Parcel, open_parcel
from sync.terminal.agent_contract import Packed, PackEntries, Packing, PackSheet
from sync.terminal.agent_steps import Packer
from sync.tls.certificates import fingerprint_of_pem, own_identity


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "j.db", StreamId("t"), StreamId("o"), "board") as opened_journal:
        yield opened_journal


class Sealing:
    """A terminal's key and the parcels that it seals."""

    def __init__(self, folder: Path) -> None:
        key, certificate = own_identity(folder, "terminal")
        self.certificate = certificate.read_text()
        self.packer = Packer(fingerprint_of_pem(self.certificate, "own"), signer(key.read_bytes(), "own key"))

    def packed(self, journal: Journal, wanted: Packing) -> Packed:
        return self.packer.pack(journal, wanted)

    def opened(self, journal: Journal, wanted: Packing) -> Parcel:
        return open_parcel(self.packed(journal, wanted).parcel, self.certificate, "x")


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
        packed = sealing.packed(journal, PackEntries(first))
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
    packed = sealing.packed(journal, PackEntries(first))
    assert packed.parcel == b""
    assert "the journal ends at 3" in packed.problem


def test_more_than_one_parcel_holds_is_packed_from_the_oldest_on(journal: Journal, sealing: Sealing) -> None:
    journal.append(raws(30, size=200_000))
    packed = sealing.packed(journal, PackEntries(1))
    assert (packed.first, packed.last) == (1, 15)
    rest = sealing.packed(journal, PackEntries(packed.last + 1))
    assert (rest.first, rest.last) == (16, 30)


def test_a_card_that_cannot_be_read_is_an_answer_too(journal: Journal, sealing: Sealing) -> None:
    journal.append(raws(3))

    def worn(seq: int, count: int) -> tuple[bytes, ...]:
        raise Unavailable(f"disk I/O error at {seq}, {count}")

    journal.after = worn  # type: ignore[method-assign]  # a card at its end
    assert "disk I/O error" in sealing.packed(journal, PackEntries(1)).problem
