"""The pages of a judge call: its reason, whether the judge is coming, and how to cancel it."""

from typing import ClassVar, Final

import msgspec

from core.game.ending.judge_calls import AnswerJudgeCall, GiveCallReason
from core.game.in_words import CALL_REASONS
from core.game.state.game import CallReason, Phase
from core.terms import SeatNo
from kiosk.scenes.scene import Reply, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import HOLD_MS, offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import AskGame
from sync.terminal.agent_contract import LinkPhase

WHY_MS: Final = 20_000
"""The time for which the question for the reason is shown; later, the page of the call offers it."""
_SHARE: Final = 2.6


class CallReasonScene(msgspec.Struct, frozen=True):
    """The question for the reason of a call, which closes by itself at ``until_ms`` (monotonic clock)."""

    name: ClassVar[str] = "call-reason"
    until_ms: int

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button for each reason."""
        _ = stage.shared_words.gettext
        offers = [
            offer(
                stage, f"reason-{reason.value}", _(CALL_REASONS[reason]),
                command_reply(GiveCallReason(reason)), _SHARE,
            )
            for reason in CallReason
        ]  # fmt: skip
        text = _("The judge has been called. You may also ignore this question.")
        if stage.table.delivery.link is not LinkPhase.CONNECTED:
            wait = _(
                "Your call will be sent once the connection is back. Until then, please fetch the judge."
            )
            unheard = _("Your call can't reach the station")
            text = f"{unheard}. {wait}"
        head = Heading(_("Why do you need the judge?"), text, "bell")
        return Dialog(stage, head, offers).draw()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a call still has no reason, and the question's time isn't over."""
        is_called = stage.table.game is not None and stage.game.judge_called
        return is_called and stage.game.call_reason is None and stage.table.now_ms < self.until_ms


def calls_elsewhere(stage: SceneContext) -> str:
    """Say which other tables are waiting for a judge; empty if none are, or if the station hasn't said so."""
    tables = stage.table.calls_elsewhere
    text = stage.words.ngettext(
        "Table {tables} is waiting for a judge, too.",
        "More tables are waiting for a judge, in this order: {tables}.",
        len(tables),
    )
    return text.format(tables=", ".join(map(str, tables))) if tables else ""


@scene("judge-called", when=lambda stage: stage.table.game is not None and stage.game.judge_called)
def judge_called(stage: SceneContext, reader: SeatNo | None = None) -> Dialog:
    """Show the state of a judge call, with buttons to give a reason and to end the call.

    reader: the seat that the page faces; None for the player in turn or, outside of turns, everybody.
    """
    if reader is not None and reader <= len(stage.game.seats):
        stage = stage.in_language_of(reader)
    elif stage.is_in(Phase.PLAYING):
        stage = stage.for_turn_player()
    _ = stage.words.gettext
    text = _("Carry on playing if you can. The call stays open until the judge arrives.")
    title, before = _("The judge has been called"), stage.table.calls_before
    if stage.table.judge_coming:
        title = _("The judge is on the way")
    elif before is not None:
        others = stage.words.ngettext(
            "{count} table called before you.", "{count} tables called before you.", before
        ).format(count=before)
        place = others if before else _("You're next.")
        text = f"{place} {text}"
    if stage.table.delivery.link is not LinkPhase.CONNECTED and not stage.table.judge_coming:
        title = _("Your call can't reach the station")
        text = _("Your call will be sent once the connection is back. Until then, please fetch the judge.")
    reason = stage.game.call_reason
    if reason is not None:
        text = f"{_(CALL_REASONS[reason])}. {text}"
    end = command_reply(AnswerJudgeCall(), closes=True)
    goes_on = Reply((AskGame(AnswerJudgeCall(), calls_elsewhere(stage)),), closes=True)
    came, cancel = _("Hold: the judge is here"), _("Hold: cancel call")
    why = Reply(becomes=CallReasonScene(stage.table.now_ms + WHY_MS))
    offers = (
        *((offer(stage, "say-why", _("Say why"), why, 2),) if reason is None else ()),
        offer(stage, "judge-came", came, goes_on, 3, look=ButtonStyle.MAIN, icon="check", hold_ms=HOLD_MS),
        offer(stage, "cancel-call", cancel, end, 3, look=ButtonStyle.GRAVE, hold_ms=HOLD_MS),
    )
    return Dialog(stage, Heading(title, text, "bell", Tone.LOUD), offers)
