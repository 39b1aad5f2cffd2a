"""The synchronisation of two journals over one connection: send, store and acknowledge; sans-I/O.

Both ends run the same machine: each sends one stream and receives one. Bytes come in by ``receive`` and go
out by ``outgoing``, and time arrives as an argument. The owner stores received entries, and reports when they
are durable.
"""

from collections import deque
from typing import Protocol

import msgspec

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId, chained_hash
from sync.protocol.messages import (
    LONGEST,
    VERSION,
    Ack,
    Beat,
    CloseCause,
    Enrolling,
    Entries,
    Farewell,
    Hello,
    Message,
    MessageExchange,
    TurnedAway,
)
from sync.update.bundle import About
from sync.update.messages import UpdateMessage, UpdateOffer, UpdatePiece, UpdateReported, UpdateWant

BEAT_MS = 5_000
SILENCE_MS = 15_000
WINDOW = 512
"""The most entries in flight without an ack."""
WINDOW_BYTES = 1024 * 1024
"""The most bytes of entries in flight without an ack; the last message may exceed it."""
BATCH = 64
"""The most entries in one message."""
BATCH_BYTES = 64 * 1024
"""The most bytes of entries in one message, unless a single entry is larger."""

_LONGEST_EPOCH = 16
_LAST_NUMBER = 2**63 - 1


class Outbox(Protocol):
    """The stream that this end sends, from its journal."""

    def head(self) -> Head:
        """Return the durable head of the stream."""

    def hash_at(self, seq: int) -> bytes | None:
        """Return the chained hash after an entry; GENESIS for 0, None if missing."""

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        """Return up to ``count`` entries after a sequence number, in order."""


class StoreEntries(msgspec.Struct, frozen=True):
    """A request to make these entries durable and then to call ``on_stored``.

    ``hashes`` contains the chained hash after each entry.
    """

    stream: StreamId
    epoch: Epoch
    first: int
    raws: tuple[bytes, ...]
    hashes: tuple[bytes, ...]


class Acknowledged(msgspec.Struct, frozen=True):
    """The other end has durably stored our entries up to this number."""

    seq: int


class PeerOwes(msgspec.Struct, frozen=True):
    """The number of entries that the other end has and this end doesn't."""

    entries: int


class Forked(msgspec.Struct, frozen=True):
    """The two ends have different entries under the same number, as after cloning or restoring a card."""

    stream: StreamId
    seq: int
    problem: str


class OfUpdate(msgspec.Struct, frozen=True):
    """A message about a new version, whose sender the owner must check."""

    message: UpdateMessage


Outcome = StoreEntries | Acknowledged | PeerOwes | Forked | OfUpdate


class Session(MessageExchange):
    """One end of a connection that synchronises two journals.

    outbox: the stream to send.
    receives: the stream to receive.
    held: its durable head at this end, or None if it is empty.
    about: this end's program, or None to omit it.
    at_ms: this end's wall clock, in milliseconds since 1970, or 0 to omit it.
    """

    def __init__(
        self,
        outbox: Outbox,
        receives: StreamId,
        held: Head | None,
        now_ms: int,
        about: About | None = None,
        *,
        at_ms: int = 0,
    ) -> None:
        super().__init__(LONGEST)
        self._about = about
        self.peer_about: About | None = None
        self.peer_at_ms = 0
        self._outbox = outbox
        self._receives = receives
        self._held = held
        self._greeted = False
        self._acked = 0
        self._sent = 0
        self._epoch: Epoch | None = None
        self._behind: Forked | None = None
        self._taken = 0
        self._taken_hash = GENESIS
        self._on_the_way = _Sizes()
        self._unstored = _Sizes()
        self._last_heard_ms = now_ms
        self._say(Hello(VERSION, outbox.head(), held, about, at_ms), now_ms)

    @property
    def is_greeted(self) -> bool:
        """Return whether the other end sent a hello that is consistent with our journal."""
        return self._greeted

    @property
    def unacknowledged(self) -> int:
        """The number of our entries that are not acknowledged yet."""
        return self._outbox.head().seq - self._acked

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process the other end's bytes, and return the outcomes for the owner.

        Raises PeerFault, which ends the connection.
        """
        outcomes: list[Outcome] = []
        if data:
            self._last_heard_ms = now_ms
        for message in self._reader.feed(data):
            outcomes.extend(self._on_message(message, now_ms))
            if outcomes and isinstance(outcomes[-1], Forked):
                # The connection ends here; later messages in the same chunk must not hide the reason.
                break
        return tuple(outcomes)

    def on_append(self, now_ms: int) -> None:
        """Send new durable entries of our stream that fit into the window."""
        if not self._greeted:
            return
        head = self._outbox.head()
        way = self._on_the_way
        while self._sent < head.seq and way.count < WINDOW and way.total < WINDOW_BYTES:
            room = min(BATCH, WINDOW - way.count)
            raws = _fitting_one_message(self._outbox.after(self._sent, room))
            if not raws:
                return
            self._say(Entries(head.epoch, self._sent + 1, raws), now_ms)
            self._sent += len(raws)
            way.add(raws)

    def on_stored(self, held: Head, now_ms: int) -> None:
        """Acknowledge entries of ``StoreEntries`` after they became durable up to this head."""
        self._held = held
        self._unstored.keep(self._taken - held.seq)
        self._say(Ack(held.epoch, held.seq, held.hash), now_ms)

    def advance(self, now_ms: int) -> None:
        """Send a heartbeat if nothing else was sent for a while.

        Raises Unavailable if the other end has been silent for too long.
        """
        if now_ms - self._last_heard_ms >= SILENCE_MS:
            raise Unavailable(f"nothing heard for {SILENCE_MS // 1000} s")
        if now_ms - self._spoke_ms >= BEAT_MS:
            self._say(Beat(), now_ms)

    def next_deadline_ms(self) -> int:
        return min(self._last_heard_ms + SILENCE_MS, self._spoke_ms + BEAT_MS)

    def say_of_update(self, message: UpdateMessage, now_ms: int) -> None:
        """Queue a message about a new version, if the other end supports such messages."""
        if self._knows_updates():
            self._say(message, now_ms)

    def farewell(
        self, reason: str, now_ms: int, *, forked: bool = False, cause: CloseCause = CloseCause.OTHER
    ) -> None:
        """Send the reason why the connection ends. ``forked`` is True if the two journals disagree."""
        self._say(Farewell(reason, forked, cause), now_ms)

    def _on_message(self, message: Message, now_ms: int) -> tuple[Outcome, ...]:
        if not self._greeted and not isinstance(message, Hello | Farewell):
            raise PeerFault("the first message must be a hello")
        match message:
            case Hello():
                return self._greet(message, now_ms)
            case Entries():
                return self._take(message)
            case Ack():
                return self._on_ack(message, now_ms)
            case Beat():
                return ()
            case Farewell(forked=True):
                # The other end noticed it first; both must report it.
                return (self._behind or Forked(self._outbox.head().stream, self._acked, message.reason),)
            case UpdateOffer() | UpdateWant() | UpdatePiece() | UpdateReported():
                if not self._knows_updates():
                    raise PeerFault("an update message, although one end has not reported its program")
                return (OfUpdate(message),)
            case Farewell():
                raise TurnedAway(f"the other end said farewell: {message.reason}", message.cause)
            case _:
                # Thanks to this type, mypy reports any other kind of message.
                enrolling: Enrolling = message
                raise PeerFault(f"enrolment has no place in a session ({type(enrolling).__name__})")

    def _knows_updates(self) -> bool:
        return self._greeted and self._about is not None and self.peer_about is not None

    def _greet(self, hello: Hello, now_ms: int) -> tuple[Outcome, ...]:
        if self._greeted:
            raise PeerFault("a second hello")
        if hello.version != VERSION:
            raise PeerFault(f"the other end speaks version {hello.version}, we speak {VERSION}")
        if hello.sending.stream != self._receives:
            raise PeerFault(f"stream {hello.sending.stream} is not the one expected on this connection")
        for head in (hello.sending, hello.holding):
            if head is not None:
                _check_head(head)
        fork = self._fork_of_ours(hello.holding) or self._fork_of_theirs(hello.sending)
        if fork is not None:
            return (fork,)
        self._behind = self._possible_rollback(hello.sending)
        self._greeted = True
        self.peer_about = hello.about
        self.peer_at_ms = hello.at_ms
        self._epoch = hello.sending.epoch
        if self._held is not None and self._held.epoch == self._epoch:
            self._taken, self._taken_hash = self._held.seq, self._held.hash
        ours = self._outbox.head()
        if hello.holding is not None and hello.holding.epoch == ours.epoch:
            self._acked = self._sent = hello.holding.seq
        self.on_append(now_ms)
        return (Acknowledged(self._acked), PeerOwes(max(0, hello.sending.seq - self._taken)))

    def _fork_of_ours(self, holding: Head | None) -> Forked | None:
        ours = self._outbox.head()
        if holding is None or holding.epoch != ours.epoch:
            return None
        if self._outbox.hash_at(holding.seq) == holding.hash:
            return None
        return Forked(ours.stream, holding.seq, "the other end has different entries for our stream")

    def _fork_of_theirs(self, sending: Head) -> Forked | None:
        held = self._held
        if held is None or held.epoch != sending.epoch:
            return None
        if sending.seq == held.seq and sending.hash != held.hash:
            return Forked(
                sending.stream, sending.seq, "the writer's entries differ from those it sent earlier"
            )
        return None

    def _possible_rollback(self, sending: Head) -> Forked | None:
        """Return the fork to report if the sender has fewer entries than we hold.

        It is not reported until the sender confirms it, as a delayed hello from an old connection looks the
        same.
        """
        held = self._held
        if held is None or held.epoch != sending.epoch or sending.seq >= held.seq:
            return None
        return Forked(sending.stream, sending.seq, "the writer has fewer entries than it sent earlier")

    def _take(self, entries: Entries) -> tuple[Outcome, ...]:
        if entries.epoch != self._epoch or entries.first != self._taken + 1 or not entries.raws:
            raise PeerFault(f"entries from {entries.first}, expected from {self._taken + 1}")
        self._unstored.add(entries.raws)
        if self._unstored.count > WINDOW or self._unstored.total > WINDOW_BYTES + LONGEST:
            raise PeerFault(f"more than {WINDOW} entries, or {WINDOW_BYTES} bytes of them, without an ack")
        hashes: list[bytes] = []
        for raw in entries.raws:
            self._taken_hash = chained_hash(self._taken_hash, raw)
            hashes.append(self._taken_hash)
        self._taken += len(entries.raws)
        return (StoreEntries(self._receives, entries.epoch, entries.first, entries.raws, tuple(hashes)),)

    def _on_ack(self, ack: Ack, now_ms: int) -> tuple[Outcome, ...]:
        head = self._outbox.head()
        if ack.epoch != head.epoch or not self._acked <= ack.seq <= self._sent:
            raise PeerFault(f"an ack of {ack.seq}; expected {self._acked} to {self._sent}")
        if self._outbox.hash_at(ack.seq) != ack.hash:
            return (Forked(head.stream, ack.seq, "the other end acknowledges entries that are not ours"),)
        self._acked = ack.seq
        self._on_the_way.keep(self._sent - ack.seq)
        self.on_append(now_ms)
        return (Acknowledged(ack.seq),)


class _Sizes:
    """The number and the bytes of entries in flight."""

    def __init__(self) -> None:
        self._sizes: deque[int] = deque()
        self.total = 0

    @property
    def count(self) -> int:
        return len(self._sizes)

    def add(self, raws: tuple[bytes, ...]) -> None:
        for raw in raws:
            self._sizes.append(len(raw))
            self.total += len(raw)

    def keep(self, count: int) -> None:
        while len(self._sizes) > max(0, count):
            self.total -= self._sizes.popleft()


def _fitting_one_message(raws: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return as many leading entries as fit into one message, but never none."""
    size = 0
    for i, raw in enumerate(raws):
        size += len(raw)
        if i and size > BATCH_BYTES:
            return raws[:i]
    return raws


def _check_head(head: Head) -> None:
    is_life = head.epoch.isascii() and head.epoch.isalnum() and len(head.epoch) <= _LONGEST_EPOCH
    if not is_life or not 0 <= head.seq <= _LAST_NUMBER or len(head.hash) != len(GENESIS):
        raise PeerFault("the hello contains an impossible epoch, number or hash")
