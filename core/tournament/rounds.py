"""How many rounds a tournament has."""

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.tournament.events import Waivers
from saloon.core.tournament.reasons import Reason


def printed_rounds(players: int, edition: Edition, *, unofficial: bool = False) -> int:
    """The rounds for so many players at the start, waivers aside.

    unofficial: fewer players than the edition allows are accepted; they play its fewest rounds.
    Raises Refused for fewer players otherwise.
    Source: Championship 2022/23 v1.4, 1 "Tournament rules"; fewer than 10 players: reading D01.
    """
    minimum = edition.tables.min_players
    if players < minimum:
        if not unofficial:
            raise Refused(Reason.BELOW_MINIMUM, players=players, minimum=minimum)
        return edition.rounds[0].rounds
    row = next(row for row in reversed(edition.rounds) if players >= row.players_from)
    return row.rounds


def planned_rounds(players: int, edition: Edition, waivers: Waivers, *, unofficial: bool = False) -> int:
    """The rounds that a tournament of so many players at the start will play.

    Withdrawals do not change them (D04), which is why they are fixed by the first published draw.
    Raises Refused as ``printed_rounds`` does.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers".
    """
    printed = printed_rounds(players, edition, unofficial=unofficial)
    return printed if waivers.rounds is None else min(waivers.rounds, printed)
