"""The question whether to shut the terminal down, asked after its button was held."""

from typing import Final

from saloon.kiosk.intents import AnswerShutDown
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Tone, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.kiosk.view.parts_view import ShutDown


class ShutDownScene:
    """The shutdown question, and the message that the system refused to shut down."""

    name: Final = "shut-down"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the question with the consequences of a yes, or the refusal."""
        _ = stage.words.gettext
        no, yes = (Reply((AnswerShutDown(is_yes=answer),), closes=True) for answer in (False, True))
        main = ButtonStyle.MAIN
        if stage.table.parts.shut_down is ShutDown.FAILED:
            head = Heading(_("Can't shut down"), _("The system refused. Call the organiser."), "warning")
            fine = offer(stage, "shut-down-no", _("OK"), no, 2.4, look=main, icon="check")
            return dialog(stage, head, (fine,))
        text = _("Wait until the screen goes black before you unplug it.")
        if stage.table.game is not None:
            text = _("A game is in progress. It's saved and will continue when the terminal restarts.")
        head = Heading(_("Shut down the terminal?"), text, "warning", Tone.LOUD)
        stay, leave, grave = _("No, carry on"), _("Shut down"), ButtonStyle.GRAVE
        offers = (
            offer(stage, "shut-down-no", stay, no, 2.4, look=main, icon="back"),
            offer(stage, "shut-down-yes", leave, yes, 2.4, look=grave, hold_ms=HOLD_MS),
        )
        return dialog(stage, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a shutdown is requested or has failed."""
        return stage.table.parts.shut_down is not ShutDown.NO
