"""valid frames of the serial link, damaged in bulk: none may be believed that was not sent"""

import random
import time

from demo.shaped_line import Weather
from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes
from tests.rigs.simulator import LinkedPair
from tests.soak.counts import Counts, Progress

SIZES = (0, 3, 60, 120, 240, 488)
FRAMES = 300
LINES_EVERY = 200
"""The number of blocks of damaged frames between two whole lines."""
_TELL_EVERY_S = 0.5
_SAID = 6_000
_PATIENCE_MS = 600_000


def run(seed: int, seconds: float, progress: Progress) -> Counts:
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


def damaged_block(seed: int, block: int, repeats: int = 12) -> Counts:
    """Damage the same frames several times in different places. Accepted ones must have been sent."""
    chance = random.Random(f"{seed} {block}")
    sent = sent_frames(chance)
    clean = b"".join(map(frame_bytes, sent.values()))
    octets = 0
    for repeat in range(repeats):
        noisy = damaged(clean, chance)
        octets += len(noisy)
        for frame in LinkFrameReader().feed(noisy):
            if frame != sent.get(frame.number):
                again = f"tests.soak.part_link.damaged_block({seed}, {block}), repeat {repeat}"
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
    again = f"tests.soak.part_link.line_in_bad_weather({seed})"
    try:
        pair.until_up()
        pair.to_say[0].extend(said)
        pair.until(lambda: len(pair.received[1]) >= len(said), _PATIENCE_MS)
    except TimeoutError as error:
        return Counts(seeds=1, failures=(f"{again}: {error}",))
    octets = sum(way.carried for way in pair.line.ways)
    wrong = () if pair.received[1] == said else (f"{again}: other bytes than were sent",)
    return Counts(seeds=1, octets=octets, failures=wrong)
