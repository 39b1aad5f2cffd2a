"""TLS over memory buffers, the same for cable and Wi-Fi, and the connection around a protocol; sans-I/O.

Both ends have their own certificates and pin each other's. Validity periods are not checked, since a
terminal that has no clock must be able to connect.
"""

import ssl
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from base.errors import BadData, PeerFault
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause, TurnedAway
from sync.protocol.session import Outcome
from sync.tls.certificates import der_of, fingerprint

NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which the ssl module lacks."""

_READ = 65536
_NOT_KNOWN = "TLSV1_ALERT_UNKNOWN_CA"
"""OpenSSL's name of the alert from an end that has not pinned our certificate."""


def station_context(key_file: Path, certificate_file: Path, enrolled: tuple[str, ...]) -> ssl.SSLContext:
    """Return the station's context, which pins the certificates (PEM) of the enrolled terminals.

    A terminal that shows a certificate must show one of these. One that shows none is accepted by TLS, but
    may only enrol.
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER, key_file, certificate_file)
    context.verify_mode = ssl.CERT_OPTIONAL
    context.num_tickets = 0
    pin_certificates(context, enrolled)
    return context


def pin_certificates(context: ssl.SSLContext, certificates: Sequence[str]) -> tuple[str, ...]:
    """Trust these certificates (PEM), and return those that can't be loaded.

    They are loaded one by one, so that a bad certificate excludes only its own terminal.
    """
    unusable = []
    for certificate in certificates:
        before = context.cert_store_stats()["x509_ca"]
        try:
            context.load_verify_locations(cadata=der_of(certificate))
        except (ssl.SSLError, ValueError, TypeError):
            unusable.append(certificate)
        else:
            if context.cert_store_stats()["x509_ca"] == before:
                unusable.append(certificate)
    return tuple(unusable)


def terminal_context(
    station_certificate: str, key_file: Path | None, certificate_file: Path | None
) -> ssl.SSLContext:
    """Return a terminal's context, which pins the station's certificate. Without a key, it can only enrol.

    Raises BadData if the station's certificate is invalid.
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT, key_file, certificate_file)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    try:
        context.load_verify_locations(cadata=station_certificate)
    except (ssl.SSLError, ValueError) as error:
        raise BadData("[station] certificate", "this is no certificate in PEM") from error
    return context


def stranger_context() -> ssl.SSLContext:
    """Return the context of a terminal that has no station yet and accepts any certificate."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT, None, None)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(protocol: int, key_file: Path | None, certificate_file: Path | None) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_flags |= ssl.VerifyFlags(NO_CHECK_TIME)
    if key_file is not None and certificate_file is not None:
        try:
            context.load_cert_chain(certificate_file, key_file)
        except (ssl.SSLError, OSError) as error:
            raise BadData(str(key_file), f"no key and certificate that fit each other: {error}") from error
    return context


class TlsStream:
    """TLS over two memory buffers, one for encrypted bytes received and one for those to send."""

    def __init__(self, context: ssl.SSLContext, *, is_station: bool) -> None:
        self._in = ssl.MemoryBIO()
        self._out = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=is_station)
        self._pending = bytearray()
        self.is_up = False

    def start(self) -> None:
        self._handshake()

    def from_wire(self, data: bytes) -> bytes:
        """Process bytes from the wire and return the decrypted bytes.

        Raises PeerFault if TLS rejects them, TurnedAway if the other end does not know us.
        """
        self._in.write(data)
        if not self.is_up:
            self._handshake()
        if not self.is_up:
            return b""
        plain = bytearray()
        try:
            while True:
                chunk = self._tls.read(_READ)
                if not chunk:
                    break
                plain += chunk
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as error:
            raise _fault_of(error) from error
        return bytes(plain)

    def send(self, plain: bytes) -> None:
        """Queue plain bytes, which are sent once the handshake is done."""
        self._pending += plain
        self._flush()

    def to_wire(self) -> bytes:
        return self._out.read()

    def peer(self) -> TerminalId | None:
        """Return the other end's id, derived from its certificate, or None if it showed none."""
        der = self.peer_certificate()
        return fingerprint(der) if der else None

    def peer_certificate(self) -> bytes | None:
        """Return the certificate shown by the other end (DER), or None if it showed none."""
        return self._tls.getpeercert(binary_form=True) or None if self.is_up else None

    def _handshake(self) -> None:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return
        except ssl.SSLError as error:
            raise _fault_of(error) from error
        self.is_up = True
        self._flush()

    def _flush(self) -> None:
        if not (self.is_up and self._pending):
            return
        try:
            self._tls.write(bytes(self._pending))
        except ssl.SSLError as error:
            raise _fault_of(error) from error
        self._pending.clear()


def _fault_of(error: ssl.SSLError) -> PeerFault:
    if error.reason == _NOT_KNOWN:
        return TurnedAway(f"TLS: {error.reason}", CloseCause.REVOKED)
    return PeerFault(f"TLS: {error.reason or error}")


class PeerProtocol(Protocol):
    """The protocol inside a TLS connection."""

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process the other end's plain bytes and return the outcomes."""

    def outgoing(self) -> bytes:
        """Return the plain bytes to send now."""

    def advance(self, now_ms: int) -> None:
        """Run the timers."""

    def next_deadline_ms(self) -> int | None:
        """Return when ``advance`` must be called next."""


class Connection:
    """A protocol inside TLS, such as a session or an enrolment; sans-I/O.

    The owner moves bytes by ``from_wire`` and ``push``.
    """

    def __init__(self, tls: TlsStream, protocol: PeerProtocol) -> None:
        self._tls = tls
        self._protocol = protocol
        self._unsent = bytearray()
        tls.start()

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def from_wire(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process wire bytes and return the protocol's outcomes. Raises PeerFault; then close the wire."""
        plain = self._tls.from_wire(data)
        return self._protocol.receive(plain, now_ms) if plain else ()

    def to_wire(self) -> bytes:
        """Return the wire bytes to send now."""
        plain = self._protocol.outgoing()
        if plain:
            self._tls.send(plain)
        return self._tls.to_wire()

    def push(self, write: Callable[[bytes], int]) -> None:
        """Send what a wire accepts. ``write`` returns how many bytes that is; the others are kept."""
        self._unsent += self.to_wire()
        while self._unsent and (taken := write(bytes(self._unsent))):
            del self._unsent[:taken]

    def advance(self, now_ms: int) -> None:
        """Run the timers. Raises Unavailable if the other end has been silent for too long."""
        self._protocol.advance(now_ms)

    def next_deadline_ms(self) -> int | None:
        return self._protocol.next_deadline_ms()
