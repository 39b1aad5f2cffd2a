"""Parcels and their parts: any bytes are a parcel that its terminal signed, or refused; junk isn't kept."""

import contextlib
import zlib

import msgspec

from base.signing import signer
from sync.protocol.entry import GENESIS, Epoch, chained_hash
from sync.protocol.parcel import (
    MAGIC,
    PREFIX,
    SIGNED_AS,
    BadParcel,
    CarriedEntries,
    CarriedSheet,
    Content,
    ParcelAssembler,
    claimed_sender,
    open_parcel,
    part_of,
    parts_of,
    seal_parcel,
    text_of,
)
from sync.tls.certificates import fingerprint_of_pem, generate_certificate

_KEY, _CERTIFICATE = generate_certificate("terminal")
_TERMINAL = fingerprint_of_pem(_CERTIFICATE, "own")
_SIGN = signer(_KEY.encode(), "key")
_RAWS = (b"one", b"two" * 30)
_AFTER = chained_hash(chained_hash(GENESIS, _RAWS[0]), _RAWS[1])
_CONTENTS: tuple[Content, ...] = (
    CarriedEntries(Epoch("5" * 16), 1, GENESIS, _AFTER, _RAWS),
    CarriedSheet(Epoch("5" * 16), 7, GENESIS, "game", "pin", b"\x92\xa4game\x80"),
)
_PARCELS = tuple(seal_parcel(_TERMINAL, content, _SIGN) for content in _CONTENTS)
SEEDS = (
    *_PARCELS,
    *(part.encode() for parcel in _PARCELS for part in parts_of(parcel)),
    *(msgspec.msgpack.encode(content) for content in _CONTENTS),
    *(zlib.compress(msgspec.msgpack.encode(content)) for content in _CONTENTS),
)
_MOST_HELD = 16


def one_input(data: bytes) -> None:
    """Read the bytes as a parcel, as signed and as packed content, and as lines of parts."""
    if data not in _PARCELS:
        assert not believed(data)
    for packed in (data, zlib.compress(data, 1)):
        body = MAGIC + bytes.fromhex(_TERMINAL) + packed
        believed(body + _SIGN(SIGNED_AS + body))
    gathered(data.decode("latin-1"))


def believed(parcel: bytes) -> bool:
    """Return whether a parcel opens, in which case it must seal and open again to the same."""
    try:
        assert claimed_sender(parcel, "x") == _TERMINAL or not parcel.startswith(
            MAGIC + bytes.fromhex(_TERMINAL)
        )
        opened = open_parcel(parcel, _CERTIFICATE, "x")
    except BadParcel:
        return False
    assert (
        open_parcel(seal_parcel(_TERMINAL, opened.content, _SIGN), _CERTIFICATE, "x").content
        == opened.content
    )
    return True


def gathered(text: str) -> None:
    """Check that valid parts encode to the same text, and assembled parcels are cut into the same parts."""
    gathering = ParcelAssembler()
    for line in text.splitlines():
        with contextlib.suppress(BadParcel):
            part = part_of(line, "x")
            assert text_of(part) == line.strip()
            whole = gathering.add(part)
            if whole is not None and part.count == 1:
                assert parts_of(whole)[0].startswith(PREFIX)
    assert len(gathering.progress()) <= _MOST_HELD
