"""Each player's account of all games, computed in one pass over the results; fractions are rounded."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from typing import assert_never

import msgspec

from core.editions.edition import Edition, Scoring
from core.editions.readings import Rounding
from core.rule_set import OptionKey
from core.terms import Dollars, PlayerId, Role
from core.tournament.standings.results import GameResult


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
    won: number of matches won.
    won_as: roles in the matches won, if the results have roles.
    turns: number of turns played, in games where they were counted.
    won_money, spent: dollars won and spent at the tables.
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
    """Sum up each player's amounts over all games.

    ``columns`` contains the players of a game, and their amounts.
    """
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
    """Return whether spending on characters reduces the score, as it always does without enlistment."""
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
            match edition.readings.rounding:
                case Rounding.HALF_UP:
                    return nearest_dollar(Fraction(account.total, len(account.games)))
        case _:
            assert_never(edition.scoring)
