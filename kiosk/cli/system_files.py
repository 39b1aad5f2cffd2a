"""The system's configuration files made from a provisioning file. Pure.

The image's units read them in ``/data/system``: the name of the board, the Wi-Fi (wpa_supplicant.conf(5))
and who may come by ssh (authorized_keys of OpenSSH).
"""

from collections.abc import Mapping
from typing import Final

from saloon.core.terms import TableNo
from saloon.sync.enrolment.provisioning import Provisioning, WifiPart

HOSTNAME: Final = "hostname"
WIFI: Final = "wifi.conf"
SSH: Final = "authorized_keys"


def system_files(given: Provisioning) -> Mapping[str, bytes | None]:
    """Return the content of each file; None for one that must not exist: the last file decides."""
    key = given.service.ssh_key
    return {
        HOSTNAME: f"{host_name(given.terminal.table)}\n".encode(),
        WIFI: None if given.wifi is None else wifi_text(given.wifi).encode(),
        SSH: f"{key}\n".encode() if key else None,
    }


def host_name(table: int | TableNo | None) -> str:
    """Return the board's name in the network."""
    return "saloon-table" if table is None else f"saloon-table-{table:02}"


def wifi_text(wifi: WifiPart) -> str:
    """Return the configuration of wpa_supplicant for one network.

    The name is written in hexadecimal digits, so that no sign of it means anything. A password is printable
    ASCII, as WPA has it, and ends at the last quote of its line: quotes in it are plain characters there.
    """
    lock = (
        ("key_mgmt=NONE",)
        if not wifi.password
        # WPA2 and WPA3, whichever the radio and the hall have.
        else ("key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE", f'psk="{wifi.password}"', "ieee80211w=1")
    )
    lines = (
        "ctrl_interface=/run/wpa_supplicant",
        *((f"country={wifi.country}",) if wifi.country else ()),
        "network={",
        f"    ssid={wifi.name.encode().hex()}",
        *(("    scan_ssid=1",) if wifi.hidden else ()),
        *(f"    {line}" for line in lock),
        "}",
    )
    return "\n".join(lines) + "\n"
