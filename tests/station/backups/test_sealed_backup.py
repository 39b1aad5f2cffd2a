"""Sealed backups: opened by their passphrase, by nothing else, and never in part."""

import pytest

from base.errors import BadData
from station.backups.sealed_backup import is_sealed, open_sealed_backup, recipient_of, seal_backup

PASSPHRASE = "nobody reads this, partner"
CONTENT = b"SQLite format 3\x00" + bytes(range(256)) * 20


def opened(sealed: bytes, passphrase: str = PASSPHRASE) -> bytes:
    return open_sealed_backup(sealed, passphrase, "copy.sealed")


@pytest.mark.slow
def test_what_is_sealed_is_opened_by_the_passphrase() -> None:
    recipient = recipient_of(PASSPHRASE)
    sealed = seal_backup(CONTENT, recipient)
    assert is_sealed(sealed)
    assert not is_sealed(CONTENT)
    assert opened(sealed) == CONTENT
    assert CONTENT[:16] not in sealed
    assert len(sealed) == 96 + len(CONTENT) + 16


@pytest.mark.slow
def test_the_station_keeps_nothing_that_opens_a_backup_and_no_two_are_alike() -> None:
    recipient = recipient_of(PASSPHRASE)
    first, second = seal_backup(CONTENT, recipient), seal_backup(CONTENT, recipient)
    assert first[:64] == second[:64]
    assert first[64:96] != second[64:96]
    assert first[96:] != second[96:]
    with pytest.raises(BadData, match="not its passphrase"):
        opened(first, recipient.public.hex())


@pytest.mark.slow
def test_a_wrong_passphrase_and_a_short_one_are_named() -> None:
    sealed = seal_backup(CONTENT, recipient_of(PASSPHRASE))
    with pytest.raises(BadData, match="not its passphrase"):
        opened(sealed, PASSPHRASE + "!")
    with pytest.raises(BadData, match="12 characters"):
        recipient_of("too short")


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("place", [70, 100, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(seal_backup(CONTENT, recipient_of(PASSPHRASE)))
    sealed[place] ^= 1
    with pytest.raises(BadData, match="damaged"):
        opened(bytes(sealed))


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("length", [16, 95, 96, 110, 500])
def test_a_file_that_was_cut_short_is_noticed(length: int) -> None:
    sealed = seal_backup(CONTENT, recipient_of(PASSPHRASE))
    with pytest.raises(BadData, match=r"incomplete"):
        opened(sealed[:length])


@pytest.mark.slow
def test_a_passphrase_is_the_same_from_every_keyboard() -> None:
    sealed = seal_backup(CONTENT, recipient_of("nobody reads this, p\u00e4rtner"))
    assert opened(sealed, "nobody reads this, pa\u0308rtner") == CONTENT
