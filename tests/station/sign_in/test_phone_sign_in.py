"""Players sign in by phone: the station tells the table once, and never what the table has not asked for.

The page for their phones has names to tap, a language to choose, and nothing that is nobody's business.
"""

import re

import pytest

from base.errors import BadData, Refused
from base.languages import LANGUAGES
from core.game.orders import CheckInSeat, SeatGame
from core.game.play.abandonment import Abandon
from core.game.setup import CheckIn
from core.game.state.decisions import Undo
from core.terms import GameId, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import WithdrawPlayer
from station.accounts.permissions import AccountRole
from station.enrolment.sign_in_links import SignInLinks, checked_address
from station.sign_in.service import PhoneSignIn, SeatStatus, SignInRefusal
from tests.station.browser import Browser, first_group, logged_in_as, shows
from tests.station.conftest import OPEN, Station
from tests.station.phones import PAGES, PhoneTable

ONE, TWO = SeatNo(1), SeatNo(2)


@pytest.fixture
def phones(station: Station) -> PhoneTable:
    """Return a seated table of five that shows its QR code."""
    table = PhoneTable(station)
    table.seats()
    return table


def signs_in(phones: PhoneTable, seat: int, language: str = "", token: str = "") -> None:
    service = phones.station.service.of(PhoneSignIn)
    phones.station.run(service.check_in(token or phones.token, SeatNo(seat), language))


def refusal(phones: PhoneTable, seat: int, token: str = "") -> object:
    with pytest.raises(Refused) as refused:
        signs_in(phones, seat, token=token)
    return refused.value.reason


def statuses(phones: PhoneTable) -> list[SeatStatus]:
    return [seat.status for seat in phones.station.service.of(PhoneSignIn).table(phones.token).seats]


def test_a_table_gets_its_link_with_its_game_and_only_once(phones: PhoneTable) -> None:
    (link,) = phones.offers
    assert link == f"{PAGES}/in/{phones.token}"
    assert len(phones.token) == 10
    phones.station.connects(phones.terminal.id)
    assert len(phones.offers) == 1


def test_a_player_signs_in_and_the_table_reports_it(phones: PhoneTable) -> None:
    signs_in(phones, 2, "it")
    game = phones.terminal.state.game
    assert phones.sign_ins == [CheckInSeat(game, TWO, "it")]
    assert statuses(phones)[:2] == [SeatStatus.MISSING, SeatStatus.ON_THE_WAY]
    phones.obeys()
    assert statuses(phones)[:2] == [SeatStatus.MISSING, SeatStatus.HERE]


def test_nobody_is_checked_in_twice_however_often_they_tap(phones: PhoneTable) -> None:
    for _ in range(3):
        signs_in(phones, 2)
    phones.obeys()
    signs_in(phones, 2)
    assert len(phones.sign_ins) == 1


def test_a_touch_at_the_table_counts_on_the_phones_too(phones: PhoneTable) -> None:
    phones.terminal.tells(CheckIn(ONE))
    signs_in(phones, 1)
    assert phones.sign_ins == []
    assert statuses(phones)[0] is SeatStatus.HERE


def test_what_the_table_undoes_can_be_signed_in_again_but_not_for_ever(phones: PhoneTable) -> None:
    for _ in range(5):
        signs_in(phones, 2)
        phones.obeys()
        phones.terminal.tells(Undo(1))
        assert statuses(phones)[1] in {SeatStatus.MISSING, SeatStatus.ON_THE_WAY}
        phones.station.clock.passed_ms += 11_000
    assert refusal(phones, 2) is SignInRefusal.TOO_OFTEN
    assert len(phones.sign_ins) == 5


def test_the_link_ends_with_the_check_in(phones: PhoneTable) -> None:
    phones.terminal.tells(*(CheckIn(SeatNo(seat)) for seat in range(1, 6)))
    assert refusal(phones, 2) is SignInRefusal.BEGUN
    assert phones.station.service.of(PhoneSignIn).table(phones.token).seats == ()


def test_a_link_is_worthless_before_the_game_and_once_its_draw_is_taken_back(station: Station) -> None:
    table = PhoneTable(station)
    assert refusal(table, 2) is SignInRefusal.AWAY
    table.seats()
    token = table.token
    station.does(UndoSteps(1, "wrong list", confirmed=(table.terminal.state.game,)))
    assert refusal(table, 2, token) is SignInRefusal.WRONG_LINK


@pytest.mark.parametrize("token", ["0000000000", "x", "é", "%00", "' or 1=1"])
def test_a_link_that_was_guessed_opens_nothing(phones: PhoneTable, token: str) -> None:
    assert refusal(phones, 2, token) is SignInRefusal.WRONG_LINK


def test_without_the_tables_terminal_the_card_has_to_be_tapped(phones: PhoneTable) -> None:
    phones.station.disconnects(phones.terminal.id)
    assert refusal(phones, 2) is SignInRefusal.AWAY
    assert not phones.station.service.of(PhoneSignIn).table(phones.token).is_connected


def test_a_player_who_has_left_cannot_sign_in(phones: PhoneTable) -> None:
    player = phones.terminal.ordered(SeatGame)[-1].seating.seats[1].player
    phones.station.does(WithdrawPlayer(player, "a reason"))
    phones.terminal.tells(Abandon(TWO))
    assert refusal(phones, 2) is SignInRefusal.LEFT


def test_without_an_address_for_phones_tables_are_told_nothing(station: Station) -> None:
    terminal = station.round_with_terminal()
    assert station.service.of(PhoneSignIn).pages == ""
    assert [order for order in terminal.orders if "SignIn" in type(order).__name__] == []


def test_a_new_address_reaches_tables_that_still_check_in(phones: PhoneTable) -> None:
    phones.station.context.find_pages = lambda: "https://192.0.2.99:8443"
    phones.station.connects(phones.terminal.id)
    assert phones.offers[-1] == f"https://192.0.2.99:8443/in/{phones.token}"
    phones.terminal.tells(*(CheckIn(SeatNo(seat)) for seat in range(1, 6)))
    phones.station.context.find_pages = lambda: PAGES
    phones.station.connects(phones.terminal.id)
    assert len(phones.offers) == 2, "a table that plays is told of no address"


def test_a_restarted_station_gives_the_same_links(phones: PhoneTable, tmp_path: object) -> None:
    token = phones.token
    phones.station.close()
    again = Station(tmp_path)  # type: ignore[arg-type]  # the folder of the fixture
    again.context.find_pages = lambda: PAGES
    assert again.service.of(PhoneSignIn).table(token).table == 1
    assert again.service.tournament(OPEN).tournament == OPEN
    again.close()


def test_tokens_differ_by_game_and_by_station() -> None:
    one, other = SignInLinks(PAGES, b"a" * 32), SignInLinks(PAGES, b"b" * 32)
    tokens = {one.token(GameId("g1")), one.token(GameId("g2")), other.token(GameId("g1"))}
    assert len(tokens) == 3
    assert SignInLinks("", b"a").link(GameId("g1")) == ""


@pytest.mark.parametrize(
    "typed",
    ["ftp://host", "host:8080", "https://", "https://a b", "https://h/path", "https://h?x", "https://h:0",
     "https://" + "h" * 90, "https://user@h", "javascript:alert(1)"],
)  # fmt: skip
def test_an_address_that_no_phone_could_open_is_refused(typed: str) -> None:
    with pytest.raises(BadData):
        checked_address(typed)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("", ""), (" https://bang.example/ ", "https://bang.example"), ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
     ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443")],
)  # fmt: skip
def test_an_address_is_kept_in_its_usual_form(typed: str, kept: str) -> None:
    assert checked_address(typed) == kept


@pytest.fixture
def phone(phones: PhoneTable) -> Browser:
    return Browser(phones.station)


def test_a_player_finds_the_name_chooses_a_language_and_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    name = phones.names()[1]
    text = phone.get(page)
    shows(text, "Table 1", "Round 1")
    assert all(name in text for name in phones.names())
    form = phone.get(f"{page}/2", "de-AT,de;q=0.9")
    assert all(spoken in form for spoken in LANGUAGES.values())
    assert re.search(r'value="de" checked', form)
    assert f"{name}, the table's screen will show in a moment" in phone.post(f"{page}/2", panel_language="de")
    assert [(order.seat, order.language) for order in phones.sign_ins] == [(2, "de")]
    phones.obeys()
    done = phone.get(page)
    assert f"{name}, you're checked in at your table." in done
    assert "Tap Undo on the table's screen" in done
    assert f"{page}/2" not in done


def test_the_other_phones_see_who_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    key = first_group(r"seen=(\w+)", phone.get(page))
    assert phone.status(f"{page}/seats?seen={key}").status_code == 204
    phones.terminal.tells(CheckIn(SeatNo(3)))
    shows(phone.get(f"{page}/seats?seen={key}"), never=("<html", f"{page}/3", "you're checked in"))


def test_the_last_one_reads_that_everybody_is_here(phones: PhoneTable, phone: Browser) -> None:
    page = f"/in/{phones.token}"
    phones.terminal.tells(*(CheckIn(SeatNo(seat)) for seat in (1, 3, 4, 5)))
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


def test_a_hall_behind_one_address_is_not_taken_for_guessers(phones: PhoneTable, phone: Browser) -> None:
    """Typed by hand, a link may be in small letters and hyphenated."""
    typed = f"{phones.token[:5]}-{phones.token[5:]}".lower()
    for _ in range(30):
        assert "Tap your name" in phone.get(f"/in/{typed}")
        assert "Tocca il tuo nome." in phone.get(f"/in/{phones.token}", "it")
    assert phone.status(f"/in/{phones.token}").headers["cache-control"] == "no-store"


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


def test_a_judge_switches_it_off_for_all_tables(phones: PhoneTable) -> None:
    judge = logged_in_as(phones.station, AccountRole.HEAD_JUDGE)
    assert "The codes open https://192.0.2.1:8443." in judge.get("/judge/terminals")
    token = phones.token
    assert "Players can't sign in by phone." in judge.post("/judge/terminals/sign-in", address="")
    assert phones.offers[-1] == ""
    assert refusal(phones, 2, token) is SignInRefusal.WRONG_LINK
    assert judge.status(f"/in/{token}").status_code == 404
    assert "write it as https://HOST" in judge.post("/judge/terminals/sign-in", on="yes", address="nonsense/")
    text = judge.post("/judge/terminals/sign-in", on="yes", address="https://bang.example/")
    assert "The codes open https://bang.example." in text
    assert phones.offers[-1] == f"https://bang.example/in/{token}"


def test_an_organiser_sends_no_phone_to_a_computer_of_their_own(station: Station) -> None:
    """Links of invitations and terminals may begin with that address too."""
    station.context.find_pages = lambda: "https://10.0.0.5:8443"
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    head = logged_in_as(station, AccountRole.HEAD_JUDGE)
    for browser, address, is_allowed in (
        (organiser, "https://organiser.example", False),
        (organiser, "https://10.0.0.5:8443", True),
        (organiser, "", True),
        (head, "https://hall.example", True),
        (organiser, "https://hall.example", True),
    ):
        text = browser.post("/judge/terminals/sign-in", on="yes", address=address)
        assert ("Only a head judge" in text) is not is_allowed
        assert (station.service.of(PhoneSignIn).settings.address == address) is is_allowed


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
    shows(page, "The codes open https://192.168.1.20:8443.", never="on several networks")
