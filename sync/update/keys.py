"""The files of the signing key: the maintainer has the private half, images have the public one."""

from pathlib import Path
from typing import Final

from base.errors import BadData, Unavailable
from base.signing import Sign, signer

FIRST_LINE: Final = "# Saloon: the public key of those who may make new versions."
DEVELOPMENT: Final = "development"
"""The mark in the first line of a trial key, whose private half the builder of the image has."""


def public_key_of(text: str, where: str) -> bytes:
    """Parse a ``release.pub`` into 32 bytes: a comment, and 64 hexadecimal digits. Raises BadData."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        key = bytes.fromhex(lines[0]) if len(lines) == 1 else b""
    except ValueError:
        key = b""
    if len(key) != 32:  # noqa: PLR2004 (bytes of an Ed25519 key)
        raise BadData(where, "this is no release key: one line of 64 hexadecimal digits is expected")
    return key


def public_key_in(file: Path) -> bytes | None:
    """Read the key in a file, and return None if it doesn't exist. Raises BadData and Unavailable."""
    try:
        return public_key_of(file.read_text(encoding="ascii", errors="replace"), str(file))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(f"{file}: {error.strerror or error}") from error


def public_text(key: bytes, *, is_for_trials: bool) -> str:
    """Return the content of a ``release.pub``."""
    mark = f" ({DEVELOPMENT}: for trials only)" if is_for_trials else ""
    return f"{FIRST_LINE}{mark}\n{key.hex()}\n"


def generate_key() -> tuple[bytes, bytes]:
    """Generate a private key (PEM) and its public half (32 bytes)."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, key.public_key().public_bytes_raw()


def signing(file: Path) -> tuple[Sign, bytes]:
    """Return the signing function for a private key file, and the public key.

    Raises BadData or Unavailable.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        pem = file.read_bytes()
    except OSError as error:
        raise Unavailable(f"{file}: {error.strerror or error}") from error
    sign = signer(pem, str(file))
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, Ed25519PrivateKey)  # the signer has checked it
    return sign, key.public_key().public_bytes_raw()
