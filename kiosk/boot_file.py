"""Moves the provisioning file from the card's boot partition to where the terminal may read it.

``saloon-terminal boot-file SOURCE TARGET --owner saloon`` runs as root before the terminal,
which runs as somebody who may not write the boot partition. Without a file there is nothing to do.
"""

import pwd
import sys
from pathlib import Path

import click

from saloon.core.errors import Unavailable
from saloon.sync.whole_file import DiskFiles, move


@click.command("boot-file")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--owner", default="", help="The user whose file it becomes; whoever runs this without.")
def boot_file(source: Path, target: Path, owner: str) -> None:
    """Move SOURCE to TARGET: wherever the power goes, it is whole at one of the two."""
    try:
        files = DiskFiles(pwd.getpwnam(owner).pw_uid if owner else None)
        if move(files, source, target):
            click.echo(f"{source} is at {target} now")
    except (KeyError, Unavailable) as error:
        click.echo(f"boot file: {error}", err=True)
        sys.exit(2)
