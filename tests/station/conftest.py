"""A scripted station: a real database, the real core, terminals that tell their games as real ones do."""

import asyncio
import hashlib
import itertools
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import msgspec
import pytest
from argon2 import PasswordHasher
from litestar import Litestar

from base.errors import Refused
from base.signing import signer
from core.characters import Character
from core.editions.loader import edition
from core.game.decide import GameCommand
from core.game.decide import decide as game_decide
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.events import GameStep
from core.game.orders import Order, SeatGame, TerminalFact, TerminalReport
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.result import FinishedDuel, result_bytes
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, Confirmation, Elimination, GameState
from core.game.timeline import Timeline, extend, undoable
from core.rule_set import RuleSet
from core.terms import Ending, GameId, PlayerId, Role, SeatNo, TableNo, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Round, Source
from core.tournament.state.tournament import Player, TournamentState, Waivers
from station.accounts import judges
from station.app import app
from station.enrolment.enrolments import Enrolments
from station.hall.hub_events import HubEventHandler
from station.hall.station_context import StationContext, StationParts
from station.hall.station_service import StationService
from station.hall.tournaments import follow_up
from station.players.service import codes_of
from station.store.database import Database, sqlite_url
from station.store.settings import Settings
from station.store.store import Store
from station.terminals.admission import EnrolmentDirectory
from station.terminals.service import Terminals
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Entry,
    Epoch,
    Quarantined,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
    content_of,
)
from sync.protocol.parcel import CarriedEntries, CarriedSheet, seal_parcel
from sync.tls.certificates import generate_certificate
from tests.station.empty_database import put_empty_database

if TYPE_CHECKING:
    from tests.station.browser import Browser

OPEN = TournamentId("open-2026")
JUDGE = "Judge Roy"
SECRET = "5" * 64
"""Of the cookies of stations that `Browser` reads, so that they can share pages that are built once."""
CERTIFICATE = generate_certificate("station")[1]
"""The station's."""
WALL_MS = 1_795_200_000_000
ROLES = {
    4: (Role.SHERIFF, Role.OUTLAW, Role.OUTLAW, Role.RENEGADE),
    5: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE),
    6: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW),
    7: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW, Role.DEPUTY),
}
FACES = [face for face in Character if face.value not in {"El Gringo", "Paul Regret"}]
P = ParamSpec("P")
T = TypeVar("T")


def on_loop(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Let pytest run an asynchronous test on a loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Hash passwords with little memory; tests/station/accounts says what the product takes."""
    with pytest.MonkeyPatch.context() as patch:
        quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(judges, "PasswordHasher", quick)
        yield


@pytest.fixture(scope="session")
def built_pages() -> list[Litestar]:
    return []


@pytest.fixture(autouse=True)
def _build_pages_once(built_pages: list[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand on the routes of pages from one test to the next: to build them takes longer than most tests."""
    used, build = itertools.count(1), app.build_pages

    def reuse(secret: str) -> Litestar:
        if secret != SECRET:
            return build(secret)
        number = next(used)
        if number > len(built_pages):
            built_pages.append(build(secret))
        return built_pages[number - 1]

    monkeypatch.setattr(app, "build_pages", reuse)


class FakeClock:
    def __init__(self) -> None:
        self.passed_ms = 0

    def monotonic_ms(self) -> int:
        return self.passed_ms

    def wall_ms(self) -> int:
        return WALL_MS + self.passed_ms


def players(count: int) -> tuple[Player, ...]:
    return tuple(Player(PlayerId(f"p{n:03}"), f"Player {n}") for n in range(1, count + 1))


def seed(word: object) -> str:
    return hashlib.sha256(str(word).encode()).hexdigest()


def outlaws_won(round_: Round, table: int) -> FinishedGame:
    """As paper says it: seat 2, an Outlaw, shot the Sheriff."""
    drawn = next(t for t in round_.tables if t.table == table)
    shot = Elimination(SeatNo(1), SeatNo(2), SeatNo(2), 1, Cause.PLAYER, Role.SHERIFF)
    roles = ROLES[len(drawn.players)]
    return FinishedGame(round_.round, drawn.table, drawn.players, roles, (shot,), (), Ending.OUTLAWS_WIN)


class Station:
    """A running station without wires. Start another one on the same folder to start anew.

    url: of a database that it shares with others, instead of a file in the folder.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self.clock = FakeClock()
        self.runner = asyncio.Runner()
        self.browsers: list[Browser] = []
        if not url:
            put_empty_database(folder / "station.sqlite")
        self.database = Database(url or sqlite_url(folder / "station.sqlite"))
        self.store = Store(self.database, self.clock.wall_ms)
        self.enrolments = Enrolments(self.database, self.clock.wall_ms)
        parts = StationParts(
            store=self.store,
            enrolments=self.enrolments,
            settings=Settings(self.database),
            clock=self.clock,
            certificate=CERTIFICATE,
            folder=folder,
        )
        self.database.open()
        self.is_closed = False
        try:
            self.context = self.run(self._made(parts))
        except BaseException:
            self.database.close()
            self.runner.close()
            raise
        self.service = StationService(self.context, self.database)
        self.switchboard = HubEventHandler(self.context)
        self.directory = EnrolmentDirectory(self.enrolments, self.context, self.runner.get_loop())
        self.run(follow_up(self.context))

    async def _made(self, parts: StationParts) -> StationContext:
        context = StationContext(parts, retry_s=0.01)
        await context.open()
        context.addresses = ("192.0.2.1:7373",)
        return context

    def run(self, work: Coroutine[object, object, T]) -> T:
        return self.runner.run(work)

    def on_loop(self, call: Callable[[], T]) -> T:
        async def _call() -> T:
            return call()

        return self.run(_call())

    def refusal(self, work: Coroutine[object, object, object]) -> object:
        """Return the reason for which something is refused."""
        with pytest.raises(Refused) as refused:
            self.run(work)
        return refused.value.reason

    def settle(self) -> None:
        """Let everything happen that was started."""

        async def _settled() -> None:
            await asyncio.sleep(0)
            await self.context.close()

        self.run(_settled())

    def close(self) -> None:
        if not self.is_closed:
            for browser in self.browsers:
                browser.close()
            self.settle()
            # With it end the threads that still use the database.
            self.runner.close()
            self.database.close()
        self.is_closed = True

    def does(self, command: TournamentDecision, by: str = JUDGE) -> TournamentState:
        return self.run(self.service.decide(OPEN, command, by))

    def opens(
        self, count: int = 10, waivers: Waivers | None = None, rules: RuleSet | str = "championship-2022"
    ) -> None:
        named = RuleSet(rules) if isinstance(rules, str) else rules
        self.does(OpenTournament(OPEN, "Open", named, "2026-11-21", waivers or Waivers()))
        self.does(RegisterPlayers(players(count)))

    def publishes(self, word: object = "cactus") -> Round:
        self.does(SealDraw(seed=seed(word)))
        self.does(MakeDraw(hall_word="tumbleweed"))
        return self.does(PublishDraw()).rounds[-1]

    def round_with_terminal(self, count: int = 10, waivers: Waivers | None = None) -> "ScriptedTerminal":
        """Open a tournament and publish its first draw, with a terminal at table 1 that is not seated yet."""
        self.opens(count, waivers)
        terminal = self.terminal(1)
        self.publishes()
        return terminal

    def running_round(self, count: int = 10, waivers: Waivers | None = None) -> "ScriptedTerminal":
        """The same, with the first turn begun at table 1 but not sent."""
        terminal = self.round_with_terminal(count, waivers)
        terminal.seats()
        return terminal

    def plays_round(self, word: object = "cactus") -> Round:
        """A whole round on paper, with the same result at all tables."""
        round_ = self.publishes(word)
        self.accepts(round_, *(drawn.table for drawn in round_.tables))
        return round_

    def accepts(self, round_: Round, *tables: int, source: Source = Source.PAPER) -> None:
        """Accept the sheets of these tables, with the same result at all of them."""
        for drawn in round_.tables:
            if drawn.table in tables:
                self.does(AcceptSheet(drawn.game, outlaws_won(round_, drawn.table), source))

    def breaks_ties(self) -> None:
        """Draw lots until no tie is left."""
        while self.service.standings(OPEN).draw_groups:
            self.does(DrawLots(seed("lots")))

    def publishes_ranking(self) -> None:
        """Break all ties by lot, and make the ranking public."""
        self.breaks_ties()
        self.does(PublishRanking())

    def own_page(self, player: str = "p001") -> str:
        """The page that a player's badge opens."""
        return f"/me/{self.service.of(codes_of).badge(OPEN, PlayerId(player))}"

    def terminal(self, table: int | None, name: str = "") -> "ScriptedTerminal":
        """A terminal that enrolled by a provisioning file for this table."""
        made = self.run(self.service.of(Terminals).enrol(None if table is None else TableNo(table), JUDGE))
        token = made.partition('token = "')[2].partition('"')[0]
        key, certificate = generate_certificate(name or f"table {table}")
        terminal = self.directory.enrol(token, certificate)
        assert terminal is not None
        self.settle()
        self.connects(terminal)
        return ScriptedTerminal(self, terminal, key)

    def connects(self, terminal: TerminalId, *, owes: int = 0) -> None:
        self.on_loop(lambda: self.switchboard.link_changed(terminal, wire="tcp"))
        self.hears(terminal, owes=owes)

    def disconnects(self, terminal: TerminalId) -> None:
        self.on_loop(lambda: self.switchboard.link_changed(terminal, wire=None))

    def begun(self, table: int, *commands: GameCommand) -> "ScriptedTerminal":
        """A new terminal at a published table, which has begun its game and told these commands."""
        terminal = self.terminal(table)
        terminal.seats()
        terminal.tells(*commands)
        return terminal

    def hears(self, terminal: TerminalId, *, owes: int) -> None:
        """A connected terminal speaks, or what it owes was stored."""
        self.on_loop(lambda: self.switchboard.on_message(terminal, owes=owes))
        self.settle()

    def receives(self, entries: Sequence[Entry]) -> Sequence[Quarantined]:
        """Store entries as the hub does, notify the service, and return the conflicting ones."""
        new, bad = self.store.insert_remote(entries)
        self.on_loop(lambda: self.switchboard.entries_stored(new))
        if bad:
            self.on_loop(lambda: self.switchboard.on_quarantine(bad))
        self.settle()
        return bad

    def orders(self, terminal: TerminalId) -> list[Order]:
        """The orders in a terminal's stream, as the store has them now."""
        entries = self.store.entries(StreamId(f"orders/{terminal}"), 0, 1000)
        return [msgspec.msgpack.decode(content_of(entry.raw).body, type=Order) for entry in entries]


class JournalWriter:
    """The journal of a scripted station's terminal. ``entries`` are all of it."""

    def __init__(self, station: Station, terminal: TerminalId, epoch: str) -> None:
        self.station = station
        self.id = terminal
        self.stream = StreamId(f"table/{terminal}")
        self.epoch = Epoch(epoch)
        self.entries: list[Entry] = []

    def writes_body(self, body: bytes) -> None:
        seq = len(self.entries) + 1
        wall_ms = self._begun_ms() + seq * 1000
        raw = content_bytes(ClockReading(1, seq * 1000, wall_ms, trusted=False), body)
        previous = self.entries[-1].hash if self.entries else GENESIS
        self.entries.append(Entry(self.stream, self.epoch, seq, raw, chained_hash(previous, raw)))

    def _begun_ms(self) -> int:
        return self.station.clock.wall_ms()


class ScriptedTerminal(JournalWriter):
    """A terminal: seats what it is told, plays by the core, and sends its entries."""

    def __init__(self, station: Station, terminal: TerminalId, key: str = "") -> None:
        super().__init__(station, terminal, "e" * 16)
        self.key = key
        self.rules = edition("championship-2022")
        self.timeline: Timeline | None = None
        self.unsent: list[Entry] = []

    @property
    def orders(self) -> list[Order]:
        return self.station.orders(self.id)

    def ordered(self, kind: type[T]) -> list[T]:
        return [order for order in self.orders if isinstance(order, kind)]

    @property
    def steps(self) -> list[GameStep]:
        return [msgspec.msgpack.decode(content_of(e.raw).body, type=GameStep) for e in self.entries]

    def ask(self, *commands: GameCommand) -> None:
        for command in commands:
            state = None if self.timeline is None else self.timeline.state
            events = game_decide(state, command, self.rules, may_undo=undoable(self.timeline))
            if isinstance(command, SeatTable):
                game = command.game
            else:
                assert state is not None
                game = state.game
            self.writes(GameStep(game, events))

    def tells(self, *commands: GameCommand) -> None:
        """Carry out commands and send their entries."""
        self.ask(*commands)
        self.sends()

    def reports(self, *facts: TerminalFact) -> None:
        """Report facts about itself."""
        for fact in facts:
            self.writes_body(msgspec.msgpack.encode(TerminalReport(fact, len(self.orders))))
        self.sends()

    def writes(self, step: GameStep) -> None:
        self.timeline = extend(self.timeline, step)
        self.writes_body(msgspec.msgpack.encode(step))

    def writes_body(self, body: bytes) -> None:
        super().writes_body(body)
        self.unsent.append(self.entries[-1])

    def _begun_ms(self) -> int:
        return WALL_MS

    def sends(self) -> None:
        entries = tuple(self.unsent)
        self.unsent.clear()
        self.station.receives(entries)

    def seats(self) -> GameId:
        """Carry out the last order that seats a game, up to the first turn."""
        return self.begins(self.ordered(SeatGame)[-1].seating)

    def begins(self, seating: SeatTable) -> GameId:
        self.ask(seating)
        return self.begins_again()

    @property
    def state(self) -> GameState:
        assert self.timeline is not None
        return self.timeline.state

    def begins_anew(self, seating: SeatTable) -> GameId:
        """Begin a game as if there had been none before."""
        self.timeline = None
        return self.begins(seating)

    def begins_again(self) -> GameId:
        """From the check-in of a game that is played again up to its first turn."""
        seats = [seat.seat for seat in self.state.seats]
        self.ask(*(CheckIn(seat) for seat in seats), DealRoles())
        self.ask(*(ChooseCharacter(seat, FACES[seat - 1]) for seat in seats))
        self.ask(BeginGame())
        return self.state.game

    def ends(self) -> None:
        """Seat 2 shoots the Sheriff; all roles are declared."""
        life = self.state.seats[0].life
        self.ask(*(LoseLife(SeatNo(1), 1) for _ in range(life)))
        self.ask(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
        self.ask(DeclareRoles(ROLES[len(self.state.seats)]))

    def seals_entries(self, first: int = 1, last: int | None = None) -> bytes:
        """A parcel of its entries; they stay unsent."""
        raws = tuple(entry.raw for entry in self.entries[first - 1 : last])
        before = self.entries[first - 2].hash if first > 1 else GENESIS
        after = self.entries[first - 2 + len(raws)].hash
        content = CarriedEntries(self.epoch, first, before, after, raws)
        return seal_parcel(self.id, content, signer(self.key.encode(), "key"))

    def seals_sheet(self, result: FinishedGame | FinishedDuel | None = None) -> bytes:
        """A parcel of its result as a real terminal makes it, or of another result."""
        state, head = self.state, self.entries[-1]
        confirmed = "" if state.confirmed is None else state.confirmed.value
        body = result_bytes(result or finished_game(state))
        content = CarriedSheet(self.epoch, head.seq, head.hash, state.game, confirmed, body)
        return seal_parcel(self.id, content, signer(self.key.encode(), "key"))

    def plays_unsent(self, how: Confirmation | None = Confirmation.PIN) -> GameId:
        """A whole game that no wire carries; not confirmed at the table for None."""
        game = self.seats()
        self.ends()
        if how is not None:
            self.ask(ConfirmSheet(how))
        return game

    def plays(self, how: Confirmation = Confirmation.PIN) -> GameId:
        """A whole game, confirmed at the table and sent."""
        game = self.plays_unsent(how)
        self.sends()
        return game


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    running = Station(tmp_path)
    yield running
    running.close()


@pytest.fixture
def visitor(station: Station) -> "Browser":
    from tests.station.browser import Browser

    return Browser(station)


@pytest.fixture
def judge(station: Station) -> "Browser":
    from tests.station.browser import Browser

    browser = Browser(station)
    browser.log_in()
    return browser
