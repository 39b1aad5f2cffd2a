"""How long programs take to start: their help, and a station with years of tournaments."""

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from base.clock import SystemClock
from bench.figure import Effort, Figure, Measurement
from bench.hall.crowd import Seats
from bench.hall.played_games import played_log
from bench.hall.station_process import StationProcess
from core.editions.loader import edition
from core.game import timeline
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.events import GameStep
from core.game.orders import SeatGame
from core.game.setup import SeatTable, TableSeated
from core.rule_set import RuleSet
from core.terms import PlayerId, RoundNo, TournamentId
from core.tournament.decisions import TournamentDecision, TournamentStep
from core.tournament.draw.draw_algorithm import Candidate, DrawKey, draw
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.rounds import table_sizes
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.rounds import DrawnTable, Source
from core.tournament.state.tournament import Player, Waivers
from station.enrolment.enrolments import Enrolments
from station.hall.station_context import StationContext, StationParts
from station.hall.tournaments import decide
from station.projections.tournament_logs import tournament_stream
from station.store.data_folder import DataFolder
from station.store.database import Database
from station.store.settings import CERTIFICATE, Settings
from station.store.store import Store
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Entry,
    Epoch,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
    orders_of,
)

_GAMES: Final = 10_000
_TABLES: Final = 40
_ROUNDS: Final = 5
_SEATS: Final = 5
_LOGS: Final = 20
_AT_ONCE: Final = 4_000
_TIMES: Final = 5
_DECISIONS: Final = 20
_HELPS: Final = 20
_PROGRAMS: Final = (
    "saloon-rules",
    "saloon-station",
    "saloon-station-screen",
    "saloon-terminal",
    "saloon-demo",
)
_PATIENCE_S: Final = 60.0
_EPOCH: Final = Epoch("00000000000000aa")
_SEED: Final = "ab" * 32
_WRITTEN_AT: Final = "2026-11-20T19:00:00Z"
_RULES: Final = "championship-2022"
_encode = msgspec.msgpack.Encoder().encode


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of the programs' help, and of a station's start with 10,000 finished games."""
    tournaments = effort.count(_GAMES // (_TABLES * _ROUNDS))
    return (
        Measurement("a program's help", lambda: _help(effort.count(_HELPS, 3))),
        Measurement("a station's start", lambda: _starts(tournaments, effort.count(_TIMES, 1))),
    )


def _help(times: int) -> Sequence[Figure]:
    """Return the shortest durations of the programs' help, as other programs can only slow them down."""
    programs = Path(sys.executable).parent

    def _shortest_ms(*command: str | Path) -> float:
        durations = []
        for _ in range(times):
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            durations.append(time.perf_counter() - begun)
        return 1_000 * min(durations)

    bare_ms = _shortest_ms(sys.executable, "-c", "import click")
    return tuple(
        Figure(
            f"{name} {option}",
            "ms",
            _shortest_ms(programs / name, option),
            "import click",
            bare_ms,
            aim="at most 2.5 times",
        )
        for name in _PROGRAMS
        for option in ("--help", "--version")
    )


class _Start(NamedTuple):
    """A startup: processor seconds, and total seconds until the station responds."""

    processor_s: float
    waited_s: float
    memory_mb: float


def _starts(tournaments: int, times: int) -> Sequence[Figure]:
    games = tournaments * _TABLES * _ROUNDS
    with tempfile.TemporaryDirectory() as name:
        empty, full = Path(name) / "empty", Path(name) / "full"
        nothing = _fastest_start(empty, times)
        _first_start(full, Years(tournaments))
        everything = _fastest_start(full, times, forget=True)
        indexed = _fastest_start(full, times)
        bare_s = min(_bare_seconds(_database_in(full)) for _ in range(times))
        decided = asyncio.run(_decision_ms(full)), asyncio.run(_decision_ms(empty))
    what = f"a station's start with {games:,} games in its database"
    return (
        Figure(
            what,
            "s of a processor",
            indexed.processor_s,
            "an empty database",
            nothing.processor_s,
            aim="at most 2",
            more=f"{indexed.waited_s:.1f} s until it answers; without its index of games"
            f" {everything.processor_s:.1f} s; its bare rows take {bare_s:.2g} s",
        ),
        Figure(f"{what}: memory", "MB", indexed.memory_mb, "an empty database", nothing.memory_mb),
        Figure(
            f"a decision with {games:,} games in the database",
            "ms of a processor",
            decided[0],
            "an empty database",
            decided[1],
        ),
    )


def _first_start(directory: Path, years: "Years") -> None:
    """Fill a station's database, with its tables' terminals enrolled, and let it index the games."""
    seats: list[Seats] = []

    def _write(database: Database) -> tuple[Seats, ...]:
        seats.extend(Seats("", table, ()) for table in range(1, _TABLES + 1))
        years.write(database, [member.terminal for member in station.members])
        return tuple(seats)

    station = StationProcess(directory, _TABLES, counts_flushes=False, prepare=_write)
    with station:
        _wait_for(_index_in(directory))


def _fastest_start(directory: Path, times: int, *, forget: bool = False) -> _Start:
    """Start a station several times and return the fastest, as other programs can only slow it down.

    ``forget`` deletes the index of games before each start.
    """
    starts = []
    for _ in range(times):
        if forget:
            _index_in(directory).unlink()
        with StationProcess(directory, 0, counts_flushes=False) as station:
            starts.append(_Start(station.processor_s(), station.start_s, station.memory_mb()))
            if forget:
                _wait_for(_index_in(directory))
    return min(starts)


def _database_in(directory: Path) -> Path:
    return directory / "station" / "station.sqlite"


def _index_in(directory: Path) -> Path:
    return directory / "station" / "station.sqlite.games"


def _wait_for(file: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not file.exists():
        if time.monotonic() > end:
            raise RuntimeError(f"{file.name} was not written")
        time.sleep(0.05)


async def _decision_ms(directory: Path) -> float:
    """Return the shortest processor time of several decisions by a judge in a new tournament."""
    clock, folder = SystemClock(), DataFolder(directory / "station")
    with closing(Database(folder.url)) as database:
        database.open()
        context = StationContext(
            StationParts(
                store=Store(database, clock.wall_ms),
                enrolments=Enrolments(database, clock.wall_ms),
                settings=Settings(database),
                clock=clock,
                certificate=Settings(database).get(CERTIFICATE) or "",
            )
        )
        await context.open()
        tournament, taken = TournamentId("bench-now"), []
        opening = OpenTournament(tournament, "Bench", RuleSet(edition(_RULES).key), "2026-11-26", Waivers())
        await decide(context, tournament, opening, "Judge")
        for number in range(_DECISIONS):
            player = Player(PlayerId(f"late-{number}"), f"Late {number}")
            begun = time.process_time()
            await decide(context, tournament, RegisterPlayers((player,)), "Judge")
            taken.append(time.process_time() - begun)
        await context.close()
    return 1_000 * min(taken)


def _bare_seconds(path: Path) -> float:
    with closing(sqlite3.connect(path)) as database:
        begun = time.process_time()
        for _ in database.execute("SELECT * FROM entries ORDER BY arrival"):
            pass
        return time.process_time() - begun


class Years:
    """The entries of tournaments, in the order in which a station stores them.

    If it ``runs``, the last round of the last tournament is being played.
    """

    def __init__(self, tournaments: int, tables: int = _TABLES, *, runs: bool = False) -> None:
        self._tournaments, self._tables, self._runs = tournaments, tables, runs
        self._terminals: Sequence[TerminalId] = ()
        self._ends: dict[StreamId, tuple[int, bytes]] = {}
        logs = [played_log(seed, _SEATS, _RULES) for seed in range(_LOGS)]
        self._logs = [(log, _finished(log)) for log in logs]
        self._millisecond = 0

    def write(self, database: Database, terminals: Sequence[TerminalId]) -> None:
        """Fill an empty database with the entries of these terminals."""
        self._terminals = terminals
        database.open()
        store = Store(database, SystemClock().wall_ms)
        for number in range(1, self._tournaments + 1):
            runs = self._runs and number == self._tournaments
            self._write(store, TournamentId(f"bench-{number}"), runs=runs)
        store.checkpoint()

    def _write(self, store: Store, tournament: TournamentId, *, runs: bool) -> None:
        rules = edition(_RULES)
        players = tuple(Player(PlayerId(f"p{n}"), f"Player {n}") for n in range(self._tables * _SEATS))
        opened = OpenTournament(tournament, "Bench", RuleSet(rules.key), "2026-11-20", Waivers(), "Judge")
        self._decided(store, tournament, [(opened,), (RegisterPlayers(players, "Judge"),)])
        candidates = [Candidate(one.player, 0) for one in players]
        for number in range(1, _ROUNDS + 1):
            round_no = RoundNo(number)
            key = DrawKey(tournament, round_no, 1, _SEED, "")
            tables = draw(key, candidates, table_sizes(len(players), rules)).tables
            sealed, made = (
                SealDraw(round=round_no, attempt=1, seed=_SEED, seal=_SEED, by="Judge"),
                MakeDraw(
                    round=round_no, attempt=1, hall_word="", tables=tables, repeated_sheriffs=(), by="Judge"
                ),
            )
            published = PublishDraw(round_no, "Judge", _ROUNDS)
            self._decided(store, tournament, [(sealed,), (made,), (published,)])
            if runs and number == _ROUNDS:
                return
            accepted = []
            told: list[Entry] = []
            for table in tables:
                log, result = self._logs[(table.table + number) % _LOGS]
                seating, steps = _told(log, tournament, round_no, table)
                terminal = self._terminals[table.table - 1]
                store.append_own(orders_of(terminal), [self._content(SeatGame(seating))])
                told += self._entries(StreamId(f"table/{terminal}"), steps)
                played = replace(result, round=round_no, table=table.table, players=table.players)
                accepted.append((AcceptSheet(table.game, played, Source.TERMINAL, "Judge"),))
            for first in range(0, len(told), _AT_ONCE):
                store.insert_remote(told[first : first + _AT_ONCE])
            self._decided(store, tournament, accepted)
        self._decided(store, tournament, [(PublishRanking("Judge"),)])

    def _decided(
        self, store: Store, tournament: TournamentId, parts: Iterable[tuple[TournamentDecision, ...]]
    ) -> None:
        steps = (TournamentStep(tournament, part, _WRITTEN_AT) for part in parts)
        store.append_own(tournament_stream(tournament), [self._content(step) for step in steps])

    def _entries(self, stream: StreamId, steps: Iterable[GameStep]) -> Iterator[Entry]:
        seq, end = self._ends.get(stream, (0, GENESIS))
        for step in steps:
            raw = self._content(step)
            seq, end = seq + 1, chained_hash(end, raw)
            yield Entry(stream, _EPOCH, seq, raw, end)
        self._ends[stream] = (seq, end)

    def _content(self, body: object) -> bytes:
        self._millisecond += 1
        return content_bytes(
            ClockReading(1, self._millisecond, 1_790_000_000_000, trusted=True), _encode(body)
        )


def _finished(log: Sequence[GameStep]) -> FinishedGame:
    played = timeline.fold(log)
    assert played is not None  # a log seats its table
    return finished_game(played.state)


def _told(
    log: Sequence[GameStep], tournament: TournamentId, round_no: RoundNo, table: DrawnTable
) -> tuple[SeatTable, list[GameStep]]:
    """Return a game's seating, and its steps as the table's terminal writes them."""
    seated = log[0].events[0]
    assert isinstance(seated, TableSeated)
    seats = tuple(
        replace(seat, player=player) for seat, player in zip(seated.seats, table.players, strict=True)
    )
    here = replace(
        seated, game=table.game, tournament=tournament, round=round_no, table=table.table, seats=seats
    )
    seating = SeatTable(
        table.game, tournament, seated.tournament_name, seated.rules, round_no, table.table, seats
    )
    steps = [replace(step, game=table.game) for step in log]
    return seating, [replace(steps[0], events=(here,)), *steps[1:]]
