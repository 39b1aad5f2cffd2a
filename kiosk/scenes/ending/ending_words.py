"""An ending in words: who has won, and why."""

from typing import assert_never

from saloon.core.game.duel.ending import DuelBecause
from saloon.core.game.events import Ending
from saloon.core.game.in_words import BECAUSE
from saloon.kiosk.scenes.scene import SceneContext


def ending_words(stage: SceneContext) -> str:
    """Say who has won."""
    _ = stage.words.gettext
    duel = stage.game.duel
    if duel is not None:
        winner = "" if duel.winner is None else stage.seat(duel.winner).name
        return _("{name} wins the duel").format(name=winner)
    match stage.game.ending:
        case Ending.LAW_WINS:
            return _("The Law wins!")
        case Ending.OUTLAWS_WIN:
            return _("The Outlaws win!")
        case Ending.RENEGADE_WINS:
            return _("The Renegade wins!")
        case Ending.NO_WINNER | None:
            return _("No winner")


def because_words(stage: SceneContext) -> str:
    """Name the rule that ended the game, or why the duel is over."""
    _ = stage.words.gettext
    if stage.game.duel is not None:
        return _duel_because(stage)
    because = stage.game.because
    return "" if because is None else f"{_(BECAUSE[because])} {stage.game.ruled}".rstrip()


def _duel_because(stage: SceneContext) -> str:
    _, duel = stage.words.gettext, stage.duel
    match duel.because:
        case DuelBecause.ELIMINATIONS:
            return _("Enough of the opponent's characters are out.")
        case DuelBecause.OPPONENT_LEFT:
            return _("The opponent has left.")
        case DuelBecause.OPPONENT_EJECTED:
            return _("The judge ejected the opponent.")
        case DuelBecause.RULING:
            return _("The judge has ruled: {reason}").format(reason=duel.ruling)
        case None:
            return ""
        case _:
            assert_never(duel.because)
