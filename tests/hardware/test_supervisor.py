"""Messages from the terminal to systemd, through a real socket."""

import math
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.supervisor import SETTLING_MS, Supervisor

NOW = 5_000
Supervised = Callable[[dict[str, str]], Supervisor]


@pytest.fixture
def system(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def environment(system: socket.socket, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": system.getsockname(), **more}


@pytest.fixture
def supervised() -> Iterator[Supervised]:
    made: list[Supervisor] = []

    def make(environment: dict[str, str]) -> Supervisor:
        made.append(Supervisor(environment))
        return made[-1]

    yield make
    for supervisor in made:
        supervisor.ends()


def notifications(system: socket.socket) -> list[str]:
    words = []
    while True:
        try:
            words.append(system.recv(1024).decode().splitlines()[0])
        except BlockingIOError:
            return words


def test_ready_comes_first_and_the_end_last(system: socket.socket, supervised: Supervised) -> None:
    supervisor = supervised(environment(system))
    supervisor.on_turn(NOW)
    assert notifications(system) == []
    supervisor.ready(NOW)
    supervisor.on_turn(NOW + 60_000)
    supervisor.ends()
    supervisor.on_turn(NOW + 120_000)
    assert notifications(system) == ["READY=1", "STOPPING=1"]


def test_a_watchdog_hears_three_words_within_its_patience_and_no_more(
    system: socket.socket, supervised: Supervised
) -> None:
    supervisor = supervised(environment(system, WATCHDOG_USEC="3000000", WATCHDOG_PID=str(os.getpid())))
    assert supervisor.patience_s(NOW) == math.inf
    supervisor.ready(NOW)
    assert supervisor.patience_s(NOW) == 1.0
    assert supervisor.patience_s(NOW + 5_000) == 0.0
    for after_ms in range(0, 9_001, 250):
        supervisor.on_turn(NOW + after_ms)
    assert notifications(system) == ["READY=1", "WATCHDOG_USEC=30000000", *["WATCHDOG=1"] * 9]


def test_the_first_minute_has_more_patience_and_then_the_units_own_counts(
    system: socket.socket, supervised: Supervised
) -> None:
    supervisor = supervised(environment(system, WATCHDOG_USEC="2000000", WATCHDOG_PID=str(os.getpid())))
    supervisor.ready(NOW)
    supervisor.on_turn(NOW + SETTLING_MS - 1)
    assert notifications(system) == ["READY=1", "WATCHDOG_USEC=30000000", "WATCHDOG=1"]
    for after_ms in (1_000, 2_000):
        supervisor.on_turn(NOW + SETTLING_MS + after_ms)
    assert notifications(system) == ["WATCHDOG_USEC=2000000", "WATCHDOG=1", "WATCHDOG=1"]


@pytest.mark.parametrize(
    "more", [{}, {"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}]
)
def test_a_watchdog_of_somebody_else_or_none_hears_nothing(
    system: socket.socket, supervised: Supervised, more: dict[str, str]
) -> None:
    supervisor = supervised(environment(system, **more))
    supervisor.ready(NOW)
    supervisor.on_turn(NOW + 60_000)
    assert supervisor.patience_s(NOW) == math.inf
    assert notifications(system) == ["READY=1"]


def test_an_abstract_address_is_understood(supervised: Supervised) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0saloon-test-notify")
        supervised({"NOTIFY_SOCKET": "@saloon-test-notify"}).ready(NOW)
        assert listening.recv(100).startswith(b"READY=1")


def test_a_system_that_is_gone_or_deaf_stops_no_table(
    tmp_path: Path, system: socket.socket, supervised: Supervised
) -> None:
    gone = supervised({"NOTIFY_SOCKET": str(tmp_path / "nobody"), "WATCHDOG_USEC": "3000"})
    gone.ready(NOW)
    gone.on_turn(NOW + 10)
    deaf = supervised(environment(system, WATCHDOG_USEC="3000"))
    deaf.ready(NOW)
    for after_ms in range(1_000):
        deaf.on_turn(NOW + after_ms)
    assert 0 < len(notifications(system)) < 1_000
