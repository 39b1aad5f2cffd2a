"""Entries that are missing from tables, and the draw that waits for them."""

import pytest

from base.errors import Refused
from core.terms import RoundNo, TableNo
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.sheets import AcceptSheet, WaiveOwedEntries
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from tests.station.conftest import OPEN, Station, outlaws_won, seed


def gone(station: Station, terminal: object) -> None:
    async def _gone() -> None:
        station.switchboard.link_changed(terminal, wire=None)  # type: ignore[arg-type]

    station.run(_gone())


def owed(station: Station) -> list[tuple[int, int | None]]:
    return [(table.table, table.owes) for table in station.service.troubles.tables_with_missing_entries(OPEN)]


def test_tables_without_terminals_owe_nothing(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    assert owed(station) == []


def test_a_table_owes_what_its_terminal_says_until_it_came(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    station.connects(terminal.id, owes=len(terminal.unsent))
    assert owed(station) == [(1, len(terminal.unsent))]
    terminal.sends()
    # The hub counts down what was claimed as it becomes durable.
    station.hears(terminal.id, owes=0)
    assert owed(station) == []


def test_a_terminal_that_left_in_a_game_owes_at_least_what_it_said_last(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    station.connects(terminal.id, owes=3)
    gone(station, terminal.id)
    assert owed(station) == [(1, 3)]
    assert station.service.terminals()[0].owes == 3


def test_a_terminal_that_left_in_a_game_and_owed_nothing_may_owe_by_now(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    terminal.sends()
    gone(station, terminal.id)
    assert owed(station) == [(1, None)]


def test_a_draw_waits_for_a_table_and_goes_on_with_a_reason(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.plays_round()
    terminal.seats()
    station.connects(terminal.id, owes=2)
    gone(station, terminal.id)
    station.does(SealDraw(seed=seed("two")))
    refusal = station.service.why_not(OPEN, MakeDraw())
    assert refusal is not None
    assert refusal.reason is TournamentReason.TABLES_OWE
    with pytest.raises(Refused):
        station.does(MakeDraw())
    station.does(
        WaiveOwedEntries(
            station.service.troubles.tables_with_missing_entries(OPEN), "the terminal fell off the table"
        )
    )
    assert owed(station) == []
    station.does(MakeDraw())
    station.does(PublishDraw())


def test_a_table_is_found_without_walking_all_of_them_and_is_never_an_old_one(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    station.publishes("second")
    state, published = station.service.tournament(OPEN), station.context.published
    first = published.find(state, RoundNo(1), TableNo(2))
    assert (first.round, first.drawn.table, first.is_accepted) == (1, 2, True)
    assert published.find(state, RoundNo(1), TableNo(2)) is first
    assert not published.find(state, RoundNo(2), TableNo(2)).is_accepted
    with pytest.raises(KeyError):
        published.find(state, RoundNo(3), TableNo(1))
    round_ = station.service.tournament(OPEN).published_rounds[-1]
    station.does(AcceptSheet(round_.tables[1].game, outlaws_won(round_, TableNo(2)), Source.PAPER))
    assert published.find(station.service.tournament(OPEN), RoundNo(2), TableNo(2)).is_accepted
