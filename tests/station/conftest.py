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
from core.game.decide import GameCommand
from core.game.ending.finished_game import FinishedGame
from core.game.orders import Order
from core.game.state.game import Cause, Elimination
from core.proof.reading import read_pack
from core.proof.verify import PackVerdict, verify_pack
from core.rule_set import RuleSet
from core.terms import Ending, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Round, Source
from core.tournament.state.tournament import Player, TournamentState, Waivers
from station.accounts import judges
from station.app import app
from station.backups.backup import restore
from station.enrolment.enrolments import Enrolments
from station.hall.hub_events import HubEventHandler
from station.hall.station_context import StationContext, StationParts
from station.hall.station_service import StationService
from station.hall.tournaments import follow_up
from station.players.codes import codes_of
from station.projections.cards import FloorCard
from station.projections.projections import Projections
from station.store.database import Database, sqlite_url
from station.store.settings import Settings
from station.store.store import Store
from station.terminals.admission import EnrolmentDirectory
from station.terminals.service import Terminals
from sync.protocol.entry import (
    Entry,
    Quarantined,
    StreamId,
    TerminalId,
    content_of,
)
from sync.tls.certificates import generate_certificate
from tests.station.empty_database import put_empty_database
from tests.station.scripted_terminal import FACES, ROLES, WALL_MS, JournalWriter, ScriptedTerminal

if TYPE_CHECKING:
    from tests.station.browser import Browser

__all__ = ["FACES", "ROLES", "WALL_MS", "JournalWriter", "ScriptedTerminal"]
OPEN = TournamentId("open-2026")
JUDGE = "Judge Roy"
SECRET = "5" * 64
"""Of the cookies of stations that `Browser` reads, so that they can share pages that are built once."""
CERTIFICATE = generate_certificate("station")[1]
"""The station's."""
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


def present(value: T | None) -> T:
    """Return a value that must be there."""
    assert value is not None
    return value


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
        self.folder, self.url = folder, url
        self.clock = FakeClock()
        self.runner = asyncio.Runner()
        self.browsers: list[Browser] = []
        self.successors: list[Station] = []
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

    def refuses(self, command: TournamentDecision) -> Refused:
        with pytest.raises(Refused) as refused:
            self.does(command)
        return refused.value

    @property
    def latest_round(self) -> Round:
        return self.service.tournament(OPEN).rounds[-1]

    def card(self, table: int = 1) -> FloorCard:
        """A table of the first round."""
        return self.service.card(OPEN, RoundNo(1), TableNo(table))

    def alarm(self, terminal: TerminalId) -> str:
        return next(card.alarm for card in self.service.terminals() if card.terminal == terminal)

    def assigns(self, terminal: TerminalId, table: int | None) -> None:
        place = None if table is None else TableNo(table)
        self.run(self.service.of(Terminals).assign(terminal, place, JUDGE))

    def read_anew(self) -> Projections:
        """Fold what is stored."""
        folded = Projections()
        folded.read_all(self.store.stored_entries())
        return folded

    @property
    def accepted_by(self) -> list[str]:
        return [sheet.by for sheet in self.latest_round.sheets]

    def verdict(self) -> PackVerdict:
        """Verify the proof pack of the tournament."""
        return verify_pack(read_pack(list(self.service.export(OPEN))))

    def settle(self) -> None:
        """Let everything happen that was started."""

        async def _settled() -> None:
            await asyncio.sleep(0)
            await self.context.close()

        self.run(_settled())

    def close(self) -> None:
        """Close this station and those that were started in its place."""
        for successor in self.successors:
            successor.close()
        if not self.is_closed:
            for browser in self.browsers:
                browser.close()
            self.settle()
            # With it end the threads that still use the database.
            self.runner.close()
            self.database.close()
        self.is_closed = True

    def restarts(self) -> "Station":
        self.close()
        self.successors.append(Station(self.folder, self.url))
        return self.successors[-1]

    def restores(self, content: bytes) -> "Station":
        """Put a backup in the place of the database, and start on it."""
        self.close()
        file = self.folder / "backup"
        file.write_bytes(content)
        restore(file, self.folder / "station.sqlite", force=True)
        return self.restarts()

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

    def round_with_terminal(self, count: int = 10, waivers: Waivers | None = None) -> ScriptedTerminal:
        """Open a tournament and publish its first draw, with a terminal at table 1 that is not seated yet."""
        self.opens(count, waivers)
        terminal = self.terminal(1)
        self.publishes()
        return terminal

    def running_round(self, count: int = 10, waivers: Waivers | None = None) -> ScriptedTerminal:
        """The same, with the first turn begun at table 1 but not sent."""
        terminal = self.round_with_terminal(count, waivers)
        terminal.seats()
        return terminal

    def plays_round(self, word: object = "cactus") -> Round:
        """A whole round on paper, with the same result at all tables."""
        round_ = self.publishes(word)
        self.accepts_paper()
        return round_

    def accepts_paper(self, *tables: int) -> None:
        """Accept the sheets of these tables of the latest round, or of all, with the same result."""
        for drawn in self.latest_round.tables:
            if drawn.table in tables or not tables:
                result = outlaws_won(self.latest_round, drawn.table)
                self.does(AcceptSheet(drawn.game, result, Source.PAPER))

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

    def terminal(self, table: int | None, name: str = "") -> ScriptedTerminal:
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

    def begun(self, table: int, *commands: GameCommand) -> ScriptedTerminal:
        """A new terminal at a published table, which has begun its game and told these commands."""
        terminal = self.terminal(table)
        terminal.starts(*commands)
        return terminal

    def hears(self, terminal: TerminalId, *, owes: int) -> None:
        """A connected terminal speaks, or what it owes was stored."""
        self.on_loop(lambda: self.switchboard.on_message(terminal, owes=owes))
        self.settle()

    def catches_up(self) -> None:
        """Take in what other stations have stored."""
        self.run(self.context.catch_up())
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


Make = Callable[[], Station]
Pair = tuple[ScriptedTerminal, ScriptedTerminal]


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    running = Station(tmp_path)
    yield running
    running.close()


@pytest.fixture
def another(postgresql_url: str, tmp_path: Path) -> Iterator[Make]:
    """Returns a function that opens another station on the same database."""
    made: list[Station] = []

    def _made() -> Station:
        made.append(Station(tmp_path, postgresql_url))
        return made[-1]

    yield _made
    for station in made:
        station.close()


@pytest.fixture
def pair(station: Station) -> Pair:
    """Terminals at tables 1 and 2 of a tournament of ten."""
    station.opens(10)
    return station.terminal(1), station.terminal(2)


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
