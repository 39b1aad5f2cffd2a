"""The address of the pages that players' phones are given."""

from pathlib import Path

import pytest

from station.server.addresses import Address, order_hosts, pages_for_phones

HALL = ("10.0.0.7:7373", "192.168.1.7:7373", "127.0.0.1:7373")


@pytest.mark.parametrize(
    ("scheme", "http", "addresses", "pages"),
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
    scheme: str, http: Address, addresses: tuple[str, ...], pages: str
) -> None:
    assert pages_for_phones(scheme, http, lambda: addresses)() == pages


def test_the_address_follows_the_computer_to_another_network() -> None:
    here = ["10.0.0.7:7373"]
    find = pages_for_phones("https", Address("0.0.0.0", 8443), lambda: here)
    here[0] = "172.16.0.9:7373"
    assert find() == "https://172.16.0.9:8443"


LO, DOCKER, CABLE, WIFI, TUNNEL = (
    ("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("eth0", "10.0.0.5"), ("wlan0", "192.168.1.20"),
    ("tun0", "10.8.0.2"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("interfaces", "routed", "hosts"),
    [
        ((LO, DOCKER, WIFI), "192.168.1.20", ("192.168.1.20",)),
        ((LO, DOCKER, WIFI), None, ("192.168.1.20",)),
        ((LO, DOCKER, CABLE, WIFI), "192.168.1.20", ("192.168.1.20", "10.0.0.5")),
        ((LO, DOCKER, CABLE, WIFI), None, ("10.0.0.5", "192.168.1.20")),
        ((LO, WIFI, TUNNEL), "10.8.0.2", ("192.168.1.20", "10.8.0.2")),
        ((LO, DOCKER), "172.17.0.1", ("172.17.0.1",)),
        ((LO, DOCKER, TUNNEL), None, ("172.17.0.1", "10.8.0.2")),
        ((LO,), None, ()),
    ],
)
def test_real_interfaces_come_first_and_bridges_only_where_nothing_else_is(
    tmp_path: Path, interfaces: tuple[tuple[str, str], ...], routed: str | None, hosts: tuple[str, ...]
) -> None:
    for name in ("lo", "docker0", "tun0"):
        (tmp_path / name).mkdir()
    for name in ("eth0", "wlan0"):
        (tmp_path / name / "device").mkdir(parents=True)
    assert order_hosts(interfaces, routed, tmp_path) == hosts
