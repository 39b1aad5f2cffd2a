"""The round's clock of this table in the judge's hands."""

from typing import Final

from saloon.kiosk.intents import AskClock, ClockAsk
from saloon.kiosk.scenes.judge.clock_words import judge_words
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle

_GIVEN_MIN: Final = (1, 5, 10)


class ClockScene:
    """The round's clock: start, stop, resume, give time; each acts at once and is reported to the station."""

    name: Final = "clock"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the time left, and what the judge can do about it."""
        _ = stage.words.gettext
        time = stage.table.round_time
        if time is None:
            head = Heading(_("Round clock"), _("There is no time limit."), "clock")
            return dialog(stage, head, (back_offer(stage, 2),))
        if not time.is_started:
            target, label, icon, ask = "clock-start", _("Start the clock"), "arrow", ClockAsk.START
        elif time.is_held_here:
            target, label, icon, ask = "clock-resume", _("Resume"), "arrow", ClockAsk.RESUME
        else:
            target, label, icon, ask = "clock-pause", _("Stop the clock"), "pause", ClockAsk.PAUSE
        change = Reply((AskClock(ask),))
        offers = (
            offer(stage, target, label, change, 3.4, look=ButtonStyle.MAIN, icon=icon),
            *(_more(stage, minutes, enabled=time.is_started) for minutes in _GIVEN_MIN),
            back_offer(stage, 1.8),
        )
        head = Heading(_("This table's clock"), judge_words(time, stage.words), "clock")
        return dialog(stage, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether there is a game."""
        return stage.table.game is not None


def _more(stage: SceneContext, minutes: int, *, enabled: bool) -> Offer:
    said = stage.words.ngettext("{count} minute more", "{count} minutes more", minutes).format(count=minutes)
    more = Reply((AskClock(ClockAsk.EXTEND, minutes),))
    return offer(stage, f"clock-extend-{minutes}", f"+{minutes} min", more, 1.6, enabled=enabled, said=said)
