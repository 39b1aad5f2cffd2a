"""``saloon-rules rank``: compute a ranking from games."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.terminal_text import echo_json
from core.cli.cases.case import BASE_EDITION, EDITION_HELP, Case, read_cases
from core.cli.cases.tie_breaks import (
    CaseTournament,
    after_duels,
    case_standings,
    row_fields,
    standings_fields,
)
from core.cli.files import decode, file_text
from core.cli.proof_pack import Export, audited_games, is_export, read_export, step_faults
from core.cli.why import describe_value
from core.proof.steps import changed_draw_notes
from core.terms import PlayerId
from core.tournament.standings.standings import Standings, standings_of
from core.tournament.standings.tie_breaks import RULES


class _Ranked(msgspec.Struct, frozen=True):
    title: str
    standings: Standings | None = None
    names: Mapping[PlayerId, str] = {}
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--edition", "edition_key", default=BASE_EDITION, help=EDITION_HELP)
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def rank(files: tuple[Path, ...], edition_key: str, *, as_json: bool) -> None:
    """Rank the players of tournaments.

    A file is a station's export, worked cases, or one object with players and games. All results of an export
    are recomputed, including draws; the exit status is 1 if a draw or another step does not follow from its
    seed and the rules.
    """
    ranked = [result for path in files for result in _rank_file(path, edition_key)]
    if as_json:
        echo_json(msgspec.json.encode([_fields(result) for result in ranked]))
    else:
        console = table_console()
        for result in ranked:
            _print(console, result)
    if any(result.faults for result in ranked):
        sys.exit(1)


def _rank_file(path: Path, edition_key: str) -> list[_Ranked]:
    if is_export(file_text(path)):
        return [_of_export(read_export(path))]
    return [_of_case(case) for case in read_cases(path, "tie_breaks", edition_key)]


def _of_case(case: Case) -> _Ranked:
    if case.not_there:
        return _Ranked(case.name, notes=(case.not_there,))
    tournament = decode(case.input, CaseTournament, case.where)
    ranking = case_standings(tournament, case.edition, case.where)
    return _Ranked(case.name, after_duels(tournament, case.edition, ranking, case.where))


def _of_export(export: Export) -> _Ranked:
    state = export.tournament.state
    games = tuple(audited_games(export))
    notes = tuple(
        f"{game.title}: the terminal says {difference.path} is "
        f"{difference.actual}, the accepted sheet {difference.expected}; the sheet counts"
        for game in games
        for difference in game.disagreement
    )
    missing = sum(game.accepted is None for game in games)
    if missing:
        notes += (f"{missing} record sheets are not accepted yet and do not count",)
    notes += tuple(changed_draw_notes(state))
    return _Ranked(
        title=f"{state.name}, {len(state.published_rounds)} rounds, {len(games)} games",
        standings=standings_of(state, export.edition),
        names={entrant.player: entrant.name for entrant in state.entrants},
        notes=notes,
        faults=tuple(step_faults(export)),
    )


def _fields(result: _Ranked) -> Mapping[str, object]:
    fields: dict[str, object] = {"title": result.title, "notes": result.notes, "faults": result.faults}
    if result.standings is None:
        return fields
    rows = [
        {**row_fields(row), "name": result.names.get(row.player, row.player)} for row in result.standings.rows
    ]
    return {**fields, **standings_fields(result.standings), "standings": rows}


def _print(console: Console, result: _Ranked) -> None:
    if result.standings is not None:
        console.print(_table(result.title, result.standings, result.names))
        for group in result.standings.draw_groups:
            names = ", ".join(result.names.get(player, player) for player in group)
            console.print(f"  tied after all tie-breaks, to be drawn: {names}", style="yellow")
    else:
        console.print(result.title)
    for note in result.notes:
        console.print(f"  {note}", style="yellow", soft_wrap=True)
    for fault in result.faults:
        console.print(f"  {fault}", style="bold red", soft_wrap=True)


def _table(title: str, ranking: Standings, names: Mapping[PlayerId, str]) -> Table:
    keys = [key.key for key in ranking.rows[0].keys] if ranking.rows else []
    table = Table(title=title, title_justify="left")
    table.add_column("rank")
    table.add_column("player")
    headings = (
        "score",
        *(RULES[key].name for key in keys),
        "total",
        "games",
        "lot",
        "bonus",
        "prize",
        "final",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in ranking.rows:
        table.add_row(
            "left" if row.rank is None else str(row.rank),
            names.get(row.player, row.player),
            f"{row.score:,}",
            *(describe_value(key.value) for key in row.keys),
            f"{row.total:,}",
            str(row.games),
            "game of two" if row.one_on_one else "" if row.lot is None else str(row.lot),
            "by lot" if row.bonus_by_draw else str(row.bonus),
            f"{row.prize:,}",
            f"{row.final_score:,}",
        )
    return table
