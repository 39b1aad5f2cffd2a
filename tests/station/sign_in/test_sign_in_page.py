"""The page for players' phones: names to tap, a language to choose, and nothing that is nobody's business."""

import re
from collections.abc import Iterator

import pytest

from base.languages import LANGUAGES
from core.game.setup import CheckIn
from core.terms import SeatNo
from station.accounts.permissions import AccountRole
from station.sign_in.service import PhoneSignIn
from tests.station.browser import Browser, logged_in_as
from tests.station.conftest import Station
from tests.station.phones import PhoneTable


@pytest.fixture
def phones(station: Station) -> PhoneTable:
    """A seated table of five whose code is on the glass."""
    table = PhoneTable(station)
    table.seats()
    return table


@pytest.fixture
def phone(phones: PhoneTable) -> Iterator[Browser]:
    browser = Browser(phones.station)
    yield browser
    browser.close()


def test_a_player_finds_the_name_chooses_a_language_and_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    name = phones.names()[1]
    text = phone.get(page)
    assert "Table 1" in text
    assert "Round 1" in text
    assert all(name in text for name in phones.names())
    form = phone.get(f"{page}/2", "de-AT,de;q=0.9")
    assert all(spoken in form for spoken in LANGUAGES.values())
    assert re.search(r'value="de" checked', form)
    sent = phone.post(f"{page}/2", panel_language="de")
    assert f"{name}, the table's screen will show in a moment" in sent
    assert [(order.seat, order.language) for order in phones.sign_ins] == [(2, "de")]
    phones.obeys()
    done = phone.get(page)
    assert f"{name}, you're checked in at your table." in done
    assert "Tap Undo on the table's screen" in done
    assert f"{page}/2" not in done


def test_the_other_phones_see_who_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    key = re.search(r"seen=(\w+)", phone.get(page))
    assert key is not None
    assert phone.status(f"{page}/seats?seen={key[1]}").status_code == 204
    phones.terminal.ask(CheckIn(SeatNo(3)))
    phones.terminal.sends()
    part = phone.get(f"{page}/seats?seen={key[1]}")
    assert "<html" not in part
    assert f"{page}/3" not in part
    assert "you're checked in" not in part


def test_the_last_one_reads_that_everybody_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    phones.terminal.ask(*(CheckIn(SeatNo(seat)) for seat in (1, 3, 4, 5)))
    phones.terminal.sends()
    phone.get(f"{page}/2")
    phone.post(f"{page}/2", panel_language="")
    phones.obeys()
    text = phone.get(page)
    assert "Everyone at this table is here" in text
    assert not any(name in text for name in phones.names())
    assert phone.status(f"{page}/2").headers["location"] == page
    assert "Everyone at this table is here" in phone.post(f"{page}/2", panel_language="")


def test_a_wrong_link_says_what_to_do_and_guessing_is_slow(phones: PhoneTable, phone: Browser) -> None:
    answer = phone.status("/in/0000000000")
    assert answer.status_code == 404
    assert "Scan the code on your table" in answer.text
    assert [phone.status(f"/in/{n:010}").status_code for n in range(1, 25)][-1] == 429
    other = Browser(phones.station)
    assert "Tap your name" in other.get(f"/in/{phones.token}")
    other.close()


def test_a_hall_behind_one_address_is_not_taken_for_guessers(phones: PhoneTable, phone: Browser) -> None:
    for _ in range(60):
        assert phone.status(f"/in/{phones.token}").status_code == 200


def test_a_link_typed_by_hand_may_be_small_and_hyphenated(phones: PhoneTable, phone: Browser) -> None:
    token = phones.token.lower()
    assert "Tap your name" in phone.get(f"/in/{token[:5]}-{token[5:]}")


def test_a_forged_form_checks_nobody_in(phones: PhoneTable, phone: Browser) -> None:
    answer = phone.answer(f"/in/{phones.token}/2", {"panel-language": "it", "_csrf_token": "x"})
    assert answer.status_code == 403
    assert phones.sign_ins == []


def test_a_language_that_no_table_speaks_is_left_out(phones: PhoneTable, phone: Browser) -> None:
    phone.get(f"/in/{phones.token}/2")
    phone.post(f"/in/{phones.token}/2", panel_language="tlh")
    assert [order.language for order in phones.sign_ins] == [""]
    phone.get(f"/in/{phones.token}/3")
    phone.post(f"/in/{phones.token}/9", 404, panel_language="it")
    assert len(phones.sign_ins) == 1


def test_the_page_speaks_italian_and_is_kept_by_nobody(phones: PhoneTable, phone: Browser) -> None:
    assert "Tocca il tuo nome." in phone.get(f"/in/{phones.token}", "it")
    assert phone.status(f"/in/{phones.token}").headers["cache-control"] == "no-store"


def test_a_judge_switches_it_off_for_all_tables(phones: PhoneTable) -> None:
    judge = Browser(phones.station)
    judge.log_in()
    assert "The codes open https://192.0.2.1:8443." in judge.get("/judge/terminals")
    token = phones.token
    text = judge.post("/judge/terminals/sign-in", address="")
    assert "Players can't sign in by phone." in text
    assert phones.offers[-1] == ""
    assert judge.status(f"/in/{token}").status_code == 404
    judge.get("/judge/terminals")
    assert "write it as https://HOST" in judge.post("/judge/terminals/sign-in", on="yes", address="nonsense/")
    text = judge.post("/judge/terminals/sign-in", on="yes", address="https://bang.example")
    assert "The codes open https://bang.example." in text
    judge.close()


def test_an_organiser_sends_no_phone_to_a_computer_of_their_own(station: Station) -> None:
    """Links of invitations and terminals begin with it, where a judge uses the station's own browser."""
    station.context.find_pages = lambda: "https://10.0.0.5:8443"
    organiser, head = (
        logged_in_as(station, role) for role in (AccountRole.ORGANISER, AccountRole.HEAD_JUDGE)
    )
    for browser, address, is_allowed in (
        (organiser, "https://organiser.example", False),
        (organiser, "https://10.0.0.5:8443", True),
        (organiser, "", True),
        (head, "https://hall.example", True),
        (organiser, "https://hall.example", True),
    ):
        browser.get("/judge/terminals")
        text = browser.post("/judge/terminals/sign-in", on="yes", address=address)
        assert ("Only a head judge" in text) is not is_allowed
        assert (station.service.of(PhoneSignIn).settings.address == address) is is_allowed
    organiser.close()
    head.close()


def test_the_organiser_chooses_among_the_networks_of_the_computer(station: Station, judge: Browser) -> None:
    station.context.find_pages = lambda: "https://10.0.0.5:8443"
    station.context.own_addresses = ("10.0.0.5:7373", "127.0.0.1:7373")
    assert "on several networks" not in judge.get("/judge/terminals")
    station.context.own_addresses = ("10.0.0.5:7373", "192.168.1.20:7373", "127.0.0.1:7373")
    page = judge.get("/judge/terminals")
    assert "Codes for phones open https://10.0.0.5:8443." in page
    assert "choose another address: https://192.168.1.20:8443." in page
    assert '<option value="https://192.168.1.20:8443">' in page
    page = judge.post("/judge/terminals/sign-in", on="yes", address="https://192.168.1.20:8443")
    assert "The codes open https://192.168.1.20:8443." in page
    assert "on several networks" not in page
