"""The service: the facade used by pages. Each method delegates to the module of its concept."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import structlog

from base.errors import Refused
from core.editions import Edition, rules_of
from core.game.clock.time_limit import EndByTimeLimit
from core.terminal.orders import CallTime
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.consequences import Consequences, consequences
from core.tournament.decisions import TournamentDecision, TournamentStep
from core.tournament.standings.ledger import Account, accounts
from core.tournament.standings.results import accepted_results
from core.tournament.standings.standings import Standings, rounds_standings, standings_of
from core.tournament.standings.why import Why, why
from core.tournament.state import TournamentState
from core.tournament.undo import UndoSteps
from station.audit.audit_log import AuditLog
from station.backups.backup import backup
from station.backups.sealed_backup import SealedBackups
from station.exports.proof_pack import export
from station.projections.floor_cards import FloorCard, TimedGameStep
from station.services import tournaments
from station.services.documents import Documents
from station.services.hall_plan import HallPlans
from station.services.intake import ParcelImporter
from station.services.players.desk import Desk
from station.services.players.player_codes import PlayerCodes
from station.services.projectors import Projectors
from station.services.seasons import Seasons
from station.services.station_context import StationContext
from station.services.tables import floor
from station.services.tables.judge_calls import JudgeCalls
from station.services.tables.pace import LivePace
from station.services.tables.phone_sign_in import PhoneSignIn
from station.services.terminals import terminals
from station.services.terminals.admission import TerminalAdmission
from station.services.terminals.browser_terminals import BrowserTerminals
from station.services.terminals.cards import Cards
from station.services.terminals.messages import Messages
from station.services.terminals.remote_control import RemoteControl
from station.services.terminals.troubles import Troubles
from station.store.database import Database
from station.terminals.terminal_cards import ProvisioningText, TerminalCard
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()


class StationService:
    """The station's services for the pages. context: the state they work on, for a page's own operations.

    intake: imports parcels. admission: enrols new terminals. cards: provisioning files. updates: new versions
    for terminals. troubles: problems and alarms of the hall. live_floor: the running tables, for live pages.
    pace: forecasts for running rounds. sign_in: players' sign-in by phone. sealed_backups: encrypted backups.
    calls: tables' calls for a judge. audit: the audit log. archive: finished tournaments. messages: judges'
    messages to tables. remote: control of terminals from the station. devices: phones and tablets used as
    terminals. plans: the plan of the hall. documents: the publisher's documents. codes: players' codes. desk:
    players' presence. projectors: screens in the hall. seasons: points over several tournaments. folder: the
    station's data.
    """

    def __init__(self, context: StationContext, database: Database, folder: Path) -> None:
        self.context = context
        self.cards: Cards = Cards(context, folder / "images")
        self.updates = context.updates
        self.intake: ParcelImporter = ParcelImporter(context)
        self._database = database
        self.admission: TerminalAdmission = TerminalAdmission(context)
        self.troubles: Troubles = Troubles(context)
        self.live_floor: floor.LiveFloor = floor.LiveFloor(context)
        self.pace: LivePace = LivePace(context)
        self.sign_in: PhoneSignIn = PhoneSignIn(context)
        self.sealed_backups: SealedBackups = SealedBackups(context.parts.settings, database)
        self.calls: JudgeCalls = JudgeCalls(context)
        self.messages: Messages = Messages(context)
        self.remote: RemoteControl = RemoteControl(context)
        self.devices: BrowserTerminals = BrowserTerminals(context, folder / "devices")
        self.plans: HallPlans = HallPlans(context)
        self.documents: Documents = Documents(context)
        self.audit: AuditLog = AuditLog(database)
        self.archive: tournaments.Archive = tournaments.Archive(context)
        self.codes: PlayerCodes = PlayerCodes(context.secret)
        self.desk: Desk = Desk(context)
        self.projectors: Projectors = Projectors(context)
        self.seasons: Seasons = Seasons(context)

    def tournaments(self) -> tuple[TournamentState, ...]:
        """Return all tournaments, newest first."""
        return self.context.tournament_states()[::-1]

    def tournament(self, tournament: TournamentId) -> TournamentState:
        """Return one tournament. Raises KeyError."""
        return self.context.projections.tournaments[tournament].state

    def history(self, tournament: TournamentId) -> tuple[TournamentStep, ...]:
        """Return all steps of a tournament, oldest first, including undone ones."""
        return tuple(self.context.projections.tournaments[tournament].steps)

    def steps_written(self, tournament: TournamentId) -> int:
        """Return the number of a tournament's steps that undo counts, including undone ones."""
        return len(self.context.projections.tournaments[tournament].steps_to_count)

    def rules(self, tournament: TournamentId) -> Edition:
        """Return the rules of a tournament. Raises KeyError."""
        return rules_of(self.tournament(tournament).rules)

    async def decide(self, tournament: TournamentId, command: TournamentDecision, by: str) -> TournamentState:
        """Execute a command durably, including the resulting orders to terminals.

        Raises Refused, Unavailable if the disk fails, BadData for an unknown edition and KeyError for an
        unknown tournament. Nothing is changed then.
        """
        work = tournaments.decide(self.context, tournament, command, by)
        state = await self.context.run_to_completion(work)
        _log.info("decided", tournament=tournament, command=type(command).__name__, by=by)
        return state

    def why_not(self, tournament: TournamentId, command: TournamentDecision) -> Refused | None:
        """Return why a command would be refused now, in the reader's language; None if it would not be."""
        return tournaments.why_not(self.context, tournament, command)

    def consequences(self, tournament: TournamentId, command: TournamentDecision) -> Consequences:
        """Return what a command would change now: dollars, ranks and later budgets.

        Raises KeyError, and Refused if the command would be refused.
        """
        if isinstance(command, UndoSteps):
            tournaments.check_nothing_added(self.context, tournament, command)
        timeline = self.context.projections.tournaments[tournament].timeline
        return consequences(timeline, command, self.rules(tournament))

    def floor(
        self, tournament: TournamentId, *, all_duels: bool = False, round_no: RoundNo | None = None
    ) -> tuple[FloorCard, ...]:
        """Return the tables of the current round or the current duels, by number; empty if there are none.

        all_duels: all duels of the finals instead, including finished ones, semifinals first. round_no: the
        tables of this round instead, current or finished.
        """
        state = self.tournament(tournament)
        if round_no is not None:
            return floor.round_cards(self.context, state, round_no)
        return floor.duels(self.context, state) if all_duels else floor.floor(self.context, state)

    def card(self, tournament: TournamentId, round_no: RoundNo, table: TableNo) -> FloorCard:
        """Return one table of any published round. Raises KeyError."""
        return floor.card(self.context, self.tournament(tournament), round_no, table)

    def story(self, game: GameId) -> tuple[TimedGameStep, ...]:
        """Return the steps that a terminal reported of a game, including undone ones."""
        return floor.story(self.context, game)

    def standings(self, tournament: TournamentId, *, of_rounds: bool = False) -> Standings:
        """Return the current standings, which are secret until the ranking is published.

        of_rounds: without the places and prizes of the finals.
        """
        state, rules = self.tournament(tournament), self.rules(tournament)
        return rounds_standings(state, rules) if of_rounds else standings_of(state, rules)

    def why(self, tournament: TournamentId, player: PlayerId) -> Why:
        """Explain a player's score and rank. Raises KeyError, and Refused for an unknown player."""
        return why(self.tournament(tournament), self.rules(tournament), player)

    def accounts(self, tournament: TournamentId) -> Mapping[PlayerId, Account]:
        """Return each player's money: total, spent and games. Secret until published. Raises KeyError."""
        state, rules = self.tournament(tournament), self.rules(tournament)
        players = [entrant.player for entrant in state.entrants]
        return accounts(accepted_results(state, rules), players, rules)

    async def call_time(self, game: GameId, call: EndByTimeLimit, by: str) -> None:
        """Apply the consequence of a table's time limit at its terminal.

        Raises Refused if it is not possible.

        Raises KeyError if no terminal has the game.
        """
        terminals.check_time_call(self.context, game, call)
        order = CallTime(game, call.how, call.ending, call.reason)
        await self.context.run_to_completion(terminals.send_game_order(self.context, order))
        _log.info("time called", game=game, by=by)

    def terminals(self) -> tuple[TerminalCard, ...]:
        """Return all known terminals, by table."""
        return floor.terminals(self.context)

    async def assign(
        self, terminal: TerminalId, table: TableNo | None, by: str, *, is_floor: bool = True
    ) -> None:
        """Assign a terminal to a table. Raises KeyError, or BadData for an invalid table number.

        is_floor: ``by`` is a floor or head judge. For others, raises Refused while a table is playing.
        """
        work = terminals.assign(self.context, terminal, table, by, is_floor=is_floor)
        await self.context.run_to_completion(work)
        _log.info("terminal assigned", terminal=terminal, table=table, by=by)

    async def trust(self, chosen: Collection[TerminalId], by: str) -> None:
        """Trust terminals that an organiser enrolled. Raises Unavailable."""
        await self.context.run_to_completion(terminals.trust(self.context, chosen))
        _log.info("terminals trusted", terminals=chosen, by=by)

    async def enrol(self, table: TableNo | None, by: str, *, is_floor: bool = True) -> ProvisioningText:
        """Create a provisioning file. Raises BadData and Refused as ``assign`` does."""
        work = terminals.enrol(self.context, table, by, is_floor=is_floor)
        made = await self.context.run_to_completion(work)
        _log.info("provisioning file made", table=table, by=by)
        return made

    async def revoke(self, terminal: TerminalId, by: str, *, is_floor: bool = True) -> None:
        """Revoke a terminal, which is refused from now on.

        Raises KeyError, and Refused as ``assign`` does.
        """
        await self.context.run_to_completion(terminals.revoke(self.context, terminal, is_floor=is_floor))
        _log.info("terminal revoked", terminal=terminal, by=by)

    def pin(self, terminal: TerminalId) -> str:
        """Return the PIN that unlocks a terminal. For floor and head judges only."""
        return self.context.pins.pin(terminal)

    async def renew_pins(self, by: str) -> None:
        """Give every terminal a new PIN. Raises Unavailable."""
        await self.context.run_to_completion(terminals.renew_pins(self.context))
        _log.info("terminals' PINs changed", by=by)

    async def backup(self) -> bytes:
        """Return a consistent backup of the station's database, made while it runs."""
        return await asyncio.to_thread(backup, self._database)

    def export(self, tournament: TournamentId) -> Iterator[bytes]:
        """Yield the tournament's proof pack (docs/reference/export.md), line by line. Raises KeyError.

        Each piece may be read from any thread, and may raise Unavailable.
        """
        return export(self.context.projections, self.context.parts.store, tournament)
