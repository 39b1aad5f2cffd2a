"""A draft changed by hand: everybody keeps a seat, what it breaks is named; what players shared before."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import edition
from core.terms import GameId, PlayerId, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.by_hand import (
    ChangeDraw,
    ChangeEffects,
    SeatHistory,
    change_effects,
    changed_tables,
    meetings,
    seat_histories,
)
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.registration import RegisterPlayers
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, MovedPlayer, Round, SeatingChange, SwappedPlayers
from core.tournament.state.table_list import list_from
from core.tournament.state.tournament import Player
from tests.core.tournament.conftest import Judge, one_group, players, seed
from tests.examples import examples


def drafted(judge: Judge, count: int = 11) -> list[tuple[PlayerId, ...]]:
    judge.opens(count)
    judge.draws_tables()
    return seats(judge)


def seats(judge: Judge) -> list[tuple[PlayerId, ...]]:
    return [table.players for table in judge.state.rounds[-1].tables]


def effects(judge: Judge, change: SeatingChange) -> ChangeEffects:
    return change_effects(judge.state, change, judge.rules)


tables = st.lists(st.integers(4, 8), min_size=1, max_size=6).map(
    lambda sizes: tuple(
        DrawnTable(
            TableNo(number),
            tuple(PlayerId(f"t{number}s{seat}") for seat in range(1, size + 1)),
            GameId(f"g{number}"),
        )
        for number, size in enumerate(sizes, start=1)
    )
)


@given(tables, st.data())
def test_a_change_keeps_every_player_seated_exactly_once(
    drawn: tuple[DrawnTable, ...], data: st.DataObject
) -> None:
    everybody = [player for table in drawn for player in table.players]
    player = st.sampled_from(everybody)
    change = data.draw(
        st.one_of(
            st.builds(SwappedPlayers, player, player),
            st.builds(MovedPlayer, player, st.sampled_from([table.table for table in drawn])),
        )
    )
    after = changed_tables(drawn, change)
    assert sorted(one for table in after for one in table.players) == sorted(everybody)
    assert [(table.table, table.game) for table in after] == [(table.table, table.game) for table in drawn]
    if isinstance(change, SwappedPlayers):
        assert changed_tables(after, change) == drawn


def test_two_players_swap_their_seats_and_the_draft_knows_how_it_was_drawn(judge: Judge) -> None:
    first, second = drafted(judge)
    judge.does(ChangeDraw(change=SwappedPlayers(first[2], second[3]), reason=" siblings "))
    draft = judge.state.rounds[-1]
    assert seats(judge)[0] == (*first[:2], second[3], *first[3:])
    assert seats(judge)[1] == (*second[:3], first[2], *second[4:])
    assert [table.players for table in draft.drawn_tables] == [first, second]
    (made,) = draft.changes
    assert (made.reason, made.by) == ("siblings", "Judge Roy")
    judge.does(PublishDraw())
    assert judge.state.rounds[-1].changes == (made,)


def test_a_moved_player_sits_last_and_a_moved_sheriff_leaves_the_star_to_seat_2(judge: Judge) -> None:
    first, second = drafted(judge)
    judge.does(ChangeDraw(change=MovedPlayer(first[0], TableNo(2)), reason="asked for"))
    assert seats(judge) == [first[1:], (*second, first[0])]
    judge.does(PublishDraw())
    sheriffs = {entrant.player for entrant in judge.state.entrants if entrant.sheriff_in}
    assert sheriffs == {first[1], second[0]}


def test_moves_follow_the_tables_of_the_hall(judge: Judge) -> None:
    first, second = drafted(judge)
    judge.does(MoveTables(tables=list_from(TableNo(11))))
    judge.does(ChangeDraw(change=MovedPlayer(first[5], TableNo(2)), reason="asked for"))
    draft = judge.state.rounds[-1]
    assert [table.table for table in draft.tables] == [11, 12]
    assert [table.table for table in draft.drawn_tables] == [11, 12]
    assert seats(judge) == [first[:5], (*second, first[5])]


def test_what_cannot_be_changed_is_refused_with_its_reason(judge: Judge, rules: Edition) -> None:
    judge.opens(10)
    swap = ChangeDraw(change=SwappedPlayers(PlayerId("p001"), PlayerId("p002")), reason="why")
    assert judge.refuses(swap) is TournamentReason.NOTHING_DRAWN
    judge.does(SealDraw(seed=seed("x")))
    assert judge.refuses(swap) is TournamentReason.NOTHING_DRAWN
    judge.does(MakeDraw())
    (one, *_), _ = seats(judge)
    judge.does(RegisterPlayers((Player(PlayerId("new"), "New"),)))
    assert judge.refuses(replace(swap, reason="  ")) is TournamentReason.EMPTY_REASON
    changes: tuple[tuple[SeatingChange, TournamentReason], ...] = (
        (SwappedPlayers(one, one), TournamentReason.NOTHING_MOVED),
        (SwappedPlayers(one, PlayerId("zoe")), TournamentReason.UNKNOWN_PLAYER),
        (SwappedPlayers(one, PlayerId("new")), TournamentReason.NOT_IN_DRAFT),
        (MovedPlayer(one, TableNo(1)), TournamentReason.NOTHING_MOVED),
        (MovedPlayer(one, TableNo(3)), TournamentReason.NO_TABLE_IN_DRAFT),
        # A table of four has no winnings in a championship.
        (MovedPlayer(one, TableNo(2)), TournamentReason.TABLE_SIZE),
    )
    for change, reason in changes:
        assert judge.refuses(ChangeDraw(change=change, reason="why")) is reason, change
    published = Judge(rules).opens(10)
    published.publishes()
    assert published.refuses(swap) is TournamentReason.NOTHING_DRAWN


def test_a_change_is_taken_back_like_every_step(judge: Judge) -> None:
    first, second = drafted(judge)
    judge.does(ChangeDraw(change=SwappedPlayers(first[0], second[0]), reason="why"))
    judge.does(UndoSteps(1, "never mind"))
    assert seats(judge) == [first, second]
    assert judge.state.rounds[-1].changes == ()


def test_s1_1_other_sizes_than_the_charts_break_a_rule_and_their_order_does_not(judge: Judge) -> None:
    first, _ = drafted(judge, 12)
    seven_and_five = effects(judge, MovedPlayer(first[3], TableNo(2)))
    assert (seven_and_five.sizes, seven_and_five.chart) == ((5, 7), (6, 6))
    assert seven_and_five.breaks_rules
    other = Judge(judge.rules)
    (one, *_), _ = drafted(other, 11)
    five_and_six = effects(other, MovedPlayer(one, TableNo(2)))
    assert (five_and_six.sizes, five_and_six.chart) == ((5, 6), ())


def test_s1_1_a_second_time_as_sheriff_breaks_a_rule(judge: Judge) -> None:
    judge.opens(11)
    judge.plays_round()
    judge.draws_tables()
    was = judge.state.published_rounds[0].tables[0].players[0]
    table = next(table for table in judge.state.rounds[-1].tables if was in table.players)
    result = effects(judge, SwappedPlayers(was, table.players[0]))
    assert [(sheriff.player, sheriff.times) for sheriff in result.again] == [(was, 1)]
    assert result.breaks_rules
    fresh = next(
        entrant.player
        for entrant in judge.state.entrants
        if not entrant.sheriff_in and entrant.player in table.players[1:]
    )
    allowed = effects(judge, SwappedPlayers(fresh, table.players[0]))
    assert [sheriff.player for sheriff in allowed.sheriffs] == [fresh]
    assert (allowed.again, allowed.breaks_rules) == ((), False)


def test_in_one_group_nobody_is_sheriff_more_often_than_others() -> None:
    judge = Judge(one_group()).opens(5)
    judge.plays_round()
    judge.draws_tables()
    was = judge.state.published_rounds[0].tables[0].players[0]
    (table,) = seats(judge)
    assert [s.player for s in effects(judge, SwappedPlayers(was, table[0])).again] == [was]


def test_new_clubmates_and_opponents_met_before_are_information(judge: Judge) -> None:
    judge.opens()
    everybody = [Player(one.player, one.name, "Lucca") for one in players(11)]
    judge.does(RegisterPlayers(tuple(everybody)))
    judge.plays_round()
    judge.draws_tables()
    first, second = seats(judge)
    result = effects(judge, SwappedPlayers(first[3], second[3]))
    new = {frozenset((first[3], other)) for other in second if other != second[3]}
    new |= {frozenset((second[3], other)) for other in first if other != first[3]}
    assert {frozenset(pair.players) for pair in result.clubmates} == new
    met = [set(table.players) for table in judge.state.published_rounds[0].tables]
    assert {frozenset(pair.players) for pair in result.reunions} == {
        pair for pair in new if any(pair <= table for table in met)
    }
    assert all(pair.met == 1 for pair in result.reunions)
    assert result.breaks_rules is False
    assert {pair.table for pair in result.clubmates} == {1, 2}


def test_a_damaged_log_is_named() -> None:
    drawn = (DrawnTable(TableNo(1), (PlayerId("a"),), GameId("g")),)
    with pytest.raises(BadData, match="isn't in it"):
        changed_tables(drawn, SwappedPlayers(PlayerId("a"), PlayerId("b")))
    with pytest.raises(BadData, match="table 2 of 1"):
        changed_tables(drawn, MovedPlayer(PlayerId("a"), TableNo(2)))


@settings(max_examples=examples(20))
@given(st.integers(10, 40), st.randoms(use_true_random=False))
def test_after_many_changes_the_round_is_published_and_played(count: int, chance: Random) -> None:
    judge = Judge(edition("championship-2022")).opens(count)
    judge.draws_tables()
    for _ in range(6):
        everybody = [player for table in seats(judge) for player in table]
        change: SeatingChange = SwappedPlayers(chance.choice(everybody), chance.choice(everybody))
        if chance.random() < 0.5:
            change = MovedPlayer(chance.choice(everybody), TableNo(chance.randint(1, len(seats(judge)))))
        try:
            judge.does(ChangeDraw(change=change, reason="by hand"))
        except Refused:
            continue
    judge.does(PublishDraw())
    for table in judge.state.rounds[-1].tables:
        judge.accepts(table)
    assert judge.state.running_round is None


def histories(judge: Judge, drawn: Round) -> list[SeatHistory]:
    return [seat for table in seat_histories(judge.state, drawn) for seat in table.seats]


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
    everybody = {seat.player: seat for seat in histories(judge, judge.state.rounds[-1])}
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
    assert all(not seat.met and not seat.sheriff_in for seat in histories(judge, one))
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
    three = histories(judge, judge.state.rounds[-1])
    assert {number for seat in three for _, number in seat.met} <= {1, 2}


def test_opponents_are_those_who_sat_there_after_changes_by_hand(judge: Judge) -> None:
    judge.opens(10)
    judge.draws_tables()
    first, second = (table.players for table in judge.state.rounds[-1].tables)
    judge.does(ChangeDraw(change=SwappedPlayers(first[1], second[1]), reason="why"))
    judge.does(PublishDraw())
    met = meetings(judge.state.published_rounds)
    assert met[frozenset((first[0], second[1]))] == 1
    assert met[frozenset((first[0], first[1]))] == 0
