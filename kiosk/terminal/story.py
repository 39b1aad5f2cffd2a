"""The story of a game: its steps as text, to settle disputes."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.clock import ClockEvent
from core.game.duel.fight import CharacterHealed, WoundCharacter
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.sheet import VoidGame
from core.game.events import EventOfDuel, GameEvent
from core.game.in_words import describe_event
from core.game.play.turns import TurnStarted
from core.game.play.wounds import LoseLife, RegainLife
from core.game.setup import TableSeated
from core.game.state.decisions import StepsRedone, Undo
from core.game.state.game import Phase
from core.game.timeline import Moment, Timeline
from core.terms import SeatNo
from kiosk.i18n import Words
from kiosk.view.final_story import story_to_take
from kiosk.view.table_view import StoryLine

_UNTOLD: Final = "…"
_SILENT = ClockEvent | TableSeated | CallJudge | GiveCallReason | AnswerJudgeCall | Undo | StepsRedone
_TAPS = LoseLife | RegainLife | WoundCharacter | CharacterHealed


def describe_undone(timeline: Timeline | None, words: Words) -> str:
    """Describe the steps that the last undo took back, or return an empty string if there was none."""
    if timeline is None or not timeline.taken_back:
        return ""
    taken = timeline.taken_back
    lines = tuple(_lines((timeline.moments[-1], *taken), 0, words))
    turns = sum(isinstance(event, TurnStarted) for moment in taken for event in moment.step.events)
    if len(taken) == 1 and turns > 1:
        return words.ngettext("{count} turn undone.", "{count} turns undone.", turns).format(count=turns)
    if len(lines) == 1 and lines[0].text != _UNTOLD:
        return words.gettext("Undone: {what}").format(what=lines[0].text)
    text = words.ngettext("{count} step undone.", "{count} steps undone.", len(taken))
    return text.format(count=len(taken))


class Storyteller:
    """The story of a table, updated incrementally, as a game has hundreds of steps."""

    def __init__(self) -> None:
        self._timeline: Timeline | None = None
        self._moments: tuple[Moment, ...] = ()
        self._words: Words | None = None
        self._lines: tuple[StoryLine, ...] = ()
        self._taken: tuple[Timeline | None, Words | None, str] = None, None, ""

    def story(self, timeline: Timeline | None, words: Words) -> tuple[StoryLine, ...]:
        """Return the public steps in effect, oldest first, without the seating.

        Successive taps on the same button of one player in one turn become one line with their sum. The time
        between them doesn't matter, as steps are logged without times and the story must be the same after a
        restart.
        """
        if words is self._words and timeline is self._timeline:
            return self._lines
        self._timeline = timeline
        moments = () if timeline is None else timeline.moments
        same = 0
        if words is self._words:
            for before, now in zip(self._moments, moments, strict=False):
                if before is not now:
                    break
                same += 1
        # The last unchanged line may have become longer.
        kept = tuple(line for line in self._lines if line.moment < same - 1)
        fresh = _lines(moments, kept[-1].moment if kept else 0, words)
        self._moments, self._words, self._lines = moments, words, (*kept, *fresh)
        return self._lines

    def to_take(self, timeline: Timeline | None, edition: Edition | None, words: Words) -> str:
        """Return the story of a confirmed game in a few lines, or an empty string."""
        if timeline is None or edition is None or timeline.state.phase is not Phase.CONFIRMED:
            return ""
        if self._taken[0] is not timeline or self._taken[1] is not words:
            self._taken = timeline, words, story_to_take(timeline.state, edition, timeline.moments, words)
        return self._taken[2]


def _lines(moments: Sequence[Moment], index: int, words: Words) -> Iterator[StoryLine]:
    for _, group in itertools.groupby(enumerate(moments[index + 1 :]), _row):
        together = [moment for _, moment in group]
        names = tuple(seat.name for seat in together[-1].state.seats)
        texts = [text for event in _sum_events(together) if (text := _describe_event(event, names, words))]
        index += len(together)
        text = "; ".join(texts) or _UNTOLD
        yield StoryLine(together[-1].state.turns, text, len(together), index, _seats_in(together))


def _seats_in(moments: list[Moment]) -> tuple[SeatNo, ...]:
    seats: set[SeatNo] = set()
    for moment in moments:
        for event in moment.step.events:
            fields = msgspec.structs.asdict(event)
            seats.update(SeatNo(fields[key]) for key in ("seat", "by") if isinstance(fields.get(key), int))
    return tuple(sorted(seats))


def _row(numbered: tuple[int, Moment]) -> tuple[object, ...]:
    """Return a key that is equal for steps sharing a line; the step's number if it has its own."""
    number, moment = numbered
    match moment.step.events:
        case (LoseLife() | RegainLife() as event,):
            return type(event), event.seat, moment.state.turns
        case (WoundCharacter() | CharacterHealed() as event,):
            return type(event), event.character, moment.state.turns
        case _:
            return (number,)


def _sum_events(moments: list[Moment]) -> tuple[GameEvent, ...]:
    first, *others = (moment.step.events for moment in moments)
    if not others:
        return first
    taps = (event for events in (first, *others) for event in events)
    points = sum(tap.points for tap in taps if isinstance(tap, _TAPS))
    return (msgspec.structs.replace(first[0], points=points),)


def _describe_event(event: GameEvent, names: tuple[str, ...], words: Words) -> str:
    if isinstance(event, EventOfDuel):
        # Import it late: few games are duels, and each module delays the first frame.
        from core.game.in_words import describe_duel_event

        return describe_duel_event(event, names, words)
    if isinstance(event, _SILENT):
        return ""
    if isinstance(event, VoidGame):
        return words.gettext("The game has been voided")
    return words.amounts(describe_event(event, names, words))
