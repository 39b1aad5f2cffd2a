"""Guidance in the head of a scene: the words of ``guidance``, and the rule one touch away."""

from itertools import pairwise

import msgspec

from saloon.core.game.events import TurnStarted
from saloon.core.game.play.deck import turns_since_reshuffle
from saloon.core.game.play.high_noon import reshuffles_to_high_noon
from saloon.core.game.play.turns import records_turns
from saloon.core.game.state import HighNoon
from saloon.core.rule_set import RecordMode
from saloon.core.terms import SeatNo
from saloon.kiosk.i18n import Words
from saloon.kiosk.rules.which import Rule
from saloon.kiosk.scenes.judge.clock_words import time_brief, time_words
from saloon.kiosk.scenes.play.rebel_news import is_new_sheriffs_first_turn
from saloon.kiosk.scenes.play.rewards import elimination_head
from saloon.kiosk.scenes.scene import SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, Tone
from saloon.kiosk.ui.parts import Typeface
from saloon.kiosk.view.guidance import Guidance, Step, guidance, takers_of_cards
from saloon.kiosk.view.table_view import TableQuestion


def add_rule(stage: SceneContext, head: Heading, rule: Rule | None = None) -> Heading:
    """Add the rule that says what to do now to a head. rule: another one that fits better."""
    found = rule or guidance(stage.game, stage.edition).rule
    return msgspec.structs.replace(head, rule=found.value)


def turn_head(stage: SceneContext) -> Heading:
    """Return a head with the player in turn, what to do, and what High Noon changes."""
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
        head = Heading(title, text, "star", Tone.LOUD, brief=brief, brief_title=short, is_optional=True)
        return add_rule(stage, head, Rule.REBEL)
    asked = _question_head(stage, name)
    if asked is not None:
        return asked
    if not records_turns(game, stage.edition):
        return _light_head(stage)
    turn = _("{name}'s turn").format(name=name)
    time = time_words(stage)
    if time:
        return add_rule(stage, Heading(turn, time, "clock", Tone.LOUD, brief=time_brief(stage)))
    # What was undone comes in the table's language.
    undone = undone_head(stage, stage.shared_words.gettext("{name}'s turn").format(name=name))
    news = undone or elimination_head(stage, turn) or _inferred_head(stage, turn)
    if news is not None:
        return news
    if game.high_noon is HighNoon.OFF:
        play = _("Draw two, play, discard.")
        left = _announce_reshuffles(stage.words, _reshuffles_left(stage))
        text = f"{number} · {play} {left}".rstrip()
        return add_rule(stage, Heading(turn, text, brief=play, brief_title=name, is_optional=True))
    return _noon_head(stage, found, turn, name)


def _question_head(stage: SceneContext, name: str) -> Heading | None:
    """Return the head of a question about what may have been forgotten. name: whose turn it is."""
    _, question = stage.words.gettext, stage.table.question
    match question:
        case TableQuestion.STILL_TURN:
            title = _("Still {name}'s turn?").format(name=name)
            text = _("If not, tap the panel of the player whose turn it is.")
            brief = _("If not, tap that panel.")
            short = _("Still {name}?").format(name=name)
            head = Heading(title, text, "question", Tone.LOUD, brief=brief, brief_title=short)
        case TableQuestion.RESHUFFLED:
            turns = turns_since_reshuffle(stage.game)
            text = stage.words.ngettext(
                "{count} turn since the last deck began.", "{count} turns since the last deck began.", turns
            ).format(count=turns)
            if not records_turns(stage.game, stage.edition):
                text = _("A deck has usually been used up by now.")
            text = f"{_('Has the deck been reshuffled?')} {text}"
            short = _("The deck should be used up.")
            head = Heading(_("Reshuffled?"), text, "shuffle", Tone.LOUD, brief=short, is_optional=True)
        case _:
            return None
    return head


def _noon_head(stage: SceneContext, found: Guidance, turn: str, name: str) -> Heading:
    """Return the head at High Noon, or while it is announced. turn: the title; name: whose turn it is."""
    _, game = stage.words.gettext, stage.game
    if game.high_noon is HighNoon.ON:
        if game.mode is RecordMode.LIGHT:
            title, brief = _("{name}: lose a life point").format(name=name), _("Lose a life point")
            text = _("Still alive? If not, tap {button} on your panel.").format(button=_("Out"))
            alive = _("Still alive?")
            head = Heading(title, text, "sun", Tone.LOUD, brief=alive, brief_title=brief, is_optional=True)
            return add_rule(stage, head)
        if _lost_twice(stage):
            text = _("{name} lost a point by hand before High Noon took one. The same one? Give one back.")
            text, brief = text.format(name=name), _("One point twice? Give one back.")
            return Heading(turn, text, "sun", Tone.LOUD, brief=brief, brief_title=name, is_optional=True)
        brief = _("Life point already removed.") if found.step is Step.PLAY_NOON_TURN else ""
        head = Heading(
            turn, _noon(stage, found, name), "sun", Tone.LOUD, brief=brief, brief_title=name, is_optional=True
        )
        return add_rule(stage, head)
    text = "" if found.noon is None else _announce_high_noon(stage, found.noon)
    brief = _("Draw two, play, discard.")
    head = Heading(turn, text, "sun", brief=brief, brief_title=name, is_optional=True, tells_badge=True)
    return add_rule(stage, head)


def _light_head(stage: SceneContext) -> Heading:
    """Return the head of a light game before High Noon: the reshuffles, and what to enter."""
    _, game = stage.words.gettext, stage.game
    undone = undone_head(stage, _("Light game"))
    if undone is not None:
        return undone
    time = time_words(stage)
    if time:
        return add_rule(stage, Heading(_("Light game"), time, "clock", Tone.LOUD, brief=time_brief(stage)))
    left = _announce_reshuffles(stage.words, _reshuffles_left(stage))
    enter = _("Enter reshuffles and eliminations only.")
    title = _("Reshuffles: {count}").format(count=game.reshuffles)
    text = f"{enter} {left}".rstrip()
    return add_rule(stage, Heading(title, text, "shuffle", brief=left, is_optional=True))


def _inferred_head(stage: SceneContext, title: str) -> Heading | None:
    """Return a head about turns that started without a touch: passed ones, or those of players who left.

    title: whose turn it is. None if there were none.
    """
    _, game = stage.words.gettext, stage.game
    in_turn = _name(stage, game.turn)
    if game.passed:
        names = ", ".join(_name(stage, seat) for seat in game.passed)
        text, brief = _("Passed: {names}. In Jail? Hold their panel."), _("Turns passed")
        text = text.format(names=names)
        head = Heading(title, text, "arrow", brief=brief, brief_title=in_turn, is_optional=True)
        return add_rule(stage, head)
    moments = () if stage.table.timeline is None else stage.table.timeline.moments
    started = moments[-1].step.events if moments else ()
    left = [e.seat for e in started if isinstance(e, TurnStarted) and stage.seat(e.seat).passive]
    if not left:
        return None
    names = ", ".join(_name(stage, seat) for seat in left)
    text = _("{names} left: first draw! for Jail and Dynamite in front of them.").format(names=names)
    brief = _("Check Jail and Dynamite.")
    return add_rule(stage, Heading(title, text, "away", brief=brief, brief_title=in_turn, is_optional=True))


def high_noon_sign(stage: SceneContext) -> str:
    """Return the words that say that High Noon is on; "" before."""
    return stage.words.gettext("High Noon!") if stage.game.high_noon is HighNoon.ON else ""


def with_high_noon(stage: SceneContext, head: Heading) -> Heading:
    """Add to a head that High Noon is on, or who begins it."""
    sign, noon = high_noon_sign(stage), guidance(stage.game, stage.edition).noon
    if not sign and noon is None:
        return head
    # Where only one line is left beside it, that line says whose turn it is.
    head = msgspec.structs.replace(head, brief_title=_name(stage, stage.game.turn) or head.brief_title)
    if sign:
        return msgspec.structs.replace(head, badge=sign)
    _ = stage.words.gettext
    words, brief = _("High Noon: {name}").format(name=_name(stage, noon)), _("High Noon soon")
    return msgspec.structs.replace(head, badge=words, brief_badge=brief, badge_face=Typeface.BOLD)


def undone_head(stage: SceneContext, title: str) -> Heading | None:
    """Return a head that says what was just undone, until something is entered; None for nothing.

    title: whose turn it is.
    """
    text = stage.table.taken_back
    if not text:
        return None
    brief, in_turn = stage.shared_words.gettext("Undone"), _name(stage, stage.game.turn)
    return add_rule(stage, Heading(title, text, "undo", brief=brief, brief_title=in_turn, is_optional=True))


def elimination_note(stage: SceneContext, out: SeatNo) -> str:
    """Say who takes the cards of an eliminated seat; "" for nobody."""
    _ = stage.words.gettext
    takers = takers_of_cards(stage.game, out)
    if not takers:
        return ""
    return _("Vulture Sam ({name}) takes all cards.").format(name=_name(stage, takers[0]))


def _name(stage: SceneContext, seat: SeatNo | None) -> str:
    return "" if seat is None else stage.seat(seat).name


def _noon(stage: SceneContext, found: Guidance, name: str) -> str:
    _ = stage.words.gettext
    if found.step is Step.PLAY_NOON_TURN:
        return _("One life point already removed. {name}: draw two, play, discard.").format(name=name)
    return _("Passive characters lose no life point. Draw two, play, discard.")


def _lost_twice(stage: SceneContext) -> bool:
    """Return whether High Noon has just taken a point from a player who had lost one by hand before."""
    moments = () if stage.table.timeline is None else stage.table.timeline.moments
    return any(
        isinstance(event, TurnStarted) and event.loses and event.seat in before.state.wounded
        for before, last in pairwise(moments[-2:])
        for event in last.step.events
    )


def _announce_high_noon(stage: SceneContext, starter: SeatNo) -> str:
    _ = stage.words.gettext
    name = _name(stage, starter)
    if stage.game.high_noon is HighNoon.CALLED:
        return _("The judge has called time: High Noon begins with {name}.").format(name=name)
    if starter == stage.game.turn:
        return _("Draw two, play, discard. High Noon begins with {name}'s next turn.").format(name=name)
    return _("Draw two, play, discard. High Noon begins with {name}.").format(name=name)


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
