"""A simulated line has the disturbances that were configured."""

import random

import pytest

from base.errors import Unavailable
from demo.shaped_line import LineDirection, Weather, collide
from tests.rigs.simulator import BAUD, LinkedPair, SimulatedLine

BYTES_A_MS = BAUD / 10_000
SAID = random.Random(1).randbytes(11_520)
AT_THE_END = 60_000.0


def said(weather: Weather, seed: int = 1) -> LineDirection:
    way = LineDirection(BAUD, weather, seed)
    way.put(SAID, 0.0)
    return way


def test_bytes_come_one_by_one_at_the_lines_speed() -> None:
    way = said(Weather())
    assert way.take(0.05, 100) == b""
    assert way.take(0.1, 100) == SAID[:1]
    assert way.take(500.0, 100_000) == SAID[1:5_760]
    assert way.take(AT_THE_END, 10) == SAID[5_760:5_770]
    assert way.take(AT_THE_END, 100_000) == SAID[5_770:]
    assert (way.waiting(), way.carried) == (0, len(SAID))


def test_bytes_come_late_and_in_quanta() -> None:
    assert len(said(Weather(delay_ms=100)).take(200.0, 100_000)) == 1_152
    way = said(Weather(quantum_ms=16))
    assert way.take(15.9, 100_000) == b""
    assert len(way.take(31.9, 100_000)) == int(16 * BYTES_A_MS)


@pytest.mark.parametrize("flips", [1e-4, 1e-3])
def test_about_as_many_bits_are_wrong_as_were_asked_for(flips: float) -> None:
    way = said(Weather(flips=flips))
    came = way.take(AT_THE_END, 100_000)
    wrong = sum((a ^ b).bit_count() for a, b in zip(came, SAID, strict=True))
    assert wrong == way.flipped
    assert 0.5 < wrong / (flips * 8 * len(SAID)) < 1.6


def test_bytes_are_lost_and_doubled() -> None:
    assert 11_200 < len(said(Weather(losses=0.01)).take(AT_THE_END, 100_000)) < 11_500
    assert 11_540 < len(said(Weather(doubles=0.01)).take(AT_THE_END, 100_000)) < 11_800


def test_a_burst_is_noise_and_a_drop_is_nothing_and_the_rest_is_whole() -> None:
    first, last = 1_152, 2_304
    noisy = said(Weather(bursts=((100.0, 200.0),))).take(AT_THE_END, 100_000)
    assert noisy[:first] + noisy[last:] == SAID[:first] + SAID[last:]
    assert sum(a != b for a, b in zip(noisy[first:last], SAID[first:last], strict=True)) > 1_100
    dropped = said(Weather(drops=((100.0, 200.0),))).take(AT_THE_END, 100_000)
    assert dropped == SAID[:first] + SAID[last:]


def test_the_same_seed_does_the_same() -> None:
    weather = Weather(flips=1e-3, losses=1e-3, doubles=1e-3, bursts=((10.0, 30.0),))
    once, again, other = (said(weather, seed).take(AT_THE_END, 100_000) for seed in (3, 3, 4))
    assert once == again != other


def test_on_one_pair_of_wires_only_what_is_said_at_once_is_spoilt() -> None:
    ways = LineDirection(BAUD, Weather(), 1), LineDirection(BAUD, Weather(), 2)
    ways[0].put(SAID[:1_152], 0.0)
    ways[1].put(SAID[:1_152], 50.0)
    collide(*ways)
    received = [way.take(AT_THE_END, 100_000) for way in ways]
    assert received[0][:576] == SAID[:576]
    assert received[0][580:] != SAID[580:1_152]
    assert received[1][:570] != SAID[:570]
    assert received[1][580:] == SAID[580:1_152]


def test_two_links_that_open_at_the_same_moment_on_one_pair_of_wires_hear_noise() -> None:
    """The reason for the bus protocol, in which only one end sends at a time."""
    pair = LinkedPair(Weather(half_duplex=True))
    pair.pass_time(3_000)
    assert all(end.counters().line_bytes_received > 50 for end in pair.ends)
    assert all(end.counters().frames_received == 0 for end in pair.ends)


def test_a_line_that_is_cut_is_gone_until_it_is_joined() -> None:
    line = SimulatedLine(Weather(), 1)
    port = line.ports[0]
    with pytest.raises(Unavailable):
        port.read()
    port.open()
    assert port.write(b"Hi") == 2
    line.cut()
    for use in (port.read, port.open, port.fileno):
        with pytest.raises(Unavailable):
            use()
    line.join()
    port.open()
    assert port.read() == b""
    port.close()
