"""The PINs with which judges open terminals: each terminal has one of its own.

A terminal compares PINs without the station, so a thief who opens its case can guess its PIN. That PIN opens
no other terminal, and reveals nothing about the secret from which all of them follow.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Final

import msgspec
from argon2 import PasswordHasher

from saloon.station.store import settings as facts
from saloon.station.store.settings import Settings
from saloon.sync.protocol.entry import TerminalId

DIGITS: Final = 6
_SALT_BYTES: Final = 16


class TerminalPins(msgspec.Struct, frozen=True):
    """The PINs of all terminals. secret: of the hall; all stations that share a database have the same."""

    secret: bytes = b""

    def pin(self, terminal: TerminalId) -> str:
        """Return the digits that open a terminal."""
        return f"{int.from_bytes(_digest(self.secret, 'pin', terminal)) % 10**DIGITS:0{DIGITS}}"

    def hashed(self, terminal: TerminalId) -> str:
        """Return what a terminal is given to compare a PIN with: always the same until the secret changes."""
        return _hash(self.secret, terminal)


def read_pins(settings: Settings) -> TerminalPins:
    """Return the PINs; create their secret the first time. Blocks."""
    name = facts.PIN_SECRET
    return TerminalPins(bytes.fromhex(settings.get(name) or settings.set_defaults({name: _new()})[name]))


def renew_pins(settings: Settings) -> TerminalPins:
    """Give every terminal another PIN. Blocks."""
    settings.set(facts.PIN_SECRET, _new())
    return read_pins(settings)


def _new() -> str:
    return secrets.token_hex(32)


def _digest(secret: bytes, use: str, terminal: TerminalId) -> bytes:
    return hmac.digest(secret, f"{use}/{terminal}".encode(), hashlib.sha256)


@lru_cache(maxsize=4096)
def _hash(secret: bytes, terminal: TerminalId) -> str:
    """Return an argon2 hash, which terminals of every version read.

    A slow one would protect nothing: a terminal that was opened writes confirmations without any PIN.
    """
    salt = _digest(secret, "salt", terminal)[:_SALT_BYTES]
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return quick.hash(TerminalPins(secret).pin(terminal), salt=salt)
