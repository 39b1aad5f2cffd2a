"""``take``: import parcels from files or photos from the command line."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from base.clock import SystemClock
from base.errors import BadData, Refused
from base.terminal_text import echo
from station.audit import AuditLog
from station.cli.options import new_data_option
from station.enrolment.enrolments import Enrolments
from station.hall.station_context import StationContext, StationParts
from station.hall.tournaments import follow_up
from station.offline.service import ImportOutcome, ImportResult, ParcelImporter
from station.offline.uploads import LARGEST_PICTURE, extract_parcels
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.settings import Settings
from station.store.store import Store
from sync.protocol.parcel import LONGEST_PARCEL

_LONGEST = max(LONGEST_PARCEL, LARGEST_PICTURE)
"""The most bytes read from a file; parcels and pictures are no larger."""
_BY = "saloon-station take"
_SAID = {
    ImportOutcome.SHEET_ACCEPTED: "the record sheet has been imported",
    ImportOutcome.SHEET_KNOWN: "this record sheet was here already",
    ImportOutcome.SHEET_CONTESTED: "another result is confirmed for this table; both are kept for a judge",
    ImportOutcome.SHEET_UNCONFIRMED: "no judge confirmed this record sheet; import it on the judge's page",
    ImportOutcome.ENTRIES_TAKEN: "entries have been imported",
    ImportOutcome.ENTRIES_KNOWN: "all entries were here already",
}
_NOT_IN = frozenset({ImportOutcome.SHEET_CONTESTED, ImportOutcome.SHEET_UNCONFIRMED})


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@new_data_option
def take(files: tuple[Path, ...], folder: DataFolder) -> None:
    """Import parcels from FILES: files of a USB drive, or photos of QR codes.

    The station must not be running; if it is, use its page "Import offline results". Exits with status 2
    if some parcel was not imported; all others are.
    """
    uploaded = extract_parcels([(str(path), _content(path)) for path in files])
    problems = [f"{trouble.where}: {trouble.refused}" for trouble in uploaded.problems]
    problems += [
        f"a parcel has {len(one.has)} of its {one.count} parts: add the other pictures"
        for one in uploaded.progress
    ]
    parcels = [(parcel.where, parcel.parcel) for parcel in uploaded.parcels]
    with folder.exclusive_lock(), closing(Database(folder.url)) as database:
        database.open()
        answers = asyncio.run(_import_parcels(folder, database, parcels))
        files_named = ", ".join(path.name for path in files)
        AuditLog(database).add_command("saloon-station take", SystemClock().wall_ms(), files=files_named)
    for where, answer in answers:
        if isinstance(answer, ImportResult) and answer.outcome not in _NOT_IN:
            echo(f"{where}: {_in_words(answer)}")
        else:
            problems.append(f"{where}: {_in_words(answer) if isinstance(answer, ImportResult) else answer}")
    if problems:
        raise BadData("not imported", "; ".join(problems))


async def _import_parcels(
    folder: DataFolder, database: Database, parcels: Sequence[tuple[str, bytes]]
) -> list[tuple[str, ImportResult | Refused | BadData]]:
    clock = SystemClock()
    certificate = load_station_identity(folder, Settings(database))[1].read_text(encoding="ascii")
    enrolments = Enrolments(database, clock.wall_ms)
    parts = StationParts(Store(database, clock.wall_ms), enrolments, Settings(database), clock, certificate)
    context = StationContext(parts)
    await context.open()
    intake = ParcelImporter(context)
    answers: list[tuple[str, ImportResult | Refused | BadData]] = []
    for where, parcel in parcels:
        try:
            answers.append((where, await intake.import_parcel(parcel, where, _BY)))
        except (Refused, BadData) as error:
            answers.append((where, error))
    await follow_up(context)
    await context.close()
    return answers


def _in_words(answer: ImportResult) -> str:
    place = "" if answer.table is None else f"round {answer.round}, table {answer.table}: "
    count = f"{answer.new} new " if answer.new else ""
    return f"{place}{count}{_SAID[answer.outcome]}"


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST + 1)
    except OSError as error:
        raise BadData(str(path), f"{error.strerror or error}") from error
