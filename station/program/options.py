"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from saloon.station.data_folder import DataFolder


def _folder(_context: click.Context, _parameter: click.Parameter, value: Path) -> DataFolder:
    return DataFolder(value)


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--data DIR``: the folder of a station."""
    return click.option(
        "--data",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("station-data"),
        show_default=True,
        envvar="SALOON_STATION_DATA",
        callback=_folder,
        help="The folder with everything the station has.",
    )(command)
