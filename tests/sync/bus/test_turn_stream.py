from hypothesis import given
from hypothesis import strategies as st

from sync.bus.frame import FRAME_OVERHEAD
from sync.bus.stream import RECEIVE_LIMIT, SEND_LIMIT, TurnStream

BAUD = 115_200


def turn(source: TurnStream, target: TurnStream, lost: list[bool], granted: int = 3_000) -> None:
    for i, sent in enumerate(source.frames(granted)):
        if not lost[i % len(lost)]:
            target.on_data(sent.number, sent.payload)


@given(st.binary(max_size=9_000), st.lists(st.lists(st.booleans(), min_size=1, max_size=9), max_size=12))
def test_whatever_is_lost_the_bytes_come_in_order_once(said: bytes, losses: list[list[bool]]) -> None:
    source, target = TurnStream(BAUD), TurnStream(BAUD)
    source.send(said)
    received = b""
    for lost in [*losses, *([[False]] * 12)]:
        turn(source, target, lost)
        source.on_ack(target.expected, target.ranges())
        received += target.take_received()
    assert received == said
    assert (source.unsent(), source.count_unacknowledged()) == (0, 0)
    assert source.next_number == target.expected


def test_what_the_other_end_has_is_not_sent_again() -> None:
    source, target = TurnStream(BAUD), TurnStream(BAUD)
    source.send(bytes(1_000))
    first, second, third = source.frames(4_000)
    target.on_data(second.number, second.payload)
    source.on_ack(target.expected, target.ranges())
    assert source.frames(4_000) == (first, third)


def test_a_grant_is_never_exceeded() -> None:
    source = TurnStream(BAUD)
    source.send(bytes(SEND_LIMIT))
    for granted in (0, FRAME_OVERHEAD, FRAME_OVERHEAD + 1, 600, 1_024, 3_960):
        frames = source.frames(granted)
        assert sum(len(sent.payload) + FRAME_OVERHEAD for sent in frames) <= granted
        assert all(sent.payload for sent in frames)
        source.on_ack(source.next_number, b"")


def test_buffers_are_bounded() -> None:
    source, target = TurnStream(BAUD), TurnStream(BAUD)
    assert source.send(bytes(SEND_LIMIT + 1)) == SEND_LIMIT
    assert source.send(b"more") == 0
    assert source.room() == 0
    for _ in range(1_000):
        source.send(bytes(SEND_LIMIT))
        turn(source, target, [False])
        source.on_ack(target.expected, target.ranges())
    assert len(target.take_received()) <= RECEIVE_LIMIT
    assert source.count_unacknowledged() > 0
    turn(source, target, [False])
    source.on_ack(target.expected, target.ranges())
    assert target.take_received()


def test_a_stream_begins_again_only_while_nobody_knows_of_it() -> None:
    source, target = TurnStream(BAUD), TurnStream(BAUD)
    source.send(b"hello " * 200)
    source.frames(700)
    again = source.restart()
    assert again is not None
    turn(again, target, [False])
    assert target.take_received() == b"hello " * 200
    again.on_ack(target.expected, b"")
    assert again.restart() is None
