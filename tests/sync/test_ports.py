"""Addresses, the link over a port, and stations that announce themselves by real multicast DNS."""

import gc
import random
import secrets
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from base.errors import BadData
from sync.ports.addresses import FoundStation, address_of, host_and_port, is_address, route_name, stream_to
from sync.ports.link_port import LinkPort
from sync.ports.mdns import SERVICE, MdnsAnnouncer, MdnsBrowser
from sync.protocol.entry import TerminalId
from sync.terminal.agent_contract import LinkPhase
from sync.tls.certificates import fingerprint_of_pem
from tests.rigs.ends import CleanUp, Start, Station, Terminal, dial
from tests.rigs.simulator import BAUD, linked


@pytest.mark.parametrize("address", ["10.0.0.1:7373", "[fe80::1%eth0]:7373", "tcp:station.local:80"])
def test_an_address_is_found_again_in_the_name_of_its_route(address: str) -> None:
    assert is_address(address)
    assert address_of(route_name(address)) == address


def test_a_route_keeps_the_name_that_journals_have() -> None:
    assert route_name("10.0.0.1:7373") == "tcp 10.0.0.1:7373"


@pytest.mark.parametrize("route", ["serial /dev/ttyUSB0", "bus /dev/ttyAMA0", ""])
def test_a_cable_has_no_address(route: str) -> None:
    assert address_of(route) == ""


@pytest.mark.parametrize("address", ["10.0.0.1", "tcp:10.0.0.1", "carrier-pigeon:1:2", "a:99999"])
def test_a_wrong_address_is_refused_where_it_was_given(address: str) -> None:
    assert not is_address(address)
    with pytest.raises(BadData, match="--station"):
        stream_to(address, "--station")


def test_addresses_are_taken_apart() -> None:
    assert host_and_port("hall.local:7373", "x") == ("hall.local", 7373)
    assert host_and_port("[::1]:1", "x") == ("::1", 1)


@pytest.mark.parametrize("port", ["²", "٣"])
def test_only_plain_digits_are_a_port(port: str) -> None:
    with pytest.raises(BadData, match="is no address"):
        host_and_port(f"here:{port}", "x")


READ_EVERY_MS = 4
"""The interval at which received bytes wake an owner in these tests."""


class Owner:
    """An owner that calls one end only when it requested it, or when bytes may have arrived.

    It counts the requests, and is up to ``late_ms`` late.
    """

    def __init__(self, port: LinkPort, late_ms: int) -> None:
        self.port = port
        self._late_ms = late_ms
        self._chance = random.Random(late_ms)
        self.wakes = 0
        self._due_ms: int | None = 0

    def turn(self, now_ms: int, *, may_read: bool, left: bytes) -> bytes:
        is_due = self._due_ms is not None and self._due_ms <= now_ms
        if not (is_due or may_read):
            return left
        self.wakes += is_due
        self.port.advance(now_ms)
        left = left[self.port.write(left[:4096]) :]
        self._due_ms = self.port.next_deadline_ms()
        if self._due_ms is not None:
            assert self._due_ms > now_ms
            self._due_ms += self._chance.randint(0, self._late_ms)
        return left


@pytest.mark.slow
@pytest.mark.parametrize("late_ms", [0, 8, 25])
def test_an_owner_that_wakes_when_it_is_asked_to_or_later_fills_the_line(late_ms: int) -> None:
    pair = linked()
    line, (near, far) = pair.line, (Owner(end, late_ms) for end in pair.ends)
    left, delivered = random.Random(1).randbytes(60_000), 0
    begun_ms, count = line.now_ms, len(left)
    while delivered < count:
        line.now_ms += 1
        may_read = [bool(way.waiting()) and line.now_ms % READ_EVERY_MS == 0 for way in line.ways]
        left = near.turn(line.now_ms, may_read=may_read[1], left=left)
        far.turn(line.now_ms, may_read=may_read[0], left=b"")
        delivered = far.port.counters().bytes_delivered
        assert line.now_ms - begun_ms < 20_000
    took_s = (line.now_ms - begun_ms) / 1000
    assert count / took_s / (BAUD / 10) >= 0.92
    assert near.wakes / took_s < 200


def test_nobody_waits_for_a_tty_to_be_writable() -> None:
    pair = linked()
    near = pair.ends[0]
    while near.write(bytes(4096)):
        pass
    assert not near.wants_write()
    due_ms = near.next_deadline_ms()
    assert due_ms is not None
    assert due_ms > pair.line.now_ms


LOOPBACK = ["127.0.0.1"]
# All test processes of this machine hear one another.
OURS, OTHERS = TerminalId(secrets.token_hex(16)), TerminalId(secrets.token_hex(16))
PATIENCE_S = 10


def stations_heard(
    ear: MdnsBrowser, wanted: Callable[[tuple[FoundStation, ...]], bool]
) -> tuple[FoundStation, ...]:
    end = time.monotonic() + PATIENCE_S
    while not wanted(ear.stations()):
        if time.monotonic() > end:
            raise TimeoutError(ear.stations())
        time.sleep(0.02)
    return ear.stations()


@pytest.fixture
def ear(clean_up: CleanUp) -> MdnsBrowser:
    made = MdnsBrowser(OURS, interfaces=LOOPBACK)
    made.start()
    clean_up(made.stop)
    made.listen(wanted=True)
    return made


def calling(clean_up: CleanUp, fingerprint: TerminalId, *addresses: str) -> MdnsAnnouncer:
    call = MdnsAnnouncer(fingerprint, addresses, interfaces=LOOPBACK)
    call.start()
    clean_up(call.stop)
    return call


@pytest.mark.slow
def test_a_station_that_calls_is_heard_and_one_of_others_is_not(ear: MdnsBrowser, clean_up: CleanUp) -> None:
    calling(clean_up, OTHERS, "10.0.0.9:7373")
    calling(clean_up, OURS, "192.168.1.10:7373", "127.0.0.1:7373")
    (station,) = stations_heard(ear, bool)
    assert station.address == "192.168.1.10:7373"
    assert station.name.startswith("Saloon")


@pytest.mark.slow
def test_a_station_that_ends_is_not_heard_any_more(ear: MdnsBrowser, clean_up: CleanUp) -> None:
    call = MdnsAnnouncer(OURS, ("192.168.1.11:7373",), interfaces=LOOPBACK)
    call.start()
    stations_heard(ear, bool)
    call.stop()
    stations_heard(ear, lambda stations: not stations)


@pytest.mark.slow
def test_an_answer_full_of_addresses_and_signs_is_cut_short(ear: MdnsBrowser, clean_up: CleanUp) -> None:
    liar = Zeroconf(interfaces=LOOPBACK, ip_version=IPVersion.V4Only)
    clean_up(liar.close)
    many = [socket.inet_aton(f"10.0.0.{n}") for n in range(1, 40)]
    name = "x" * 50
    properties = {b"v": b"1", b"fp": OURS.encode()}
    liar.register_service(
        ServiceInfo(
            SERVICE, f"{name}.{SERVICE}", port=1, addresses=many, properties=properties, server="liar.local."
        )
    )
    stations = stations_heard(ear, bool)
    assert len(stations) == 2
    assert all(len(station.name) <= 24 for station in stations)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_network_without_multicast_disturbs_nobody() -> None:
    nowhere = ["203.0.113.7"]
    call = MdnsAnnouncer(OURS, ("192.168.1.10:7373",), interfaces=nowhere)
    ear = MdnsBrowser(OURS, interfaces=nowhere)
    call.start()
    ear.start()
    ear.listen(wanted=True)
    assert ear.stations() == ()
    ear.stop()
    call.stop()
    # The library leaves the socket of a failed start to the collector, which complains.
    gc.collect()


@pytest.mark.slow
def test_a_terminal_that_knows_no_address_finds_its_station_by_what_it_calls(
    station: Station, tmp_path: Path, clean_up: CleanUp, started: Start
) -> None:
    fingerprint = fingerprint_of_pem(station.identity[1].read_text(), "station")
    calling(clean_up, fingerprint, f"127.0.0.1:{station.port}")
    ear = MdnsBrowser(fingerprint, interfaces=LOOPBACK)
    ear.start()
    clean_up(ear.stop)
    terminal = started(Terminal(tmp_path / "t", station, ways=(), dial=dial, hall=ear))
    terminal.wait_phase(LinkPhase.CONNECTED)


def resolved(host: str) -> list[str]:
    from zeroconf import AddressResolver  # type: ignore[attr-defined]  # public, but not in __all__

    asking = Zeroconf(interfaces=LOOPBACK, ip_version=IPVersion.V4Only)
    try:
        resolver = AddressResolver(f"{host}.")
        return resolver.parsed_addresses() if resolver.request(asking, PATIENCE_S * 1000) else []
    finally:
        asking.close()


def named(call: MdnsAnnouncer) -> str:
    end = time.monotonic() + PATIENCE_S
    while not call.host:
        assert time.monotonic() < end
        time.sleep(0.02)
    return call.host


@pytest.mark.nightly
@pytest.mark.slow
def test_browsers_find_a_station_by_name_and_two_that_want_one_are_told_apart(clean_up: CleanUp) -> None:
    name = f"saloon-{secrets.token_hex(3)}"
    for fingerprint, address, expected in ((OURS, "10.0.0.1:1", name), (OTHERS, "10.0.0.2:1", f"{name}-2")):
        call = MdnsAnnouncer(fingerprint, (address,), interfaces=LOOPBACK, host=name)
        call.start()
        clean_up(call.stop)
        assert named(call) == f"{expected}.local"
    assert resolved(f"{name}-2.local") == ["10.0.0.2"]


@pytest.mark.slow
def test_a_station_that_got_another_address_calls_that_one_out(ear: MdnsBrowser, clean_up: CleanUp) -> None:
    call = calling(clean_up, OURS, "127.0.0.1:7373")
    stations_heard(ear, bool)
    call.change_addresses(("192.168.7.7:7373",))
    stations_heard(ear, lambda stations: [one.address for one in stations] == ["192.168.7.7:7373"])
