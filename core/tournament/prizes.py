"""The organiser's prizes: how they are defined, who wins them, and the games behind each figure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Self, assert_never

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from base.immutable import cache_by_identity
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame
from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.standings.ledger import game_result
from core.tournament.standings.standings import Rank, StandingRow, standings_of
from core.tournament.state.decision import Decision, HallFacts, require_entrant, require_unpublished
from core.tournament.state.names import checked_club, checked_name, fold_name
from core.tournament.state.prizes import ROLES_WON, Prize, PrizeBasis, PrizeExclusion, PrizeGroup
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState

MOST_PRIZES: Final = 20
MOST_PLACES: Final = 20
"""The most places of a prize, and the most players of a club who count."""
_PODIUM: Final = 3
_KEPT: Final = 8
"""Cache size; phones load the public page often."""


class ChangePrizes(Decision, frozen=True, tag="prizes-changed"):
    """Replace the prizes, in the order in which they are awarded."""

    prizes: tuple[Prize, ...]
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        if len(self.prizes) > MOST_PRIZES:
            raise Refused(TournamentReason.TOO_MANY_PRIZES, most=MOST_PRIZES)
        prizes = tuple(_checked(prize, state) for prize in self.prizes)
        names = set[str]()
        for prize in prizes:
            if fold_name(prize.name) in names:
                raise Refused(TournamentReason.PRIZE_TWICE, name=prize.name)
            names.add(fold_name(prize.name))
        if prizes == state.prizes:
            raise Refused(TournamentReason.SAME_PRIZES)
        return replace(self, prizes=prizes)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, prizes=self.prizes)


def _checked(prize: Prize, state: TournamentState) -> Prize:
    """Return a prize without the fields that its group doesn't need. Raises Refused."""
    name, club = checked_name(prize.name), checked_club(prize.club)
    if not (1 <= prize.places <= MOST_PLACES and 1 <= prize.best <= MOST_PLACES):
        raise Refused(TournamentReason.PRIZE_OUT_OF_RANGE, most=MOST_PLACES)
    made = Prize(name, prize.basis, prize.group, prize.excluded, prize.places)
    match prize.group:
        case PrizeGroup.ONE_CLUB if not club:
            raise Refused(TournamentReason.NO_PRIZE_CLUB, name=name)
        case PrizeGroup.ONE_CLUB:
            return replace(made, club=club)
        case PrizeGroup.CHOSEN:
            chosen = {require_entrant(state, player).player for player in prize.players}
            return replace(made, players=tuple(p.player for p in state.entrants if p.player in chosen))
        case PrizeGroup.CLUBS:
            return replace(made, excluded=PrizeExclusion.NOBODY, best=prize.best)
        case _:
            return made


class CountedGame(msgspec.Struct, frozen=True):
    """A game that a figure comes from, and what it adds: a win, dollars, or eliminations."""

    round: RoundNo
    table: TableNo
    figure: int


class PrizeFigure(msgspec.Struct, frozen=True):
    """A player's figure for a prize, with their place in the ranking."""

    player: PlayerId
    rank: Rank
    figure: int
    games: tuple[CountedGame, ...] = ()


class PrizeCandidate(msgspec.Struct, frozen=True):
    """A player or a club, with the figure for a prize.

    club: "" for a player.
    counted: the player's figure, or those of the club's best players.
    place: equal candidates share one; None for a candidate who can't win.
    is_winner: the place is among those that win something.
    """

    club: str
    figure: int
    counted: tuple[PrizeFigure, ...]
    place: int | None = None
    is_winner: bool = False

    @property
    def player(self) -> PlayerId:
        return self.counted[0].player

    @property
    def rank(self) -> Rank:
        """The place in the ranking, which decides between equal figures; of a club, its best player's."""
        return min((one.rank for one in self.counted), key=lambda rank: rank.first)


class Award(msgspec.Struct, frozen=True):
    """A prize and its candidates: best first, each excluded one where the figure would put them."""

    prize: Prize
    candidates: tuple[PrizeCandidate, ...]

    @property
    def winners(self) -> tuple[PrizeCandidate, ...]:
        return tuple(one for one in self.candidates if one.is_winner)


@cache_by_identity(_KEPT)
def awards_of(state: TournamentState, edition: Edition) -> tuple[Award, ...]:
    """Return the prizes with their winners by the current ranking, in the organiser's order.

    Equal figures are separated by the place in the ranking; candidates who share that too share the prize.
    Only players who are still in the tournament can win. Duels aren't counted.
    """
    if not state.prizes:
        return ()
    rows = [row for row in standings_of(state, edition).rows if row.rank is not None]
    games = [sheet.result for drawn in state.published_rounds for sheet in drawn.sheets]
    counted = {basis: _counted(basis, games, edition) for basis in {prize.basis for prize in state.prizes}}
    podium = frozenset(row.player for row in rows if row.rank is not None and row.rank.first <= _PODIUM)
    awards: list[Award] = []
    winners = set(podium)
    for prize in state.prizes:
        figures = _eligible(_figures(prize, rows, counted[prize.basis]), prize, state)
        if prize.group is PrizeGroup.CLUBS:
            candidates = _clubs(figures, prize, state)
        else:
            candidates = [PrizeCandidate("", one.figure, (one,)) for one in figures]
        excluded = {
            PrizeExclusion.NOBODY: frozenset[PlayerId](),
            PrizeExclusion.PODIUM: podium,
            PrizeExclusion.WINNERS: frozenset(winners),
        }[prize.excluded]
        award = Award(prize, tuple(_placed(candidates, prize, excluded)))
        winners.update(one.player for one in award.winners if not one.club)
        awards.append(award)
    return tuple(awards)


def _counted(
    basis: PrizeBasis, games: Sequence[FinishedGame], edition: Edition
) -> Mapping[PlayerId, Sequence[CountedGame]]:
    counted: dict[PlayerId, list[CountedGame]] = defaultdict(list)
    for game in games if basis is not PrizeBasis.RANKING else ():
        for player, figure in _in_game(basis, game, edition).items():
            counted[player].append(CountedGame(game.round, game.table, figure))
    return counted


def _figures(
    prize: Prize, rows: Sequence[StandingRow], counted: Mapping[PlayerId, Sequence[CountedGame]]
) -> Iterator[PrizeFigure]:
    for row in rows:
        if row.rank is None:
            continue
        own = counted.get(row.player, ())
        if prize.basis is PrizeBasis.RANKING:
            yield PrizeFigure(row.player, row.rank, row.final_score)
        elif own and prize.basis is PrizeBasis.BEST_GAME:
            best = max(own, key=lambda one: one.figure)
            yield PrizeFigure(row.player, row.rank, best.figure, (best,))
        elif own or (prize.basis is not PrizeBasis.BEST_GAME and prize.group is PrizeGroup.CLUBS):
            yield PrizeFigure(row.player, row.rank, sum(one.figure for one in own), tuple(own))


def _in_game(basis: PrizeBasis, game: FinishedGame, edition: Edition) -> Mapping[PlayerId, int]:
    """Return what a game adds to its players' figures; nothing for a game without a win or elimination."""
    if basis is PrizeBasis.ELIMINATIONS:
        killers = [game.players[one.by - 1] for one in game.eliminations if one.by is not None]
        return {player: killers.count(player) for player in killers}
    result = game_result(game, edition)
    if basis is PrizeBasis.BEST_GAME:
        return dict(zip(result.players, result.payout, strict=True))
    roles = dict(zip(game.players, game.roles, strict=True))
    role = ROLES_WON.get(basis)
    return {player: 1 for player in result.winners if role is None or roles[player] is role}


def _eligible(figures: Iterable[PrizeFigure], prize: Prize, state: TournamentState) -> list[PrizeFigure]:
    clubs = {entrant.player: fold_name(entrant.club) for entrant in state.entrants}
    match prize.group:
        case PrizeGroup.EVERYONE:
            players = frozenset(clubs)
        case PrizeGroup.NEWCOMERS:
            players = frozenset(state.newcomers)
        case PrizeGroup.CHOSEN:
            players = frozenset(prize.players)
        case PrizeGroup.ONE_CLUB:
            wanted = fold_name(prize.club)
            players = frozenset(player for player, club in clubs.items() if club == wanted)
        case PrizeGroup.CLUBS:
            players = frozenset(player for player, club in clubs.items() if club)
        case _:
            assert_never(prize.group)
    return [one for one in figures if one.player in players]


def _clubs(figures: Sequence[PrizeFigure], prize: Prize, state: TournamentState) -> list[PrizeCandidate]:
    """Return the clubs that have enough players, each with its best ones."""
    names = {entrant.player: entrant.club for entrant in state.entrants}
    clubs: dict[str, list[PrizeFigure]] = defaultdict(list)
    for one in figures:
        clubs[fold_name(names[one.player])].append(one)
    candidates = []
    for players in clubs.values():
        counted = sorted(players, key=lambda one: (-one.figure, one.rank.first))[: prize.best]
        total = sum(one.figure for one in counted)
        if len(counted) == prize.best and (total or prize.basis.is_money):
            candidates.append(PrizeCandidate(names[counted[0].player], total, tuple(counted)))
    return candidates


def _placed(
    candidates: Sequence[PrizeCandidate], prize: Prize, excluded: frozenset[PlayerId]
) -> Iterator[PrizeCandidate]:
    is_by_rank = prize.basis is PrizeBasis.RANKING and prize.group is not PrizeGroup.CLUBS

    def _key(one: PrizeCandidate) -> tuple[int, int]:
        return (0 if is_by_rank else -one.figure), one.rank.first

    place = number = 0
    above: PrizeCandidate | None = None
    for one in sorted(candidates, key=_key):
        if not one.club and one.player in excluded:
            yield one
            continue
        number += 1
        if above is None or _key(one) != _key(above):
            place = number
        yield replace(one, place=place, is_winner=place <= prize.places)
        above = one
