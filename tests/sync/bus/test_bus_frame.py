from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.bus.frame import (
    FRAME_OVERHEAD,
    LARGEST_PAYLOAD,
    MOST_TERMINALS,
    Admission,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    Hush,
    Invitation,
    JoinRequest,
    admission_bytes,
    admission_of,
    burst,
    count_bytes,
    count_of,
    frame_bytes,
    frame_of,
    here_bytes,
    here_of,
    hush_bytes,
    hush_of,
    invitation_bytes,
    invitation_of,
    is_in_mask,
    mask_bytes,
    shun_bytes,
    shun_of,
)
from sync.bus.slave import BusSlave

MOST_HELD = 505
words = st.integers(0, 0xFFFF)
units = st.binary(min_size=4, max_size=8)
frames = st.builds(
    BusFrame,
    st.sampled_from(BusFrameKind),
    st.integers(0, MOST_TERMINALS),
    st.integers(0, 255),
    words,
    words,
    words,
    st.binary(max_size=LARGEST_PAYLOAD),
)


@given(frames)
def test_every_frame_decodes_to_itself(frame: BusFrame) -> None:
    line = frame_bytes(frame)
    assert line.count(0) == 1
    assert len(line) <= len(frame.payload) + FRAME_OVERHEAD
    assert frame_of(line[:-1]) == frame


@given(st.lists(frames, max_size=4), st.integers(1, 40))
def test_a_burst_is_read_in_pieces_of_any_size(said: list[BusFrame], size: int) -> None:
    reader, line = BusFrameReader(), burst(*said)
    frames = [f for i in range(0, len(line), size) for f in reader.feed(line[i : i + size])]
    assert frames == said
    assert reader.invalid == 0


@given(st.lists(st.binary(max_size=900), max_size=6))
def test_junk_is_dropped_and_never_kept(pieces: list[bytes]) -> None:
    reader = BusFrameReader()
    for piece in pieces:
        reader.feed(piece)
        assert reader.pending_bytes() <= MOST_HELD
    good = BusFrame(BusFrameKind.ASK, 0, 1, payload=bytes(4))
    assert reader.feed(burst(good))[-1:] == (good,)


@given(frames, st.data())
def test_a_flipped_bit_is_always_noticed(frame: BusFrame, data: st.DataObject) -> None:
    line = bytearray(frame_bytes(frame))
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= 1 << data.draw(st.integers(0, 7))
    assert frame not in BusFrameReader().feed(bytes(line) + b"\0") or line[at] == 0


def test_a_line_is_quiet_behind_a_good_frame_only() -> None:
    reader, poll = BusFrameReader(), burst(BusFrame(BusFrameKind.POLL, 1, 0))
    assert not reader.is_quiet()
    reader.feed(poll)
    assert reader.is_quiet()
    reader.feed(b"\xff\xff")
    assert reader.is_quiet()
    reader.feed(b"\xff")
    assert not reader.is_quiet()
    assert reader.hush()
    reader.feed(b"\x05\x05\0" + poll)
    assert reader.is_quiet()
    reader.feed(b"\x07\0")
    assert not reader.is_quiet()


@given(words, st.integers(1, 32), st.integers(1, 255), st.integers(0, 2**32 - 1))
def test_an_invitation_is_read_as_it_was_written(reign: int, slots: int, slot_ms: int, taken: int) -> None:
    invitation = Invitation(reign, slots, slot_ms, taken)
    assert invitation_of(invitation_bytes(invitation)) == invitation


@given(words, st.integers(0, 2**32 - 1), units)
def test_names_are_read_as_they_were_written(grant: int, life: int, unit: bytes) -> None:
    assert admission_of(admission_bytes(Admission(grant, life, unit))) == Admission(grant, life, unit)
    assert here_of(here_bytes(JoinRequest(life, unit))) == JoinRequest(life, unit)
    assert hush_of(hush_bytes(Hush(life, unit))) == Hush(life, unit)
    assert hush_of(hush_bytes(Hush(life))) == Hush(life)
    assert shun_of(shun_bytes(Hush(grant, unit), life)) == (Hush(grant, unit), life)


@given(st.sets(st.integers(1, 32)), words, st.binary(max_size=48))
def test_sets_and_counts_are_read_as_they_were_written(
    addresses: set[int], count: int, ranges: bytes
) -> None:
    payload = mask_bytes(tuple(addresses))
    assert {address for address in range(1, 33) if is_in_mask(payload, address)} == addresses
    assert count_of(count_bytes(count, ranges)) == (count, ranges)
    assert count_of(count_bytes(10**6, b""))[0] == 0xFFFF


@given(st.binary(max_size=40))
def test_junk_in_a_payload_is_the_peers_fault_and_nothing_else(payload: bytes) -> None:
    for read in (invitation_of, admission_of, here_of, hush_of, shun_of, count_of):
        try:
            read(payload)
        except PeerFault:
            continue
    if len(payload) != 4:
        with pytest.raises(PeerFault):
            is_in_mask(payload, 1)


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
