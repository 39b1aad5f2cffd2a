"""Trust by pinned certificates, and certificates that only some parsers accept."""

import datetime as dt
import itertools
import os
import shutil
import ssl
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes

from base.errors import BadData, PeerFault
from sync.station.handshake import UNUSABLE
from sync.terminal.agent_contract import LinkPhase
from sync.tls.certificates import (
    check_certificate,
    der_of,
    fingerprint_of_pem,
    generate_certificate,
    own_identity,
    pem_of,
)
from sync.tls.trust import (
    NO_CHECK_TIME,
    TlsStream,
    pin_certificates,
    station_context,
    stranger_context,
    terminal_context,
)
from tests.rigs.ends import PATIENCE_S, Start, Station, Terminal
from tests.sync.conftest import signed_by_key
from tests.sync.hostile_certificates import certificates, pem_shapes

Identity = tuple[Path, Path]


@pytest.fixture
def ours(tmp_path: Path) -> Identity:
    return own_identity(tmp_path / "station", "station")


@pytest.fixture
def theirs(tmp_path: Path) -> Identity:
    return own_identity(tmp_path / "terminal", "terminal")


def pem(identity: Identity) -> str:
    return identity[1].read_text()


def shaken(here: TlsStream, there: TlsStream) -> None:
    """Carry bytes until none are left."""
    here.start()
    moved = True
    while moved:
        moved = False
        for source, target in ((here, there), (there, here)):
            if data := source.to_wire():
                moved = True
                assert target.from_wire(data) == b""


def test_an_identity_is_minted_once_and_kept_to_its_owner(tmp_path: Path) -> None:
    key, certificate = own_identity(tmp_path / "new", "terminal")
    before = key.read_bytes(), certificate.read_bytes()
    assert own_identity(tmp_path / "new", "terminal") == (key, certificate)
    assert (key.read_bytes(), certificate.read_bytes()) == before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_certificate_is_valid_for_ever_and_its_fingerprint_has_32_digits(theirs: Identity) -> None:
    certificate = x509.load_pem_x509_certificate(theirs[1].read_bytes())
    assert certificate.not_valid_before_utc == dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
    assert certificate.not_valid_after_utc.year == 9999
    fingerprint = fingerprint_of_pem(pem(theirs), "x")
    assert len(fingerprint) == 32
    assert fingerprint == certificate.fingerprint(hashes.SHA256()).hex()[:32]


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN CERTIFICATE-----\n***\n"])
def test_what_is_no_certificate_is_named(text: str) -> None:
    with pytest.raises(BadData, match="line 3: this is no certificate in PEM"):
        fingerprint_of_pem(text, "line 3")
    with pytest.raises(BadData, match=r"\[station\] certificate"):
        terminal_context(text, None, None)


@pytest.mark.parametrize("size", [1, 100, 1 << 20])
def test_both_ends_know_each_other_and_plain_bytes_come_back(
    ours: Identity, theirs: Identity, size: int
) -> None:
    here = TlsStream(terminal_context(pem(ours), *theirs), is_station=False)
    there = TlsStream(station_context(*ours, (pem(theirs),)), is_station=True)
    here.send(b"said before the handshake")
    here.start()
    received = b""
    while not (here.is_up and there.is_up and received):
        data = here.to_wire()
        for i in range(0, len(data), size):
            received += there.from_wire(data[i : i + size])
        answer = there.to_wire()
        for i in range(0, len(answer), size):
            here.from_wire(answer[i : i + size])
    assert received == b"said before the handshake"
    assert there.peer() == fingerprint_of_pem(pem(theirs), "x")
    assert here.peer() == fingerprint_of_pem(pem(ours), "x")
    there.send(b"answer")
    assert here.from_wire(there.to_wire()) == b"answer"


def test_a_stranger_without_a_certificate_is_nobody(ours: Identity, theirs: Identity) -> None:
    here = TlsStream(terminal_context(pem(ours), None, None), is_station=False)
    there = TlsStream(station_context(*ours, (pem(theirs),)), is_station=True)
    shaken(here, there)
    assert there.is_up
    assert there.peer() is None


def test_a_terminal_refuses_a_station_with_another_certificate(ours: Identity, theirs: Identity) -> None:
    here = TlsStream(terminal_context(generate_certificate("another")[1], *theirs), is_station=False)
    there = TlsStream(station_context(*ours, ()), is_station=True)
    with pytest.raises(PeerFault, match="TLS"):
        shaken(here, there)
    assert not here.is_up


def test_a_station_refuses_a_certificate_that_is_not_enrolled(ours: Identity, theirs: Identity) -> None:
    here = TlsStream(terminal_context(pem(ours), *theirs), is_station=False)
    there = TlsStream(station_context(*ours, (generate_certificate("another")[1],)), is_station=True)
    with pytest.raises(PeerFault, match="TLS"):
        shaken(here, there)
    assert not there.is_up


@pytest.mark.parametrize(
    "junk",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 400 Bad Request\r\n",
        b"\0" * 100,
        b"\x16\x03\x01\xff\xff" + b"\xff" * 70_000,
    ],
)
def test_junk_is_a_fault_of_the_peer_and_never_plain_bytes(ours: Identity, junk: bytes) -> None:
    here = TlsStream(terminal_context(pem(ours), None, None), is_station=False)
    here.start()
    for end in (TlsStream(station_context(*ours, ()), is_station=True), here):
        with pytest.raises(PeerFault, match="TLS"):
            end.from_wire(junk)


def test_a_recording_played_again_is_worth_nothing(ours: Identity, theirs: Identity) -> None:
    context = station_context(*ours, (pem(theirs),))
    here = TlsStream(terminal_context(pem(ours), *theirs), is_station=False)
    there = TlsStream(context, is_station=True)
    here.send(b"entry")
    here.start()
    recorded = here.to_wire()
    here.from_wire(there.from_wire(recorded) or there.to_wire())
    recorded += here.to_wire()
    again = TlsStream(context, is_station=True)
    with pytest.raises(PeerFault, match="TLS"):
        assert again.from_wire(recorded) == b""
    assert not again.is_up


def test_a_key_that_does_not_fit_its_certificate_is_named(
    ours: Identity, theirs: Identity, tmp_path: Path
) -> None:
    with pytest.raises(BadData, match=r"key\.pem: no key and certificate that fit"):
        terminal_context(pem(ours), ours[0], theirs[1])
    with pytest.raises(BadData, match=r"no\.pem"):
        terminal_context(pem(ours), tmp_path / "no.pem", theirs[1])


def test_a_terminal_is_its_certificate_and_not_who_signed_it(
    ours: Identity, theirs: Identity, tmp_path: Path
) -> None:
    child = signed_by_key(theirs[0].parent, tmp_path / "child")
    here = TlsStream(terminal_context(pem(ours), *child), is_station=False)
    there = TlsStream(station_context(*ours, (pem(theirs),)), is_station=True)
    shaken(here, there)
    assert there.peer() != fingerprint_of_pem(pem(theirs), "x")


INPUTS = 3_000


def checked(certificate: str) -> str | None:
    try:
        return check_certificate(certificate, "the certificate")
    except BadData as error:
        assert str(error).startswith("the certificate: ")  # noqa: PT017 (any other error is the failure)
        return None


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
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    broken = pem_of(der_of(generate_certificate("broken")[1])[:-20])
    station.known[fingerprint_of_pem(broken, "broken")] = broken
    started(terminal)
    terminal.wait_phase(LinkPhase.CONNECTED)
    station.wait_for(lambda: (fingerprint_of_pem(broken, "broken"), UNUSABLE) in station.alarms)


COMPILER, OPENSSL = shutil.which("cc"), shutil.which("openssl")
EPOCH = 0
LATER = int(dt.datetime(2046, 2, 7, tzinfo=dt.UTC).timestamp())
MOMENTS = pytest.mark.parametrize("moment", [EPOCH, LATER], ids=["1970", "2046"])
ASTRAY = pytest.mark.skipif(COMPILER is None or OPENSSL is None, reason="needs cc and openssl")
CLOCK = """
#include <stdlib.h>
#include <time.h>
time_t time(time_t *told) {
    time_t now = atoll(getenv("SALOON_TIME"));
    if (told) *told = now;
    return now;
}
"""
BOTH_ENDS = """
import sys
from pathlib import Path
from base.errors import PeerFault
from sync.tls.certificates import own_identity
from sync.tls.trust import NO_CHECK_TIME, TlsStream
from sync.tls.trust import station_context, terminal_context

folder, obeys = Path(sys.argv[1]), sys.argv[2] == "as we do"
station, terminal = own_identity(folder / "s", "s"), own_identity(folder / "t", "t")
contexts = (
    terminal_context(station[1].read_text(), *terminal),
    station_context(*station, (terminal[1].read_text(),)),
)
for context in contexts:
    if not obeys:
        context.verify_flags &= ~NO_CHECK_TIME
here, there = (TlsStream(context, is_station=i == 1) for i, context in enumerate(contexts))
here.start()
try:
    for _ in range(4):
        there.from_wire(here.to_wire())
        here.from_wire(there.to_wire())
    print("shaken" if here.is_up and there.is_up and there.peer() else "silent")
except PeerFault as fault:
    print(fault)
"""

Astray = Callable[..., str]


@pytest.fixture(scope="module")
def astray(tmp_path_factory: pytest.TempPathFactory) -> Astray:
    """Return a function that runs a program with a wrong clock and returns its output."""
    folder = tmp_path_factory.mktemp("clock")
    (folder / "clock.c").write_text(CLOCK, encoding="ascii")
    assert COMPILER is not None
    subprocess.run(
        [COMPILER, "-shared", "-fPIC", "-o", folder / "clock.so", folder / "clock.c"],
        check=True,
        timeout=60,
    )

    def run(moment: int, *words: object) -> str:
        environment = {**os.environ, "LD_PRELOAD": str(folder / "clock.so"), "SALOON_TIME": str(moment)}
        done = subprocess.run(
            [str(word) for word in words],
            input="",
            text=True,
            # What it shows of tickets and of our own frames is no text.
            errors="replace",
            capture_output=True,
            timeout=PATIENCE_S * 3,
            check=False,
            env=environment,
        )
        return done.stdout + done.stderr

    return run


def test_every_context_of_ours_asks_openssl_not_to_look_at_the_time(tmp_path: Path) -> None:
    identity = own_identity(tmp_path / "one", "one")
    pem = identity[1].read_text()
    for context in (
        station_context(*identity, (pem,)),
        terminal_context(pem, *identity),
        terminal_context(pem, None, None),
        stranger_context(),
    ):
        assert context.verify_flags & NO_CHECK_TIME


@pytest.mark.slow
@ASTRAY
@MOMENTS
def test_both_our_ends_shake_hands_whatever_their_clocks_say(
    tmp_path: Path, astray: Astray, moment: int
) -> None:
    assert astray(moment, sys.executable, "-c", BOTH_ENDS, tmp_path, "as we do").strip() == "shaken"


@pytest.mark.slow
@ASTRAY
def test_without_the_flag_a_board_of_1970_would_believe_nobody(tmp_path: Path, astray: Astray) -> None:
    said = astray(EPOCH, sys.executable, "-c", BOTH_ENDS, tmp_path, "as others do")
    assert "CERTIFICATE_VERIFY_FAILED" in said


@ASTRAY
@MOMENTS
def test_an_openssl_of_another_time_shakes_hands_with_our_station(
    station: Station, tmp_path: Path, astray: Astray, moment: int
) -> None:
    key, certificate = own_identity(tmp_path / "t", "terminal")
    station.known[fingerprint_of_pem(certificate.read_text(), "t")] = certificate.read_text()
    words = [OPENSSL, "s_client", "-connect", f"127.0.0.1:{station.port}", "-key", key, "-cert", certificate,
             "-CAfile", station.identity[1], "-verify_return_error", "-tls1_3"]  # fmt: skip
    assert "Verify return code: 0 (ok)" in astray(moment, *words, "-no_check_time")
    strict = astray(moment, *words)
    assert ("Verify return code: 0 (ok)" in strict) is (moment == LATER)
    assert ("not yet valid" in strict) is (moment == EPOCH)
