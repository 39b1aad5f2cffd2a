"""Those who mean harm to a station, each a small script: one attack by TCP, from the outside.

``attack`` returns when the station has closed, or when its patience is over. What a station owes
in return is checked by whoever sends them: the honest terminal goes on, nothing grows.
"""

import contextlib
import random
import secrets
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from sync.enrolment.agreement import commitment
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import (
    Beat,
    CodeProof,
    EnrolByToken,
    Entries,
    Hello,
    JoinByCable,
    JoinByCode,
    message_bytes,
)
from sync.tls.certificates import der_of, generate_certificate, own_identity
from sync.tls.trust import TlsStream, stranger_context, terminal_context

_PATIENCE_S = 3.0
_LOOPBACK = 254


class Door(msgspec.Struct, frozen=True):
    """The station that is attacked; certificate: its, PEM."""

    port: int
    certificate: str


class Peer(Protocol):
    """A hostile peer."""

    def attack(self, door: Door, chance: random.Random) -> None:
        """Once."""


@contextlib.contextmanager
def connected(door: Door, chance: random.Random) -> Iterator[socket.socket]:
    """A connection from one of many addresses of this machine; refusals of it are no fault of anybody."""
    with socket.socket() as plain:
        plain.settimeout(_PATIENCE_S)
        plain.bind((f"127.0.{chance.randrange(1, _LOOPBACK)}.{chance.randrange(1, _LOOPBACK)}", 0))
        with contextlib.suppress(OSError):
            plain.connect(("127.0.0.1", door.port))
            yield plain


def drained(plain: socket.socket) -> bytes:
    """Return the answer until the station closes, or patience is over."""
    received = b""
    with contextlib.suppress(OSError):
        while data := plain.recv(65536):
            received += data
    return received


def in_tls(door: Door, chance: random.Random, context: ssl.SSLContext, *said: bytes) -> bytes:
    """Say this behind a handshake; the answer."""
    with connected(door, chance) as plain, contextlib.suppress(OSError), context.wrap_socket(plain) as tls:
        for one in said:
            tls.sendall(one)
        return drained(tls)
    return b""


class PlainText:
    """A browser, or a scanner of ports."""

    def attack(self, door: Door, chance: random.Random) -> None:
        lines = (
            b"GET / HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\xff\xff" + b"\xff" * 70_000,
            chance.randbytes(3_000),
        )
        with connected(door, chance) as plain:
            plain.sendall(chance.choice(lines))
            drained(plain)


class OldTls:
    """Speaks TLS 1.2 at most."""

    def attack(self, door: Door, chance: random.Random) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        received = in_tls(door, chance, context, message_bytes(Beat()))
        assert received == b""


class Uninvited:
    """Speaks as if it were enrolled. files: key and certificate that are not, or none."""

    def __init__(self, *files: Path) -> None:
        self._files = files or (None, None)

    def attack(self, door: Door, chance: random.Random) -> None:
        head = Head(StreamId("table/x"), Epoch("a" * 16), 1, GENESIS)
        said = (message_bytes(Hello(1, head, None)), message_bytes(Entries(head.epoch, 1, (b"x",))))
        assert in_tls(door, chance, terminal_context(door.certificate, *self._files), *said) == b""


class Guesser:
    """Guesses tokens and codes, asks the judge over the network, and shows certificates that are none."""

    def attack(self, door: Door, chance: random.Random) -> None:
        pem = generate_certificate("guesser")[1]
        said: tuple[bytes, ...] = chance.choice(
            [
                (message_bytes(EnrolByToken(secrets.token_urlsafe(24), pem)),),
                (message_bytes(EnrolByToken("", pem * 2)),),
                (message_bytes(EnrolByToken("x" * 16_000, pem)),),
                (message_bytes(JoinByCable(pem, commitment(der_of(pem), bytes(32)))),),
                (message_bytes(JoinByCode(pem, bytes(32))), message_bytes(CodeProof(chance.randbytes(32)))),
                (message_bytes(JoinByCode("junk", bytes(32))),),
            ]
        )
        assert b"enrolled" not in in_tls(door, chance, terminal_context(door.certificate, None, None), *said)


class Oversize:
    """Announces more than it may, or sends half of what it announced."""

    def attack(self, door: Door, chance: random.Random) -> None:
        whole = message_bytes(EnrolByToken("token", "certificate" * 50))
        said = chance.choice(
            [
                struct.pack(">I", 1 << 31),
                struct.pack(">I", 16 * 1024 + 1),
                whole[: chance.randrange(1, len(whole))],
                b"".join(message_bytes(Beat()) for _ in range(20_000)),
            ]
        )
        context = terminal_context(door.certificate, None, None)
        with (
            connected(door, chance) as plain,
            contextlib.suppress(OSError),
            context.wrap_socket(plain) as tls,
        ):
            tls.sendall(said)


class CutShort:
    """Begins a handshake and leaves after some bytes of it."""

    def attack(self, door: Door, chance: random.Random) -> None:
        tls = TlsStream(stranger_context(), is_station=False)
        tls.start()
        hello = tls.to_wire()
        with connected(door, chance) as plain, contextlib.suppress(OSError):
            plain.sendall(hello[: chance.randrange(1, len(hello))])
            if chance.random() < 0.5:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Replay:
    """Plays what an honest terminal once sent. recorded: the bytes of its wire."""

    def __init__(self, recorded: bytes) -> None:
        self._recorded = recorded

    def attack(self, door: Door, chance: random.Random) -> None:
        with connected(door, chance) as plain, contextlib.suppress(OSError):
            plain.sendall(self._recorded)
            drained(plain)


class Slow:
    """Sends a handshake a byte at a time. seconds: how long; pause_s: between two bytes."""

    def __init__(self, seconds: float = 2.0, pause_s: float = 1.0) -> None:
        self._seconds = seconds
        self._pause_s = pause_s

    def attack(self, door: Door, chance: random.Random) -> None:
        tls = TlsStream(stranger_context(), is_station=False)
        tls.start()
        end = time.monotonic() + self._seconds
        with connected(door, chance) as plain, contextlib.suppress(OSError):
            for byte in tls.to_wire():
                if time.monotonic() > end:
                    return
                plain.sendall(bytes([byte]))
                time.sleep(self._pause_s)


class Flood:
    """Shakes hands as fast as it can, from one address. count: how often. done: how often it was let."""

    def __init__(self, count: int = 200) -> None:
        self._count = count
        self.done = 0

    def attack(self, door: Door, chance: random.Random) -> None:
        context = terminal_context(door.certificate, None, None)
        address = f"127.1.0.{chance.randrange(1, _LOOPBACK)}"
        for _ in range(self._count):
            with contextlib.suppress(OSError), socket.socket() as plain:
                plain.settimeout(_PATIENCE_S)
                plain.bind((address, 0))
                plain.connect(("127.0.0.1", door.port))
                context.wrap_socket(plain).close()
                self.done += 1


class Holders:
    """Hold half handshakes from some addresses, and open new ones for those that are closed."""

    def __init__(self, door: Door, addresses: tuple[str, ...], each: int) -> None:
        self._door = door
        self._addresses = addresses
        self._each = each
        self.opened = 0

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Hold them while the block runs."""
        over = threading.Event()
        thread = threading.Thread(target=self._hold, args=(over,))
        thread.start()
        while self.opened < len(self._addresses) * self._each:
            time.sleep(0.01)
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _hold(self, over: threading.Event) -> None:
        tls = TlsStream(stranger_context(), is_station=False)
        tls.start()
        hello = tls.to_wire()
        held: list[tuple[str, socket.socket]] = []
        try:
            while not over.wait(0.2):
                for address in self._addresses:
                    while sum(1 for one, _ in held if one == address) < self._each:
                        held.append((address, self._opened(address, hello)))
                closed = [one for one in held if is_closed(one[1])]
                for one in closed:
                    one[1].close()
                held = [one for one in held if one not in closed]
        finally:
            for _, plain in held:
                plain.close()

    def _opened(self, address: str, hello: bytes) -> socket.socket:
        plain = socket.socket()
        plain.bind((address, 0))
        with contextlib.suppress(OSError):
            plain.connect(("127.0.0.1", self._door.port))
            plain.sendall(hello)
        self.opened += 1
        return plain


def is_closed(plain: socket.socket) -> bool:
    """Return whether the other end has closed a connection; what it has sent is read and forgotten."""
    try:
        while plain.recv(65536, socket.MSG_DONTWAIT):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


class Recorder:
    """Stands between an honest terminal and the station, and keeps what the terminal says."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.received = b""

    def carry(self, until: Callable[[], bool]) -> None:
        """Carry one connection until something holds; then close it."""
        terminal, _ = self._listening.accept()
        station = socket.create_connection(("127.0.0.1", self._door.port))
        terminal.settimeout(0.01)
        station.settimeout(0.01)
        with terminal, station, self._listening:
            while not until():
                for source, target in ((terminal, station), (station, terminal)):
                    with contextlib.suppress(TimeoutError):
                        data = source.recv(65536)
                        if source is terminal:
                            self.received += data
                        target.sendall(data)


def peers(recorded: bytes, signed: tuple[Path, Path], folder: Path) -> dict[str, Peer]:
    """All that are over within seconds. folder: where they may keep keys."""
    return {
        "plain text": PlainText(),
        "TLS 1.2": OldTls(),
        "no certificate": Uninvited(),
        "wrong certificate": Uninvited(*own_identity(folder / "wrong", "wrong")),
        "signed by a terminal": Uninvited(*signed),
        "guesser": Guesser(),
        "oversize": Oversize(),
        "cut short": CutShort(),
        "replay": Replay(recorded),
    }
