"""Generate the network configuration files for systemd-networkd and the access point.

There are two private networks: 10.73.0.0/24 on the cable and 10.73.1.0/24 on Wi-Fi, unless the card's file
sets another. Neither announces a route: a phone keeps its own connection to the internet.
"""

import ipaddress
from collections.abc import Mapping
from typing import Final

from station.appliance.card import Cable, CardWifi, NetworkPart

AIR: Final = ipaddress.IPv4Interface("10.73.1.1/24")
_AIR_INSTEAD: Final = ipaddress.IPv4Interface("10.74.1.1/24")
_FIRST: Final = 10
"""The first address of the DHCP pool; lower ones are free for manual configuration."""
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


def wifi_address(network: NetworkPart) -> ipaddress.IPv4Interface:
    """Return the station's Wi-Fi address, in a network that does not overlap the cable's."""
    return _AIR_INSTEAD if ipaddress.IPv4Interface(network.address).network.overlaps(AIR.network) else AIR


def network_files(network: NetworkPart) -> Mapping[str, str]:
    """Return the content of systemd-networkd's files, by name."""
    wired = host_text("Type=ether", network.address) if network.cable is Cable.OWN else _GUEST
    return {
        "30-saloon-cable.network": wired,
        "30-saloon-air.network": host_text("Type=wlan", str(wifi_address(network))),
    }


def host_file(interface: str) -> str:
    """Return the name of the file that makes the station a DHCP server on one cable."""
    return f"20-saloon-host-{interface}.network"


def host_text(match: str, address: str) -> str:
    """Return a network file with a DHCP server.

    match: the interface.
    address: its own, with prefix.
    """
    own = ipaddress.IPv4Interface(address)
    room = own.network.num_addresses - 2
    first = min(_FIRST, room)
    return _HOST.format(match=match, address=own, first=first, size=min(200, room - first + 1))


def access_point_text(wifi: CardWifi) -> str:
    """Return wpa_supplicant's configuration for an access point. name and password must be set.

    The name is written in hexadecimal digits, so that none of its characters is special. A password is
    printable ASCII, as WPA requires, and ends at the last quote of its line.
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
