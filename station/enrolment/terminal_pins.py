"""The PINs with which judges unlock terminals, a different one for each terminal.

A terminal checks PINs without the station, so a thief who opens its case can guess its PIN. That PIN unlocks
no other terminal, and reveals nothing about the secret from which all PINs are derived.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Final

import msgspec
from argon2 import PasswordHasher

from station.store import settings as facts
from station.store.settings import Settings
from sync.protocol.entry import TerminalId

DIGITS: Final = 6
_SALT_BYTES: Final = 16


class TerminalPins(msgspec.Struct, frozen=True):
    """The PINs of all terminals, derived from a secret that the stations on one database share."""

    secret: bytes = b""

    def pin(self, terminal: TerminalId) -> str:
        return f"{int.from_bytes(_digest(self.secret, 'pin', terminal)) % 10**DIGITS:0{DIGITS}}"

    def hashed(self, terminal: TerminalId) -> str:
        """Return the hash against which a terminal checks PINs; it is constant until the secret changes."""
        return _hash(self.secret, terminal)


def read_pins(settings: Settings) -> TerminalPins:
    """Return the PINs, creating their secret on first use. Blocks."""
    name = facts.PIN_SECRET
    return TerminalPins(bytes.fromhex(settings.get(name) or settings.set_defaults({name: _new()})[name]))


def renew_pins(settings: Settings) -> TerminalPins:
    """Give every terminal a new PIN. Blocks."""
    settings.set(facts.PIN_SECRET, _new())
    return read_pins(settings)


def _new() -> str:
    return secrets.token_hex(32)


def _digest(secret: bytes, use: str, terminal: TerminalId) -> bytes:
    return hmac.digest(secret, f"{use}/{terminal}".encode(), hashlib.sha256)


@lru_cache(maxsize=4096)
def _hash(secret: bytes, terminal: TerminalId) -> str:
    """Return a fast argon2 hash, which terminals of every version can read.

    A slow one would protect nothing: a thief with an opened terminal can write confirmations without a PIN.
    """
    salt = _digest(secret, "salt", terminal)[:_SALT_BYTES]
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return quick.hash(TerminalPins(secret).pin(terminal), salt=salt)
