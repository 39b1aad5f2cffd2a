"""The three places of the judges' pages: the current one is marked, and others' pages are not shown."""

import pytest

from station.accounts.permissions import AccountRole, permissions_of
from station.web.pages import Surroundings, places_of

HALL_STATION = Surroundings(is_appliance=False, is_rehearsal=False)


def addresses(path: str, role: AccountRole = AccountRole.HEAD_JUDGE, tournament: str = "") -> dict[str, str]:
    """Return the places with their addresses; the current one in capitals."""
    places = places_of(path, permissions_of(role).__contains__, HALL_STATION, tournament)
    return {place.key.upper() if place.is_here else place.key: place.url for place in places}


@pytest.mark.parametrize(
    ("path", "here"),
    [
        ("/judge", "TOURNAMENT"), ("/judge/t/open/floor", "TOURNAMENT"), ("/judge/new/x", "TOURNAMENT"),
        ("/judge/messages", "HALL"), ("/judge/terminals/", "HALL"), ("/judge/calls", "HALL"),
        ("/judge/devices", "HALL"), ("/judge/updates", "HALL"),
        ("/judge/accounts", "STATION"), ("/judge/audit", "STATION"), ("/judge/seasons", "STATION"),
    ],
)  # fmt: skip
def test_each_page_is_in_one_place(path: str, here: str) -> None:
    assert [key for key in addresses(path) if key.isupper()] == [here]


def test_own_account_and_public_pages_are_in_no_place() -> None:
    for path in ("/judge/account", "/t/open", "/guide/judge", "/"):
        assert not [key for key in addresses(path) if key.isupper()], path


def test_from_the_hall_one_click_leads_back_to_the_tournament_of_the_page() -> None:
    assert addresses("/judge/t/open/floor", tournament="open")["TOURNAMENT"] == "/judge/t/open"
    assert addresses("/judge/messages")["tournament"] == "/judge"


def test_a_role_sees_no_place_without_a_page_for_it() -> None:
    for role in AccountRole:
        places = places_of("/judge", permissions_of(role).__contains__, HALL_STATION)
        assert all(place.pages or place.key == "tournament" for place in places), role
        assert all(permissions_of(role) >= {one.needs} for place in places for one in place.pages), role
    assert "station" not in addresses("/judge", AccountRole.FLOOR_JUDGE)
    assert set(addresses("/judge", AccountRole.HEAD_JUDGE)) == {"TOURNAMENT", "hall", "station"}
