"""``enrol``: create a provisioning file from the command line."""

from contextlib import closing
from pathlib import Path

import click

from saloon.base.clock import SystemClock
from saloon.base.errors import BadData, Unavailable
from saloon.station.audit.audit_log import AuditLog
from saloon.station.cli.options import new_data_option, new_file
from saloon.station.cluster.presence import addresses_of_all
from saloon.station.sd_cards.card_files import card_settings, card_text
from saloon.station.server.addresses import address_of, hall_addresses
from saloon.station.store.data_folder import DataFolder, load_station_identity
from saloon.station.store.database import Database
from saloon.station.store.secret_files import write_secret_file
from saloon.station.store.settings import Settings
from saloon.station.terminals.enrolments import Enrolments, check_table_number
from saloon.station.updates.update_store import UpdateStore
from saloon.sync.enrolment.provisioning import StationPart
from saloon.sync.update.bundle_file import PIECE


@click.command()
@new_data_option
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
def update(folder: DataFolder, file: Path) -> None:
    """Check the bundle FILE and keep it here; a judge offers it to terminals from the page of new versions.

    A running station sees it within ten seconds.
    """
    update_store = UpdateStore(folder.path / "updates")
    upload = update_store.upload()
    try:
        with file.open("rb") as source:
            while piece := source.read(PIECE):
                upload.add(piece)
    except OSError as error:
        upload.forget()
        raise Unavailable(f"{file}: {error.strerror or error}") from error
    try:
        about = update_store.add(upload).head.manifest.about
    except BadData as error:
        raise BadData(str(file), error.problem) from error
    click.echo(f"Version {about.name} for {about.architecture} is stored: see the page of new versions.")


@click.command()
@new_data_option
@click.option("--table", type=int, help="The table where the terminal will stand.")
@new_file("--out")
@click.option("--tls-port", default=7373, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--address", multiple=True, metavar="HOST:PORT", help="Address of the station for terminals.")
def enrol(folder: DataFolder, table: int | None, out: Path, tls_port: int, address: tuple[str, ...]) -> None:
    """Write a provisioning file for one terminal, valid once.

    A station without --database must not run meanwhile.
    """
    place = check_table_number(table)
    addresses = tuple(str(address_of(found, "--address")) for found in address)
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        settings = Settings(database)
        certificate = load_station_identity(folder, settings)[1].read_text(encoding="ascii")
        addresses = addresses or _known_addresses(database) or hall_addresses(tls_port)
        clock = SystemClock()
        token = Enrolments(database, clock.wall_ms).new_token(place)
        AuditLog(database).add_command(
            "saloon-station enrol", clock.wall_ms(), table="" if place is None else str(place)
        )
        station = StationPart(certificate=certificate, addresses=addresses)
        text = card_text(card_settings(settings), station, place, token)
    write_secret_file(out, text.encode())
    click.echo(f"{out} admits one terminal; copy it to the terminal and delete it here.")


def _known_addresses(database: Database) -> tuple[str, ...]:
    """Return the addresses of all stations that share the database."""
    return () if database.is_sqlite else addresses_of_all(database)
