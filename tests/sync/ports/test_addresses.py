"""Addresses of stations, and the names of the routes to them."""

import pytest

from base.errors import BadData
from sync.ports.addresses import address_of, is_address, route_name, stream_to


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
