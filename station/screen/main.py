"""The program ``saloon-station-screen``."""

from pathlib import Path

import click

from base import __version__
from base.command_line import explain_missing_library


@click.command()
@click.version_option(__version__, prog_name="saloon-station-screen")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/run/saloon-station"),
    show_default=True,
    help="Folder that system and station write their status to.",
)
@click.option("--size", default="", metavar="WxH", help="Open a window of this size; else full screen.")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw once into this PNG file and exit.",
)
def main(folder: Path, size: str, picture: Path | None) -> None:
    """Show the addresses of the station's pages and the state of the hall until SIGTERM."""
    with explain_missing_library("saloon-station-screen"):
        from station.screen.plan_screen import show_plan
    show_plan(folder, size, picture)


if __name__ == "__main__":
    main()
