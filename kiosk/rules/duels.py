"""Rules of the duels of the finals, in sentences."""

from saloon.core.editions.edition import Edition
from saloon.core.game.state import GameState
from saloon.kiosk.i18n import Words


def long_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with five characters each, two in play."""
    del game, edition
    _ = words.gettext
    return (
        _(
            "Ten characters lie face up. The better-placed player picks first, or starts; then "
            "take turns picking."
        ),
        _("Secretly stack your five in a fixed order; the top two enter, one in front and one at the rear."),
        _(
            "On your turn, resolve Jail and Dynamite first, then say who is in front; only that "
            "ability works."
        ),
        _(
            "A character hit at the rear reacts with its own ability. Front to front is distance "
            "1, to the rear 2."
        ),
        _("The next in the pile enters at the rear. Excess wounds are lost."),
        _("If you lose all five, you lose the duel."),
    )


def short_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with eight characters each, one in play."""
    del game, edition
    _ = words.gettext
    return (
        _(
            "No Jail, no Wells Fargo. Eight characters each, face down; the top one plays. Draw "
            "lots for who starts."
        ),
        _("At no life points the next one enters, and takes any excess wounds too."),
        _("A Beer never heals: play it as BANG!, Missed!, Panic! or Cat Balou. A Saloon heals."),
        _("First to five eliminations with a lead of two wins; eight at most."),
    )
