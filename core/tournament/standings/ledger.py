"""Each player's account of all games, their budget at the next table, and the prizes of the finals.

Accounts are computed in one pass over the plain results, however they were recorded; fractions are rounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from typing import Final, assert_never

import msgspec

from base.immutable import cache_by_identity
from core.editions.edition import Edition, Scoring
from core.editions.tables import FinalsRule
from core.game.ending.finished_game import FinishedGame, finished_outcome, survivors
from core.game.ending.winnings import payouts, winnings
from core.game.state.game import Stake
from core.rule_set import OptionKey
from core.terms import Dollars, PlayerId, Role, RoundNo, SeatNo
from core.tournament.state.tournament import TournamentState

_KEPT: Final = 1 << 16
"""Cache size; every page with standings needs all results of a tournament."""


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game: players with their payout by seat, and the winners.

    The other lists are by seat too, or empty if unknown. prices: the part of ``spent`` paid for characters.
    """

    players: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...]
    payout: tuple[Dollars, ...]
    roles: tuple[Role, ...] = ()
    spent: tuple[Dollars, ...] = ()
    prices: tuple[Dollars, ...] = ()
    turns_played: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.payout) != len(self.players):
            raise ValueError(f"{len(self.payout)} amounts for {len(self.players)} players")
        for listed in (self.roles, self.spent, self.prices, self.turns_played):
            if listed and len(listed) != len(self.players):
                raise ValueError(f"{len(listed)} entries for {len(self.players)} players")
        if len(set(self.players)) != len(self.players):
            raise ValueError("a player has two seats")
        if not set(self.winners) <= set(self.players):
            raise ValueError("a winner has no seat")


class Contender(msgspec.Struct, frozen=True):
    """A player to be ranked. withdrawn: they left or were ejected (D21, D41)."""

    player: PlayerId
    withdrawn: bool = False


@cache_by_identity(_KEPT)
def game_result(finished: FinishedGame, edition: Edition) -> GameResult:
    """Return the payout and the winners of a finished game. Raises Refused and BadData as ``winnings`` does.

    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables".
    """
    result = finished_outcome(finished, edition)
    return GameResult(
        players=finished.players,
        winners=tuple(finished.players[seat - 1] for seat in result.winners),
        payout=tuple(payout.dollars for payout in payouts(finished, result, edition)),
        roles=finished.roles,
        spent=finished.spent,
        prices=finished.prices,
        turns_played=finished.turns_played,
    )


def accepted_results(state: TournamentState, edition: Edition) -> tuple[GameResult, ...]:
    """Return the results of all accepted record sheets, with corrections, round by round."""
    return tuple(
        game_result(sheet.result, edition) for drawn in state.published_rounds for sheet in drawn.sheets
    )


def contenders(state: TournamentState) -> tuple[Contender, ...]:
    """Return all entrants, including those who left, in the order of registration.

    A player who left after the rounds' ranking was published keeps their place in it (D24).
    """
    ranked = frozenset(() if state.finals is None else state.finals.left)
    return tuple(
        Contender(entrant.player, withdrawn=entrant.is_out and entrant.player not in ranked)
        for entrant in state.entrants
    )


def nearest_dollar(amount: Fraction) -> Dollars:
    """Return the nearest whole dollar; halves are rounded away from zero.

    Source: Official Score System 2003; reading D29.
    """
    rounded = int(abs(amount) + Fraction(1, 2))
    return Dollars(rounded if amount >= 0 else -rounded)


class Account(msgspec.Struct, frozen=True, gc=False):
    """A player's account.

    total: start money and winnings less spending, in dollars.
    games: indices of the player's results, in order.
    won_as: roles in the matches won, if the results have roles.
    """

    total: Dollars
    games: tuple[int, ...] = ()
    won: int = 0
    won_as: tuple[Role, ...] = ()
    turns: int = 0
    won_money: Dollars = Dollars(0)
    spent: Dollars = Dollars(0)


def accounts(
    results: Sequence[GameResult], players: Iterable[PlayerId], edition: Edition
) -> Mapping[PlayerId, Account]:
    """Return the account of every player, even those without a game.

    Computed column by column for speed, as a whole tournament is ranked whenever a sheet is accepted.
    Raises KeyError for a result with another player.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    players = tuple(dict.fromkeys(players))
    games: dict[PlayerId, list[int]] = {player: [] for player in players}
    for number, result in enumerate(results):
        for player in result.players:
            games[player].append(number)
    won_as: dict[PlayerId, list[Role]] = {player: [] for player in players}
    for result in results:
        if result.roles:
            for player in result.winners:
                won_as[player].append(result.roles[result.players.index(player)])
    money = _sums(players, ((one.players, one.payout) for one in results))
    rarer = [one for one in results if one.spent or one.turns_played or not one.roles]
    unnamed = _sums(players, ((one.winners, (1,) * len(one.winners)) for one in rarer if not one.roles))
    spent = _sums(players, ((one.players, one.spent) for one in rarer if one.spent))
    prices = _sums(players, ((one.players, one.prices) for one in rarer if one.spent and one.prices))
    turns = _sums(players, ((one.players, one.turns_played) for one in rarer if one.turns_played))
    start, back = start_money(edition), repeat(0) if _spending_counts(edition) else prices
    totals = [start + won - paid + price for won, paid, price in zip(money, spent, back, strict=False)]
    matches = [len(named) + others for named, others in zip(won_as.values(), unnamed, strict=True)]
    own_games, own_roles = map(tuple, games.values()), map(tuple, won_as.values())
    # Uses map for speed: thousands of calls with keyword arguments take twice as long.
    closed = map(Account, totals, own_games, matches, own_roles, turns, money, spent)
    return dict(zip(players, closed, strict=True))


def _sums(
    players: Sequence[PlayerId], columns: Iterable[tuple[Sequence[PlayerId], Sequence[int]]]
) -> Sequence[int]:
    seated, amounts = list[PlayerId](), list[int]()
    for own, paid in columns:
        seated += own
        amounts += paid
    if not seated:
        return [0] * len(players)
    sums = dict.fromkeys(players, 0)
    for player, amount in zip(seated, amounts, strict=True):
        sums[player] += amount
    return list(sums.values())


def start_money(edition: Edition) -> Dollars:
    """Return the starting value of each score, in dollars.

    Source: Championship 2010 v1.1, 1.1; with enlistment: Official Score System 2003; reading D32.
    """
    enlistment = edition.options.enlistment
    if OptionKey.ENLISTMENT in edition.chosen and enlistment is not None and _spending_counts(edition):
        return enlistment.start_money
    return edition.start_money


def _spending_counts(edition: Edition) -> bool:
    return OptionKey.ENLISTMENT not in edition.chosen or edition.readings.enlistment_in_score


def score_of(account: Account, edition: Edition) -> Dollars:
    """Return the score that players are ranked by, in dollars; without a game it is the start money.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; the average:
    Official Score System 2003; reading D29.
    """
    match edition.scoring:
        case Scoring.SUM:
            return account.total
        case Scoring.AVERAGE:
            if not account.games:
                return account.total
            return nearest_dollar(Fraction(account.total, len(account.games)))
        case _:
            assert_never(edition.scoring)


def prizes(rule: FinalsRule, rounds: int) -> tuple[Dollars, ...]:
    """Return the prizes after the rounds actually played, in dollars, first place first.

    Source: Championship 2010 v1.1, 1.2; rounds that the table does not list: reading D25.
    """
    for row in rule.prizes:
        if row.rounds == rounds:
            return row.dollars
    row = min(rule.prizes, key=lambda row: (abs(row.rounds - rounds), row.rounds))
    return tuple(nearest_dollar(Fraction(dollars * rounds, row.rounds)) for dollars in row.dollars)


def is_money_spent(edition: Edition) -> bool:
    """Return whether dollars buy anything at the tables: characters at an auction, or cards to keep."""
    return edition.auction is not None or OptionKey.EXPERIENCE in edition.chosen


def budgets(state: TournamentState, edition: Edition, round_no: RoundNo) -> Mapping[PlayerId, Dollars]:
    """Return each entrant's money in a round: start money and earlier winnings, less spending.

    Only accepted record sheets of earlier rounds count. Negative for debts from penalties.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D36.
    """
    money = dict.fromkeys((entrant.player for entrant in state.entrants), edition.money_at_start)
    for result in _earlier(state, round_no):
        paid = winnings(result, edition)
        spent = result.spent or (Dollars(0),) * len(paid)
        for player, won, gone in zip(result.players, paid, spent, strict=True):
            money[player] = Dollars(money[player] + won - gone)
    return money


def stakes(state: TournamentState, edition: Edition, round_no: RoundNo) -> Mapping[PlayerId, Stake]:
    """Return each entrant's stake in a round, with the last game's character; empty if nothing is for sale.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; readings D32, D33.
    """
    if not is_money_spent(edition):
        return {}
    last = {player: result for result in _earlier(state, round_no) for player in result.players}
    return {
        player: _stake(player, dollars, last.get(player))
        for player, dollars in budgets(state, edition, round_no).items()
    }


def _stake(player: PlayerId, budget: Dollars, last: FinishedGame | None) -> Stake:
    if last is None:
        return Stake(budget)
    place = last.players.index(player)
    seat = SeatNo(place + 1)
    return Stake(
        budget=budget,
        survived=seat in survivors(last),
        owned=last.characters[place] if last.characters else None,
        price=last.prices[place] if last.prices else Dollars(0),
    )


def _earlier(state: TournamentState, round_no: RoundNo) -> tuple[FinishedGame, ...]:
    return tuple(
        sheet.result for drawn in state.published_rounds if drawn.round < round_no for sheet in drawn.sheets
    )
