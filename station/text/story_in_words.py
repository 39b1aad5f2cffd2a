"""A table's history as text for the judge, with times; undone steps are included and marked."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from core.game.clock import ClockEvent
from core.game.duel.fight import DuelTurnStarted, DuelWon
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.sheet import VoidGame
from core.game.events import EventOfDuel, GameEvent
from core.game.in_words import describe_duel_event, describe_event
from core.game.play.turns import TurnStarted
from core.game.setup import TableSeated
from core.game.state.decisions import StepsRedone, Undo
from core.game.timeline import NO_MOVE
from core.text.sentence import amounts_in
from station.projections.cards import TimedGameStep
from station.text.i18n import Words
from station.text.times import describe_table_clock


class StoryRow(msgspec.Struct, frozen=True):
    """A step of a table's history. ``at`` is the terminal's wall clock."""

    at: str
    text: str
    undone: bool
    is_turn: bool


def story_lines(story: Sequence[TimedGameStep], names: Sequence[str], words: Words) -> tuple[StoryRow, ...]:
    """Return the steps as text, in order."""
    undone = _undone(story)
    lines = []
    for index, timed in enumerate(story):
        texts = [text for event in timed.step.events if (text := _describe(event, names, words))]
        if texts:
            at = datetime.fromtimestamp(timed.wall_ms / 1000, UTC).astimezone().strftime("%H:%M:%S")
            is_turn = any(isinstance(event, TurnStarted | DuelTurnStarted) for event in timed.step.events)
            lines.append(StoryRow(at, words.gettext("; ").join(texts), index in undone, is_turn))
    return tuple(lines)


def duel_story(story: Sequence[TimedGameStep], names: Sequence[str], words: Words) -> tuple[str, ...]:
    """Return the moves of a duel for everybody: nothing undone, no calls, no judge's reasons."""
    undone = _undone(story)
    return tuple(
        describe_duel_event(event, names, words)
        for index, timed in enumerate(story)
        if index not in undone
        for event in timed.step.events
        if isinstance(event, EventOfDuel)
    )


def _undone(story: Sequence[TimedGameStep]) -> set[int]:
    counting: list[int] = []
    undone: set[int] = set()
    taken_back: list[list[int]] = []
    for index, timed in enumerate(story):
        first = timed.step.events[0] if timed.step.events else None
        if isinstance(first, Undo):
            taken_back.append(counting[-first.steps :])
            undone.update(taken_back[-1])
            del counting[-first.steps :]
        elif isinstance(first, StepsRedone):
            redone = taken_back.pop() if taken_back else []
            undone.difference_update(redone)
            counting += redone
        elif not isinstance(first, NO_MOVE):
            counting.append(index)
            taken_back.clear()
    return undone


def _describe(event: GameEvent, names: Sequence[str], words: Words) -> str:
    _ = words.gettext
    if isinstance(event, ClockEvent):
        return describe_table_clock(event, words)
    if isinstance(event, EventOfDuel):
        return _describe_duel(event, names, words)
    match event:
        case TableSeated():
            return _("Players seated")
        case CallJudge():
            return _("The table called the judge")
        case GiveCallReason():
            return _("Reason for the call: {reason}").format(reason=words.label(event.reason))
        case AnswerJudgeCall():
            return _("The call ended: the judge came, or was no longer needed")
        case VoidGame():
            return _("Game voided: {reason}").format(reason=event.reason)
        case Undo():
            text = words.ngettext("{steps} step undone", "{steps} steps undone", event.steps)
            return text.format(steps=event.steps)
        case StepsRedone():
            text = words.ngettext("{steps} step redone", "{steps} steps redone", event.steps)
            return text.format(steps=event.steps)
        case _:
            return amounts_in(describe_event(event, names, words), words.language)


def _describe_duel(event: EventOfDuel, names: Sequence[str], words: Words) -> str:
    if isinstance(event, DuelWon):
        reason = event.ruling or words.label(event.because)
        text = words.gettext("{name} wins the duel: {reason}")
        return text.format(name=names[event.winner - 1], reason=reason)
    return describe_duel_event(event, names, words)
