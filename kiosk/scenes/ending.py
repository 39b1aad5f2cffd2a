"""The game is over: who has won, why, and what the table does now."""

from typing import Final

from saloon.core.game.events import Because, Ending
from saloon.kiosk.scenes.declaration import DeclarationScene
from saloon.kiosk.scenes.furniture import (
    NOWHERE,
    Head,
    Offer,
    Tone,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.scenes.guide import guided
from saloon.kiosk.scenes.life_panel import life_panel
from saloon.kiosk.scenes.menu import MenuScene
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.ui.parts import Block, Button, Look

_ROOM_FOR_A_SIGN: Final = 8


class EndingScene:
    """The ending condition, until the roles are declared."""

    name: Final = "ending"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """The ring as it ended, the result in the middle."""
        _ = stage.words.gettext
        declare = Button(NOWHERE, "to-roles", _("Show the roles"), Look.MAIN, "cards", size_px=stage.mm(5))
        offers = (Offer(declare, 2.6), undo_offer(stage), judge_offer(stage), menu_offer(stage))
        text = _("{because} Keep your cards; call the judge and show the roles together.")
        head = Head(
            ending_words(stage), text.format(because=because_words(stage)), "laurel", Tone.LOUD,
            sign=len(stage.game.seats) <= _ROOM_FOR_A_SIGN,
            brief=_("Call the judge and show the roles."),
        )  # fmt: skip
        return (
            *(life_panel(stage, seat, touchable=False) for seat in stage.game.seats),
            middle(stage, stage.ring.middle, guided(stage, head), offers),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: Stage) -> Reply:
        """On to the roles, or back by undo."""
        match target:
            case "to-roles":
                return Reply(opens=DeclarationScene.of(stage))
            case "menu":
                return Reply(opens=MenuScene())
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """It is chosen anew for every moment."""
        del stage
        return True


def ending_words(stage: Stage) -> str:
    """Who has won."""
    _ = stage.words.gettext
    match stage.game.ending:
        case Ending.LAW_WINS:
            return _("The Law wins!")
        case Ending.OUTLAWS_WIN:
            return _("The Outlaws win!")
        case Ending.RENEGADE_WINS:
            return _("The Renegade wins!")
        case Ending.NO_WINNER | None:
            return _("No winner")


def because_words(stage: Stage) -> str:
    """The rule that ended the game."""
    _ = stage.words.gettext
    match stage.game.because:
        case Because.NO_OUTLAW_OR_RENEGADE_LEFT:
            return _("No Outlaw and no Renegade is left.")
        case Because.SHERIFF_OUT:
            return _("The Sheriff is out.")
        case Because.RENEGADE_LAST:
            return _("The Renegade is the only one left.")
        case Because.TIME_LIMIT:
            return _("The time limit was reached.")
        case Because.JUDGE:
            return _("The judge ruled it at the time limit.") + f" {stage.game.ruled}"
        case None:
            return ""
