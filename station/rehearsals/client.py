"""Send requests to a running rehearsal; blocks for a moment."""

import socket
from pathlib import Path
from typing import Final

import msgspec

from saloon.base.errors import Unavailable
from saloon.station.rehearsals.contract import RehearsalState, Request, told_decoder

_PATIENCE_S: Final = 5.0
_LONGEST: Final = 4_000_000


def send_request(path: Path, request: Request) -> RehearsalState:
    """Send a request to a rehearsal's socket; return the answer. Raises Unavailable if there is none."""
    try:
        with socket.socket(socket.AF_UNIX) as asker:
            asker.settimeout(_PATIENCE_S)
            asker.connect(str(path))
            asker.sendall(msgspec.json.encode(request) + b"\n")
            data = bytearray()
            while not data.endswith(b"\n") and len(data) < _LONGEST:
                more = asker.recv(65_536)
                if not more:
                    break
                data += more
            return told_decoder.decode(bytes(data))
    except (OSError, msgspec.DecodeError) as error:
        raise Unavailable(f"no rehearsal answers at {path}: {error}") from error
