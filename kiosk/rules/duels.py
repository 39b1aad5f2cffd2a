"""Rules of the duels of the finals, in sentences."""

from saloon.core.editions.edition import Edition
from saloon.core.game.state import GameState
from saloon.kiosk.i18n import Words


def long_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with five characters each, two in play."""
    del game, edition
    _ = words.gettext
    return (
        _("Ten characters lie face up. The better placed player picks first, or starts; then pick by turns."),
        _("Stack your five in secret, in a fixed order; the top two enter, one in front, one at the rear."),
        _("In your turn first Jail and Dynamite, then say who stands in front; only that ability works."),
        _("Who is hit at the rear reacts with the own ability. Front to front is distance 1, to the rear 2."),
        _("The next of the pile enters at the rear. Wounds that are too many are lost."),
        _("Who has lost all five has lost the duel."),
    )


def short_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with eight characters each, one in play."""
    del game, edition
    _ = words.gettext
    return (
        _("No Jail, no Wells Fargo. Eight characters each, face down; the top one plays. Draw who starts."),
        _("At no life points the next one enters, and wounds that are too many hit it too."),
        _("A Beer never heals: play it as BANG!, Missed!, Panic! or Cat Balou. A Saloon heals."),
        _("Five eliminations win, two ahead of the other; at most eight."),
    )
