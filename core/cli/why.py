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
from core.cli.cases.case import BASE_EDITION, EDITION_HELP, Case, read_cases
from core.cli.cases.tie_breaks import CaseTournament, case_standings
from core.cli.files import decode, file_text
from core.cli.proof_pack import Export, is_export, read_export
from core.cli.score import read_finished_game
from core.game.ending.finished_game import FinishedGame
from core.game.ending.record_sheet import WhyGame, why_game
from core.terms import PlayerId
from core.text.why_in_words import Names, SumRow, game_rows, rank_sentences, score_rows
from core.tournament.standings.why import Lots, Why, explanation
from core.tournament.standings.why import why as why_of
from core.tournament.state.tournament import Entrant, TournamentState


class _Found(msgspec.Struct, frozen=True):
    title: str
    names: Names = {}
    why: Why | None = None
    game: WhyGame | None = None


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--player", required=True, help="A name or an id; in a worked case, the name used there.")
@click.option("--game", default=None, help="Only this game: its id, or round/table such as 2/1.")
@click.option("--edition", "edition_key", default=BASE_EDITION, help=EDITION_HELP)
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def why(file: Path, player: str, game: str | None, edition_key: str, *, as_json: bool) -> None:
    """Explain a player's dollars and rank.

    FILE is a proof pack, or worked cases of scoring or of tie-breaks.
    """
    if is_export(file_text(file)):
        results = [_of_export(read_export(file), player, game)]
    else:
        results = list(_of_cases(file, player, edition_key))
    if as_json:
        echo_json(msgspec.json.encode([_fields(one) for one in results], enc_hook=_fraction))
        return
    for one in results:
        _print(table_console(), one)


def _of_export(export: Export, wanted: str, game: str | None) -> _Found:
    state = export.tournament.state
    names = {entrant.player: entrant.name for entrant in state.entrants}
    entrant = _entrant(state.entrants, wanted)
    title = f"{entrant.name}, {state.name}"
    if game is None:
        return _Found(title, names, why=why_of(state, export.edition, entrant.player))
    result = _result(state, entrant, game)
    return _Found(title, names, game=why_game(result, export.edition, entrant.player))


def _entrant(entrants: tuple[Entrant, ...], wanted: str) -> Entrant:
    fold = wanted.casefold()
    exact = [entrant for entrant in entrants if wanted == entrant.player or fold == entrant.name.casefold()]
    matches = exact or [entrant for entrant in entrants if fold in entrant.name.casefold()]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(f"{entrant.name} ({entrant.player})" for entrant in matches or entrants)
    said = "not one player" if matches else "nobody"
    raise BadData("--player", f"{wanted!r} is {said}; there are: {names}")


def _result(state: TournamentState, entrant: Entrant, game: str) -> FinishedGame:
    sheets = [sheet for drawn in state.published_rounds for sheet in drawn.sheets]
    own = [sheet for sheet in sheets if entrant.player in sheet.result.players]
    for sheet in own:
        if game in {sheet.game, f"{sheet.result.round}/{sheet.result.table}"}:
            return sheet.result
    known = ", ".join(f"{sheet.result.round}/{sheet.result.table}" for sheet in own) or "none"
    raise BadData("--game", f"{entrant.name} has no confirmed record sheet of {game!r}; there are: {known}")


def _of_cases(file: Path, player: str, edition_key: str) -> Iterator[_Found]:
    count = 0
    for kind in ("tie_breaks", "scoring"):
        try:
            cases = list(read_cases(file, kind, edition_key))
        except BadData:
            continue
        for case in cases:
            if case.not_there:
                continue
            one = _of_ranking(case, player) if "games" in case.keys else _of_game(case, player)
            if one is not None:
                count += 1
                yield one
    if not count:
        raise BadData(str(file), f"no case in it has the player {player!r}")


def _of_ranking(case: Case, player: str) -> _Found | None:
    tournament = decode(case.input, CaseTournament, case.where)
    if player not in tournament.players:
        return None
    explained = explanation(
        case_standings(tournament, case.edition, case.where),
        tournament.results(),
        tournament.rules(case.edition),
        PlayerId(player),
        Lots(tournament.lots),
    )
    return _Found(f"{player}, {case.name}", why=explained)


def _of_game(case: Case, player: str) -> _Found | None:
    game = read_finished_game(case)
    if player not in game.players:
        return None
    return _Found(f"{player}, {case.name}", game=why_game(game, case.edition, PlayerId(player)))


def _fields(result: _Found) -> Mapping[str, object]:
    return {
        "title": result.title,
        "why": result.why,
        "game": result.game,
        "sums": [{"what": row.what, "how": row.how, "dollars": row.dollars} for row in _rows(result)],
        "rank": [] if result.why is None else list(rank_sentences(result.why, result.names)),
    }


def _rows(result: _Found) -> tuple[SumRow, ...]:
    if result.why is not None:
        return tuple(score_rows(result.why.score, result.names))
    return () if result.game is None else tuple(game_rows(result.game, result.names))


def _fraction(value: object) -> object:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(f"{type(value).__name__} in JSON")


def _print(console: Console, result: _Found) -> None:
    table = Table(title=result.title, title_justify="left")
    table.add_column("what")
    table.add_column("how")
    table.add_column("$", justify="right")
    for row in _rows(result):
        dollars = "" if row.dollars is None else f"{row.dollars:,}"
        table.add_row(row.what, row.how, dollars, end_section=row.ends)
    console.print(table)
    if result.why is not None:
        for sentence in rank_sentences(result.why, result.names):
            console.print(f"  {sentence}", soft_wrap=True)
