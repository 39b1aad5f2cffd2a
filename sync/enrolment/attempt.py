"""One attempt to enrol a terminal over one route: moves bytes until it succeeds or fails."""

import secrets
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from base.errors import PeerFault, Unavailable
from sync.enrolment.agreement import NONCE_BYTES, Parties, code_key
from sync.enrolment.clients import ByCable, ByCode, EnrolmentSecrets
from sync.ports.port import StreamPort
from sync.tls.certificates import der_of, pem_of
from sync.tls.connection import Connection
from sync.tls.trust import TlsStream, stranger_context

_GREETING_MS = 10_000
_LOOK_AT_KEY_MS = 40


class EnrolmentOutcome(msgspec.Struct, frozen=True):
    """A successful enrolment. ``certificate`` is the station's, PEM, to be pinned."""

    certificate: str
    addresses: tuple[str, ...]


KeyMaker = Callable[[str, Parties], bytes]


class Attempt:
    """An enrolment attempt, used by one thread; see ``uplink.Uplink`` for how it is driven.

    port: not yet open.
    certificate: the file of the terminal's certificate.
    code: empty to ask the judge at the cable.
    key_maker: the slow key derivation, which runs on its own thread.
    """

    def __init__(
        self, port: StreamPort, certificate: Path, code: str, now_ms: int, key_maker: KeyMaker = code_key
    ) -> None:
        self._port = port
        self._code = code
        self._key_maker = key_maker
        self._since_ms = now_ms
        self._out = bytearray()
        self._key: Future[bytes] | None = None
        self._worker = ThreadPoolExecutor(1, "code") if code else None
        self._tls = TlsStream(stranger_context(), is_station=False)
        own = certificate.read_text(encoding="ascii")
        meeting = EnrolmentSecrets(
            own, der_of(own), secrets.token_bytes(NONCE_BYTES), self._tls.peer_certificate
        )
        self._asking = ByCode(meeting, now_ms) if code else ByCable(meeting, now_ms)
        self._connection = Connection(self._tls, self._asking)
        self._is_open = False

    @property
    def check_code(self) -> str:
        """The check code for the judge to compare, or empty until there is one."""
        return self._asking.check_code if isinstance(self._asking, ByCable) else ""

    @property
    def is_tried(self) -> bool:
        """Return whether a code has been used up, whatever the result."""
        return isinstance(self._asking, ByCode) and self._asking.is_tried

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 if there is none."""
        try:
            return self._port.fileno() if self._is_open else -1
        except Unavailable:
            return -1

    def wants_write(self) -> bool:
        """Return whether to wait for writability as well."""
        return self._is_open and (bool(self._out) or self._port.wants_write())

    def next_deadline_ms(self, now_ms: int) -> int:
        """Return the time at which ``turn`` must be called next."""
        deadlines = [self._connection.next_deadline_ms(), self._port.next_deadline_ms()]
        if not self._tls.is_up:
            deadlines.append(self._since_ms + _GREETING_MS)
        if self._key is not None:
            deadlines.append(now_ms + _LOOK_AT_KEY_MS)
        return min(at for at in deadlines if at is not None)

    def turn(self, now_ms: int) -> EnrolmentOutcome | None:
        """Move bytes, and return the result, None while in progress. Raises PeerFault or Unavailable."""
        if not self._is_open:
            self._port.open()
            self._is_open = True
        self._port.advance(now_ms)
        while data := self._port.read():
            self._connection.from_wire(data, now_ms)
            if self._asking.is_done:
                return self._finish()
        if self._port.was_reset():
            raise Unavailable("the station restarted")
        if not self._tls.is_up and now_ms - self._since_ms > _GREETING_MS:
            raise Unavailable("the station did not answer")
        self._derive(now_ms)
        self._connection.advance(now_ms)
        self._push(now_ms)
        return None

    def close(self) -> None:
        """Release the wire."""
        self._port.close()
        self._is_open = False
        if self._worker is not None:
            self._worker.shutdown(wait=False)

    def _derive(self, now_ms: int) -> None:
        asking = self._asking
        if not isinstance(asking, ByCode) or asking.is_tried or asking.parties is None:
            return
        if self._key is None:
            assert self._worker is not None  # created along with the code
            self._key = self._worker.submit(self._key_maker, self._code, asking.parties)
        elif self._key.done():
            asking.prove(self._key.result(), now_ms)
            self._key = None

    def _push(self, now_ms: int) -> None:
        self._out += self._connection.to_wire()
        while self._out:
            taken = self._port.write(bytes(self._out))
            if not taken:
                break
            del self._out[:taken]
        self._port.advance(now_ms)

    def _finish(self) -> EnrolmentOutcome:
        certificate = self._tls.peer_certificate()
        if certificate is None:
            raise PeerFault("the station did not say who it is")
        return EnrolmentOutcome(pem_of(certificate), self._asking.addresses)
