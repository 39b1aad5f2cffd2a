"""Encrypt backups for the head judge's passphrase, so that those who download one cannot read it.

The passphrase becomes a key pair: scrypt derives the private key of X25519, and the station stores only the
public key. A sealed backup consists of, in this order:
- ``SALOON-SEALED-1`` and a newline, 16 bytes
- the salt of scrypt (n 65536, r 8, p 1, 32 bytes), 16 bytes
- the public key of the passphrase, 32 bytes
- a public key made for this file, 32 bytes
- the backup encrypted by AES-256-GCM with a nonce of zeros and all of the above as associated data. Its key
is used once. It is derived by HKDF-SHA256 (no salt, ``SALOON-SEALED-1`` as info) from the shared secret of
both key pairs.
"""

import enum
import secrets
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from base.errors import BadData, Refused
from station.accounts.judges import normalise_password
from station.backups.backup import OnChecked, backup
from station.store.database import Database
from station.store.settings import BACKUP_RECIPIENT, Settings

SHORTEST_PASSPHRASE: Final = 12
_LONGEST_PASSPHRASE: Final = 1_000
_NAME: Final = b"SALOON-SEALED-1"
_MAGIC: Final = _NAME + b"\n"
_SALT: Final = 16
_KEY: Final = 32
_HEADER: Final = len(_MAGIC) + _SALT + 2 * _KEY
_NONCE: Final = bytes(12)


class BackupRefusal(enum.Enum):
    """The reasons for refusing a sealed backup, as sentences for people."""

    NOT_SET = "No passphrase has been set. Ask a head judge to set one under Station, Backups."


class BackupRecipient(msgspec.Struct, frozen=True):
    """The public half of a passphrase, which can seal backups but not open them."""

    salt: bytes
    public: bytes


class SealedBackups:
    """Makes sealed backups of a station and stores their passphrase's public half. Calls block."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database

    def has_passphrase(self) -> bool:
        return self._settings.get(BACKUP_RECIPIENT) is not None

    def set_passphrase(self, passphrase: str) -> None:
        """Set the passphrase for future backups. Raises BadData if it is too short."""
        recipient = recipient_of(passphrase)
        self._settings.set(BACKUP_RECIPIENT, msgspec.json.encode(recipient).decode())

    def make(self, on_checked: OnChecked | None = None) -> bytes:
        """Return a sealed copy of the station's database. Raises Refused if no passphrase is set."""
        stored = self._settings.get(BACKUP_RECIPIENT)
        if stored is None:
            raise Refused(BackupRefusal.NOT_SET)
        return seal_backup(
            backup(self._database, on_checked), msgspec.json.decode(stored, type=BackupRecipient)
        )


def recipient_of(passphrase: str) -> BackupRecipient:
    """Return the public half of a passphrase. Raises BadData if it is too short. Slow on purpose."""
    if not SHORTEST_PASSPHRASE <= len(passphrase) <= _LONGEST_PASSPHRASE:
        raise BadData("passphrase", f"it needs at least {SHORTEST_PASSPHRASE} characters")
    salt = secrets.token_bytes(_SALT)
    return BackupRecipient(
        salt, _private_key(normalise_password(passphrase), salt).public_key().public_bytes_raw()
    )


def seal_backup(content: bytes, recipient: BackupRecipient) -> bytes:
    """Return a backup that can only be opened with the recipient's passphrase."""
    once = X25519PrivateKey.generate()
    header = _MAGIC + recipient.salt + recipient.public + once.public_key().public_bytes_raw()
    key = _content_key(once, recipient.public)
    return header + AESGCM(key).encrypt(_NONCE, content, header)


def is_sealed(content: bytes) -> bool:
    return content.startswith(_MAGIC)


def open_sealed_backup(content: bytes, passphrase: str, where: str) -> bytes:
    """Return the content of a sealed backup. Raises BadData for a wrong passphrase or a damaged file."""
    header, public = content[:_HEADER], content[_HEADER - 2 * _KEY : _HEADER - _KEY]
    if len(header) < _HEADER:
        raise BadData(where, "this sealed backup is incomplete")
    salt = header[len(_MAGIC) : len(_MAGIC) + _SALT]
    # Older stations used the passphrase without normalising it.
    forms = dict.fromkeys((normalise_password(passphrase[:_LONGEST_PASSPHRASE]), passphrase))
    private_keys = (_private_key(form, salt) for form in forms)
    private = next((key for key in private_keys if key.public_key().public_bytes_raw() == public), None)
    if private is None:
        raise BadData(where, "this is not its passphrase; a head judge chose it on the Terminals page")
    key = _content_key(private, header[-_KEY:])
    try:
        return AESGCM(key).decrypt(_NONCE, content[_HEADER:], header)
    except InvalidTag as error:
        raise BadData(where, "this sealed backup is damaged or incomplete") from error


def _private_key(passphrase: str, salt: bytes) -> X25519PrivateKey:
    made = Scrypt(salt=salt, length=_KEY, n=2**16, r=8, p=1).derive(passphrase.encode())
    return X25519PrivateKey.from_private_bytes(made)


def _content_key(ours: X25519PrivateKey, theirs: bytes) -> bytes:
    shared = ours.exchange(X25519PublicKey.from_public_bytes(theirs))
    return HKDF(algorithm=SHA256(), length=_KEY, salt=None, info=_NAME).derive(shared)
