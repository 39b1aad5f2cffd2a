"""The game log that counts, and the steps that other terminals recorded of the same game.

A game log is a game as recorded by one terminal, starting with a seating. This module stores nothing: it
derives everything from the entries, the orders and the terminals' tables.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from core.game.state.game import Phase
from core.game.takeover import (
    StepWithOrigin,
    is_agreement,
    is_confirmation,
    is_continued_by,
    step_with_origin,
    steps_not_counted,
)
from core.terms import GameId, TableNo
from station.enrolment.enrolments import EnrolledTerminal
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections
from sync.protocol.entry import TerminalId

Standing = Mapping[TableNo, TerminalId]
"""The terminal at each table."""


class LateTrack(msgspec.Struct, frozen=True):
    """Steps recorded by a terminal that are missing from the log that counts."""

    track: GameTrack
    steps: tuple[StepWithOrigin, ...]


def terminals_by_table(terminals: Sequence[EnrolledTerminal]) -> Standing:
    return {known.table: known.terminal for known in terminals if known.table and not known.revoked}


def steps_with_origins(track: GameTrack) -> tuple[StepWithOrigin, ...]:
    """Return all steps of a log with their origins, in order."""
    return tuple(
        step_with_origin(timed.step, track.terminal, track.epoch, timed.seq) for timed in track.steps
    )


def sound_steps(track: GameTrack) -> tuple[StepWithOrigin, ...]:
    """Return the replayable steps, from which another terminal can continue the game.

    The players' agreement and the confirmation of the sheet are left out: they refer to what one terminal
    showed, so the next terminal asks again.
    """
    sound = steps_with_origins(track)[: track.followed]
    confirmed = (at for at, step in enumerate(sound) if is_confirmation(step.step))
    end = next(confirmed, len(sound))
    while end and is_agreement(sound[end - 1].step):
        end -= 1
    return sound[:end]


def authoritative_log(game: GameId, projections: Projections, here: Standing) -> GameTrack | None:
    """Return the log of a game that counts, or None if no terminal has reported it.

    This is the log of the terminal at the game's table, once it contains all the steps that were handed over
    to that terminal; until then it is the previous terminal's log, or else the longest one. Only terminals
    that were given the game are considered (``Projections.games``), and voided logs are ignored.
    """
    drawn = projections.drawn.get(game)
    at_table = None if drawn is None else here.get(drawn.table)
    handovers = projections.handovers
    if handovers.is_relieved(game, at_table):
        at_table = None
    terminals = [at_table, *(gift.terminal for gift in reversed(handovers.of(game)))]
    for terminal in terminals:
        track = None if terminal is None else projections.track_of_terminal(game, terminal)
        if track is not None and not is_voided(track) and handovers.has_given_steps(game, track):
            return track
    tracks = (track for track in projections.games.get(game, []) if not is_voided(track))
    return max(tracks, key=lambda track: len(track.steps), default=None)


def late_steps(game: GameId, projections: Projections, here: Standing) -> tuple[LateTrack, ...]:
    """Return the steps of a game that are stored but do not count, log by log, in order of arrival."""
    chosen = authoritative_log(game, projections, here)
    return () if chosen is None else steps_beside(chosen, projections.games[game])


def steps_beside(chosen: GameTrack, tracks: Iterable[GameTrack]) -> tuple[LateTrack, ...]:
    """Return the steps that other logs of a game contain and the chosen one lacks."""
    counting = steps_with_origins(chosen)
    others = (track for track in tracks if track is not chosen and not is_voided(track))
    beside = (LateTrack(track, steps_not_counted(counting, _written_here(track))) for track in others)
    return tuple(late for late in beside if late.steps)


def _written_here(track: GameTrack) -> tuple[StepWithOrigin, ...]:
    return tuple(step for step in steps_with_origins(track) if step.step.origin is msgspec.UNSET)


def is_voided(track: GameTrack) -> bool:
    """Return whether the station voided this log, as when a draw is published again."""
    is_voided = track.state is not None and track.state.phase is Phase.VOIDED
    return track.is_given_up or (is_voided and track.steps[-1].step.order is not None)


def continuation(game: GameId, projections: Projections, track: GameTrack) -> tuple[StepWithOrigin, ...]:
    """Return the longest other log that continues exactly where this one ends, or nothing."""
    ours = steps_with_origins(track)
    known = projections.games.get(game, [])
    others = (sound_steps(other) for other in known if other is not track and not is_voided(other))
    return max((other for other in others if is_continued_by(ours, other)), key=len, default=())
