"""Two sessions with journals in memory, and the wire between them."""

from sync.protocol.entry import GENESIS, Epoch, Head, StreamId, chained_hash
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from sync.update.bundle import About
from sync.update.messages import UpdateMessage

TABLE, ORDERS = StreamId("table/1"), StreamId("orders/1")


class Log:
    """A stream with its hashes, or the durable copy of the other end's."""

    def __init__(self, stream: StreamId, epoch: str) -> None:
        self.stream = stream
        self.epoch = Epoch(epoch)
        self.raws: list[bytes] = []
        self.hashes = [GENESIS]

    def add(self, *raws: bytes) -> None:
        for raw in raws:
            self.raws.append(raw)
            self.hashes.append(chained_hash(self.hashes[-1], raw))

    def cut_to(self, count: int) -> None:
        del self.raws[count:], self.hashes[count + 1 :]

    def head(self) -> Head:
        return Head(self.stream, self.epoch, len(self.raws), self.hashes[-1])

    def head_at(self, seq: int) -> Head:
        return Head(self.stream, self.epoch, seq, self.hashes[seq])

    def hash_at(self, seq: int) -> bytes | None:
        return self.hashes[seq] if 0 <= seq < len(self.hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        return tuple(self.raws[seq : seq + count])


class End:
    """One machine: its durable logs, and a session that is lost in a crash."""

    def __init__(self, own: StreamId, other: StreamId, name: str) -> None:
        self.own = Log(own, name)
        self.other = other
        self.held: dict[Epoch, Log] = {}
        self.newest: Epoch | None = None
        self._session: Session | None = None
        self.unstored: list[StoreEntries] = []
        self.acked = 0
        self.owed: list[int] = []
        self.forks: list[Forked] = []
        self.updates: list[UpdateMessage] = []
        self.about: About | None = None

    @property
    def session(self) -> Session:
        assert self._session is not None, "not connected"
        return self._session

    def is_up(self) -> bool:
        return self._session is not None

    def crash(self) -> None:
        self._session = None
        self.unstored.clear()

    def holding(self) -> Head | None:
        return self.held[self.newest].head() if self.newest is not None else None

    def connect(self, now_ms: int) -> Session:
        self._session = Session(self.own, self.other, self.holding(), now_ms, self.about)
        self.unstored.clear()
        return self._session

    def hear(self, data: bytes, now_ms: int) -> None:
        for outcome in self.session.receive(data, now_ms):
            self.act_on(outcome)

    def act_on(self, outcome: Outcome) -> None:
        match outcome:
            case StoreEntries():
                self.unstored.append(outcome)
            case Acknowledged():
                self.acked = max(self.acked, outcome.seq)
            case PeerOwes():
                self.owed.append(outcome.entries)
            case Forked():
                self.forks.append(outcome)
            case OfUpdate():
                self.updates.append(outcome.message)

    def store_one(self, now_ms: int) -> None:
        """Make the oldest batch durable and report it, as a disk does."""
        store = self.unstored.pop(0)
        log = self.held.setdefault(store.epoch, Log(store.stream, store.epoch))
        assert store.first == len(log.raws) + 1
        log.add(*store.raws)
        assert tuple(log.hashes[store.first :]) == store.hashes
        self.newest = store.epoch
        self.session.on_stored(log.head(), now_ms)


class Pair:
    """A terminal and a station, and the bytes between them."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.terminal = End(TABLE, ORDERS, "t")
        self.station = End(ORDERS, TABLE, "s")
        self.ends = (self.terminal, self.station)

    def connect(self) -> None:
        for end in self.ends:
            end.connect(self.now_ms)

    def exchange(self, *, most: int = 1_000_000_000) -> None:
        """Carry bytes and store entries until nothing moves, or cut the wire after some bytes."""
        while True:
            moved = False
            for end, other in (self.ends, self.ends[::-1]):
                data = end.session.outgoing()[:most]
                most -= len(data)
                if data:
                    moved = True
                    other.hear(data, self.now_ms)
                while other.unstored:
                    other.store_one(self.now_ms)
            if not moved or not most:
                return

    def speak(self) -> None:
        """Carry what the station has to say, and then the terminal's answer, and store nothing."""
        self.terminal.hear(self.station.session.outgoing(), self.now_ms)
        self.station.hear(self.terminal.session.outgoing(), self.now_ms)

    def agree(self) -> None:
        assert self.station.held.get(self.terminal.own.epoch, Log(TABLE, "t")).raws == self.terminal.own.raws
        assert self.terminal.held.get(self.station.own.epoch, Log(ORDERS, "s")).raws == self.station.own.raws


def numbered(count: int, size: int = 8) -> list[bytes]:
    return [i.to_bytes(4).ljust(size, b".") for i in range(count)]


def connected(entries: int = 0, orders: int = 0, *, size: int = 8) -> Pair:
    """Return two ends with something to send, of which nothing has been heard yet."""
    pair = Pair()
    pair.terminal.own.add(*numbered(entries, size))
    pair.station.own.add(*numbered(orders))
    pair.connect()
    return pair


def greeted(entries: int = 0, orders: int = 0) -> Pair:
    pair = connected(entries, orders)
    pair.exchange()
    return pair
