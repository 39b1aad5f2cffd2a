"""The dollars that players bring to a table where something is bought."""

from collections.abc import Mapping

from saloon.core.editions.edition import Edition
from saloon.core.game.winnings import winnings
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars, PlayerId, RoundNo
from saloon.core.tournament.state import TournamentState


def is_money_spent(edition: Edition) -> bool:
    """Whether dollars buy anything at the tables: characters at an auction, or cards that are kept."""
    return edition.auction is not None or OptionKey.EXPERIENCE in edition.chosen


def budgets(state: TournamentState, edition: Edition, round_no: RoundNo) -> Mapping[PlayerId, Dollars]:
    """What each entrant may spend in a round: start money and earlier winnings, less what was spent.

    Only accepted record sheets count. A total below zero is nothing to spend.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D36.
    """
    money = dict.fromkeys((entrant.player for entrant in state.entrants), int(edition.start_money))
    for drawn in state.published_rounds:
        if drawn.round >= round_no:
            continue
        for sheet in drawn.sheets:
            paid = winnings(sheet.result, edition)
            spent = sheet.result.spent or (Dollars(0),) * len(paid)
            for player, won, gone in zip(sheet.result.players, paid, spent, strict=True):
                money[player] += won - gone
    return {player: Dollars(max(0, dollars)) for player, dollars in money.items()}
