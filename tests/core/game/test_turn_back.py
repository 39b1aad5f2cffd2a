"""Naming a player who had the turn a moment ago."""

from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn
from core.game.play.wounds import LoseLife
from core.game.state.game import Cause
from core.game.timeline import entries_of, steps_back_to_turn
from core.rule_set import RecordMode
from core.terms import Role, SeatNo
from tests.scenarios.moments import Table


def steps_back(table: Table, seat: int) -> int | None:
    return steps_back_to_turn(table.view().timeline, SeatNo(seat))


def three_at_no_life_points() -> Table:
    table = Table(7).begun()
    return table.do(*(LoseLife(SeatNo(seat), table.state.seats[seat - 1].life) for seat in (3, 4, 5)))


def test_the_player_of_the_last_turn_is_one_end_of_turn_and_all_since_then_back() -> None:
    table = Table(7).begun().do(EndTurn(), EndTurn(), EndTurn())
    assert steps_back(table, 3) == 1
    assert steps_back(table.wound(6, 2), 3) == 3
    assert steps_back(table, 2) == 4


def test_up_to_half_a_table_has_just_forgotten_to_end_turns() -> None:
    table = Table(7).begun().do(EndTurn(), EndTurn(), EndTurn())
    assert [steps_back(table, seat) for seat in (1, 4, 5, 6, 7)] == [None] * 5


def test_nobody_had_a_turn_before_the_first_one() -> None:
    assert [steps_back(Table(7).begun(), seat) for seat in (1, 5, 7)] == [None] * 3
    assert steps_back_to_turn(None, SeatNo(1)) is None
    assert steps_back(Table(7).dealt(), 7) is None


def test_a_turn_that_was_only_passed_is_undone_with_the_one_that_passed_it() -> None:
    table = Table(7).begun().do(SetTurn(SeatNo(4)))
    assert steps_back(table, 3) == 1


def test_a_player_who_has_left_is_passed_on_the_way_back() -> None:
    table = Table(7).begun().do(Abandon(SeatNo(3)), EndTurn(), EndTurn())
    assert table.state.turn == 4
    assert steps_back(table, 2) == 1


def test_of_two_who_are_left_the_other_is_always_next() -> None:
    table = Table(4).begun().kill(3, 1, Role.OUTLAW).kill(4, 1, Role.RENEGADE).do(EndTurn())
    assert (table.state.turn, steps_back(table, 1)) == (2, None)


def test_where_no_turns_are_entered_nobody_goes_back() -> None:
    table = Table(7).begun().do(EndTurn(), EndTurn(), SetRecordMode(RecordMode.LIGHT), Reshuffle())
    assert [steps_back(table, seat) for seat in range(1, 8)] == [None] * 7


def test_what_is_entered_again_after_going_back_keeps_who_fell_by_one_card() -> None:
    """Of a card that takes two, the second one at a touch of its own, as a table enters it."""
    table = Table(7).begun().kill(3, 1, Role.OUTLAW)
    last = table.state.seats[3]
    one_card = Eliminate(last.seat, SeatNo(1), Role.OUTLAW, Cause.PLAYER, same_card=True)
    table = table.do(LoseLife(last.seat, last.life), one_card)
    timeline = table.view().timeline
    assert timeline is not None
    assert entries_of(timeline.moments[-1].step, timeline.moments[-2].state) == (one_card,)


def test_a_card_between_two_others_keeps_the_order_of_effects() -> None:
    """Three at no life points, the second one by another card: numbers of cards never go back."""
    table = three_at_no_life_points()
    for seat, role, same_card in ((3, Role.OUTLAW, None), (4, Role.OUTLAW, False), (5, Role.DEPUTY, None)):
        table = table.do(Eliminate(SeatNo(seat), SeatNo(1), role, Cause.PLAYER, same_card))
    effects = [elimination.effect for elimination in table.state.eliminations]
    assert effects == sorted(effects)


def test_what_is_entered_again_after_going_back_keeps_that_it_was_another_card() -> None:
    table, again = (three_at_no_life_points() for _ in range(2))
    for seat, role, same_card in ((3, Role.OUTLAW, None), (4, Role.OUTLAW, False), (5, Role.DEPUTY, None)):
        before = table.state
        table = table.do(Eliminate(SeatNo(seat), SeatNo(1), role, Cause.PLAYER, same_card))
        timeline = table.view().timeline
        assert timeline is not None
        again = again.do(*(entries_of(timeline.moments[-1].step, before) or ()))
    assert again.state.eliminations == table.state.eliminations


def test_another_card_than_none_is_no_crash() -> None:
    table = Table(7).begun()
    lost = LoseLife(SeatNo(3), table.state.seats[2].life)
    table = table.do(lost, Eliminate(SeatNo(3), SeatNo(1), Role.OUTLAW, Cause.PLAYER, same_card=False))
    assert not table.state.seats[2].in_play
