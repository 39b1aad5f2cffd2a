from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.bus.frame import (
    FRAME_OVERHEAD,
    Admission,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    Hush,
    Invitation,
    admission_bytes,
    burst,
    count_bytes,
    count_of,
    here_of,
    hush_bytes,
    invitation_bytes,
    mask_bytes,
    shun_bytes,
)
from sync.bus.slave import PATIENCE_MS, BusSlave
from sync.bus.stream import RECEIVE_LIMIT, SEND_LIMIT, TurnStream

UNIT, LIFE, REIGN, LEASE = b"unit-7", 0xABCD0123, 0x77, 0x4242
GRANT = 2_000


def slave(slot: int = 0) -> BusSlave:
    return BusSlave(UNIT, LIFE, baud=115_200, chance=lambda _: slot)


def invite(reign: int = REIGN, taken: int = 0) -> BusFrame:
    return BusFrame(
        BusFrameKind.INVITE,
        0,
        1,
        payload=invitation_bytes(Invitation(reign, slots=4, slot_ms=6, taken=taken)),
    )


def admit(unit: bytes = UNIT, life: int = LIFE, address: int = 7, lease: int = LEASE) -> BusFrame:
    return BusFrame(
        BusFrameKind.ADMIT, address, 2, lease, payload=admission_bytes(Admission(GRANT, life, unit))
    )


def poll(ack: int = 0, *, address: int = 7, lease: int = LEASE) -> BusFrame:
    return BusFrame(BusFrameKind.POLL, address, 3, lease, 0, ack, count_bytes(GRANT, b""))


def ask(*addresses: int) -> BusFrame:
    return BusFrame(BusFrameKind.ASK, 0, 4, payload=mask_bytes(addresses))


def answer(one: BusSlave, *frames: BusFrame, now_ms: int = 100) -> tuple[BusFrame, ...]:
    one.receive(burst(*frames), now_ms)
    return BusFrameReader().feed(one.to_line(now_ms))


def lent(said: bytes = b"") -> BusSlave:
    one = slave()
    answer(one, invite())
    one.send(said)
    assert [frame.kind for frame in answer(one, admit())][-1] is BusFrameKind.DONE
    return one


def kinds(frames: Iterable[BusFrame]) -> list[BusFrameKind]:
    return [frame.kind for frame in frames]


def test_a_unit_answers_an_invitation_in_its_slot() -> None:
    one = slave(slot=2)
    one.receive(burst(invite()), 100)
    assert one.next_deadline_ms() == 112
    assert one.to_line(111) == b""
    (here,) = BusFrameReader().feed(one.to_line(112))
    assert here.kind is BusFrameKind.HERE
    assert (here_of(here.payload).unit, here_of(here.payload).life) == (UNIT, LIFE)
    assert one.to_line(113) == b""


@pytest.mark.parametrize(
    "noise", [burst(poll(address=3)), burst(invite())[:8], b"\xff\xfe\xfd", b"\x09\x09\0"]
)
def test_a_unit_that_hears_anything_before_its_slot_is_silent(noise: bytes) -> None:
    one = slave(slot=2)
    one.receive(burst(invite()), 100)
    one.receive(noise, 105)
    assert one.to_line(112) == b""


def test_what_a_line_catches_while_nobody_drives_it_is_no_voice() -> None:
    one = slave(slot=2)
    one.receive(burst(invite()), 100)
    one.receive(b"\0\xff", 105)
    assert one.to_line(112)


def test_an_address_comes_with_the_first_poll() -> None:
    one = slave()
    one.send(b"hello")
    up, done = answer(one, admit())
    assert (up.kind, up.address, up.lease, up.payload) == (BusFrameKind.UP, 7, LEASE, b"hello")
    assert (done.kind, done.number, count_of(done.payload)) == (BusFrameKind.DONE, 1, (0, b""))
    assert one.is_up
    assert one.is_up


def test_an_admission_of_another_life_or_unit_is_not_ours() -> None:
    assert answer(slave(), admit(life=1)) == ()
    assert answer(slave(), admit(unit=b"unit-8")) == ()


def test_a_polled_terminal_says_what_is_missing_again_and_then_that_it_is_done() -> None:
    one = lent(b"a" * 1_200)
    again = answer(one, poll(ack=1))
    assert kinds(again) == [BusFrameKind.UP, BusFrameKind.UP, BusFrameKind.DONE]
    assert [frame.number for frame in again] == [1, 2, 3]
    assert kinds(answer(one, poll(ack=3))) == [BusFrameKind.DONE]


@pytest.mark.parametrize(
    "question", [poll(address=8), poll(lease=LEASE + 1), ask(7), ask(8), invite(taken=64)]
)
def test_an_idle_terminal_says_nothing_to_what_does_not_name_it(question: BusFrame) -> None:
    assert answer(lent(), question) == ()


def test_asked_with_others_only_who_has_something_answers() -> None:
    one = lent()
    one.send(b"news")
    assert answer(one, ask(1, 8)) == ()
    (want,) = answer(one, ask(1, 7))
    assert (want.kind, want.address, want.lease, want.turn) == (BusFrameKind.WANT, 7, LEASE, 4)


@given(st.binary(min_size=3, max_size=40).filter(lambda data: len(data.strip(b"\0")) > 2))
def test_a_poll_that_is_not_the_last_thing_heard_is_not_answered(behind: bytes) -> None:
    one = lent(b"news")
    one.receive(burst(poll()) + behind, 100)
    assert one.to_line(100) == b""


@given(st.lists(st.tuples(st.binary(max_size=60), st.integers(0, 9_000)), max_size=20))
def test_junk_is_never_answered(pieces: list[tuple[bytes, int]]) -> None:
    one, now_ms = slave(), 0
    one.send(b"news")
    for data, pause in pieces:
        now_ms += pause
        one.receive(data, now_ms)
        assert one.to_line(now_ms) == b""


def test_a_hushed_terminal_answers_its_own_poll_only() -> None:
    one = lent()
    one.send(b"news")
    hush = BusFrame(BusFrameKind.HUSH, 0, 5, payload=hush_bytes(Hush(3_000)))
    assert answer(one, hush) == ()
    assert answer(one, ask(7), now_ms=200) == ()
    assert kinds(answer(one, poll(), now_ms=300)) == [BusFrameKind.UP, BusFrameKind.DONE]
    one.send(b"more")
    assert kinds(answer(one, ask(7), now_ms=400)) == [BusFrameKind.WANT]


def test_a_hush_ends_by_itself_and_may_name_another() -> None:
    one = lent()
    one.send(b"news")
    assert answer(one, BusFrame(BusFrameKind.HUSH, 0, 5, payload=hush_bytes(Hush(3_000, b"unit-8")))) == ()
    assert kinds(answer(one, ask(7))) == [BusFrameKind.WANT]
    assert answer(one, BusFrame(BusFrameKind.HUSH, 0, 5, payload=hush_bytes(Hush(3_000, UNIT)))) == ()
    assert answer(one, ask(7), now_ms=3_000) == ()
    assert kinds(answer(one, ask(7), now_ms=3_100)) == [BusFrameKind.WANT]


def test_a_shunned_unit_answers_no_invitation_for_a_while_not_even_in_a_new_life() -> None:
    one = lent()
    shun = BusFrame(BusFrameKind.SHUN, 0, 5, payload=shun_bytes(Hush(5_000, UNIT), LIFE))
    assert answer(one, shun) == ()
    one.begin(99)
    assert one._is_shunned(200)
    assert answer(one, invite(), now_ms=4_000) == ()
    assert kinds(answer(one, invite(), now_ms=5_200)) == [BusFrameKind.HERE]


def test_who_is_shunned_in_another_life_is_somebody_else() -> None:
    one = lent()
    answer(one, BusFrame(BusFrameKind.SHUN, 0, 5, payload=shun_bytes(Hush(5_000, UNIT), LIFE + 1)))
    assert one.is_up


@pytest.mark.parametrize("news", [invite(reign=REIGN + 1, taken=64), invite(taken=1), admit(unit=b"unit-8")])
def test_a_terminal_that_has_talked_is_told_when_its_station_begins_anew(news: BusFrame) -> None:
    one = slave()
    answer(one, invite())
    one.send(b"hello")
    answer(one, admit())
    answer(one, poll(ack=1))
    assert answer(one, news) == ()
    assert one.is_over
    assert not one.is_up
    assert answer(one, invite(), now_ms=900) == ()
    one.begin(1)
    assert kinds(answer(one, invite(), now_ms=900)) == [BusFrameKind.HERE]


def test_a_terminal_that_was_not_heard_yet_just_waits_for_another_address() -> None:
    one = slave()
    answer(one, invite())
    one.send(b"hello")
    answer(one, admit())
    assert kinds(answer(one, invite(taken=0))) == [BusFrameKind.HERE]
    assert not one.is_over
    up, _ = answer(one, admit(address=9, lease=5))
    assert (up.address, up.lease, up.payload) == (9, 5, b"hello")


def test_a_terminal_that_is_never_polled_has_been_forgotten() -> None:
    one = lent(b"hello")
    answer(one, poll(ack=1), now_ms=1_000)
    assert one.to_line(1_000 + PATIENCE_MS) == b""
    assert one.is_up
    assert one.to_line(1_001 + PATIENCE_MS) == b""
    assert one.is_over


def test_bytes_for_the_terminal_come_before_its_poll() -> None:
    one = lent()
    down = BusFrame(BusFrameKind.DOWN, 7, 3, LEASE, 0, 0, b"orders")
    (done,) = answer(one, down, poll())
    assert done.ack == 1
    assert one.take_received() == b"orders"
    assert one.counters().bytes_delivered == len(b"orders")


BAUD = 115_200


def turn(source: TurnStream, target: TurnStream, lost: list[bool]) -> None:
    for i, sent in enumerate(source.frames(3_000)):
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
