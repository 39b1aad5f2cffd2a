"""Watch an appliance's cables and run a DHCP server on those that have none.

Runs as root and only writes and removes configuration files of systemd-networkd.
"""

import contextlib
import ipaddress
import secrets
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
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
from station.appliance.network_files import host_file, host_text

_log = structlog.get_logger()
_LOOKS_EVERY_S: Final = 2.0
_ANSWER_S: Final = 1.5
_MESSAGE: Final = 2_048
_IPV4: Final = 0x0800
_EVERYBODY: Final = b"\xff" * 6
_ETHERNET: Final = "1"


def watch_cables(folder: Path, address: str) -> None:
    """Watch all cables forever.

    folder: contains networkd's files.
    address: the station's as a server.
    """
    watches: dict[str, CableWatch] = {}
    own = ipaddress.IPv4Interface(address).ip.packed
    while True:
        for name in cables():
            watch = watches.setdefault(name, CableWatch())
            before = watch.role
            update_role(name, watch, time.monotonic_ns() // 1_000_000, own)
            if watch.role is not before:
                _log.warning("the cable's network", cable=name, station_is=watch.role.value)
                set_role(folder, name, watch.role, address)
        time.sleep(_LOOKS_EVERY_S)


def cables(net: Path = Path("/sys/class/net")) -> tuple[str, ...]:
    """Return the names of physical Ethernet interfaces, sorted."""
    return tuple(sorted(path.name for path in _network_devices(net) if _is_cable(path)))


def update_role(name: str, watch: CableWatch, now_ms: int, own: bytes) -> None:
    """Update the role on a cable, looking for other DHCP servers when due.

    ``own`` is the station's address.
    """
    has_other = watch.should_ask(now_ms) and has_other_host(name, watch.role, own)
    watch.see(CableObservation(_has_carrier(name), _has_lease(name), has_other), now_ms)


def set_role(
    folder: Path,
    name: str,
    role: CableRole,
    address: str,
    reload: Callable[[], None] = lambda: _networkctl("reload"),
) -> None:
    """Make the station a DHCP client or server on a cable."""
    file = folder / host_file(name)
    match role:
        case CableRole.HOST:
            folder.mkdir(parents=True, exist_ok=True)
            write_in_memory(file, host_text(f"Name={name}", address).encode("ascii"))
        case CableRole.GUEST:
            file.unlink(missing_ok=True)
    reload()


def has_other_host(name: str, role: CableRole, own: bytes) -> bool:
    """Return whether another DHCP server on this cable takes precedence. ``own`` is the station's, 4 bytes.

    Blocks for a second or two.
    """
    try:
        mac = bytes.fromhex(
            Path(f"/sys/class/net/{name}/address").read_text(encoding="ascii").strip().replace(":", "")
        )
        return yields_to_other_server(_offers(name, mac), role, DhcpOffer(own, mac))
    except (OSError, ValueError):
        # The interface has disappeared; the next check handles it.
        return False


def _offers(name: str, mac: bytes) -> Iterator[DhcpOffer]:
    """Broadcast a DHCPDISCOVER and yield the offers. Raises OSError."""
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


def _networkctl(word: str) -> None:
    subprocess.run(["/usr/bin/networkctl", word], check=False)  # noqa: S603 (our own words)


def _network_devices(net: Path) -> Iterable[Path]:
    with contextlib.suppress(OSError):
        return tuple(net.iterdir())
    return ()


def _is_cable(path: Path) -> bool:
    with contextlib.suppress(OSError):
        is_real = (path / "device").exists() and not (path / "wireless").exists()
        return is_real and (path / "type").read_text(encoding="ascii").strip() == _ETHERNET
    return False


def _has_carrier(name: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/sys/class/net/{name}/carrier").read_text(encoding="ascii").strip() == "1"
    return False


def _has_lease(name: str) -> bool:
    with contextlib.suppress(OSError):
        index = Path(f"/sys/class/net/{name}/ifindex").read_text(encoding="ascii").strip()
        return Path(f"/run/systemd/netif/leases/{index}").exists()
    return False
