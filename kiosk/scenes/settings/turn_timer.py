"""The setting of the turn timer: off, or the length at which it warns."""

from typing import Final

import msgspec

from saloon.kiosk.intents import Prefer
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.scenes.widgets.common import NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.ui.parts import Block, Button, Look

CHOICES_S: Final = (0, 60, 90, 120, 180)


class TurnTimerScene:
    """The turn timer setting: off, or one of four lengths."""

    name: Final = "turn-timer"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """Explain the timer and show its lengths."""
        _ = stage.words.gettext
        text = _("A bar shows the seconds of the turn and warns at its end. It never ends a turn.")
        offers = (
            *(Offer(self._choice(stage, seconds), 1.6) for seconds in CHOICES_S),
            back_offer(stage, 1.6),
        )
        return dialog(stage, Head(_("Turn timer"), text, "clock"), offers)

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Change the length."""
        if target.startswith("turn-timer-"):
            seconds = int(target.removeprefix("turn-timer-"))
            chosen = msgspec.structs.replace(stage.table.preferences, turn_timer_s=seconds)
            return Reply((Prefer(chosen),))
        return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """Return True: the scene stays open until somebody leaves it."""
        del stage
        return True

    def _choice(self, stage: Stage, seconds: int) -> Button:
        _ = stage.words.gettext
        is_chosen = stage.table.preferences.turn_timer_s == seconds
        return Button(
            NOWHERE,
            f"turn-timer-{seconds}",
            _("{seconds} s").format(seconds=seconds) if seconds else _("Off"),
            Look.CHOSEN if is_chosen else Look.QUIET,
            "check" if is_chosen else "",
            size_px=stage.mm(4.6),
        )
