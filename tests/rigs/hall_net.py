"""A network of real hosts: network namespaces joined by a switch that loses, delays and disconnects.

Each host is a namespace with one TUN device. This process holds the other ends and carries each IP packet
with the delay, loss, duplication and rate of its sender's cable. TCP on both sides is the kernel's. It needs
permission to create network namespaces (root) and ``ip``.
"""

import contextlib
import ctypes
import fcntl
import heapq
import os
import random
import select
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from base.errors import Unavailable

_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_CLONE_NEWNET = 0x40000000
_DEVICE = "hall"
_LONGEST_PACKET = 65_536
_MOST_WAITING = 4_096
"""The most packets in transit; a real switch has no more room either."""
_NETWORK = "10.77.0."
_TICK_S = 0.05


class Cable(msgspec.Struct, frozen=True):
    """The quality of a host's cable for packets that the host sends.

    loss, doubled: probabilities for a packet.
    delay_ms, jitter_ms: one way; jitter reorders packets.
    bytes_per_s: 0 for no limit.
    """

    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0
    doubled: float = 0.0
    bytes_per_s: int = 0


class Host:
    """A namespace with an address in the network."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.namespace = f"saloon-{os.getpid()}-{name}"
        self.address = f"{_NETWORK}{number}"
        self.cable = Cable()
        self.is_plugged = True
        self.free_at = 0.0
        self.tun = -1

    def command(self, argv: Sequence[str]) -> list[str]:
        return ["ip", "netns", "exec", self.namespace, *argv]

    def begin(self) -> None:
        """Create the namespace, its loopback and its device. Raises Unavailable."""
        _ip("netns", "add", self.namespace)
        self.tun = _tun_in(Path("/run/netns") / self.namespace)
        for words in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{self.address}/24", "dev", _DEVICE),
            ("link", "set", _DEVICE, "up"),
        ):
            _ip("-n", self.namespace, *words)

    def end(self) -> None:
        """Remove everything again. Processes in the namespace lose their network."""
        if self.tun >= 0:
            os.close(self.tun)
            self.tun = -1
        subprocess.run(["ip", "netns", "del", self.namespace], check=False, capture_output=True)


class HallNet:
    """Hosts by name and the switch between them. ``seed`` determines losses and jitter."""

    def __init__(self, hosts: Sequence[str], *, seed: int = 1) -> None:
        self.hosts = {name: Host(name, number) for number, name in enumerate(hosts, start=1)}
        self._by_address = {_packed(host.address): host for host in self.hosts.values()}
        self._chance = random.Random(seed)
        self._way: list[tuple[float, int, bytes, Host]] = []
        self._number = 0
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="hall-net", daemon=True)
        self.carried = 0
        self.lost = 0

    def __enter__(self) -> Self:
        try:
            for host in self.hosts.values():
                host.begin()
        except BaseException:
            self._end_hosts()
            raise
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._end_hosts()

    def shape(self, name: str, cable: Cable) -> None:
        with self._lock:
            self.hosts[name].cable = cable

    def unplug(self, name: str) -> None:
        """Partition a host from the others without notice."""
        with self._lock:
            self.hosts[name].is_plugged = False

    def plug(self, name: str) -> None:
        """Reconnect a host."""
        with self._lock:
            self.hosts[name].is_plugged = True

    def _end_hosts(self) -> None:
        for host in self.hosts.values():
            host.end()

    def _run(self) -> None:
        tuns = {host.tun: host for host in self.hosts.values()}
        while not self._stop.is_set():
            due = self._way[0][0] - time.monotonic() if self._way else _TICK_S
            readable, _, _ = select.select(list(tuns), [], [], max(0.0, min(_TICK_S, due)))
            with self._lock:
                for tun in readable:
                    self._taken(tuns[tun], os.read(tun, _LONGEST_PACKET))
                self._deliver(time.monotonic())

    def _taken(self, sender: Host, packet: bytes) -> None:
        receiver = self._by_address.get(packet[16:20]) if packet[0] >> 4 == 4 else None
        if receiver is None:
            return
        cable, chance = sender.cable, self._chance
        if not (sender.is_plugged and receiver.is_plugged) or chance.random() < cable.loss:
            self.lost += 1
            return
        now = time.monotonic()
        if cable.bytes_per_s:
            sender.free_at = max(sender.free_at, now) + len(packet) / cable.bytes_per_s
            now = sender.free_at
        for _ in range(1 + (chance.random() < cable.doubled)):
            if len(self._way) < _MOST_WAITING:
                self._number += 1
                due = now + (cable.delay_ms + chance.uniform(0, cable.jitter_ms)) / 1000
                heapq.heappush(self._way, (due, self._number, packet, receiver))

    def _deliver(self, now: float) -> None:
        while self._way and self._way[0][0] <= now:
            _, _, packet, receiver = heapq.heappop(self._way)
            if not receiver.is_plugged:
                self.lost += 1
                continue
            with contextlib.suppress(OSError):
                os.write(receiver.tun, packet)
                self.carried += 1


def net_problem() -> str:
    """Return the reason why no such network can be created here, or an empty string."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "there is no ip (package iproute2)"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    return ""


def _packed(address: str) -> bytes:
    return bytes(int(part) for part in address.split("."))


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"ip {' '.join(words)}: {done.stderr.strip()}")


def _tun_in(namespace: Path) -> int:
    """Return the descriptor of a TUN device, created by a thread inside a namespace."""
    made: list[int] = []
    problems: list[OSError] = []

    def make() -> None:
        try:
            _go_to(namespace)
            tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH22x", _DEVICE.encode(), _IFF_TUN | _IFF_NO_PI))
            made.append(tun)
        except OSError as error:
            problems.append(error)

    thread = threading.Thread(target=make, name="tun")
    thread.start()
    thread.join()
    if problems:
        raise Unavailable(f"a network device in {namespace.name}: {problems[0].strerror}")
    return made[0]


def _go_to(namespace: Path) -> None:
    """Move this thread into a namespace. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    with namespace.open("rb") as there:
        if libc.setns(there.fileno(), _CLONE_NEWNET):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
