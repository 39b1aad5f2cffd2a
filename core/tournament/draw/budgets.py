"""Players' budgets at a table where dollars buy something."""

from collections.abc import Mapping

from core.editions.edition import Edition
from core.game.ending.finished import FinishedGame, survivors
from core.game.ending.winnings import winnings
from core.game.state.game import Stake
from core.rule_set import OptionKey
from core.terms import Dollars, PlayerId, RoundNo, SeatNo
from core.tournament.state import TournamentState


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
