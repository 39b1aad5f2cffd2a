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
    finished = _(
        "A card is resolved in full first: if it eliminates the Sheriff and the last Outlaw, the Outlaws win."
    )
    several = _("With two Renegades, each plays for themselves.")
    dead = _("Eliminated players still win with their side.")
    return (
        _("The Law wins when all Outlaws and Renegades are out."),
        _("The Renegade wins if they're the only one left when the Sheriff falls."),
        _("In all other cases the Outlaws win when the Sheriff falls, even if they're all out."),
        *((finished,) if together else ()),
        *((several,) if row.renegade > 1 else ()),
        *((dead,) if edition.readings.eliminated_count_as_winners else ()),
    )


def record_sheet(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the way a result becomes final."""
    del game
    _ = words.gettext
    secret = _("Totals and rankings stay secret until the end; ask the judge for yours.")
    return (
        _("Don't put any cards away until the judge has seen the roles."),
        _("Check your line: role, in play or out, and winnings. The story shows how it came about."),
        _("The judge confirms the sheet; after that, the table can no longer change it."),
        *((secret,) if edition.schedule is Schedule.CHART else ()),
    )


def ties(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """List the criteria that order players of equal score, in the order in which they apply."""
    del game
    first = words.gettext("Ties are broken by these, in order:")
    lines = (f"{number}. {_tie(key, words)}" for number, key in enumerate(edition.tie_breaks, 1))
    return (first, *lines)


def _tie(key: TieBreak, words: Words) -> str:
    _ = words.gettext
    match key:
        case TieBreak.MAROGI:
            return _("Marogi: the average score of all opponents faced; higher is better.")
        case TieBreak.BUCHHOLZ:
            return _("Buchholz: the sum of the scores of all opponents faced; higher is better.")
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
