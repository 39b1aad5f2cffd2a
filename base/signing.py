"""Signatures with Ed25519 keys."""

from collections.abc import Callable

from base.errors import BadData

Sign = Callable[[bytes], bytes]
"""A function that signs bytes."""


def signer(key_pem: bytes, where: str) -> Sign:
    """Return the signing function of a private key in PEM. Raises BadData with ``where`` for other keys."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(key_pem, None)
    except ValueError as error:
        raise BadData(where, "this is no key in PEM") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadData(where, "a parcel is signed by an Ed25519 key")
    return key.sign
