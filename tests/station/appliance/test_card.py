"""The card's file of a station: its keys, and the messages about its errors."""

import contextlib
import ipaddress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.appliance import card as module
from station.appliance.card import Cable, Card, CardWifi, NetworkPart, card_from
from station.appliance.network import access_point_text, host_text, network_files, wifi_address
from station.appliance.preparing import (
    StoredSettings,
    arguments_of,
    hall_of,
    problem_of,
    settings_to_store,
)
from sync.enrolment.provisioning_keys import Fault, WrongFile

WHOLE = """\
[hall]
name = "Sala Rossa"
language = "it"
time_zone = "Europe/Rome"
[judge]
name = "ada"
password = "tumbleweed in the wind"
[network]
cable = "own"
address = "10.1.2.1/24"
[wifi]
name = "Saloon"
password = "cactus river"
country = "IT"
channel = 40
wpa3 = true
[copies]
every_min = 5
[cables]
serial = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
bus = ["/dev/ttyUSB2"]
"""


def test_a_whole_file_is_read() -> None:
    card = card_from(WHOLE.encode())
    assert card.judge is not None
    assert (card.hall.name, card.judge.name, card.network.cable) == ("Sala Rossa", "ada", Cable.OWN)
    assert card.cables.bus == ("/dev/ttyUSB2",)


def test_everything_may_be_left_out() -> None:
    assert card_from(b"") == Card()
    assert card_from("\ufeff# nothing\r\n".encode()) == Card()


def test_the_example_in_the_module_is_a_right_file() -> None:
    assert module.__doc__ is not None
    example = "\n".join(line.strip() for line in module.__doc__.split("::", 1)[1].splitlines())
    with pytest.raises(WrongFile) as caught:
        card_from(example.encode())
    assert caught.value.key == "password", "only its dots are too short"
    keyless = example.replace('"…"', '"cactus river"').replace('ssh_key = "ssh-ed25519 AAAA… name"', "")
    assert card_from(keyless.encode()).wifi.channel == 6


@pytest.mark.parametrize(
    ("line", "fault", "place"),
    [
        ('[wifi]\npassword = "short"', Fault.WIFI_PASSWORD, (2, "wifi", "password")),
        ("[wifi]\n# at home\nchannel = 14", Fault.CHANNEL, (3, "wifi", "channel")),
        ("[wifi]\nchannel = 36", Fault.CHANNEL, (2, "wifi", "channel")),
        ("[wifi]\nchannel = true", Fault.CHANNEL, (2, "wifi", "channel")),
        ('[wifi]\nnam = "x"', Fault.NO_KEY_BUT, (2, "wifi", "nam")),
        ('[judge]\nname = "ada"', Fault.MISSING, (1, "judge", "password")),
        ('[judge]\npassword = "12345678"', Fault.MISSING, (1, "judge", "name")),
        ('[judge]\nname = "ada"\npassword = "short"', Fault.PASSWORD, (3, "judge", "password")),
        ('[hall]\nlanguage = "tlh"', Fault.ONE_OF, (2, "hall", "language")),
        ('[hall]\ntime_zone = "../../etc/shadow"', Fault.ZONE, (2, "hall", "time_zone")),
        ('[hall]\nname = ""', Fault.TEXT, (2, "hall", "name")),
        ('[network]\naddress = "8.8.8.8/24"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\naddress = "10.0.0.0/24"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\naddress = "10.0.0.1"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\ncable = "switch"', Fault.ONE_OF, (2, "network", "cable")),
        ('[cables]\nserial = ["/etc/passwd"]', Fault.DEVICES, (2, "cables", "serial")),
        ('[cables]\nbus = "/dev/ttyUSB0"', Fault.DEVICES, (2, "cables", "bus")),
        ("[copies]\nevery_min = 0", Fault.NUMBER, (2, "copies", "every_min")),
        ('[halls]\nname = "x"', Fault.NO_SECTION_BUT, (1, "", "halls")),
        ("[hall]\nname = “Sala”", Fault.CURLY, (2, "", "")),
    ],
)
def test_a_fault_is_told_with_line_and_key(line: str, fault: Fault, place: tuple[int, str, str]) -> None:
    with pytest.raises(WrongFile) as caught:
        card_from(line.encode())
    wrong = caught.value
    assert (wrong.fault, wrong.place.number, wrong.section, wrong.key) == (fault, *place)
    problem = problem_of(wrong)
    assert problem.problem.format(**problem.fields)
    assert "short" not in problem.text


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_a_card_or_a_wrong_file(content: bytes) -> None:
    with contextlib.suppress(WrongFile):
        assert isinstance(card_from(content), Card)


def test_what_the_file_leaves_out_is_made_up_once() -> None:
    first = settings_to_store(Card(), StoredSettings(), lambda count: bytes(range(count)))
    assert first.wifi.name.startswith("Saloon-")
    assert len(first.wifi.password) == 10
    again = settings_to_store(card_from(b'[hall]\nname = "Sala Rossa"'), first, lambda count: b"\xff" * count)
    assert again.wifi == first.wifi
    assert again.hall.name == "Sala Rossa"
    assert settings_to_store(card_from(WHOLE.encode()), again, bytes).wifi.name == "Saloon"


def test_the_own_screen_is_told_of_the_access_point_that_is_wanted() -> None:
    kept = settings_to_store(card_from(WHOLE.encode()), StoredSettings(), bytes)
    hall = hall_of(kept, None)
    assert hall.wifi is not None
    assert (hall.wifi.name, hall.wifi.password, hall.wifi.address) == ("Saloon", "cactus river", "10.73.1.1")
    assert (hall.language, hall.copy_every_min) == ("it", 5)
    off = msgspec.structs.replace(kept, wifi=msgspec.structs.replace(kept.wifi, access_point=False))
    assert hall_of(off, None).wifi is None


def test_an_own_network_gives_addresses_and_no_way_to_elsewhere() -> None:
    files = network_files(NetworkPart(Cable.OWN, "192.168.7.1/28"))
    wired = files["30-saloon-cable.network"]
    assert "Address=192.168.7.1/28\n" in wired
    assert "PoolOffset=10\nPoolSize=5\n" in wired
    assert "DHCPServer=yes" in wired
    for no in ("EmitRouter=no", "EmitDNS=no"):
        assert no in wired
    guest = network_files(NetworkPart())["30-saloon-cable.network"]
    assert "DHCP=ipv4" in guest
    assert "DHCPServer" not in guest


@given(st.integers(8, 30), st.integers(1, 2**22 - 2))
def test_the_pool_is_inside_its_network(length: int, host: int) -> None:
    network = ipaddress.IPv4Network(("10.0.0.0", length))
    address = network.network_address + (host % (network.num_addresses - 2) + 1)
    said = host_text("Type=ether", f"{address}/{length}")
    numbers = dict(line.split("=") for line in said.splitlines() if line.startswith("Pool"))
    first, size = int(numbers["PoolOffset"]), int(numbers["PoolSize"])
    assert size >= 1
    assert first >= 1
    assert first + size - 1 <= network.num_addresses - 2


def test_by_air_there_is_another_network_than_by_cable() -> None:
    assert str(wifi_address(NetworkPart())) == "10.73.1.1/24"
    assert str(wifi_address(NetworkPart(address="10.73.0.1/16"))) == "10.74.1.1/24"


def test_an_access_point_as_wpa_supplicant_reads_it() -> None:
    said = access_point_text(
        CardWifi(name='Sala "1"', password='say "yes"', country="IT", channel=40, wpa3=True)
    )
    assert "ssid=53616c6120223122\n" in said
    for part in ("mode=2", "frequency=5200", "country=IT", 'psk="say "yes""', "SAE", "proto=RSN"):
        assert part in said
    plain = access_point_text(CardWifi(name="x", password="12345678", channel=6))
    assert "frequency=2437" in plain
    assert "country" not in plain
    assert "SAE" not in plain


def test_cables_are_options_of_serve() -> None:
    cables = card_from(WHOLE.encode()).cables
    assert arguments_of(cables) == (
        "SALOON_CABLES=--serial /dev/ttyUSB0 --serial /dev/ttyUSB1 --bus /dev/ttyUSB2\n"
    )
