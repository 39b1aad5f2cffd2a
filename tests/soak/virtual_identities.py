"""Keys and certificates that are the same in every run, as their sizes and fingerprints are in the trace."""

import datetime as dt
import hashlib
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from sync.protocol.entry import TerminalId
from sync.tls.certificates import fingerprint_of_pem


class Identity(msgspec.Struct, frozen=True):
    """A machine's key and certificate in files, and the certificate as PEM."""

    id: TerminalId
    key_file: Path
    certificate_file: Path
    certificate: str


def identity(directory: Path, name: str) -> Identity:
    """Return the identity of a machine of this name, writing it to the directory if it is missing."""
    files = directory / f"{name}.key", directory / f"{name}.pem"
    if not files[1].exists():
        _write(files, name)
    certificate = files[1].read_text(encoding="ascii")
    return Identity(fingerprint_of_pem(certificate, name), *files, certificate)


def _write(files: tuple[Path, Path], name: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(9999, 12, 31, tzinfo=dt.UTC))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, None)
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    files[0].write_bytes(private)
    files[1].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
