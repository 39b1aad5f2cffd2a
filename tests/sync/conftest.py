"""A station and its terminals, on this machine, that are let go of whatever a test does."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from tests.rigs.ends import Station


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def clean_up() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Say what must be done at the end; last said, first done."""
    work: list[Callable[[], None]] = []
    yield work.append
    for one in reversed(work):
        one()


@pytest.fixture
def signed_by() -> Callable[[Path, Path], tuple[Path, Path]]:
    return signed_by_key


def signed_by_key(authority: Path, directory: Path) -> tuple[Path, Path]:
    """A certificate that the key of another has signed, as an authority would."""
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
