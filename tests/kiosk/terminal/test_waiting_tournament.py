"""A table in play keeps its game when another tournament seats players there."""

from collections.abc import Callable

import msgspec
import pytest

from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.play.turns import EndTurn
from core.game.state.game import Phase
from core.game.takeover import step_with_origin
from core.terminal.orders import (
    ConfirmFromStation,
    Order,
    RelieveTable,
    SeatGame,
    SetClock,
    TakeGame,
    VoidTable,
    WithdrawSeat,
)
from core.terms import SeatNo, Seconds, TournamentId
from sync.protocol.entry import Epoch, TerminalId
from tests.kiosk.terminal.test_keeper import G1, G2, Life, snapshot, started

Seat = Callable[..., SeatGame]


def of_side_event(order: SeatGame) -> SeatGame:
    seating = msgspec.structs.replace(order.seating, tournament=TournamentId("side"))
    return msgspec.structs.replace(order, seating=seating, time_limit_min=40)


def seated(seat: Seat) -> SeatGame:
    return of_side_event(seat("g2"))


def taken_over(seat: Seat) -> TakeGame:
    """Return the order to continue a game of the side event that began at another table."""
    other = Life()
    other.obey(of_side_event(seat("g2")))
    steps = tuple(
        step_with_origin(
            msgspec.msgpack.decode(body, type=GameStep), TerminalId("f" * 32), Epoch("e" * 16), number
        )
        for number, body in enumerate(other.own, 1)
    )
    return TakeGame(G2, 0, len(steps), steps)


@pytest.mark.parametrize("ends", [ConfirmFromStation(G1), VoidTable(G1, "taken back"), RelieveTable(G1)])
@pytest.mark.parametrize("order_of", [seated, taken_over])
def test_the_next_tournament_waits_for_the_end_of_the_game(
    seat: Seat, ends: Order, order_of: Callable[[Seat], Order]
) -> None:
    life = started(seat)
    clock = SetClock(G2, 1, Seconds(2400), Seconds(2400))
    for order in (order_of(seat), clock, WithdrawSeat(G2, SeatNo(4), ejected=False)):
        assert life.obey(order) == ()
    life.do(EndTurn())
    game = life.keeper.game
    assert game is not None
    assert (game.game, game.phase) == (G1, Phase.PLAYING)
    assert life.keeper.clock.order is None
    life.obey(ends)
    game = life.keeper.game
    assert game is not None
    assert game.game == G2
    assert game.seats[3].passive
    assert life.keeper.clock.order == clock


def test_a_game_that_the_judge_voids_at_the_table_lets_the_next_one_in(seat: Seat) -> None:
    life = started(seat)
    life.obey(of_side_event(seat("g2")))
    life.do(VoidGame("forgotten at this table"))
    life.own.extend(life.keeper.carry_out_waiting())
    assert life.keeper.game is not None
    assert life.keeper.game.game == G2
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)


@pytest.mark.parametrize("ends", [VoidTable(G2, "taken back"), RelieveTable(G2)])
def test_a_game_that_is_taken_back_waits_no_more(seat: Seat, ends: Order) -> None:
    life = started(seat)
    life.obey(of_side_event(seat("g2")))
    life.obey(ends)
    life.obey(ConfirmFromStation(G1))
    assert life.keeper.game is not None
    assert life.keeper.game.game == G1


def test_a_waiting_game_survives_a_power_cut_at_any_moment(seat: Seat) -> None:
    life = started(seat)
    life.obey(of_side_event(seat("g2")))
    life.obey(SetClock(G2, 1, Seconds(2400), Seconds(2400)))
    life.do(EndTurn())
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)
    before = len(life.own)
    life.obey(ConfirmFromStation(G1))
    assert len(life.own) == before + 2
    for own in range(before, len(life.own) + 1):
        back, _ = life.resumed(own)
        assert snapshot(back) == snapshot(life.keeper)
        assert back.clock == life.keeper.clock
    life.do(VoidGame("again"))
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)


def test_a_terminal_that_gave_its_table_away_goes_on_with_a_game_of_another_table(seat: Seat) -> None:
    life = started(seat)
    life.obey(RelieveTable(G1))
    life.obey(taken_over(seat))
    assert life.keeper.game is not None
    assert life.keeper.game.game == G2
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)
