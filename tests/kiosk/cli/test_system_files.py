import re

from hypothesis import given
from hypothesis import strategies as st

from kiosk.cli.boot_file import HOSTNAME, SSH, WIFI, host_name, system_files, wifi_text
from sync.enrolment.provisioning import Provisioning, ServicePart, StationPart, TerminalPart, WifiPart
from sync.enrolment.provisioning_keys import is_wifi_name, is_wifi_password

STATION = StationPart("certificate")
NAMES = st.text(min_size=1, max_size=32).filter(is_wifi_name)
PASSWORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63)


def read_as_wpa_supplicant(text: str) -> dict[str, str]:
    """Parse names and values like wpa_supplicant, for which a comment begins after a line's last quote."""
    values: dict[str, str] = {}
    for line in text.split("\n"):
        last_quote = line.rfind('"') if line.count('"') > 1 else 0
        remark = line.find("#", last_quote)
        plain = (line if remark < 0 else line[:remark]).strip(" \t\r")
        if "=" in plain and not plain.startswith("#"):
            name, value = plain.split("=", 1)
            assert name not in values
            values[name] = value
    return values


@given(NAMES, PASSWORDS, st.booleans())
def test_any_name_and_any_password_mean_themselves(name: str, password: str, hidden: bool) -> None:  # noqa: FBT001
    assert is_wifi_password(password)
    text = wifi_text(WifiPart(name, password, "IT", hidden))
    read = read_as_wpa_supplicant(text)
    assert bytes.fromhex(read["ssid"]).decode() == name
    quoted = re.fullmatch(r'"(.*)"', read["psk"])
    assert quoted is not None
    assert quoted[1] == password
    assert read["country"] == "IT"
    assert ("scan_ssid" in read) == hidden
    assert text.count("\n") == 8 + hidden
    assert set(read) <= {
        "ctrl_interface",
        "country",
        "network",
        "ssid",
        "scan_ssid",
        "key_mgmt",
        "psk",
        "ieee80211w",
    }


def test_an_open_network_has_no_password() -> None:
    assert wifi_text(WifiPart("Hall")) == (
        "ctrl_interface=/run/wpa_supplicant\nnetwork={\n    ssid=48616c6c\n    key_mgmt=NONE\n}\n"
    )


def test_the_board_is_called_after_its_table() -> None:
    assert [host_name(table) for table in (None, 3, 12, 999)] == [
        "saloon-table", "saloon-table-03", "saloon-table-12", "saloon-table-999",
    ]  # fmt: skip
    terminal = TerminalPart(table=4)
    assert system_files(Provisioning(STATION, terminal)) == {
        HOSTNAME: b"saloon-table-04\n",
        WIFI: None,
        SSH: None,
    }


def test_who_may_come_by_ssh_stands_in_one_line() -> None:
    files = system_files(Provisioning(STATION, service=ServicePart("ssh-ed25519 AAAA engineer")))
    assert files[SSH] == b"ssh-ed25519 AAAA engineer\n"
