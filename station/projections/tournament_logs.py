"""Tournaments as folded from their steps, and the places of games in their draws."""

from dataclasses import dataclass, field

import msgspec

from core.terms import GameId, RoundNo, TableNo, TournamentId
from core.tournament import timeline as tournament_timeline
from core.tournament.decisions import TournamentStep
from core.tournament.round_clock import ClockDecision
from core.tournament.sheets import (
    AcceptDuel,
    AcceptResult,
    AcceptSheet,
    ContestResult,
    CorrectResult,
    SettleDispute,
)
from core.tournament.state.rounds import SheetOrigin, Source
from core.tournament.state.tournament import TournamentState
from sync.protocol.entry import Epoch, StreamId

_DECISIONS = (AcceptResult, CorrectResult, SettleDispute)


@dataclass
class TournamentTrack:
    """A tournament. ``steps`` are all of them, including undone ones.

    accepted_at: for each sheet, the position of the last decision about it among all entries.
    entries: the epoch and number of each step's entry.
    """

    timeline: tournament_timeline.TournamentTimeline
    steps: list[TournamentStep]
    entries: list[tuple[Epoch, int]] = field(default_factory=list)
    accepted_at: dict[GameId, int] = field(default_factory=dict)

    @property
    def state(self) -> TournamentState:
        return self.timeline.state

    @property
    def steps_to_count(self) -> list[TournamentStep]:
        """The steps that undo counts, including undone ones: all except those of the clock."""
        return [step for step in self.steps if not isinstance(step.events[0], ClockDecision)]

    def add(
        self,
        step: TournamentStep,
        timeline: tournament_timeline.TournamentTimeline,
        entry: tuple[Epoch, int],
        position: int,
    ) -> None:
        """Add a step, the timeline that contains it, its entry's epoch and number, and its position."""
        self.timeline = timeline
        self.steps.append(step)
        self.entries.append(entry)
        for event in step.events:
            if isinstance(event, _DECISIONS):
                self.accepted_at[event.game] = position

    def was_accepted(self, accepted: AcceptSheet | AcceptDuel) -> bool:
        """Return whether this sheet was ever accepted, from paper or a terminal, even if that was undone.

        A terminal's sheet is the same whether it was received or imported.
        """
        return any(
            isinstance(event, AcceptResult)
            and (event.game, event.result) == (accepted.game, accepted.result)
            and (event.source is Source.PAPER) is (accepted.source is Source.PAPER)
            for step in self.steps
            for event in step.events
        )

    def was_contested(self, game: GameId, origin: SheetOrigin) -> bool:
        """Return whether this imported sheet ever disputed an accepted one, even if that was settled."""
        return any(
            isinstance(event, ContestResult) and (event.game, event.origin) == (game, origin)
            for step in self.steps
            for event in step.events
        )


class GamePlace(msgspec.Struct, frozen=True):
    """The place of a game in the draw.

    tables: all tables where it was published, the current one last.
    epoch: the station's epoch when it first published the draw.
    """

    tournament: TournamentId
    round: RoundNo
    tables: tuple[TableNo, ...]
    epoch: Epoch

    @property
    def table(self) -> TableNo:
        return self.tables[-1]


def tournament_stream(tournament: TournamentId) -> StreamId:
    return StreamId(f"tournament/{tournament}")
