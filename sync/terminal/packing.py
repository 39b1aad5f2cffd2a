"""Making parcels from a terminal's journal, on the journal's thread."""

from typing import assert_never

from base.errors import OurFault, SaloonError
from base.signing import Sign
from sync.offline.parcel import CarriedEntries, CarriedSheet, Content, seal_parcel
from sync.protocol.entry import TerminalId
from sync.protocol.session import Outbox
from sync.terminal.agent_contract import Packed, PackEntries, Packing, PackSheet

_MOST_BYTES = 3 * 1024 * 1024
"""The most bytes of entries in one parcel, so that a station accepts it even if it can't be compressed."""
_AT_A_TIME = 256


class Packer:
    """A sealer of parcels with a terminal's key."""

    def __init__(self, terminal: TerminalId, sign: Sign) -> None:
        self._terminal = terminal
        self._sign = sign

    def pack(self, journal: Outbox, wanted: Packing) -> Packed:
        """Return the requested parcel, or the reason why it can't be made. Never raises for a bad card."""
        try:
            content = _content(journal, wanted)
            parcel = seal_parcel(self._terminal, content, self._sign)
        except SaloonError as error:
            return Packed(wanted, problem=str(error))
        if isinstance(content, CarriedEntries):
            return Packed(wanted, parcel, content.first, content.last)
        return Packed(wanted, parcel)


def _content(journal: Outbox, wanted: Packing) -> Content:
    match wanted:
        case PackSheet():
            head = journal.head()
            return CarriedSheet(head.epoch, head.seq, head.hash, wanted.game, wanted.confirmed, wanted.result)
        case PackEntries():
            return _entries(journal, wanted.first)
        case _:
            assert_never(wanted)


def _entries(journal: Outbox, first: int) -> CarriedEntries:
    raws: list[bytes] = []
    size, head = 0, journal.head()
    while first + len(raws) <= head.seq and size < _MOST_BYTES:
        entries = journal.after(first - 1 + len(raws), _AT_A_TIME)
        if not entries:
            break
        for raw in entries:
            if raws and size + len(raw) > _MOST_BYTES:
                size = _MOST_BYTES
                break
            raws.append(raw)
            size += len(raw)
    before, after = journal.hash_at(first - 1), journal.hash_at(first - 1 + len(raws))
    if not raws or before is None or after is None:
        raise OurFault(f"no entries from {first} on; the journal ends at {head.seq}")
    return CarriedEntries(head.epoch, first, before, after, tuple(raws))
