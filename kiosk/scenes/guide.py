"""The heading in the middle of the table: whose turn it is, what to do now, and what has just happened.

Where texts come in pairs, the second is a short form for a small middle.
"""

from collections import Counter
from itertools import pairwise
from typing import Final

import msgspec

from core.game.ending.rebel import current_rebel
from core.game.play.eliminations import PlayerEliminated
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.reshuffles import turns_since_reshuffle
from core.game.play.turns import TurnStarted, records_turns
from core.game.state.game import Cause, Elimination, GameState, HighNoon, Phase
from core.rule_set import OptionKey, RecordMode
from core.terms import Role, SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.clock_words import time_brief, time_words
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.life import hold_words
from kiosk.ui.blocks import Typeface
from kiosk.view.guidance import Guidance, Step, guidance
from kiosk.view.table_view import TableQuestion


def _turn_titles(stage: SceneContext, name: str) -> tuple[str, str]:
    """Return a turn's title in a long and a short form.

    In a light game with High Noon, the title tells the player to lose a life point, as the screen won't.
    """
    _ = stage.words.gettext
    if _is_light_noon(stage):
        return _("{name}: lose a life point").format(name=name), _("Lose a life point")
    return _("{name}'s turn").format(name=name), name


def _is_light_noon(stage: SceneContext) -> bool:
    """Return whether players have to count the life points that High Noon takes."""
    return stage.game.high_noon is HighNoon.ON and stage.game.mode is RecordMode.LIGHT


def _high_noon_head(stage: SceneContext, guide: Guidance, name: str) -> Heading:
    _, game = stage.words.gettext, stage.game
    title, short = _turn_titles(stage, name)
    if _is_light_noon(stage):
        text = _("Still alive? If not, tap {button} on your panel.").format(button=_("Out"))
        alive = _("Still alive?")
        return Heading(title, text, "sun", Tone.LOUD, brief=alive, brief_title=short, is_optional=True)
    if game.high_noon is HighNoon.ON:
        text, brief = _noon_text(stage, guide, name)
        takes = guide.step is Step.PLAY_NOON_TURN
        return Heading(
            title, text, "sun", Tone.LOUD, brief=brief, brief_title=short,
            is_optional=not takes, is_title_optional=takes,
        )  # fmt: skip
    text = "" if guide.noon is None else _announce_noon(stage, guide.noon)
    brief = _("Draw two, play, discard.")
    return Heading(title, text, "sun", brief=brief, brief_title=short, is_optional=True, tells_badge=True)


def high_noon_sign(stage: SceneContext) -> str:
    """Return the announcement of High Noon while it is on, otherwise an empty string."""
    return stage.words.gettext("High Noon!") if stage.game.high_noon is HighNoon.ON else ""


def with_high_noon(stage: SceneContext, head: Heading) -> Heading:
    """Add to a heading that High Noon is on, or with whose turn it begins."""
    sign, noon = high_noon_sign(stage), guidance(stage.game, stage.edition).noon
    if not sign and noon is None:
        return head
    # The short title keeps whose turn it is.
    head = msgspec.structs.replace(head, brief_title=head.brief_title or _name(stage, stage.game.turn))
    if sign:
        return msgspec.structs.replace(head, badge=sign)
    _ = stage.words.gettext
    words, brief = _("High Noon: {name}").format(name=_name(stage, noon)), _("High Noon soon")
    return msgspec.structs.replace(head, badge=words, brief_badge=brief, badge_face=Typeface.BOLD)


def _name(stage: SceneContext, seat: SeatNo | None) -> str:
    return "" if seat is None else stage.seat(seat).name


def _noon_text(stage: SceneContext, guide: Guidance, name: str) -> tuple[str, str]:
    _ = stage.words.gettext
    if _has_lost_twice(stage):
        text = _(
            "{name} lost a life point by hand before High Noon took one. If it was the "
            "same one, give it back."
        )
        return text.format(name=name), _("Taken twice? Give one back.")
    if guide.step is Step.PLAY_NOON_TURN:
        text = _("One life point already removed. {name}: draw two, play, discard.").format(name=name)
        return text, _("Life point removed.")
    return _("Passive characters lose no life point. Draw two, play, discard."), ""


def _has_lost_twice(stage: SceneContext) -> bool:
    """Return whether High Noon has just taken a life point that somebody had already removed by hand."""
    moments = stage.moments
    return any(
        isinstance(event, TurnStarted) and event.loses and event.seat in before.state.wounded
        for before, last in pairwise(moments[-2:])
        for event in last.step.events
    )


def _announce_noon(stage: SceneContext, starter: SeatNo) -> str:
    _ = stage.words.gettext
    name = _name(stage, starter)
    if stage.game.high_noon is HighNoon.CALLED:
        return _("The judge has called time: High Noon begins with {name}.").format(name=name)
    if starter == stage.game.turn:
        return _("Draw two, play, discard. High Noon begins with {name}'s next turn.").format(name=name)
    return _("Draw two, play, discard. High Noon begins with {name}.").format(name=name)


_CARDS: Final = 3
"""The number of cards that a player draws for an Outlaw. Source: base game, "Penalties and Rewards"."""


def _elimination_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    due, (title, short) = _due(stage), titles
    if due is None:
        return None
    text, brief = due
    return Heading(
        title, text, "cards", Tone.LOUD, brief=brief, brief_title=short, is_title_optional=True,
        rule=Rule.ELIMINATION.value,
    )  # fmt: skip


def _due(stage: SceneContext) -> tuple[str, str] | None:
    """Return the last elimination's penalty or, without one, its reward, in a long and a short form.

    It is shown until the turn ends, or until the next entry if turns aren't recorded. None if nothing is due.
    """
    game, moments = stage.game, stage.moments
    if game.phase is not Phase.PLAYING or not game.eliminations or game.last_out_turn != game.turns:
        return None
    last = moments[-1].step.events if moments else ()
    if not records_turns(game, stage.edition) and not any(isinstance(e, PlayerEliminated) for e in last):
        return None
    effect = game.eliminations[-1].effect
    fallen = [e for e in game.eliminations if e.effect == effect]
    return _penalty(stage, fallen) or _reward(stage, fallen)


def _penalty(stage: SceneContext, fallen: list[Elimination]) -> tuple[str, str] | None:
    """Return the penalty of a Sheriff who has eliminated a Deputy.

    Source: base game; The Rebel!, Showing up the role.
    """
    _, sheriff, rebel = stage.words.gettext, stage.game.sheriff, current_rebel(stage.game)
    penalised = (Role.DEPUTY, sheriff, Cause.PLAYER)
    if not stage.seat(sheriff).in_play or all((e.role, e.by, e.cause) != penalised for e in fallen):
        return None
    if rebel is not None and stage.seat(rebel).in_play:
        return _("The Rebel! has been revealed: the Sheriff keeps all cards."), ""
    return _("The Sheriff eliminated a Deputy and discards all cards."), _("The Sheriff discards all cards.")


def _reward(stage: SceneContext, fallen: list[Elimination]) -> tuple[str, str] | None:
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
    return text, _("{name} draws {count} cards.").format(name=name, count=count)


_FEW: Final = 2
"""The most passed players that a short text names; it counts more players than that."""


def add_rule(stage: SceneContext, head: Heading, rule: Rule | None = None) -> Heading:
    """Link a heading to a rule, by default the one about what to do now."""
    return msgspec.structs.replace(head, rule=(rule or guidance(stage.game, stage.edition).rule).value)


def turn_head(stage: SceneContext) -> Heading:
    """Return the heading of the main scene: whose turn it is, what to do, and what High Noon changes."""
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
    titles = _turn_titles(stage, name)
    news = _news_head(stage, titles) or _inferred_head(stage, titles)
    if news is not None:
        return news
    if game.high_noon is HighNoon.OFF:
        turn, short = titles
        play = hold_words(stage) or _("Draw two, play, discard.")
        if game.ghost is not None:
            play = _("A ghost: draw three, play; nobody can hit you.")
        left = _reshuffles_left(stage)
        text = f"{number} · {play} {left}".rstrip()
        head = Heading(turn, text, brief=play, brief_title=short, is_optional=game.turns > 1)
        return add_rule(stage, head)
    return add_rule(stage, _high_noon_head(stage, guide, name))


def is_new_sheriffs_first_turn(game: GameState) -> bool:
    """Return whether the current turn began with a Revolution."""
    return game.phase is Phase.PLAYING and game.revolution is not None and game.turns == game.revolution_turn


def _question_head(stage: SceneContext, name: str) -> Heading | None:
    _, question, due = stage.words.gettext, stage.table.question, _due(stage)
    match question:
        case TableQuestion.STILL_TURN:
            title, icon = _("Still {name}'s turn?").format(name=name), "question"
            text = _("If not, tap the panel of the player whose turn it is.")
            brief, short = _("If not, tap that panel."), _("Still {name}?").format(name=name)
        case TableQuestion.RESHUFFLED:
            title, icon, short = _("Reshuffled?"), "shuffle", ""
            turns = turns_since_reshuffle(stage.game)
            text = stage.words.ngettext(
                "{count} turn so far with this deck.", "{count} turns so far with this deck.", turns
            ).format(count=turns)
            if not records_turns(stage.game, stage.edition):
                text = _("The deck has usually run out by now.")
            text = _("Has the deck been reshuffled?") + f" {text}"
            brief = _("The deck should have run out.")
        case _:
            return None
    is_optional = question is TableQuestion.RESHUFFLED and due is None
    if due is not None:
        text, brief = f"{due[0]} {text}", due[1]
    return Heading(title, text, icon, Tone.LOUD, brief=brief, brief_title=short, is_optional=is_optional)


def _news_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    title, short = titles
    time = time_words(stage)
    if time:
        # A reward is due at once, so the clock's message becomes its title.
        due = _elimination_head(stage, (time_brief(stage), time_brief(stage)))
        news = Heading(title, time, "clock", Tone.LOUD, brief=time_brief(stage), brief_title=short)
        return due or add_rule(stage, news)
    return undone_head(stage) or _elimination_head(stage, titles)


def _light_head(stage: SceneContext) -> Heading:
    _, light = stage.words.gettext, stage.words.gettext("Light game")
    news = _news_head(stage, (light, light))
    if news is not None:
        return news
    left = _reshuffles_left(stage)
    enter = _("Enter reshuffles and eliminations only.")
    title = _("Reshuffles: {count}").format(count=stage.game.reshuffles)
    text = f"{enter} {left}".rstrip()
    return add_rule(stage, Heading(title, text, "shuffle", brief=left, is_optional=True))


def _inferred_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    """Return a heading about turns that nobody entered: they were passed, or belong to players who left."""
    _, game = stage.words.gettext, stage.game
    passed = [seat for seat in game.passed if stage.seat(seat).in_play and not stage.seat(seat).passive]
    moments = stage.moments
    started = moments[-1].step.events if moments else ()
    left = [e.seat for e in started if isinstance(e, TurnStarted) and stage.seat(e.seat).passive]
    texts, briefs = list[str](), list[str]()
    if guidance(game, stage.edition).step is Step.PLAY_NOON_TURN and game.mode is not RecordMode.LIGHT:
        texts, briefs = [_("Life points already removed.")], [_("Life points removed.")]
    if left:
        names = ", ".join(_name(stage, seat) for seat in left)
        text = _("{names} left: draw! for Jail and Dynamite in front of them first.")
        texts.append(text.format(names=names))
        briefs.append(_("{names} left: draw! first.").format(names=names))
    if passed:
        names = ", ".join(_name(stage, seat) for seat in passed)
        texts.append(_("Passed: {names}. In Jail? Hold their panel.").format(names=names))
        if not briefs:
            few = names if len(passed) <= _FEW else str(len(passed))
            briefs.append(_("Passed: {names}.").format(names=few))
    if not left and not passed:
        return None
    (title, short), icon = titles, "away" if left else "arrow"
    is_command = _is_light_noon(stage)
    head = Heading(
        title, " ".join(texts), icon, brief=" ".join(briefs), brief_title=short,
        is_optional=is_command and not left, is_title_optional=not is_command,
    )  # fmt: skip
    return add_rule(stage, head)


def undone_head(stage: SceneContext) -> Heading | None:
    """Return a heading about what was just undone, or None. It is in the table's language."""
    text = stage.table.taken_back
    if not text:
        return None
    # The text about the undone step is in that language, too.
    stage = msgspec.structs.replace(stage, words=stage.shared_words)
    title, short = _turn_titles(stage, _name(stage, stage.game.turn))
    if not stage.has_duel and not records_turns(stage.game, stage.edition):
        title = short = stage.words.gettext("Light game")
    names_noon = stage.game.high_noon is not HighNoon.OFF
    head = Heading(
        title, text, "undo", brief_title=short, is_optional=names_noon, is_title_optional=not names_noon
    )
    return with_high_noon(stage, add_rule(stage, head))


def _reshuffles_left(stage: SceneContext) -> str:
    threshold = reshuffles_to_high_noon(len(stage.game.seats), stage.edition)
    if threshold is None:
        return ""
    left = threshold - stage.game.reshuffles
    text = stage.words.ngettext(
        "High Noon after {count} more reshuffle", "High Noon after {count} more reshuffles", left
    )
    return f"{text.format(count=left)}."
