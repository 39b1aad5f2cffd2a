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
    """An account while it is written; everything is added up once."""

    def __init__(self, start: Dollars) -> None:
        self.total = int(start)
        self.games: list[int] = []
        self.won = 0
        self.won_as: list[Role] = []
        self.turns = 0
        self.won_money = 0
        self.spent = 0

    def close(self) -> Account:
        """Return the account as a value."""
        return Account(
            total=Dollars(self.total),
            games=tuple(self.games),
            won=self.won,
            won_as=tuple(self.won_as),
            turns=self.turns,
            won_money=Dollars(self.won_money),
            spent=Dollars(self.spent),
        )


def accounts(
    results: Sequence[GameResult], players: Iterable[PlayerId], edition: Edition
) -> Mapping[PlayerId, Account]:
    """Return the account of every player, even without a game. Every player of a result must be given.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    start = start_money(edition)
    opened = {player: _Open(start) for player in players}
    spending_counts = _spending_counts(edition)
    for number, result in enumerate(results):
        winners = frozenset(result.winners)
        for seat, player in enumerate(result.players):
            account = opened[player]
            account.games.append(number)
            account.total += result.payout[seat]
            account.won_money += result.payout[seat]
            if result.spent:
                account.total -= result.spent[seat]
                account.spent += result.spent[seat]
                if not spending_counts and result.prices:
                    account.total += result.prices[seat]
            if player in winners:
                account.won += 1
                if result.roles:
                    account.won_as.append(result.roles[seat])
            if result.turns_played:
                account.turns += result.turns_played[seat]
    return {player: account.close() for player, account in opened.items()}


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
