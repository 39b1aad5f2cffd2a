"""Each player's account of all games, written in one pass over the results; parts of a dollar are rounded."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

import msgspec

from saloon.core.editions.edition import Edition, Scoring
from saloon.core.editions.readings import Rounding
from saloon.core.game.setup.roles import Role
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.results.results import GameResult


def nearest_dollar(amount: Fraction) -> Dollars:
    """Return the nearest whole dollar; a half goes away from zero.

    Source: Official Score System 2003; reading D29.
    """
    rounded = int(abs(amount) + Fraction(1, 2))
    return Dollars(rounded if amount >= 0 else -rounded)


class Account(msgspec.Struct, frozen=True):
    """One player. total: start money and winnings less what was spent, in dollars.

    games: indexes of the results the player is in, in their order. won: matches. won_as: the roles
    in them, where the results name roles. turns: played, in games where they were counted. won_money,
    spent: at the tables, in dollars.
    """

    total: Dollars
    games: tuple[int, ...] = ()
    won: int = 0
    won_as: tuple[Role, ...] = ()
    turns: int = 0
    won_money: Dollars = Dollars(0)
    spent: Dollars = Dollars(0)


class _Open:
    """An account while it is written; everything is added up once. returned: prices that do not count."""

    __slots__ = ("games", "returned", "spent", "turns", "won", "won_as", "won_money")

    def __init__(self) -> None:
        self.games: list[int] = []
        self.won = 0
        self.won_as: list[Role] = []
        self.turns = 0
        self.won_money = 0
        self.spent = 0
        self.returned = 0

    def close(self, start: Dollars) -> Account:
        """Return the account as a value. start: the money that each score begins with."""
        total = Dollars(start + self.won_money - self.spent + self.returned)
        games, won_as = tuple(self.games), tuple(self.won_as)
        won_money, spent = Dollars(self.won_money), Dollars(self.spent)
        return Account(total, games, self.won, won_as, self.turns, won_money, spent)


def accounts(
    results: Sequence[GameResult], players: Iterable[PlayerId], edition: Edition
) -> Mapping[PlayerId, Account]:
    """Return the account of every player, even without a game. Every player of a result must be given.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    start = start_money(edition)
    opened = {player: _Open() for player in players}
    spending_counts = _spending_counts(edition)
    for number, result in enumerate(results):
        for player, paid in zip(result.players, result.payout, strict=True):
            account = opened[player]
            account.games.append(number)
            account.won_money += paid
        for player in result.winners:
            account = opened[player]
            account.won += 1
            if result.roles:
                account.won_as.append(result.roles[result.players.index(player)])
        if result.spent or result.turns_played:
            _write_rarer(opened, result, spending_counts=spending_counts)
    return {player: account.close(start) for player, account in opened.items()}


def _write_rarer(opened: Mapping[PlayerId, _Open], result: GameResult, *, spending_counts: bool) -> None:
    """Write what was spent at a table, and the turns that were counted there."""
    for seat, player in enumerate(result.players):
        account = opened[player]
        if result.spent:
            account.spent += result.spent[seat]
            if not spending_counts and result.prices:
                account.returned += result.prices[seat]
        if result.turns_played:
            account.turns += result.turns_played[seat]


def start_money(edition: Edition) -> Dollars:
    """Return what each score begins with, in dollars.

    Source: Championship 2010 v1.1, 1.1; with enlistment: Official Score System 2003; reading D32.
    """
    enlistment = edition.options.enlistment
    if OptionKey.ENLISTMENT in edition.chosen and enlistment is not None and _spending_counts(edition):
        return enlistment.start_money
    return edition.start_money


def _spending_counts(edition: Edition) -> bool:
    """Return whether prices of characters reduce the score; outside enlistment they always do."""
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
