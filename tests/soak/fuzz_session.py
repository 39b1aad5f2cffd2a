"""A session's end that receives anything in any order: valid messages, wrong ones and noise, mixed.

Each byte of the input is an order to the script, or noise for the wire. The result must be events or a fault
of the peer, with no acknowledgement of unstored entries, and no more buffered than the window allows.
"""

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    Entries,
    Farewell,
    Hello,
    Message,
    MessageReader,
    message_bytes,
)
from sync.protocol.session import WINDOW, Forked, Session, StoreEntries
from tests.sync.two_ends import Log

_OURS, _THEIRS = StreamId("orders/1"), StreamId("table/1")
_EPOCH = Epoch("e" * 16)
_OTHER = Epoch("0" * 16)


class Script:
    """One session, and the knowledge of the other end about valid messages."""

    def __init__(self) -> None:
        self.ours = Log(_OURS, _EPOCH)
        self.ours.add(b"one", b"two")
        self.session = Session(self.ours, _THEIRS, None, 0)
        self.now_ms = 0
        self.sent = 0
        self.unstored: list[StoreEntries] = []
        self.stored = 0
        self.said = MessageReader()

    def take(self, order: int) -> None:
        match order:
            case 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9:
                self.hear(message_bytes(self.message(order)))
            case 10:
                self.ours.add(b"more")
                self.session.on_append(self.now_ms)
            case 11:
                self.store()
            case 12:
                self.now_ms += 4_000
                self.session.advance(self.now_ms)
            case _:
                self.hear(bytes([order]))

    def message(self, order: int) -> Message:
        """Return a message that the other end may or may not send now."""
        head = Head(_THEIRS, _EPOCH, 9, GENESIS)
        match order:
            case 0:
                return Hello(1, head, None)
            case 1:
                return Hello(1, head, self.ours.head())
            case 2:
                self.sent += 3
                return Entries(_EPOCH, self.sent - 2, (b"a", b"", b"c" * 900))
            case 3:
                return Entries(_EPOCH, self.sent + 2, (b"gap",))
            case 4:
                return Entries(_OTHER, 1, (b"x",))
            case 5:
                return Ack(_EPOCH, len(self.ours.raws), self.ours.hashes[-1])
            case 6:
                return Ack(_EPOCH, 1, b"?" * 32)
            case 7:
                return Beat()
            case 8:
                return Farewell("over", forked=True)
            case _:
                return Hello(1, Head(_THEIRS, _EPOCH, 0, GENESIS), Head(_OURS, _EPOCH, 2, b"?"))

    def hear(self, data: bytes) -> None:
        for outcome in self.session.receive(data, self.now_ms):
            if isinstance(outcome, StoreEntries):
                self.unstored.append(outcome)
            elif isinstance(outcome, Forked):
                raise PeerFault(outcome.problem)
        waiting = sum(len(store.raws) for store in self.unstored)
        assert waiting <= WINDOW, f"{waiting} entries wait in memory"
        assert self.session._reader.pending_bytes() <= LONGEST + 4
        self.check_said()

    def store(self) -> None:
        """Make the oldest batch durable."""
        if self.unstored:
            batch = self.unstored.pop(0)
            assert batch.first == self.stored + 1, "handed out of order"
            self.stored += len(batch.raws)
            self.session.on_stored(Head(_THEIRS, batch.epoch, self.stored, batch.hashes[-1]), self.now_ms)
            self.check_said()

    def check_said(self) -> None:
        """Check that nothing is acknowledged that is not stored."""
        for message in self.said.feed(self.session.outgoing()):
            assert not isinstance(message, Ack) or message.seq <= self.stored


def one_input(data: bytes) -> None:
    """Follow the orders until the connection ends."""
    script = Script()
    try:
        for order in data:
            script.take(order)
    except (PeerFault, Unavailable):
        return


SEEDS = (
    bytes([0, 2, 11, 2, 2, 11, 11, 5, 7]),
    bytes([1, 10, 5, 10, 10, 5, 12, 7, 12]),
    bytes([0, *([2] * 171), 11, 2]),
    bytes([0, 2, 3]),
    bytes([0, 8]),
    bytes([9]),
    bytes([0]) + message_bytes(Beat()) * 3,
)
