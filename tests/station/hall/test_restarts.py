"""A restarted station finds its state and sends what it still has to send."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData, Unavailable
from core.game.ending.judge_calls import WarnPlayer
from core.game.events import GameStep
from core.game.orders import AssignTable, ConfirmFromStation, RelieveTable, SeatGame, TakeGame
from core.game.state.offences import Offence
from core.terms import GameId, SeatNo
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.registration import RegisterPlayers
from core.tournament.state.tournament import Waivers
from kiosk.terminal.orders_about_games import copy_of
from station.hall.open_calls import record_calls
from station.hall.station_context import read_clocks
from station.hall.tournaments import give_orders
from station.pace import service as hall_games
from station.projections.cards import SheetState
from station.projections.projections import Projections
from station.projections.tournament_logs import tournament_stream
from station.store.store import Store
from sync.protocol.entry import Entry, StreamId, content_bytes
from tests.station.conftest import OPEN, ScriptedTerminal, Station, players, present, seed


class CutStore(Store):
    """A store whose power is cut after a number of commits of the station's own entries."""

    commits_left = 1_000_000

    def append_all(
        self, contents: Sequence[tuple[StreamId, bytes]], *, decided_on: int | None = None
    ) -> tuple[Entry, ...]:
        if self.commits_left == 0:
            raise Unavailable("power cut")
        self.commits_left -= 1
        return super().append_all(contents, decided_on=decided_on)


@pytest.fixture
def cut_store(station: Station) -> CutStore:
    station.store.__class__ = CutStore
    assert isinstance(station.store, CutStore)
    return station.store


def folds(projections: Projections) -> tuple[object, ...]:
    return (
        {key: (t.timeline, t.steps, t.accepted_at) for key, t in projections.tournaments.items()},
        {
            key: [(t.terminal, t.epoch, t.timeline, t.steps, t.confirmed_at, t.problem) for t in tracks]
            for key, tracks in projections.games.items()
        },
        projections.orders,
    )


def a_round(station: Station) -> tuple[ScriptedTerminal, ScriptedTerminal]:
    station.opens(10)
    pair = (station.terminal(1), station.terminal(2))
    station.publishes()
    pair[0].plays()
    pair[1].starts()
    return pair


def test_folds_that_are_dropped_and_made_anew_are_the_same(station: Station) -> None:
    a_round(station)
    station.does(UndoSteps(1, "look again"))
    applied, read = Projections(), Projections()
    applied.apply_all(arrived.entry for arrived in station.store.entries_after())
    read.read_all(station.store.stored_entries())
    assert folds(applied) == folds(read) == folds(station.context.projections)


def test_a_start_folds_the_games_whose_results_are_awaited_and_others_when_asked(station: Station) -> None:
    first, _ = a_round(station)
    done, open_game = (table.game for table in station.service.tournament(OPEN).rounds[0].tables)
    fresh = station.read_anew()
    assert set(fresh.games.put_off_games) == {done}
    assert fresh.games.terminals(done) == (first.id,)
    assert set(fresh.games.put_off_games) == {done}
    assert fresh.games[open_game][0].state is not None
    (log,) = fresh.games[done]
    assert (log, fresh.games.put_off_games) == (station.context.projections.games[done][0], {})


def three_rounds(station: Station) -> tuple[GameId, ...]:
    """Play three rounds with a terminal at table 1, and return its games."""
    station.opens(10, Waivers(rounds=3))
    terminal, games = station.terminal(1), []
    for number in range(3):
        station.publishes(number)
        games.append(terminal.plays())
        station.accepts_paper(2)
        terminal.timeline = None
    return tuple(games)


def test_no_order_asks_for_a_game_of_a_past_tournament_but_the_last_one_of_a_terminal(
    station: Station,
) -> None:
    first, second, last = three_rounds(station)
    station.publishes_ranking()
    station.run(station.context.folds.open())
    assert set(station.context.projections.games.put_off_games) == {first, second, last}
    before = station.orders(station.service.terminals()[0].terminal)
    station.run(give_orders(station.context))
    station.run(record_calls(station.context))
    assert set(station.context.projections.games.put_off_games) == {first, second}
    assert station.orders(station.service.terminals()[0].terminal) == before


def test_a_pace_is_learnt_from_the_latest_rounds_and_older_ones_are_not_read(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_games, "_MOST", 2)
    first, second, last = three_rounds(station)
    station.run(station.context.folds.open())
    learnt = hall_games.HallGames(station.context)
    counts = [len(learnt.played()) for _ in range(4)]
    assert counts == [1, 2, 2, 2]
    assert set(station.context.projections.games.put_off_games) == {first}
    assert {second, last} <= set(station.context.projections.games)


def test_a_game_that_is_folded_while_a_start_reads_it_keeps_its_later_steps(station: Station) -> None:
    warned = station.running_round()
    warned.ask(WarnPlayer(SeatNo(3), Offence.SLOW_PLAY, "slow"))
    warned.ends()
    warned.confirms()
    fresh = station.read_anew()
    assert folds(fresh) == folds(station.context.projections)
    assert fresh.warnings == station.context.projections.warnings


def test_steps_that_arrive_after_a_start_follow_those_that_were_put_off(station: Station) -> None:
    a_round(station)
    stored = list(station.store.stored_entries())
    entries = [arrived.entry for arrived in station.store.entries_after()]
    for at in range(len(entries)):
        fresh = Projections()
        fresh.read_all(stored[:at])
        fresh.apply_all(entries[at:])
        assert folds(fresh) == folds(station.context.projections)


def test_a_restart_changes_nothing_and_orders_nothing_twice(station: Station) -> None:
    a_round(station)
    before = folds(station.context.projections)
    entries = list(station.store.entries_after())
    again = station.restarts()
    assert folds(again.context.projections) == before
    assert list(again.store.entries_after()) == entries


def test_a_crash_before_the_orders_of_a_draw_loses_no_order(station: Station, cut_store: CutStore) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    cut_store.commits_left = 3
    # The publication itself is durable, so nobody is told that it failed.
    station.publishes()
    assert terminal.ordered(SeatGame) == []
    again = station.restarts()
    assert again.service.tournament(OPEN).stage.value == "playing"
    assert [type(order) for order in again.orders(terminal.id)] == [AssignTable, SeatGame]


def test_orders_that_the_disk_refused_follow_later(station: Station, cut_store: CutStore) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    cut_store.commits_left = 3
    station.publishes()
    assert terminal.ordered(SeatGame) == []
    cut_store.commits_left = 1_000
    assert station.context._retry is not None
    station.run(asyncio.wait_for(station.context._retry, 10))
    assert len(terminal.ordered(SeatGame)) == 1


def test_a_crash_before_an_acceptance_loses_no_sheet(station: Station, cut_store: CutStore) -> None:
    terminal = station.round_with_terminal()
    cut_store.commits_left = 0
    terminal.plays()
    assert station.latest_round.sheets == ()
    again = station.restarts()
    (sheet,) = again.latest_round.sheets
    assert sheet.by == "terminal 1 (PIN)"


def test_a_commit_that_was_stored_although_it_failed_is_noticed(station: Station) -> None:
    station.opens(10)
    step = TournamentStep(OPEN, station.service.history(OPEN)[-1].events, "2026-11-21T00:00:00Z")
    renamed = msgspec.structs.replace(step.events[0], players=players(11)[10:])
    step = msgspec.structs.replace(step, events=(renamed,))
    raw = content_bytes(read_clocks(station.clock, 1), msgspec.msgpack.encode(step))
    station.store.append_own(tournament_stream(OPEN), [raw])
    station.store.failures += 1
    state = station.does(RegisterPlayers(players(12)[11:]))
    assert len(state.entrants) == 12


def test_a_spare_takes_over_a_table_in_the_middle_of_a_round(station: Station) -> None:
    broken = station.running_round()
    broken.sends()
    spare = station.terminal(1, "spare")
    (order,) = spare.ordered(TakeGame)
    assert [step.step for step in order.steps] == broken.steps
    for step in order.steps:
        spare.writes(copy_of(step, len(spare.orders), len(spare.orders)))
    spare.ends()
    spare.confirms()
    assert station.accepted_by == ["terminal 1 (PIN)"]
    assert [card.table for card in station.service.terminals()] == [1, None]


def test_a_terminal_that_is_put_at_another_table_clears_the_old_one(station: Station) -> None:
    station.opens(10)
    first, second = station.terminal(1), station.terminal(2)
    round_ = station.publishes()
    station.assigns(first.id, 2)
    assert [type(order) for order in first.orders] == [
        AssignTable,
        SeatGame,
        AssignTable,
        RelieveTable,
        SeatGame,
    ]
    assert first.ordered(RelieveTable)[0].game == round_.tables[0].game
    assert first.seating.game == round_.tables[1].game
    assert [type(order) for order in second.orders] == [AssignTable, SeatGame, RelieveTable]


def test_what_no_one_can_read_is_kept_and_shown_and_stops_nothing_else(station: Station) -> None:
    _first, second = a_round(station)
    second.writes_body(b"\x81\xa5event\xa7unknown")
    second.sends()
    (alarm,) = [card.alarm for card in station.service.terminals() if card.terminal == second.id]
    assert "entry" in alarm
    again = station.restarts()
    assert [bool(card.alarm) for card in again.service.terminals()] == [False, True]
    assert again.service.floor(OPEN)[0].sheet is SheetState.ACCEPTED


def test_a_step_that_cannot_follow_stops_only_its_game(station: Station) -> None:
    _, second = a_round(station)
    kept = second.state
    body = msgspec.msgpack.encode(GameStep(kept.game, ()))
    second.writes_body(body)
    second.sends()
    card = station.service.floor(OPEN)[1]
    assert card.game == kept
    assert "a step has no events" in present(card.terminal).alarm


def test_flipped_bits_in_a_terminals_entry_are_noticed_and_sent_again(station: Station) -> None:
    first, _ = a_round(station)
    stored = station.store.entries(first.stream, 0, 1000)
    with station.database.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE entries SET raw = ? WHERE stream = ? AND seq = 3", (b"flipped", first.stream)
        )
    again = station.restarts()
    (card,) = [card for card in again.service.terminals() if card.terminal == first.id]
    assert "the disk is failing" in card.alarm
    head = present(again.store.head(first.stream))
    assert head.seq == 2
    assert again.store.insert_remote(stored) == (stored[2:], ())
    assert again.store.entries(first.stream, 0, 1000) == stored


def test_flipped_bits_in_the_stations_own_entry_stop_the_start(station: Station) -> None:
    a_round(station)
    with station.database.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE entries SET raw = ? WHERE stream = ? AND seq = 2", (b"flipped", tournament_stream(OPEN))
        )
    with pytest.raises(BadData, match=r"tournament/open-2026, entry 2: .*restore the last backup"):
        station.restarts()


def test_paper_survives_a_crash_before_the_terminal_is_told(station: Station, cut_store: CutStore) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    round_ = station.publishes(seed("x"))
    cut_store.commits_left = 1
    station.accepts_paper(1)
    again = station.restarts()
    assert again.orders(terminal.id)[-1] == ConfirmFromStation(round_.tables[0].game, is_corrected=True)


def test_what_moved_on_a_failing_disk_is_folded_nowhere_until_its_terminal_sends_it_again(
    station: Station, tmp_path: Path
) -> None:
    playing, _ = a_round(station)
    sent = tuple(playing.entries)
    station.close()
    path = tmp_path / "station.sqlite"
    stored = bytearray(path.read_bytes())
    row = f"{playing.stream}{playing.epoch}".encode() + sent[0].raw[:40]
    assert stored.count(row) == 1
    stored[stored.index(row) + len(playing.stream) - 1] ^= 1
    path.write_bytes(stored)
    again = station.restarts()
    assert again.store.head(playing.stream) is None
    left = again.read_anew()
    assert folds(again.context.projections) == folds(left)
    assert again.store.insert_remote(sent) == (sent, ())
    assert again.store.entries(playing.stream, 0, len(sent)) == sent
    latest = again.restarts()
    assert latest.store.verify() == ()
