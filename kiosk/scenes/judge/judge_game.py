"""The judge's pages for a game and its terminal: clock, event cards, record mode, swap and brightness."""

from typing import Final

import msgspec

from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.ending.rebel import ShowEventCard
from core.game.in_words import EVENT_CARDS
from core.game.play.turns import SetRecordMode, records_turns
from core.game.state.game import EventCard, Phase
from core.rule_set import RecordMode
from core.terms import Ending
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes import pages
from kiosk.scenes.connection.connection import age_words, finding_words, phase_words
from kiosk.scenes.scene import Reply, SceneContext, prefer_reply
from kiosk.scenes.widgets.clock_words import judge_words, what_then
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import back_offer, offer, ruling_offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import AskClock, AskLink, ClockAsk
from sync.terminal.agent_contract import LinkPhase, SendAgain


@scene("time-limit", when=lambda stage: stage.allows(EndByTimeLimit(TimeLimit.NO_WINNER)))
def time_limit(stage: SceneContext) -> Dialog:
    """Offer the possible decisions when time is up, with the one that the rules prescribe first."""
    _ = stage.words.gettext
    reason = _("decided at the table when time was up")
    choices = (
        ("time-no-winner", _("Nobody wins"), TimeLimit.NO_WINNER, None),
        ("time-high-noon", _("High Noon begins"), TimeLimit.HIGH_NOON, None),
        ("time-law", _("Ruling: Law wins"), TimeLimit.JUDGE, Ending.LAW_WINS),
        ("time-outlaws", _("Ruling: Outlaws win"), TimeLimit.JUDGE, Ending.OUTLAWS_WIN),
        ("time-renegade", _("Ruling: Renegade wins"), TimeLimit.JUDGE, Ending.RENEGADE_WINS),
    )
    prescribed, done = stage.edition.readings.time_limit, _("Time has been called.")
    offers = []
    for target, label, how, ending in sorted(choices, key=lambda choice: choice[2] is not prescribed):
        command = EndByTimeLimit(how, ending, reason)
        small, look = (_("by the rules"), ButtonStyle.MAIN) if how is prescribed else ("", ButtonStyle.GRAVE)
        offers.append(ruling_offer(stage, target, label, command, done, look=look, small=small))
    hold = _(
        "Hold a button. The record sheet will show what you decided; you can add the reason at the station."
    )
    text = f"{what_then(stage)[1]} {hold}"
    return Dialog(
        stage,
        Heading(_("Time's up"), text, "clock", rule=Rule.TIME_LIMIT.value),
        (*offers, back_offer(stage, 2)),
    )


_GIVEN_MIN: Final = (1, 5, 10)


@scene("clock", when=has_game)
def table_clock(stage: SceneContext) -> Dialog:
    """Start, stop, resume or extend the table's clock."""
    _ = stage.words.gettext
    time = stage.table.round_time
    if time is None:
        head = Heading(_("Round clock"), _("There's no time limit."), "clock")
        return Dialog(stage, head, ())
    if not time.is_started:
        target, label, icon, ask = "clock-start", _("Start the clock"), "arrow", ClockAsk.START
    elif time.is_held_here:
        target, label, icon, ask = "clock-resume", _("Resume"), "arrow", ClockAsk.RESUME
    else:
        target, label, icon, ask = "clock-pause", _("Stop the clock"), "pause", ClockAsk.PAUSE
    change = Reply((AskClock(ask),))
    offers = [offer(stage, target, label, change, 3.4, look=ButtonStyle.MAIN, icon=icon)]
    for count in _GIVEN_MIN:
        said = stage.words.ngettext("{count} more minute", "{count} more minutes", count).format(count=count)
        more, may, extend = (
            Reply((AskClock(ClockAsk.EXTEND, count),)),
            time.is_started,
            f"clock-extend-{count}",
        )
        offers.append(offer(stage, extend, f"+{count} min", more, 1.6, enabled=may, said=said))
    head = Heading(_("This table's clock"), judge_words(time, stage.words), "clock")
    return Dialog(stage, head, offers)


@scene("event-card", when=lambda stage: any(stage.allows(ShowEventCard(card)) for card in EventCard))
def event_card(stage: SceneContext) -> Dialog:
    """Choose the event card in force, and explain the effects of each."""
    _ = stage.words.gettext
    text = _(
        "Ghost Town: eliminated players play their turns as ghosts. Dead Man: the first "
        "eliminated player returns on their turn. The card counts until the Sheriff's next turn."
    )
    choices: list[tuple[EventCard | None, str, str, str]] = []
    for card in EventCard:
        name = _(EVENT_CARDS[card])
        words, done = _("Hold: {card}").format(card=name), _("{card} is face up.").format(card=name)
        choices.append((card, f"event-card-{card.value}", words, done))
    none = _("No card brings players back any more.")
    choices.append((None, "event-card-none", _("Hold: no card"), none))
    offers = [
        ruling_offer(stage, target, words, ShowEventCard(card), done, share=2.8, look=ButtonStyle.CARD)
        for card, target, words, done in choices
        if stage.allows(ShowEventCard(card))
    ]
    return Dialog(stage, Heading(_("Event card"), text, "cards"), offers)


def other_mode(stage: SceneContext) -> SetRecordMode:
    """Return the command that switches between full and light recording."""
    is_light = stage.game.mode is RecordMode.LIGHT
    return SetRecordMode(RecordMode.FULL if is_light else RecordMode.LIGHT)


@scene("record-mode", when=lambda stage: stage.allows(other_mode(stage)))
def record_mode(stage: SceneContext) -> Dialog:
    """Explain and confirm a change of the record mode."""
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
    change = ruling_offer(
        stage, "change-record-mode", hold, command, done, share=3.6, look=ButtonStyle.MAIN, icon="story"
    )
    return Dialog(stage, Heading(title, f"{text} {same}", "story"), (change,))


_STEP: Final = 20
_LEAST: Final = 20
_ALL: Final = 100


@scene("resend")
def resend_entries(stage: SceneContext, sent: int | None = None) -> Dialog:
    """Send all entries again that the station hasn't received.

    sent: how many there were at the last attempt, or None before the first.
    """
    _, owed = stage.words.gettext, _count_undelivered(stage)
    send = Reply(intents=(AskLink(SendAgain()),), becomes=resend_entries(owed))
    again = offer(
        stage, "send-again", _("Send again now"), send, 3.2, look=ButtonStyle.MAIN, icon="arrow",
        enabled=owed > 0,
    )  # fmt: skip
    title = _("The station has everything")
    if owed:
        text = stage.words.ngettext("{count} entry not received", "{count} entries not received", owed)
        title = text.format(count=owed)
    head = Heading(title, _text(stage, sent), "link" if not owed else "story")
    return Dialog(stage, head, (again,))


def _text(stage: SceneContext, sent: int | None) -> str:
    _, owed = stage.words.gettext, _count_undelivered(stage)
    phase = f"{phase_words(stage, stage.table.link)}. {age_words(stage, stage.table.link)}."
    if sent is None:
        return phase
    if not owed:
        return _("Everything has arrived.")
    came = sent - owed
    if came > 0:
        return _("{came} of {asked} have arrived; the rest will follow.").format(came=came, asked=sent)
    if stage.table.delivery.link is LinkPhase.CONNECTED:
        return _("Sent again; the station hasn't answered yet.")
    return _("Can't send: no connection.") + " " + finding_words(stage, stage.table.link)


@scene("swap")
def swap_terminal(stage: SceneContext) -> Dialog:
    """Explain how to replace this terminal with a spare one, which a judge does at the station."""
    _, owed = stage.words.gettext, _count_undelivered(stage)
    table = stage.table.table or 0
    text = _(
        "1. At the station, open table {table} and choose “Swap terminal”. 2. Put the spare "
        "here; it will show this game with everything the station has. 3. When this one "
        "shows “Replaced”, take it away."
    ).format(table=table)
    if owed:
        words = stage.words.ngettext(
            "Send them first: {count} entry is stored only here.",
            "Send them first: {count} entries are stored only here.", owed,
        )  # fmt: skip
        text = words.format(count=owed) + " " + text
    offers = (
        offer(stage, "resend", _("Send again"), resend_entries(), 2.4, icon="arrow"),
        offer(stage, "carry", _("No connection?"), pages.offline_transfer(by_judge=True), 2.4, icon="qr"),
    )
    return Dialog(stage, Heading(_("Swap the terminal"), text, "shuffle"), offers)


@scene("light")
def brightness(stage: SceneContext) -> Dialog:
    """Set the brightness of the screen."""
    _, percent = stage.words.gettext, stage.table.preferences.brightness
    less, more = (
        prefer_reply(stage, brightness=min(_ALL, max(_LEAST, percent + step))) for step in (-_STEP, _STEP)
    )
    offers = (
        offer(
            stage, "light-less", _("Darker"), less, 2.4, icon="minus", enabled=percent > _LEAST,
            may_repeat=True,
        ),
        offer(
            stage, "light-more", _("Brighter"), more, 2.4, icon="plus", enabled=percent < _ALL,
            may_repeat=True,
        ),
        offer(stage, "look", _("Display settings"), pages.DISPLAY_SETTINGS, 3.4, icon="sun"),
    )  # fmt: skip
    title = _("Brightness: {percent}%").format(percent=percent)
    return Dialog(stage, Heading(title, _("The brightness is kept after a restart."), "sun"), offers)


def _count_undelivered(stage: SceneContext) -> int:
    return stage.table.delivery.saved - stage.table.delivery.received
