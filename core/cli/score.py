"""``saloon-rules score``: compute the winnings of finished games, and show finished duels."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.errors import BadData, Refused
from base.terminal_text import echo_json
from core.cli.cases.case import BASE_EDITION, EDITION_HELP, Case, read_cases
from core.cli.cases.games import finished_case
from core.cli.files import decode, file_text
from core.cli.proof_pack import audited_games, is_export, read_export
from core.differences import Difference
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame, check_finished
from core.game.ending.record_sheet import record_sheet
from core.game.result import FinishedDuel, check_finished_duel
from core.terms import PlayerId


class Scored(msgspec.Struct, frozen=True):
    """A scored game or a finished duel, with the players' names if known. note: why it couldn't be scored."""

    title: str
    source: str = ""
    game: FinishedGame | FinishedDuel | None = None
    edition: Edition | None = None
    names: Mapping[PlayerId, str] = {}
    disagreement: tuple[Difference, ...] = ()
    note: str = ""

    @property
    def heading(self) -> str:
        return f"{self.title} ({self.source})" if self.source else self.title


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--edition", "edition_key", default=BASE_EDITION, help=EDITION_HELP)
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def score(files: tuple[Path, ...], edition_key: str, *, as_json: bool) -> None:
    """Show what finished games pay, seat by seat.

    A file is a station's export, worked cases, one finished game or duel, or a list of them.
    """
    scored = [result for path in files for result in _score_file(path, edition_key)]
    if as_json:
        echo_json(msgspec.json.encode([scored_fields(result) for result in scored]))
        return
    console = table_console()
    for result in scored:
        print_scored(console, result)


def _score_file(path: Path, edition_key: str) -> Iterator[Scored]:
    if is_export(file_text(path)):
        yield from _from_export(path)
        return
    for case in read_cases(path, "scoring", edition_key):
        if case.not_there:
            yield Scored(case.name, note=case.not_there)
        elif {"winner", "score"} <= case.keys.keys():
            yield Scored(case.name, game=_read_duel(case))
        else:
            yield Scored(case.name, game=read_finished_game(case), edition=case.edition)


def _read_duel(case: Case) -> FinishedDuel:
    duel = decode(case.input, FinishedDuel, case.where)
    with _refusals_as_bad_data(case):
        check_finished_duel(duel, case.edition)
    return duel


def read_finished_game(case: Case) -> FinishedGame:
    """Return the finished game of a case or of a plain object. Raises BadData for an impossible one."""
    if "ending" not in case.keys:
        return finished_case(case)[0]
    game = decode(case.input, FinishedGame, case.where)
    with _refusals_as_bad_data(case):
        check_finished(game, case.edition)
    return game


@contextmanager
def _refusals_as_bad_data(case: Case) -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise BadData(case.where, str(refusal)) from refusal


def _from_export(path: Path) -> Iterator[Scored]:
    export = read_export(path)
    names = {entrant.player: entrant.name for entrant in export.tournament.state.entrants}
    for audited in audited_games(export):
        title, result = audited.title, audited.result
        if result is None:
            yield Scored(title, note="no result yet")
        else:
            yield Scored(title, audited.source, result, export.edition, names, audited.disagreement)
    for duels in export.tournament.state.duels:
        for accepted in duels.sheets:
            title = f"{duels.part.value}, table {accepted.result.table}"
            yield Scored(title, accepted.source.value, accepted.result, names=names)


def scored_fields(result: Scored) -> Mapping[str, object]:
    """Return a result as JSON fields."""
    if isinstance(result.game, FinishedDuel):
        duel = result.game
        return {
            "game": result.title,
            "source": result.source,
            "kind": duel.kind.value,
            "winner": duel.winning_player,
            "score": duel.score,
            "because": duel.because.value,
            "ruling": duel.ruling,
        }
    if result.game is None or result.edition is None:
        return {"game": result.title, "note": result.note}
    sheet = record_sheet(result.game, result.edition)
    return {
        "game": result.title,
        "round": sheet.round,
        "table": sheet.table,
        "edition": sheet.edition,
        "source": result.source,
        "ending": sheet.ending.value,
        "seats": [
            {
                "seat": line.seat,
                "player": line.player,
                "role": line.role.value,
                "won": line.won,
                "winnings": line.winnings,
                "parts": [
                    {"kind": part.kind.value, "dollars": part.dollars, "printed": part.printed}
                    for part in line.parts
                ],
            }
            for line in sheet.lines
        ],
        "disagreement": [
            {"field": d.path, "accepted": d.expected, "terminal": d.actual} for d in result.disagreement
        ],
    }


def print_scored(console: Console, result: Scored) -> None:
    """Print a result, or the reason why there is none."""
    if isinstance(result.game, FinishedDuel):
        console.print(_duel_table(result, result.game))
        return
    if result.game is None or result.edition is None:
        console.print(f"{result.title}: {result.note}", style="yellow")
        return
    sheet = record_sheet(result.game, result.edition)
    table = Table(title=f"{result.heading}: {sheet.because.value}", title_justify="left")
    for heading in ("seat", "player", "role", "fate", "row of the winnings table"):
        table.add_column(heading)
    table.add_column("$", justify="right")
    for line in sheet.lines:
        table.add_row(
            str(line.seat),
            result.names.get(line.player, line.player),
            line.role.value,
            line.fate.value,
            " + ".join(part.printed for part in line.parts),
            f"{line.winnings:,}",
        )
    console.print(table)
    for difference in result.disagreement:
        console.print(
            f"  the terminal disagrees: {difference.path} is {difference.actual} there, "
            f"{difference.expected} on the accepted sheet, which counts",
            style="bold yellow",
            soft_wrap=True,
        )


def _duel_table(result: Scored, duel: FinishedDuel) -> Table:
    table = Table(title=f"{result.heading}: {duel.ruling or duel.because.value}", title_justify="left")
    for heading in ("seat", "player", "eliminated", "characters", ""):
        table.add_column(heading)
    for seat, player in enumerate(duel.players, start=1):
        table.add_row(
            str(seat),
            result.names.get(player, player),
            str(duel.score[seat - 1]),
            ", ".join(character.value for character in duel.characters[seat - 1]),
            "has won" if seat == duel.winner else "",
        )
    return table
