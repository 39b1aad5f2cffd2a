"""``update``: store a new version for terminals at the station, even while it runs."""

from pathlib import Path

import click

from saloon.base.errors import Unavailable
from saloon.station.cli.options import data_option
from saloon.station.store.data_folder import DataFolder
from saloon.station.updates.update_store import Shelf
from saloon.sync.update.bundle_file import PIECE


@click.command()
@data_option
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
def update(folder: DataFolder, file: Path) -> None:
    """Check the bundle FILE and keep it here; a judge offers it to terminals from the page of new versions.

    A running station sees it within ten seconds.
    """
    shelf = Shelf(folder.path / "updates")
    upload = shelf.upload()
    try:
        with file.open("rb") as source:
            while piece := source.read(PIECE):
                upload.add(piece)
    except OSError as error:
        upload.forget()
        raise Unavailable(f"{file}: {error.strerror or error}") from error
    about = shelf.keep(upload).head.manifest.about
    click.echo(f"Version {about.name} for {about.architecture} lies here: see the page of new versions.")
