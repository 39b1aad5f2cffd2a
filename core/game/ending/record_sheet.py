"""The record sheet: a table's result line by line, with the rule behind each amount."""

import enum
from collections.abc import Sequence

import msgspec

from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.endings import Outcome
from core.game.ending.finished_game import FinishedGame, finished_outcome
from core.game.ending.winnings import Payout, PayoutPart, payouts
from core.game.state.game import Because, Cause, Elimination, EventCard
from core.terms import Dollars, Ending, PlayerId, Role, RoundNo, SeatNo, TableNo


class Fate(enum.Enum):
    """The fate of a player; the value is its label."""

    ALIVE = "alive"
    ELIMINATED = "eliminated"
    PASSIVE = "left, still in play"
    LEFT_AND_ELIMINATED = "left, then eliminated"
    EJECTED = "ejected"
    EJECTED_AND_ELIMINATED = "ejected, then eliminated"


class WinningsReason(msgspec.Struct, frozen=True):
    """The rule that ended the game, and the text of the row in the printed winnings table."""

    because: Because
    ending: Ending
    printed: str


class SheetLine(msgspec.Struct, frozen=True):
    """A player's line of a record sheet.

    role, last_role: the role dealt, and the role at the end, which Revolutions change.
    by: the killer, or None if there is none.
    cause: the cause of the elimination, or None if the player survived.
    winnings: the sum of ``parts``, the first of which is from the winnings table.
    spent: dollars paid at the table, which are not deducted from the winnings.
    comebacks: the event cards that brought the player back.
    same_card: other players eliminated by the same card.
    """

    seat: SeatNo
    player: PlayerId
    role: Role
    last_role: Role
    fate: Fate
    by: SeatNo | None
    cause: Cause | None
    won: bool
    final_duel_lost: bool
    winnings: Dollars
    reason: WinningsReason
    parts: tuple[PayoutPart, ...] = ()
    spent: Dollars = Dollars(0)
    comebacks: tuple[EventCard, ...] = ()
    same_card: tuple[SeatNo, ...] = ()


class RecordSheet(msgspec.Struct, frozen=True):
    """A table's record sheet. ``ruled`` contains the judge's words, if the judge ruled the ending."""

    round: RoundNo
    table: TableNo
    edition: str
    source: str
    ending: Ending
    because: Because
    lines: tuple[SheetLine, ...]
    ruled: str = ""


def record_sheet(game: FinishedGame, edition: Edition) -> RecordSheet:
    """Return the record sheet of a finished game. Raises Refused and BadData as ``winnings`` does.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """
    outcome = finished_outcome(game, edition)
    return RecordSheet(
        round=game.round,
        table=game.table,
        edition=edition.key,
        source=edition.source,
        ending=outcome.ending,
        because=outcome.because,
        lines=tuple(_line(game, outcome, payout) for payout in payouts(game, outcome, edition)),
        ruled=game.ruled,
    )


def _line(game: FinishedGame, outcome: Outcome, payout: Payout) -> SheetLine:
    seat = payout.seat
    # A player who came back may have been eliminated twice.
    own = [elimination for elimination in game.eliminations[: outcome.after] if elimination.seat == seat]
    elimination = own[-1] if own and seat not in outcome.alive else None
    return SheetLine(
        seat=seat,
        player=game.players[seat - 1],
        role=game.roles[seat - 1],
        last_role=_last_role(outcome, seat),
        fate=_fate(game, seat, alive=seat in outcome.alive),
        by=None if elimination is None else elimination.by,
        cause=None if elimination is None else elimination.cause,
        won=seat in outcome.winners,
        final_duel_lost=seat in outcome.final_duel_lost,
        winnings=payout.dollars,
        reason=WinningsReason(
            because=outcome.because, ending=outcome.ending, printed=payout.parts[0].printed
        ),
        parts=payout.parts,
        spent=game.spent[seat - 1] if game.spent else Dollars(0),
        comebacks=tuple(dict.fromkeys(back.card for back in game.comebacks if back.seat == seat)),
        same_card=() if elimination is None else _with_same_card(elimination, game.eliminations),
    )


def _with_same_card(elimination: Elimination, eliminations: Sequence[Elimination]) -> tuple[SeatNo, ...]:
    card = (elimination.effect, elimination.by, Cause.PLAYER)
    others = (out for out in eliminations if (out.effect, out.by, out.cause) == card)
    return tuple(
        out.seat for out in others if out.seat != elimination.seat and elimination.cause is out.cause
    )


def _last_role(outcome: Outcome, seat: SeatNo) -> Role:
    dealt = outcome.roles[seat - 1]
    if outcome.revolutions and seat == outcome.current_sheriff:
        return Role.SHERIFF
    return Role.REBEL if outcome.revolutions and dealt is Role.SHERIFF else dealt


def _fate(game: FinishedGame, seat: SeatNo, *, alive: bool) -> Fate:
    gone = next((left for left in game.abandonments if left.seat == seat), None)
    if gone is None:
        return Fate.ALIVE if alive else Fate.ELIMINATED
    if gone.ejected:
        return Fate.EJECTED if alive else Fate.EJECTED_AND_ELIMINATED
    return Fate.PASSIVE if alive else Fate.LEFT_AND_ELIMINATED


class Spending(msgspec.Struct, frozen=True):
    """A player's spending at the table.

    price: dollars paid for the character.
    cards: dollars paid for kept cards.
    """

    character: Character | None
    price: Dollars
    cards: Dollars

    @property
    def dollars(self) -> Dollars:
        return Dollars(self.price + self.cards)


class WhyGame(msgspec.Struct, frozen=True):
    """The explanation of what one player won and spent in one game."""

    round: RoundNo
    table: TableNo
    source: str
    players: tuple[PlayerId, ...]
    line: SheetLine
    spending: Spending

    @property
    def net(self) -> Dollars:
        return Dollars(self.line.winnings - self.spending.dollars)


def why_game(game: FinishedGame, edition: Edition, player: PlayerId) -> WhyGame:
    """Explain what a player won and spent in a finished game. Raises Refused as ``record_sheet`` does."""
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
