"""Keys and certificates of terminals and stations.

Both ends have self-signed Ed25519 certificates. The ``cryptography`` library takes 9 MB of memory, so it is
loaded only to generate keys or to check an unknown certificate.
"""

import base64
import datetime as dt
import hashlib
import secrets
from pathlib import Path
from typing import Final

from base.errors import BadData
from base.whole_file import write_whole
from sync.protocol.entry import TerminalId

_NOT_BEFORE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
_NOT_AFTER = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
_BEGIN: Final = "-----BEGIN CERTIFICATE-----"
_END: Final = "-----END CERTIFICATE-----"
_WIDTH: Final = 64


def fingerprint(certificate_der: bytes) -> TerminalId:
    """Return the first 32 hex digits of a certificate's SHA-256, which identify a terminal."""
    return TerminalId(hashlib.sha256(certificate_der).hexdigest()[:32])


def fingerprint_of_pem(certificate: str, where: str) -> TerminalId:
    """Return the fingerprint of a certificate in PEM. Raises BadData naming ``where`` if it is invalid."""
    try:
        return fingerprint(der_of(certificate))
    except ValueError as error:
        raise BadData(where, "this is no certificate in PEM") from error


def check_certificate(certificate: str, where: str) -> str:
    """Check an unknown terminal's certificate and return it, encoded again so that no other text is kept.

    It must be a single self-signed Ed25519 certificate that OpenSSL loads as one CA, since the station loads
    those of all terminals into one context. Raises BadData naming ``where`` for anything else.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import Encoding

    try:
        parsed = x509.load_der_x509_certificate(der_of(certificate))
        is_ours = isinstance(parsed.public_key(), Ed25519PublicKey) and parsed.issuer == parsed.subject
        der = parsed.public_bytes(Encoding.DER)
    except Exception as error:
        # Parsers raise various errors for untrusted bytes, such as InvalidVersion and TypeError.
        raise BadData(where, "this is no certificate in PEM") from error
    if not is_ours or not _is_loadable(der):
        raise BadData(where, "this is no terminal's certificate (one Ed25519 key, signed by itself)")
    return pem_of(der)


def _is_loadable(certificate_der: bytes) -> bool:
    """Return whether a new OpenSSL context loads the certificate as exactly one CA."""
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_verify_locations(cadata=certificate_der)
    except (ssl.SSLError, ValueError, TypeError):
        return False
    return context.cert_store_stats() == {"x509": 1, "crl": 0, "x509_ca": 1}


def subject_of(certificate: str, where: str) -> bytes:
    """Return the subject of a certificate in PEM, as DER. Raises BadData naming ``where``."""
    from cryptography import x509

    try:
        return x509.load_der_x509_certificate(der_of(certificate)).subject.public_bytes()
    except Exception as error:
        # As above.
        raise BadData(where, "this is no certificate in PEM") from error


def der_of(certificate: str) -> bytes:
    """Convert a certificate from PEM to DER. Raises ValueError if it isn't PEM."""
    text = certificate.strip()
    if not (text.startswith(_BEGIN) and text.endswith(_END)):
        raise ValueError("a certificate in PEM has a first and a last line")
    return base64.b64decode("".join(text[len(_BEGIN) : -len(_END)].split()).encode("ascii"), validate=True)


def pem_of(certificate: bytes) -> str:
    """Convert a certificate from DER to PEM."""
    text = base64.b64encode(certificate).decode("ascii")
    lines = (text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return "\n".join((_BEGIN, *lines, _END, ""))


def generate_certificate(name: str) -> tuple[str, str]:
    """Return a new key and its self-signed certificate for this name, both in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = Ed25519PrivateKey.generate()
    # OpenSSL finds pinned certificates by subject and uses the first, so subjects must be unique.
    unique = f"{name} {secrets.token_hex(8)}"
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, unique)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]),
            critical=False,
        )
        .sign(key, None)
    )
    key_pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return key_pem.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode()


def own_identity(directory: Path, name: str) -> tuple[Path, Path]:
    """Return the files of this machine's key and certificate (mode 0600), creating them if one is missing."""
    key_file, certificate_file = directory / "key.pem", directory / "certificate.pem"
    if not (key_file.exists() and certificate_file.exists()):
        directory.mkdir(parents=True, exist_ok=True)
        key, certificate = generate_certificate(name)
        # Write the key last, as without it both are created again.
        for file, text in ((certificate_file, certificate), (key_file, key)):
            write_whole(file, text.encode("ascii"))
    return key_file, certificate_file
