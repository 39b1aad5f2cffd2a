"""The explanation of a player's amount on the record sheet: the rule, the row and the sum."""

import msgspec

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.ending.finished import FinishedGame
from saloon.core.game.ending.record_sheet import RecordSheet, SheetLine, record_sheet
from saloon.core.game.reasons import GameReason
from saloon.core.game.setup.characters import Character
from saloon.core.terms import Dollars, PlayerId, RoundNo, SeatNo, TableNo


class Spending(msgspec.Struct, frozen=True):
    """A player's spending at the table. price: for the character, None if nobody recorded it.

    cards: for kept cards, the rest of the spending.
    """

    character: Character | None
    price: Dollars
    cards: Dollars

    @property
    def dollars(self) -> Dollars:
        """Return the total spent."""
        return Dollars(self.price + self.cards)


class WhyGame(msgspec.Struct, frozen=True):
    """One player's amount in one game.

    players: by seat. line: role, fate, whether the match was won, and the winnings part by part, each
    with its printed row and its formula. source: document and version of the rules.
    """

    round: RoundNo
    table: TableNo
    source: str
    players: tuple[PlayerId, ...]
    line: SheetLine
    spending: Spending

    @property
    def net(self) -> Dollars:
        """Return the winnings less the spending."""
        return Dollars(self.line.winnings - self.spending.dollars)


def why_game(game: FinishedGame, edition: Edition, player: PlayerId) -> WhyGame:
    """Explain a player's amount in a finished game.

    Raises Refused for somebody who did not play in it, and as ``record_sheet`` does.
    """
    if player not in game.players:
        raise Refused(GameReason.NO_SEAT, seat=player)
    return why_seat(game, record_sheet(game, edition), SeatNo(game.players.index(player) + 1))


def why_seat(game: FinishedGame, sheet: RecordSheet, seat: SeatNo) -> WhyGame:
    """Explain the amount of a seat, given the record sheet of its game."""
    line = sheet.lines[seat - 1]
    price = game.prices[seat - 1] if game.prices else Dollars(0)
    return WhyGame(
        round=sheet.round,
        table=sheet.table,
        source=sheet.source,
        players=game.players,
        line=line,
        spending=Spending(
            character=game.characters[seat - 1] if game.characters else None,
            price=price,
            cards=Dollars(line.spent - price),
        ),
    )
