"""Cloned, restored, broken or silent ends are detected and reported, and nothing is overwritten."""

import pytest

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import Ack, Beat, Enrolled, Entries, Farewell, Hello, Message, message_bytes
from tests.sync.two_ends import ORDERS, Log, Pair, greeted, numbered


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


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Hello(1, Head(ORDERS, Epoch("s"), 0, GENESIS), None), "a second hello"),
        (Entries(Epoch("s"), 2, (b"x",)), "entries from 2, expected from 1"),
        (Entries(Epoch("s"), 1, ()), "entries from 1"),
        (Entries(Epoch("other"), 1, (b"x",)), "entries from 1"),
        (Ack(Epoch("t"), 1, b""), "an ack of 1; expected 0 to 0"),
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
        (Hello(1, Head(ORDERS, Epoch("s"), -5, GENESIS), None), "impossible epoch, number or hash"),
        (Hello(1, Head(ORDERS, Epoch("s"), 2**63, GENESIS), None), "impossible epoch, number or hash"),
        (Hello(1, Head(ORDERS, Epoch("s"), 0, b"x"), None), "impossible epoch, number or hash"),
        (Hello(1, Head(ORDERS, Epoch(""), 0, GENESIS), None), "impossible epoch, number or hash"),
        (Hello(1, Head(ORDERS, Epoch("a b"), 0, GENESIS), None), "impossible epoch, number or hash"),
        (Hello(1, Head(ORDERS, Epoch("a" * 17), 0, GENESIS), None), "impossible epoch, number or hash"),
        (
            Hello(1, Head(ORDERS, Epoch("s"), 0, GENESIS), Head(ORDERS, Epoch("s"), -1, GENESIS)),
            "impossible epoch, number or hash",
        ),
    ],
)
def test_a_wrong_greeting_ends_the_connection(message: Message, said: str) -> None:
    pair = Pair()
    with pytest.raises(PeerFault, match=said):
        pair.terminal.connect(0).receive(message_bytes(message), 0)


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
    pair = Pair()
    pair.terminal.own.add(*numbered(5))
    pair.connect()
    pair.exchange()
    pair.terminal.own.cut_to(2)
    pair.station.own.add(b"an order")
    pair.connect()
    pair.station.hear(pair.terminal.session.outgoing(), 0)
    pair.terminal.hear(pair.station.session.outgoing(), 0)
    assert [fork.seq for fork in pair.terminal.forks] == [5]
