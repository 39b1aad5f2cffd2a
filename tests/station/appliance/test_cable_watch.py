"""Addresses are given only where nobody else gives them."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from saloon.station.appliance.cable_watch import (
    ASKS_EVERY_MS,
    PATIENCE_MS,
    CableWatch,
    Role,
    Seen,
    answered_by,
    is_other_host,
    question,
)

ALONE = Seen(has_carrier=True)
GIVEN = Seen(has_carrier=True, has_address=True)
OTHER = Seen(has_carrier=True, has_other=True)
OUT = Seen(has_carrier=False)
MAC = bytes.fromhex("b827eb010203")
COOKIE = b"\x63\x82\x53\x63"


def alone(watch: CableWatch, start_ms: int = 0) -> int:
    """A bare switch until the station gives addresses; when that is."""
    watch.see(ALONE, start_ms)
    assert watch.see(ALONE, start_ms + PATIENCE_MS - 1) is Role.GUEST
    assert watch.see(ALONE, start_ms + PATIENCE_MS) is Role.HOST
    return start_ms + PATIENCE_MS


def offer(number: int, kind: int = 2, server: bytes = b"\xc0\xa8\x01\x01", *, operation: int = 2) -> bytes:
    head = struct.pack("!4BI", operation, 1, 6, 0, number).ljust(236, b"\0")
    return head + COOKIE + bytes((0, 53, 1, kind, 54, len(server))) + server + b"\xff"


def test_where_somebody_gives_addresses_the_station_is_a_guest_for_ever() -> None:
    watch = CableWatch()
    for now in range(0, 10 * PATIENCE_MS, 1_000):
        assert watch.see(GIVEN, now) is Role.GUEST
        assert not watch.should_ask(now)


def test_on_a_bare_switch_it_gives_them_after_a_while() -> None:
    alone(CableWatch())


def test_a_lease_that_is_lost_begins_the_wait_anew() -> None:
    watch = CableWatch()
    watch.see(ALONE, 0)
    watch.see(GIVEN, PATIENCE_MS - 1)
    assert watch.see(ALONE, PATIENCE_MS) is Role.GUEST
    assert watch.see(ALONE, 2 * PATIENCE_MS) is Role.HOST


def test_it_goes_on_asking_and_gives_way_to_whoever_answers() -> None:
    watch = CableWatch()
    now = alone(watch)
    assert not watch.should_ask(now + ASKS_EVERY_MS - 1)
    assert watch.should_ask(now + ASKS_EVERY_MS)
    assert not watch.should_ask(now + ASKS_EVERY_MS)
    assert watch.see(OTHER, now + ASKS_EVERY_MS) is Role.GUEST
    assert watch.see(ALONE, now + ASKS_EVERY_MS + PATIENCE_MS - 1) is Role.GUEST
    assert watch.see(ALONE, now + ASKS_EVERY_MS + PATIENCE_MS) is Role.HOST


def test_another_cable_may_be_another_network() -> None:
    watch = CableWatch()
    now = alone(watch)
    assert watch.see(OUT, now + 1) is Role.GUEST
    alone(watch, now + 2)


def test_a_question_is_one_to_all_with_a_number_of_its_own() -> None:
    asked = question(MAC, 0x01020304)
    assert asked[:8] == bytes((1, 1, 6, 0, 1, 2, 3, 4))
    assert asked[28:34] == MAC
    assert asked[236:] == COOKIE + b"\x35\x01\x01\xff"


def test_only_an_offer_to_this_question_is_an_answer() -> None:
    assert answered_by(offer(7), 7) == b"\xc0\xa8\x01\x01"
    assert answered_by(offer(8), 7) is None
    assert answered_by(offer(7, kind=5), 7) is None
    assert answered_by(offer(7, server=b"\x01"), 7) is None
    assert answered_by(offer(7, operation=1), 7) is None
    assert answered_by(question(MAC, 7), 7) is None


def test_the_station_does_not_give_way_to_its_own_answer() -> None:
    own = bytes((10, 73, 0, 1))
    assert not is_other_host(offer(7, server=own), 7, own)
    assert is_other_host(offer(7), 7, own)
    assert not is_other_host(offer(8), 7, own)
    assert not is_other_host(b"", 7, own)


@given(st.binary(max_size=600), st.integers(0, 600))
def test_no_message_of_strangers_breaks_it(junk: bytes, cut: int) -> None:
    assert answered_by(junk, 7) is None
    answered_by(offer(7)[:240] + junk, 7)
    answered_by(offer(7)[:cut], 7)
