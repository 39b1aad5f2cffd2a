"""The parts of a tournament's day: what is done and when, what is happening, and what is to come."""

import datetime as dt
from collections.abc import Iterable, Mapping

import msgspec

from core.terms import DuelPart, RoundNo
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.registration import RegisterPlayers
from core.tournament.sheets import AcceptResult
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Stage, TournamentState
from station.text.i18n import Words
from station.text.names import round_title
from station.text.times import time_of_day

_Event = tuple[type, RoundNo | DuelPart | None]
_OVER = frozenset({Stage.FINISHED, Stage.PUBLISHED})


class DayPart(msgspec.Struct, frozen=True):
    """A part of the day. round: a published round, whose tables can be opened."""

    title: str
    facts: tuple[str, ...]
    is_done: bool
    is_now: bool = False
    round: RoundNo | None = None


def checklist(
    state: TournamentState,
    steps: Iterable[TournamentStep],
    rounds: int,
    words: Words,
    *,
    missing: int = 0,
    minutes: int | None = None,
) -> tuple[DayPart, ...]:
    """Return the parts of the day in order.

    steps: those that haven't been undone, oldest first.
    rounds: the planned number of rounds.
    missing: number of players who haven't checked in.
    minutes: the expected length of a coming round, if known.
    """
    _, times = words.gettext, _times(steps)
    facts = [words.ngettext("{n} player", "{n} players", len(state.entrants)).format(n=len(state.entrants))]
    if missing and not state.published_rounds:
        not_here = words.ngettext("{n} hasn't checked in", "{n} haven't checked in", missing)
        facts.append(not_here.format(n=missing))
    elif (RegisterPlayers, None) in times:
        facts.append(_("the last at {time}").format(time=times[RegisterPlayers, None]))
    players = DayPart(_("Players"), tuple(facts), bool(state.rounds), is_now=not state.rounds)
    parts = [players, *(_round(state, RoundNo(n), times, words, minutes) for n in range(1, rounds + 1))]
    if state.with_finals:
        parts.append(_finals(state, times, words))
    published = times.get((PublishRanking, None)) if state.is_published else None
    said = (_("published at {time}").format(time=published),) if published else ()
    is_now = state.stage is Stage.FINISHED
    return (*parts, DayPart(_("Ranking"), said, state.is_published, is_now))


def _times(steps: Iterable[TournamentStep]) -> Mapping[_Event, str]:
    """Return the time of the last event of each kind, by round or part of the finals."""
    times: dict[_Event, str] = {}
    for step in steps:
        for event in step.events:
            match event:
                case SealDraw() | MakeDraw() | PublishDraw():
                    key: _Event = type(event), event.round
                case AcceptResult():
                    key = AcceptResult, event.result.round
                case BeginDuels():
                    key = BeginDuels, event.part
                case RegisterPlayers() | PublishRoundsRanking() | PublishRanking():
                    key = type(event), None
                case _:
                    continue
            times[key] = time_of_day(dt.datetime.fromisoformat(step.at))
    return times


def _round(
    state: TournamentState, number: RoundNo, times: Mapping[_Event, str], words: Words, minutes: int | None
) -> DayPart:
    _, title = words.gettext, round_title(state, number, words)
    if number > len(state.rounds):
        expected = () if minutes is None else (_("about {n} min").format(n=minutes),)
        return DayPart(title, expected, is_done=False, is_now=False)
    drawn = state.rounds[number - 1]
    if not drawn.published:
        said, kind = (_("drawn at {time}"), MakeDraw) if drawn.drawn else (_("sealed at {time}"), SealDraw)
        return DayPart(title, _at(said, times.get((kind, number))), is_done=False, is_now=True)
    began, ended = times.get((PublishDraw, number)), times.get((AcceptResult, number))
    if drawn.missing or not ended:
        said = _("since {time}")
        return DayPart(title, _at(said, began), not drawn.missing, bool(drawn.missing), number)
    return DayPart(title, (_("{start} to {end}").format(start=began, end=ended),), is_done=True, round=number)


def _finals(state: TournamentState, times: Mapping[_Event, str], words: Words) -> DayPart:
    _ = words.gettext
    facts = [
        *_at(_("finalists named at {time}"), times.get((PublishRoundsRanking, None))),
        *_at(_("semifinals called at {time}"), times.get((BeginDuels, DuelPart.SEMIFINALS))),
        *_at(_("final called at {time}"), times.get((BeginDuels, DuelPart.FINAL))),
    ]
    return DayPart(_("Finals"), tuple(facts[-1:]), state.stage in _OVER, state.stage is Stage.FINALS)


def _at(text: str, time: str | None) -> tuple[str, ...]:
    return () if time is None else (text.format(time=time),)
