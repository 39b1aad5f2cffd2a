"""The interfaces between a terminal's app, its agent and its connections."""

import enum
from typing import Protocol

import msgspec

from base.errors import SaloonError
from sync.link.counters import Counters
from sync.ports.addresses import FoundStation
from sync.ports.findings import Finding
from sync.protocol.messages import CloseCause
from sync.update.messages import UpdateNews, UpdateReason, UpdateStage


class Saved(msgspec.Struct, frozen=True):
    """Entries up to this sequence number survive a power cut."""

    seq: int


class Received(msgspec.Struct, frozen=True):
    """The station has durably stored the entries up to this sequence number."""

    seq: int


class OrderArrived(msgspec.Struct, frozen=True):
    """An order from the station was stored in the journal.

    ``body`` is MessagePack. ``seq`` counts all orders ever received, from 1, even if a restored station
    starts again.
    """

    seq: int
    body: bytes


class LinkPhase(enum.Enum):
    """The state of the connection to the station."""

    NOT_ENROLLED = "not-enrolled"
    SEARCHING = "searching"
    CONNECTED = "connected"
    REFUSED = "refused"
    REVOKED = "revoked"
    """The station does not know this terminal, or has revoked it."""


class LinkChanged(msgspec.Struct, frozen=True):
    """The connection came up, was lost or was refused. ``detail`` is in English, for logs and the judge."""

    phase: LinkPhase
    detail: str = ""


class JournalsDisagree(msgspec.Struct, frozen=True):
    """The station has other entries of this terminal, as after cloning or restoring a card.

    ``problem`` is in English.
    """

    problem: str


class CardIsForeign(msgspec.Struct, frozen=True):
    """The card was created on another board. Nothing is saved until a judge decides."""


class JournalFailed(msgspec.Struct, frozen=True):
    """The journal can't be written, as on a full or worn card. Entries wait in memory for a later commit."""

    problem: str


class PackEntries(msgspec.Struct, frozen=True):
    """A request for a parcel of the terminal's entries from number ``first`` on."""

    first: int


class PackSheet(msgspec.Struct, frozen=True):
    """A request for a parcel of a finished result; see ``parcel.CarriedSheet``."""

    game: str
    confirmed: str
    result: bytes


Packing = PackEntries | PackSheet


class Packed(msgspec.Struct, frozen=True):
    """A parcel was made, or ``problem`` is the reason why not.

    ``first`` and ``last`` are the numbers of its entries, or 0 if it has none.
    """

    wanted: Packing
    parcel: bytes = b""
    first: int = 0
    last: int = 0
    problem: str = ""


class LinkReport(msgspec.Struct, frozen=True):
    """A report on the terminal's connection, for the screen and for ``doctor``.

    way: the route in use or last tried.
    finding, fields, detail: the reason why the last try failed, as a sentence and for an engineer.
    typed, found: addresses as ``host:port``.
    ways: names of all routes, in the order of trying.
    tries, connections: their numbers since the start.
    heard_at_ms: when the station's last message arrived, monotonic.
    figures: the counters of a serial link, or None over TCP.
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


class LinkReported(msgspec.Struct, frozen=True):
    """The link report has changed."""

    report: LinkReport


class UseAddress(msgspec.Struct, frozen=True):
    """Store this address (``host:port``), and try it next."""

    address: str


class ForgetAddress(msgspec.Struct, frozen=True):
    """Forget a typed address."""

    address: str


class EnrolmentStage(enum.Enum):
    """The stage of a terminal's enrolment."""

    IDLE = "idle"
    SEARCHING = "searching"
    """The terminal is looking for a station at the other end of a cable."""
    COMPARE = "compare"
    """The judge is comparing the check codes."""
    TRYING_CODE = "trying-code"
    DONE = "done"
    FAILED = "failed"


class EnrolmentChanged(msgspec.Struct, frozen=True):
    """An enrolment made progress or ended. ``place`` is the name of its route."""

    stage: EnrolmentStage
    check_code: str = ""
    place: str = ""
    cause: CloseCause = CloseCause.OTHER
    by_code: bool = False
    not_reached: bool = False


class TryJoinCode(msgspec.Struct, frozen=True):
    """Enrol with the code that somebody typed, at this ``host:port``, or by cable if it is empty."""

    address: str
    code: str


class SendAgain(msgspec.Struct, frozen=True):
    """Reconnect to the station now, and send all entries that it has not received."""


class IdleChanged(msgspec.Struct, frozen=True):
    """The table became idle, so that a new version may be fetched, or is in use again."""

    is_idle: bool


class UpdateProgress(msgspec.Struct, frozen=True):
    """The app's progress with a fetched version, to be reported to the station."""

    stage: UpdateStage
    reason: UpdateReason = UpdateReason.NONE


UpdateRequest = IdleChanged | UpdateProgress
LinkRequest = UseAddress | ForgetAddress | TryJoinCode | SendAgain
AgentRequest = LinkRequest | UpdateRequest

AgentNews = (
    Saved
    | Received
    | OrderArrived
    | LinkChanged
    | LinkReported
    | JournalFailed
    | JournalsDisagree
    | CardIsForeign
    | Packed
    | EnrolmentChanged
    | UpdateNews
)


class Resumed(msgspec.Struct, frozen=True):
    """The journal's content when the terminal started, from sequence number 1 on.

    ``received`` is the last of its own entries known to be stored at the station.
    """

    own: tuple[bytes, ...]
    orders: tuple[bytes, ...]
    received: int


class Agent(Protocol):
    """The journal and uplink of one terminal, on a separate thread. Never blocks the caller."""

    def start(self) -> Resumed:
        """Open the journal, which may block, and start the thread."""

    def append(self, body: bytes) -> int:
        """Hand over the body of the next entry and return its number. ``Saved`` follows."""

    def ask(self, request: AgentRequest) -> None:
        """Request a change of the connection to the station. News follows."""

    def fileno(self) -> int:
        """Return a file descriptor that becomes readable when there is news."""

    def news(self) -> tuple[AgentNews, ...]:
        """Return the news since the last call, oldest first."""

    def pack(self, wanted: Packing) -> None:
        """Request a parcel of durable entries. ``Packed`` follows."""

    def stop(self) -> None:
        """Save all bodies handed over, close wires and journal, and stop the thread."""


class UplinkContract(Protocol):
    """The connections of a terminal, which the agent's thread owns.

    If ``step`` raises an error, the agent passes it to ``on_failed``.
    """

    @property
    def received(self) -> int:
        """The last of the terminal's entries known to be stored at the station."""

    @property
    def report(self) -> LinkReport: ...

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 if there is none."""

    def wants_write(self) -> bool:
        """Return whether to wait for writability as well."""

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Return how long the owner may sleep before the next ``step``."""

    def resume(self, orders: int) -> None:
        """Start after the journal was opened. ``orders`` is the number of orders that the app has received.

        Raises Unavailable.
        """

    def on_appended(self) -> None:
        """Send new durable entries in the next ``step``."""

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Carry out a request of the app, and return the resulting news. Raises Unavailable."""

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Do the next piece of work and return the resulting news."""

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Handle an error that ``step`` raised."""

    def close(self) -> None:
        """Release the wire."""
