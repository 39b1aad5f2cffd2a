"""Sign-in by phone at a virtual table: the code on the screen, and the effect of a sign-in."""

import pytest

from core.game.orders import CheckInSeat, OfferSignIn
from core.terms import GameId, SeatNo
from kiosk.terminal.link.qr_codes import code_of
from tests.kiosk.rig.games import seat_game
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.rig.wires import wait_until

G1 = GameId("g1")
LINK = "https://192.0.2.1/in/7KQ3M9XWPT4C"


@pytest.fixture
def offered(table: VirtualTable) -> VirtualTable:
    table.order(seat_game())
    assert not table.offers("phone-sign-in")
    table.order(OfferSignIn(G1, LINK))
    wait_until(table, lambda: table.offers("phone-sign-in"))
    return table


def test_the_code_holds_the_link_of_the_table_and_everybody_can_go_back(offered: VirtualTable) -> None:
    offered.touch("phone-sign-in")
    assert offered.scene() == "phone-sign-in"
    assert LINK in offered.says()
    offer = offered.view.sign_in
    assert offer is not None
    assert offer.code == code_of(LINK)
    offered.touch("back")
    assert offered.scene() == "seating"


def test_a_phone_checks_its_player_in_while_the_code_is_shown(offered: VirtualTable) -> None:
    offered.touch("phone-sign-in")
    offered.order(CheckInSeat(G1, SeatNo(2), "it"))
    assert "Missing: 4" in offered.says()
    offered.touch("back")
    assert offered.game.seats[1].checked_in
    assert "presente" in " ".join(offered.says()).lower() or "qui" in " ".join(offered.says()).lower()
    assert not offered.offers("seat-2-check-in")


def test_the_language_chosen_by_phone_outlives_a_restart(offered: VirtualTable) -> None:
    offered.order(CheckInSeat(G1, SeatNo(2), "it"), CheckInSeat(G1, SeatNo(3), "tlh"))
    offered.restart()
    assert [(one.player, one.language) for one in offered.view.preferences.spoken] == [("p2", "it")]
    assert offered.game.seats[2].checked_in


def test_the_code_goes_when_the_last_player_is_here(offered: VirtualTable) -> None:
    offered.touch("phone-sign-in")
    offered.order(*(CheckInSeat(G1, SeatNo(seat)) for seat in range(1, 6)))
    assert offered.scene() == "roles"


def test_a_wrong_name_is_taken_back_on_the_glass(offered: VirtualTable) -> None:
    offered.order(CheckInSeat(G1, SeatNo(4)))
    offered.touch("undo")
    assert not any(seat.checked_in for seat in offered.game.seats)
    offered.tap(4, "check-in")
    assert offered.game.seats[3].checked_in


def test_without_the_station_the_table_looks_as_before(offered: VirtualTable) -> None:
    offered.station.is_away = True
    offered.advance(0.2)
    assert not offered.offers("phone-sign-in")
    offered.station.is_away = False
    offered.order(OfferSignIn(G1, ""))
    offered.advance(0.5)
    assert offered.scene() == "seating"
    assert not offered.offers("phone-sign-in")


def test_a_link_too_long_for_a_code_is_left_out(table: VirtualTable) -> None:
    table.order(seat_game(), OfferSignIn(G1, "https://192.0.2.1/" + "x" * 5000))
    table.advance(0.5)
    assert table.scene() == "seating"
    assert not table.offers("phone-sign-in")
