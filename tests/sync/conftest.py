"""Fixtures for a station and its terminals on this machine, which are always closed after a test."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from demo.shaped_line import ShapedLine
from tests.rigs.ends import BAUD, Cable, CleanUp, Newcomer, Running, Start, Station, T, Terminal, serial


@pytest.fixture
def running(clean_up: CleanUp) -> Running:
    def run(station: Station, *, port: int = 0, serial: Sequence[Cable] = ()) -> Station:
        station.start(port, serial)
        clean_up(station.stop)
        return station

    return run


@pytest.fixture
def station(tmp_path: Path, running: Running) -> Station:
    return running(Station(tmp_path))


@pytest.fixture
def clean_up() -> Iterator[CleanUp]:
    """Yield a function that registers clean-ups, which run in reverse order after the test."""
    with ExitStack() as stack:

        def at_the_end(work: Callable[[], None]) -> None:
            stack.callback(work)

        yield at_the_end


@pytest.fixture
def started(clean_up: CleanUp) -> Start:
    def start(terminal: T) -> T:
        terminal.agent.start()
        clean_up(terminal.agent.stop)
        return terminal

    return start


@pytest.fixture
def terminal(station: Station, tmp_path: Path, started: Start) -> Terminal:
    return started(Terminal(tmp_path / "t", station))


@pytest.fixture
def new(tmp_path: Path, started: Start) -> Newcomer:
    return started(Newcomer(tmp_path / "t"))


@pytest.fixture
def line(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ShapedLine]:
    """A line between the ends ``a`` and ``b``. Its parameter is the share of flipped bits."""
    with ShapedLine(
        tmp_path / "a", tmp_path / "b", baud=BAUD, flips=getattr(request, "param", 0.0)
    ) as shaped:
        yield shaped


@pytest.fixture
def wired(tmp_path: Path, line: ShapedLine, running: Running) -> Station:
    del line
    return running(Station(tmp_path), serial=[("ttyUSB0", lambda: serial(tmp_path / "b"))])


def signed_by_key(authority: Path, directory: Path) -> tuple[Path, Path]:
    """Return a certificate signed by another one's key, which acts as an authority."""
    signer = serialization.load_pem_private_key((authority / "key.pem").read_bytes(), None)
    assert isinstance(signer, Ed25519PrivateKey)
    issuer = x509.load_pem_x509_certificate((authority / "certificate.pem").read_bytes()).subject
    key = Ed25519PrivateKey.generate()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "child")]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
        .sign(signer, None)
    )
    directory.mkdir()
    files = directory / "key.pem", directory / "certificate.pem"
    files[0].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    files[1].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return files
