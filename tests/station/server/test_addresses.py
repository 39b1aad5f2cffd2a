"""The address of the pages that players' phones are given."""

import pytest

from saloon.station.server.addresses import Address, pages_for_phones

HALL = ("10.0.0.7:7373", "192.168.1.7:7373", "127.0.0.1:7373")


@pytest.mark.parametrize(
    ("scheme", "http", "found", "pages"),
    [
        ("https", Address("0.0.0.0", 8443), HALL, "https://10.0.0.7:8443"),
        ("https", Address("::", 443), HALL, "https://10.0.0.7"),
        ("http", Address("0.0.0.0", 80), HALL, "http://10.0.0.7"),
        ("http", Address("0.0.0.0", 443), HALL, "http://10.0.0.7:443"),
        ("https", Address("192.168.1.7", 8443), HALL, "https://192.168.1.7:8443"),
        ("https", Address("2001:db8::7", 8443), HALL, "https://[2001:db8::7]:8443"),
        ("https", Address("0.0.0.0", 8443), ("127.0.0.1:7373",), ""),
        ("http", Address("127.0.0.1", 8080), HALL, ""),
        ("http", Address("localhost", 8080), HALL, ""),
        ("http", Address("::1", 8080), HALL, ""),
    ],
)
def test_phones_are_sent_to_an_address_that_they_can_reach(
    scheme: str, http: Address, found: tuple[str, ...], pages: str
) -> None:
    assert pages_for_phones(scheme, http, lambda: found)() == pages


def test_the_address_follows_the_computer_to_another_network() -> None:
    here = ["10.0.0.7:7373"]
    find = pages_for_phones("https", Address("0.0.0.0", 8443), lambda: here)
    here[0] = "172.16.0.9:7373"
    assert find() == "https://172.16.0.9:8443"
