"""The certificate of the pages under --https, renewed when addresses or the clock change.

Browsers refuse Ed25519 certificates, which terminals use. The pages therefore have a certificate of their
own, with a P-256 key, for all names and addresses of this computer.
"""

import asyncio
import contextlib
import datetime as dt
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from base.clock import Clock
from base.errors import BadData, SaloonError
from station.store.data_folder import write_secret_file

_log = structlog.get_logger()
_LIFE = dt.timedelta(days=397)
"""The longest validity that all browsers accept."""
_SPARE = dt.timedelta(days=30)
_MOST_HOSTS = 32
_DAY_MS = 24 * 3600 * 1000
_JUMP_MS = 3600 * 1000


def page_certificate(folder: Path, hosts: tuple[str, ...], now: dt.datetime) -> tuple[Path, Path]:
    """Return the files of key and certificate (PEM), renewed if they expire soon or lack a host.

    ``hosts`` are the names and addresses at which browsers open the pages. A renewed certificate keeps former
    hosts, so that a computer that alternates between two networks needs only one. Raises BadData for an
    invalid host.
    """
    key_file, certificate_file = folder / "pages-key.pem", folder / "pages-certificate.pem"
    known, names = _read(certificate_file)
    is_good = known is not None and _is_valid(known, now) and _is_of(key_file, known)
    if not is_good or not set(_names(hosts)) <= set(names):
        hosts = tuple(dict.fromkeys((*hosts, *(str(name.value) for name in names))))[:_MOST_HOSTS]
        key = ec.generate_private_key(ec.SECP256R1())
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_secret_file(key_file, pem)
        certificate = _certificate(key, hosts, now)
        write_secret_file(certificate_file, certificate.public_bytes(serialization.Encoding.PEM))
    return key_file, certificate_file


def _certificate(
    key: ec.EllipticCurvePrivateKey, hosts: tuple[str, ...], now: dt.datetime
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Saloon station")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now - dt.timedelta(days=1) + _LIFE)
        .add_extension(_names(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _names(hosts: tuple[str, ...]) -> x509.SubjectAlternativeName:
    names: dict[str, x509.GeneralName] = {}
    for host in (*hosts, "localhost", socket.gethostname(), "127.0.0.1"):
        with contextlib.suppress(ValueError):
            names[host] = x509.IPAddress(ipaddress.ip_address(host))
            continue
        try:
            names[host] = x509.DNSName(host if host.isascii() else host.encode("idna").decode())
        except UnicodeError as error:
            raise BadData(host, "this can't be a name in the pages' certificate") from error
    return x509.SubjectAlternativeName(names.values())


def _read(file: Path) -> tuple[x509.Certificate | None, Iterable[x509.GeneralName]]:
    """Return a certificate and its names, or None and no names if it is missing or unreadable."""
    with contextlib.suppress(OSError, ValueError, x509.ExtensionNotFound):
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        return certificate, certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return None, ()


def _is_valid(certificate: x509.Certificate, now: dt.datetime) -> bool:
    # If the clock has been set back since, the certificate is not valid yet.
    return certificate.not_valid_before_utc <= now and certificate.not_valid_after_utc - now > _SPARE


def _is_of(key_file: Path, certificate: x509.Certificate) -> bool:
    """Return whether certificate and key match. After a power cut, the key may be newer."""
    try:
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        return False
    return key.public_key() == certificate.public_key()


def installable_certificate(file: Path) -> bytes:
    """Return a certificate in DER, which phones can install. Raises OSError or ValueError."""
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    return certificate.public_bytes(serialization.Encoding.DER)


def format_fingerprint(file: Path) -> str:
    """Return a certificate's SHA-256 in hex pairs, as browsers show it. Raises OSError or ValueError."""
    return x509.load_pem_x509_certificate(file.read_bytes()).fingerprint(hashes.SHA256()).hex(":").upper()


async def watch_clock(clock: Clock, look: Callable[[], None], pause_s: float = 60.0) -> None:
    """Check the certificate once a day and whenever the clock jumps, by calling ``look`` on a worker thread.

    A station that starts with a wrong clock makes a certificate that browsers refuse once the clock is set.
    """
    looked_ms, before_ms = clock.monotonic_ms(), clock.wall_ms()
    while True:
        await asyncio.sleep(pause_s)
        passed_ms, wall_ms = clock.monotonic_ms() - looked_ms, clock.wall_ms()
        if passed_ms < _DAY_MS and abs(wall_ms - before_ms - passed_ms) < _JUMP_MS:
            continue
        looked_ms, before_ms = clock.monotonic_ms(), wall_ms
        try:
            await asyncio.to_thread(look)
        except (OSError, SaloonError) as error:
            _log.warning("page certificate not renewed", problem=str(error))


def reload_certificate(context: ssl.SSLContext, files: tuple[str, str]) -> None:
    """Use a new certificate for future connections. ``files`` are the certificate and the key."""
    try:
        context.load_cert_chain(*files)
    except (OSError, ssl.SSLError) as error:
        _log.warning("new page certificate not loaded", problem=str(error))
