"""TLS on a wire with noise instead of, within or after a handshake.

The first byte determines where the noise begins, and the rest is the noise. The only result may be a fault of
the peer, with no plain byte that the other end did not send, and no answer that grows with the noise.
"""

import functools
import tempfile
from pathlib import Path

from base.errors import PeerFault
from sync.tls.trust import TlsStream, station_context, terminal_context
from tests.soak.virtual_identities import Identity, identity

_ANSWER = 16 * 1024
_SAID = b"plain words"


@functools.cache
def _keys() -> tuple[Identity, Identity]:
    folder = Path(tempfile.mkdtemp(prefix="saloon-fuzz-"))
    return identity(folder, "station"), identity(folder, "t0")


def one_input(data: bytes) -> None:
    station, terminal = _keys()
    there = TlsStream(
        station_context(station.key_file, station.certificate_file, (terminal.certificate,)), is_station=True
    )
    here = TlsStream(
        terminal_context(station.certificate, terminal.key_file, terminal.certificate_file), is_station=False
    )
    here.start()
    when, noise = data[:1], data[1:]
    match when:
        case b"" | b"\0":
            pass
        case b"\1":
            there.from_wire(here.to_wire())
            there.to_wire()
        case _:
            _shake_hands(here, there)
            here.send(_SAID)
            assert there.from_wire(here.to_wire()) == _SAID
    try:
        received = there.from_wire(noise)
    except PeerFault:
        received = b""
    assert received == b"", "noise was believed"
    assert len(there.to_wire()) < _ANSWER


def _shake_hands(here: TlsStream, there: TlsStream) -> None:
    while not (here.is_up and there.is_up):
        there.from_wire(here.to_wire())
        here.from_wire(there.to_wire())


SEEDS = (
    b"\0GET / HTTP/1.1\r\n\r\n",
    b"\0\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03",
    b"\1\x14\x03\x03\x00\x01\x01\x17\x03\x03\x00\x10" + bytes(16),
    b"\2\x17\x03\x03\x00\x13" + bytes(19),
    b"\2\x15\x03\x03\x00\x02\x02\x28",
)
