"""Both ends of a shared pair of wires: any bytes, in any pieces, at any speed.

The first byte determines the receiver, which is a terminal with or without a lease or a station, and the size
of the pieces; time passes with each piece. Nothing may break or grow, and a terminal may send only what a
valid question allows.
"""

from sync.bus.frame import (
    FROM_STATION,
    LARGEST_PAYLOAD,
    Admission,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    Hush,
    Invitation,
    JoinRequest,
    admission_bytes,
    burst,
    count_bytes,
    here_bytes,
    hush_bytes,
    invitation_bytes,
    mask_bytes,
    shun_bytes,
)
from sync.bus.master import BusMaster
from sync.bus.slave import BusSlave
from sync.bus.timing import BusTiming

_UNIT, _LIFE, _LEASE = b"unit", 7, 0x0102
_BAUD = 115_200
_MOST_HELD = LARGEST_PAYLOAD + 17
_ADMIT = burst(
    BusFrame(BusFrameKind.ADMIT, 1, 1, _LEASE, payload=admission_bytes(Admission(600, _LIFE, _UNIT)))
)
_DONE = burst(BusFrame(BusFrameKind.DONE, 1, 2, _LEASE, 0, 0, count_bytes(9, b"")))
SEEDS = tuple(
    bytes([who]) + said
    for who in (0, 1, 2, 90)
    for said in (
        _ADMIT,
        burst(
            BusFrame(
                BusFrameKind.INVITE,
                0,
                1,
                payload=invitation_bytes(Invitation(5, slots=4, slot_ms=20, taken=1)),
            )
        ),
        burst(BusFrame(BusFrameKind.ASK, 0, 3, payload=mask_bytes((1, 2)))),
        burst(
            BusFrame(BusFrameKind.DOWN, 1, 4, _LEASE, 0, 0, b"orders"),
            BusFrame(BusFrameKind.POLL, 1, 4, _LEASE, 1, 1, count_bytes(600, b"\0\5\0\2")),
        ),
        burst(BusFrame(BusFrameKind.HUSH, 0, 5, payload=hush_bytes(Hush(3_000)))),
        burst(BusFrame(BusFrameKind.SHUN, 0, 5, payload=shun_bytes(Hush(3_000, _UNIT), _LIFE))),
        burst(BusFrame(BusFrameKind.HERE, 0, 1, payload=here_bytes(JoinRequest(_LIFE, _UNIT)))),
        burst(BusFrame(BusFrameKind.WANT, 1, 3, _LEASE)),
        burst(BusFrame(BusFrameKind.UP, 1, 2, _LEASE, 0, 0, b"entry")) + _DONE,
    )
)


def one_input(data: bytes) -> None:
    if not data:
        return
    size, pieces = 1 + data[0] // 3, data[1:]
    if data[0] % 3 == 2:
        to_station(pieces, size)
    else:
        to_terminal(pieces, size, has_lease=data[0] % 3 == 1)
    reader = BusFrameReader()
    for at in range(0, len(pieces), size):
        reader.feed(pieces[at : at + size])
        assert reader.pending_bytes() <= _MOST_HELD


def to_terminal(data: bytes, size: int, *, has_lease: bool) -> None:
    """Check that a terminal sends only its own short answers, and only after a frame of the station."""
    slave = BusSlave(_UNIT, _LIFE, baud=_BAUD, chance=lambda below: below - 1)
    slave.send(bytes(2_000))
    if has_lease:
        slave.receive(_ADMIT, 0)
        slave.to_line(0)
    reader, now_ms = BusFrameReader(), 0
    questions = 0
    for at in range(0, len(data), size):
        now_ms += 7
        piece = data[at : at + size]
        questions += sum(frame.kind in FROM_STATION for frame in reader.feed(piece))
        slave.receive(piece, now_ms)
        said = BusFrameReader().feed(slave.to_line(now_ms))
        assert questions or not said
        questions -= bool(said)
        assert not any(frame.kind in FROM_STATION for frame in said)
        slave.take_received()


def to_station(data: bytes, size: int) -> None:
    """Check that the station continues to poll, and gives no more leases than it has."""
    master = BusMaster(5, BusTiming(), lambda _: _LEASE - 1)
    now_ms = 0
    for at in range(0, len(data), size):
        # A station speaks until it waits for an answer; then bytes come, and time passes.
        for _ in range(4):
            if not master.to_line(now_ms):
                break
            now_ms = max(now_ms, master.next_deadline_ms(now_ms))
        master.receive(data[at : at + size], now_ms)
        now_ms += 1 + size
        for lease in master.with_bytes():
            master.take_received(lease)
    assert len(master.members) <= 1
    assert len(master.events()) <= 4 + len(data)
    silent = [bool(master.to_line(now_ms + step * 100)) for step in range(50)]
    assert any(silent)
