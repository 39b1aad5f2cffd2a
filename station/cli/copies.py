"""``backup``, ``restore``, ``export``, ``report``: copies of the station's data, and papers made of one."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from base.clock import SystemClock
from base.errors import BadData
from base.languages import LANGUAGES
from base.terminal_text import echo
from base.whole_file import disk_errors_as_unavailable
from core.editions.loader import rules_of
from core.terms import TournamentId
from station.audit import AuditLog
from station.backups.backup import Restored, backup, backup_of_file, check, restore, restore_shared
from station.backups.sealed_backup import is_sealed, open_sealed_backup
from station.cli.options import data_option, new_data_option, new_file, secret_line
from station.enrolment.sign_in_links import checked_address, read_secret, read_sign_in
from station.exports import CountedLines, export
from station.paper.certificates import read_letterhead
from station.paper.layouts import PaperSize
from station.paper.papers import OF_A_ROUND, PaperKind, PaperSource, paper_of
from station.paper.typesetting import pdf_of
from station.plan.service import read_plan
from station.players.codes import PlayerCodes
from station.players.service import read_desk
from station.projections.projections import Projections
from station.store.changed_entries import ChainCheck
from station.store.data_folder import DataFolder, write_secret_file
from station.store.database import Database, sqlite_url
from station.store.settings import Settings
from station.store.store import Store
from station.text.i18n import words_in


@click.command(name="backup")
@new_file("file")
@data_option
def backup_command(file: Path, folder: DataFolder) -> None:
    """Write a verified backup of everything to FILE; the station may be running.

    It contains keys: keep it safe.
    """
    copy = _backup_of(folder)
    write_secret_file(file, copy)
    damaged = check(file)
    echo(f"{file}: {len(copy):,} bytes, checked.")
    for entry in damaged:
        echo(f"{entry.stream}: damaged from entry {entry.seq} on, as by a failing disk.", err=True)
    if damaged:
        echo("Restoring this backup asks those terminals for these entries again.", err=True)


@click.command(name="restore")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace another database as well; it is kept aside.")
@new_data_option
def restore_command(file: Path, folder: DataFolder, force: bool) -> None:  # noqa: FBT001 (click: by name)
    """Restore the backup FILE; an encrypted one needs its passphrase. The station must not be running."""
    with _readable(file) as copy:
        if folder.is_shared:
            check(copy)
            with closing(Database(folder.url)) as database:
                restored = Restored(None, restore_shared(copy, database, force=force))
                _record_restore(database, file)
        else:
            with folder.exclusive_lock():
                restored = restore(copy, folder.database, force=force)
                with closing(Database(folder.url)) as database:
                    _record_restore(database, file)
    if restored.aside is not None:
        echo(f"The database before is kept as {restored.aside}.")
    for bad in restored.quarantined:
        echo(f"Quarantined: {bad.entry.stream}, entry {bad.entry.seq}: {bad.problem}.", err=True)
    echo("Restored. Terminals send what is missing as soon as they connect.")


def _record_restore(database: Database, file: Path) -> None:
    AuditLog(database).add_command("saloon-station restore", SystemClock().wall_ms(), file=file.name)


@contextmanager
def _readable(file: Path) -> Iterator[Path]:
    """Yield the backup's path: the file itself, or a temporary decrypted copy."""
    with disk_errors_as_unavailable(file):
        content = file.read_bytes()
    if not is_sealed(content):
        yield file
        return
    opened = open_sealed_backup(content, secret_line("Passphrase", is_new=False), str(file))
    with tempfile.TemporaryDirectory(prefix="saloon-opened-") as place:
        path = Path(place) / "station.sqlite"
        write_secret_file(path, opened)
        yield path


@click.command(name="export")
@click.argument("tournament")
@new_file("file")
@data_option
def export_command(tournament: str, file: Path, folder: DataFolder) -> None:
    """Write TOURNAMENT to FILE as JSON Lines for `saloon-rules`; the station may be running.

    Exits with status 1 if stored entries were changed.
    """
    with copy_of(folder) as store:
        wanted = TournamentId(tournament)
        chain_check = ChainCheck()
        for _ in store.checked_chunks(chain_check):
            pass
        counted = CountedLines(export(_projections_with(wanted, store), store, wanted))
        write_secret_file(file, counted)
    echo(f"{file}: {counted.lines:,} lines, digest {counted.digest}")
    for (stream, _), seq in sorted(chain_check.whole_to.items()):
        echo(
            f"{stream}: damaged after entry {seq}, as by a failing disk: this export proves nothing.",
            err=True,
        )
    if chain_check.whole_to:
        sys.exit(1)


def _projections_with(tournament: TournamentId, store: Store) -> Projections:
    """Read all entries into projections. Raises BadData if the tournament is not among them."""
    projections = Projections()
    projections.read_all(store.stored_entries())
    if tournament not in projections.tournaments:
        known = ", ".join(projections.tournaments) or "none"
        raise BadData("TOURNAMENT", f"there is no tournament {tournament!r}; there are: {known}")
    return projections


def _backup_of(folder: DataFolder) -> bytes:
    if not folder.is_shared:
        return backup_of_file(folder.database)
    with closing(Database(folder.url)) as database:
        return backup(database)


@contextmanager
def copy_of(folder: DataFolder) -> Iterator[Store]:
    """Open the store in a temporary copy of the database, so that reading does not disturb the station."""
    with copied_database(folder) as database:
        yield Store(database, lambda: 0)


@contextmanager
def copied_database(folder: DataFolder) -> Iterator[Database]:
    """Open a temporary copy of the database."""
    content = _backup_of(folder)
    with tempfile.TemporaryDirectory(prefix="saloon-copy-") as place:
        path = Path(place) / "station.sqlite"
        write_secret_file(path, content)
        with closing(Database(sqlite_url(path))) as database:
            yield database


_SIZES = {"a4": PaperSize.A4, "letter": PaperSize.LETTER}


@click.command(name="report")
@click.argument("paper", type=click.Choice([kind.value for kind in PaperKind]))
@click.argument("tournament")
@new_file("file")
@click.option("--size", type=click.Choice(list(_SIZES)), default="a4", show_default=True)
@click.option("--language", type=click.Choice(list(LANGUAGES)), default="en", show_default=True)
@click.option("--round", "round_no", type=int, help="Of a round's papers; the last one if left out.")
@click.option("--address", default="", help="Of the pages for phones, for the codes: https://HOST:PORT.")
@data_option
def report(
    paper: str,
    tournament: str,
    file: Path,
    *,
    size: str,
    language: str,
    round_no: int | None,
    address: str,
    folder: DataFolder,
) -> None:
    """Write PAPER of TOURNAMENT to FILE as a PDF; the station may be running.

    Results are secret until the ranking is published: keep the file safe.
    """
    kind = PaperKind(paper)
    if round_no is not None and kind not in OF_A_ROUND:
        raise BadData("--round", f"{paper} is not the paper of a round")
    address = checked_address(address)
    with copied_database(folder) as database:
        source = _paper_source(database, TournamentId(tournament), language, address)
        content = pdf_of(paper_of(kind, source, size=_SIZES[size], round_no=round_no))
    write_secret_file(file, content)
    echo(f"{file}: {len(content):,} bytes")


def _paper_source(database: Database, tournament: TournamentId, language: str, address: str) -> PaperSource:
    state = _projections_with(tournament, Store(database, lambda: 0)).tournaments[tournament].state
    settings = Settings(database)
    codes = PlayerCodes(read_secret(settings))
    return PaperSource(
        state,
        rules_of(state.rules),
        words_in(language),
        read_plan(settings),
        address or read_sign_in(settings).address,
        lambda player: codes.badge(tournament, player),
        read_desk(settings, tournament).registration,
        read_letterhead(settings, tournament),
    )
