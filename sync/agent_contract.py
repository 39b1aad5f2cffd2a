"""The seam between a terminal's app and its journal and uplink."""

import enum
from typing import Protocol

import msgspec

from saloon.sync.findings import Finding
from saloon.sync.link.counters import Counters
from saloon.sync.messages import Cause
from saloon.sync.update.messages import UpdateReason, UpdateStage
from saloon.sync.update.news import UpdateNews


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
    REVOKED = "revoked"
    """The station does not know this terminal, or not any more."""


class LinkChanged(msgspec.Struct, frozen=True):
    """The link came, went or was refused. detail: for the log and the judge, in plain English."""

    phase: LinkPhase
    detail: str = ""


class JournalsDisagree(msgspec.Struct, frozen=True):
    """The station holds other entries of this terminal: a cloned or restored card. problem: plain English."""

    problem: str


class CardIsForeign(msgspec.Struct, frozen=True):
    """The card was made on another board: moved here, or a copy. Nothing is saved until a judge decides."""


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


class FoundStation(msgspec.Struct, frozen=True):
    """A station that calls itself out in this hall. name: as it says; anybody may say anything."""

    name: str
    address: str


class LinkReport(msgspec.Struct, frozen=True):
    """How the terminal is connected, for the screen and for ``doctor``.

    way: in use, or tried last. finding, fields: why the last try failed, None where none did; the
    sentence is a member of ``sync.findings.Finding``. detail: the same for an engineer. typed,
    found: addresses as ``host:port``. ways: all names in the order in which they are tried.
    tries, connections: since the start. heard_at_ms: when the station last spoke, monotonic.
    figures: what a serial link counts, None without one.
    """

    phase: LinkPhase
    way: str = ""
    finding: Finding | None = None
    fields: dict[str, str | int] = {}
    detail: str = ""
    typed: tuple[str, ...] = ()
    found: tuple[FoundStation, ...] = ()
    ways: tuple[str, ...] = ()
    tries: int = 0
    connections: int = 0
    heard_at_ms: int | None = None
    figures: Counters | None = None


class LinkTold(msgspec.Struct, frozen=True):
    """The report has changed."""

    report: LinkReport


class UseAddress(msgspec.Struct, frozen=True):
    """Try this address next, and keep it. address: ``host:port``."""

    address: str


class ForgetAddress(msgspec.Struct, frozen=True):
    """A typed address is not wanted any more."""

    address: str


class EnrolmentStage(enum.Enum):
    """How far a terminal is that asks to be taken in."""

    IDLE = "idle"
    SEARCHING = "searching"
    """For a station at the other end of a cable."""
    COMPARE = "compare"
    """The judge compares the check code."""
    TRYING_CODE = "trying-code"
    DONE = "done"
    FAILED = "failed"


class EnrolmentChanged(msgspec.Struct, frozen=True):
    """An enrolment went on, or ended. place: the way it goes. cause: why it failed, where that has a name.

    by_code: whether it was by a typed code. not_reached: nobody answered.
    """

    stage: EnrolmentStage
    check_code: str = ""
    place: str = ""
    cause: Cause = Cause.OTHER
    by_code: bool = False
    not_reached: bool = False


class CodeTyped(msgspec.Struct, frozen=True):
    """Somebody typed the station's code. address: ``host:port``; empty for the cable."""

    address: str
    code: str


class SendAgain(msgspec.Struct, frozen=True):
    """Begin the way to the station anew, now: all that it has not received goes out again."""


class MayFetch(msgspec.Struct, frozen=True):
    """Whether the table has nothing to do, so that a new version may be fetched."""

    is_idle: bool


class UpdateGoesOn(msgspec.Struct, frozen=True):
    """What the app has done with a fetched version, to be told to the station."""

    stage: UpdateStage
    reason: UpdateReason = UpdateReason.NONE


UpdateRequest = MayFetch | UpdateGoesOn
LinkRequest = UseAddress | ForgetAddress | CodeTyped | SendAgain
AgentRequest = LinkRequest | UpdateRequest

AgentNews = (
    Saved
    | Received
    | OrderArrived
    | LinkChanged
    | LinkTold
    | JournalFailed
    | JournalsDisagree
    | CardIsForeign
    | Packed
    | EnrolmentChanged
    | UpdateNews
)


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

    def ask(self, request: AgentRequest) -> None:
        """Ask for something about the way to the station; news follow."""

    def fileno(self) -> int:
        """A file that becomes readable when there is news."""

    def news(self) -> tuple[AgentNews, ...]:
        """What happened since the last call, oldest first."""

    def pack(self, wanted: Packing) -> None:
        """Make a parcel of what is durable; ``Packed`` follows."""

    def stop(self) -> None:
        """Save what is handed over, close wires and journal, end the thread."""
