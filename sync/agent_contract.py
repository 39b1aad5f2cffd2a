"""The seam between a terminal's app and its journal and uplink."""

import enum
from typing import Protocol

import msgspec


class Saved(msgspec.Struct, frozen=True):
    """Entries up to this sequence number survive a power cut."""

    seq: int


class Received(msgspec.Struct, frozen=True):
    """Entries up to this sequence number are on the judge's disk."""

    seq: int


class OrderArrived(msgspec.Struct, frozen=True):
    """An order of the station is in the journal. body: MessagePack.

    seq: its number among all orders that ever arrived, from 1; a restored station does not start it anew.
    """

    seq: int
    body: bytes


class LinkPhase(enum.Enum):
    """How the way to the station is."""

    NOT_ENROLLED = "not-enrolled"
    SEARCHING = "searching"
    CONNECTED = "connected"
    REFUSED = "refused"


class LinkChanged(msgspec.Struct, frozen=True):
    """The link came, went or was refused. detail: for the log and the judge, in plain English."""

    phase: LinkPhase
    detail: str = ""


class JournalFailed(msgspec.Struct, frozen=True):
    """The journal cannot be written (disk full, worn card); entries wait in memory and are tried again."""

    problem: str


class PackEntries(msgspec.Struct, frozen=True):
    """A parcel of the own entries from a number up to the journal's head."""

    first: int


class PackSheet(msgspec.Struct, frozen=True):
    """A parcel of a finished result, as ``parcel.CarriedSheet`` describes it."""

    game: str
    confirmed: str
    result: bytes


Packing = PackEntries | PackSheet


class Packed(msgspec.Struct, frozen=True):
    """A parcel was made. first, last: numbers of its entries, 0 for none. problem: why there is none."""

    wanted: Packing
    parcel: bytes = b""
    first: int = 0
    last: int = 0
    problem: str = ""


AgentNews = Saved | Received | OrderArrived | LinkChanged | JournalFailed | Packed


class Resumed(msgspec.Struct, frozen=True):
    """What the journal held when the terminal started.

    own: bodies of the terminal's entries, oldest first, from sequence 1. orders: likewise.
    received: the last of the own entries known to be on the judge's disk.
    """

    own: tuple[bytes, ...]
    orders: tuple[bytes, ...]
    received: int


class Agent(Protocol):
    """Journal and uplink of one terminal, on a thread of their own. Never blocks the caller."""

    def start(self) -> Resumed:
        """Open the journal (this may block), start the thread."""

    def append(self, body: bytes) -> int:
        """Hand over the body of the next entry; its sequence number. ``Saved`` follows."""

    def fileno(self) -> int:
        """A file that becomes readable when there is news."""

    def news(self) -> tuple[AgentNews, ...]:
        """What happened since the last call, oldest first."""

    def pack(self, wanted: Packing) -> None:
        """Make a parcel of what is durable; ``Packed`` follows."""

    def stop(self) -> None:
        """Save what is handed over, close wires and journal, end the thread."""
