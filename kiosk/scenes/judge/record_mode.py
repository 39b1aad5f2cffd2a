"""The page to change what a game records: everything, or only turns and eliminations."""

from typing import Final

import msgspec

from core.game.play.turns import SetRecordMode, records_turns
from core.game.state.game import Phase
from core.rule_set import RecordMode
from kiosk.scenes.scene import PersistentScene, SceneContext, judge_command_reply
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle


def other_mode(stage: SceneContext) -> SetRecordMode:
    """Return the command that switches between full and light recording."""
    is_light = stage.game.mode is RecordMode.LIGHT
    return SetRecordMode(RecordMode.FULL if is_light else RecordMode.LIGHT)


class RecordModeScene(PersistentScene):
    """The page to change what the table records from now on."""

    name: Final = "record-mode"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain the consequences for this game, and draw the button to hold."""
        _, command = stage.words.gettext, other_mode(stage)
        if command.mode is RecordMode.LIGHT:
            title, hold = _("Change to a light game"), _("Hold: light game")
            text = _("Enter reshuffles and eliminations only.")
            if records_turns(msgspec.structs.replace(stage.game, mode=command.mode), stage.edition):
                text = _("Enter turns, reshuffles and eliminations; players keep their own life points.")
            done = _("Light game from now on.")
        else:
            title, hold = _("Change to a full game"), _("Hold: full game")
            text = done = _("Life points and turns count again: correct them where they're wrong.")
            if stage.game.phase is not Phase.PLAYING:
                text = done = _("Life points and every turn will be entered.")
        same = _("Winnings and ranking stay the same.")
        change = offer(
            stage, "change-record-mode", hold, judge_command_reply(command, done), 3.6,
            look=ButtonStyle.MAIN, icon="story", hold_ms=HOLD_MS, enabled=stage.allows(command),
        )  # fmt: skip
        return dialog(stage, Heading(title, f"{text} {same}", "story"), (back_offer(stage, 1.6), change))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a game with roles is being played."""
        return stage.table.game is not None and stage.allows(other_mode(stage))
