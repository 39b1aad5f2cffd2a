"""The question whether to shut the terminal down, asked after its button was held."""

from typing import Final

from saloon.kiosk.intents import AnswerShutDown
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, Offer, Tone
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.kiosk.view.parts_view import ShutDown


class ShutDownScene:
    """The shutdown question, and the message that the system refused to shut down."""

    name: Final = "shut-down"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the question with the consequences of a yes, or the refusal."""
        _ = stage.words.gettext
        size = stage.mm(4.8)
        if stage.table.parts.shut_down is ShutDown.FAILED:
            head = Heading(_("Can't shut down"), _("The system refused. Call the organiser."), "warning")
            fine = Button(NOWHERE, "shut-down-no", _("OK"), ButtonStyle.MAIN, "check", size_px=size)
            return dialog(stage, head, (Offer(fine, 2.4),))
        text = _("Wait until the screen goes black before you unplug it.")
        if stage.table.game is not None:
            text = _("A game is in progress. It's saved and will continue when the terminal restarts.")
        head = Heading(_("Shut down the terminal?"), text, "warning", Tone.LOUD)
        return dialog(
            stage,
            head,
            (
                Offer(
                    Button(
                        NOWHERE, "shut-down-no", _("No, carry on"), ButtonStyle.MAIN, "back", size_px=size
                    ),
                    2.4,
                ),
                Offer(
                    Button(
                        NOWHERE,
                        "shut-down-yes",
                        _("Shut down"),
                        ButtonStyle.GRAVE,
                        size_px=size,
                        hold_ms=HOLD_MS,
                    ),
                    2.4,
                ),
            ),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Send the answer and close."""
        del stage
        if target not in {"shut-down-no", "shut-down-yes"}:
            return Reply()
        return Reply((AnswerShutDown(is_yes=target == "shut-down-yes"),), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a shutdown is requested or has failed."""
        return stage.table.parts.shut_down is not ShutDown.NO
