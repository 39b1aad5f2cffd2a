"""The guides to the protocol and to security agree with the code and its tests."""

import re
from pathlib import Path

import pytest

from sync.bus import frame as bus
from sync.bus.admission_control import FIRST_SHUN_MS, LONGEST_SHUN_MS
from sync.bus.frame import mask_bytes
from sync.bus.members import ACK_WITHIN_MS, ALIVE_EVERY_MS
from sync.bus.slave import PATIENCE_MS
from sync.bus.timing import ADAPTER_HOLD_MS
from sync.link.frame import LARGEST_PAYLOAD, Kind, LinkFrame, frame_bytes
from sync.link.pace import PAYLOADS, Pace
from sync.link.reliable import RECEIVE_LIMIT, SEND_LIMIT
from sync.link.window import WINDOW as FRAMES
from sync.protocol.entry import GENESIS, LONGEST_ENTRY, ClockReading, Epoch, chained_hash, content_bytes
from sync.protocol.messages import LONGEST, Ack, CloseCause, Enrolled, Entries, message_bytes
from sync.protocol.parcel import LONGEST_CONTENT, LONGEST_PARCEL, MOST_PARTS, PREFIX, ROOM
from sync.protocol.session import BATCH, BATCH_BYTES, BEAT_MS, SILENCE_MS, WINDOW, WINDOW_BYTES
from sync.update.bundle import LARGEST_PAYLOAD as LARGEST_UPDATE
from sync.update.bundle import LARGEST_WORD, LONGEST_HEAD, LONGEST_MANIFEST
from sync.update.fetcher import (
    ASK_AGAIN_MS,
    FIRST_PIECE,
    LEAST_PIECE,
    LONGEST_REST_MS,
    QUICK_MS,
    SLOW_MS,
    TELL_EVERY,
)
from sync.update.messages import LARGEST_PIECE, UpdateReason, UpdateStage

GUIDE = (Path(__file__).parents[2] / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
WORDS = " ".join(GUIDE.split())
EXAMPLES = [
    bytes.fromhex(block) for block in re.findall(r"(?:^    (?:[0-9a-f]{2} ?)+\n)+", GUIDE, re.MULTILINE)
]


def test_every_example_is_what_is_sent() -> None:
    raw = content_bytes(ClockReading(1, 2_500, 0, trusted=False), b"\xa2hi")
    epoch = Epoch("00112233445566aa")
    assert [
        frame_bytes(LinkFrame(Kind.DATA, 0x1234, 1, 0, b"Hi")),
        bus.burst(bus.BusFrame(bus.BusFrameKind.ASK, bus.EVERYBODY, 5, payload=mask_bytes((1, 2, 32)))),
        bus.burst(bus.BusFrame(bus.BusFrameKind.WANT, 2, 5, 0xABCD)),
        raw,
        message_bytes(Entries(epoch, 1, (raw,))),
        message_bytes(Ack(epoch, 1, chained_hash(GENESIS, raw))),
        message_bytes(Enrolled()),
    ] == EXAMPLES


def settled() -> Pace:
    pace = Pace(115_200)
    for _ in range(50):
        pace.on_delivery(1)
    return pace


@pytest.mark.parametrize(
    "said",
    [
        f"0–{LARGEST_PAYLOAD}",
        f"{PAYLOADS[2]} bytes of payload. If",
        f"go down to {PAYLOADS[1]}, then {PAYLOADS[0]};",
        f"At most {FRAMES} of them may be in flight",
        f"If {RECEIVE_LIMIT // 1024} KiB are waiting for the layer above",
        f"at most {SEND_LIMIT // 1024} KiB may wait to be sent",
        f"{settled().rto_ms} ms at 115,200 baud",
        f"it is at most {LONGEST_ENTRY:,} bytes long",
        f"while those amount to {WINDOW_BYTES // 1024**2} MiB",
        f"at most {BATCH} entries and {BATCH_BYTES // 1024} KiB of them",
        f"(at most {LONGEST:,})",
        f"at most {BATCH}, and about 64 KiB",
        f"after {BEAT_MS // 1000} s without another message; {SILENCE_MS // 1000} s of silence",
        f"At most {WINDOW} entries may be unacknowledged",
        f"at most {LONGEST_CONTENT // 1024**2} MiB; a parcel is at most {LONGEST_PARCEL // 1024**2} MiB",
        f"at most {ROOM} characters (a QR code of version 20 at error correction M): `{PREFIX}`",
        f"how many parts there are, at most {MOST_PARTS}",
        f"up to {bus.MOST_TERMINALS} terminals share",
        f"({bus.FRAME_OVERHEAD} for each, and its payload)",
        f"it was not polled for {PATIENCE_MS // 1000} s",
        f"an ack has been due for {ACK_WITHIN_MS} ms",
        f"it has been silent for {ALIVE_EVERY_MS // 1000} s",
        f"The hold is {ADAPTER_HOLD_MS} ms unless",
        f"(at most {LONGEST_HEAD:,} bytes); empty",
        f"of 1 to {LARGEST_PIECE:,} bytes",
        f"words of at most {LARGEST_WORD} of the characters",
        f"is {FIRST_PIECE:,} bytes. A piece that took less than {QUICK_MS} ms",
        f"more than {SLOW_MS} ms halves it, down to {LEAST_PIECE} bytes",
        f"at most {LONGEST_REST_MS // 1000} s, so half of a slow line",
        f"not answered for {ASK_AGAIN_MS // 1000} s is repeated",
        f"1 to {LONGEST_MANIFEST:,}",
        f"its bytes, at most {LARGEST_UPDATE:,})",
        f"or every {100 // TELL_EVERY} %",
        *(f"`{stage.value}`" for stage in UpdateStage),
        *(f"`{reason.value}`" for reason in UpdateReason if reason.value),
        *(f"`{cause.value}`" for cause in CloseCause if cause.value),
        f"The first shun lasts {FIRST_SHUN_MS // 1000} s, and each further one",
        f"twice as long, up to {LONGEST_SHUN_MS // 60_000} min",
    ],
)
def test_every_limit_is_the_one_that_holds(said: str) -> None:
    assert said in WORDS


ROOT = Path(__file__).parents[2]
NAMED = re.findall(
    r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "reference" / "security.md").read_text(encoding="utf-8")
)


def test_the_guide_names_tests() -> None:
    assert len(NAMED) > 25


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_what_the_guide_says_was_tried_is_a_test(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
