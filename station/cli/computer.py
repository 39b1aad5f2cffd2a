"""``computer``: set up the station's image."""

import sys
from pathlib import Path

import click

from base.system import user_and_group
from base.terminal_text import echo
from base.whole_file import DiskFiles, disk_errors_as_unavailable
from station.appliance.card import CARD_FILE, Cable, card_from
from station.appliance.network import watch_cables
from station.appliance.preparing import Places, StoredSettings, prepare, read_stored_settings
from sync.enrolment.provisioning_keys import WrongFile
from sync.terminal.station_record import DiskCard


@click.group()
def computer() -> None:
    """Set up the station's image: its card file and its network."""


@computer.command(name="prepare")
@click.option(
    "--card",
    type=click.Path(path_type=Path),
    default=Path("/boot/firmware") / CARD_FILE,
    show_default=True,
    help="The file to import, if it exists.",
)
@click.option("--owner", default="saloon", show_default=True, help="The user that the station runs as.")
def prepare_command(card: Path, owner: str) -> None:
    """Import the card file and write the system's files from it."""
    user, group = user_and_group(owner)
    problem = prepare(Places(card), DiskCard(), DiskFiles(user), group)
    if problem is not None:
        echo(str(problem), err=True)


@computer.command(name="cables")
def cables_command() -> None:
    """Run a DHCP server on cables that have none, as the card file allows, until stopped."""
    places = Places(Path())
    network = read_stored_settings(places.system).network
    if network.cable is Cable.AUTO:
        watch_cables(places.networkd, network.address)


@computer.command(name="check")
@click.argument("file", type=click.Path(path_type=Path))
def check_command(file: Path) -> None:
    """Check FILE as the saloon-station.toml of a card. Needs neither an image nor root."""
    with disk_errors_as_unavailable(file):
        content = file.read_bytes()
    try:
        card = card_from(content, str(file))
    except WrongFile as wrong:
        echo(str(wrong), err=True)
        sys.exit(2)
    kept = StoredSettings(card.hall, card.network, card.wifi, card.copies, card.cables)
    echo(f"{file} is right: cable {kept.network.cable.value}, Wi-Fi {kept.wifi.name or 'made up'}.")
