"""Options that several commands share."""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from base.command_line import default_folder
from base.errors import BadData
from base.toml_lines import positions
from base.whole_file import disk_errors_as_unavailable
from station.store.data_folder import DataFolder

_DATABASE = "--database"


def _folder(context: click.Context, _parameter: click.Parameter, value: Path | None) -> DataFolder:
    return DataFolder(value or default_folder("station"), context.params.pop("database", None))


def _known_folder(context: click.Context, parameter: click.Parameter, value: Path | None) -> DataFolder:
    folder = _folder(context, parameter, value)
    if not folder.is_shared and not folder.database.is_file():
        raise BadData(
            "--data",
            f"{folder.path} has no station; name another folder, or begin one with saloon-station judge add",
        )
    return folder


def _database(context: click.Context, parameter: click.Parameter, value: str | None) -> URL | None:
    if value is None:
        return None
    try:
        # PostgreSQL's own programs accept both spellings.
        url = make_url(value.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError) as error:
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
    """Add ``--data DIR`` and ``--database URL`` for a command that needs an existing station."""
    return _located(command, _known_folder)


def new_data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--data DIR`` and ``--database URL`` for a command that creates a missing station."""
    return _located(command, _folder)


def _located(
    command: Callable[..., Any],
    located: Callable[[click.Context, click.Parameter, Path | None], DataFolder],
) -> Callable[..., Any]:
    data = click.option(
        "--data",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="SALOON_STATION_DATA",
        callback=located,
        help="The folder of the station's data; by default ~/.local/share/saloon/station.",
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


def new_file(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a command's output file, as an argument or a required option, and ``--force``.

    Raises BadData if the file exists, and for special files such as /dev/null.
    """
    make = click.option if name.startswith("-") else click.argument
    kind = click.Path(dir_okay=False, path_type=Path)
    named = make(name, type=kind, callback=_new_file, required=True)
    force = click.option("--force", is_flag=True, is_eager=True, help="Replace the file if it exists.")
    return lambda command: named(force(command))


def _new_file(context: click.Context, _parameter: click.Parameter, value: Path) -> Path:
    may_replace = context.params.pop("force", False)
    if value.exists() and not value.is_file():
        raise BadData(str(value), "this is no file that can be replaced; name another one")
    if not may_replace and value.exists():
        raise BadData(str(value), "this file exists already; name another one, or replace it with --force")
    return value


def secret_line(name: str, *, is_new: bool = True) -> str:
    """Prompt for a secret, twice for a new one; without a terminal, read one line from standard input."""
    if sys.stdin.isatty():
        return str(click.prompt(name, hide_input=True, confirmation_prompt=is_new))
    return sys.stdin.readline().rstrip("\r\n")


def config_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--config FILE``, a TOML file of options. The command line and environment override it."""
    return click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="SALOON_STATION_CONFIG",
        is_eager=True,
        expose_value=False,
        callback=_read_config,
        help='A TOML file of these options, such as http = "0.0.0.0:8443"; typed ones come first.',
    )(command)


def _read_config(context: click.Context, _parameter: click.Parameter, value: Path | None) -> None:
    """Make the file's values the defaults of the options. Raises BadData with the line of a problem."""
    if value is None:
        return
    with disk_errors_as_unavailable(value):
        text = value.read_bytes().decode("utf-8", errors="replace")
    try:
        settings: dict[str, object] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadData(str(value), f"this is not TOML: {error}") from error
    options = {
        option.opts[0].removeprefix("--"): option
        for option in context.command.params
        if isinstance(option, click.Option) and option.opts[0] not in {"--config", "--help"}
    }
    defaults = dict[str, object]()
    lines = positions(text)
    for key, wanted in settings.items():
        where = f"{value}, line {lines[key,]}, {key}"
        if key not in options:
            raise BadData(where, f"unknown option; allowed: {', '.join(sorted(options))}")
        defaults[str(options[key].name)] = _checked(context, options[key], wanted, where)
    context.default_map = defaults


def _checked(context: click.Context, option: click.Option, wanted: object, where: str) -> object:
    kinds: set[type] = {str}
    kind = "a text"
    if option.is_flag:
        kinds, kind = {bool}, "true or false"
    elif isinstance(option.type, click.types.IntParamType):
        kinds, kind = {int, float}, "a number"
    entries = wanted if isinstance(wanted, list) else [wanted]
    if isinstance(wanted, list) is not option.multiple or any(type(entry) not in kinds for entry in entries):
        raise BadData(where, f"found {wanted!r}; expected {f'a list of {kind}' if option.multiple else kind}")
    try:
        for entry in entries:
            option.type.convert(entry, option, context)
    except click.BadParameter as error:
        raise BadData(where, error.message) from error
    return wanted
