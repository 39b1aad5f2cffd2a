"""Two sessions, two journals in memory, and wires that cut anywhere: nothing lost, doubled or altered."""

import itertools

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from saloon.core.errors import PeerFault, Unavailable
from saloon.sync.entry import GENESIS, Epoch, Head, StreamId, chained_hash
from saloon.sync.messages import (
    LONGEST,
    Ack,
    Beat,
    Enrolled,
    Entries,
    Farewell,
    Hello,
    Message,
    message_bytes,
)
from saloon.sync.session import (
    WINDOW,
    WINDOW_BYTES,
    Acknowledged,
    Forked,
    OfUpdate,
    Outcome,
    PeerOwes,
    Session,
    Store,
)
from saloon.sync.update.about import About
from saloon.sync.update.messages import UpdateMessage, UpdateOffer, UpdateWant

TABLE, ORDERS = StreamId("table/1"), StreamId("orders/1")


class Log:
    """A stream with its hashes; also what an end durably holds of the other's."""

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

    def hash_at(self, seq: int) -> bytes | None:
        return self.hashes[seq] if 0 <= seq < len(self.hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        return tuple(self.raws[seq : seq + count])


class End:
    """One machine: its durable logs, and a session that a crash loses."""

    def __init__(self, own: StreamId, other: StreamId, name: str) -> None:
        self.own = Log(own, name)
        self.other = other
        self.held: dict[Epoch, Log] = {}
        self.newest: Epoch | None = None
        self.session: Session | None = None
        self.unstored: list[Store] = []
        self.acked = 0
        self.owed: list[int] = []
        self.forks: list[Forked] = []
        self.updates: list[UpdateMessage] = []
        self.about: About | None = None

    def holding(self) -> Head | None:
        return self.held[self.newest].head() if self.newest is not None else None

    def connect(self, now_ms: int) -> Session:
        self.session = Session(self.own, self.other, self.holding(), now_ms, self.about)
        self.unstored.clear()
        return self.session

    def hear(self, data: bytes, now_ms: int) -> None:
        assert self.session is not None
        for outcome in self.session.receive(data, now_ms):
            self.act_on(outcome)

    def act_on(self, outcome: Outcome) -> None:
        match outcome:
            case Store():
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
        """Make the oldest batch durable, as a disk does, and say so."""
        store = self.unstored.pop(0)
        log = self.held.setdefault(store.epoch, Log(store.stream, store.epoch))
        assert store.first == len(log.raws) + 1
        log.add(*store.raws)
        assert tuple(log.hashes[store.first :]) == store.hashes
        self.newest = store.epoch
        assert self.session is not None
        self.session.stored(log.head(), now_ms)


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
        """Carry bytes and store until nothing moves; a cut after so many bytes."""
        while True:
            moved = False
            for end, other in (self.ends, self.ends[::-1]):
                assert end.session is not None
                data = end.session.outgoing()[:most]
                most -= len(data)
                if data:
                    moved = True
                    other.hear(data, self.now_ms)
                while other.unstored:
                    other.store_one(self.now_ms)
            if not moved or not most:
                return

    def agree(self) -> None:
        assert self.station.held.get(self.terminal.own.epoch, Log(TABLE, "t")).raws == self.terminal.own.raws
        assert self.terminal.held.get(self.station.own.epoch, Log(ORDERS, "s")).raws == self.station.own.raws


def numbered(count: int, size: int = 8) -> list[bytes]:
    return [i.to_bytes(4).ljust(size, b".") for i in range(count)]


def test_entries_go_both_ways_and_are_acknowledged() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(700))
    pair.station.own.add(*numbered(3))
    pair.connect()
    pair.exchange()
    pair.agree()
    assert (pair.terminal.acked, pair.station.acked) == (700, 3)
    assert pair.station.owed == [700]
    pair.terminal.own.add(b"one more")
    assert pair.terminal.session is not None
    pair.terminal.session.appended(pair.now_ms)
    pair.exchange()
    pair.agree()
    assert pair.terminal.session.unacknowledged == 0


def test_whatever_byte_the_wire_is_cut_after_the_next_connection_mends_it() -> None:
    whole = Pair()
    whole.terminal.own.add(*numbered(5))
    whole.station.own.add(*numbered(2))
    for cut in itertools.count():
        pair = Pair()
        pair.terminal.own.add(*numbered(5))
        pair.station.own.add(*numbered(2))
        pair.connect()
        pair.exchange(most=cut)
        done = pair.terminal.acked == 5 and pair.station.acked == 2
        pair.connect()
        pair.exchange()
        pair.agree()
        assert (pair.terminal.acked, pair.station.acked) == (5, 2)
        if done:
            return


def test_no_more_than_the_window_is_on_the_way_without_an_ack() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(2 * WINDOW))
    pair.connect()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    assert sum(len(store.raws) for store in pair.station.unstored) == WINDOW


def test_large_entries_are_on_the_way_by_their_bytes() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(100, 100_000))
    pair.connect()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    handed = sum(len(raw) for store in pair.station.unstored for raw in store.raws)
    assert WINDOW_BYTES <= handed <= WINDOW_BYTES + LONGEST
    pair.exchange()
    pair.agree()


def test_two_ends_that_say_what_they_run_may_speak_of_updates() -> None:
    pair = Pair()
    pair.terminal.about, pair.station.about = About("0.1.0"), About("0.2.0", "abc")
    pair.terminal.own.add(*numbered(3))
    pair.connect()
    pair.exchange()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    assert pair.terminal.session.peer_about == About("0.2.0", "abc")
    pair.station.session.say_of_update(UpdateOffer(b"head"), 0)
    pair.terminal.session.say_of_update(UpdateWant(bytes(32), 0, 1), 0)
    pair.exchange()
    assert pair.terminal.updates == [UpdateOffer(b"head")]
    assert pair.station.updates == [UpdateWant(bytes(32), 0, 1)]
    pair.agree()


@pytest.mark.parametrize("old", ["terminal", "station"])
def test_an_end_of_an_earlier_version_hears_nothing_of_updates(old: str) -> None:
    pair = Pair()
    for name, end in (("terminal", pair.terminal), ("station", pair.station)):
        end.about = None if name == old else About("0.2.0")
    pair.terminal.own.add(*numbered(3))
    pair.connect()
    pair.exchange()
    for end in pair.ends:
        assert end.session is not None
        end.session.say_of_update(UpdateOffer(b"head"), 0)
        assert end.session.outgoing() == b""
    pair.agree()
    new = pair.station if old == "terminal" else pair.terminal
    with pytest.raises(PeerFault, match="has not said what it runs"):
        new.hear(message_bytes(UpdateOffer(b"")), 0)


@pytest.mark.parametrize(("count", "size"), [(WINDOW, 1), (6, 200_000)])
def test_who_sends_more_than_the_window_is_not_kept_in_memory(count: int, size: int) -> None:
    pair = greeted()
    for i in range(count):
        pair.station.hear(message_bytes(Entries(Epoch("t"), i + 1, (bytes(size),))), 0)
    with pytest.raises(PeerFault, match="without an ack"):
        pair.station.hear(message_bytes(Entries(Epoch("t"), count + 1, (bytes(size),))), 0)
    assert len(pair.station.unstored) == count


def test_acks_open_the_window_again_for_ever() -> None:
    pair = greeted()
    for _ in range(3 * WINDOW):
        pair.terminal.own.add(bytes(1_000))
        assert pair.terminal.session is not None
        pair.terminal.session.appended(0)
        pair.exchange()
    pair.agree()


@pytest.mark.parametrize("size", [100, 5_000, 200_000])
def test_messages_stay_short_enough_however_large_entries_are(size: int) -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(70, size))
    pair.connect()
    pair.exchange()
    pair.agree()
    assert pair.terminal.acked == 70


def test_nothing_is_acknowledged_before_it_is_durable() -> None:
    pair = Pair()
    pair.terminal.own.add(b"a", b"b")
    pair.connect()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert pair.terminal.acked == 0
    pair.station.store_one(0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert pair.terminal.acked == 2


def test_a_station_restored_from_a_backup_is_refilled() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(10))
    pair.station.own.add(*numbered(4))
    pair.connect()
    pair.exchange()
    pair.station.held[Epoch("t")].cut_to(6)
    restored = Log(ORDERS, "s2")
    restored.add(b"other", b"orders")
    pair.station.own = restored
    pair.connect()
    pair.exchange()
    pair.agree()
    assert pair.station.owed == [10, 4]
    assert pair.terminal.held[Epoch("s")].raws == numbered(4)


def test_a_cloned_card_is_noticed_at_both_ends_when_it_went_on_by_itself() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(5))
    pair.connect()
    pair.exchange()
    pair.terminal.own.cut_to(3)
    pair.terminal.own.add(b"x", b"y", b"z", b"longer than before")
    pair.connect()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [5]
    pair.terminal.session.farewell("other entries", 0, forked=True)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    assert [fork.problem for fork in pair.station.forks] == ["other entries"]
    assert not pair.station.unstored
    assert pair.station.held[Epoch("t")].raws == numbered(5)


@pytest.mark.parametrize("kept", [2, 4])
def test_a_card_restored_to_an_earlier_day_is_noticed_by_the_station(kept: int) -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(5))
    pair.connect()
    pair.exchange()
    pair.terminal.own.cut_to(kept)
    if kept == 4:
        pair.terminal.own.add(b"another fifth")
    pair.connect()
    pair.exchange()
    assert pair.terminal.forks
    assert pair.terminal.session is not None
    pair.terminal.session.farewell(pair.terminal.forks[0].problem, 0, forked=True)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    assert [fork.seq for fork in pair.station.forks][:1] == [kept + (kept == 4)]
    assert "than it once sent" in pair.station.forks[0].problem
    assert pair.station.held[Epoch("t")].raws == numbered(5)


def test_an_ack_with_another_hash_is_a_fork() -> None:
    pair = greeted()
    pair.terminal.own.add(b"mine")
    assert pair.terminal.session is not None
    pair.terminal.session.appended(0)
    pair.terminal.hear(message_bytes(Ack(Epoch("t"), 1, b"?" * 32)), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [1]
    assert pair.terminal.acked == 0


def greeted() -> Pair:
    pair = Pair()
    pair.connect()
    pair.exchange()
    return pair


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Hello(1, Head(ORDERS, Epoch("s"), 0, GENESIS), None), "a second hello"),
        (Entries(Epoch("s"), 2, (b"x",)), "entries from 2, expected from 1"),
        (Entries(Epoch("s"), 1, ()), "entries from 1"),
        (Entries(Epoch("other"), 1, (b"x",)), "entries from 1"),
        (Ack(Epoch("t"), 1, b""), "an ack of 1 where 0 to 0 are on the way"),
        (Ack(Epoch("other"), 0, b""), "an ack of 0"),
        (Enrolled(), "enrolment has no place"),
        (Farewell("over"), "said farewell: over"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_breaks_the_protocol_is_a_fault_of_the_peer(message: Message, said: str) -> None:
    pair = greeted()
    with pytest.raises(PeerFault, match=said):
        pair.terminal.hear(message_bytes(message), 0)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Beat(), "first message must be a hello"),
        (Hello(2, Head(ORDERS, Epoch("s"), 0, GENESIS), None), "speaks version 2, we speak 1"),
        (Hello(1, Head(StreamId("table/2"), Epoch("s"), 0, GENESIS), None), "stream table/2 is not the one"),
    ],
)
def test_a_wrong_greeting_ends_the_connection(message: Message, said: str) -> None:
    pair = Pair()
    with pytest.raises(PeerFault, match=said):
        pair.terminal.connect(0).receive(message_bytes(message), 0)


def test_silence_is_broken_after_5_seconds_and_believed_dead_after_15() -> None:
    pair = greeted()
    session = pair.terminal.session
    assert session is not None
    assert session.next_deadline_ms() == 5_000
    session.advance(4_999)
    assert session.outgoing() == b""
    session.advance(5_000)
    assert session.outgoing() == message_bytes(Beat())
    session.receive(message_bytes(Beat()), 9_000)
    session.advance(23_999)
    with pytest.raises(Unavailable, match="15 s"):
        session.advance(24_000)


def test_a_hello_that_was_long_on_its_way_is_no_fork() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(2))
    late = pair.terminal.connect(0).outgoing()
    pair.terminal.own.add(*numbered(5)[2:])
    pair.connect()
    pair.exchange()
    pair.station.connect(0)
    pair.station.hear(late, 0)
    assert pair.station.forks == []
    pair.connect()
    pair.exchange()
    pair.agree()


def test_a_fork_is_told_also_when_entries_come_behind_the_hello_in_one_piece() -> None:
    pair = Pair()
    pair.terminal.own.add(*numbered(5))
    pair.connect()
    pair.exchange()
    pair.terminal.own.cut_to(2)
    pair.station.own.add(b"an order")
    pair.connect()
    assert pair.terminal.session is not None
    assert pair.station.session is not None
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [5]


class Journals(RuleBasedStateMachine):
    """Any order of writing, carrying, cutting, crashing and storing."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair()
        self.ways: list[bytearray] = [bytearray(), bytearray()]
        self.count = 0

    def up(self) -> bool:
        return self.pair.terminal.session is not None

    @rule(end=st.sampled_from((0, 1)), count=st.integers(1, 80))
    def write(self, end: int, count: int) -> None:
        machine = self.pair.ends[end]
        for _ in range(count):
            self.count += 1
            machine.own.add(msgspec.msgpack.encode((end, self.count)))
        if machine.session is not None:
            machine.session.appended(self.pair.now_ms)

    @rule()
    def connect(self) -> None:
        self.ways = [bytearray(), bytearray()]
        self.pair.connect()

    @precondition(up)
    @rule(end=st.sampled_from((0, 1)), most=st.integers(1, 4_000))
    def carry(self, end: int, most: int) -> None:
        source, target, way = self.pair.ends[end], self.pair.ends[1 - end], self.ways[end]
        assert source.session is not None
        way += source.session.outgoing()
        piece = bytes(way[:most])
        del way[:most]
        target.hear(piece, self.pair.now_ms)

    @precondition(up)
    @rule(end=st.sampled_from((0, 1)))
    def store(self, end: int) -> None:
        if self.pair.ends[end].unstored:
            self.pair.ends[end].store_one(self.pair.now_ms)

    @rule()
    def cut(self) -> None:
        """The wire goes, or either end crashes: sessions are lost, what was not stored is too."""
        for machine in self.pair.ends:
            machine.session = None
            machine.unstored.clear()

    @rule(left=st.integers(0, 30))
    def restore_the_station(self, left: int) -> None:
        """An older copy of the station comes back, with a new epoch of its own streams."""
        self.cut()
        station = self.pair.station
        for log in station.held.values():
            log.cut_to(left)
        self.count += 1
        fresh = Log(ORDERS, f"s{self.count}")
        fresh.add(*station.own.raws[:left])
        station.own = fresh
        station.acked = 0
        self.pair.terminal.acked = min(self.pair.terminal.acked, left)

    @invariant()
    def held_is_a_beginning_of_what_was_written(self) -> None:
        for end, other in (self.pair.ends, self.pair.ends[::-1]):
            held = other.held.get(end.own.epoch)
            count = len(held.raws) if held is not None else 0
            assert held is None or held.raws == end.own.raws[:count]
            assert end.acked <= count
            assert not end.forks

    def teardown(self) -> None:
        self.pair.connect()
        self.pair.exchange()
        self.pair.agree()


class TestJournals(Journals.TestCase):  # type: ignore[valid-type,misc]  # made by hypothesis
    settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
