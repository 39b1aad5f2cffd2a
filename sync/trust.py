"""Keys and certificates, and TLS as a machine of bytes: one path for cable and Wi-Fi.

Both ends carry self-signed Ed25519 certificates and pin each other's. Validity in time is not
checked: a terminal without a clock must connect too. TLS is the standard library's; the library that
mints keys takes 9 MB, and is not loaded before one is minted or a stranger's certificate looked at.
"""

import datetime as dt
import hashlib
import secrets
import ssl
from pathlib import Path

from saloon.core.errors import BadData, PeerFault
from saloon.sync.entry import TerminalId
from saloon.sync.messages import Cause, TurnedAway
from saloon.sync.whole_file import write_whole

NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which the ssl module does not name."""

_NOT_BEFORE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
_NOT_AFTER = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
_READ = 65536
_NOT_KNOWN = "TLSV1_ALERT_UNKNOWN_CA"
"""OpenSSL's name of the alert from an end that has not pinned our certificate."""


def fingerprint(certificate_der: bytes) -> TerminalId:
    """The first 32 hex digits of a certificate's SHA-256: who a terminal is."""
    return TerminalId(hashlib.sha256(certificate_der).hexdigest()[:32])


def fingerprint_of_pem(certificate: str, where: str) -> TerminalId:
    """The fingerprint of a certificate in PEM. Raises BadData naming ``where`` for what is none."""
    try:
        return fingerprint(ssl.PEM_cert_to_DER_cert(certificate.strip() + "\n"))
    except ValueError as error:
        raise BadData(where, "this is no certificate in PEM") from error


def fingerprint_of_new(certificate: str, where: str) -> TerminalId:
    """The same for a certificate that a stranger hands in: it must be one of ours, whole and alone.

    One that TLS cannot read would keep everybody out. Raises BadData naming ``where``.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        found = x509.load_pem_x509_certificate(certificate.encode())
        is_ours = isinstance(found.public_key(), Ed25519PublicKey) and found.issuer == found.subject
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadData(where, "this is no certificate in PEM") from error
    if not is_ours or certificate.count("-----BEGIN") != 1:
        raise BadData(where, "this is no terminal's certificate (one Ed25519 key, signed by itself)")
    return fingerprint_of_pem(certificate, where)


def der_of(certificate: str) -> bytes:
    """A certificate in PEM, which was checked before, as DER."""
    return ssl.PEM_cert_to_DER_cert(certificate.strip() + "\n")


def pem_of(certificate: bytes) -> str:
    """A certificate in DER as PEM."""
    return ssl.DER_cert_to_PEM_cert(certificate)


def minted(name: str) -> tuple[str, str]:
    """A new key and its self-signed certificate, both PEM. name: stands in the certificate, for people."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = Ed25519PrivateKey.generate()
    # OpenSSL looks pinned certificates up by subject and takes the first: no two may share one.
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
    """The files of the own key and certificate in a directory (mode 0600), minted the first time."""
    key_file, certificate_file = directory / "key.pem", directory / "certificate.pem"
    if not (key_file.exists() and certificate_file.exists()):
        directory.mkdir(parents=True, exist_ok=True)
        key, certificate = minted(name)
        # The key last: without it both are made anew.
        for file, text in ((certificate_file, certificate), (key_file, key)):
            write_whole(file, text.encode("ascii"))
    return key_file, certificate_file


def station_context(key_file: Path, certificate_file: Path, enrolled: tuple[str, ...]) -> ssl.SSLContext:
    """The station's side: pins the enrolled terminals' certificates (PEM).

    A terminal that shows a certificate must show one of these; one that shows none is let in by
    TLS and may only enrol.
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER, key_file, certificate_file)
    context.verify_mode = ssl.CERT_OPTIONAL
    context.num_tickets = 0
    if enrolled:
        context.load_verify_locations(cadata="\n".join(enrolled))
    return context


def terminal_context(
    station_certificate: str, key_file: Path | None, certificate_file: Path | None
) -> ssl.SSLContext:
    """A terminal's side: pins the station's certificate; without an own one to enrol.

    Raises BadData for a station's certificate that is none.
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
    """The side of a terminal that knows no station yet: it looks at the certificate, and believes nothing."""
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
    """TLS over two memories: wire bytes in and out on one side, plain bytes on the other."""

    def __init__(self, context: ssl.SSLContext, *, is_station: bool) -> None:
        self._in = ssl.MemoryBIO()
        self._out = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=is_station)
        self._pending = bytearray()
        self.is_up = False

    def start(self) -> None:
        """Begin the handshake (the terminal speaks first)."""
        self._handshake()

    def from_wire(self, data: bytes) -> bytes:
        """Plain bytes that these wire bytes hold.

        Raises PeerFault where TLS refuses them, TurnedAway where the other end does not know us.
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
        """Hand over plain bytes; they wait until the handshake is done."""
        self._pending += plain
        self._flush()

    def to_wire(self) -> bytes:
        """The wire bytes to send now; asking takes them."""
        return self._out.read()

    def peer(self) -> TerminalId | None:
        """Who the other end is, by its certificate; None when it showed none."""
        der = self.peer_certificate()
        return fingerprint(der) if der else None

    def peer_certificate(self) -> bytes | None:
        """The certificate that the other end showed, DER; None when it showed none."""
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
        return TurnedAway(f"TLS: {error.reason}", Cause.REVOKED)
    return PeerFault(f"TLS: {error.reason or error}")
