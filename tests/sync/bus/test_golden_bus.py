"""Frames and a terminal's life on the bus, written by another hand."""

from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault
from sync.bus.frame import BusFrame, BusFrameKind, BusFrameReader, frame_bytes, frame_of
from sync.bus.slave import BusSlave

FOLDER = Path(__file__).parents[2] / "golden" / "wire"
SAID = {
    "length": "a frame of",
    "stuffing": "stuffing",
    "checksum": "checksum",
    "version": "version",
    "kind": "kind",
    "address": "address",
}


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    kind: str
    address: int
    turn: int
    lease: int
    number: int
    ack: int
    payload: str
    line: str

    @property
    def frame(self) -> BusFrame:
        payload = bytes.fromhex(self.payload)
        return BusFrame(
            BusFrameKind[self.kind.upper()],
            self.address,
            self.turn,
            self.lease,
            self.number,
            self.ack,
            payload,
        )


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    line: str
    refused: str


class Frames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    frames: list[Line]
    refused: list[Refused]


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at_ms: int
    what: str
    says: str
    hears: str = ""
    sends: str = ""
    gives: str = ""


class Life(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: str
    life: int
    slot: int
    steps: list[Step]


FRAMES = msgspec.json.decode((FOLDER / "bus_frames.json").read_bytes(), type=Frames)
LIFE = msgspec.json.decode((FOLDER / "bus_terminal.json").read_bytes(), type=Life)


@pytest.mark.parametrize("vector", FRAMES.frames, ids=lambda vector: vector.what)
def test_a_frame_lies_on_the_wires_as_written(vector: Line) -> None:
    line = bytes.fromhex(vector.line)
    assert frame_bytes(vector.frame).hex() == vector.line
    assert frame_of(line[:-1]) == vector.frame


def test_every_kind_has_a_vector() -> None:
    assert {vector.frame.kind for vector in FRAMES.frames} == set(BusFrameKind)


@pytest.mark.parametrize("vector", FRAMES.refused, ids=lambda vector: vector.what)
def test_what_is_no_frame_is_refused_for_its_reason(vector: Refused) -> None:
    line = bytes.fromhex(vector.line)
    with pytest.raises(PeerFault, match=SAID[vector.refused]):
        frame_of(line[:-1])
    reader = BusFrameReader()
    assert reader.feed(line) == ()
    assert reader.invalid == 1


@pytest.mark.parametrize("size", [1, 1_000])
def test_a_terminal_says_at_each_moment_what_is_written_and_nothing_else(size: int) -> None:
    slave = BusSlave(bytes.fromhex(LIFE.unit), LIFE.life, baud=115_200, chance=lambda _: LIFE.slot)
    for step in LIFE.steps:
        slave.send(bytes.fromhex(step.sends))
        received = bytes.fromhex(step.hears)
        for at in range(0, len(received), size):
            slave.receive(received[at : at + size], step.at_ms)
        assert slave.to_line(step.at_ms).hex() == step.says, step.what
        assert slave.take_received().hex() == step.gives, step.what
    assert slave.is_over
