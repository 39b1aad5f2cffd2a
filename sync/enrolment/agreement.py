"""Proofs between two ends that do not know each other yet: that nobody is between them.

Everything is made from both certificates and a random number of each end, so that a third party that
shows its certificate to either side gets other results.
"""

import hashlib
import hmac

import msgspec

NONCE_BYTES = 32
CHECK_DIGITS = 6
SCRYPT_N = 2**15
"""With r = 8: 32 MiB, and about half a second on a Pi."""
SCRYPT_R = 8
SCRYPT_P = 1

_MEMORY = 64 * 1024 * 1024


class Parties(msgspec.Struct, frozen=True):
    """The certificates (DER) of both ends, and the number that each drew for this meeting."""

    station: bytes
    terminal: bytes
    station_nonce: bytes
    terminal_nonce: bytes

    def digest(self, purpose: bytes) -> bytes:
        """Return SHA-256 over the purpose, both fingerprints and both numbers, each of 32 bytes."""
        both = hashlib.sha256(self.station).digest() + hashlib.sha256(self.terminal).digest()
        return hashlib.sha256(purpose + both + self.station_nonce + self.terminal_nonce).digest()


def commitment(terminal: bytes, nonce: bytes) -> bytes:
    """Return a terminal's binding commitment to its number, sent until the station's number is known.

    Without it, somebody between could try numbers until both ends show the same check code.
    """
    return hashlib.sha256(b"saloon cable" + hashlib.sha256(terminal).digest() + nonce).digest()


def check_code(parties: Parties) -> str:
    """Return six digits for the judge to compare: they agree at both ends if there is no one in between."""
    number = int.from_bytes(parties.digest(b"saloon check")[:8])
    return f"{number % 10**CHECK_DIGITS:0{CHECK_DIGITS}}"


def code_key(code: str, parties: Parties) -> bytes:
    """Derive the key of a code for this meeting only. Slow on purpose: not for a screen's thread."""
    return hashlib.scrypt(
        code.encode(),
        salt=parties.digest(b"saloon code"),
        n=SCRYPT_N,
        r=SCRYPT_R,
        p=SCRYPT_P,
        maxmem=_MEMORY,
        dklen=32,
    )


def terminal_proof(key: bytes) -> bytes:
    """Return the proof that only a terminal that knows the code can give."""
    return hmac.digest(key, b"terminal", "sha256")


def station_proof(key: bytes) -> bytes:
    """Return the proof that only a station that knows the code can give."""
    return hmac.digest(key, b"station", "sha256")


def is_same(one: bytes, other: bytes) -> bool:
    """Return whether two proofs are equal, in constant time."""
    return hmac.compare_digest(one, other)
