"""Handshakes of boards without a clock: real processes whose OpenSSL believes that it is 1970 or 2046."""

import datetime as dt
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sync.tls.certificates import fingerprint_of_pem, own_identity
from sync.tls.trust import NO_CHECK_TIME, station_context, stranger_context, terminal_context
from tests.rigs.ends import PATIENCE_S, Station

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
