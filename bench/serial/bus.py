"""32 terminals on one RS-485 bus at 115,200 baud: shares, waits, and the time to connect all of them.

The real protocols of station and terminals run in virtual time, with adapters that hold bytes for 1 or 16 ms
and programs that are up to 3 ms late. Running 32 terminals in one process would measure that process instead.
"""

import random
from collections.abc import Iterator, Sequence

from bench.figure import Effort, Figure, Measurement, Once, percentile
from sync.bus.frame import MOST_TERMINALS, BusFrame, BusFrameKind, burst, count_bytes
from tests.rigs.bus_hall import HallNoise
from tests.rigs.bus_units import RigHall, RigTerminal

BAUD = 115_200
_BYTES_A_MS = BAUD / 10_000
_ENTRY = 110
"""The size of an entry inside TLS, in bytes."""
_HANDSHAKE = 1_300
_SPAN_MS = 20_000
_TIMES = 300
_ADAPTERS = (("adapters at 1 ms", HallNoise(hold_ms=1)), ("adapters at 16 ms", HallNoise(hold_ms=16)))


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of a busy terminal's share, an idle one's waits, and the time to connect all."""
    return [one for words, noise in _ADAPTERS for one in _with_adapters(words, noise, effort)]


def _with_adapters(words: str, noise: HallNoise, effort: Effort) -> Iterator[Measurement]:
    rig = Once(lambda: settled(noise))
    yield Measurement(f"bus: busy terminal, {words}", lambda: [_share(rig(), words, effort)])
    yield Measurement(f"bus: idle terminals, {words}", lambda: _waits(rig(), words, effort))
    yield Measurement(f"bus: all plugged in at once, {words}", lambda: [_coming(noise, words)])


def settled(noise: HallNoise) -> RigHall:
    """Return a hall whose 32 terminals have joined and have nothing to send."""
    rig = RigHall(MOST_TERMINALS, noise)
    rig.wait_joined()
    rig.hall.run_ms(5_000)
    return rig


def idle_poll_ms(rig: RigHall) -> float:
    """Return the time to poll an idle terminal and get its reply, the lower bound of polling each in turn."""
    noise = rig.hall.noise
    late = noise.hold_ms / 2 + noise.late_ms / 2
    poll = burst(BusFrame(BusFrameKind.POLL, 1, 1, 1, payload=count_bytes(1, b"")))
    done = burst(BusFrame(BusFrameKind.DONE, 1, 1, 1, payload=count_bytes(1, b"")))
    return (len(poll) + len(done)) / _BYTES_A_MS + 2 * late


def heard(rig: RigHall, terminal: RigTerminal) -> bytearray:
    return rig.station.leases[rig.station.lease_of(terminal.unit) or 0].received


def _share(rig: RigHall, words: str, effort: Effort) -> Figure:
    busy = rig.terminals[0]
    before, start = len(heard(rig, busy)), rig.hall.now_ms
    while rig.hall.now_ms < start + effort.count(_SPAN_MS, 1_000):
        busy.say(bytes(16_000))
        rig.hall.run_ms(100)
    span = rig.hall.now_ms - start
    ours = 100 * (len(heard(rig, busy)) - before) / (span * _BYTES_A_MS)
    rig.hall.run_ms(5_000)
    # In the lower bound, the busy terminal has as long a turn, and 31 others are polled in between.
    turn_ms = rig.timing.grant(1) / _BYTES_A_MS
    polled = 100 * turn_ms * 488 / 505 / (turn_ms + 32 * idle_poll_ms(rig))
    what = f"bus: payload share of one busy terminal among 32, {words}"
    return Figure(what, "%", ours, "each polled in turn, computed", polled, "more")


def _waits(rig: RigHall, words: str, effort: Effort) -> list[Figure]:
    chance, waits = random.Random(3), []
    for _ in range(effort.count(_TIMES, 5)):
        rig.hall.run_ms(chance.randrange(50, 250))
        one = chance.choice(rig.terminals)
        start = rig.hall.now_ms
        one.say(bytes(_ENTRY))
        wanted = len(one.lives[-1].said)
        if not rig.hall.run_ms(10_000, lambda one=one, wanted=wanted: len(heard(rig, one)) == wanted):  # type: ignore[misc]
            raise TimeoutError(one.name)
        waits.append(float(rig.hall.now_ms - start))
    floor = 32 * idle_poll_ms(rig) + _ENTRY / _BYTES_A_MS
    what = f"bus: an entry of one of 32 idle terminals, saved to heard, {words}"
    return [
        Figure(f"{what}, p99", "ms", percentile(waits, 99), "each polled in turn, at worst, computed", floor),
        Figure(f"{what}, worst", "ms", max(waits), "each polled in turn, at worst, computed", floor),
    ]


def _coming(noise: HallNoise, words: str) -> Figure:
    rig = RigHall(MOST_TERMINALS, noise, seed=2)
    for one in rig.terminals:
        one.say(bytes(_HANDSHAKE))

    def all_are_there() -> bool:
        if rig.joined() < MOST_TERMINALS:
            return False
        return all(len(heard(rig, one)) == _HANDSHAKE for one in rig.terminals)

    if not rig.hall.run_ms(120_000, all_are_there):
        raise TimeoutError("not all terminals joined")
    floor = MOST_TERMINALS * _HANDSHAKE / _BYTES_A_MS / 1000
    what = f"bus: 32 plugged in at once, all have said {_HANDSHAKE} bytes, {words}"
    return Figure(what, "s", rig.hall.now_ms / 1000, "their bytes at the line's own rate", floor)
