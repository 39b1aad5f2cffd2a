"""Configure an appliance's networks: files for systemd-networkd and the access point, and a DHCP server.

Runs as root. The station is a DHCP server on each cable that has none. There are two private networks:
10.73.0.0/24 on the cable and 10.73.1.0/24 on Wi-Fi, unless the card's file sets another. Neither announces a
route, so a phone keeps its own connection to the internet.
"""

import contextlib
import ipaddress
import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import structlog

from base.system import packet_socket
from base.whole_file import write_in_memory
from station.appliance.cable_watch import (
    CLIENTS,
    CableObservation,
    CableRole,
    CableWatch,
    DhcpOffer,
    datagram_to,
    dhcp_discover,
    dhcp_offer_server,
    packet_to_all,
    yields_to_other_server,
)
from station.appliance.card import Cable, CardWifi, NetworkPart

_log = structlog.get_logger()
_LOOKS_EVERY_S: Final = 2.0
_ANSWER_S: Final = 1.5
_MESSAGE: Final = 2_048
_IPV4: Final = 0x0800
_EVERYBODY: Final = b"\xff" * 6
_INTERFACES: Final = Path("/sys/class/net")
_ETHERNET: Final = "1"
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
    """Return a network file with a DHCP server. ``address`` is its own, with prefix."""
    own = ipaddress.IPv4Interface(address)
    room = own.network.num_addresses - 2
    first = min(_FIRST, room)
    return _HOST.format(match=match, address=own, first=first, size=min(200, room - first + 1))


def access_point_text(wifi: CardWifi) -> str:
    """Return wpa_supplicant's configuration for an access point. Name and password must be set.

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


def watch_cables(folder: Path, address: str) -> None:
    """Watch all cables forever. ``folder`` contains networkd's files, ``address`` is the station's."""
    watches: dict[str, CableWatch] = {}
    own = ipaddress.IPv4Interface(address).ip.packed
    while True:
        for name in cables():
            watch = watches.setdefault(name, CableWatch())
            before = watch.role
            update_role(name, watch, time.monotonic_ns() // 1_000_000, own)
            if watch.role is not before:
                _log.warning("role on a cable changed", cable=name, station_is=watch.role.value)
                set_role(folder, name, watch.role, address)
        time.sleep(_LOOKS_EVERY_S)


def cables() -> tuple[str, ...]:
    """Return the names of physical Ethernet interfaces, sorted."""
    with contextlib.suppress(OSError):
        return tuple(sorted(path.name for path in _INTERFACES.iterdir() if _is_cable(path)))
    return ()


def update_role(name: str, watch: CableWatch, now_ms: int, own: bytes) -> None:
    """Update the role on a cable, looking for other DHCP servers when due."""
    has_other = watch.should_ask(now_ms) and has_other_host(name, watch.role, own)
    watch.see(CableObservation(_has_carrier(name), _has_lease(name), has_other), now_ms)


def set_role(folder: Path, name: str, role: CableRole, address: str) -> None:
    """Make the station a DHCP client or server on a cable."""
    file = folder / host_file(name)
    match role:
        case CableRole.HOST:
            folder.mkdir(parents=True, exist_ok=True)
            write_in_memory(file, host_text(f"Name={name}", address).encode("ascii"))
        case CableRole.GUEST:
            file.unlink(missing_ok=True)
    subprocess.run(("/usr/bin/networkctl", "reload"), check=False)


def has_other_host(name: str, role: CableRole, own: bytes) -> bool:
    """Return whether another DHCP server on this cable takes precedence. Blocks for a second or two."""
    try:
        mac = bytes.fromhex(_read(_INTERFACES / name / "address").replace(":", ""))
        return yields_to_other_server(_offers(name, mac), role, DhcpOffer(own, mac))
    except (OSError, ValueError):
        # The interface has disappeared; the next check handles it.
        return False


def _offers(name: str, mac: bytes) -> Iterator[DhcpOffer]:
    number = secrets.randbits(32)
    # Packets contain the sender's MAC, which distinguishes two stations with the same IP address.
    with packet_socket(_IPV4) as wire:
        wire.bind((name, _IPV4))
        wire.sendto(packet_to_all(dhcp_discover(mac, number)), (name, _IPV4, 0, 0, _EVERYBODY))
        end = time.monotonic() + _ANSWER_S
        while (left := end - time.monotonic()) > 0:
            wire.settimeout(left)
            try:
                packet, (*_, sender) = wire.recvfrom(_MESSAGE)
            except TimeoutError:
                return
            server = dhcp_offer_server(datagram_to(CLIENTS, packet), number)
            if server is not None:
                yield DhcpOffer(server, sender)


def _is_cable(path: Path) -> bool:
    is_real = (path / "device").exists() and not (path / "wireless").exists()
    return is_real and _read(path / "type") == _ETHERNET


def _has_carrier(name: str) -> bool:
    return _read(_INTERFACES / name / "carrier") == "1"


def _has_lease(name: str) -> bool:
    index = _read(_INTERFACES / name / "ifindex")
    return bool(index) and Path(f"/run/systemd/netif/leases/{index}").exists()


def _read(file: Path) -> str:
    """Return a file's only line, or an empty string if it has disappeared with its interface."""
    with contextlib.suppress(OSError):
        return file.read_text(encoding="ascii").strip()
    return ""
