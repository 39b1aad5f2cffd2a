"""The round's clock of this table in the judge's hands."""

from typing import Final

from saloon.kiosk.intents import AskClock, ClockAsk
from saloon.kiosk.scenes.judge.clock_words import judge_words
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_GIVEN_MIN: Final = (1, 5, 10)


class ClockScene:
    """The round's clock: start, stop, resume, give time; each acts at once and is reported to the station."""

    name: Final = "clock"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the time left, and what the judge can do about it."""
        _, size = stage.words.gettext, stage.mm(4.6)
        time = stage.table.round_time
        if time is None:
            head = Heading(_("Round clock"), _("There is no time limit."), "clock")
            return dialog(stage, head, (back_offer(stage, 2),))
        if not time.is_started:
            target, label, icon = "clock-start", _("Start the clock"), "arrow"
        elif time.is_held_here:
            target, label, icon = "clock-resume", _("Resume"), "arrow"
        else:
            target, label, icon = "clock-pause", _("Stop the clock"), "pause"
        offers = (
            Offer(Button(NOWHERE, target, label, ButtonStyle.MAIN, icon, size_px=size), 3.4),
            *(Offer(_more(stage, minutes, enabled=time.is_started), 1.6) for minutes in _GIVEN_MIN),
            back_offer(stage, 1.8),
        )
        return dialog(
            stage, Heading(_("This table's clock"), judge_words(time, stage.words), "clock"), offers
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the clock in the judge's name."""
        del stage
        match target:
            case "clock-start":
                return Reply((AskClock(ClockAsk.START),))
            case "clock-pause":
                return Reply((AskClock(ClockAsk.PAUSE),))
            case "clock-resume":
                return Reply((AskClock(ClockAsk.RESUME),))
            case _ if target.startswith("clock-extend-"):
                minutes = int(target.removeprefix("clock-extend-"))
                return Reply((AskClock(ClockAsk.EXTEND, minutes),))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether there is a game."""
        return stage.table.game is not None


def _more(stage: SceneContext, minutes: int, *, enabled: bool) -> Button:
    said = stage.words.ngettext("{count} minute more", "{count} minutes more", minutes)
    return Button(
        NOWHERE,
        f"clock-extend-{minutes}",
        f"+{minutes} min",
        size_px=stage.mm(4.6),
        enabled=enabled,
        said=said.format(count=minutes),
    )
