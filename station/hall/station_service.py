"""The service behind the pages: tournaments, tables, and the services of each feature."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

import structlog

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.consequences import Consequences, consequences
from core.tournament.decisions import TournamentDecision, TournamentStep, UndoSteps
from core.tournament.standings.ledger import Account, accepted_results, accounts
from core.tournament.standings.standings import Standings, rounds_standings, standings_of
from core.tournament.standings.why import Why, why
from core.tournament.state.tournament import TournamentState
from station.audit import AuditLog
from station.backups.backup import OnChecked, backup
from station.backups.sealed_backup import SealedBackups
from station.exports import export
from station.hall import table_cards, tournaments
from station.hall.problems import HallProblems
from station.hall.station_context import StationContext
from station.projections.cards import FloorCard, TerminalCard, TimedGameStep
from station.store.database import Database
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()


_Feature = TypeVar("_Feature")


class StationService:
    """The tournaments and tables for the pages, with access to each feature's service."""

    def __init__(self, context: StationContext, database: Database) -> None:
        self.context = context
        self._database = database
        self._features: dict[Callable[[StationContext], object], object] = {}
        self.updates = context.updates
        self.problems: HallProblems = HallProblems(context)
        self.live_floor: table_cards.LiveFloor = table_cards.LiveFloor(context)
        self.archive: tournaments.Archive = tournaments.Archive(context)
        self.audit: AuditLog = AuditLog(database)
        self.sealed_backups: SealedBackups = SealedBackups(context.parts.settings, database)

    def of(self, make: Callable[[StationContext], _Feature]) -> _Feature:
        """Return a feature's service, creating it on first use, as in ``service.of(Messages)``."""
        if make not in self._features:
            self._features[make] = make(self.context)
        return cast("_Feature", self._features[make])

    def put(self, make: Callable[[StationContext], _Feature], feature: _Feature) -> None:
        self._features[make] = feature

    def tournaments(self) -> tuple[TournamentState, ...]:
        """Return all tournaments, newest first."""
        return self.context.tournament_states()[::-1]

    def tournament(self, tournament: TournamentId) -> TournamentState:
        return self.context.projections.tournaments[tournament].state

    def history(self, tournament: TournamentId) -> tuple[TournamentStep, ...]:
        """Return all steps of a tournament, oldest first, including undone ones."""
        return tuple(self.context.projections.tournaments[tournament].steps)

    def steps_written(self, tournament: TournamentId) -> int:
        """Return how many of a tournament's steps count for undo, including undone ones."""
        return len(self.context.projections.tournaments[tournament].steps_to_count)

    def rules(self, tournament: TournamentId) -> Edition:
        return rules_of(self.tournament(tournament).rules)

    async def decide(
        self,
        tournament: TournamentId,
        command: TournamentDecision,
        by: str,
        check: Callable[[TournamentState], None] | None = None,
    ) -> TournamentState:
        """Carry out a decision durably, and give the terminals the resulting orders.

        check: raises Refused if the state, which nobody else can change now, isn't the one that was shown.

        Raises Refused, Unavailable if the disk fails, BadData for an unknown edition and KeyError for an
        unknown tournament. In these cases, nothing changes.
        """

        def _choose(state: TournamentState) -> TournamentDecision:
            if check is not None:
                check(state)
            return command

        work = (
            tournaments.decide(self.context, tournament, command, by)
            if check is None
            else tournaments.decide_on(self.context, tournament, _choose, by)
        )
        state = await self.context.run_to_completion(work)
        _log.info("decided", tournament=tournament, command=type(command).__name__, by=by)
        return state

    async def decide_together(
        self, decisions: Sequence[tuple[TournamentId, TournamentDecision]], by: str
    ) -> TournamentState:
        """Carry out several decisions durably, or none of them; see ``decide``."""
        work = tournaments.decide_together(self.context, decisions, by)
        state = await self.context.run_to_completion(work)
        for tournament, command in decisions:
            _log.info("decided", tournament=tournament, command=type(command).__name__, by=by)
        return state

    def why_not(self, tournament: TournamentId, command: TournamentDecision) -> Refused | None:
        """Return why a decision would be refused now, or None if it would be accepted."""
        return tournaments.why_not(self.context, tournament, command)

    def consequences(self, tournament: TournamentId, command: TournamentDecision) -> Consequences:
        """Return the dollars, ranks and budgets that a decision would change. Raises KeyError and Refused."""
        if isinstance(command, UndoSteps):
            tournaments.check_nothing_added(self.context, tournament, command)
        timeline = self.context.projections.tournaments[tournament].timeline
        return consequences(timeline, command, self.rules(tournament))

    def floor(
        self, tournament: TournamentId, *, all_duels: bool = False, round_no: RoundNo | None = None
    ) -> tuple[FloorCard, ...]:
        """Return the cards of the current round or duels, by number; none if nothing is running.

        all_duels: return all duels of the finals instead, including finished ones, semifinals first.
        round_no: return the tables of this round instead, current or finished.
        """
        state = self.tournament(tournament)
        if round_no is not None:
            return table_cards.round_cards(self.context, state, round_no)
        return table_cards.duels(self.context, state) if all_duels else table_cards.floor(self.context, state)

    def card(self, tournament: TournamentId, round_no: RoundNo, table: TableNo) -> FloorCard:
        return table_cards.card(self.context, self.tournament(tournament), round_no, table)

    def story(self, game: GameId) -> tuple[TimedGameStep, ...]:
        return table_cards.story(self.context, game)

    def standings(self, tournament: TournamentId, *, of_rounds: bool = False) -> Standings:
        """Return the current standings, secret until published; ``of_rounds`` leaves out the finals."""
        state, rules = self.tournament(tournament), self.rules(tournament)
        return rounds_standings(state, rules) if of_rounds else standings_of(state, rules)

    def why(self, tournament: TournamentId, player: PlayerId) -> Why:
        """Explain a player's score and rank. Raises KeyError, and Refused for an unknown player."""
        return why(self.tournament(tournament), self.rules(tournament), player)

    def accounts(self, tournament: TournamentId) -> Mapping[PlayerId, Account]:
        """Return each player's money, which is secret until the ranking is published. Raises KeyError."""
        state, rules = self.tournament(tournament), self.rules(tournament)
        players = [entrant.player for entrant in state.entrants]
        return accounts(accepted_results(state, rules), players, rules)

    def terminals(self) -> tuple[TerminalCard, ...]:
        return table_cards.terminals(self.context)

    def pin(self, terminal: TerminalId) -> str:
        """Return the PIN that unlocks a terminal. For floor and head judges only."""
        return self.context.pins.pin(terminal)

    async def backup(self, on_checked: OnChecked | None = None) -> bytes:
        """Return a consistent backup of the station's database, made while it runs."""
        return await asyncio.to_thread(backup, self._database, on_checked)

    def export(
        self, tournament: TournamentId, on_counted: Callable[[int], None] | None = None
    ) -> Iterator[bytes]:
        """Yield the tournament's proof pack (docs/reference/export.md), readable from any thread."""
        return export(self.context.projections, self.context.parts.store, tournament, on_counted)
