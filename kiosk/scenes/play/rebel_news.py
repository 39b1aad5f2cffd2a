"""News for the whole table: the Rebel! is revealed, or becomes the Sheriff."""

from typing import ClassVar

import msgspec

from core.game.state import Phase
from core.terms import SeatNo
from kiosk.scenes.heads.guide import is_new_sheriffs_first_turn
from kiosk.scenes.play.out_too import out_too_offers
from kiosk.scenes.scene import CLOSE, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle


class NewSheriffScene(msgspec.Struct, frozen=True):
    """The effects of a Revolution, turned towards the new Sheriff."""

    seat: SeatNo

    name: ClassVar[str] = "new-sheriff"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the rules that apply now, and a button to continue."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        head = Heading(
            _("{name} is now the Sheriff").format(name=stage.seat(self.seat).name),
            new_sheriff_words(stage),
            "star",
        )
        read = offer(stage, "back", _("New turn"), CLOSE, 2, size_mm=5, look=ButtonStyle.MAIN, icon="arrow")
        return dialog(stage, head, (*out_too_offers(stage), read))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is still the new Sheriff's first turn."""
        game = stage.table.game
        return game is not None and is_new_sheriffs_first_turn(game)


class RebelRevealedScene(msgspec.Struct, frozen=True):
    """The effects of revealing the Rebel!, turned towards that player."""

    seat: SeatNo

    name: ClassVar[str] = "rebel-shown"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the rule that applies now, and a button to continue."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        text = _(
            "From now on, the Sheriff loses no cards for eliminating a Deputy. The Rebel! must "
            "still eliminate the Sheriff personally, on their own turn."
        )
        head = Heading(_("{name} is the Rebel!").format(name=stage.seat(self.seat).name), text, "cards")
        read = offer(stage, "back", _("Continue"), CLOSE, 2.4, size_mm=5, look=ButtonStyle.MAIN, icon="arrow")
        return dialog(stage, head, (read,))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is still that player's turn, without a Revolution."""
        game = stage.table.game
        return (
            game is not None
            and game.phase is Phase.PLAYING
            and (game.rebel, game.turn) == (self.seat, self.seat)
            and game.revolution is None
        )


def new_sheriff_words(stage: SceneContext) -> str:
    """Return the instructions for the table after a Revolution.

    Source: The Rebel!, Revolution.
    """
    return stage.words.gettext(
        "The new Sheriff gains one life point, and their maximum goes up by one. Discard any "
        "Jail in front of them. All cards stay in hand, and a new turn begins with phase 1. From "
        "now on the Deputies are allies: eliminating one costs all cards. With an event deck, "
        "turn up its next card first."
    )
