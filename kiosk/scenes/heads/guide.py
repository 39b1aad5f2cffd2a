"""Guidance in a scene's heading: what to do next, and the rule behind it."""

from typing import Final

import msgspec

from core.game.events import TurnStarted
from core.game.play.deck import turns_since_reshuffle
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.turns import records_turns
from core.game.state import HighNoon
from core.terms import SeatNo
from kiosk.i18n import Words
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.widgets.clock_words import time_brief, time_words
from kiosk.scenes.widgets.life import hold_words
from kiosk.scenes.play.rebel_news import is_new_sheriffs_first_turn
from kiosk.scenes.heads.rewards import elimination_head, elimination_words
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.heads.high_noon_head import (
    high_noon_head,
    is_light_noon,
    points_taken,
    turn_titles,
    with_high_noon,
)
from kiosk.scenes.widgets.page_parts import Heading, Tone
from kiosk.view.guidance import Step, guidance, takers_of_cards
from kiosk.view.table_view import TableQuestion

_FEW: Final = 2
"""The most passed players that a short text names; if there are more, it shows only their number."""


def add_rule(stage: SceneContext, head: Heading, rule: Rule | None = None) -> Heading:
    """Add the rule about what to do now to a heading. rule: another one that fits better."""
    found = rule or guidance(stage.game, stage.edition).rule
    return msgspec.structs.replace(head, rule=found.value)


def turn_head(stage: SceneContext) -> Heading:
    """Return a heading with the player in turn, what to do, and what High Noon changes."""
    head = _turn_head(stage)
    return head if head.badge else with_high_noon(stage, head)


def _turn_head(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    found = guidance(stage.game, stage.edition)
    game = stage.game
    name = _name(stage, found.seats[0] if found.seats else game.turn)
    number = _("Turn {number}").format(number=game.turns)
    if found.step is Step.NOBODY_PLAYS:
        text = _("Nobody is left to play. Call the judge.")
        return add_rule(stage, Heading(_("All players have left"), text, "away", Tone.LOUD))
    if is_new_sheriffs_first_turn(game):
        text = _("Revolution! New turn, keep all cards; discard any Jail.")
        title = _("{name} is now the Sheriff").format(name=name)
        brief = _("New turn, keep all cards.")
        short = _("New Sheriff: {name}").format(name=name)
        head = Heading(title, text, "star", Tone.LOUD, brief=brief, brief_title=short, is_title_optional=True)
        return add_rule(stage, head, Rule.REBEL)
    asked = _question_head(stage, name)
    if asked is not None:
        return asked
    if not records_turns(game, stage.edition):
        return _light_head(stage)
    titles = turn_titles(stage, name)
    news = _news_head(stage, titles) or _inferred_head(stage, titles)
    if news is not None:
        return news
    if game.high_noon is HighNoon.OFF:
        turn, short = titles
        play = hold_words(stage) or _("Draw two, play, discard.")
        if game.ghost is not None:
            play = _("A ghost: draw three, play; nobody can hit you.")
        left = _announce_reshuffles(stage.words, _reshuffles_left(stage))
        text = f"{number} · {play} {left}".rstrip()
        head = Heading(turn, text, brief=play, brief_title=short, is_optional=game.turns > 1)
        return add_rule(stage, head)
    return add_rule(stage, high_noon_head(stage, found, name))


def _question_head(stage: SceneContext, name: str) -> Heading | None:
    """Return a heading with a question about something that was probably forgotten, or None.

    name: the player in turn.
    """
    _, question, due = stage.words.gettext, stage.table.question, elimination_words(stage)
    match question:
        case TableQuestion.STILL_TURN:
            title, icon = _("Still {name}'s turn?").format(name=name), "question"
            text = _("If not, tap the panel of the player whose turn it is.")
            brief, short = _("If not, tap that panel."), _("Still {name}?").format(name=name)
        case TableQuestion.RESHUFFLED:
            title, icon, short = _("Reshuffled?"), "shuffle", ""
            turns = turns_since_reshuffle(stage.game)
            text = stage.words.ngettext(
                "{count} turn since the last deck began.", "{count} turns since the last deck began.", turns
            ).format(count=turns)
            if not records_turns(stage.game, stage.edition):
                text = _("A deck has usually been used up by now.")
            text = _("Has the deck been reshuffled?") + f" {text}"
            brief = _("The deck should be used up.")
        case _:
            return None
    is_optional = question is TableQuestion.RESHUFFLED and due is None
    if due is not None:
        text, brief = f"{due.text} {text}", due.brief
    return Heading(title, text, icon, Tone.LOUD, brief=brief, brief_title=short, is_optional=is_optional)


def _news_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    """Return a heading about the clock, the last undo or an elimination, or None if there is no news.

    titles: whose turn it is, in a long and a short form.
    """
    title, short = titles
    time = time_words(stage)
    if time:
        # A reward is due immediately, and the clock's message is short.
        due = elimination_head(stage, (time_brief(stage), time_brief(stage)))
        told = Heading(title, time, "clock", Tone.LOUD, brief=time_brief(stage), brief_title=short)
        return due or add_rule(stage, told)
    return undone_head(stage) or elimination_head(stage, titles)


def _light_head(stage: SceneContext) -> Heading:
    """Return the heading of a light game before High Noon: reshuffles, and what to enter."""
    _, light = stage.words.gettext, stage.words.gettext("Light game")
    news = _news_head(stage, (light, light))
    if news is not None:
        return news
    left = _announce_reshuffles(stage.words, _reshuffles_left(stage))
    enter = _("Enter reshuffles and eliminations only.")
    title = _("Reshuffles: {count}").format(count=stage.game.reshuffles)
    text = f"{enter} {left}".rstrip()
    return add_rule(stage, Heading(title, text, "shuffle", brief=left, is_optional=True))


def _inferred_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    """Return a heading about turns that began without a touch: passed ones, or of players who left.

    titles: whose turn it is, in a long and a short form. None if there were no such turns.
    """
    _, game = stage.words.gettext, stage.game
    passed = [seat for seat in game.passed if stage.seat(seat).in_play and not stage.seat(seat).passive]
    moments = () if stage.table.timeline is None else stage.table.timeline.moments
    started = moments[-1].step.events if moments else ()
    left = [e.seat for e in started if isinstance(e, TurnStarted) and stage.seat(e.seat).passive]
    points = points_taken(stage)
    texts = [] if points is None else [points[0]]
    briefs = [] if points is None else [points[1]]
    if left:
        names = ", ".join(_name(stage, seat) for seat in left)
        text = _("{names} left: first draw! for Jail and Dynamite in front of them.")
        texts.append(text.format(names=names))
        briefs.append(_("{names} left: first draw!").format(names=names))
    if passed:
        names = ", ".join(_name(stage, seat) for seat in passed)
        texts.append(_("Passed: {names}. In Jail? Hold their panel.").format(names=names))
        if not briefs:
            few = names if len(passed) <= _FEW else str(len(passed))
            briefs.append(_("Passed: {names}.").format(names=few))
    if not left and not passed:
        return None
    (title, short), icon = titles, "away" if left else "arrow"
    is_command = is_light_noon(stage)
    head = Heading(
        title, " ".join(texts), icon, brief=" ".join(briefs), brief_title=short,
        is_optional=is_command and not left, is_title_optional=not is_command,
    )  # fmt: skip
    return add_rule(stage, head)


def undone_head(stage: SceneContext) -> Heading | None:
    """Return a heading in the table's language about what was just undone, or None."""
    text = stage.table.taken_back
    if not text:
        return None
    # The title names High Noon too, which must always be visible once it is announced.
    stage = msgspec.structs.replace(stage, words=stage.shared_words)
    title, short = turn_titles(stage, _name(stage, stage.game.turn))
    if not stage.has_duel and not records_turns(stage.game, stage.edition):
        title = short = stage.words.gettext("Light game")
    names_noon = stage.game.high_noon is not HighNoon.OFF
    head = Heading(
        title, text, "undo", brief_title=short, is_optional=names_noon, is_title_optional=not names_noon
    )
    return with_high_noon(stage, add_rule(stage, head))


def elimination_note(stage: SceneContext, out: SeatNo) -> str:
    """Describe who takes the cards of an eliminated seat; empty if nobody does."""
    _ = stage.words.gettext
    takers = takers_of_cards(stage.game, out)
    if not takers:
        return ""
    return _("Vulture Sam ({name}) takes all cards.").format(name=_name(stage, takers[0]))


def _name(stage: SceneContext, seat: SeatNo | None) -> str:
    return "" if seat is None else stage.seat(seat).name


def _reshuffles_left(stage: SceneContext) -> int | None:
    threshold = reshuffles_to_high_noon(len(stage.game.seats), stage.edition)
    return None if threshold is None else threshold - stage.game.reshuffles


def _announce_reshuffles(words: Words, left: int | None) -> str:
    if left is None:
        return ""
    text = words.ngettext(
        "High Noon after {count} more reshuffle", "High Noon after {count} more reshuffles", left
    )
    return f"{text.format(count=left)}."
