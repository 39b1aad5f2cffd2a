"""The reasons for a score and a rank: every sum, down to the rows of the winnings tables."""

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition, Scoring, TieBreak
from core.editions.readings import MarogiAverage, MarogiScores
from core.game.ending.record_sheet import WhyGame, why_game
from core.game.result import FinishedDuel
from core.terms import Dollars, DuelPart, PlayerId
from core.tournament.standings.ledger import GameResult, accepted_results, accounts, start_money
from core.tournament.standings.standings import StandingRow, Standings, standings_of
from core.tournament.standings.tie_breaks import WON_AS, KeyValue, Value, evidence_of, faced_scores
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState


class Share(msgspec.Struct, frozen=True):
    """A game's contribution to a score.

    number: its place among the player's games, from 1.
    why: None if only the result is known.
    """

    number: int
    won: bool
    dollars: Dollars
    why: WhyGame | None = None


class WhyScore(msgspec.Struct, frozen=True):
    """A score as a sum: start money, then each game's winnings less spending.

    average: total divided by games as an exact fraction, None if scores are sums.
    """

    start: Dollars
    shares: tuple[Share, ...]
    total: Dollars
    average: Fraction | None
    score: Dollars


class Faced(msgspec.Struct, frozen=True):
    """An opponent with their score, and how often a tie-break counts it."""

    player: PlayerId
    times: int
    score: Dollars


class WhyKey(msgspec.Struct, frozen=True):
    """A player's value for a tie-break, and its grounds.

    faced: opponents whose scores count, in the order first met.
    counted: numbers of the player's games that count.
    divisor: the divisor of the opponents' total score, or 0 for a plain sum.
    """

    key: TieBreak
    value: Value
    faced: tuple[Faced, ...] = ()
    counted: tuple[int, ...] = ()
    divisor: int = 0

    @property
    def sum_of_scores(self) -> Dollars:
        return Dollars(sum(met.score * met.times for met in self.faced))


class Decided(enum.Enum):
    """The rule that ranks one player above another; the value is its label."""

    SCORE = "the higher score"
    KEY = "a tie-break"
    GAME_OF_TWO = "a game of two"
    LOT = "drawing lots"
    FINALS = "the finals"
    LEFT = "the other left the tournament"
    NOTHING = "nothing: they are tied"


class Neighbour(msgspec.Struct, frozen=True):
    """The player ranked just above or below, and what decided it.

    key: the tie-break that decided, if one did.
    equal: the tie-breaks before it, which had equal values.
    """

    player: PlayerId
    score: Dollars
    decided: Decided
    key: TieBreak | None = None
    mine: Value | None = None
    theirs: Value | None = None
    equal: tuple[TieBreak, ...] = ()


class WhyLot(msgspec.Struct, frozen=True):
    """A lot drawn for a tied group, in the order drawn."""

    group: tuple[PlayerId, ...]
    seed: str | None = None


class WhyDuel(msgspec.Struct, frozen=True):
    """A duel. result: None for a duel of the finals that was decided because a player left."""

    part: DuelPart
    opponent: PlayerId
    won: bool
    result: FinishedDuel | None


class WhyRank(msgspec.Struct, frozen=True):
    """A place in the ranking, with the player's row of the standings and their neighbours, if any."""

    row: StandingRow
    keys: tuple[WhyKey, ...]
    above: Neighbour | None
    below: Neighbour | None
    lot: WhyLot | None
    duels: tuple[WhyDuel, ...] = ()


class Why(msgspec.Struct, frozen=True):
    """The reasons for a player's score and rank."""

    player: PlayerId
    score: WhyScore
    rank: WhyRank


class Lots(msgspec.Struct, frozen=True):
    """The lots drawn so far: each tied group in the order drawn, and the seeds."""

    groups: tuple[tuple[PlayerId, ...], ...] = ()
    seeds: tuple[str, ...] = ()


def why(state: TournamentState, edition: Edition, player: PlayerId) -> Why:
    """Explain a player's current score and rank. Raises Refused for an unknown player."""
    if state.entrant(player) is None:
        raise Refused(TournamentReason.UNKNOWN_PLAYER, player=player)
    ranking = standings_of(state, edition)
    results = accepted_results(state, edition)
    games = [
        why_game(sheet.result, edition, player)
        for drawn in state.published_rounds
        for sheet in drawn.sheets
        if player in sheet.result.players
    ]
    lots = Lots(state.lots, state.lot_seeds)
    explained = explanation(ranking, results, edition, player, lots)
    shares = tuple(
        replace(share, why=game) for share, game in zip(explained.score.shares, games, strict=True)
    )
    return replace(
        explained,
        score=replace(explained.score, shares=shares),
        rank=replace(explained.rank, duels=tuple(_duels(state, player))),
    )


def explanation(
    ranking: Standings, results: Sequence[GameResult], edition: Edition, player: PlayerId, lots: Lots
) -> Why:
    """Explain a score and a rank from bare results and standings. Raises Refused for an unknown player."""
    row = ranking.row(player)
    if row is None:
        raise Refused(TournamentReason.UNKNOWN_PLAYER, player=player)
    shares = tuple(_shares(results, edition, player))
    start = start_money(edition)
    total = Dollars(start + sum(share.dollars for share in shares))
    averaged = edition.scoring is Scoring.AVERAGE and shares
    rows = list(ranking.rows)
    place = rows.index(row)
    return Why(
        player=player,
        score=WhyScore(
            start=start,
            shares=shares,
            total=total,
            average=Fraction(total, len(shares)) if averaged else None,
            score=row.score,
        ),
        rank=WhyRank(
            row=row,
            keys=tuple(_why_key(key, ranking, results, edition, player) for key in row.keys),
            above=_neighbour(row, rows[place - 1], lots) if place > 0 else None,
            below=_neighbour(row, rows[place + 1], lots) if place + 1 < len(rows) else None,
            lot=_lot(row, lots),
        ),
    )


def _shares(results: Sequence[GameResult], edition: Edition, player: PlayerId) -> Iterator[Share]:
    start = start_money(edition)
    own = [result for result in results if player in result.players]
    for number, result in enumerate(own, start=1):
        account = accounts((result,), result.players, edition)[player]
        yield Share(number, bool(account.won), Dollars(account.total - start))


def _why_key(
    key: KeyValue, ranking: Standings, results: Sequence[GameResult], edition: Edition, player: PlayerId
) -> WhyKey:
    own = [result for result in results if player in result.players]
    if key.key in {TieBreak.MAROGI, TieBreak.BUCHHOLZ}:
        scores = {row.player: row.score for row in ranking.rows}
        gone = frozenset(row.player for row in ranking.rows if row.withdrawn)
        written = accounts(results, scores, edition)
        evidence = evidence_of(tuple(results), written, scores, gone, edition.readings)
        is_marogi = key.key is TieBreak.MAROGI
        which = edition.readings.marogi_scores if is_marogi else MarogiScores.FINAL_TOTALS
        times = Counter(faced_scores(player, evidence, which))
        faced = tuple(Faced(other, count, score) for (other, score), count in times.items())
        divisor = 0
        if is_marogi:
            per_match = edition.readings.marogi_average is MarogiAverage.PER_MATCH
            divisor = len(own) if per_match else times.total()
        return WhyKey(key.key, key.value, faced, divisor=divisor)
    counted = tuple(
        number for number, result in enumerate(own, start=1) if _is_counted(key.key, result, player)
    )
    return WhyKey(key.key, key.value, counted=counted)


def _is_counted(key: TieBreak, result: GameResult, player: PlayerId) -> bool:
    if player not in result.winners:
        return False
    role = result.roles[result.players.index(player)] if result.roles else None
    return key is TieBreak.MATCHES_WON or (role is not None and WON_AS.get(key) is role)


def _neighbour(row: StandingRow, other: StandingRow, lots: Lots) -> Neighbour:
    if row.withdrawn is not other.withdrawn:
        return Neighbour(other.player, other.score, Decided.LEFT)
    if row.round_rank is not None or other.round_rank is not None:
        return Neighbour(other.player, other.score, Decided.FINALS)
    if row.score != other.score:
        return Neighbour(other.player, other.score, Decided.SCORE)
    equal: list[TieBreak] = []
    for mine, theirs in zip(row.keys, other.keys, strict=True):
        if mine.value != theirs.value:
            return Neighbour(
                player=other.player,
                score=other.score,
                decided=Decided.KEY,
                key=mine.key,
                mine=mine.value,
                theirs=theirs.value,
                equal=tuple(equal),
            )
        equal.append(mine.key)
    if row.one_on_one and other.one_on_one:
        return Neighbour(other.player, other.score, Decided.GAME_OF_TWO, equal=tuple(equal))
    drawn = _lot(row, lots)
    by_lot = row.lot is not None and drawn is not None and other.player in drawn.group
    decided = Decided.LOT if by_lot else Decided.NOTHING
    return Neighbour(other.player, other.score, decided, equal=tuple(equal))


def _lot(row: StandingRow, lots: Lots) -> WhyLot | None:
    if row.lot is None:
        return None
    for number in reversed(range(len(lots.groups))):
        group = lots.groups[number]
        if row.lot <= len(group) and group[row.lot - 1] == row.player:
            return WhyLot(group, lots.seeds[number] if lots.seeds else None)
    return None


def _duels(state: TournamentState, player: PlayerId) -> Iterator[WhyDuel]:
    for result in (sheet.result for duels in state.tie_duels for sheet in duels.sheets):
        if player in result.players:
            (opponent,) = (other for other in result.players if other != player)
            yield WhyDuel(DuelPart.TIE_BREAK, opponent, result.winning_player == player, result)
    if state.finals is None:
        return
    finals = state.finals
    played = {
        frozenset(sheet.result.players): sheet.result for duels in finals.begun for sheet in duels.sheets
    }
    parts = (DuelPart.SEMIFINALS, DuelPart.SEMIFINALS, DuelPart.FINAL)
    pairs = (*finals.semifinal_pairs, finals.final_pair)
    winners = (*finals.semifinal_winners, finals.champion)
    for part, pair, winner in zip(parts, pairs, winners, strict=True):
        if pair is not None and player in pair and winner is not None:
            (opponent,) = (other for other in pair if other != player)
            yield WhyDuel(part, opponent, winner == player, played.get(frozenset(pair)))
