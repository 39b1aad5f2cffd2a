"""``enrol``, ``cards`` and ``update``: provisioning files, cards with them, and versions for terminals."""

import datetime as dt
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final, TypedDict, Unpack

import click
import msgspec
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from base.clock import SystemClock
from base.errors import BadData, SaloonError, Unavailable
from base.terminal_text import echo
from base.whole_file import disk_errors_as_unavailable
from core.terms import TableNo
from station.audit import AuditLog
from station.cards.service import MOST_SPARES, folder_of, format_table_ranges, tables_of
from station.cli.options import new_data_option, new_file
from station.cluster import addresses_of_all
from station.enrolment.enrolments import Enrolments, check_table_number
from station.sd_cards.card_files import CardState, SdCardFiles, card_settings, card_text
from station.sd_cards.card_image import (
    FILE,
    CardImage,
    Disk,
    card_image,
    copy_image,
    disk_at,
    provisioning_patches,
    write_card,
)
from station.server.addresses import address_of, hall_addresses
from station.store.data_folder import DataFolder, load_station_identity, write_secret_file
from station.store.database import Database
from station.store.settings import Settings
from station.updates.update_store import UpdateStore
from sync.enrolment.provisioning import LONGEST_FILE, StationPart, provisioning_from
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
        with disk_errors_as_unavailable(file), file.open("rb") as source:
            while piece := source.read(PIECE):
                upload.add(piece)
    except BaseException:
        upload.forget()
        raise
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
        station = _station_part(folder, database, address, tls_port)
        clock = SystemClock()
        token = Enrolments(database, clock.wall_ms).new_token(place)
        AuditLog(database).add_command(
            "saloon-station enrol", clock.wall_ms(), table="" if place is None else str(place)
        )
        text = card_text(card_settings(settings), station, place, token)
    write_secret_file(out, text.encode())
    echo(f"{out} admits one terminal; copy it to the terminal and delete it here.")


def _station_part(
    folder: DataFolder, database: Database, typed: tuple[str, ...], tls_port: int
) -> StationPart:
    """Return the station's part of a provisioning file. Raises BadData for an invalid address.

    typed: the station's addresses; by default those of all stations on the database, or of this computer.
    """
    addresses = tuple(str(address_of(address, "--address")) for address in typed)
    certificate = load_station_identity(folder, Settings(database))[1].read_text(encoding="ascii")
    shared = () if database.is_sqlite else addresses_of_all(database)
    return StationPart(certificate=certificate, addresses=addresses or shared or hall_addresses(tls_port))


_MOST_CARDS: Final = 2000


class _Options(TypedDict):
    tables: str
    spares: int
    files: Path | None
    out: Path | None
    tls_port: int
    address: tuple[str, ...]
    yes: bool


class _Card(msgspec.Struct, frozen=True):
    """A card to write. ``name`` is its folder, such as ``table-07``."""

    name: str
    toml: str


@click.command()
@new_data_option
@click.option(
    "--image", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The terminals' image, built or downloaded.",
)  # fmt: skip
@click.option(
    "--tables", default="", metavar="1-50", help="Make new files for these tables; with --files: only these."
)
@click.option("--spares", default=0, type=click.IntRange(0, MOST_SPARES), help="Number of files for spares.")
@click.option(
    "--files", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Use the files of a ZIP from the station's page Cards instead; the station may be running.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for an image of each card."
)
@click.option(
    "--into", multiple=True, type=click.Path(path_type=Path), metavar="DEVICE",
    help="Disk that a card is in, or a file; repeat it for several readers.",
)  # fmt: skip
@click.option("--tls-port", default=7373, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--address", multiple=True, metavar="HOST:PORT", help="Address of the station for terminals.")
@click.option("--yes", is_flag=True, help="Overwrite without asking.")
def cards(folder: DataFolder, image: Path, into: tuple[Path, ...], **options: Unpack[_Options]) -> None:
    """Write cards for terminals: the image, with one table's provisioning file on each.

    Each card is written, read back and compared. Secrets are stored only on
    the cards, or in the images in --out. A station without --database must not run while new files are made.
    """
    out, files, is_asked = options["out"], options["files"], not options["yes"]
    if (out is None) == (not into) or (files is None and not options["tables"] and not options["spares"]):
        raise click.UsageError("name --tables or --files, and --out or --into")
    ours = card_image(image)
    disks = tuple(disk_at(path, ours) for path in into)
    for disk in disks if is_asked else ():
        if disk.size or disk.path.exists():
            click.confirm(f"Everything on {disk} will be lost. Overwrite it?", abort=True)
    chosen = (
        _choose_cards(_of_zip(files), files, options) if files is not None else _make_cards(folder, options)
    )
    if out is not None:
        _into_folder(ours, chosen, out, is_asked=is_asked)
    else:
        _onto_cards(ours, chosen, disks, is_asked=is_asked)


def _make_cards(folder: DataFolder, options: _Options) -> tuple[_Card, ...]:
    spares = options["spares"]
    wanted: tuple[TableNo | None, ...] = (*tables_of(options["tables"]), *([None] * spares))
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        station = _station_part(folder, database, options["address"], options["tls_port"])
        chosen = card_settings(Settings(database))
        files = Enrolments(database, SystemClock().wall_ms).files
        if not options["yes"]:
            _confirm_replacing(files, wanted)
        words = files.make(wanted, replaces=True)
    first_spare = len(wanted) - spares
    return tuple(
        _Card(folder_of(table, number - first_spare + 1), card_text(chosen, station, table, word))
        for number, (table, word) in enumerate(zip(wanted, words, strict=True))
    )


def _confirm_replacing(files: SdCardFiles, wanted: Sequence[TableNo | None]) -> None:
    unused = {file.table for file in files.list_files() if file.state is CardState.UNUSED}
    replaced = tuple(table for table in wanted if table is not None and table in unused)
    if replaced:
        said = format_table_ranges(replaced)
        click.confirm(
            f"Files that were not used yet, for {said}, will no longer work. Create new ones?", abort=True
        )


def _of_zip(path: Path) -> tuple[_Card, ...]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(f"/{FILE}")]
            if not 0 < len(entries) <= _MOST_CARDS:
                raise BadData(str(path), f"there is no folder with a file {FILE} in it")
            return tuple(_read(archive, entry, path) for entry in entries)
    except zipfile.BadZipFile as error:
        raise BadData(str(path), "this is no ZIP of the station's page Cards") from error


def _choose_cards(all_cards: tuple[_Card, ...], path: Path, options: _Options) -> tuple[_Card, ...]:
    """Return the cards for the requested tables and spares, or all if none are requested."""
    wanted = [folder_of(table, 0) for table in tables_of(options["tables"])]
    wanted += [folder_of(None, number) for number in range(1, options["spares"] + 1)]
    known = {card.name: card for card in all_cards}
    for name in wanted:
        if name not in known:
            raise BadData(str(path), f"there is no file for {name} in it")
    return tuple(known[name] for name in wanted) or all_cards


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> _Card:
    with archive.open(entry) as file:
        content = file.read(LONGEST_FILE + 1)
    provisioning_from(content, f"{path}: {entry.filename}")
    return _Card(entry.filename.split("/")[-2], content.decode())


def _into_folder(image: CardImage, chosen: Sequence[_Card], out: Path, *, is_asked: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"{image.path.stem}-{card.name}.img" for card in chosen]
    if is_asked and (former := ", ".join(path.name for path in paths if path.exists())):
        click.confirm(f"These images in {out} will be lost: {former}. Overwrite them?", abort=True)
    with _progress() as progress:
        task = progress.add_task("Images", total=image.size * len(chosen))
        for card, path in zip(chosen, paths, strict=True):
            patches = provisioning_patches(image, card.toml, _now())
            copy_image(image, patches, path, lambda done: progress.advance(task, done))
    echo(f"{len(chosen)} images are in {out}. Each admits one terminal; delete them then.")


def _onto_cards(
    image: CardImage, chosen: Sequence[_Card], disks: tuple[Disk, ...], *, is_asked: bool
) -> None:
    """Write the cards in batches, one card per reader, and retry failed ones at the end."""
    if len(chosen) > len(disks) and not is_asked:
        raise BadData("--into", "there are more cards than readers, and nobody is asked to change them")
    waiting = list(chosen)
    is_first = True
    while waiting:
        batch = list(zip(waiting, disks, strict=False))
        del waiting[: len(batch)]
        if is_asked and not (is_first and len(chosen) == len(batch)):
            _ask_for(batch, waiting)
        is_first = False
        failed = _round(image, batch, is_asked=is_asked)
        if failed and not is_asked:
            raise Unavailable("; ".join(failed.values()))
        waiting += [card for card in (card for card, _disk in batch) if card.name in failed]
    echo(f"Written and compared: {len(chosen)}.")


def _round(image: CardImage, batch: Sequence[tuple[_Card, Disk]], *, is_asked: bool) -> dict[str, str]:
    """Write one card in each reader at the same time, and return the failures by card."""
    failed: dict[str, str] = {}
    with _progress() as progress, ThreadPoolExecutor(len(batch)) as pool:
        tasks = {card.name: progress.add_task(card.name, total=2 * image.size) for card, _disk in batch}

        def write(card: _Card, confirmed: Disk) -> None:
            disk = disk_at(confirmed.path, image)
            if is_asked and disk.model != confirmed.model:
                raise BadData(str(disk.path), f"this is {disk} now, not {confirmed.model}; begin again")
            patches = provisioning_patches(image, card.toml, _now())
            write_card(image, patches, disk, lambda done: progress.advance(tasks[card.name], done))

        jobs = {card.name: pool.submit(write, card, disk) for card, disk in batch}
        for name, job in jobs.items():
            error = job.exception()
            if isinstance(error, SaloonError):
                failed[name] = str(error)
            elif error is not None:
                raise error
    for card, disk in batch:
        problem = failed.get(card.name)
        echo(f"{card.name}: {problem or f'done, remove it from {disk.path}'}", err=problem is not None)
    return failed


def _ask_for(batch: Sequence[tuple[_Card, Disk]], waiting: Sequence[_Card]) -> None:
    """Wait until the cards have been changed; on Ctrl-C, print how to continue later."""
    places = ", ".join(f"{card.name} into {disk.path}" for card, disk in batch)
    try:
        click.prompt(f"Cards for {places}; then press Enter", default="", show_default=False)
    except click.Abort:
        left = ", ".join(card.name for card in (*(card for card, _disk in batch), *waiting))
        echo(err=True)
        echo(f"Not written: {left}. Continue with --files and --tables.", err=True)
        raise


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    )


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).astimezone()
