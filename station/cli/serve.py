"""``serve``: run the station."""

import asyncio
import gc
import os
import socket
from pathlib import Path
from typing import TypedDict, Unpack

import click
import structlog

from base import system
from base.terminal_text import echo
from hardware.supervisor import Supervisor
from station.cli.options import config_option, new_data_option
from station.server.addresses import address_of, exposed_hosts
from station.server.logs import set_up_logs
from station.store.data_folder import DataFolder
from station.store.database import Database
from sync.bus.timing import ADAPTER_HOLD_MS
from sync.ports.findings import Finding
from sync.ports.serial import BAUD


def raise_open_files() -> int:
    """Raise the limit of open files to what the system allows, and return it.

    A station needs more than the default of 1,024; at the limit it can serve neither pages nor terminals.
    """
    try:
        return system.raise_open_files_limit()
    except OSError as error:
        _log.warning("the limit of open files cannot be raised", problem=str(error))
        return system.open_files_limit()


_log = structlog.get_logger()


def warn_of_exposed_database(folder: DataFolder) -> None:
    """Warn in the log and on the console if the connection to a remote database is not verified by TLS."""
    hosts = exposed_hosts(Database(folder.url))
    if hosts:
        _log.warning("the database's server is not verified", hosts=hosts)
        echo(Finding.DATABASE_EXPOSED.value.format(host=", ".join(hosts)), err=True)


class _Arguments(TypedDict):
    folder: DataFolder
    http: str
    https: bool
    tls_host: str
    tls_port: int
    serial: tuple[str, ...]
    bus: tuple[str, ...]
    bus_hold_ms: int
    bus_rts: bool
    baud: int
    address: tuple[str, ...]
    announce: bool
    appliance: Path | None
    stick: Path
    host: str
    redirect: str | None
    known_host: tuple[str, ...]
    trusted_proxy: tuple[str, ...]
    rehearsal: bool
    opens: bool
    name: str | None


@click.command()
@config_option
@new_data_option
@click.option("--http", default="127.0.0.1:8080", show_default=True, help="Address of the pages, HOST:PORT.")
@click.option("--https", is_flag=True, help="Serve the pages by TLS with the station's own certificate.")
@click.option("--tls-host", default="0.0.0.0", show_default=True, help="Address for terminals to connect to.")  # noqa: S104
@click.option("--tls-port", default=7373, show_default=True, type=click.IntRange(0, 65_535))
@click.option("--serial", multiple=True, metavar="DEVICE", help="A cable to a terminal; may be repeated.")
@click.option(
    "--bus",
    multiple=True,
    metavar="DEVICE",
    help="A pair of wires (RS-485) that terminals share; may be repeated.",
)
@click.option(
    "--bus-hold-ms",
    default=ADAPTER_HOLD_MS,
    show_default=True,
    type=click.IntRange(0, 100),
    help="How long the slowest USB adapter on the pairs holds back bytes.",
)
@click.option("--bus-rts", is_flag=True, help="The kernel switches the RS-485 transceiver by RTS.")
@click.option("--baud", default=BAUD, show_default=True, type=click.IntRange(min=300))
@click.option(
    "--address",
    multiple=True,
    metavar="HOST:PORT",
    help="Address of the station for terminals; by default all of them.",
)
@click.option(
    "--announce/--no-announce",
    default=True,
    show_default=True,
    help="Announce the station in the hall (multicast DNS), so that terminals find it.",
)
@click.option("--host", default="", metavar="NAME", help="Announce NAME.local in the hall, for browsers.")
@click.option("--redirect", metavar="HOST:PORT", help="Redirect browsers to the --https pages.")
@click.option(
    "--known-host", multiple=True, metavar="NAME", help="Another name or address for the pages' certificate."
)
@click.option(
    "--trusted-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy in front of the pages; the addresses that it names in X-Forwarded-For count.",
)
@click.option("--rehearsal", is_flag=True, help="Mark every page as a rehearsal: nothing counts.")
@click.option("--open", "opens", is_flag=True, help="Open the pages in this computer's browser.")
@click.option(
    "--name",
    envvar="SALOON_STATION_NAME",
    help="This station's name, if several share a database; by default its host.",
)
@click.option(
    "--appliance",
    type=click.Path(file_okay=False, path_type=Path),
    help="This computer is only a station; system, screen and station share the folder DIR.",
)
@click.option(
    "--stick",
    type=click.Path(path_type=Path),
    default=Path("/media/saloon"),
    show_default=True,
    help="Where an appliance finds a USB drive for backups.",
)
def serve(**arguments: Unpack[_Arguments]) -> None:
    """Run the station until Ctrl-C or SIGTERM.

    Use --https for pages on any address other than 127.0.0.1, to protect the judges' passwords.
    """
    gc.disable()  # until all stored entries are loaded
    from station.backups.backup import restore_if_asked
    from station.cli.serve_run import ServeRun
    from station.server.addresses import Address
    from station.server.forwarded import proxies_of
    from station.server.serving import Rs485Options, ServeOptions, serve

    set_up_logs()
    raise_open_files()
    warn_of_exposed_database(arguments["folder"])
    options = ServeOptions(
        folder=arguments["folder"],
        http=address_of(arguments["http"], "--http"),
        terminals=Address(arguments["tls_host"], arguments["tls_port"]),
        serial=arguments["serial"],
        pairs=Rs485Options(
            arguments["bus"], arguments["baud"], arguments["bus_hold_ms"], arguments["bus_rts"]
        ),
        baud=arguments["baud"],
        addresses=tuple(str(address_of(address, "--address")) for address in arguments["address"]),
        https=arguments["https"],
        announce=arguments["announce"],
        host=arguments["host"],
        redirect=None if arguments["redirect"] is None else address_of(arguments["redirect"], "--redirect"),
        known_hosts=arguments["known_host"],
        trusted_proxies=proxies_of(arguments["trusted_proxy"], "--trusted-proxy"),
        name=arguments["name"] or socket.gethostname(),
    )

    program = ServeRun(
        arguments["folder"],
        Supervisor(os.environ),
        appliance=arguments["appliance"],
        stick=arguments["stick"],
        is_rehearsal=arguments["rehearsal"],
        opens=arguments["opens"],
    )
    if arguments["appliance"] is not None:
        restore_if_asked(arguments["folder"])
    # On Windows, the default event loop cannot wait for sockets accepted elsewhere.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(serve(options, program.pages, program.ready))
