"""``saloon-rules score``: compute the winnings of finished games, and show finished duels."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.errors import BadData, Refused
from base.terminal_text import echo_json
from core.cli.audit import audited_games
from core.cli.cases.games import case_game, finished_case
from core.cli.cases.inputs import DEFAULT_EDITION, EDITION_HELP, Given, read_inputs
from core.cli.export_file import is_export, read_export
from core.cli.files import decode, file_text
from core.differences import Difference
from core.editions.edition import Edition
from core.game.ending.finished import FinishedGame, check_finished
from core.game.ending.record_sheet import record_sheet
from core.game.result import FinishedDuel, check_finished_duel
from core.terms import PlayerId
from core.tournament.state.tournament import TournamentState


class ScoredDuel(msgspec.Struct, frozen=True):
    """A duel with its result. ``names`` are the players' names, if known."""

    title: str
    duel: FinishedDuel
    source: str = ""
    names: Mapping[PlayerId, str] = {}


def is_duel(item: Given) -> bool:
    """Return whether an input is a finished duel: it has a winner and no roles."""
    fields = decode(item.vector.input, dict[str, msgspec.Raw], item.where)
    return "winner" in fields and "score" in fields


def read_duel(item: Given) -> ScoredDuel:
    """Return the duel of an input. Raises BadData for one that is impossible under the edition."""
    duel = decode(item.vector.input, FinishedDuel, item.where)
    return ScoredDuel(item.name, _check_duel(duel, item.edition, item.where))


def duels_of(state: TournamentState, names: Mapping[PlayerId, str]) -> Iterator[ScoredDuel]:
    """Yield the accepted duels of a tournament, in order."""
    for duels in state.duels:
        for accepted in duels.sheets:
            title = f"{duels.part.value}, table {accepted.result.table}"
            yield ScoredDuel(title, accepted.result, accepted.source.value, names)


def duel_fields(result: ScoredDuel) -> Mapping[str, object]:
    """Return a duel as JSON fields."""
    duel = result.duel
    return {
        "game": result.title,
        "source": result.source,
        "kind": duel.kind.value,
        "winner": duel.winning_player,
        "score": duel.score,
        "because": duel.because.value,
        "ruling": duel.ruling,
    }


def print_duel(console: Console, result: ScoredDuel) -> None:
    """Print a duel."""
    duel = result.duel
    source = f" ({result.source})" if result.source else ""
    table = Table(title=f"{result.title}{source}: {duel.ruling or duel.because.value}", title_justify="left")
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
    console.print(table)


def _check_duel(duel: FinishedDuel, edition: Edition, where: str) -> FinishedDuel:
    try:
        check_finished_duel(duel, edition)
    except Refused as refusal:
        raise BadData(where, str(refusal)) from refusal
    return duel


class Scored(msgspec.Struct, frozen=True):
    """A scored game.

    names: the players' names, if known.
    note: the reason why it couldn't be scored.
    """

    title: str
    source: str = ""
    game: FinishedGame | None = None
    edition: Edition | None = None
    names: Mapping[PlayerId, str] = {}
    disagreement: tuple[Difference, ...] = ()
    note: str = ""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--edition", "edition_key", default=DEFAULT_EDITION, help=EDITION_HELP)
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def score(files: tuple[Path, ...], edition_key: str, *, as_json: bool) -> None:
    """Show what finished games pay, seat by seat.

    A file is a station's export, worked cases, one finished game or duel, or a list of them.
    """
    scored = [result for path in files for result in _score_file(path, edition_key)]
    if as_json:
        fields = [
            duel_fields(result) if isinstance(result, ScoredDuel) else _fields(result) for result in scored
        ]
        echo_json(msgspec.json.encode(fields))
        return
    console = table_console()
    for result in scored:
        if isinstance(result, ScoredDuel):
            print_duel(console, result)
        else:
            _print(console, result)


def _score_file(path: Path, edition_key: str) -> Iterator[Scored | ScoredDuel]:
    if is_export(file_text(path)):
        yield from _from_export(path)
        return
    for item in read_inputs(path, "scoring", edition_key):
        if item.not_there:
            yield Scored(title=item.name, note=item.not_there)
        elif is_duel(item):
            yield read_duel(item)
        else:
            yield Scored(title=item.name, game=read_finished_game(item), edition=item.edition)


def read_finished_game(item: Given) -> FinishedGame:
    """Return the finished game of a case or a plain object. Raises BadData for an impossible one."""
    fields = decode(item.vector.input, dict[str, msgspec.Raw], item.where)
    if "ending" not in fields:
        return finished_case(case_game(item.vector, item.where), item.edition, item.where)[0]
    game = decode(item.vector.input, FinishedGame, item.where)
    try:
        check_finished(game, item.edition)
    except Refused as refusal:
        raise BadData(item.where, str(refusal)) from refusal
    return game


def _from_export(path: Path) -> Iterator[Scored | ScoredDuel]:
    export = read_export(path)
    names = {entrant.player: entrant.name for entrant in export.tournament.state.entrants}
    for audited in audited_games(export):
        title = f"round {audited.round.round}, table {audited.table.table}"
        if audited.result is None:
            yield Scored(title=title, note="no result yet")
            continue
        yield Scored(
            title=title,
            source=audited.source,
            game=audited.result,
            edition=export.edition,
            names=names,
            disagreement=audited.disagreement,
        )
    yield from duels_of(export.tournament.state, names)


def _fields(result: Scored) -> Mapping[str, object]:
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


def _print(console: Console, result: Scored) -> None:
    if result.game is None or result.edition is None:
        console.print(f"{result.title}: {result.note}", style="yellow")
        return
    sheet = record_sheet(result.game, result.edition)
    source = f" ({result.source})" if result.source else ""
    table = Table(title=f"{result.title}{source}: {sheet.because.value}", title_justify="left")
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
