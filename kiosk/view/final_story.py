"""A confirmed game as each player's story: role, fate and winnings, also as a text to take home."""

from collections.abc import Sequence

import msgspec

from base.errors import SaloonError
from core.editions.edition import Edition
from core.game.ending.finished_game import finished_game
from core.game.ending.record_sheet import Fate, SheetLine, record_sheet
from core.game.state.game import Cause, Confirmation, GameState
from core.game.timeline import Moment
from core.terms import Ending
from kiosk.i18n import Words, role_name

OUT = frozenset({Fate.ELIMINATED, Fate.LEFT_AND_ELIMINATED, Fate.EJECTED_AND_ELIMINATED})
"""The fates that get a tombstone."""


class FinalLine(msgspec.Struct, frozen=True):
    """A player's end of the game in words. brief_fate: without the turn."""

    sheet: SheetLine
    role: str
    fate: str
    brief_fate: str
    money: str


def sheet_lines(game: GameState, edition: Edition) -> tuple[SheetLine, ...]:
    """Return the lines of the record sheet by seat, or an empty tuple if they are unknown here."""
    if game.duel is not None or game.confirmed is Confirmation.CORRECTED:
        return ()
    try:
        return record_sheet(finished_game(game), edition).lines
    except SaloonError:
        # Nobody declared the roles of a game that the station confirmed.
        return ()


def final_line(
    game: GameState, moments: Sequence[Moment], line: SheetLine, words: Words, names: Sequence[str]
) -> FinalLine:
    """Return a player's end of the game in the words of a language. names: of the players, by seat."""
    _ = words.gettext
    own = [n for n, elimination in enumerate(game.eliminations) if elimination.seat == line.seat]
    match line.fate:
        case Fate.ALIVE:
            brief = fate = _("alive")
        case Fate.PASSIVE:
            brief = fate = _("left, still in play")
        case Fate.EJECTED:
            brief = fate = _("ejected")
        case _:
            brief = fate = killed_by(game, own[-1], words, names)
            turn = turn_of(moments, own[-1])
            if turn:
                fate = _("{fate}, turn {number}").format(fate=brief, number=turn)
    return FinalLine(line, role_name(words, line.last_role), fate, brief, words.money(line.winnings))


def turn_of(moments: Sequence[Moment], number: int) -> int:
    """Return the turn of an elimination, counted from 0, or 0 if it isn't known."""
    return next((moment.state.turns for moment in moments if len(moment.state.eliminations) > number), 0)


def killed_by(game: GameState, number: int, words: Words, names: Sequence[str]) -> str:
    """Say who or what eliminated a player. number: of the elimination, counted from 0."""
    _, elimination = words.gettext, game.eliminations[number]
    name = "" if elimination.by is None else names[elimination.by - 1]
    match elimination.cause:
        case Cause.DYNAMITE:
            return _("by Dynamite")
        case Cause.HIGH_NOON:
            return _("at High Noon")
        case Cause.OWN_DUEL:
            return _("by {name} in their own Duel").format(name=name) if name else _("in their own Duel")
        case Cause.PLAYER:
            card = elimination.effect, elimination.by
            is_same = any((other.effect, other.by) == card for other in game.eliminations[:number][-1:])
            return (_("by {name}, same card") if is_same else _("by {name}")).format(name=name)


def winners(game: GameState, words: Words) -> str:
    """Name the side that has won a game."""
    _ = words.gettext
    match game.ending:
        case Ending.LAW_WINS:
            return _("The Law wins!")
        case Ending.OUTLAWS_WIN:
            return _("The Outlaws win!")
        case Ending.RENEGADE_WINS:
            return _("The Renegade wins!")
        case Ending.NO_WINNER | None:
            return _("No winner")


def story_to_take(game: GameState, edition: Edition, moments: Sequence[Moment], words: Words) -> str:
    """Return the story in a few short lines, which a phone can read from a code; empty if it is unknown."""
    lines = sheet_lines(game, edition)
    if not lines:
        return ""
    text, out = words.gettext("BANG! · round {round}, table {table}"), words.gettext("eliminated")
    rows = [text.format(round=game.round, table=game.table), winners(game, words)]
    names = [seat.name for seat in game.seats]
    for line in lines:
        final = final_line(game, moments, line, words, names)
        fate = f"{out} {final.fate}" if line.fate in OUT else final.fate
        rows.append(f"{names[line.seat - 1]}: {final.role}, {fate}, {final.money}")
    return "\n".join(rows).replace("\u00ad", "")  # a phone may show soft hyphens
