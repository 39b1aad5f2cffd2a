"""Frames on the line, written by another hand: both directions, whole, byte by byte, in company."""

import itertools
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault
from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes, frame_of
from sync.link.window import ranges_of

FILE = Path(__file__).parents[2] / "golden" / "wire" / "frames.json"
SAID = {
    "length": "a frame of",
    "stuffing": "stuffing",
    "checksum": "checksum",
    "version": "version",
    "kind": "kind",
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


def what(vector: Line | Refused | Reading) -> str:
    return vector.what


@pytest.mark.parametrize("vector", VECTORS.frames, ids=what)
def test_a_frame_lies_on_the_line_as_written(vector: Line) -> None:
    line = bytes.fromhex(vector.line)
    assert frame_bytes(vector.frame).hex() == vector.line
    assert frame_of(line[:-1]) == vector.frame
    assert LinkFrameReader().feed(line) == (vector.frame,)
    by_bytes = LinkFrameReader()
    frames = [by_bytes.feed(bytes([byte])) for byte in line]
    assert frames[-1] == (vector.frame,)
    assert not any(frames[:-1])
    if vector.ranges is not None:
        assert list(ranges_of(vector.frame.payload)) == vector.ranges


@pytest.mark.parametrize(("one", "next_one"), list(itertools.pairwise(VECTORS.frames)), ids=what)
def test_a_frame_is_read_with_the_next_one_behind_it(one: Line, next_one: Line) -> None:
    reader = LinkFrameReader()
    assert reader.feed(bytes.fromhex(one.line + next_one.line)) == (one.frame, next_one.frame)
    assert reader.invalid == 0


@pytest.mark.parametrize("vector", VECTORS.refused, ids=what)
def test_a_bad_frame_is_refused_for_its_reason_and_the_next_one_is_read(vector: Refused) -> None:
    line, behind = bytes.fromhex(vector.line), VECTORS.frames[3]
    with pytest.raises(PeerFault, match=SAID.get(vector.refused, vector.refused)):
        frame_of(line)
    reader = LinkFrameReader()
    assert reader.feed(line + b"\0" + bytes.fromhex(behind.line)) == (behind.frame,)
    assert (reader.invalid, reader.noise) == (1, len(line))


@pytest.mark.parametrize("vector", VECTORS.reading, ids=what)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_line_is_cut_into_frames_and_noise(vector: Reading, size: int) -> None:
    line, reader = bytes.fromhex(vector.line), LinkFrameReader()
    frames = [frame for at in range(0, len(line), size) for frame in reader.feed(line[at : at + size])]
    assert [frame_bytes(frame).hex() for frame in frames] == vector.frames
    assert (reader.invalid, reader.noise) == (vector.invalid, vector.noise)
