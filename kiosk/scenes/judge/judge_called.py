"""The judge is called: whether the call was answered or is cancelled. One press too many does neither."""

from typing import Final

from saloon.core.game.commands import AnswerJudgeCall
from saloon.kiosk.scenes.scene import Reply, SceneContext, command_reply
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, Offer, Tone, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class JudgeCalledScene:
    """The page of a call that was made; opened by a touch of the called judge, or by the panel's button."""

    name: Final = "judge-called"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show how far the judge is, and the two ways to end the call."""
        _ = stage.shared_words.gettext
        size = stage.mm(4.8)
        text = _("Carry on playing if you can. The call stays open until the judge arrives.")
        title = _("The judge is on the way") if stage.table.judge_coming else _("Judge called")
        came = Button(NOWHERE, "judge-came", _("The judge is here"), ButtonStyle.MAIN, "check", size_px=size)
        cancel = Button(
            NOWHERE,
            "cancel-call",
            _("Hold: cancel call"),
            ButtonStyle.GRAVE,
            size_px=size,
            hold_ms=HOLD_MS,
        )
        head = Heading(title, text, "bell", Tone.LOUD)
        return dialog(stage, head, (back_offer(stage), Offer(came, 2.6), Offer(cancel, 3)))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """End the call, or go back."""
        del stage
        if target in {"judge-came", "cancel-call"}:
            return Reply(command_reply(AnswerJudgeCall()).intents, closes=True)
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Stay open while the judge is called."""
        return stage.table.game is not None and stage.game.judge_called
