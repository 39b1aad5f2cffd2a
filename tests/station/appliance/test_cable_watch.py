"""The station is a DHCP server only where there is no other."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.appliance.cable_watch import (
    ASKS_EVERY_MS,
    CLIENTS,
    FIRST_ASKED_MS,
    PATIENCE_MS,
    SERVERS,
    CableObservation,
    CableRole,
    CableWatch,
    DhcpOffer,
    datagram_to,
    dhcp_discover,
    dhcp_offer_server,
    packet_to_all,
    yields_to_other_server,
)

ALONE = CableObservation(has_carrier=True)
GIVEN = CableObservation(has_carrier=True, has_address=True)
OTHER = CableObservation(has_carrier=True, has_other=True)
OUT = CableObservation(has_carrier=False)
MAC = bytes.fromhex("b827eb010203")
COOKIE = b"\x63\x82\x53\x63"


def alone(watch: CableWatch, start_ms: int = 0) -> int:
    """Watch a bare switch until the station becomes the server, and return when."""
    watch.see(ALONE, start_ms)
    assert watch.see(ALONE, start_ms + PATIENCE_MS - 1) is CableRole.GUEST
    assert watch.see(ALONE, start_ms + PATIENCE_MS) is CableRole.HOST
    return start_ms + PATIENCE_MS


def offer(number: int, kind: int = 2, server: bytes = b"\xc0\xa8\x01\x01", *, operation: int = 2) -> bytes:
    head = struct.pack("!4BI", operation, 1, 6, 0, number).ljust(236, b"\0")
    return head + COOKIE + bytes((0, 53, 1, kind, 54, len(server))) + server + b"\xff"


def test_where_somebody_gives_addresses_the_station_is_a_guest_for_ever() -> None:
    watch = CableWatch()
    for now in range(0, 10 * PATIENCE_MS, 1_000):
        assert watch.see(GIVEN, now) is CableRole.GUEST
        assert not watch.should_ask(now)


def test_on_a_bare_switch_it_gives_them_after_a_while() -> None:
    alone(CableWatch())


def test_a_lease_that_is_lost_begins_the_wait_anew() -> None:
    watch = CableWatch()
    watch.see(ALONE, 0)
    watch.see(GIVEN, PATIENCE_MS - 1)
    assert watch.see(ALONE, PATIENCE_MS) is CableRole.GUEST
    assert watch.see(ALONE, 2 * PATIENCE_MS) is CableRole.HOST


def test_it_goes_on_asking_and_gives_way_to_whoever_answers() -> None:
    watch = CableWatch()
    now = alone(watch)
    assert not watch.should_ask(now + FIRST_ASKED_MS - 1)
    now += FIRST_ASKED_MS
    assert watch.should_ask(now)
    assert not watch.should_ask(now + ASKS_EVERY_MS - 1)
    now += ASKS_EVERY_MS
    assert watch.should_ask(now)
    assert not watch.should_ask(now)
    assert watch.see(OTHER, now) is CableRole.GUEST
    assert not watch.should_ask(now + PATIENCE_MS - 1)
    assert watch.see(ALONE, now + PATIENCE_MS - 1) is CableRole.GUEST
    assert watch.should_ask(now + PATIENCE_MS)
    assert watch.see(ALONE, now + PATIENCE_MS) is CableRole.HOST


def test_a_guest_asks_before_it_gives_addresses_and_stays_one_while_somebody_answers() -> None:
    watch = CableWatch()
    watch.see(ALONE, 0)
    assert not watch.should_ask(PATIENCE_MS - 1)
    for turn in range(1, 6):
        assert watch.should_ask(turn * PATIENCE_MS)
        assert watch.see(OTHER, turn * PATIENCE_MS) is CableRole.GUEST
        assert not watch.should_ask(turn * PATIENCE_MS + 1)
    assert watch.see(GIVEN, 6 * PATIENCE_MS) is CableRole.GUEST
    assert not watch.should_ask(7 * PATIENCE_MS)


def test_another_cable_may_be_another_network() -> None:
    watch = CableWatch()
    now = alone(watch)
    assert watch.see(OUT, now + 1) is CableRole.GUEST
    alone(watch, now + 2)


def test_a_question_is_one_to_all_with_a_number_of_its_own() -> None:
    packet = dhcp_discover(MAC, 0x01020304)
    assert packet[:8] == bytes((1, 1, 6, 0, 1, 2, 3, 4))
    assert packet[28:34] == MAC
    assert packet[236:] == COOKIE + b"\x35\x01\x01\xff"


def test_only_an_offer_to_this_question_is_an_answer() -> None:
    assert dhcp_offer_server(offer(7), 7) == b"\xc0\xa8\x01\x01"
    assert dhcp_offer_server(offer(8), 7) is None
    assert dhcp_offer_server(offer(7, kind=5), 7) is None
    assert dhcp_offer_server(offer(7, server=b"\x01"), 7) is None
    assert dhcp_offer_server(offer(7, operation=1), 7) is None
    assert dhcp_offer_server(dhcp_discover(MAC, 7), 7) is None


SERVER = bytes((10, 73, 0, 1))
LOW, HIGH = DhcpOffer(SERVER, b"\x02" * 6), DhcpOffer(SERVER, b"\x04" * 6)
ROUTER = DhcpOffer(b"\xc0\xa8\x01\x01", b"\x06" * 6)


def test_the_station_does_not_give_way_to_its_own_answer_but_to_a_router() -> None:
    for role in CableRole:
        assert not yields_to_other_server((), role, LOW)
        assert not yields_to_other_server((LOW,), role, LOW)
        assert yields_to_other_server((LOW, ROUTER), role, LOW)


def test_of_two_stations_on_one_switch_exactly_one_goes_on_and_a_guest_gives_way_to_both() -> None:
    answers = (HIGH, LOW, HIGH)
    assert not yields_to_other_server(answers, CableRole.HOST, LOW)
    assert yields_to_other_server(answers, CableRole.HOST, HIGH)
    assert yields_to_other_server(answers, CableRole.GUEST, LOW)
    assert yields_to_other_server(answers, CableRole.GUEST, HIGH)


@pytest.mark.slow
@given(st.lists(st.integers(0, 70_000), min_size=2, max_size=4, unique=True), st.data())
def test_of_stations_on_one_switch_one_gives_addresses(starts: list[int], data: st.DataObject) -> None:
    """Each station looks every two seconds from its own start; a client may or may not have an address."""
    watches = [CableWatch() for _ in starts]
    hosts: list[int] = []
    for now in range(0, 400_000, 500):
        for number, (start, watch) in enumerate(zip(starts, watches, strict=True)):
            if now < start or (now - start) // 500 % 4:
                continue
            hosts = [n for n, each in enumerate(watches) if each.role is CableRole.HOST]
            offers = [DhcpOffer(SERVER, bytes((n,)) * 6) for n in hosts]
            own = DhcpOffer(SERVER, bytes((number,)) * 6)
            has_other = watch.should_ask(now) and yields_to_other_server(offers, watch.role, own)
            others = [n for n in hosts if n != number]
            has_address = watch.role is CableRole.GUEST and bool(others) and data.draw(st.booleans())
            watch.see(CableObservation(has_carrier=True, has_address=has_address, has_other=has_other), now)
    hosts = [n for n, each in enumerate(watches) if each.role is CableRole.HOST]
    assert len(hosts) == 1


def test_what_a_packet_carries_for_a_port_is_found_whatever_options_its_head_has() -> None:
    for options in (b"", bytes(8)):
        head = bytes((0x45 + len(options) // 4,)) + bytes(8) + b"\x11" + bytes(10) + options
        assert (
            datagram_to(CLIENTS, head + struct.pack("!HHHH", 67, 68, 12, 0) + b"what and padding") == b"what"
        )
        assert datagram_to(CLIENTS, head + struct.pack("!HHHH", 67, 69, 12, 0) + b"what") == b""
    assert datagram_to(CLIENTS, bytes((0x45,)) + bytes(40)) == b""


def test_a_question_to_all_comes_from_no_address_and_is_read_as_it_was_sent() -> None:
    packet = packet_to_all(dhcp_discover(MAC, 7))
    assert packet[12:20] == bytes(4) + b"\xff" * 4
    assert sum(struct.unpack("!10H", packet[:20])) % 0xFFFF == 0
    assert struct.unpack("!H", packet[2:4]) == (len(packet),)
    assert datagram_to(SERVERS, packet) == dhcp_discover(MAC, 7)


@given(st.binary(max_size=80))
def test_no_packet_of_strangers_breaks_it(packet: bytes) -> None:
    datagram_to(CLIENTS, packet)
    datagram_to(CLIENTS, b"\x45" + bytes(8) + b"\x11" + packet)


@given(st.binary(max_size=600), st.integers(0, 600))
def test_no_message_of_strangers_breaks_it(junk: bytes, cut: int) -> None:
    assert dhcp_offer_server(junk, 7) is None
    dhcp_offer_server(offer(7)[:240] + junk, 7)
    dhcp_offer_server(offer(7)[:cut], 7)
