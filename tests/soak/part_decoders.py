"""Frames of the serial link, damaged in bulk, and junk for every decoder, guided by coverage."""

import random
import subprocess
import sys
import time
from pathlib import Path

from demo.shaped_line import Weather
from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes
from tests.rigs.simulator import LinkedPair
from tests.soak.counts import Counts, Progress
from tests.soak.fuzzing import HERE, KEPT, target_names

SIZES = (0, 3, 60, 120, 240, 488)
FRAMES = 300
REPEATS = 12
LINES_EVERY = 200
"""The number of blocks of damaged frames between two whole lines."""
_TELL_EVERY_S = 0.5
_SAID = 6_000
_PATIENCE_MS = 600_000


def run_link(seed: int, seconds: float, progress: Progress) -> Counts:
    """Check blocks of damaged frames until the time is over, and now and then a whole line with noise."""
    end = time.monotonic() + seconds
    told_at, done, block = 0.0, Counts(), 0
    while not block or time.monotonic() < end:
        done += damaged_block(seed, block)
        if block % LINES_EVERY == 0:
            done += line_in_bad_weather(seed + block)
        block += 1
        if time.monotonic() - told_at >= _TELL_EVERY_S:
            told_at = time.monotonic()
            progress(done)
    return done


def sent_frames(chance: random.Random) -> dict[int, LinkFrame]:
    """Return frames of any size that fits a line, by their number."""
    size = chance.choice(SIZES)
    first = chance.randrange(60_000)
    return {
        number: LinkFrame(Kind.DATA, 0x1234, number, number, chance.randbytes(size))
        for number in range(first, first + FRAMES)
    }


def damaged_block(seed: int, block: int) -> Counts:
    """Damage the same frames several times in different places. Accepted ones must have been sent."""
    chance = random.Random(f"{seed} {block}")
    sent = sent_frames(chance)
    clean = b"".join(map(frame_bytes, sent.values()))
    octets = 0
    for repeat in range(REPEATS):
        noisy = damaged(clean, chance)
        octets += len(noisy)
        for frame in LinkFrameReader().feed(noisy):
            if frame != sent.get(frame.number):
                again = f"tests.soak.part_decoders.damaged_block({seed}, {block}), repeat {repeat}"
                return Counts(octets=octets, failures=(f"{again}: {frame}",))
    return Counts(seeds=1, octets=octets)


def damaged(clean: bytes, chance: random.Random) -> bytes:
    """Flip bits everywhere, add a burst, cut out a piece, insert one, duplicate one."""
    out = bytearray(clean)
    length = len(out)
    spots = memoryview(chance.randbytes(8 * (length // 200 + 1))).cast("I")
    for at, bits in zip(spots[::2], spots[1::2], strict=True):
        out[at % length] ^= bits & 0xFF or 1
    at, size = chance.randrange(length), chance.randrange(1, 40)
    match chance.randrange(4):
        case 0:
            out[at : at + size] = chance.randbytes(size)
        case 1:
            del out[at : at + size]
        case 2:
            out[at:at] = chance.randbytes(size)
        case _:
            out[at:at] = out[at : at + 20 * size]
    return bytes(out)


def line_in_bad_weather(seed: int) -> Counts:
    """Run two links on a line with flips, losses, duplicates and bursts. The stream must arrive unchanged."""
    chance = random.Random(seed)
    drawn = [chance.random() for _ in range(3)]
    bursts = tuple((at, at + chance.uniform(5, 80)) for at in range(200, 20_000, 400))
    weather = Weather(
        quantum_ms=chance.choice((0, 16)),
        flips=drawn[0] * 2e-4,
        losses=drawn[1] * 3e-4,
        doubles=drawn[2] * 3e-4,
        bursts=bursts,
    )
    pair, said = LinkedPair(weather, seed % 10_000), chance.randbytes(_SAID)
    again = f"tests.soak.part_decoders.line_in_bad_weather({seed})"
    try:
        pair.until_up()
        pair.to_say[0].extend(said)
        pair.until(lambda: len(pair.received[1]) >= len(said), _PATIENCE_MS)
    except TimeoutError as error:
        return Counts(seeds=1, failures=(f"{again}: {error}",))
    octets = sum(way.carried for way in pair.line.ways)
    wrong = () if pair.received[1] == said else (f"{again}: other bytes than were sent",)
    return Counts(seeds=1, octets=octets, failures=wrong)


_LOOK_S = 0.5
_AT_ONCE = 2
_GRACE_S = 60.0
"""The time that a fuzzer may take to start and to end."""


class Fuzzer:
    """A process that feeds one decoder."""

    def __init__(self, name: str, seconds: int, seed: int) -> None:
        self._name = name
        self._kept = KEPT / name
        self._kept.mkdir(parents=True, exist_ok=True)
        (self._kept / "counts").unlink(missing_ok=True)
        self._log = (self._kept / "log").open("wb")
        self._before = self._crashes()
        self._end = time.monotonic() + seconds + _GRACE_S
        command = [sys.executable, "-m", "tests.soak.fuzzing", name, f"--seconds={seconds}", f"--seed={seed}"]
        self._process = subprocess.Popen(
            command, cwd=HERE.parents[1], stdout=self._log, stderr=subprocess.STDOUT
        )

    def is_done(self) -> bool:
        """Return whether it has ended, and end one that is overdue."""
        if self._process.poll() is None and time.monotonic() > self._end:
            self._process.kill()
            self._process.wait()
        if self._process.poll() is None:
            return False
        self._log.close()
        return True

    def counts(self) -> Counts:
        file = self._kept / "counts"
        _, octets = file.read_text(encoding="ascii").split() if file.exists() else ("0", "0")
        return Counts(octets=int(octets), failures=self._failures())

    def _failures(self) -> tuple[str, ...]:
        crashes = sorted(self._crashes() - self._before)
        again = f"python -m tests.soak.fuzzing {self._name} --again"
        said = tuple(f"{self._name}: {again} {crash}" for crash in crashes)
        code = self._process.poll()
        if code and not said:
            return (f"{self._name}: the fuzzer ended with {code}, see {self._kept / 'log'}",)
        return said

    def _crashes(self) -> frozenset[Path]:
        kinds = ("crash-*", "timeout-*", "oom-*", "leak-*")
        return frozenset(path for kind in kinds for path in self._kept.glob(kind))


def run_fuzz(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run two fuzzers at a time, each decoder for its share of the seconds."""
    waiting = list(target_names())
    each = max(2, int(seconds * _AT_ONCE / max(_AT_ONCE, len(waiting))))
    running: list[Fuzzer] = []
    done = Counts()
    while waiting or running:
        while waiting and len(running) < _AT_ONCE:
            running.append(Fuzzer(waiting.pop(0), each, seed))
        time.sleep(_LOOK_S)
        for fuzzer in [one for one in running if one.is_done()]:
            running.remove(fuzzer)
            done += fuzzer.counts()
        progress(sum((fuzzer.counts() for fuzzer in running), done))
    return done
