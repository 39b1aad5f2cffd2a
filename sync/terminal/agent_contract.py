"""The interfaces between a terminal's app and its agent, and between the agent and its connections."""

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
    """The judge's station has durably stored the entries up to this sequence number."""

    seq: int


class OrderArrived(msgspec.Struct, frozen=True):
    """An order from the station was stored in the journal.

    ``body`` is MessagePack. ``seq`` is its number among all orders ever received, from 1; a restored station
    does not restart it.
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
    """The station does not know this terminal, or no longer does."""


class LinkChanged(msgspec.Struct, frozen=True):
    """The link came up, went down or was refused. ``detail`` is a text for logs and the judge, in English."""

    phase: LinkPhase
    detail: str = ""


class JournalsDisagree(msgspec.Struct, frozen=True):
    """The station has different entries of this terminal: a cloned or restored card.

    ``problem`` is in English.
    """

    problem: str


class CardIsForeign(msgspec.Struct, frozen=True):
    """The card was created on another board: moved or copied. Nothing is saved until a judge decides."""


class JournalFailed(msgspec.Struct, frozen=True):
    """The journal can't be written (disk full, worn card); entries stay in memory and are tried again."""

    problem: str


class PackEntries(msgspec.Struct, frozen=True):
    """A request for a parcel of the terminal's entries from a number up to the journal's head."""

    first: int


class PackSheet(msgspec.Struct, frozen=True):
    """A request for a parcel of a finished result; see ``parcel.CarriedSheet``."""

    game: str
    confirmed: str
    result: bytes


Packing = PackEntries | PackSheet


class Packed(msgspec.Struct, frozen=True):
    """A parcel was made, or ``problem`` explains why not. Numbers are 0 without entries."""

    wanted: Packing
    parcel: bytes = b""
    first: int = 0
    last: int = 0
    problem: str = ""


class LinkReport(msgspec.Struct, frozen=True):
    """A report on the terminal's connection, for the screen and for ``doctor``.

    way: the route in use or last tried.
    finding, fields: the reason why the last try failed, None if it didn't; the sentence is a member of
        ``Finding``.
    detail: the same for an engineer.
    typed, found: addresses as ``host:port``.
    ways: names of all routes in the order they are tried.
    tries, connections: their numbers since the start.
    heard_at_ms: last message from the station, monotonic.
    figures: the counters of a serial link, None without one.
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
    """Try this address (``host:port``) next, and store it."""

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
    """The judge compares the check codes."""
    TRYING_CODE = "trying-code"
    DONE = "done"
    FAILED = "failed"


class EnrolmentChanged(msgspec.Struct, frozen=True):
    """An enrolment made progress or ended. ``place`` is its route."""

    stage: EnrolmentStage
    check_code: str = ""
    place: str = ""
    cause: CloseCause = CloseCause.OTHER
    by_code: bool = False
    not_reached: bool = False


class TryJoinCode(msgspec.Struct, frozen=True):
    """Somebody typed the station's code. ``address`` is a ``host:port``, or empty for the cable."""

    address: str
    code: str


class SendAgain(msgspec.Struct, frozen=True):
    """Reconnect to the station now, and send all entries again that it has not received."""


class IdleChanged(msgspec.Struct, frozen=True):
    """The table became idle, so that a new version may be fetched, or stopped being idle."""

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
    """The journal's content when the terminal started.

    own: bodies of the terminal's entries, oldest first, from sequence 1.
    orders: bodies of orders, in the same way.
    received: the last of the terminal's entries known to be stored at the station.
    """

    own: tuple[bytes, ...]
    orders: tuple[bytes, ...]
    received: int


class Agent(Protocol):
    """The journal and uplink of one terminal, on a separate thread. Never blocks the caller."""

    def start(self) -> Resumed:
        """Open the journal (this may block) and start the thread."""

    def append(self, body: bytes) -> int:
        """Hand over the body of the next entry and return its sequence number. ``Saved`` follows."""

    def ask(self, request: AgentRequest) -> None:
        """Make a request about the connection to the station; news follows."""

    def fileno(self) -> int:
        """Return a file descriptor that becomes readable when there is news."""

    def news(self) -> tuple[AgentNews, ...]:
        """Return the news since the last call, oldest first."""

    def pack(self, wanted: Packing) -> None:
        """Request a parcel of durable entries; ``Packed`` follows."""

    def stop(self) -> None:
        """Save the bodies handed over, close wires and journal, and stop the thread."""


class UplinkContract(Protocol):
    """An ``Uplink`` to a known station, or the ``TerminalConnector`` of a terminal that can also enrol.

    Owned by the agent's thread; pass any error raised by ``step`` to ``on_failed``.
    """

    @property
    def received(self) -> int:
        """The last of the terminal's entries known to be stored at the station."""

    @property
    def report(self) -> LinkReport:
        """The report on the terminal's connection."""

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 for none."""

    def wants_write(self) -> bool:
        """Return whether to wait for writability as well."""

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Return how long the owner may sleep, in seconds."""

    def resume(self, orders: int) -> None:
        """Start with an open journal. ``orders`` is the number of its orders that the app knows.

        Raises Unavailable.
        """

    def on_appended(self) -> None:
        """Handle new durable entries in the journal."""

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Carry out a request about the connection to the station. Raises Unavailable."""

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Do the next piece of work and return the resulting news."""

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Handle an error that ``step`` raised."""

    def close(self) -> None:
        """Release the wire."""
