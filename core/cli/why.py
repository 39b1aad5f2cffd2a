"""``saloon-rules why``: explain any dollar and any rank by its rule, row and sum."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.errors import BadData
from base.terminal_text import echo_json
from core.cli.cases.inputs import DEFAULT_EDITION, EDITION_HELP, Given, read_inputs
from core.cli.cases.tie_breaks import CaseTournament, case_results, case_rules, case_standings
from core.cli.export_file import Export, is_export, read_export
from core.cli.files import decode, file_text
from core.cli.score import read_finished_game
from core.game.ending.finished import FinishedGame
from core.game.ending.why import WhyGame, why_game
from core.terms import PlayerId
from core.text.why_in_words import SumRow, game_rows, rank_sentences, score_rows
from core.tournament.standings.why import Lots, Why, explanation
from core.tournament.standings.why import why as why_of
from core.tournament.state import Entrant, TournamentState

Names = Mapping[PlayerId, str]


class Found(msgspec.Struct, frozen=True):
    """The answer to a query. ``why`` explains score and rank, ``game`` a single game.

    ``note`` explains why there is no answer.
    """

    title: str
    names: Names = {}
    why: Why | None = None
    game: WhyGame | None = None
    note: str = ""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--player", required=True, help="A name or an id; in a worked case, the name used there.")
@click.option("--game", default=None, help="Only this game: its id, or round/table such as 2/1.")
@click.option("--edition", "edition_key", default=DEFAULT_EDITION, help=EDITION_HELP)
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def why(file: Path, player: str, game: str | None, edition_key: str, *, as_json: bool) -> None:
    """Explain a player's dollars and rank.

    FILE is a proof pack, or worked cases of scoring or of tie-breaks.
    """
    if is_export(file_text(file)):
        found = [_of_export(read_export(file), player, game)]
    else:
        found = list(_of_cases(file, player, edition_key))
    if as_json:
        echo_json(msgspec.json.encode([_fields(one) for one in found], enc_hook=_fraction))
        return
    for one in found:
        _print(table_console(), one)


def _of_export(export: Export, wanted: str, game: str | None) -> Found:
    state = export.tournament.state
    names = {entrant.player: entrant.name for entrant in state.entrants}
    entrant = _entrant(state.entrants, wanted)
    title = f"{entrant.name}, {state.name}"
    if game is None:
        return Found(title, names, why=why_of(state, export.edition, entrant.player))
    result = _result(state, entrant, game)
    return Found(title, names, game=why_game(result, export.edition, entrant.player))


def _entrant(entrants: tuple[Entrant, ...], wanted: str) -> Entrant:
    fold = wanted.casefold()
    exact = [entrant for entrant in entrants if wanted == entrant.player or fold == entrant.name.casefold()]
    found = exact or [entrant for entrant in entrants if fold in entrant.name.casefold()]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"{entrant.name} ({entrant.player})" for entrant in found or entrants)
    said = "not one player" if found else "nobody"
    raise BadData("--player", f"{wanted!r} is {said}; there are: {names}")


def _result(state: TournamentState, entrant: Entrant, game: str) -> FinishedGame:
    sheets = [sheet for drawn in state.published_rounds for sheet in drawn.sheets]
    own = [sheet for sheet in sheets if entrant.player in sheet.result.players]
    for sheet in own:
        if game in {sheet.game, f"{sheet.result.round}/{sheet.result.table}"}:
            return sheet.result
    known = ", ".join(f"{sheet.result.round}/{sheet.result.table}" for sheet in own) or "none"
    raise BadData("--game", f"{entrant.name} has no confirmed record sheet of {game!r}; there are: {known}")


def _of_cases(file: Path, player: str, edition_key: str) -> Iterator[Found]:
    found = 0
    for kind in ("tie_breaks", "scoring"):
        try:
            inputs = list(read_inputs(file, kind, edition_key))
        except BadData:
            continue
        for given in inputs:
            one = _of_ranking(given, player) if _is_ranking(given) else _of_game(given, player)
            if one is not None:
                found += 1
                yield one
    if not found:
        raise BadData(str(file), f"no case in it has the player {player!r}")


def _is_ranking(given: Given) -> bool:
    return "games" in decode(given.vector.input, dict[str, msgspec.Raw], given.where)


def _of_ranking(given: Given, player: str) -> Found | None:
    if given.not_there:
        return None
    tournament = decode(given.vector.input, CaseTournament, given.where)
    if player not in tournament.players:
        return None
    standings = case_standings(tournament, given.edition, given.where)
    rules = case_rules(tournament, given.edition)
    lots = Lots(tournament.lots)
    explained = explanation(standings, case_results(tournament), rules, PlayerId(player), lots)
    return Found(f"{player}, {given.name}", why=explained)


def _of_game(given: Given, player: str) -> Found | None:
    if given.not_there:
        return None
    game = read_finished_game(given)
    if player not in game.players:
        return None
    return Found(f"{player}, {given.name}", game=why_game(game, given.edition, PlayerId(player)))


def _fields(found: Found) -> Mapping[str, object]:
    return {
        "title": found.title,
        "why": found.why,
        "game": found.game,
        "sums": [_row_fields(row) for row in _rows(found)],
        "rank": [] if found.why is None else list(rank_sentences(found.why, found.names)),
    }


def _row_fields(row: SumRow) -> Mapping[str, object]:
    return {"what": row.what, "how": row.how, "dollars": row.dollars}


def _rows(found: Found) -> tuple[SumRow, ...]:
    if found.why is not None:
        return tuple(score_rows(found.why.score, found.names))
    return () if found.game is None else tuple(game_rows(found.game, found.names))


def _fraction(value: object) -> object:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(f"{type(value).__name__} in JSON")


def _print(console: Console, found: Found) -> None:
    table = Table(title=found.title, title_justify="left")
    table.add_column("what")
    table.add_column("how")
    table.add_column("$", justify="right")
    for row in _rows(found):
        dollars = "" if row.dollars is None else f"{row.dollars:,}"
        table.add_row(row.what, row.how, dollars, end_section=row.ends)
    console.print(table)
    if found.why is not None:
        for sentence in rank_sentences(found.why, found.names):
            console.print(f"  {sentence}", soft_wrap=True)
