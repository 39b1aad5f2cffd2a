"""The explanation of a player's amount on the record sheet: rule, row and sum."""

import msgspec

from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.finished import FinishedGame
from core.game.ending.record_sheet import SheetLine, record_sheet
from core.terms import Dollars, PlayerId, RoundNo, TableNo


class Spending(msgspec.Struct, frozen=True):
    """A player's spending at the table.

    price: dollars for the character, or None if not recorded.
    cards: dollars for kept cards, the rest of the spending.
    """

    character: Character | None
    price: Dollars
    cards: Dollars

    @property
    def dollars(self) -> Dollars:
        return Dollars(self.price + self.cards)


class WhyGame(msgspec.Struct, frozen=True):
    """One player's amount in one game.

    players: all players, by seat.
    line: role, fate, whether the match was won, and the winnings part by part, each with its printed row and
        its formula.
    source: document and version of the rules.
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
    """Explain the amount of a player of a finished game. Raises Refused as ``record_sheet`` does."""
    sheet, place = record_sheet(game, edition), game.players.index(player)
    line = sheet.lines[place]
    price = game.prices[place] if game.prices else Dollars(0)
    return WhyGame(
        round=sheet.round,
        table=sheet.table,
        source=sheet.source,
        players=game.players,
        line=line,
        spending=Spending(
            character=game.characters[place] if game.characters else None,
            price=price,
            cards=Dollars(line.spent - price),
        ),
    )
