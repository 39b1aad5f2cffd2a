"""Two links over a simulated line: paced like 115200 baud, late, noisy, from a seed; no clock but ours."""

import random
from collections import deque

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saloon.sync.link.counters import Tally
from saloon.sync.link.frame import Frame, FrameReader, Kind, frame_bytes
from saloon.sync.link.reliable import RECEIVE_LIMIT, SEND_LIMIT, ReliableLink

BAUD = 115_200
BYTES_A_MS = BAUD / 10_000


class Weather(msgspec.Struct, frozen=True):
    """What a line does to bytes; chances are for each byte, or for each piece handed to it."""

    delay_ms: int = 1
    flips: float = 0.0
    losses: float = 0.0
    doubles: float = 0.0
    pieces_lost: float = 0.0
    one_by_one: bool = False


class Way:
    """One direction of a line."""

    def __init__(self, weather: Weather, seed: int) -> None:
        self._weather = weather
        self._chance = random.Random(seed)
        self._bytes: deque[tuple[float, int]] = deque()
        self._free_at = 0.0
        self.carried = 0

    def is_free(self, now_ms: int) -> bool:
        return self._free_at <= now_ms

    def put(self, data: bytes, now_ms: int) -> None:
        if data and self._chance.random() < self._weather.pieces_lost:
            return
        self._free_at = max(self._free_at, float(now_ms))
        for byte in data:
            self._free_at += 1 / BYTES_A_MS
            self.carried += 1
            if self._chance.random() < self._weather.losses:
                continue
            value = byte
            if self._chance.random() < self._weather.flips * 8:
                value ^= 1 << self._chance.randrange(8)
            times = 2 if self._chance.random() < self._weather.doubles else 1
            self._bytes.extend([(self._free_at + self._weather.delay_ms, value)] * times)

    def take(self, now_ms: int) -> bytes:
        out = bytearray()
        while self._bytes and self._bytes[0][0] <= now_ms:
            out.append(self._bytes.popleft()[1])
        return bytes(out)


class Line:
    """Two links, their line, and a clock in steps of a millisecond."""

    def __init__(self, weather: Weather = Weather(), seed: int = 1) -> None:  # noqa: B008 (frozen)
        self.weather = weather
        self.now_ms = 0
        self.links = [ReliableLink(1001, baud=BAUD), ReliableLink(2002, baud=BAUD)]
        self.ways = [Way(weather, seed), Way(weather, seed + 1)]
        self.got = [bytearray(), bytearray()]
        self.resets = [0, 0]

    def tick(self) -> None:
        self.now_ms += 1
        for end in (0, 1):
            link, out, come = self.links[end], self.ways[end], self.ways[1 - end]
            data = come.take(self.now_ms)
            for piece in [data[i : i + 1] for i in range(len(data))] if self.weather.one_by_one else [data]:
                link.receive(piece, self.now_ms)
            self.got[end] += link.received()
            self.resets[end] += link.was_reset()
            if out.is_free(self.now_ms):
                out.put(link.to_line(self.now_ms), self.now_ms)

    def until_up(self) -> None:
        for _ in range(60_000):
            if all(link.is_up for link in self.links):
                return
            self.tick()
        pytest.fail("the link never came up")

    def carry(self, data: tuple[bytes, bytes], patience_ms: int) -> int:
        """Send both ways until all arrived; the milliseconds it took."""
        left, start = [data[0], data[1]], self.now_ms
        while (bytes(self.got[1]), bytes(self.got[0])) != data:
            for end in (0, 1):
                left[end] = left[end][self.links[end].send(left[end]) :]
                assert data[end].startswith(self.got[1 - end])
            self.tick()
            assert self.now_ms - start < patience_ms, [link.counters() for link in self.links]
        return self.now_ms - start


def noise(seed: int, length: int) -> bytes:
    return random.Random(seed).randbytes(length)


@pytest.mark.parametrize(
    "weather",
    [
        Weather(),
        Weather(one_by_one=True),
        Weather(delay_ms=16),
        Weather(delay_ms=250),
        Weather(flips=1e-4),
        Weather(losses=1e-3),
        Weather(doubles=1e-3),
        Weather(pieces_lost=0.2),
        Weather(delay_ms=16, flips=1e-4, losses=1e-4, doubles=1e-4, pieces_lost=0.05, one_by_one=True),
    ],
    ids=lambda weather: msgspec.json.encode(weather).decode(),
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_bytes_arrive_once_and_in_order_in_any_weather(weather: Weather, seed: int) -> None:
    line = Line(weather, seed)
    line.until_up()
    line.carry((noise(seed, 20_000), noise(-seed, 9_000)), patience_ms=120_000)
    assert line.resets == [0, 0]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 5e-5), st.floats(0, 2e-4), st.floats(0, 0.15), st.integers(0, 60))
def test_any_seed_delivers(seed: int, flips: float, losses: float, pieces_lost: float, delay: int) -> None:
    line = Line(Weather(delay, flips, losses, losses, pieces_lost), seed)
    line.until_up()
    line.carry((noise(seed, 3_000), noise(seed + 1, 3_000)), patience_ms=120_000)


@pytest.mark.parametrize(("flips", "share"), [(0.0, 0.92), (1e-5, 0.85), (1e-4, 0.60)])
def test_the_payload_fills_most_of_the_line(flips: float, share: float) -> None:
    line = Line(Weather(flips=flips))
    line.until_up()
    took_ms = line.carry((noise(7, 200_000), b""), patience_ms=200_000)
    assert 200_000 / (took_ms * BYTES_A_MS) >= share


@pytest.mark.parametrize("restarted", [0, 1])
def test_when_one_end_starts_anew_the_other_is_told_and_old_bytes_are_gone(restarted: int) -> None:
    line = Line(Weather(delay_ms=5))
    line.until_up()
    for link in line.links:
        link.send(noise(3, 10_000))
    for _ in range(200):
        line.tick()
    line.links[restarted] = ReliableLink(3003, baud=BAUD)
    for _ in range(3_000):
        line.tick()
    assert all(link.is_up for link in line.links)
    assert line.resets[1 - restarted] == 1
    line.got = [bytearray(), bytearray()]
    line.carry((noise(4, 5_000), noise(5, 5_000)), patience_ms=10_000)


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


def test_two_ends_that_are_up_and_idle_are_silent() -> None:
    line = Line()
    line.until_up()
    for _ in range(2_000):
        line.tick()
    quiet_from = [way.carried for way in line.ways]
    for _ in range(60_000):
        line.tick()
    assert [way.carried for way in line.ways] == quiet_from
    assert [link.next_deadline_ms() for link in line.links] == [None, None]


def test_frames_of_an_earlier_life_move_nothing() -> None:
    line = Line()
    line.until_up()
    line.links[1].receive(frame_bytes(Frame(Kind.DATA, 999, 0, 0, b"ghost")), line.now_ms)
    line.links[1].receive(frame_bytes(Frame(Kind.ACK, 999, 0, 5)), line.now_ms)
    line.carry((b"real", b""), patience_ms=1_000)


def test_an_end_that_never_answers_is_forgotten_in_the_end() -> None:
    line = Line()
    line.until_up()
    line.links[0].send(b"anybody?")
    now_ms = line.now_ms
    assert line.links[0].to_line(now_ms)
    while line.links[0].is_up:
        deadline = line.links[0].next_deadline_ms()
        assert deadline is not None
        assert deadline > now_ms
        now_ms = deadline
        assert line.links[0].to_line(now_ms) or not line.links[0].is_up
    assert line.links[0].was_reset()
    assert not line.links[0].was_reset()
    assert now_ms - line.now_ms < 120_000


def test_buffers_have_an_end() -> None:
    line = Line()
    line.until_up()
    assert line.links[0].send(bytes(50_000)) == SEND_LIMIT
    assert line.links[0].send(b"more") == 0
    sent = Frame(Kind.DATA, 1001, 0, 0, bytes(488))
    for number in range(700):
        frame = msgspec.structs.replace(sent, number=number)
        line.links[1].receive(frame_bytes(frame), line.now_ms)
    held = len(line.links[1].received())
    assert held <= RECEIVE_LIMIT
    assert held > RECEIVE_LIMIT - 488


@given(st.lists(st.binary(max_size=600), max_size=10), st.integers(0, 3), st.binary(max_size=40))
def test_nothing_on_the_line_can_make_the_link_raise(junk: list[bytes], kind: int, payload: bytes) -> None:
    line = Line()
    line.until_up()
    for piece in junk:
        line.links[0].receive(piece, line.now_ms)
        line.links[0].to_line(line.now_ms)
    if kind:
        for session in (2002, 7, 0):
            frame = Frame(Kind(kind), session, 65_535, 40_000, payload)
            line.links[0].receive(frame_bytes(frame), line.now_ms)
            FrameReader().feed(line.links[0].to_line(line.now_ms))
    assert line.links[0].counters().bytes_delivered <= 488


def test_a_gap_is_named_while_data_flows_the_other_way_too() -> None:
    a, b = ReliableLink(1, baud=BAUD), ReliableLink(2, baud=BAUD)
    for now_ms in range(3):
        b.receive(a.to_line(now_ms), now_ms)
        a.receive(b.to_line(now_ms), now_ms)
    b.receive(frame_bytes(Frame(Kind.DATA, 1, 1, 0, b"second")), 10)
    b.send(b"answer")
    frames = FrameReader().feed(b.to_line(10))
    assert [frame.kind for frame in frames] == [Kind.DATA, Kind.ACK]
    assert frames[1].payload == bytes.fromhex("00010001")


def test_what_the_line_does_is_counted() -> None:
    line = Line(Weather(flips=1e-4), seed=5)
    line.until_up()
    line.carry((noise(1, 20_000), b""), patience_ms=60_000)
    here, there = (link.counters() for link in line.links)
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
