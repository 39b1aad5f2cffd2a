"""Takes the provisioning file from the card's boot partition, which every computer can read.

``saloon-terminal boot-file SOURCE TARGET --owner saloon --system FOLDER`` runs as root before the
terminal, which runs as somebody who may not write the boot partition. The terminal's part goes to TARGET,
the system's part (name, Wi-Fi, ssh key) to FOLDER, and then nothing of it is left on the boot partition.
A wrong file stays where it is, and the terminal explains it.
"""

import hashlib
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from saloon.base.errors import BadData, Unavailable
from saloon.base.whole_file import DiskFiles, Files, remove, replace, told
from saloon.kiosk.cli.system_files import system_files
from saloon.sync.enrolment.provisioning import provisioning_from, text_of
from saloon.sync.terminal.card_file import GONE, CardFiles, DiskCard, wipe


@click.command("boot-file")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--owner", default="", help="The user whose file it becomes; whoever runs this without.")
@click.option(
    "--system", type=click.Path(path_type=Path), help="Folder for Wi-Fi, ssh key and name; left out without."
)
def boot_file(source: Path, target: Path, owner: str, system: Path | None) -> None:
    """Take SOURCE apart: wherever the power goes, it is whole at one place."""
    try:
        theirs = DiskFiles(pwd.getpwnam(owner).pw_uid if owner else None)
        if system is not None:
            system.mkdir(mode=0o700, parents=True, exist_ok=True)
        if taken(DiskCard(), theirs, source, target, system):
            click.echo(f"{source} is taken")
    except (KeyError, BadData, Unavailable) as error:
        click.echo(f"boot file: {error}", err=True)
        sys.exit(2)


def taken(card: CardFiles, theirs: Files, source: Path, target: Path, system: Path | None) -> bool:
    """Split the file; return whether there was one. theirs: how the terminal's own file is written.

    All parts are durable before the file is wiped, so that a cut at any point repeats or ends it.
    Raises BadData for a wrong file, and Unavailable.
    """
    with told(source):
        content = card.read(source)
    if content is None:
        return False
    if not content.startswith(GONE):
        given = provisioning_from(content, str(source))
        if system is not None:
            _keep(card, system, system_files(given))
        # Where it came from goes along: a file that cannot be wiped is still taken over once.
        origin = hashlib.sha256(content).hexdigest()
        terminal = msgspec.structs.replace(given.terminal, taken_from=origin)
        own = msgspec.structs.replace(given.without_system(), terminal=terminal)
        replace(theirs, target, text_of(own).encode())
    wipe(card, source, len(content))
    return not content.startswith(GONE)


def _keep(files: Files, folder: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, content in contents.items():
        if content is None:
            remove(files, folder / name)
        else:
            replace(files, folder / name, content)
