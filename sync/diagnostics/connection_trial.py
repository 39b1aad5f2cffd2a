"""A trial connection to a station over any wire, up to the station's first message."""

import select
import ssl
import time
from typing import Final

import msgspec

from base.errors import PeerFault, Unavailable
from sync.link.counters import Counters
from sync.ports.addresses import stream_to
from sync.ports.findings import Finding, NotReached, finding_of
from sync.ports.port import StreamPort
from sync.tls.trust import TlsStream

PATIENCE_S: Final = 5.0
_LOOK_S: Final = 0.05


class TrialResult(msgspec.Struct, frozen=True):
    """The result of a trial.

    finding: FINE, or the fault.
    has_received: whether anything was received.
    took_ms: time until the station's first message, or until giving up.
    counters: the counters of a serial link.
    """

    finding: Finding
    fields: dict[str, str | int]
    detail: str
    took_ms: int
    has_received: bool
    counters: Counters | None = None


class TrialIdentity(msgspec.Struct, frozen=True):
    """The identity for a trial.

    context: its TLS.
    is_stranger: it has no certificate, so it gets no hello.
    """

    context: ssl.SSLContext
    is_stranger: bool = False


def try_connection(
    port: StreamPort, visitor: TrialIdentity, address: str, *, patience_s: float = PATIENCE_S
) -> TrialResult:
    """Try a route. ``address`` is the route's, for messages. Blocks for up to ``patience_s``."""
    began = time.monotonic()
    call = _Call(port, visitor, began)
    finding, detail = Finding.FINE, ""
    fields: dict[str, str | int] = {"address": address}
    try:
        port.open()
        call.until(began + patience_s)
    except (Unavailable, PeerFault) as error:
        finding, fields = finding_of(error, address)
        detail = str(error)
    finally:
        port.close()
    took_ms = int((time.monotonic() - began) * 1000)
    return TrialResult(finding, fields, detail, took_ms, call.has_received, port.counters())


def look_at_address(address: str, visitor: TrialIdentity) -> TrialResult:
    """Try the route to an address. Raises BadData for an invalid one; never for a bad network."""
    return try_connection(stream_to(address, "address of the station")(), visitor, address)


class _Call:
    def __init__(self, port: StreamPort, visitor: TrialIdentity, began: float) -> None:
        self._port = port
        self._is_stranger = visitor.is_stranger
        self._tls = TlsStream(visitor.context, is_station=False)
        self._tls.start()
        self._out = bytearray()
        self._began = began
        self.has_received = False

    def until(self, end: float) -> None:
        """Continue until the station has sent its first message. Raises Unavailable or PeerFault."""
        while not self._step():
            if time.monotonic() >= end:
                raise self._time_out()
            self._wait()

    def _step(self) -> bool:
        port, tls = self._port, self._tls
        port.advance(int(time.monotonic() * 1000))
        try:
            while data := port.read():
                self.has_received = True
                if tls.from_wire(data):
                    return True
        except PeerFault:
            raise
        except Unavailable as error:
            if tls.is_up and not self._is_stranger:
                # If the station hangs up at once, its message that it doesn't know us may be lost.
                raise NotReached(Finding.NOT_ENROLLED, str(error)) from error
            raise
        if tls.is_up and self._is_stranger:
            return True
        self._out += tls.to_wire()
        while self._out and (taken := port.write(bytes(self._out))):
            del self._out[:taken]
        port.advance(int(time.monotonic() * 1000))
        return False

    def _wait(self) -> None:
        descriptor = self._port.fileno()
        writers = [descriptor] if self._port.wants_write() else []
        select.select([descriptor], writers, [], _LOOK_S)

    def _time_out(self) -> NotReached:
        waited = f"after {time.monotonic() - self._began:.0f} s"
        if self._port.wants_write():
            return NotReached(Finding.NO_ANSWER, f"no connection {waited}")
        return NotReached(Finding.SILENT, f"no greeting {waited}")
