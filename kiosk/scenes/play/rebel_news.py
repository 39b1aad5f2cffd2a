"""News for the whole table: the Rebel! is revealed, or becomes the Sheriff."""

from core.game.state import Phase
from core.terms import SeatNo
from kiosk.scenes.heads.guide import is_new_sheriffs_first_turn
from kiosk.scenes.play.out_too import out_too_offers
from kiosk.scenes.scene import CLOSE, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import Heading, offer
from kiosk.ui.blocks import ButtonStyle


def _is_first_turn(stage: SceneContext) -> bool:
    game = stage.table.game
    return game is not None and is_new_sheriffs_first_turn(game)


@dialog("new-sheriff", when=_is_first_turn)
def new_sheriff(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Show what a Revolution changes, turned towards the new Sheriff."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    head = Heading(
        _("{name} is now the Sheriff").format(name=stage.seat(seat).name),
        new_sheriff_words(stage),
        "star",
    )
    read = offer(stage, "back", _("New turn"), CLOSE, 2, size_mm=5, look=ButtonStyle.MAIN, icon="arrow")
    return Dialog(stage, head, (*out_too_offers(stage), read))


def _is_rebels_turn(stage: SceneContext, seat: SeatNo) -> bool:
    game = stage.table.game
    return (
        game is not None
        and game.phase is Phase.PLAYING
        and (game.rebel, game.turn) == (seat, seat)
        and game.revolution is None
    )


@dialog("rebel-shown", holds=_is_rebels_turn)
def rebel_revealed(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Show what revealing the Rebel! changes, turned towards that player."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "From now on, the Sheriff loses no cards for eliminating a Deputy. The Rebel! must "
        "still eliminate the Sheriff personally, on their own turn."
    )
    head = Heading(_("{name} is the Rebel!").format(name=stage.seat(seat).name), text, "cards")
    read = offer(stage, "back", _("Continue"), CLOSE, 2.4, size_mm=5, look=ButtonStyle.MAIN, icon="arrow")
    return Dialog(stage, head, (read,))


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
