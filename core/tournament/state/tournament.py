"""The state of a tournament: a pure fold over its steps."""

import enum
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from base.immutable import cache_by_identity
from core.game.events import StepOrigin
from core.game.state.offences import Offence
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, TournamentId
from core.tournament.state.finals import Duels, Finals
from core.tournament.state.prizes import Prize
from core.tournament.state.rounds import DrawnTable, HallClock, Redraw, Round
from core.tournament.state.table_list import ALL_TABLES, TableList

_KEPT: Final = 8
"""Cache size; every phone's page looks up its player."""


class Stage(enum.Enum):
    """The stage of a tournament."""

    REGISTRATION = "registration"
    """The first draw is not published yet."""
    SEALED = "sealed"
    """A seed for the next round is sealed; its hash may be shown."""
    DRAWN = "drawn"
    """The next round is drawn but not published; it may be drawn again."""
    PLAYING = "playing"
    """A published round is running."""
    BETWEEN = "between"
    """All sheets of the round are accepted, and another round follows."""
    FINALS = "finals"
    """All rounds are played; duels of the top four are pending or running."""
    FINISHED = "finished"
    """All rounds and the finals are played; the ranking is not public yet."""
    PUBLISHED = "published"


class RecordedWarning(msgspec.Struct, frozen=True):
    """A warning given to a player. round: the last one published at that time."""

    reason: str
    offence: Offence | None = None
    round: RoundNo | None = None


class Entrant(msgspec.Struct, frozen=True):
    """A registered player with everything that the judge recorded. ``out`` means withdrawn or ejected."""

    player: PlayerId
    name: str
    club: str = ""
    warnings: tuple[RecordedWarning, ...] = ()
    withdrawn: bool = False
    ejected: bool = False
    out_reason: str = ""
    out_after_round: RoundNo | None = None
    sheriff_in: tuple[RoundNo, ...] = ()
    out_offence: Offence | None = None

    @property
    def is_out(self) -> bool:
        return self.withdrawn or self.ejected


class Player(msgspec.Struct, frozen=True):
    """A player to be registered. club: may also be a town, or empty."""

    player: PlayerId
    name: str
    club: str = ""


class Waivers(msgspec.Struct, frozen=True):
    """The judge's changes to save time (Championship 2022/23 v1.4, 1.3 "Waivers").

    rounds: fewer rounds than in the edition's table, or None to follow it.
    cycles: how often each player of a group is Sheriff, None for once; also None if tables follow a chart.
    """

    rounds: int | None = None
    time_limit_min: int | None = None
    cycles: int | None = None


class TournamentState(msgspec.Struct, frozen=True):
    """The state of a tournament.

    rounds_planned: fixed when the first draw is published.
    lots: the order by lot of each tied group, best first.
    one_on_ones: winner and loser of one-on-one games entered by hand.
    steps: number of steps not undone, including the opening.
    attempts: the highest attempt ever sealed of each round, index 0 for round 1; not reduced by undo, so that
        nobody can secretly redraw until they like the result.
    ranking_taken_back: a published ranking was undone.
    finals: None until the ranking of the rounds is public.
    owed_waived: games whose missing entries the judge continues without.
    redraws: not reduced by undo.
    late_entry: players may join after the first published draw (D45).
    sheets_waived: games whose missing or disputed sheets don't block the next draw.
    warnings_taken: steps at tables whose warnings are recorded here; not reduced by undo.
    newcomers: recorded when the ranking is published, if a prize is for them.
    """

    tournament: TournamentId
    name: str
    rules: RuleSet
    date: str
    waivers: Waivers
    stage: Stage = Stage.REGISTRATION
    unofficial: bool = False
    rounds_planned: int | None = None
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    lots: tuple[tuple[PlayerId, ...], ...] = ()
    lot_seeds: tuple[str, ...] = ()
    one_on_ones: tuple[tuple[PlayerId, PlayerId], ...] = ()
    tie_duels: tuple[Duels, ...] = ()
    steps: int = 0
    attempts: tuple[int, ...] = ()
    with_finals: bool = False
    ranking_taken_back: bool = False
    finals: Finals | None = None
    owed_waived: tuple[GameId, ...] = ()
    clock: HallClock = HallClock()
    hall_tables: TableList = ALL_TABLES
    redraws: tuple[Redraw, ...] = ()
    late_entry: bool = False
    sheets_waived: tuple[GameId, ...] = ()
    warnings_taken: tuple[StepOrigin, ...] = ()
    prizes: tuple[Prize, ...] = ()
    newcomers: tuple[PlayerId, ...] = ()

    @property
    def edition(self) -> str:
        return self.rules.edition

    @property
    def is_published(self) -> bool:
        return self.stage is Stage.PUBLISHED

    @property
    def contenders(self) -> tuple[Entrant, ...]:
        """The entrants who are neither withdrawn nor ejected, in the order of registration."""
        return tuple(entrant for entrant in self.entrants if not entrant.is_out)

    @property
    def participants(self) -> tuple[Entrant, ...]:
        """The entrants except those who left before their first table, such as duplicates."""
        if not any(entrant.is_out for entrant in self.entrants):
            return self.entrants
        tables = (table for drawn in self.published_rounds for table in drawn.tables)
        seated = {player for table in tables for player in table.players}
        return tuple(one for one in self.entrants if not one.is_out or one.player in seated)

    @property
    def published_rounds(self) -> tuple[Round, ...]:
        return tuple(drawn for drawn in self.rounds if drawn.published)

    @property
    def last_round(self) -> RoundNo | None:
        """The number of the last published round, or None."""
        return self.published_rounds[-1].round if self.published_rounds else None

    @property
    def pending_round(self) -> Round | None:
        """The round that is sealed or drawn but not published."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].published else None

    @property
    def running_round(self) -> Round | None:
        """The published round with missing record sheets."""
        last = self.published_rounds[-1:]
        return last[0] if last and not last[0].complete else None

    @property
    def missing_sheets(self) -> tuple[tuple[RoundNo, DrawnTable], ...]:
        """The tables without an accepted record sheet in published rounds, each with its round."""
        return tuple((drawn.round, table) for drawn in self.published_rounds for table in drawn.missing)

    @property
    def duels(self) -> tuple[Duels, ...]:
        """All duels started so far, except those of ties that were broken otherwise."""
        running = [duels for duels, _ in self.open_tie_duels]
        ties = (duels for duels in self.tie_duels if duels.sheets or duels in running)
        return (*ties, *(() if self.finals is None else self.finals.begun))

    @property
    def open_tie_duels(self) -> tuple[tuple[Duels, DrawnTable], ...]:
        """The duels of tied players without a result whose tie is still unbroken."""
        if not self.tie_duels:
            return ()
        gone = {entrant.player for entrant in self.entrants if entrant.is_out}
        broken = (*self.one_on_ones, *self.lots)
        return tuple(
            (duels, table)
            for duels in self.tie_duels
            for table in duels.tables
            if not duels.sheets
            and not duels.called_off
            and not gone.intersection(table.players)
            and not any(set(table.players) == set(group) for group in broken)
            and self.stage is not Stage.PUBLISHED
        )

    @property
    def open_duels(self) -> tuple[tuple[Duels, DrawnTable], ...]:
        return (*self.open_tie_duels, *(() if self.finals is None else self.finals.open_duels))

    @property
    def games_of_two(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """The winner and loser of each one-on-one game of tied players."""
        results = [sheet.result for duels in self.tie_duels for sheet in duels.sheets]
        return (*self.one_on_ones, *((one.winning_player, one.losing_player) for one in results))

    def redraws_of(self, round_no: RoundNo) -> tuple[Redraw, ...]:
        return tuple(redraw for redraw in self.redraws if redraw.round == round_no)

    @property
    def called(self) -> tuple[Round | Duels, ...]:
        return (*self.published_rounds, *self.duels)

    @property
    def called_tables(self) -> tuple[tuple[RoundNo, DrawnTable], ...]:
        """The tables of published rounds and of duels that have started, each with its round."""
        return tuple((part.round, table) for part in self.called for table in part.tables)

    def entrant(self, player: PlayerId) -> Entrant | None:
        return _entrants_by_player(self.entrants).get(player)


@cache_by_identity(_KEPT)
def _entrants_by_player(entrants: tuple[Entrant, ...]) -> Mapping[PlayerId, Entrant]:
    return {entrant.player: entrant for entrant in entrants}


def with_entrant(
    state: TournamentState, player: PlayerId, change: Callable[[Entrant], Entrant]
) -> TournamentState:
    """Return the state with one entrant changed. Raises BadData for an unknown player."""
    if state.entrant(player) is None:
        raise BadData("tournament log", f"a decision names {player}, who is not registered")
    entrants = tuple(change(one) if one.player == player else one for one in state.entrants)
    return replace(state, entrants=entrants)


def attempts_after(state: TournamentState, round_no: RoundNo, attempt: int) -> tuple[int, ...]:
    """Return the draw attempts of every round with one more. Raises BadData if the new one comes too soon."""
    if not 1 <= round_no <= len(state.attempts) + 2:
        raise BadData("tournament log", f"a draw of round {round_no} comes too soon")
    before = (*state.attempts, *(0,) * round_no)[: round_no - 1]
    return (*before, attempt, *state.attempts[round_no:])
