"""Two sessions and two journals in memory, connected by wires that are cut."""

import itertools

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    Entries,
    Hello,
    message_bytes,
)
from sync.protocol.session import WINDOW, WINDOW_BYTES
from sync.update.bundle import About
from sync.update.messages import UpdateOffer, UpdateWant
from tests.examples import examples
from tests.sync.two_ends import ORDERS, Log, Pair, connected, greeted, numbered


def test_entries_go_both_ways_and_are_acknowledged() -> None:
    pair = greeted(700, 3)
    pair.agree()
    assert (pair.terminal.acked, pair.station.acked) == (700, 3)
    assert pair.station.owed == [700]
    pair.terminal.own.add(b"one more")
    pair.terminal.session.on_append(pair.now_ms)
    pair.exchange()
    pair.agree()
    assert pair.terminal.session.unacknowledged == 0


def test_whatever_byte_the_wire_is_cut_after_the_next_connection_mends_it() -> None:
    for cut in itertools.count():
        pair = connected(5, 2)
        pair.exchange(most=cut)
        done = pair.terminal.acked == 5 and pair.station.acked == 2
        pair.connect()
        pair.exchange()
        pair.agree()
        assert (pair.terminal.acked, pair.station.acked) == (5, 2)
        if done:
            return


def test_no_more_than_the_window_is_on_the_way_without_an_ack() -> None:
    pair = connected(2 * WINDOW)
    pair.speak()
    assert sum(len(store.raws) for store in pair.station.unstored) == WINDOW


def test_large_entries_are_on_the_way_by_their_bytes() -> None:
    pair = connected(100, size=100_000)
    pair.speak()
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
        end.session.say_of_update(UpdateOffer(b"head"), 0)
        assert end.session.outgoing() == b""
    pair.agree()
    new = pair.station if old == "terminal" else pair.terminal
    with pytest.raises(PeerFault, match="has not reported its program"):
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
        pair.terminal.session.on_append(0)
        pair.exchange()
    pair.agree()


@pytest.mark.parametrize("size", [100, 5_000, 200_000])
def test_messages_stay_short_enough_however_large_entries_are(size: int) -> None:
    pair = connected(70, size=size)
    pair.exchange()
    pair.agree()
    assert pair.terminal.acked == 70


def test_nothing_is_acknowledged_before_it_is_durable() -> None:
    pair = Pair()
    pair.terminal.own.add(b"a", b"b")
    pair.connect()
    pair.speak()
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert pair.terminal.acked == 0
    pair.station.store_one(0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert pair.terminal.acked == 2


class Journals(RuleBasedStateMachine):
    """Writing, carrying, cutting, crashing and storing in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair()
        self.ways: list[bytearray] = [bytearray(), bytearray()]
        self.count = 0

    def up(self) -> bool:
        return self.pair.terminal.is_up()

    @rule(end=st.sampled_from((0, 1)), count=st.integers(1, 80))
    def write(self, end: int, count: int) -> None:
        machine = self.pair.ends[end]
        for _ in range(count):
            self.count += 1
            machine.own.add(msgspec.msgpack.encode((end, self.count)))
        if machine.is_up():
            machine.session.on_append(self.pair.now_ms)

    @rule()
    def connect(self) -> None:
        self.ways = [bytearray(), bytearray()]
        self.pair.connect()

    @precondition(up)
    @rule(end=st.sampled_from((0, 1)), most=st.integers(1, 4_000))
    def carry(self, end: int, most: int) -> None:
        source, target, way = self.pair.ends[end], self.pair.ends[1 - end], self.ways[end]
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
        for machine in self.pair.ends:
            machine.crash()

    @rule(left=st.integers(0, 30))
    def restore_the_station(self, left: int) -> None:
        """Replace the station by an older copy, whose own streams have a new epoch."""
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


@pytest.mark.slow
class TestJournals(Journals.TestCase):  # type: ignore[valid-type,misc]  # made by hypothesis
    settings = settings(max_examples=examples(60), stateful_step_count=40, deadline=None)


def test_a_station_restored_from_a_backup_is_refilled() -> None:
    pair = greeted(10, 4)
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
    pair = greeted(5)
    pair.terminal.own.cut_to(3)
    pair.terminal.own.add(b"x", b"y", b"z", b"longer than before")
    pair.connect()
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [5]
    pair.terminal.session.farewell("other entries", 0, forked=True)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    assert [fork.problem for fork in pair.station.forks] == ["other entries"]
    assert not pair.station.unstored
    assert pair.station.held[Epoch("t")].raws == numbered(5)


@pytest.mark.parametrize("kept", [2, 4])
def test_a_card_restored_to_an_earlier_day_is_noticed_by_the_station(kept: int) -> None:
    pair = greeted(5)
    pair.terminal.own.cut_to(kept)
    if kept == 4:
        pair.terminal.own.add(b"another fifth")
    pair.connect()
    pair.exchange()
    assert pair.terminal.forks
    pair.terminal.session.farewell(pair.terminal.forks[0].problem, 0, forked=True)
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    assert [fork.seq for fork in pair.station.forks][:1] == [kept + (kept == 4)]
    assert "it sent earlier" in pair.station.forks[0].problem
    assert pair.station.held[Epoch("t")].raws == numbered(5)


def test_an_ack_with_another_hash_is_a_fork() -> None:
    pair = greeted()
    pair.terminal.own.add(b"mine")
    pair.terminal.session.on_append(0)
    pair.terminal.hear(message_bytes(Ack(Epoch("t"), 1, b"?" * 32)), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [1]
    assert pair.terminal.acked == 0


NOTHING_YET = Head(ORDERS, Epoch("s"), 0, GENESIS)


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        (Hello(2, NOTHING_YET, None), "speaks version 2, we speak 1"),
        (Hello(1, Head(StreamId("table/2"), Epoch("s"), 0, GENESIS), None), "stream table/2 is not the one"),
        *(
            (hello, "impossible epoch, number or hash")
            for hello in (
                Hello(1, Head(ORDERS, Epoch("s"), -5, GENESIS), None),
                Hello(1, Head(ORDERS, Epoch("s"), 2**63, GENESIS), None),
                Hello(1, Head(ORDERS, Epoch("s"), 0, b"x"), None),
                Hello(1, Head(ORDERS, Epoch(""), 0, GENESIS), None),
                Hello(1, Head(ORDERS, Epoch("a b"), 0, GENESIS), None),
                Hello(1, Head(ORDERS, Epoch("a" * 17), 0, GENESIS), None),
                Hello(1, NOTHING_YET, Head(ORDERS, Epoch("s"), -1, GENESIS)),
            )
        ),
    ],
)
def test_a_wrong_greeting_ends_the_connection(hello: Hello, said: str) -> None:
    pair = Pair()
    with pytest.raises(PeerFault, match=said):
        pair.terminal.connect(0).receive(message_bytes(hello), 0)


def test_silence_is_broken_after_5_seconds_and_believed_dead_after_15() -> None:
    pair = greeted()
    session = pair.terminal.session
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
    pair = greeted(5)
    pair.terminal.own.cut_to(2)
    pair.station.own.add(b"an order")
    pair.connect()
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [5]
