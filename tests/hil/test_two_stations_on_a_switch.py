"""The search for another DHCP server on a real cable of the kernel's, from end to end of it."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.hil
SPACE = ("unshare", "--map-root-user", "--net", "--mount", "sh", "-e", "-c")
CABLE = textwrap.dedent(
    """
    mount -t sysfs sysfs /sys
    ip link add near address 02:00:00:00:00:05 type veth peer name far address {far}
    ip link set near up
    ip link set far up
    {then}
    """
)
OTHER_STATION = textwrap.dedent(
    """
    import socket, struct, sys, threading
    from station.appliance.cable_watch import SERVERS, CableRole, datagram_to
    from station.appliance.network import has_other_host

    OWN = bytes((10, 73, 0, 1))
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
    wire.bind(("far", 0x0800))

    def answer():
        while True:
            packet, (_, _, kind, *_) = wire.recvfrom(2048)
            asked = datagram_to(SERVERS, packet)
            if not asked or kind == socket.PACKET_OUTGOING:
                continue
            offer = bytes((2, 1, 6, 0)) + asked[4:8] + bytes(228) + b"\\x63\\x82\\x53\\x63"
            offer += b"\\x35\\x01\\x02\\x36\\x04" + OWN + b"\\xff"
            head = b"\\x45" + bytes(8) + b"\\x11" + bytes(2) + OWN + b"\\xff" * 4
            udp = struct.pack("!HHHH", 67, 68, 8 + len(offer), 0)
            wire.sendto(head + udp + offer, ("far", 0x0800, 0, 0, b"\\xff" * 6))

    print(has_other_host("nowhere", CableRole.GUEST, OWN))
    threading.Thread(target=answer, daemon=True).start()
    for role in (CableRole.GUEST, CableRole.HOST):
        print(has_other_host("near", role, OWN))
    """
)


def on_a_cable(far: str, then: str) -> subprocess.CompletedProcess[str]:
    script = CABLE.format(far=far, then=then)
    words = [*SPACE, script, sys.executable, OTHER_STATION]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.nightly
def test_a_station_hears_another_of_its_own_address_and_the_smaller_hardware_address_stays() -> None:
    if on_a_cable("02:00:00:00:00:09", "true").returncode != 0:
        pytest.skip("needs namespaces of its own, and the program ip")
    runs = {far: on_a_cable(far, '"$0" -c "$1"') for far in ("02:00:00:00:00:03", "02:00:00:00:00:09")}
    assert [done.stderr for done in runs.values()] == ["", ""]
    smaller, larger = (done.stdout.split() for done in runs.values())
    assert smaller == ["False", "True", "True"]
    assert larger == ["False", "True", "False"]
