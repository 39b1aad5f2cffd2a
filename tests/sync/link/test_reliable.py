"""Two links over a simulated line, late and noisy like a real one, with a seed and a simulated clock."""

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.shaped_line import Weather
from sync.link.counters import Tally
from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes
from sync.link.reliable import RECEIVE_LIMIT, SEND_LIMIT, ReliableLink
from tests.examples import examples
from tests.rigs.simulator import BAUD, LinkedPair, linked


def carry(pair: LinkedPair, data: tuple[bytes, bytes], patience_ms: int) -> int:
    """Send both ways until everything has arrived, and return the milliseconds that it took."""
    for end in (0, 1):
        pair.received[end].clear()
        pair.to_say[end] += data[end]

    def is_there() -> bool:
        assert data[0].startswith(pair.received[1])
        assert data[1].startswith(pair.received[0])
        return len(pair.received[1]) == len(data[0]) and len(pair.received[0]) == len(data[1])

    return pair.until(is_there, patience_ms)


def noise(seed: int, length: int) -> bytes:
    return random.Random(seed).randbytes(length)


GAPS = tuple((at, at + 60.0) for at in range(300, 30_000, 300))


@pytest.mark.by_day(6)
@pytest.mark.slow
@pytest.mark.parametrize(
    "weather",
    [
        Weather(),
        Weather(delay_ms=16),
        Weather(delay_ms=250),
        Weather(quantum_ms=16),
        Weather(flips=1e-4),
        Weather(losses=1e-3),
        Weather(doubles=1e-3),
        Weather(drops=GAPS),
        Weather(bursts=GAPS),
        Weather(16, 16, flips=1e-4, losses=1e-4, doubles=1e-4, drops=GAPS),
    ],
    ids=lambda weather: msgspec.json.encode(weather).decode()[:150],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_all_bytes_arrive_once_and_in_order_in_any_weather(weather: Weather, seed: int) -> None:
    pair = linked(weather, seed)
    carry(pair, (noise(seed, 20_000), noise(-seed, 9_000)), patience_ms=120_000)
    assert pair.resets == [0, 0]


@pytest.mark.slow
@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 9_999), st.floats(0, 5e-5), st.floats(0, 2e-4), st.floats(1, 60), st.integers(0, 60))
def test_any_seed_delivers(seed: int, flips: float, losses: float, gap: float, delay: int) -> None:
    drops = tuple((at, at + gap) for at in range(300, 30_000, 300))
    pair = linked(Weather(delay, 0, flips, losses, losses, drops=drops), seed)
    carry(pair, (noise(seed, 3_000), noise(seed + 1, 3_000)), patience_ms=120_000)


@pytest.mark.slow
@pytest.mark.parametrize("restarted", [0, 1])
def test_when_one_end_starts_anew_the_other_is_told_and_old_bytes_are_gone(restarted: int) -> None:
    pair = linked(Weather(delay_ms=5))
    for said in pair.to_say:
        said.extend(noise(3, 10_000))
    pair.pass_time(200)
    for said in pair.to_say:
        said.clear()
    pair.ends[restarted].close()
    pair.ends[restarted].open()
    pair.pass_time(3_000)
    assert all(end.counters().is_up for end in pair.ends)
    assert pair.resets[1 - restarted] == 1
    assert pair.ends[1 - restarted].counters().resets == 1
    carry(pair, (noise(4, 5_000), noise(5, 5_000)), patience_ms=10_000)


@pytest.mark.parametrize("lost", range(6))
def test_both_ends_come_up_whichever_frame_of_the_opening_is_lost(lost: int) -> None:
    a, b = ReliableLink(1001, baud=BAUD), ReliableLink(2002, baud=BAUD)
    handed = 0
    for now_ms in range(0, 4_000, 10):
        for source, target in ((a, b), (b, a)):
            data = source.to_line(now_ms)
            if data:
                handed += 1
                if handed - 1 != lost:
                    target.receive(data, now_ms)
    assert a.is_up
    assert b.is_up


@pytest.mark.slow
@pytest.mark.parametrize("quantum_ms", [0, 16])
def test_two_ends_that_are_up_and_idle_are_silent(quantum_ms: int) -> None:
    pair = linked(Weather(quantum_ms=quantum_ms))
    pair.pass_time(2_000)
    quiet_from = [way.carried for way in pair.line.ways]
    pair.pass_time(20_000)
    assert [way.carried for way in pair.line.ways] == quiet_from
    assert [end.next_deadline_ms() for end in pair.ends] == [None, None]


def two_up() -> tuple[ReliableLink, ReliableLink]:
    """Return two connected links with sessions 1001 and 2002."""
    a, b = ReliableLink(1001, baud=BAUD), ReliableLink(2002, baud=BAUD)
    for now_ms in range(3):
        b.receive(a.to_line(now_ms), now_ms)
        a.receive(b.to_line(now_ms), now_ms)
    assert a.is_up
    assert b.is_up
    return a, b


def test_an_end_that_never_answers_is_forgotten_in_the_end() -> None:
    link, _ = two_up()
    link.send(b"anybody?")
    now_ms = begun_ms = 10
    assert link.to_line(now_ms)
    while link.is_up:
        deadline = link.next_deadline_ms()
        assert deadline is not None
        assert deadline > now_ms
        now_ms = deadline
        assert link.to_line(now_ms) or not link.is_up
    assert link.was_reset()
    assert not link.was_reset()
    assert 10_000 <= now_ms - begun_ms < 60_000


@pytest.mark.slow
def test_ten_seconds_without_a_line_are_no_reset() -> None:
    pair = linked(Weather(drops=((1_000, 9_000),)))
    carry(pair, (noise(1, 30_000), noise(2, 1_000)), patience_ms=60_000)
    assert pair.resets == [0, 0]


@pytest.mark.slow
def test_buffers_have_an_end() -> None:
    a, b = two_up()
    assert a.send(bytes(50_000)) == SEND_LIMIT
    assert a.send(b"more") == 0
    sent = LinkFrame(Kind.DATA, 1001, 0, 0, bytes(488))
    for number in range(700):
        frame = msgspec.structs.replace(sent, number=number)
        b.receive(frame_bytes(frame), 10)
    held = len(b.take_received())
    assert held <= RECEIVE_LIMIT
    assert held > RECEIVE_LIMIT - 488


@given(st.lists(st.binary(max_size=600), max_size=10), st.integers(0, 4), st.binary(max_size=40))
def test_nothing_on_the_line_can_make_the_link_raise(junk: list[bytes], kind: int, payload: bytes) -> None:
    link, _ = two_up()
    for piece in junk:
        link.receive(piece, 10)
        link.to_line(10)
    if kind:
        for session in (2002, 7, 0):
            link.receive(frame_bytes(LinkFrame(Kind(kind), session, 65_535, 40_000, payload)), 10)
            LinkFrameReader().feed(link.to_line(10))
    assert link.counters().bytes_delivered <= 488


@pytest.mark.parametrize(
    "hit", [pytest.param(False, id="it was lost"), pytest.param(True, id="noise hit it")]
)
def test_the_frame_before_one_that_has_arrived_is_sent_again_at_once(*, hit: bool) -> None:
    a, b = two_up()
    a.send(bytes(488 * 3))
    first, second, _ = (bytearray(a.to_line(at)) for at in (100, 144, 188))
    assert len(first) == len(second)
    first[30] ^= 1
    b.receive(bytes(first if hit else second), 188)
    said = b.to_line(188)
    assert hit == (LinkFrameReader().feed(said) == (LinkFrame(Kind.NOISE, 2002, 0, 0),))
    a.receive(said, 189)
    assert LinkFrameReader().feed(a.to_line(232))[0].number == 0
    assert a.counters().frames_sent_again == 1


def test_what_the_line_does_is_counted() -> None:
    pair = linked(Weather(flips=1e-4), seed=5)
    carry(pair, (noise(1, 20_000), b""), patience_ms=60_000)
    here, there = (end.counters() for end in pair.ends)
    assert here.is_up
    assert here.bytes_sent == there.bytes_delivered == 20_000
    assert here.frames_sent_again > 0
    assert here.bytes_sent_again > here.frames_sent_again
    assert here.resets == 0
    assert there.frames_invalid > 0
    assert there.noise_bytes > there.frames_invalid
    assert there.noise_bytes < there.line_bytes_received
    assert there.frames_received + there.frames_invalid >= here.frames_sent


def test_counting_goes_on_over_the_lives_of_a_ports_links() -> None:
    tally = Tally()
    first, second = (ReliableLink(session, baud=BAUD, tally=tally) for session in (1, 2))
    for link in (first, second):
        link.receive(b"junk\0", 0)
    counted = second.counters()
    assert not counted.is_up
    assert (counted.frames_invalid, counted.noise_bytes, counted.line_bytes_received) == (2, 8, 10)


def test_an_end_that_hears_only_itself_does_not_come_up_and_says_so() -> None:
    link = ReliableLink(7, baud=BAUD)
    for now_ms in range(0, 2_000, 100):
        link.receive(link.to_line(now_ms), now_ms)
    assert not link.is_up
    assert link.counters().echoes == 4


FILE = Path(__file__).parents[2] / "golden" / "wire" / "link.json"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at_ms: int
    says: str
    hears: str = ""
    sends: str = ""
    gives: str = ""
    up: bool | None = None
    reset: bool = False


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    session: int
    baud: int
    steps: list[Step]


class Vectors(msgspec.Struct, frozen=True):
    cases: list[Case]


CASES = msgspec.json.decode(FILE.read_bytes(), type=Vectors).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
@pytest.mark.parametrize("size", [1, 1_000])
def test_an_end_does_as_written(case: Case, size: int) -> None:
    link = ReliableLink(case.session, baud=case.baud)
    for step in case.steps:
        line = bytes.fromhex(step.hears)
        for at in range(0, len(line), size):
            link.receive(line[at : at + size], step.at_ms)
        if step.sends:
            assert link.send(bytes.fromhex(step.sends)) == len(step.sends) // 2
        assert link.to_line(step.at_ms).hex() == step.says
        assert link.take_received().hex() == step.gives
        assert link.was_reset() == step.reset
        assert step.up is None or link.is_up == step.up


BYTES_A_MS = BAUD / 10_000


def carried_ms(pair: LinkedPair, count: int) -> int:
    """Return the time to carry this number of bytes, which must arrive unchanged."""
    data = random.Random(count).randbytes(count)
    before = len(pair.received[1])
    pair.to_say[0] += data
    took_ms = pair.until(lambda: len(pair.received[1]) >= before + count, 120_000)
    assert pair.received[1][before:] == data
    return took_ms


@pytest.mark.slow
@pytest.mark.parametrize("quantum_ms", [pytest.param(0, marks=pytest.mark.nightly), 16])
@pytest.mark.parametrize(("flips", "share"), [(0.0, 0.92), (1e-5, 0.85), (1e-4, 0.60)])
def test_the_payload_fills_most_of_the_line(quantum_ms: int, flips: float, share: float) -> None:
    pair = linked(Weather(quantum_ms=quantum_ms, flips=flips), seed=1)
    assert 150_000 / (carried_ms(pair, 150_000) * BYTES_A_MS) >= share


@pytest.mark.slow
def test_both_directions_are_filled_at_once() -> None:
    pair = linked(Weather(), 1)
    data = random.Random(1).randbytes(50_000)
    for said in pair.to_say:
        said.extend(data)
    took_ms = pair.until(lambda: min(map(len, pair.received)) >= len(data), 60_000)
    assert pair.received == [data, data]
    assert len(data) / (took_ms * BYTES_A_MS) >= 0.90


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("quantum_ms", [0, 16])
@pytest.mark.parametrize("length_ms", [20, 100])
def test_bytes_flow_again_at_most_150_ms_after_a_burst_of_noise(quantum_ms: int, length_ms: int) -> None:
    """The limit is for the median over all positions in a frame. The worst case takes one frame more."""
    waits = sorted(wait_after_burst_ms(quantum_ms, 500 + 7.3 * i, length_ms, i) for i in range(7))
    assert waits[len(waits) // 2] <= 150
    assert waits[-1] <= 200


def wait_after_burst_ms(quantum_ms: int, at_ms: float, length_ms: int, seed: int) -> int:
    pair = linked(Weather(quantum_ms=quantum_ms, bursts=((at_ms, at_ms + length_ms),)), seed)
    pair.to_say[0] += bytes(50_000)
    pair.pass_time(round(at_ms + length_ms) - pair.line.now_ms)
    before = len(pair.received[1])
    return pair.until(lambda: len(pair.received[1]) > before + 1, 5_000)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("quantum_ms", [0, 16])
@pytest.mark.parametrize("length_ms", [20, 100, 300])
def test_a_burst_costs_at_most_150_ms_of_the_line_beyond_itself(quantum_ms: int, length_ms: int) -> None:
    clean = carried_ms(linked(Weather(quantum_ms=quantum_ms), 1), 25_000)
    hit = carried_ms(linked(Weather(quantum_ms=quantum_ms, bursts=((900, 900 + length_ms),)), 1), 25_000)
    assert hit - clean <= length_ms + 150


@pytest.mark.slow
@pytest.mark.parametrize("quantum_ms", [0, 16])
@pytest.mark.parametrize("count", [60, 1_500])
def test_a_lost_tail_is_there_at_most_300_ms_later(quantum_ms: int, count: int) -> None:
    for seed in range(4):
        clean, hit = (tail_ms(quantum_ms, count, seed, drop=drop) for drop in (False, True))
        assert clean + 40 < hit <= clean + 300


def tail_ms(quantum_ms: int, count: int, seed: int, *, drop: bool) -> int:
    """Return when the last bytes before a silence arrive, of which the last 10 ms can be dropped."""
    end_ms = 700 + count * 1.04 / BYTES_A_MS
    drops = ((end_ms - 5, end_ms + 15),) if drop else ()
    pair = linked(Weather(quantum_ms=quantum_ms, drops=drops), seed)
    carried_ms(pair, 3_000)
    pair.pass_time(700 - pair.line.now_ms)
    return carried_ms(pair, count)


@pytest.mark.slow
@pytest.mark.parametrize("real_baud", [114_000, 112_900])
def test_a_line_that_is_slower_than_it_says_is_filled_and_nothing_goes_twice(real_baud: int) -> None:
    """Adapters' clocks differ by a per cent or two, so queued bytes must not cause timeouts."""
    pair = linked(Weather(), 1, real_baud)
    took_ms = carried_ms(pair, 150_000)
    assert 150_000 / (took_ms * real_baud / 10_000) >= 0.90
    assert pair.ends[0].counters().frames_sent_again <= 3


@pytest.mark.slow
def test_a_line_that_stood_still_does_not_have_each_frame_sent_twice_for_ever() -> None:
    pair = linked(Weather(stalls=((1_500, 1_900),)))
    carried_ms(pair, 40_000)
    before = pair.ends[0].counters().frames_sent_again
    carried_ms(pair, 100_000)
    assert before < 40
    assert pair.ends[0].counters().frames_sent_again - before <= 2
