"""Guidance in a scene's heading: what to do next, rewards of an elimination, and the rule behind it."""

from collections import Counter
from collections.abc import Collection
from typing import Final

import msgspec

from core.game.play.deck import turns_since_reshuffle
from core.game.play.eliminations import PlayerEliminated
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.turns import TurnStarted, records_turns
from core.game.rebel.revolution import current_rebel
from core.game.state.causes import Cause
from core.game.state.game import Elimination, GameState, HighNoon, Phase
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from kiosk.i18n import Words
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.high_noon_head import (
    high_noon_head,
    is_light_noon,
    points_taken,
    turn_titles,
    with_high_noon,
)
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.clock_words import time_brief, time_words
from kiosk.scenes.widgets.life import hold_words
from kiosk.scenes.widgets.page_parts import Heading, Tone
from kiosk.view.guidance import Step, guidance, takers_of_cards
from kiosk.view.table_view import TableQuestion

_CARDS: Final = 3
"""The cards to draw for an Outlaw. Source: base game, "Penalties and Rewards"."""


def is_sheriff_penalised(stage: SceneContext, by: SeatNo | None, role: Role, cause: Cause | None) -> bool:
    """Return whether the Sheriff has eliminated a Deputy."""
    return role is Role.DEPUTY and by == stage.game.sheriff and cause is Cause.PLAYER


def sheriff_keeps_cards(stage: SceneContext) -> bool:
    """Return whether a revealed Rebel! who isn't the Sheriff is in play, which cancels the penalty."""
    rebel = current_rebel(stage.game)
    return rebel is not None and stage.seat(rebel).in_play


def sheriff_penalty_words(stage: SceneContext) -> str:
    """Return the text of the penalty for a Sheriff who has eliminated a Deputy.

    Source: base game; The Rebel!, Showing up the role.
    """
    _ = stage.words.gettext
    if sheriff_keeps_cards(stage):
        return _("The Rebel! has been revealed: the Sheriff keeps all cards.")
    return _("The Sheriff eliminated a Deputy and discards all cards.")


class Due(msgspec.Struct, frozen=True):
    """The text of a reward or penalty, in a long and a short form."""

    text: str
    brief: str = ""


def elimination_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    """Return a heading with the last elimination's reward or penalty, or None if there is none.

    ``titles`` contains the heading's titles, in a long and a short form.
    """
    due = elimination_words(stage)
    if due is None:
        return None
    title, short = titles
    return Heading(
        title, due.text, "cards", Tone.LOUD, brief=due.brief, brief_title=short, is_title_optional=True,
        rule=Rule.ELIMINATION.value,
    )  # fmt: skip


def elimination_words(stage: SceneContext) -> Due | None:
    """Return the last elimination's reward or penalty, or None if there is none.

    It applies until the turn ends, or until the next entry if turns aren't recorded. There is room for one; a
    penalty takes precedence.
    """
    game = stage.game
    if game.phase is not Phase.PLAYING or not game.eliminations or game.last_out_turn != game.turns:
        return None
    if not records_turns(game, stage.edition) and not _was_just_entered(stage):
        return None
    effect = game.eliminations[-1].effect
    fallen = [e for e in game.eliminations if e.effect == effect]
    return _cost(stage, fallen) or _reward(stage, fallen)


def _was_just_entered(stage: SceneContext) -> bool:
    moments = stage.moments
    return bool(moments) and any(isinstance(event, PlayerEliminated) for event in moments[-1].step.events)


def _cost(stage: SceneContext, fallen: list[Elimination]) -> Due | None:
    costs = any(is_sheriff_penalised(stage, e.by, e.role, e.cause) for e in fallen)
    if not costs or not stage.seat(stage.game.sheriff).in_play:
        return None
    if sheriff_keeps_cards(stage):
        return Due(sheriff_penalty_words(stage))
    return Due(sheriff_penalty_words(stage), stage.words.gettext("The Sheriff discards all cards."))


def _reward(stage: SceneContext, fallen: list[Elimination]) -> Due | None:
    _ = stage.words.gettext
    if OptionKey.CASH_REWARDS in stage.edition.chosen:
        return None
    outlaws = Counter(
        e.by
        for e in fallen
        if e.by is not None and e.role is Role.OUTLAW and e.cause is Cause.PLAYER and stage.seat(e.by).in_play
    )
    if not outlaws:
        return None
    ((by, outs),) = outlaws.most_common(1)
    name, count = stage.seat(by).name, _CARDS * outs
    text = _("An Outlaw is out: {name} draws {count} cards.").format(name=name, count=count)
    return Due(text, _("{name} draws {count} cards.").format(name=name, count=count))


_FEW: Final = 2
"""The most passed players that a short text names; if there are more, it shows only their number."""
_LOST_LINES: Final = 3
"""The most lines of the story that an undo names as lost."""


def add_rule(stage: SceneContext, head: Heading, rule: Rule | None = None) -> Heading:
    """Add the rule about what to do now to a heading. ``rule`` is another one that fits better."""
    named = rule or guidance(stage.game, stage.edition).rule
    return msgspec.structs.replace(head, rule=named.value)


def turn_head(stage: SceneContext) -> Heading:
    """Return a heading with the player in turn, what to do, and what High Noon changes."""
    head = _turn_head(stage)
    return head if head.badge else with_high_noon(stage, head)


def _turn_head(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    guide = guidance(stage.game, stage.edition)
    game = stage.game
    name = _name(stage, guide.seats[0] if guide.seats else game.turn)
    number = _("Turn {number}").format(number=game.turns)
    if guide.step is Step.NOBODY_PLAYS:
        text = _("Nobody is left to play. Call the judge.")
        return add_rule(stage, Heading(_("All players have left"), text, "away", Tone.LOUD))
    if is_new_sheriffs_first_turn(game):
        text = _("Revolution! New turn, keep all cards; discard any Jail.")
        title = _("{name} is now the Sheriff").format(name=name)
        brief = _("New turn, keep all cards.")
        short = _("New Sheriff: {name}").format(name=name)
        head = Heading(title, text, "star", Tone.LOUD, brief=brief, brief_title=short, is_title_optional=True)
        return add_rule(stage, head, Rule.REBEL)
    question = _question_head(stage, name)
    if question is not None:
        return question
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
    return add_rule(stage, high_noon_head(stage, guide, name))


def is_new_sheriffs_first_turn(game: GameState) -> bool:
    """Return whether this turn began with a Revolution."""
    return game.phase is Phase.PLAYING and game.revolution is not None and game.turns == game.revolution_turn


def _question_head(stage: SceneContext, name: str) -> Heading | None:
    """Return a heading with a question about something that was probably forgotten, or None.

    ``name`` is the player in turn.
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

    ``titles`` states whose turn it is, in a long and a short form.
    """
    title, short = titles
    time = time_words(stage)
    if time:
        # A reward is due immediately, and the clock's message is short.
        due = elimination_head(stage, (time_brief(stage), time_brief(stage)))
        news = Heading(title, time, "clock", Tone.LOUD, brief=time_brief(stage), brief_title=short)
        return due or add_rule(stage, news)
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

    ``titles`` states whose turn it is, in a long and a short form. Return None if there were no such turns.
    """
    _, game = stage.words.gettext, stage.game
    passed = [seat for seat in game.passed if stage.seat(seat).in_play and not stage.seat(seat).passive]
    moments = stage.moments
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


def describe_lost_steps(stage: SceneContext, moments: Collection[int]) -> str:
    """Describe the moments that an undo loses: the last lines, and how many earlier ones."""
    _, ngettext = stage.words.gettext, stage.words.ngettext
    lost = [line.text for line in stage.table.story if line.moment in moments]
    sentences = " ".join(f"{text.rstrip('.')}." for text in lost[-_LOST_LINES:])
    more = len(lost) - _LOST_LINES
    if more <= 0:
        return _("You'll lose: {told}").format(told=sentences)
    text = ngettext(
        "You'll lose: {told} Plus {count} earlier line of the story.",
        "You'll lose: {told} Plus {count} earlier lines of the story.",
        more,
    )
    return text.format(told=sentences, count=more)


def elimination_note(stage: SceneContext, out: SeatNo) -> str:
    """Describe who takes the cards of an eliminated seat, or an empty string if nobody does."""
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
