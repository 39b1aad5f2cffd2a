"""Options that several commands share."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from saloon.base.errors import BadData
from saloon.station.store.data_folder import DataFolder

_DATABASE = "--database"


def _folder(context: click.Context, _parameter: click.Parameter, value: Path) -> DataFolder:
    return DataFolder(value, context.params.pop("database", None))


def _database(context: click.Context, parameter: click.Parameter, value: str | None) -> URL | None:
    if value is None:
        return None
    try:
        url = make_url(value)
    except ArgumentError as error:
        raise BadData(_DATABASE, "write it as postgresql://user@host/name") from error
    if url.get_backend_name() != "postgresql":
        raise BadData(_DATABASE, f"{url.get_backend_name()} is not PostgreSQL; a file needs only --data")
    typed = context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    if typed and url.password is not None:
        raise BadData(
            _DATABASE, "everybody on this machine can read a password here; use PGPASSWORD or ~/.pgpass"
        )
    return url


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--data DIR`` and ``--database URL``: the location of the station's data."""
    data = click.option(
        "--data",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("station-data"),
        show_default=True,
        envvar="SALOON_STATION_DATA",
        callback=_folder,
        help="The folder of the station's data.",
    )
    database = click.option(
        _DATABASE,
        metavar="URL",
        envvar="SALOON_DATABASE",
        callback=_database,
        is_eager=True,
        help="A PostgreSQL database that several stations share, postgresql://user@host/name.",
    )
    return database(data(command))


def appliance_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--appliance DIR`` and ``--stick DIR``: for a computer that is only a station."""
    folder = click.option(
        "--appliance",
        type=click.Path(file_okay=False, path_type=Path),
        help="This computer is only a station; system, screen and station share the folder DIR.",
    )
    stick = click.option(
        "--stick",
        type=click.Path(path_type=Path),
        default=Path("/media/saloon"),
        show_default=True,
        help="Where an appliance finds a USB drive for backups.",
    )
    return folder(stick(command))


def secret_line(name: str, *, is_new: bool = True) -> str:
    """Ask for a secret, a new one twice; without a terminal, read one line from standard input."""
    if sys.stdin.isatty():
        return str(click.prompt(name, hide_input=True, confirmation_prompt=is_new))
    return sys.stdin.readline().rstrip("\r\n")
