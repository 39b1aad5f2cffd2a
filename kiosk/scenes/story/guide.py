"""Guidance in the head of a scene: the words of ``guidance``, and the rule one touch away."""

import msgspec

from saloon.core.game.play.high_noon import reshuffles_to_high_noon
from saloon.core.game.state import HighNoon
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
    turn = _("{name}'s turn").format(name=name)
    time = time_words(stage)
    if time:
        return add_rule(stage, Heading(turn, time, "clock", Tone.LOUD, brief=time_brief(stage)))
    # What was undone comes in the table's language.
    undone = undone_head(stage, stage.shared_words.gettext("{name}'s turn").format(name=name))
    if undone is not None:
        return undone
    due = elimination_head(stage, turn)
    if due is not None:
        return due
    if game.high_noon is HighNoon.ON:
        brief = _("Life point already removed.") if found.step is Step.PLAY_NOON_TURN else ""
        head = Heading(
            turn, _noon(stage, found, name), "sun", Tone.LOUD, brief=brief, brief_title=name, is_optional=True
        )
        return add_rule(stage, head)
    if found.noon is not None:
        text, brief = _announce_high_noon(stage, found.noon), _("Draw two, play, discard.")
        head = Heading(turn, text, "sun", brief=brief, brief_title=name, is_optional=True, tells_badge=True)
        return add_rule(stage, head)
    play = _("Draw two, play, discard.")
    left = _announce_reshuffles(stage.words, _reshuffles_left(stage))
    text = f"{number} · {play} {left}".rstrip()
    return add_rule(stage, Heading(turn, text, brief=play, brief_title=name, is_optional=True))


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
    return add_rule(
        stage, Heading(title, text, "undo", brief=stage.shared_words.gettext("Undone"), is_optional=True)
    )


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
