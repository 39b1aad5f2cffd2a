"""The judge is called: whether the call was answered or is cancelled. One press too many does neither."""

from typing import Final

from saloon.core.game.commands import AnswerJudgeCall
from saloon.kiosk.scenes.scene import SceneContext, command_reply
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Tone, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.sync.terminal.agent_contract import LinkPhase


class JudgeCalledScene:
    """The page of a call that was made; opened by a touch of the called judge, or by the panel's button."""

    name: Final = "judge-called"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show how far the judge is, and the two ways to end the call."""
        _ = stage.shared_words.gettext
        text = _("Carry on playing if you can. The call stays open until the judge arrives.")
        title, before = _("The judge has been called"), stage.table.calls_before
        if stage.table.judge_coming:
            title = _("The judge is on the way")
        elif before is not None:
            text = f"{_place(stage, before)} {text}"
        if stage.table.delivery.link is not LinkPhase.CONNECTED and not stage.table.judge_coming:
            title = _("Your call can't reach the station")
            text = _("It will be sent once the connection is back. Until then, please fetch the judge.")
        end = command_reply(AnswerJudgeCall(), closes=True)
        came, cancel = _("Hold: the judge is here"), _("Hold: cancel call")
        offers = (
            back_offer(stage, 1.6),
            offer(stage, "judge-came", came, end, 3, look=ButtonStyle.MAIN, icon="check", hold_ms=HOLD_MS),
            offer(stage, "cancel-call", cancel, end, 3, look=ButtonStyle.GRAVE, hold_ms=HOLD_MS),
        )
        return dialog(stage, Heading(title, text, "bell", Tone.LOUD), offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Stay open while the judge is called."""
        return stage.table.game is not None and stage.game.judge_called


def _place(stage: SceneContext, before: int) -> str:
    words = stage.shared_words
    if not before:
        return words.gettext("You're next.")
    return words.ngettext(
        "{count} table called before you.", "{count} tables called before you.", before
    ).format(count=before)
