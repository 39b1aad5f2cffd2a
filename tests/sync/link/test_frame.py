import itertools
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.link.frame import (
    LARGEST_PAYLOAD,
    Kind,
    LinkFrame,
    LinkFrameReader,
    cobs_decode,
    cobs_encode,
    frame_bytes,
    frame_of,
)
from sync.link.window import ranges_of

BEHIND = LinkFrame(Kind.DATA, 9, 8, 7, b"behind")

frames = st.builds(
    LinkFrame,
    st.sampled_from(Kind),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFF),
    st.binary(max_size=LARGEST_PAYLOAD),
)
MOST_HELD = 503


@given(frames)
def test_every_frame_decodes_to_itself_and_costs_at_most_15_bytes(frame: LinkFrame) -> None:
    line = frame_bytes(frame)
    assert line.count(0) == 1
    assert len(frame.payload) + 14 <= len(line) <= len(frame.payload) + 15
    assert frame_of(line[:-1]) == frame


@given(st.lists(st.binary(max_size=700), max_size=8))
def test_any_bytes_are_noise_or_frames_and_at_most_one_frame_is_held(pieces: list[bytes]) -> None:
    reader = LinkFrameReader()
    for piece in pieces:
        reader.feed(piece)
        assert reader.pending_bytes() <= MOST_HELD
    # A zero ends whatever the noise began; the next frame is whole again.
    assert reader.feed(b"\0" + frame_bytes(BEHIND))[-1:] == (BEHIND,)


@pytest.mark.parametrize(
    ("plain", "line"),
    [
        ("", "01"),
        ("00", "0101"),
        ("0000", "010101"),
        ("11", "0211"),
        ("1100", "021101"),
        ("11220033", "0311220233"),
        ("0011", "010211"),
    ],
)
def test_bytes_become_distances_to_the_next_zero_and_back(plain: str, line: str) -> None:
    assert cobs_encode(bytes.fromhex(plain)).hex() == line
    assert cobs_decode(bytes.fromhex(line)).hex() == plain


@pytest.mark.parametrize("length", [1, 253, 254, 255, 507, 508, 509])
@pytest.mark.parametrize("tail", [b"", b"\0", b"\0\x07"])
def test_long_runs_without_a_zero_are_cut_after_254_bytes(length: int, tail: bytes) -> None:
    plain = b"\x05" * length + tail
    line = cobs_encode(plain)
    assert cobs_decode(line) == plain
    assert len(line) <= len(plain) + 1 + len(plain) // 254


@given(st.binary(max_size=1200))
def test_any_bytes_come_back_and_no_zero_is_on_the_line(plain: bytes) -> None:
    line = cobs_encode(plain)
    assert 0 not in line
    assert cobs_decode(line) == plain


@given(st.binary(max_size=300))
def test_any_line_gives_bytes_or_a_fault_of_the_peer(line: bytes) -> None:
    try:
        plain = cobs_decode(line)
    except PeerFault:
        return
    assert len(plain) <= len(line)


@pytest.mark.parametrize("line", ["00", "0311", "05112233", "021100"])
def test_a_line_that_no_stuffing_gives_is_a_fault_of_the_peer(line: str) -> None:
    with pytest.raises(PeerFault, match="stuffing"):
        cobs_decode(bytes.fromhex(line))


FILE = Path(__file__).parents[2] / "golden" / "wire" / "frames.json"
SAID = {
    "length": r"a frame of (0|11|501) bytes",
    "stuffing": "stuffing",
    "checksum": "checksum",
    "version": "version 2, we speak 1",
    "kind": "kind [09]",
}


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    kind: str
    session: int
    number: int
    ack: int
    payload: str
    line: str
    ranges: list[tuple[int, int]] | None = None

    @property
    def frame(self) -> LinkFrame:
        payload = bytes.fromhex(self.payload)
        return LinkFrame(Kind[self.kind.upper()], self.session, self.number, self.ack, payload)


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    line: str
    refused: str


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    line: str
    frames: list[str]
    invalid: int
    noise: int


class Vectors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    frames: list[Line]
    refused: list[Refused]
    reading: list[Reading]


VECTORS = msgspec.json.decode(FILE.read_bytes(), type=Vectors)


# Header, payload, CRC-32 (most significant byte first), stuffed, and the closing zero.
LINES = [
    *((vector.frame, vector.line) for vector in VECTORS.frames),
    (LinkFrame(Kind.OPEN, 0x1234, 0, 0, b"\x43\x21\1"), "0501011234010101084321014f3e248e00"),
    (LinkFrame(Kind.ACK, 0x4321, 0, 2, b"\0\5\0\3"), "05030143210101020202050603c8c0212d00"),
    (LinkFrame(Kind.DATA, 0xFFFF, 0xFFFF, 0xFFFF, b"\xff" * 3), "0d0201ffffffffffffffffffd1036f2d00"),
]
SHORT = 100


def what(vector: Line | Refused | Reading) -> str:
    return vector.what


@pytest.mark.parametrize(("frame", "line"), LINES)
def test_a_frame_lies_on_the_line_as_written(frame: LinkFrame, line: str) -> None:
    raw = bytes.fromhex(line)
    assert frame_bytes(frame).hex() == line
    assert frame_of(raw[:-1]) == frame
    assert LinkFrameReader().feed(raw) == (frame,)
    by_bytes = LinkFrameReader()
    frames = [by_bytes.feed(bytes([byte])) for byte in raw]
    assert frames[-1] == (frame,)
    assert not any(frames[:-1])


@pytest.mark.parametrize("vector", [vector for vector in VECTORS.frames if vector.ranges is not None])
def test_the_ranges_of_an_ack_are_read_as_written(vector: Line) -> None:
    assert list(ranges_of(vector.frame.payload)) == vector.ranges


@pytest.mark.parametrize(("one", "next_one"), list(itertools.pairwise(LINES)))
def test_a_frame_is_read_with_the_next_one_behind_it(
    one: tuple[LinkFrame, str], next_one: tuple[LinkFrame, str]
) -> None:
    reader, line, behind = LinkFrameReader(), bytes.fromhex(one[1]), bytes.fromhex(next_one[1])
    assert reader.feed(line + behind) == (one[0], next_one[0])
    assert reader.feed(line + behind[:-1]) == (one[0],)
    assert reader.feed(behind[-1:]) == (next_one[0],)
    assert reader.invalid == 0


@pytest.mark.parametrize("line", [line for _, line in LINES if len(line) < SHORT])
def test_no_frame_with_a_flipped_bit_is_believed(line: str) -> None:
    clean = bytes.fromhex(line)
    frame = frame_of(clean[:-1])
    for bit in range(8 * len(clean)):
        noisy = bytearray(clean)
        noisy[bit // 8] ^= 1 << bit % 8
        assert frame not in LinkFrameReader().feed(bytes(noisy) + b"\0")


@pytest.mark.parametrize("vector", VECTORS.refused, ids=what)
def test_a_bad_frame_is_refused_for_its_reason_and_the_next_one_is_read(vector: Refused) -> None:
    line, behind = bytes.fromhex(vector.line), VECTORS.frames[3]
    with pytest.raises(PeerFault, match=SAID.get(vector.refused, vector.refused)):
        frame_of(line)
    reader = LinkFrameReader()
    assert reader.feed(line + b"\0" + bytes.fromhex(behind.line)) == (behind.frame,)
    assert (reader.invalid, reader.noise_bytes) == (1, len(line))


@pytest.mark.parametrize("vector", VECTORS.reading, ids=what)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_line_is_cut_into_frames_and_noise(vector: Reading, size: int) -> None:
    line, reader = bytes.fromhex(vector.line), LinkFrameReader()
    frames = [frame for at in range(0, len(line), size) for frame in reader.feed(line[at : at + size])]
    assert [frame_bytes(frame).hex() for frame in frames] == vector.frames
    assert (reader.invalid, reader.noise_bytes) == (vector.invalid, vector.noise)
