"""The page for a judge's decision that needs a reason: explain it, choose the reason, and hold the button."""

from functools import partial
from typing import ClassVar

import msgspec

from base.errors import Refused
from core.game.correction import CorrectionCommand
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.sheet import VoidGame
from core.game.play.abandonment import Abandon
from core.game.setup import RestartGame
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.keyboard import WORD_KEYS, typing_page
from kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, back_offer, offer
from kiosk.ui.blocks import Block, Button, ButtonStyle
from kiosk.view.intents import AskGame

Reasoned = VoidGame | RestartGame | CorrectionCommand | WarnPlayer | Abandon


class Purpose(msgspec.Struct, frozen=True):
    """The texts for a decision: title, effect, button, and message afterwards.

    ``usual`` lists common reasons to choose from.
    """

    title: str
    text: str
    hold: str
    done: str
    usual: tuple[str, ...]
    icon: str = "key"


class ReasonScene(msgspec.Struct, frozen=True):
    """The page to choose or type a reason. Its button is enabled once there is one.

    ``also`` contains further commands with the same reason, such as the ejection after a second warning.
    """

    command: Reasoned
    purpose: Purpose
    reason: str = ""
    also: tuple[Reasoned, ...] = ()

    name: ClassVar[str] = "reason"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the effect, the reasons, and the button to hold."""
        _ = stage.words.gettext
        other = self.reason and self.reason not in self.purpose.usual
        offers = [
            offer(
                stage, f"reason-{number}", words,
                Reply(becomes=msgspec.structs.replace(self, reason=words)), 3.4,
                look=ButtonStyle.CHOSEN if words == self.reason else ButtonStyle.QUIET,
                icon="check" if words == self.reason else "",
            )
            for number, words in enumerate(self.purpose.usual, 1)
        ]  # fmt: skip
        typed = offer(
            stage, "reason-typed", self.reason if other else _("Other reason"),
            Reply(becomes=TypedReasonScene(self)), 3.4,
            look=ButtonStyle.CHOSEN if other else ButtonStyle.QUIET, icon="pencil",
        )  # fmt: skip
        done = self._done()
        hold = offer(
            stage, "do-it", self.purpose.hold, done, 3.6, look=ButtonStyle.GRAVE, icon=self.purpose.icon,
            hold_ms=HOLD_MS, enabled=bool(self.reason) and self.still_holds(stage),
        )  # fmt: skip
        why = "" if self.reason else _("Why?")
        head = Heading(self.purpose.title, self.purpose.text, self.purpose.icon, badge=why)
        return draw_dialog(stage, head, (*offers, typed, back_offer(stage, 1.6), hold))

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.table.game is not None and self.why_not(stage) is None

    def why_not(self, stage: SceneContext) -> Refused | None:
        """Return why the decision is impossible, or None."""
        return stage.why_not(self._command("…"))

    def _done(self) -> Reply:
        """Return the reply that sends all commands; the message appears once, after the last one."""
        commands = (self.command, *self.also)
        intents = [AskGame(msgspec.structs.replace(command, reason=self.reason)) for command in commands]
        last = msgspec.structs.replace(intents[-1], done=self.purpose.done)
        return Reply(intents=(*intents[:-1], last), leaves=True)

    def _command(self, reason: str) -> Reasoned:
        return msgspec.structs.replace(self.command, reason=reason)


class TypedReasonScene(msgspec.Struct, frozen=True):
    """The page to type a reason. ``over`` is the scene to return to."""

    over: ReasonScene
    typed: str = ""

    name: ClassVar[str] = "reason-typed"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the text so far and the keyboard."""
        _ = stage.words.gettext
        reason = self.typed.strip()
        chosen = OnTouch(Reply(becomes=msgspec.structs.replace(self.over, reason=reason)))
        done = Button(
            NOWHERE, "reason-done", _("Done"), ButtonStyle.MAIN, "check", enabled=bool(reason), action=chosen
        )
        again = partial(TypedReasonScene, self.over)
        back = Reply(becomes=self.over)
        return typing_page(stage, WORD_KEYS, self.typed, done, hint=_("Why?"), after=again, back=back)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the decision that needs this reason is possible."""
        return self.over.still_holds(stage)
