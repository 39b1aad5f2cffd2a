"""The judge's decision when the time is over."""

from typing import Final

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.game.events import Ending
from saloon.kiosk.i18n import Words
from saloon.kiosk.scenes.judge.clock_words import edition_says
from saloon.kiosk.scenes.scene import Reply, SceneContext, judge_command_reply
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class TimeLimitScene:
    """The judge's choice at the time limit, by a hold: nobody wins, High Noon next turn, or a ruling."""

    name: Final = "time-limit"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the decisions; those that the rules do not allow are disabled."""
        _ = stage.words.gettext
        offers = [self._offer(stage, target) for target in _TARGETS]
        hold = _(
            "Hold a button. The record sheet will show what you decided; you can add the reason "
            "at the station."
        )
        text = f"{edition_says(stage)} {hold}"
        return dialog(stage, Heading(_("Time's up"), text, "clock"), (*offers, back_offer(stage, 2)))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Send the decision to the game as the judge."""
        if target in _TARGETS:
            _ = stage.words.gettext
            return judge_command_reply(_command(target, stage.words), _("Time has been called."))
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the time limit can still end this game."""
        return stage.table.game is not None and stage.allows(EndByTimeLimit(TimeLimit.NO_WINNER))

    def _offer(self, stage: SceneContext, target: str) -> Offer:
        _ = stage.words.gettext
        labels = {
            "time-no-winner": _("Nobody wins"),
            "time-high-noon": _("High Noon begins"),
            "time-law": _("Ruling: Law wins"),
            "time-outlaws": _("Ruling: Outlaws win"),
            "time-renegade": _("Ruling: Renegade wins"),
        }
        button = Button(
            NOWHERE, target, labels[target], ButtonStyle.GRAVE, size_px=stage.mm(4.2), hold_ms=HOLD_MS,
            enabled=stage.allows(_command(target, stage.words)),
        )  # fmt: skip
        return Offer(button, 3)


_TARGETS: Final = ("time-no-winner", "time-high-noon", "time-law", "time-outlaws", "time-renegade")


def _command(target: str, words: Words) -> EndByTimeLimit:
    reason = words.gettext("decided at the table when time was up")
    match target:
        case "time-no-winner":
            return EndByTimeLimit(TimeLimit.NO_WINNER, reason=reason)
        case "time-high-noon":
            return EndByTimeLimit(TimeLimit.HIGH_NOON, reason=reason)
        case "time-law":
            return EndByTimeLimit(TimeLimit.JUDGE, Ending.LAW_WINS, reason)
        case "time-outlaws":
            return EndByTimeLimit(TimeLimit.JUDGE, Ending.OUTLAWS_WIN, reason)
        case _:
            return EndByTimeLimit(TimeLimit.JUDGE, Ending.RENEGADE_WINS, reason)
