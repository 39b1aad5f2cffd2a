"""The question of why the judge was called. The table may ignore it, as the call was already sent."""

from typing import ClassVar, Final

import msgspec

from core.game.commands import GiveCallReason
from core.game.events import CallReason
from core.game.in_words import CALL_REASONS
from kiosk.scenes.scene import SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import Heading, back_offer, offer
from kiosk.ui.blocks import Block
from sync.terminal.agent_contract import LinkPhase

WHY_MS: Final = 20_000
"""The time for which the question is shown; later, the page of the call still offers it."""
_SHARE: Final = 2.6


class CallReasonScene(msgspec.Struct, frozen=True):
    """The possible reasons for a call. until_ms: when the page closes by itself (monotonic clock)."""

    name: ClassVar[str] = "call-reason"
    until_ms: int

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show a button for each reason."""
        _ = stage.shared_words.gettext
        replies = {reason: command_reply(GiveCallReason(reason)) for reason in CallReason}
        offers = [
            offer(stage, f"reason-{reason.value}", _(CALL_REASONS[reason]), reply, _SHARE)
            for reason, reply in replies.items()
        ]
        text = _("The judge has been called. You may also ignore this question.")
        if stage.table.delivery.link is not LinkPhase.CONNECTED:
            wait = _("It will be sent once the connection is back. Until then, please fetch the judge.")
            unheard = _("Your call can't reach the station")
            text = f"{unheard}. {wait}"
        head = Heading(_("Why do you need the judge?"), text, "bell")
        return draw_dialog(stage, head, (*offers, back_offer(stage, 1.6)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the open call has no reason yet and the question's time isn't over."""
        is_called = stage.table.game is not None and stage.game.judge_called
        return is_called and stage.game.call_reason is None and stage.table.now_ms < self.until_ms
