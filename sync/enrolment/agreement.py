"""Proofs that nobody is between two ends that don't know each other yet.

Everything is derived from both certificates and a random number from each end, so that a third party in
between, which has a certificate of its own, gets different results.

A join code is ten characters of Crockford's base 32: the ten digits and the alphabet except I, L, O and U.
Look-alikes are accepted: O as 0, I and L as 1, and lower case.
"""

import hashlib
import hmac

import msgspec

from base.errors import BadData

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 10
GROUP = 5
RANDOM_BYTES = 7
"""Random bytes that ``code_of`` needs, of which it uses 50 bits."""

_ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1"})
_BITS = 5


def code_of(chance: bytes) -> str:
    """Return the join code for at least ``RANDOM_BYTES`` random bytes."""
    number = int.from_bytes(chance[:RANDOM_BYTES])
    return "".join(ALPHABET[number >> (_BITS * i) & 31] for i in range(LENGTH))


def read_alike(text: str) -> str:
    return "".join(text.split()).replace("-", "").upper().translate(_ALIKE)


def code_typed(text: str) -> str:
    """Return a typed code, normalised. Raises BadData if the text can't be a code."""
    code = read_alike(text)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise BadData("code", f"it has {LENGTH} characters; the station's page shows it")
    return code


def in_groups(code: str) -> str:
    """Format a code, or the beginning of one, for display: ``ABCDE-FGHJK``."""
    return "-".join(code[i : i + GROUP] for i in range(0, len(code), GROUP))


NONCE_BYTES = 32
_CHECK_DIGITS = 6
_SCRYPT_N = 2**15
"""The cost of scrypt: with r = 8 it takes 32 MiB, and about half a second on a Raspberry Pi."""
_SCRYPT_R = 8
_SCRYPT_P = 1

_MEMORY = 64 * 1024 * 1024


class Parties(msgspec.Struct, frozen=True):
    """The certificates (DER) of both ends, and the random number of each for this enrolment."""

    station: bytes
    terminal: bytes
    station_nonce: bytes
    terminal_nonce: bytes

    def digest(self, purpose: bytes) -> bytes:
        """Return the SHA-256 of a purpose, both fingerprints and both random numbers."""
        both = hashlib.sha256(self.station).digest() + hashlib.sha256(self.terminal).digest()
        return hashlib.sha256(purpose + both + self.station_nonce + self.terminal_nonce).digest()


def commitment(terminal: bytes, nonce: bytes) -> bytes:
    """Return a terminal's commitment to its random number, sent before the station's number is known.

    Otherwise, somebody in between could try numbers until both ends show the same check code.
    """
    return hashlib.sha256(b"saloon cable" + hashlib.sha256(terminal).digest() + nonce).digest()


def check_code(parties: Parties) -> str:
    """Return six digits for the judge to compare, equal at both ends unless somebody is in between."""
    number = int.from_bytes(parties.digest(b"saloon check")[:8])
    return f"{number % 10**_CHECK_DIGITS:0{_CHECK_DIGITS}}"


def code_key(code: str, parties: Parties) -> bytes:
    """Derive the key of a code for this enrolment. Deliberately slow: not for a screen's thread."""
    return hashlib.scrypt(
        code.encode(),
        salt=parties.digest(b"saloon code"),
        n=_SCRYPT_N,
        r=_SCRYPT_R,
        p=_SCRYPT_P,
        maxmem=_MEMORY,
        dklen=32,
    )


def terminal_proof(key: bytes) -> bytes:
    return hmac.digest(key, b"terminal", "sha256")


def station_proof(key: bytes) -> bytes:
    return hmac.digest(key, b"station", "sha256")


def is_same(one: bytes, other: bytes) -> bool:
    """Compare two proofs in constant time."""
    return hmac.compare_digest(one, other)


class TokenShown(msgspec.Struct, frozen=True):
    """An unknown terminal sent the token of a provisioning file. ``certificate`` is its own, in PEM."""

    token: str
    certificate: str


class AskJudge(msgspec.Struct, frozen=True):
    """An unknown terminal at a cable waits for the judge to compare its six-digit check code."""

    certificate: str
    check_code: str


class CodeTried(msgspec.Struct, frozen=True):
    """An unknown terminal proves that it knows the code that the station shows."""

    certificate: str
    parties: Parties
    proof: bytes


Question = TokenShown | AskJudge | CodeTried
