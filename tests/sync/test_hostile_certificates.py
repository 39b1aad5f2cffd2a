"""A certificate that one parser takes and another does not keeps out its own terminal at most."""

import itertools
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from base.errors import BadData
from sync.certificates import (
    check_certificate,
    der_of,
    fingerprint_of_pem,
    generate_certificate,
    own_identity,
    pem_of,
)
from sync.station.handshake import UNUSABLE
from sync.terminal.agent_contract import LinkChanged, LinkPhase
from sync.tls import pin_certificates, station_context
from tests.rigs.ends import Station, Terminal
from tests.sync.hostile_certificates import certificates, pem_shapes

CleanUp = Callable[[Callable[[], None]], None]
INPUTS = 3_000


def checked(certificate: str) -> str | None:
    try:
        return check_certificate(certificate, "the certificate")
    except BadData as error:
        assert str(error).startswith("the certificate: ")  # noqa: PT017 (any other error is the failure)
        return None


def is_connected(news: object) -> bool:
    return isinstance(news, LinkChanged) and news.phase is LinkPhase.CONNECTED


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (1, 2, 3))])
def test_whatever_is_taken_is_loaded_by_openssl_beside_all_others(seed: int, tmp_path: Path) -> None:
    honest = generate_certificate("honest")[1]
    taken = [pem for pem in map(checked, itertools.islice(certificates(seed), INPUTS)) if pem is not None]
    assert taken
    for pem in set(taken):
        assert pem == pem_of(der_of(pem))
        context = station_context(*own_identity(tmp_path / "station", "station"), ())
        assert pin_certificates(context, (honest, pem)) == ()
        # All in one text is how versions before loaded them: one bad one ended them all.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(cadata=f"{honest}\n{pem}")


def test_a_whole_certificate_is_kept_in_our_own_words_whatever_is_around_it() -> None:
    pem = generate_certificate("terminal")[1]
    shapes = [checked(shape) for shape in pem_shapes(pem)]
    assert {shape for shape in shapes if shape is not None} == {pem}
    assert checked(f"\u00a0{pem}") == pem


def test_pins_that_cannot_be_loaded_are_left_out_and_named(tmp_path: Path) -> None:
    honest, other = generate_certificate("honest")[1], generate_certificate("other")[1]
    bad = (pem_of(der_of(other)[:-20]), "\u00a0nonsense", "")
    context = station_context(*own_identity(tmp_path / "station", "station"), ())
    assert pin_certificates(context, (bad[0], honest, *bad[1:])) == bad
    assert context.cert_store_stats()["x509_ca"] == 1


def test_one_bad_stored_certificate_keeps_nobody_else_out_and_raises_an_alarm(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    broken = pem_of(der_of(generate_certificate("broken")[1])[:-20])
    station.known[fingerprint_of_pem(broken, "broken")] = broken
    terminal.agent.start()
    clean_up(terminal.agent.stop)
    terminal.wait_for(is_connected)
    station.wait_for(lambda: (fingerprint_of_pem(broken, "broken"), UNUSABLE) in station.alarms)
