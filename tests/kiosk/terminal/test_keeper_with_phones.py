"""Sign-in by phone: the station's orders are carried out once, and never overrule the table."""

from collections.abc import Callable

import pytest

from core.game.setup.seating import CheckIn, DealRoles
from core.game.state.game import Phase
from core.game.undo import Undo
from core.terminal.orders import CheckInSeat, OfferSignIn, Order, RelieveTable, SeatGame, VoidTable
from core.terms import PlayerId, SeatNo, TournamentId
from kiosk.preferences import Spoken
from tests.kiosk.terminal.test_keeper import G1, G2, SEATS, Life

Seat = Callable[..., SeatGame]
LINK = "https://192.0.2.1/in/7KQ3M9XWPT4C"


def seated(seat: Seat) -> Life:
    life = Life()
    life.obey(seat())
    life.obey(OfferSignIn(G1, LINK))
    return life


def here(life: Life) -> list[int]:
    assert life.keeper.game is not None
    return [seat.seat for seat in life.keeper.game.seats if seat.checked_in]


def test_a_player_who_signs_in_by_phone_is_here_and_speaks_the_chosen_language(seat: Seat) -> None:
    life = seated(seat)
    life.obey(CheckInSeat(G1, SEATS[1], "it"))
    assert here(life) == [2]
    assert life.keeper.take_spoken() == (Spoken(TournamentId("t"), PlayerId("p2"), "it"),)
    assert life.keeper.take_spoken() == ()


def test_phones_and_fingers_check_a_table_in_together(seat: Seat) -> None:
    life = seated(seat)
    life.do(CheckIn(SEATS[0]))
    for number in SEATS[1:]:
        life.obey(CheckInSeat(G1, number))
    assert life.keeper.game is not None
    assert life.keeper.game.phase is Phase.ROLES
    life.do(DealRoles())
    assert life.keeper.take_spoken() == ()


@pytest.mark.parametrize(
    "order",
    [CheckInSeat(G1, SEATS[0], "it"), CheckInSeat(G2, SEATS[1], "it"), CheckInSeat(G1, SeatNo(9), "it")],
)
def test_a_sign_in_that_comes_too_late_or_astray_changes_nothing(seat: Seat, order: Order) -> None:
    life = seated(seat)
    life.do(CheckIn(SEATS[0]))
    assert life.obey(order) == ()
    assert here(life) == [1]
    assert life.keeper.take_spoken() == ()


def test_nobody_signs_in_once_the_roles_are_being_dealt(seat: Seat) -> None:
    life = seated(seat)
    life.do(*map(CheckIn, SEATS))
    assert life.keeper.sign_in_link == ""
    assert life.obey(CheckInSeat(G1, SEATS[1], "it")) == ()
    life.do(Undo(1))
    assert life.keeper.sign_in_link == LINK


def test_undo_goes_through_sign_ins_to_the_touches_before_them(seat: Seat) -> None:
    life = seated(seat)
    life.do(CheckIn(SEATS[0]))
    life.obey(CheckInSeat(G1, SEATS[1]))
    life.do(Undo(1))
    assert here(life) == [1]
    life.obey(CheckInSeat(G1, SEATS[1]))
    life.do(Undo(2))
    assert here(life) == []


def test_the_code_is_shown_only_for_the_game_that_is_seated(seat: Seat) -> None:
    life = Life()
    life.obey(OfferSignIn(G1, LINK))
    assert life.keeper.sign_in_link == ""
    life.obey(seat())
    assert life.keeper.sign_in_link == LINK
    life.obey(OfferSignIn(G1, ""))
    assert life.keeper.sign_in_link == ""
    life.obey(OfferSignIn(G1, LINK))
    life.obey(RelieveTable(G1))
    assert life.keeper.sign_in_link == ""
    assert life.obey(CheckInSeat(G1, SEATS[1])) == ()


def test_a_terminal_that_restarts_still_shows_the_code_and_checks_nobody_in_twice(seat: Seat) -> None:
    life = seated(seat)
    life.obey(CheckInSeat(G1, SEATS[1], "de"))
    keeper, due = life.resumed()
    assert (keeper.sign_in_link, due, keeper.take_spoken()) == (LINK, (), ())
    cut, due = life.resumed(1)
    assert len(due) == 1
    assert cut.game == life.keeper.game
    assert cut.take_spoken() == (Spoken(TournamentId("t"), PlayerId("p2"), "de"),)


def test_a_sign_in_waits_with_the_game_that_it_is_for(seat: Seat) -> None:
    import msgspec

    life = seated(seat)
    side = seat("g2")
    seating = msgspec.structs.replace(side.seating, tournament=TournamentId("side"))
    life.obey(msgspec.structs.replace(side, seating=seating))
    life.obey(OfferSignIn(G2, LINK))
    assert life.obey(CheckInSeat(G2, SEATS[2], "fr")) == ()
    life.obey(VoidTable(G1, "the draw was taken back"))
    assert life.keeper.game is not None
    assert (life.keeper.game.game, here(life)) == (G2, [3])
    assert life.keeper.sign_in_link == LINK
