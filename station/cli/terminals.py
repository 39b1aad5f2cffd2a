"""``enrol`` and ``update``: make a provisioning file, and add a version for terminals."""

from contextlib import closing
from pathlib import Path

import click

from base.clock import SystemClock
from base.errors import BadData, Unavailable
from base.terminal_text import echo
from station.audit import AuditLog
from station.cli.options import new_data_option, new_file
from station.cluster import addresses_of_all
from station.enrolment.enrolments import Enrolments, check_table_number
from station.sd_cards.card_files import card_settings, card_text
from station.server.addresses import address_of, hall_addresses
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.secret_files import write_secret_file
from station.store.settings import Settings
from station.updates.update_store import UpdateStore
from sync.enrolment.provisioning import StationPart
from sync.update.bundle_file import PIECE


@click.command()
@new_data_option
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
def update(folder: DataFolder, file: Path) -> None:
    """Check and store the update bundle FILE; judges can then offer it on the New versions page.

    A running station notices it within ten seconds.
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
    echo(f"Version {about.name} for {about.architecture} is stored; offer it on the page New versions.")


@click.command()
@new_data_option
@click.option("--table", type=int, help="The table where the terminal will stand.")
@new_file("--out")
@click.option("--tls-port", default=7373, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--address", multiple=True, metavar="HOST:PORT", help="Address of the station for terminals.")
def enrol(folder: DataFolder, table: int | None, out: Path, tls_port: int, address: tuple[str, ...]) -> None:
    """Write a provisioning file that enrols one terminal, once.

    A station without --database must not be running.
    """
    place = check_table_number(table)
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        settings = Settings(database)
        station = station_part(folder, database, address, tls_port)
        clock = SystemClock()
        token = Enrolments(database, clock.wall_ms).new_token(place)
        AuditLog(database).add_command(
            "saloon-station enrol", clock.wall_ms(), table="" if place is None else str(place)
        )
        text = card_text(card_settings(settings), station, place, token)
    write_secret_file(out, text.encode())
    echo(f"{out} admits one terminal; copy it to the terminal and delete it here.")


def station_part(
    folder: DataFolder, database: Database, typed: tuple[str, ...], tls_port: int
) -> StationPart:
    """Return the station's part of a provisioning file. Raises BadData for an invalid address.

    ``typed`` lists the station's addresses; if empty, those of all stations that share the database, or of
    this computer.
    """
    addresses = tuple(str(address_of(address, "--address")) for address in typed)
    certificate = load_station_identity(folder, Settings(database))[1].read_text(encoding="ascii")
    shared = () if database.is_sqlite else addresses_of_all(database)
    return StationPart(certificate=certificate, addresses=addresses or shared or hall_addresses(tls_port))
