"""The page to change what a game records: everything, or only turns and eliminations."""

import msgspec

from core.game.commands import SetRecordMode
from core.game.play.turns import records_turns
from core.game.state import Phase
from core.rule_set import RecordMode
from kiosk.scenes.scene import SceneContext, judge_command_reply
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, back_offer, offer
from kiosk.ui.blocks import ButtonStyle


def other_mode(stage: SceneContext) -> SetRecordMode:
    """Return the command that switches between full and light recording."""
    is_light = stage.game.mode is RecordMode.LIGHT
    return SetRecordMode(RecordMode.FULL if is_light else RecordMode.LIGHT)


def _may_change_mode(stage: SceneContext) -> bool:
    return stage.allows(other_mode(stage))


@dialog("record-mode", when=_may_change_mode)
def record_mode(stage: SceneContext) -> Dialog:
    """Explain what changing the record mode means for this game, and confirm it."""
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
    return Dialog(stage, Heading(title, f"{text} {same}", "story"), (back_offer(stage, 1.6), change))
