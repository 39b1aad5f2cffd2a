"""Certificates as an attacker might send them: mutated, and in forms that parsers read differently."""

import base64
import random
from collections.abc import Iterator
from typing import Final

from sync.tls.certificates import der_of, generate_certificate, pem_of

_BEGIN: Final = "-----BEGIN CERTIFICATE-----"
_END: Final = "-----END CERTIFICATE-----"


def pem_shapes(pem: str) -> Iterator[str]:
    """Yield the same certificate in forms that only some parsers accept."""
    body = pem.removeprefix(_BEGIN).removesuffix(f"{_END}\n")
    flat = body.replace("\n", "")
    yield from (f"{blank}{pem}" for blank in ("\u00a0", "\u2003", "\ufeff", "\t", " ", "\n", "junk\n", "\0"))
    yield from (f"{pem}{blank}" for blank in ("\u00a0", "\t", "junk", "\0", pem, "-----BEGIN"))
    yield pem.replace("\n", "\r\n")
    yield pem.replace("\n", "\t\n")
    yield f"{_BEGIN}\n{flat}\n{_END}\n"
    yield f"{_BEGIN}{flat}{_END}"
    yield f"{_BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n{body}{_END}\n"
    yield f"{_BEGIN}\nX: y\n\n{flat}\n{_END}\n"
    yield pem.replace("CERTIFICATE", "TRUSTED CERTIFICATE")
    yield pem.replace("CERTIFICATE", "X509 CERTIFICATE")
    yield f"{_BEGIN}\n{flat[:40]}\u00a0{flat[40:]}\n{_END}\n"
    yield f"{_BEGIN}\n{flat[:40]}\u0085{flat[40:]}\n{_END}\n"
    yield f"{_BEGIN}\n{flat[:40]}*{flat[40:]}\n{_END}\n"
    yield f"{_BEGIN}\n{flat.rstrip('=')}\n{_END}\n"
    yield f"{_BEGIN}\n{_END}\n"
    yield ""


def mutated(der: bytes, chance: random.Random) -> bytes:
    """Return a certificate with some bytes changed, dropped, duplicated or swapped."""
    data = bytearray(der)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(data))
        match chance.randrange(5):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                data[at] = chance.randrange(256)
            case 2:
                del data[at : at + chance.randrange(1, 8)]
            case 3:
                data[at:at] = data[at : at + chance.randrange(1, 8)]
            case _:
                data[at : at + 1] = chance.randbytes(chance.randrange(1, 4))
    return bytes(data)


def certificates(seed: int) -> Iterator[str]:
    """Yield hostile certificates without end: first each form, then mutations in random forms."""
    chance = random.Random(seed)
    pem = generate_certificate("hostile")[1]
    yield from pem_shapes(pem)
    der = der_of(pem)
    while True:
        changed = pem_of(mutated(der, chance))
        yield changed
        if chance.random() < 0.1:
            yield chance.choice(list(pem_shapes(changed)))
        if chance.random() < 0.05:
            yield base64.b64encode(changed.encode()).decode()
