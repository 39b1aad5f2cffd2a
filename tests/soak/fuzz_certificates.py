"""Certificates of strangers: any bytes are refused with a message, or loaded by OpenSSL beside all others."""

import ssl

from base.errors import BadData
from sync.tls.certificates import check_certificate, der_of, generate_certificate, pem_of
from tests.sync.hostile_certificates import pem_shapes

_PEM = generate_certificate("fuzzed")[1]
_OTHER = generate_certificate("other")[1]
SEEDS = (der_of(_PEM), *(shape.encode() for shape in pem_shapes(_PEM)))


def one_input(data: bytes) -> None:
    """Read the bytes as DER and as PEM. An accepted certificate must load together with another one."""
    for certificate in (pem_of(data), data.decode("utf-8", "replace")):
        try:
            taken = check_certificate(certificate, "fuzzed")
        except BadData as error:
            assert str(error).startswith("fuzzed: ")  # noqa: PT017 (any other error is the failure)
            continue
        assert taken == pem_of(der_of(taken))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_verify_locations(cadata=f"{_OTHER}\n{taken}")
        assert context.cert_store_stats()["x509_ca"] == len({_OTHER, taken})
