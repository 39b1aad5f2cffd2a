from pathlib import Path

import pytest

from saloon.core.errors import BadData, Unavailable
from saloon.core.terms import TableNo
from saloon.sync.provisioning import (
    Provisioning,
    StationPart,
    TerminalPart,
    host_and_port,
    provisioning_of,
    provisioning_text,
    read_provisioning,
    text_of,
)
from saloon.sync.trust import minted

CERTIFICATE = minted("station")[1]


def test_what_the_station_writes_the_terminal_reads() -> None:
    station = StationPart(CERTIFICATE.strip() + "\n", ("192.168.1.10:7373", "[fe80::1]:7373"))
    text = provisioning_text(station, TableNo(12), "once", "/dev/ttyUSB0")
    assert provisioning_of(text, "file") == Provisioning(station, TerminalPart("once", 12, "/dev/ttyUSB0"))
    text = provisioning_text(station, None, "once")
    assert provisioning_of(text, "file") == Provisioning(station, TerminalPart("once"))


def test_a_cable_may_be_a_shared_pair_of_wires() -> None:
    text = provisioning_text(StationPart(CERTIFICATE.strip() + "\n"), None, "once", "/dev/ttyUSB0")
    found = provisioning_of(text + "bus = true\nrts = true\n", "file").terminal
    assert (found.serial, found.bus, found.rts) == ("/dev/ttyUSB0", True, True)


def test_what_a_terminal_took_over_says_the_same_when_it_is_kept() -> None:
    terminal = TerminalPart(
        "once", 4, "/dev/ttyAMA0", bus=True, rts=True, taken_from="0" * 64, panel="pi-4-rs485"
    )
    whole = Provisioning(StationPart(CERTIFICATE.strip() + "\n"), terminal)
    assert provisioning_of(text_of(whole), "file") == whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[station\n", "not TOML: .*line 1"),
        ("", "missing required field `station`"),
        ("[station]\n", "missing required field `certificate`.*station"),
        ("[station]\ncertificate = 3\n", r"Expected `str`, got `int`.*\$\.station\.certificate"),
        ("[station]\ncertificate = 'x'\ncolour = 1\n", "unknown field `colour`.*station"),
        ("[station]\ncertificate = 'x'\n[terminal]\ntable = 0\n", r">= 1.*\$\.terminal\.table"),
        (
            "[station]\ncertificate = 'x'\naddresses = ['here']\n",
            "'here' is no address; write it as host",
        ),
        ("[station]\ncertificate = 'x'\naddresses = ['here:0']\n", "'here:0' is no address"),
        ("[station]\ncertificate = 'x'\naddresses = ['here:65536']\n", "is no address"),
        ("[station]\ncertificate = 'x'\naddresses = [':7373']\n", "is no address"),
    ],
)
def test_a_wrong_file_is_named_with_the_line_or_key(text: str, said: str) -> None:
    with pytest.raises(BadData, match=f"^saloon.toml: .*{said}"):
        provisioning_of(text, "saloon.toml")


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"there\.toml: No such file"):
        read_provisioning(tmp_path / "there.toml")
    (tmp_path / "here.toml").write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadData, match=r"here\.toml: this is no UTF-8 text"):
        read_provisioning(tmp_path / "here.toml")


def test_addresses_are_taken_apart() -> None:
    assert host_and_port("hall.local:7373", "x") == ("hall.local", 7373)
    assert host_and_port("[::1]:1", "x") == ("::1", 1)


@pytest.mark.parametrize("port", ["²", "٣"])
def test_only_plain_digits_are_a_port(port: str) -> None:
    with pytest.raises(BadData, match="is no address"):
        host_and_port(f"here:{port}", "x")
