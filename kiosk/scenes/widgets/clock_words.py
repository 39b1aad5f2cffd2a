"""Texts about the round's clock: for the status strip, the table's heading, and the judge."""

from typing import assert_never

from core.editions.readings import TimeLimit
from core.game.state.game import HighNoon
from kiosk.i18n import Words
from kiosk.scenes.scene import SceneContext
from kiosk.view.table_view import RoundTime

_MINUTE_S = 60


def clock_figure(time: RoundTime, words: Words) -> tuple[str, str]:
    """Return the number that the table's clock shows, and its unit: minutes or, in the last one, seconds."""
    about = "~" if time.is_rough and not time.is_over else ""
    if time.is_started and 0 < time.left_s < _MINUTE_S:
        return f"{about}{time.left_s}", words.gettext("s")
    return f"{about}{time.minutes}", words.gettext("min")


def time_words(stage: SceneContext) -> str:
    """Return the clock's message to the table; empty while the game simply goes on."""
    time = stage.table.round_time
    if time is None:
        return ""
    _, ngettext = stage.words.gettext, stage.words.ngettext
    reads_noon = stage.edition.readings.time_limit is TimeLimit.HIGH_NOON
    plays_on = reads_noon and stage.game.high_noon in {HighNoon.CALLED, HighNoon.ON}
    if time.is_over and not plays_on:
        return " ".join((_("Time's up."), what_then(stage)[0]))
    if time.is_started and time.is_paused:
        return _("The judge has stopped the clock.")
    if time.warns_min:
        text = ngettext("{count} minute left.", "{count} minutes left.", time.warns_min)
        return text.format(count=time.warns_min)
    return ""


def time_brief(stage: SceneContext) -> str:
    """Return the clock's message to the table in a short form."""
    _, time = stage.words.gettext, stage.table.round_time
    if time is not None and time.is_over:
        return _("Time's up.")
    if time is not None and time.is_paused:
        return _("Stopped.")
    return time_words(stage)


def what_then(stage: SceneContext) -> tuple[str, str]:
    """Say what the edition prescribes when time is up (reading D09): to the table, and to the judge."""
    _ = stage.words.gettext
    match stage.edition.readings.time_limit:
        case TimeLimit.NO_WINNER:
            at_the_table = _("Call the judge: the game ends with no winner.")
            return at_the_table, _("Under this tournament's rules, nobody wins.")
        case TimeLimit.HIGH_NOON:
            at_the_table = _("Call the judge: High Noon begins with the next turn.")
            return at_the_table, _("Under this tournament's rules, High Noon begins.")
        case TimeLimit.JUDGE:
            at_the_table = _("Call the judge, who will rule how the game ended.")
            return at_the_table, _("Under this tournament's rules, you rule how it ended.")
        case _:
            assert_never(stage.edition.readings.time_limit)


def judge_words(time: RoundTime, words: Words) -> str:
    """Describe this table's clock to a judge in two sentences."""
    _, ngettext = words.gettext, words.ngettext
    if not time.is_started:
        text = _("The clock hasn't been started. Limit: {minutes} minutes.")
        return text.format(minutes=time.limit_s // _MINUTE_S)
    left = ngettext("{count} minute left.", "{count} minutes left.", time.minutes).format(count=time.minutes)
    if time.is_over:
        over = -time.left_s // _MINUTE_S
        text = ngettext("Time ran out {count} minute ago.", "Time ran out {count} minutes ago.", over)
        left = text.format(count=over) if over else _("Time's up.")
    if time.is_rough:
        left = ngettext(
            "About {minutes} minute left: the terminal was off or disconnected.",
            "About {minutes} minutes left: the terminal was off or disconnected.",
            time.minutes,
        ).format(minutes=time.minutes)
    said = [left]
    if time.is_held_by_station:
        said.append(_("Stopped at the station."))
    if time.is_held_here:
        said.append(_("Stopped here."))
    if time.extended_s:
        extra = time.extended_s // _MINUTE_S
        said.append(ngettext("{count} minute added.", "{count} minutes added.", extra).format(count=extra))
    return " ".join(said)
