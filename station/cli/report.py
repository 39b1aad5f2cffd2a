"""``report``: write one of a tournament's papers as a PDF file."""

from pathlib import Path

import click
import msgspec

from base.errors import BadData
from base.languages import LANGUAGES
from base.terminal_text import echo
from core.editions.loader import rules_of
from core.terms import TournamentId
from station.cli.copies import copied_database, projections_with
from station.cli.options import data_option, new_file
from station.hall.sign_in_links import checked_address, read_secret, read_sign_in
from station.paper.layouts import PaperSize
from station.paper.papers import OF_A_ROUND, PaperKind, PaperSource, paper_of
from station.paper.typesetting import pdf_of
from station.plan.service import read_plan
from station.players.codes import PlayerCodes
from station.store.data_folder import DataFolder
from station.store.database import Database
from station.store.secret_files import write_secret_file
from station.store.settings import Settings
from station.store.store import Store
from station.text.i18n import words_in

_SIZES = {"a4": PaperSize.A4, "letter": PaperSize.LETTER}


class _Choice(msgspec.Struct, frozen=True):
    kind: PaperKind
    size: PaperSize
    language: str
    round: int | None
    address: str


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
    choice = _Choice(kind, _SIZES[size], language, round_no, checked_address(address))
    with copied_database(folder) as database:
        content = _content(database, TournamentId(tournament), choice)
    write_secret_file(file, content)
    echo(f"{file}: {len(content):,} bytes")


def _content(database: Database, tournament: TournamentId, choice: _Choice) -> bytes:
    state = projections_with(tournament, Store(database, lambda: 0)).tournaments[tournament].state
    settings = Settings(database)
    codes = PlayerCodes(read_secret(settings))
    source = PaperSource(
        state,
        rules_of(state.rules),
        words_in(choice.language),
        read_plan(settings),
        choice.address or read_sign_in(settings).address,
        lambda player: codes.badge(tournament, player),
    )
    return pdf_of(paper_of(choice.kind, source, size=choice.size, round_no=choice.round))
