"""The judge's pages for this table's clock, and for the decision at the time limit."""

from typing import Final

from core.editions.readings import TimeLimit
from core.game.commands import EndByTimeLimit
from core.terms import Ending
from kiosk.scenes.scene import Reply, SceneContext, judge_command_reply
from kiosk.scenes.widgets.clock_words import judge_words, what_then
from kiosk.scenes.widgets.dialogs import Dialog, dialog, has_game
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, back_offer, offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import AskClock, ClockAsk


def _may_end(stage: SceneContext) -> bool:
    return stage.allows(EndByTimeLimit(TimeLimit.NO_WINNER))


@dialog("time-limit", when=_may_end)
def time_limit(stage: SceneContext) -> Dialog:
    """Offer the decisions at the time limit, the tournament's default first."""
    _ = stage.words.gettext
    reason = _("decided at the table when time was up")
    choices = (
        ("time-no-winner", _("Nobody wins"), EndByTimeLimit(TimeLimit.NO_WINNER, reason=reason)),
        ("time-high-noon", _("High Noon begins"), EndByTimeLimit(TimeLimit.HIGH_NOON, reason=reason)),
        ("time-law", _("Ruling: Law wins"), _ruling(Ending.LAW_WINS, reason)),
        ("time-outlaws", _("Ruling: Outlaws win"), _ruling(Ending.OUTLAWS_WIN, reason)),
        ("time-renegade", _("Ruling: Renegade wins"), _ruling(Ending.RENEGADE_WINS, reason)),
    )
    prescribed = stage.edition.readings.time_limit
    offers = [
        _decision(stage, *choice, is_prescribed=choice[2].how is prescribed)
        for choice in sorted(choices, key=lambda choice: choice[2].how is not prescribed)
    ]
    hold = _(
        "Hold a button. The record sheet will show what you decided; you can add the reason at the station."
    )
    text = f"{what_then(stage)[1]} {hold}"
    return Dialog(stage, Heading(_("Time's up"), text, "clock"), (*offers, back_offer(stage, 2)))


def _ruling(ending: Ending, reason: str) -> EndByTimeLimit:
    return EndByTimeLimit(TimeLimit.JUDGE, ending, reason)


def _decision(
    stage: SceneContext, target: str, label: str, command: EndByTimeLimit, *, is_prescribed: bool
) -> Offer:
    _ = stage.words.gettext
    reply = judge_command_reply(command, _("Time has been called."))
    small, look = (_("by the rules"), ButtonStyle.MAIN) if is_prescribed else ("", ButtonStyle.GRAVE)
    may = stage.allows(command)
    return offer(stage, target, label, reply, 3, look=look, small=small, hold_ms=HOLD_MS, enabled=may)


_GIVEN_MIN: Final = (1, 5, 10)


@dialog("clock", when=has_game)
def table_clock(stage: SceneContext) -> Dialog:
    """Start, pause, resume or extend the table's clock; the station gets each change."""
    _ = stage.words.gettext
    time = stage.table.round_time
    if time is None:
        head = Heading(_("Round clock"), _("There's no time limit."), "clock")
        return Dialog(stage, head, (back_offer(stage, 2),))
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
    return Dialog(stage, head, offers)


def _more(stage: SceneContext, minutes: int, *, enabled: bool) -> Offer:
    said = stage.words.ngettext("{count} more minute", "{count} more minutes", minutes).format(count=minutes)
    more = Reply((AskClock(ClockAsk.EXTEND, minutes),))
    return offer(stage, f"clock-extend-{minutes}", f"+{minutes} min", more, 1.6, enabled=enabled, said=said)
