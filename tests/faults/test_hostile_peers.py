"""A station under attack or siege: terminals and pages go on, nothing is believed, nothing grows."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.shaped_line import ShapedLine
from sync.ports.serial import SerialPort
from sync.station.hub import HubLimits
from sync.terminal.routes import StationRoute
from sync.tls.certificates import fingerprint_of_pem, own_identity
from sync.tls.trust import terminal_context
from tests.faults.hostile.besiegers import SiegePlan
from tests.faults.hostile.ground import GREETING_S, Ground, attacked, ground, grown
from tests.faults.hostile.peers import Flood, Holders, Slow
from tests.faults.siege import Siege
from tests.rigs.ends import BAUD, Station, Terminal, serial

pytestmark = pytest.mark.faults
LIMITS = HubLimits().strangers
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    with ground(tmp_path_factory.mktemp("hostile")) as made:
        yield made


NAMES = (
    "plain text", "TLS 1.2", "no certificate", "wrong certificate", "signed by a terminal", "guesser",
    "oversize", "cut short", "replay",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_while_attacked_the_honest_terminal_goes_on_and_nobody_else_is_believed(
    here: Ground, name: str
) -> None:
    attacked(here, here.peers[name], 12, seed=7)


def test_nobody_is_left_out() -> None:
    assert len(NAMES) == len(set(NAMES)) == 9


def test_a_thousand_idle_connections_are_held_to_the_limit_and_keep_nobody_out(here: Ground) -> None:
    idle: list[socket.socket] = []
    try:
        for number in range(1_000):
            one = socket.socket()
            one.bind((f"127.2.{number % 20}.1", 0))
            one.connect(("127.0.0.1", here.door.port))
            idle.append(one)
        here.works()
        assert here.waiting() <= LIMITS.at_once + 16
    finally:
        for one in idle:
            one.close()
    here.works()
    here.check()
    here.station.wait_for(lambda: here.waiting() <= 16)


@pytest.mark.parametrize(
    ("addresses", "each", "is_known"),
    [
        (4, 64, True),
        pytest.param(4, 64, False, marks=pytest.mark.nightly),
        pytest.param(40, 16, True, marks=pytest.mark.nightly),
    ],
)
def test_addresses_that_hold_all_they_can_keep_no_terminal_out(
    here: Ground, tmp_path: Path, addresses: int, each: int, *, is_known: bool
) -> None:
    files = own_identity(tmp_path, "second")
    pem = files[1].read_text(encoding="ascii")
    second = fingerprint_of_pem(pem, "second")
    here.station.known[second] = pem
    address = "127.9.9.9" if is_known else "127.9.9.8"
    context = terminal_context(here.door.certificate, *files)

    def connects() -> bool:
        with contextlib.suppress(OSError), socket.socket() as plain:
            plain.settimeout(10.0)
            plain.bind((address, 0))
            plain.connect(("127.0.0.1", here.door.port))
            with context.wrap_socket(plain) as tls:
                return bool(tls.recv(1))
        return False

    assert not is_known or connects()
    holders = Holders(here.door, tuple(f"127.3.0.{number + 1}" for number in range(addresses)), each)
    try:
        with holders.at_work():
            assert [connects() for _ in range(40)] == [True] * 40
        assert holders.opened >= addresses * each
        here.works(1)
    finally:
        del here.station.known[second]
        here.station.wait_for(lambda: here.waiting() <= 16)
        here.station.links = [(who, wire) for who, wire in here.station.links if who != second]


def test_a_slow_one_is_sent_away_by_the_clock_and_not_by_its_bytes(here: Ground) -> None:
    begun = time.monotonic()
    Slow(seconds=30.0, pause_s=0.05).attack(here.door, random.Random(1))
    assert GREETING_S <= time.monotonic() - begun < 20.0
    here.works(1)
    here.check()


def test_a_flood_of_handshakes_from_one_address_is_slowed_down_for_it_alone(here: Ground) -> None:
    flood = Flood(1_500)
    flooding = threading.Thread(target=flood.attack, args=(here.door, random.Random(3)))
    begun = time.monotonic()
    flooding.start()
    here.works()
    flooding.join()
    allowed = LIMITS.burst + LIMITS.each_s * (time.monotonic() - begun)
    assert 0 < flood.done <= allowed + 1
    here.works()
    here.check()


def test_memory_stays_bounded_however_often_they_come(here: Ground) -> None:
    def all_of_them() -> None:
        for name in NAMES:
            attacked(here, here.peers[name], 8, seed=11)

    all_of_them()
    # What leaks grows each time; what the allocator keeps for other tests does not.
    assert any(grown(all_of_them) < 4 * MEGABYTE for _ in range(5))


def test_junk_on_the_serial_line_grows_nothing_and_the_terminal_comes_after_it(tmp_path: Path) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD):
        station = Station(tmp_path)
        station.start(0, [("b", lambda: serial(tmp_path / "b"))])
        stranger = SerialPort(str(tmp_path / "a"), BAUD)
        stranger.open()
        chance = random.Random(5)

        def junk() -> None:
            for _ in range(200):
                stranger.write(chance.randbytes(400))
                time.sleep(0.005)

        junk()
        more = grown(junk)
        stranger.close()
        way = StationRoute("serial", lambda: serial(tmp_path / "a"))
        terminal = Terminal(tmp_path / "t", station, ways=(way,))
        terminal.agent.start()
        try:
            terminal.deliver(b"\x01")
            assert more < MEGABYTE
        finally:
            terminal.agent.stop()
            station.stop()


SECONDS = 16.0
PER_S = 50.0


@pytest.mark.nightly
def test_while_thousands_hold_connections_tables_play_and_pages_answer(tmp_path: Path) -> None:
    with Siege(tmp_path) as siege:
        suffered = siege.suffer(SiegePlan(siege.pages, siege.terminals), SECONDS, PER_S)
        assert suffered.wrong(SECONDS * PER_S) == "", siege.log_end()
        assert suffered.opened.idle >= 5_000
        assert suffered.opened.half >= 1_000
        assert suffered.opened.bodies >= 60
        assert suffered.pages >= 3
