"""Rules of the end of a game, in sentences."""

from typing import assert_never

from saloon.core.editions.edition import Edition, Schedule, TieBreak
from saloon.core.editions.readings import Simultaneous
from saloon.core.game.setup.role_counts import role_counts
from saloon.core.game.state import GameState
from saloon.kiosk.i18n import Words


def ending(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the winners and the end of the game."""
    _ = words.gettext
    together = edition.readings.simultaneous is Simultaneous.END_OF_EFFECT
    row = role_counts(len(game.seats), edition)
    finished = _("A card is finished first: if it takes the Sheriff and the last Outlaw, the Outlaws win.")
    several = _("With two Renegades each plays for himself.")
    dead = _("Who is out wins with the own side all the same.")
    return (
        _("The Law wins when all Outlaws and Renegades are out."),
        _("The Renegade wins as the only one left, when the Sheriff has fallen."),
        _("In all other cases the Outlaws win when the Sheriff falls, also when they are all out."),
        *((finished,) if together else ()),
        *((several,) if row.renegade > 1 else ()),
        *((dead,) if edition.readings.eliminated_count_as_winners else ()),
    )


def record_sheet(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the way a result becomes final."""
    del game
    _ = words.gettext
    secret = _("Totals and places are secret until the end; ask the judge for your own.")
    return (
        _("Nobody puts cards away before the judge has seen the roles."),
        _("Read your line: role, in play or out, and the money. The story shows how it came about."),
        _("The judge confirms the sheet; then the table cannot change it any more."),
        *((secret,) if edition.schedule is Schedule.CHART else ()),
    )


def ties(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """List the criteria that order players of equal score, in the order in which they apply."""
    del game
    first = words.gettext("Players of equal score are ordered by these, one after the other:")
    lines = (f"{number}. {_tie(key, words)}" for number, key in enumerate(edition.tie_breaks, 1))
    return (first, *lines)


def _tie(key: TieBreak, words: Words) -> str:
    _ = words.gettext
    match key:
        case TieBreak.MAROGI:
            return _("Marogi: the average score of all opponents met; more is better.")
        case TieBreak.BUCHHOLZ:
            return _("Buchholz: the sum of the scores of all opponents met; more is better.")
        case TieBreak.MATCHES_WON:
            return _("Games won.")
        case TieBreak.WON_AS_SHERIFF:
            return _("Games won as Sheriff.")
        case TieBreak.WON_AS_RENEGADE:
            return _("Games won as Renegade.")
        case TieBreak.WON_AS_DEPUTY:
            return _("Games won as Deputy.")
        case TieBreak.WON_AS_OUTLAW:
            return _("Games won as Outlaw.")
        case TieBreak.TURNS_PLAYED:
            return _("Turns played.")
        case TieBreak.LOT:
            return _("The judge draws lots.")
        case _:
            assert_never(key)
