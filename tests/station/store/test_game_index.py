"""The games of past tournaments, which a start need not read."""

import asyncio
import errno
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from base.errors import Unavailable
from core.game.ending.judge_calls import CallJudge, WarnPlayer
from core.game.events import GameStep
from core.game.orders import TakeGame
from core.game.play.wounds import LoseLife
from core.game.state.offences import Offence
from core.terms import GameId, SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from kiosk.terminal.orders_about_games import copy_of
from station.backups.backup import restore
from station.hall import local_projections
from station.projections.projections import Projections
from station.store.changed_entries import FLIPPED, ChainCheck
from station.store.game_index import RUN_CHANGED, GameRun, read_index, write_index
from station.store.store import Store
from sync.protocol.entry import Head, StreamId
from tests.station.conftest import OPEN, ScriptedTerminal, Station, present
from tests.station.hall.test_restarts import folds

Played = tuple[ScriptedTerminal, GameId]


def read(station: Station) -> Projections:
    """Read everything as a start does."""
    folded = Projections(station.store.steps_of)
    folded.read_all(station.store.entries_to_fold(ChainCheck()))
    return folded


def index(station: Station, last: int | None = None) -> None:
    """Write the index of a start at which only the first entries were stored."""
    arrived = list(station.store.entries_after())[:last]
    check = ChainCheck()
    stored = check.unchanged(
        (one.arrival, one.entry.stream, one.entry.epoch, one.entry.seq, one.entry.raw, one.entry.hash, 0)
        for one in arrived
    )
    folded = Projections()
    folded.read_all(stored)
    station.store.index_games(len(arrived), check.heads, folded.games.put_off_games)


def changes_bytes(station: Station, terminal: ScriptedTerminal) -> None:
    """Alter the third entry of a terminal, as a failing disk would."""
    with station.database.transaction() as connection:
        changed = "UPDATE entries SET raw = ? WHERE stream = ? AND seq = 3"
        connection.exec_driver_sql(changed, (b"flipped", terminal.stream))


def indexes(station: Station) -> None:
    """Let a station write the index as it does after its start."""

    async def _done() -> None:
        assert station.context.indexing is not None
        await station.context.indexing

    station.run(_done())


def runs(projections: Projections) -> list[GameId]:
    """Return the skipped games that are not in memory."""
    games = projections.games.put_off_games
    return [game for game, steps in games.items() if all(isinstance(step, GameRun) for step in steps)]


@pytest.fixture
def played(station: Station) -> Played:
    """Return a round whose first game is over and whose second is not."""
    station.opens(10)
    first, second = station.terminal(1), station.terminal(2)
    station.publishes()
    game = first.plays()
    second.starts()
    return first, game


def test_a_start_reads_no_game_of_the_index_until_somebody_asks(station: Station, played: Played) -> None:
    first, game = played
    index(station)
    folded = read(station)
    assert runs(folded) == [game]
    assert folded.games.terminals(game) == (first.id,)
    assert folded.position == station.context.projections.position
    assert folds(folded) == folds(station.context.projections)
    assert runs(folded) == []


def test_an_index_of_any_moment_changes_nothing(station: Station) -> None:
    station.opens(10)
    broken, other = station.terminal(1), station.terminal(2)
    station.publishes()
    broken.starts()
    spare = station.terminal(1, "spare")
    for step in spare.ordered(TakeGame)[0].steps:
        spare.writes(copy_of(step, len(spare.orders), len(spare.orders)))
    other.seats()
    other.ask(WarnPlayer(SeatNo(3), Offence.SLOW_PLAY, "slow"))
    spare.ends()
    for terminal in (other, spare, broken):
        terminal.sends()
    spare.confirms()
    station.does(UndoSteps(1, "look again"))
    other.ends()
    other.confirms()
    broken.tells(LoseLife(SeatNo(1), 1))
    live, indexed = station.context.projections, 0
    for last in range(1, live.position + 1):
        index(station, last)
        folded = read(station)
        indexed += len(runs(folded))
        assert folds(folded) == folds(live)
        assert (folded.position, folded.warnings) == (live.position, live.warnings)
    assert indexed


def test_what_is_no_index_of_this_database_is_not_used(station: Station, played: Played) -> None:
    _, game = played
    path = present(station.database.index_file)
    index(station)
    whole = path.read_bytes()
    made = present(read_index(path))
    spoilt: dict[str, Callable[[], object]] = {
        "missing": path.unlink,
        "cut": lambda: path.write_bytes(whole[:-1]),
        "a flipped bit": lambda: path.write_bytes(whole[:99] + bytes([whole[99] ^ 1]) + whole[100:]),
        "another program's": lambda: write_index(path, replace(made, program="0")),
        "of another database": lambda: write_index(
            path, replace(made, heads=(replace(made.heads[0], hash=bytes(32)), *made.heads[1:]))
        ),
        "with fewer entries": lambda: write_index(path, replace(made, heads=made.heads[1:])),
        "of a newer database": lambda: write_index(
            path, replace(made, heads=(replace(made.heads[0], seq=999), *made.heads[1:]))
        ),
    }
    for name, spoil in spoilt.items():
        path.write_bytes(whole)
        assert runs(read(station)) == [game]
        spoil()
        folded = read(station)
        assert runs(folded) == [], name
        assert folds(folded) == folds(station.context.projections), name


def test_an_index_is_not_used_once_its_entries_arrive_in_another_order(
    station: Station, played: Played
) -> None:
    _, game = played
    (second,) = [line.terminal for line in station.service.terminals() if line.table == TableNo(2)]
    stream = StreamId(f"table/{second}")
    sent = station.store.entries(stream, 0, 1000)
    index(station)
    assert runs(read(station)) == [game]
    # An older copy of the database is put in its place, without the entries that came after it.
    with station.database.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM entries WHERE stream = ?", (stream,))
    older = station.restarts()
    older.service.tournament(OPEN).rounds[0]
    older.accepts_paper(2)
    older.store.insert_remote(sent)
    latest = older.restarts()
    plain = latest.read_anew()
    assert len(latest.service.tournament(OPEN).rounds[0].sheets) == 2
    assert folds(latest.context.projections) == folds(plain)
    assert latest.store.verify() == ()


def test_a_backup_is_restored_without_the_index_of_the_database_before_it(
    station: Station, played: Played, tmp_path: Path
) -> None:
    content = station.run(station.service.backup())
    index(station)
    path = present(station.database.index_file)
    station.close()
    file = tmp_path / "backup"
    file.write_bytes(content)
    aside = present(restore(file, tmp_path / "station.sqlite", force=True).aside)
    assert not path.exists()
    assert aside.with_name(f"{aside.name}.games").exists()


def test_changed_bytes_of_an_indexed_game_are_found_and_sent_again(station: Station, played: Played) -> None:
    first, _ = played
    sent = station.store.entries(first.stream, 0, 1000)
    index(station)
    changes_bytes(station, first)
    again = station.restarts()
    indexes(again)
    (terminal,) = [card for card in again.service.terminals() if card.terminal == first.id]
    assert terminal.alarm == RUN_CHANGED
    latest = again.restarts()
    head = present(latest.store.head(first.stream))
    assert head.seq == 2
    assert latest.store.insert_remote(sent) == (sent[2:], ())


def test_entries_that_were_withdrawn_and_sent_again_are_read_once(station: Station, played: Played) -> None:
    first, game = played
    sent = station.store.entries(first.stream, 0, 1000)
    index(station)
    with station.database.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE entries SET hash = ? WHERE stream = ? AND seq = ?", (bytes(32), first.stream, len(sent))
        )
    again = station.restarts()
    first.writes(GameStep(game, (CallJudge(),)))
    later = (*sent, first.entries[-1])
    assert again.store.insert_remote(later) == (later[-2:], ())
    latest = again.restarts()
    assert len(latest.store.quarantined_entries()) == 1
    assert latest.store.entries(first.stream, 0, 1000) == later
    assert len(latest.context.projections.games[game][0].steps) == len(later)


def test_a_game_with_changed_bytes_is_shown_as_after_the_next_start(station: Station, played: Played) -> None:
    first, game = played
    index(station)
    folded = read(station)
    changes_bytes(station, first)
    (track,) = folded.games[game]
    assert len(track.steps) == 2
    again = station.restarts()
    assert again.context.projections.games[game] == [track]


def test_changed_bytes_that_are_found_between_two_starts_are_shown_at_their_terminal(
    station: Station, played: Played
) -> None:
    first, _ = played
    changes_bytes(station, first)
    station.store.failures += 1
    station.run(station.context.catch_up())
    assert [card.alarm for card in station.service.terminals()] == [FLIPPED, ""]


def test_a_game_with_changed_bytes_is_shown_even_if_the_disk_refuses_to_remove_the_index(
    station: Station, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, game = played
    index(station)
    folded = read(station)
    changes_bytes(station, first)

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        (track,) = folded.games[game]
    assert len(track.steps) == 2


def test_a_step_for_a_game_that_cannot_be_read_now_is_reported_and_folded_later(
    station: Station, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, game = played
    index(station)
    station.run(station.context.folds.open())
    assert runs(station.context.projections) == [game]

    def away(_runs: object) -> None:
        station.store.failures += 1
        raise Unavailable("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(station.context.projections.games, "_read", away)
        first.writes(GameStep(game, (CallJudge(),)))
        first.sends()
        (terminal,) = [card for card in station.service.terminals() if card.terminal == first.id]
        assert "the database is away" in terminal.alarm
    station.run(station.context.folds.catch_up())
    assert folds(station.context.projections) == folds(read(station))


def test_a_game_in_memory_is_there_while_another_one_is_read(station: Station, played: Played) -> None:
    _, game = played
    index(station)
    folded = read(station)
    (other,) = set(folded.games) - {game}
    with ThreadPoolExecutor(2) as threads, station.database.reading():
        waits = threads.submit(folded.games.__getitem__, game)
        assert threads.submit(folded.games.__getitem__, other).result(5)
        assert not waits.done()
    assert waits.result(5) == folded.games[game] == station.context.projections.games[game]


def test_a_station_indexes_games_after_a_start_that_read_many_for_nothing(
    station: Station,
    played: Played,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, game = played
    path = present(station.database.index_file)
    few = station.restarts()
    indexes(few)
    assert not path.exists()
    monkeypatch.setattr(local_projections, "_WORTH_INDEXING", 1)
    many = few.restarts()
    indexes(many)
    made = present(read_index(path))
    assert {run.game for run in made.runs} == {game}
    latest = many.restarts()
    indexes(latest)
    assert read_index(path) == made


def test_a_station_that_is_stopped_at_once_has_left_its_database_when_it_is_closed(
    station: Station,
    played: Played,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local_projections, "_WORTH_INDEXING", 1)
    write, begun, ended = Store.index_games, threading.Event(), threading.Event()

    def slowly(store: Store, arrival: int, heads: Sequence[Head], games: Mapping[GameId, Any]) -> None:
        begun.set()
        time.sleep(0.5)
        write(store, arrival, heads, games)
        ended.set()

    monkeypatch.setattr(Store, "index_games", slowly)
    again = station.restarts()

    async def stopped() -> bool:
        assert await asyncio.to_thread(begun.wait, 5)
        await again.context.close()
        return ended.is_set()

    assert again.run(stopped())
