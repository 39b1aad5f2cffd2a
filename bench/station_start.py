"""A station's start with years of tournaments in its database, beside an empty one and the bare rows."""

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from bench.figure import Effort, Figure, Measurement
from bench.hall.played_games import played_log
from bench.hall.station_process import StationProcess
from saloon.base.clock import SystemClock
from saloon.core.editions import edition
from saloon.core.game import timeline
from saloon.core.game.commands import SeatTable
from saloon.core.game.ending.finished import FinishedGame, finished_game
from saloon.core.game.events import GameStep, TableSeated
from saloon.core.orders import SeatGame
from saloon.core.rule_set import RuleSet
from saloon.core.terms import PlayerId, RoundNo, TournamentId
from saloon.core.tournament import events as e
from saloon.core.tournament.draw.draw_algorithm import Candidate, DrawKey, draw
from saloon.core.tournament.draw.rounds import table_sizes
from saloon.core.tournament.standings.ranking_events import RankingPublished
from saloon.station.store.database import Database
from saloon.station.store.projections import tournament_stream
from saloon.station.store.store import Store
from saloon.sync.protocol.entry import (
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
_EPOCH: Final = Epoch("00000000000000aa")
_SEED: Final = "ab" * 32
_WRITTEN_AT: Final = "2026-11-20T19:00:00Z"
_RULES: Final = "championship-2022"
_encode = msgspec.msgpack.Encoder().encode


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Measure the start with 10,000 games of tournaments that are over, and memory then."""
    tournaments = effort.count(_GAMES // (_TABLES * _ROUNDS))
    return (Measurement("a station's start", lambda: _starts(tournaments)),)


class _Start(NamedTuple):
    """A start. processor_s: until it answers, as is waited_s."""

    processor_s: float
    waited_s: float
    memory_mb: float


def _starts(tournaments: int) -> Sequence[Figure]:
    games = tournaments * _TABLES * _ROUNDS
    with tempfile.TemporaryDirectory() as name:
        empty = _fastest_start(Path(name) / "empty", _nothing)
        full = _fastest_start(Path(name) / "full", _Years(tournaments).written)
        bare_s = min(_bare_seconds(Path(name) / "full" / "station" / "station.sqlite") for _ in range(_TIMES))
    what = f"a station's start with {games:,} games in its database"
    return (
        Figure(
            what,
            "s of a processor",
            full.processor_s,
            "an empty database",
            empty.processor_s,
            aim="at most 2 more",
            more=f"{full.waited_s:.1f} s until it answers; its bare rows take {bare_s:.2g} s",
        ),
        Figure(f"{what}: memory", "MB", full.memory_mb, "an empty database", empty.memory_mb),
    )


def _fastest_start(directory: Path, prepare: Callable[[Database], tuple[()]]) -> _Start:
    """Start a station some times; return the fastest start, as other work only adds to one."""
    starts = []
    for _ in range(_TIMES):
        with StationProcess(directory, 0, counts_flushes=False, prepare=prepare) as station:
            starts.append(_Start(station.processor_s(), station.start_s, station.memory_mb()))
        prepare = _nothing
    return min(starts)


def _nothing(_database: Database) -> tuple[()]:
    return ()


def _bare_seconds(path: Path) -> float:
    with closing(sqlite3.connect(path)) as database:
        begun = time.process_time()
        for _ in database.execute("SELECT * FROM entries ORDER BY arrival"):
            pass
        return time.process_time() - begun


class _Years:
    """The entries of tournaments, in the order in which a station stores them."""

    def __init__(self, tournaments: int) -> None:
        self._tournaments = tournaments
        self._ends: dict[StreamId, tuple[int, bytes]] = {}
        logs = [played_log(seed, _SEATS, _RULES) for seed in range(_LOGS)]
        self._logs = [(log, _finished(log)) for log in logs]
        self._millisecond = 0

    def written(self, database: Database) -> tuple[()]:
        """Fill an empty database."""
        database.open()
        store = Store(database, SystemClock().wall_ms)
        for number in range(1, self._tournaments + 1):
            self._write(store, TournamentId(f"bench-{number}"))
        store.checkpoint()
        return ()

    def _write(self, store: Store, tournament: TournamentId) -> None:
        rules = edition(_RULES)
        players = tuple(e.Player(PlayerId(f"p{n}"), f"Player {n}") for n in range(_TABLES * _SEATS))
        opened = e.TournamentOpened(
            tournament, "Bench", RuleSet(rules.key), "2026-11-20", e.Waivers(), "Judge"
        )
        self._decided(store, tournament, [(opened,), (e.PlayersRegistered(players, "Judge"),)])
        candidates = [Candidate(one.player, 0) for one in players]
        for number in range(1, _ROUNDS + 1):
            round_no = RoundNo(number)
            key = DrawKey(tournament, round_no, 1, _SEED, "")
            tables = draw(key, candidates, table_sizes(len(players), rules)).tables
            sealed, made = (
                e.DrawSealed(round_no, 1, _SEED, _SEED, "Judge"),
                e.DrawMade(round_no, 1, "", tables, (), "Judge"),
            )
            published = e.DrawPublished(round_no, "Judge", _ROUNDS)
            self._decided(store, tournament, [(sealed,), (made,), (published,)])
            accepted = []
            told: list[Entry] = []
            for table in tables:
                log, result = self._logs[(table.table + number) % _LOGS]
                seating, steps = _told(log, tournament, round_no, table)
                terminal = TerminalId(f"{table.table:032x}")
                store.append_own(orders_of(terminal), [self._content(SeatGame(seating))])
                told += self._entries(StreamId(f"table/{terminal}"), steps)
                played = replace(result, round=round_no, table=table.table, players=table.players)
                accepted.append((e.SheetAccepted(table.game, played, e.Source.TERMINAL, "Judge"),))
            for first in range(0, len(told), _AT_ONCE):
                store.insert_remote(told[first : first + _AT_ONCE])
            self._decided(store, tournament, accepted)
        self._decided(store, tournament, [(RankingPublished("Judge"),)])

    def _decided(
        self, store: Store, tournament: TournamentId, parts: Iterable[tuple[e.TournamentEvent, ...]]
    ) -> None:
        steps = (e.TournamentStep(tournament, part, _WRITTEN_AT) for part in parts)
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
    log: Sequence[GameStep], tournament: TournamentId, round_no: RoundNo, table: e.DrawnTable
) -> tuple[SeatTable, list[GameStep]]:
    """Return a game's seating, and its steps as the terminal of a table writes them."""
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
