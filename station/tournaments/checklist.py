"""The checklist of a tournament's day: what is done and since when, and how long the rest will take."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from core.editions.loader import base_edition
from core.terms import DuelPart, RoundNo
from core.text.open_questions import chosen_readings, questions
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.registration import ChangeRules, OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptResult
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Stage, TournamentState
from station.pace.day import DayLengths, MeasuredDay, MinutesRange, measure, total
from station.paper.papers import PaperKind
from station.text.changes_in_words import stated_rules
from station.text.i18n import Words
from station.text.names import round_title
from station.text.times import duration_in_words, time_of_day

_Event = tuple[type, RoundNo | DuelPart | None]
_OVER = frozenset({Stage.FINISHED, Stage.PUBLISHED})
DUELS_OF_FINALS: Final = 2
"""The duels of the finals one after the other, as both semifinals are played at the same time."""


class DayPart(msgspec.Struct, frozen=True):
    """A part of the day. round: a published round, whose tables can be opened."""

    title: str
    facts: tuple[str, ...]
    is_done: bool
    is_now: bool = False
    round: RoundNo | None = None


class DayCourse(msgspec.Struct, frozen=True, dict=True):
    """The course of a tournament's day so far.

    steps: those that haven't been undone, oldest first.
    rounds: the planned number of rounds.
    missing: number of players who haven't checked in.
    printed: when papers were last opened for printing, in milliseconds since 1970.
    """

    state: TournamentState
    steps: Sequence[TournamentStep]
    rounds: int
    missing: int = 0
    printed: Mapping[PaperKind, int] = {}

    @cached_property
    def times(self) -> Mapping[_Event, str]:
        """Return the time of the last event of each kind, by round or part of the finals."""
        times: dict[_Event, str] = {}
        for step in self.steps:
            for event in step.events:
                match event:
                    case SealDraw() | MakeDraw() | PublishDraw():
                        key: _Event = type(event), event.round
                    case AcceptResult():
                        key = AcceptResult, event.result.round
                    case BeginDuels():
                        key = BeginDuels, event.part
                    case OpenTournament() | ChangeRules():
                        key = OpenTournament, None
                    case RegisterPlayers() | PublishRoundsRanking() | PublishRanking():
                        key = type(event), None
                    case _:
                        continue
                times[key] = time_of_day(dt.datetime.fromisoformat(step.at))
        return times

    @property
    def is_playing(self) -> bool:
        return self.state.running_round is not None or bool(self.state.open_duels)

    @cached_property
    def measured(self) -> MeasuredDay:
        return measure(self.steps, is_playing=self.is_playing)

    @property
    def duels(self) -> int:
        """Return how many duels of the finals are to come, one after the other."""
        if not self.state.with_finals or self.state.stage in _OVER:
            return 0
        return DUELS_OF_FINALS - sum(
            (BeginDuels, part) in self.times for part in (DuelPart.SEMIFINALS, DuelPart.FINAL)
        )

    def count_registered_since(self, when_ms: int) -> int:
        """Return how many players were registered after a moment."""
        since = dt.datetime.fromtimestamp(when_ms / 1000, dt.UTC)
        steps = (step for step in self.steps if dt.datetime.fromisoformat(step.at) > since)
        events = (event for step in steps for event in step.events if isinstance(event, RegisterPlayers))
        return sum(len(event.players) for event in events)


def checklist(day: DayCourse, lengths: DayLengths | None, words: Words) -> tuple[DayPart, ...]:
    """Return the parts of the day in order. lengths: the expected ones of coming parts, if known."""
    state = day.state
    rounds = (_round(day, RoundNo(n), lengths, words) for n in range(1, day.rounds + 1))
    finals = [_finals(day, lengths, words)] if state.with_finals else []
    at = day.times.get((PublishRanking, None)) if state.is_published else None
    published = _at(words.gettext("published at {time}"), at)
    is_now = state.stage is Stage.FINISHED
    return (
        _rules(day, words),
        _players(day, words),
        *_badges(day, words),
        *rounds,
        *finals,
        DayPart(words.gettext("Ranking"), published, state.is_published, is_now),
        _certificates(day, words),
    )


def _rules(day: DayCourse, words: Words) -> DayPart:
    _, rules = words.gettext, day.state.rules
    points = questions(base_edition(rules), chosen_readings(stated_rules(rules)), words)
    others = sum(not question.chosen.is_default for question in points)
    answers = (
        words.ngettext("{n} answer not as recommended", "{n} answers not as recommended", others)
        if others
        else _("answers as recommended")
    )
    facts = (*_at(_("chosen at {time}"), day.times.get((OpenTournament, None))), answers.format(n=others))
    return DayPart(_("Rules"), facts if points else facts[:1], is_done=True)


def _players(day: DayCourse, words: Words) -> DayPart:
    _, state = words.gettext, day.state
    facts = [words.ngettext("{n} player", "{n} players", len(state.entrants)).format(n=len(state.entrants))]
    if day.missing and not state.published_rounds:
        not_here = words.ngettext("{n} hasn't checked in", "{n} haven't checked in", day.missing)
        facts.append(not_here.format(n=day.missing))
    else:
        facts += _at(_("the last at {time}"), day.times.get((RegisterPlayers, None)))
    return DayPart(_("Players"), tuple(facts), bool(state.rounds), is_now=not state.rounds)


def _badges(day: DayCourse, words: Words) -> tuple[DayPart, ...]:
    """Return whether badges are printed, but not once a tournament plays without them."""
    printed = day.printed.get(PaperKind.BADGES)
    if printed is None:
        return () if day.state.published_rounds else (DayPart(words.gettext("Badges"), (), is_done=False),)
    facts, later = [_printed(printed, words)], day.count_registered_since(printed)
    if later:
        text = words.ngettext("{n} player registered since", "{n} players registered since", later)
        facts.append(text.format(n=later))
    return (DayPart(words.gettext("Badges"), tuple(facts), is_done=not later),)


def _certificates(day: DayCourse, words: Words) -> DayPart:
    printed = day.printed.get(PaperKind.CERTIFICATES)
    is_done = day.state.is_published and printed is not None
    facts = () if printed is None else (_printed(printed, words),)
    return DayPart(words.gettext("Certificates"), facts, is_done, day.state.is_published and not is_done)


def _printed(when_ms: int, words: Words) -> str:
    moment = dt.datetime.fromtimestamp(when_ms / 1000, dt.UTC)
    return words.gettext("printed at {time}").format(time=time_of_day(moment))


def _round(day: DayCourse, number: RoundNo, lengths: DayLengths | None, words: Words) -> DayPart:
    _, state, times = words.gettext, day.state, day.times
    title = round_title(state, number, words)
    if number > len(state.rounds):
        length = lengths and total([lengths.round])
        expected = (range_in_words(length, words),) if length else ()
        return DayPart(title, expected, is_done=False)
    drawn = state.rounds[number - 1]
    if not drawn.published:
        said, kind = (_("drawn at {time}"), MakeDraw) if drawn.drawn else (_("sealed at {time}"), SealDraw)
        return DayPart(title, _at(said, times.get((kind, number))), is_done=False, is_now=True)
    began, ended = times.get((PublishDraw, number)), times.get((AcceptResult, number))
    if drawn.missing or not ended:
        said = _("since {time}")
        return DayPart(title, _at(said, began), not drawn.missing, bool(drawn.missing), number)
    return DayPart(title, (_("{start} to {end}").format(start=began, end=ended),), is_done=True, round=number)


def _finals(day: DayCourse, lengths: DayLengths | None, words: Words) -> DayPart:
    _, times, stage = words.gettext, day.times, day.state.stage
    facts = [
        *_at(_("finalists named at {time}"), times.get((PublishRoundsRanking, None))),
        *_at(_("semifinals called at {time}"), times.get((BeginDuels, DuelPart.SEMIFINALS))),
        *_at(_("final called at {time}"), times.get((BeginDuels, DuelPart.FINAL))),
    ]
    length = lengths and lengths.day(0, DUELS_OF_FINALS)
    said = facts[-1:] or ([range_in_words(length, words)] if length else [])
    return DayPart(_("Finals"), tuple(said), stage in _OVER, stage is Stage.FINALS)


def _at(text: str, time: str | None) -> tuple[str, ...]:
    return () if time is None else (text.format(time=time),)


def range_in_words(length: MinutesRange, words: Words) -> str:
    """Return a range of a duration: ``45 min to 1 h 10 min``."""
    least, most = (duration_in_words(minutes, words) for minutes in (length.early, length.late))
    return words.gettext("{least} to {most}").format(least=least, most=most)


def expected_ending(day: DayCourse, lengths: DayLengths | None, now_ms: float, words: Words) -> str:
    """Return when the last game or duel will probably end, or how long all of them take before the first.

    Returns "" if none is to come.
    """
    if lengths is None or day.state.stage in _OVER:
        return ""
    rounds, began = day.rounds - len(day.state.published_rounds), day.measured.running_since
    running = None
    now = dt.datetime.fromtimestamp(now_ms / 1000, dt.UTC)
    if began is not None:
        part = lengths.duel if day.state.open_duels else lengths.round
        running = part.without((now - began).total_seconds() / 60)
    length = lengths.day(rounds, day.duels, running)
    if length is None:
        return ""
    _ = words.gettext
    if not day.state.published_rounds:
        said = _("From the first game to the last, the day will probably take {range}, with breaks.")
        return said.format(range=range_in_words(length, words))
    early, late = (
        time_of_day(now + dt.timedelta(minutes=minutes)) for minutes in (length.early, length.late)
    )
    said = _("The last game will probably end between {early} and {late}, with breaks.")
    return said.format(early=early, late=late)
