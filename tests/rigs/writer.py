"""A terminal without a screen, as a process that writes continuously: journal and uplink.

``python -m tests.rigs.writer --data DIR --provisioning FILE`` appends entries until SIGTERM, and prints a
line
for each event: ``begun`` when it handles signals, ``saved N``, ``received N``. It continues where its journal
ends, however it ended before.
"""

import itertools
import select
import signal
import sys
import time
from pathlib import Path

import click
import msgspec

from base.clock import SystemClock
from core.game.events import GameStep
from core.game.play.wounds import LoseLife, RegainLife
from core.terms import GameId, SeatNo
from sync.enrolment.provisioning import Provisioning, read_provisioning
from sync.ports.addresses import host_and_port
from sync.ports.link_port import LinkPort
from sync.ports.serial import BAUD, SerialPort
from sync.ports.tcp import TcpPort
from sync.protocol.entry import StreamId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import AgentNews, Received, Saved
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity

_SEATS = 7


def body(number: int) -> bytes:
    seat = SeatNo(number % _SEATS + 1)
    event = LoseLife(seat) if number % 2 else RegainLife(seat)
    return msgspec.msgpack.encode(GameStep(GameId("0123456789ab-r1-t1-a1"), (event,)))


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of journal and keys.")
@click.option("--provisioning", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--rate", default=50.0, show_default=True, help="Entries a second.")
def main(data: Path, provisioning: Path, rate: float) -> None:
    """Write entries until stopped by a signal, and then wait until all are received."""
    agent = _agent(data, read_provisioning(provisioning))
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: stopping.append(number))
    held = agent.start()
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    last, received = len(held.own), held.received
    for number in itertools.count(last):
        if stopping:
            break
        last = agent.append(body(number))
        select.select([agent.fileno()], [], [], 1 / rate)
        received = _report_received(agent.news(), received)
        time.sleep(1 / rate)
    while received < last:
        select.select([agent.fileno()], [], [], 1.0)
        received = _report_received(agent.news(), received)
    agent.stop()


def _report_received(news: tuple[AgentNews, ...], received: int) -> int:
    for one in news:
        match one:
            case Saved():
                sys.stdout.write(f"saved {one.seq}\n")
            case Received():
                received = one.seq
                sys.stdout.write(f"received {one.seq}\n")
            case _:
                continue
    sys.stdout.flush()
    return received


def _agent(data: Path, known: Provisioning) -> JournalAgent:
    key, certificate = own_identity(data, "writer")
    terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), str(certificate))
    journal = Journal(data / "journal.db", StreamId(f"table/{terminal}"), orders_of(terminal), "writer")
    marker = data / "enrolled"
    token = "" if marker.exists() else known.terminal.token
    credentials = Credentials(known.station.certificate, key, certificate, token)
    return JournalAgent(
        journal, Uplink(journal, orders_of(terminal), _ways(known), credentials, marker.touch)
    )


def _ways(known: Provisioning) -> tuple[StationRoute, ...]:
    if known.terminal.serial:
        line = LinkPort(SerialPort(known.terminal.serial), SystemClock().monotonic_ms, baud=BAUD)
        return (StationRoute("serial", lambda: line, source=RouteSource.CABLE),)
    return tuple(_by_network(address) for address in known.station.addresses)


def _by_network(address: str) -> StationRoute:
    host, port = host_and_port(address, "station address")
    return StationRoute(address, lambda: TcpPort(host, port))


if __name__ == "__main__":
    main()
