"""The history of the players at a table: what judges and players see of why they sit together."""

from core.tournament.draw.by_hand import ChangeDraw, meetings, seat_histories
from core.tournament.draw.drawing import PublishDraw
from core.tournament.registration import RegisterPlayers
from core.tournament.state.rounds import SwappedPlayers
from core.tournament.state.tournament import Player
from tests.core.tournament.conftest import Judge, players


def test_the_first_round_has_no_history_but_clubs(judge: Judge) -> None:
    judge.opens()
    clubs = ["Lucca", "lucca", "", "", *[f"Club {n}" for n in range(6)]]
    people = players(10)
    judge.does(
        RegisterPlayers(
            tuple(Player(one.player, one.name, club) for one, club in zip(people, clubs, strict=True))
        )
    )
    judge.draws_tables()
    first, second = judge.state.rounds[-1].tables
    everybody = {
        seat.player: seat
        for table in seat_histories(judge.state, judge.state.rounds[-1])
        for seat in table.seats
    }
    assert set(everybody) == {one.player for one in people}
    assert all(not seat.met and not seat.sheriff_in for seat in everybody.values())
    ada, ben = people[0].player, people[1].player
    together = any({ada, ben} <= set(table.players) for table in (first, second))
    assert everybody[ada].same_club == ((ben,) if together else ())
    assert everybody[people[2].player].same_club == ()


def test_a_published_draw_keeps_the_history_that_it_was_drawn_with(judge: Judge) -> None:
    judge.opens(11)
    one = judge.plays_round()
    two = judge.plays_round()
    judge.plays_round()
    assert all(
        not seat.met and not seat.sheriff_in
        for table in seat_histories(judge.state, one)
        for seat in table.seats
    )
    met = meetings([one])
    for table in seat_histories(judge.state, two):
        drawn = next(drawn_table for drawn_table in two.tables if drawn_table.table == table.table)
        assert tuple(seat.player for seat in table.seats) == drawn.players
        for seat in table.seats:
            assert dict(seat.met) == {
                other: 1
                for other in drawn.players
                if other != seat.player and met[frozenset((other, seat.player))]
            }
            assert seat.sheriff_in == ((1,) if seat.player in {t.players[0] for t in one.tables} else ())
    three = judge.state.rounds[-1]
    most = [
        number
        for table in seat_histories(judge.state, three)
        for seat in table.seats
        for _, number in seat.met
    ]
    assert set(most) <= {1, 2}


def test_opponents_are_those_who_sat_there_after_changes_by_hand(judge: Judge) -> None:
    judge.opens(10)
    judge.draws_tables()
    first, second = (table.players for table in judge.state.rounds[-1].tables)
    judge.does(ChangeDraw(change=SwappedPlayers(first[1], second[1]), reason="why"))
    judge.does(PublishDraw())
    met = meetings(judge.state.published_rounds)
    assert met[frozenset((first[0], second[1]))] == 1
    assert met[frozenset((first[0], first[1]))] == 0
