"""The hall's network as files of the system: systemd-networkd's and the access point's. Pure.

Two networks of one's own: 10.73.0.0/24 on the cable and 10.73.1.0/24 by air, unless the card's file says
otherwise. Nobody gets a way to elsewhere by them: a phone keeps its own way to the internet.
"""

import ipaddress
from collections.abc import Mapping
from typing import Final

from saloon.station.appliance.card import Cable, NetworkPart, WifiPart

AIR: Final = ipaddress.IPv4Interface("10.73.1.1/24")
_AIR_INSTEAD: Final = ipaddress.IPv4Interface("10.74.1.1/24")
_FIRST: Final = 10
"""Addresses before it are for whoever sets them by hand."""
_5_GHZ: Final = 36
_GUEST: Final = """\
[Match]
Type=ether

[Network]
DHCP=ipv4
LinkLocalAddressing=ipv4
LLDP=no

[DHCPv4]
ClientIdentifier=mac
UseHostname=no
# The clock of the hall: a network's own time server is asked before those of the world.
UseNTP=yes

[Link]
RequiredForOnline=no
"""
_HOST: Final = """\
[Match]
{match}

[Network]
Address={address}
ConfigureWithoutCarrier=yes
LinkLocalAddressing=no
DHCPServer=yes
LLDP=no

[DHCPServer]
PoolOffset={first}
PoolSize={size}
DefaultLeaseTimeSec=12h
MaxLeaseTimeSec=24h
# No way to elsewhere: whoever joins keeps the way that it has.
EmitRouter=no
EmitDNS=no
EmitNTP=no
EmitTimezone=no

[Link]
RequiredForOnline=no
"""


def air_of(network: NetworkPart) -> ipaddress.IPv4Interface:
    """The station's address by air: another network than that of the cable."""
    return _AIR_INSTEAD if ipaddress.IPv4Interface(network.address).network.overlaps(AIR.network) else AIR


def network_files(network: NetworkPart) -> Mapping[str, str]:
    """systemd-networkd's files, by name."""
    wired = host_text("Type=ether", network.address) if network.cable is Cable.OWN else _GUEST
    return {
        "30-saloon-cable.network": wired,
        "30-saloon-air.network": host_text("Type=wlan", str(air_of(network))),
    }


def host_file(interface: str) -> str:
    """The name of the file that makes one cable's station the one who gives addresses."""
    return f"20-saloon-host-{interface}.network"


def host_text(match: str, address: str) -> str:
    """A network whose addresses the station gives. match: which interface. address: its own, with length."""
    own = ipaddress.IPv4Interface(address)
    room = own.network.num_addresses - 2
    first = min(_FIRST, room)
    return _HOST.format(match=match, address=own, first=first, size=min(200, room - first + 1))


def access_point_text(wifi: WifiPart) -> str:
    """The configuration of wpa_supplicant for an access point. name and password must be there.

    The name is written in hexadecimal digits, so that no sign of it means anything. A password is printable
    ASCII, as WPA has it, and ends at the last quote of its line.
    """
    frequency = 5000 + 5 * wifi.channel if wifi.channel >= _5_GHZ else 2407 + 5 * wifi.channel
    lock = ("key_mgmt=WPA-PSK SAE", "ieee80211w=1") if wifi.wpa3 else ("key_mgmt=WPA-PSK",)
    lines = (
        "ctrl_interface=/run/wpa_supplicant",
        "ap_scan=2",
        *((f"country={wifi.country}",) if wifi.country else ()),
        "network={",
        f"    ssid={wifi.name.encode().hex()}",
        "    mode=2",
        f"    frequency={frequency}",
        "    proto=RSN",
        "    pairwise=CCMP",
        "    group=CCMP",
        *(f"    {line}" for line in lock),
        f'    psk="{wifi.password}"',
        "}",
    )
    return "\n".join(lines) + "\n"
