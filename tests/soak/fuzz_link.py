"""The link's end of a serial line: any bytes give frames or are counted, and none are wrongly delivered."""

from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes
from sync.link.reliable import ReliableLink

MOST_HELD = 503
HERE, THERE = 1_001, 2_002
_BAUD = 115_200
_SAID = b"saved is saved; " * 40
_TURNS = 400
_TURN_MS = 50

SEEDS = tuple(
    frame_bytes(frame)
    for frame in (
        LinkFrame(Kind.OPEN, 7, 0, 0, b"\0\0\0"),
        LinkFrame(Kind.OPEN, THERE, 0, 0, HERE.to_bytes(2) + b"\1"),
        LinkFrame(Kind.DATA, 7, 0, 0, b"ghost"),
        LinkFrame(Kind.DATA, 7, 65_535, 65_535, bytes(255)),
        LinkFrame(Kind.ACK, THERE, 0, 1),
        LinkFrame(Kind.ACK, THERE, 0, 0, b"\0\1\0\2"),
        LinkFrame(Kind.NOISE, THERE, 0, 0),
    )
)


def one_input(data: bytes) -> None:
    """Check that reading whole and in pieces is equal, and that a link delivers only what was sent."""
    pieces = [data[at : at + 7] for at in range(0, len(data), 7)]
    whole, by_pieces = LinkFrameReader(), LinkFrameReader()
    frames = whole.feed(data)
    assert tuple(frame for piece in pieces for frame in by_pieces.feed(piece)) == frames
    assert (whole.invalid, whole.pending_bytes()) == (by_pieces.invalid, by_pieces.pending_bytes())
    assert whole.pending_bytes() <= MOST_HELD
    for frame in frames:
        assert LinkFrameReader().feed(frame_bytes(frame)) == (frame,)
    if not any(is_forged(frame) for frame in frames):
        said_between(data)


def is_forged(frame: LinkFrame) -> bool:
    """Return whether the link must accept this frame as its other end's, as no link can tell them apart."""
    return frame.session == THERE or frame.kind is Kind.OPEN


def said_between(junk: bytes) -> None:
    """Send junk before, within and after data, all of which must arrive, and nothing else."""
    teller, hearer = ReliableLink(THERE, baud=_BAUD), ReliableLink(HERE, baud=_BAUD)
    teller.send(_SAID)
    received = b""
    for turn in range(_TURNS):
        now_ms = turn * _TURN_MS
        line = teller.to_line(now_ms)
        if turn in {0, 4, 7}:
            line = junk + line if turn < 7 else line[:20] + junk + line[20:]
        hearer.receive(line, now_ms)
        teller.receive(hearer.to_line(now_ms), now_ms)
        received += hearer.take_received()
        assert _SAID.startswith(received)
        assert hearer.take_received() == b""
        if received == _SAID:
            return
    raise AssertionError(f"{len(received)} of {len(_SAID)} bytes arrived")
