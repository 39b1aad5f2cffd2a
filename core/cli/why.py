"""``saloon-rules why``: explain any dollar and any rank by its rule, row and sum."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import assert_never

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
from core.editions.edition import TieBreak
from core.game.ending.finished_game import FinishedGame
from core.game.ending.record_sheet import WhyGame, why_game
from core.game.ending.winnings import PayoutKind, PayoutPart
from core.game.in_words import EVENT_CARDS
from core.terms import Dollars, PlayerId
from core.text.money import TERM_WORDS
from core.tournament.prizes import Award, awards_of
from core.tournament.standings.tie_breaks import RULES, NoValue, Value
from core.tournament.standings.why import (
    Decided,
    Lots,
    Neighbour,
    Why,
    WhyDuel,
    WhyKey,
    WhyRank,
    WhyScore,
    explanation,
)
from core.tournament.standings.why import why as why_of
from core.tournament.state.tournament import Entrant, TournamentState

Names = Mapping[PlayerId, str]


class SumRow(msgspec.Struct, frozen=True):
    """A row of a sum. dollars: None in a row that only explains. ends: a line is drawn below it."""

    what: str
    how: str
    dollars: Dollars | None
    ends: bool = False


def score_rows(score: WhyScore, names: Names) -> Iterator[SumRow]:
    """Yield a score as a sum, from the start money down to the total."""
    yield SumRow("start money", "", score.start, ends=True)
    for share in score.shares:
        if share.why is None:
            yield SumRow(f"game {share.number}", "won" if share.won else "", share.dollars)
        else:
            yield from game_rows(share.why, names, share.dollars)
    if score.average is None:
        yield SumRow("score", "all of it together", score.score)
        return
    yield SumRow("total", "all of it together", score.total)
    games = len(score.shares)
    how = f"{score.total:,} / {games} games = {exact(score.average)}, to the nearest dollar"
    yield SumRow("score", how, score.score)


def game_rows(game: WhyGame, names: Names, counted: Dollars | None = None) -> Iterator[SumRow]:
    """Yield the result of one game: the ending, each amount with its row and formula, and the spending.

    counted: the amount that counts for the score, if that is to be shown.
    """
    line = game.line
    title = f"round {game.round}, table {game.table}"
    end = f"{line.reason.ending.value.replace('_', ' ')}: {line.reason.because.value}"
    fate = ", came back: ".join((line.fate.value, *(EVENT_CARDS[card] for card in line.comebacks)))
    yield SumRow(title, f"seat {line.seat}, {line.last_role.value}, {fate}; {end}", None)
    for part in line.parts:
        yield SumRow(f"  {_KINDS[part.kind]}", _part(part, game, names), part.dollars)
    spending = game.spending
    if spending.price:
        character = "a character" if spending.character is None else spending.character.value
        yield SumRow("  auction", f"paid for {character}", Dollars(-spending.price))
    if spending.cards:
        yield SumRow("  experience", "paid for kept cards", Dollars(-spending.cards))
    net = game.net if counted is None else counted
    left_out = "" if net == game.net else "; prices of characters do not count"
    yield SumRow("  of this game", game.source + left_out, net, ends=True)


_KINDS: Mapping[PayoutKind, str] = {
    PayoutKind.TABLE: "row of the winnings table",
    PayoutKind.REWARD: "reward",
    PayoutKind.PENALTY: "penalty",
}


def _part(part: PayoutPart, game: WhyGame, names: Names) -> str:
    words = part.printed
    if part.terms:
        sums = (f"{term.each:,} x {term.times} {TERM_WORDS[term.counted].counted}" for term in part.terms)
        words = f"{words}: {' + '.join(sums)}"
    if part.eliminated is not None:
        player = game.players[part.eliminated - 1]
        words = f"{words}: seat {part.eliminated}, {names.get(player, player)}"
    return words


def rank_sentences(why: Why, names: Names) -> Iterator[str]:
    """Yield the reasons for a rank: neighbours, tie-breaks with their sums, lot, duels, bonus and prize."""
    rank = why.rank
    place = "left the tournament, and stands at the end" if rank.row.rank is None else f"rank {rank.row.rank}"
    yield f"{place}, score {rank.row.score:,}"
    if rank.above is not None:
        yield f"behind {names.get(rank.above.player, rank.above.player)}: {_by(rank, rank.above)}"
    if rank.below is not None:
        yield f"before {names.get(rank.below.player, rank.below.player)}: {_by(rank, rank.below)}"
    for key in rank.keys:
        yield _key(key, names)
    if rank.lot is not None:
        order = ", ".join(names.get(player, player) for player in rank.lot.group)
        seed = f" from the seed {rank.lot.seed}" if rank.lot.seed else ""
        yield f"lot: drawn as number {rank.row.lot} of {order}{seed}"
    for duel in rank.duels:
        yield _duel(duel, names)
    row = rank.row
    if row.bonus:
        yield f"bonus: {row.bonus:,} for rank {row.rank}, added after the ranking and moving nobody"
    if row.bonus_by_draw:
        yield "bonus: lots decide which of the tied players get one"
    if row.prize:
        yield f"prize: {row.prize:,} for place {row.rank}, added to the total without changing the ranking"
    if row.final_score != row.score:
        yield f"final score: {row.final_score:,}"


def prize_sentences(awards: Iterable[Award], player: PlayerId, names: Names) -> Iterator[str]:
    """Yield a player's place, figure and games for each of the organiser's prizes, alone or with a club."""
    for award in awards:
        for one in award.candidates:
            figures = [figure for figure in one.counted if figure.player == player]
            if not figures:
                continue
            place = "cannot win it" if one.place is None else f"place {one.place}"
            shared = f" with {one.club}, {figures[0].figure:,} of {one.figure:,}" if one.club else ""
            figure = shared or f" with {one.figure:,}"
            games = ", ".join(f"{game.round}/{game.table}: {game.figure:,}" for game in figures[0].games)
            winners = ", ".join(each.club or names[each.counted[0].player] for each in award.winners)
            said = f"prize {award.prize.name!r} by {award.prize.basis.value}: {place}{figure}"
            yield f"{said}{f' ({games})' if games else ''}; won by {winners or 'nobody'}"


def _by(rank: WhyRank, other: Neighbour) -> str:
    match other.decided:
        case Decided.SCORE:
            return f"the score, {rank.row.score:,} against {other.score:,}"
        case Decided.KEY:
            assert other.key is not None  # a tie-break decided
            assert other.mine is not None
            assert other.theirs is not None
            mine, theirs = describe_value(other.mine), describe_value(other.theirs)
            return f"{_equal(other)}{_name(other.key)}, {mine} against {theirs}"
        case Decided.GAME_OF_TWO:
            return f"{_equal(other)}the game that the two played"
        case Decided.LOT:
            return f"{_equal(other)}drawing lots"
        case Decided.FINALS:
            return "the finals"
        case Decided.LEFT:
            return "players who left are ranked last"
        case Decided.NOTHING:
            return f"{_equal(other)}nothing decides; lots must be drawn"
        case _:
            assert_never(other.decided)


def _equal(other: Neighbour) -> str:
    return "".join(f"the same {name}, " for name in ("score", *(_name(key) for key in other.equal)))


def _name(key: TieBreak) -> str:
    return RULES[key].name


def describe_value(value: Value) -> str:
    return value.value if isinstance(value, NoValue) else exact(value)


def exact(value: Fraction) -> str:
    """Format a fraction exactly: ``1,866 2/3``."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole:,} {rest}/{value.denominator}" if rest else f"{whole:,}"


def _key(key: WhyKey, names: Names) -> str:
    rule = RULES[key.key]
    said = f"{rule.name}, higher first ({rule.source}): {describe_value(key.value)}"
    if key.faced:
        met = " + ".join(
            f"{names.get(one.player, one.player)} {one.score:,}{'' if one.times == 1 else f' x {one.times}'}"
            for one in key.faced
        )
        if key.divisor:
            per = "opponents" if key.divisor == sum(each.times for each in key.faced) else "matches"
            return f"{said} = {key.sum_of_scores:,} / {key.divisor} {per} ({met})"
        return f"{said} = {met}"
    if key.counted:
        return f"{said} (games {', '.join(str(number) for number in key.counted)})"
    return said


def _duel(duel: WhyDuel, names: Names) -> str:
    how = "won" if duel.won else "lost"
    against = names.get(duel.opponent, duel.opponent)
    if duel.result is None:
        return f"{duel.part.value}: {how} against {against}, without a duel"
    score = "-".join(str(count) for count in duel.result.score)
    return f"{duel.part.value}: {how} against {against}, {score}: {duel.result.because.value}"


class _Found(msgspec.Struct, frozen=True):
    title: str
    names: Names = {}
    why: Why | None = None
    game: WhyGame | None = None
    prizes: tuple[str, ...] = ()


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
        awards = awards_of(state, export.edition) if state.is_published else ()
        prizes = tuple(prize_sentences(awards, entrant.player, names))
        return _Found(title, names, why_of(state, export.edition, entrant.player), prizes=prizes)
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
    cases: dict[str, Case] = {}
    for kind in ("tie_breaks", "scoring"):
        with suppress(BadData):
            cases |= {case.where: case for case in read_cases(file, kind, edition_key)}
    count = 0
    for case in cases.values():
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
        "prizes": result.prizes,
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
        for sentence in (*rank_sentences(result.why, result.names), *result.prizes):
            console.print(f"  {sentence}", soft_wrap=True)
