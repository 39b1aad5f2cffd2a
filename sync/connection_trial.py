"""Trial connections to a station over any wire, up to its first message, and the diagnosis of cables."""

import select
import ssl
import time
from collections.abc import Sequence
from typing import Final

import msgspec

from base.errors import PeerFault, Unavailable
from sync.link.counters import Counters
from sync.ports.addresses import stream_to
from sync.ports.findings import Finding, NotReached, finding_of
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.ports.serial import BAUD, SerialPort
from sync.tls.trust import TlsStream

PATIENCE_S: Final = 5.0
_LOOK_S: Final = 0.05


class TrialResult(msgspec.Struct, frozen=True):
    """The result of a trial.

    ``took_ms`` ends with the station's first message, or when the trial was given up.
    """

    finding: Finding
    fields: dict[str, str | int]
    detail: str
    took_ms: int
    counters: Counters | None = None


class TrialIdentity(msgspec.Struct, frozen=True):
    """The identity to connect with. A stranger has no certificate, so the station sends it no hello."""

    context: ssl.SSLContext
    is_stranger: bool = False


def _try_connection(
    port: StreamPort, identity: TrialIdentity, address: str, *, patience_s: float = PATIENCE_S
) -> TrialResult:
    """Try a route for up to ``patience_s``. Blocks. ``address`` names the route in messages."""
    began = time.monotonic()
    finding, detail = Finding.FINE, ""
    fields: dict[str, str | int] = {"address": address}
    try:
        port.open()
        _wait_for_greeting(port, identity, began, patience_s)
    except (Unavailable, PeerFault) as error:
        finding, fields = finding_of(error, address)
        detail = str(error)
    finally:
        port.close()
    took_ms = int((time.monotonic() - began) * 1000)
    return TrialResult(finding, fields, detail, took_ms, port.counters())


def look_at_address(address: str, identity: TrialIdentity) -> TrialResult:
    """Try the route to an address. Raises BadData if it is malformed, but never for a network error."""
    return _try_connection(stream_to(address, "address of the station")(), identity, address)


def _wait_for_greeting(port: StreamPort, identity: TrialIdentity, began: float, patience_s: float) -> None:
    """Connect until the station has sent its first message. Raises Unavailable or PeerFault."""
    tls = TlsStream(identity.context, is_station=False)
    tls.start()
    unsent = bytearray()
    while not _has_greeted(port, tls, unsent, is_stranger=identity.is_stranger):
        waited_s = time.monotonic() - began
        if waited_s >= patience_s:
            waited = f"after {waited_s:.0f} s"
            if port.wants_write():
                raise NotReached(Finding.NO_ANSWER, f"no connection {waited}")
            raise NotReached(Finding.SILENT, f"no greeting {waited}")
        select.select([port], [port] if port.wants_write() else [], [], _LOOK_S)


def _has_greeted(port: StreamPort, tls: TlsStream, unsent: bytearray, *, is_stranger: bool) -> bool:
    port.advance(_now_ms())
    try:
        while data := port.read():
            if tls.from_wire(data):
                return True
    except Unavailable as error:
        if tls.is_up and not is_stranger:
            # If the station hangs up at once, its message that it doesn't know us may be lost.
            raise NotReached(Finding.NOT_ENROLLED, str(error)) from error
        raise
    if tls.is_up and is_stranger:
        return True
    unsent += tls.to_wire()
    while unsent and (taken := port.write(bytes(unsent))):
        del unsent[:taken]
    port.advance(_now_ms())
    return False


_USUAL_SPEEDS: Final = (115_200, 57_600, 38_400, 19_200, 9_600, 230_400, 460_800, 921_600)
NOISY: Final = 0.05
"""The share of damaged frames above which a cable counts as bad."""
_SEEN: Final = 3
"""The number of damaged frames above which a working cable may count as bad; fewer may be chance."""
_LISTEN_S: Final = 1.3
"""Longer than the pauses of a link that is looking for its other end."""
_TAPPED: Final = 4096
_FRAME: Final = 15
"""The size on the line of a frame without payload."""


class Tap(SerialPort):
    """A serial port that records the first bytes in each direction."""

    def __init__(self, device: str, baud: int) -> None:
        super().__init__(device, baud)
        self.sent = bytearray()
        self.received = bytearray()

    def read(self) -> bytes:
        """Implement ``Port.read``."""
        data = super().read()
        self.received += data[: max(0, _TAPPED - len(self.received))]
        return data

    def write(self, data: bytes) -> int:
        """Implement ``Port.write``."""
        taken = super().write(data)
        self.sent += data[: min(taken, max(0, _TAPPED - len(self.sent)))]
        return taken

    @property
    def echoes(self) -> bool:
        return len(self.sent) >= _FRAME and bytes(self.sent[:_FRAME]) in self.received


class CableCheck(msgspec.Struct, frozen=True):
    """The state of a cable: the share of damaged frames, and the estimated share of wrong bits."""

    trial: TrialResult
    damaged: float = 0.0
    bit_errors: float = 0.0


def look_at_cable(
    device: str,
    identity: TrialIdentity,
    *,
    baud: int = BAUD,
    speeds: Sequence[int] = _USUAL_SPEEDS,
    patience_s: float = PATIENCE_S,
) -> CableCheck:
    """Try to reach a station by cable and diagnose faults. Takes up to 15 s.

    Finds a silent cable, a wrong speed, noise, or an echo. Never raises for a bad cable.
    """
    tap = Tap(device, baud)
    trial = _try_connection(LinkPort(tap, _now_ms, baud=baud), identity, device, patience_s=patience_s)
    counters = trial.counters
    if counters is None or (counters.line_bytes_received == 0 and not tap.sent):
        return CableCheck(trial)
    share, bits = damage(counters)
    if tap.echoes and trial.finding is not Finding.FINE:
        return CableCheck(_as(trial, Finding.ECHO))
    if trial.finding is Finding.FINE or counters.is_up:
        damaged = counters.frames_invalid + counters.frames_sent_again
        enough = _SEEN if trial.finding is Finding.FINE else 1
        finding = Finding.NOISE if share >= NOISY and damaged >= enough else trial.finding
        return CableCheck(_as(trial, finding, share=round(share * 100)), share, bits)
    if counters.line_bytes_received == 0:
        return CableCheck(_as(trial, Finding.CABLE_SILENT))
    if counters.frames_received == 0:
        right = _speed_heard(device, [speed for speed in speeds if speed != baud])
        if right is not None:
            return CableCheck(_as(trial, Finding.OTHER_SPEED, baud=right), 1.0)
    return CableCheck(_as(trial, Finding.NOISE, share=round(share * 100)), share, bits)


def damage(counters: Counters) -> tuple[float, float]:
    """Return the share of damaged frames and the estimated share of wrong bits.

    Frames that we had to resend were damaged on their way to the other end. The estimate assumes that all
    frames have the average length, and that a single wrong bit damages a frame.
    """
    frames = counters.frames_received + counters.frames_invalid
    if not frames:
        return (1.0, 1.0) if counters.line_bytes_received else (0.0, 0.0)
    lost = counters.frames_sent_again / max(1, counters.frames_sent)
    share = max(counters.frames_invalid / frames, lost)
    bits_a_frame = max(1.0, counters.line_bytes_received * 8 / frames)
    return share, 1.0 - (1.0 - min(share, 0.999)) ** (1.0 / bits_a_frame)


def _speed_heard(device: str, speeds: Sequence[int]) -> int | None:
    """Return the first speed at which a whole frame is received, or None."""
    for speed in speeds:
        port = LinkPort(SerialPort(device, speed), _now_ms, baud=speed)
        try:
            port.open()
            end = time.monotonic() + _LISTEN_S
            while time.monotonic() < end:
                port.advance(_now_ms())
                if port.counters().frames_received:
                    return speed
                time.sleep(0.01)
        except Unavailable:
            return None
        finally:
            port.close()
    return None


def _as(trial: TrialResult, finding: Finding, **fields: int) -> TrialResult:
    return msgspec.structs.replace(trial, finding=finding, fields={**trial.fields, **fields})


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
