"""Players' own phones and the desk, page by page."""

import re
from html import unescape

import pytest

from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import RegisterPlayers, SetLateEntry
from core.tournament.state.names import fold_name
from core.tournament.state.tournament import Player, Stage, Waivers
from station.accounts.permissions import AccountRole
from station.audit import AuditFilter
from station.players.codes import codes_of
from station.players.service import Desk, PresenceState
from tests.station.browser import Browser, logged_in_as, shows
from tests.station.conftest import OPEN, Station
from tests.station.phones import PAGES

PUBLIC, JUDGE = f"/t/{OPEN}", f"/judge/t/{OPEN}"
ANNA = PlayerId("p001")


@pytest.fixture
def desk(station: Station) -> Browser:
    station.context.find_pages = lambda: PAGES
    station.opens(10)
    return logged_in_as(station, AccountRole.HEAD_JUDGE)


@pytest.fixture
def phone(desk: Browser) -> Browser:
    return Browser(desk.station)


def arrive(desk: Browser, *numbers: int) -> None:
    for number in numbers:
        desk.post(f"{JUDGE}/check-in/p{number:03}", state="here")


def applies(phone: Browser, name: str, club: str = "") -> str:
    phone.get(f"{PUBLIC}/register")
    return phone.post(f"{PUBLIC}/register", name=name, club=club, agreed="yes")


def asks_to_leave(phone: Browser, url: str) -> str:
    phone.get(url)
    return phone.post(f"{url}/leave", leaving="yes")


def switch(desk: Browser, *names: str) -> None:
    desk.send(f"{JUDGE}/check-in/settings", dict.fromkeys(names, "yes"))


def test_a_player_finds_a_seat_by_name_and_a_table_by_number(desk: Browser, phone: Browser) -> None:
    assert "not seated now" in phone.get(f"{PUBLIC}/find?q=player 1")
    round_ = desk.station.publishes()
    table = next(one for one in round_.tables if ANNA in one.players)
    seat = table.players.index(ANNA) + 1
    text = phone.get(f"{PUBLIC}/find?q=PLÁYER 1")
    shows(text, f"Table {table.table}, seat {seat}", f"{PUBLIC}/player/{ANNA}")
    shows(phone.get(f"{PUBLIC}/player/{ANNA}"), f"Table <b>{table.table}</b>", f"Seat <b>{seat}</b>")
    assert f"{PUBLIC}/table/{table.table}" in phone.get(f"{PUBLIC}/find?q={table.table}")
    assert "Player 1" in phone.get(f"{PUBLIC}/table/{table.table}")
    assert "Nobody sits at this table" in phone.get(f"{PUBLIC}/table/77")
    assert "No player or table matches" in phone.get(f"{PUBLIC}/find?q=Zorro")
    assert phone.status(f"{PUBLIC}/player/nobody").status_code == 404


def test_the_badge_opens_the_own_page_and_a_wrong_code_nothing(desk: Browser, phone: Browser) -> None:
    page = phone.get(desk.station.own_page())
    shows(page, "<h1>Player 1</h1>", "Show this code at the desk", "data:image/svg+xml", never="$")
    assert phone.status("/me/AAAAAAAAAA").status_code == 404
    tries = [phone.status(f"/me/BBBBBBBBB{number}").status_code for number in range(40)]
    assert 429 in tries
    assert desk.status(desk.station.own_page()).status_code in {200, 429}


def test_the_page_is_sent_again_only_when_it_changes(desk: Browser, phone: Browser) -> None:
    url = desk.station.own_page()
    key = re.findall(r"seen=(\w+)", phone.get(url))[0]
    assert phone.status(f"{url}?seen={key}").status_code == 204
    desk.station.publishes()
    assert phone.status(f"{url}?seen={key}").status_code == 200


def test_the_desk_checks_in_by_name_and_by_badge(desk: Browser) -> None:
    station = desk.station
    assert "0 of 10 players are here" in desk.get(f"{JUDGE}/check-in")
    desk.post(f"{JUDGE}/check-in/p002", state="here")
    assert "Check in Player 1" in desk.get(station.own_page())
    for _ in range(2):
        desk.post(f"{JUDGE}/check-in/{ANNA}", state="here")
    assert "2 of 10 players are here" in desk.get(f"{JUDGE}/check-in")
    desk.post(f"{JUDGE}/check-in/p003", state="not coming")
    assert "not coming" in desk.get(f"{JUDGE}/check-in")
    assert "Roy" in desk.get(station.own_page())
    desk.post(f"{JUDGE}/check-in/p003", state="elsewhere", expected=200)
    desk.post(f"{JUDGE}/check-in/again")
    assert "0 of 10 players are here" in desk.get(f"{JUDGE}/check-in")


def test_the_desk_says_who_was_checked_in_on_top_of_the_page_and_undoes_it(desk: Browser) -> None:
    answer = desk.answer(f"{JUDGE}/check-in/p002", {"state": "here"})
    assert str(answer.url) == f"http://station{JUDGE}/check-in"
    assert 'Player 2 is here.</span> <button form="undo">Undo</button>' in answer.text
    assert f'<form id="undo" method="post" action="{JUDGE}/check-in/p002">' in answer.text
    assert '<input type="hidden" name="state" value="not yet"></form>' in answer.text
    assert "Player 2 isn't here yet." in desk.post(f"{JUDGE}/check-in/p002", state="not yet")
    assert "0 of 10 players are here" in desk.get(f"{JUDGE}/check-in")


def test_a_live_part_of_a_page_leaves_the_notice_of_a_form_to_the_page(desk: Browser) -> None:
    desk.get(f"{JUDGE}/check-in")
    sent = {"state": "here", "_csrf_token": desk._token}
    path = f"{JUDGE}/check-in/p002"
    desk.station.run(desk._client.post(path, data=sent, follow_redirects=False))
    assert "Player 2 is here." not in desk.status(f"{JUDGE}/check-in", **{"hx-request": "true"}).text
    assert "Player 2 is here." in desk.get(f"{JUDGE}/check-in")
    assert "Player 2 is here." not in desk.get(f"{JUDGE}/check-in")


@pytest.mark.parametrize("as_typed", ["{code}", "https://10.0.0.1:8443/me/{code}", "/me/{code}/", "player 1"])
def test_a_scanner_that_types_checks_a_player_in(desk: Browser, as_typed: str) -> None:
    code = desk.station.own_page().rpartition("/")[2]
    page = desk.post(f"{JUDGE}/check-in/typed", typed=as_typed.format(code=code))
    shows(page, "Player 1 is here.", "1 of 10 players are here")


def test_a_name_that_is_like_a_players_is_asked_about_and_checks_nobody_in(desk: Browser) -> None:
    desk.station.does(RegisterPlayers((Player(PlayerId("p900"), "Anna Müller"),)))
    page = desk.post(f"{JUDGE}/check-in/typed", typed="Mueller Anna")
    shows(page, "Did you mean: Anna Müller?", "0 of 11 players are here")


@pytest.mark.parametrize("typed", ["", "https://10.0.0.1:8443/me/23456789AB", "somebody"])
def test_what_names_nobody_checks_nobody_in(desk: Browser, typed: str) -> None:
    page = desk.post(f"{JUDGE}/check-in/typed", typed=typed)
    shows(page, "No player matches.</span></p>", "0 of 10 players are here")


def test_players_check_themselves_in_where_the_organiser_allows_it(desk: Browser, phone: Browser) -> None:
    url = desk.station.own_page()
    phone.get(url)
    assert "Please check in at the desk." in phone.post(f"{url}/here")
    switch(desk, "self-check-in")
    assert "I'm here" in phone.get(url)
    assert "You're checked in." in phone.post(f"{url}/here")
    assert "1 of 10 players are here" in desk.get(f"{JUDGE}/check-in")


def test_the_draw_asks_what_to_do_with_the_missing(desk: Browser) -> None:
    station = desk.station
    arrive(desk, *range(1, 9))
    shows(desk.get(f"{JUDGE}/draw"), "2 players haven't checked in:", "Player 9, Player 10")
    assert "Not everyone has checked in (2 missing)" in desk.post(f"{JUDGE}/draw/seal")
    assert station.service.tournament(OPEN).rounds == ()
    refused = desk.post(f"{JUDGE}/draw/seal", missing="withdraw")
    assert len(station.service.tournament(OPEN).contenders) == 10, refused
    arrive(desk, 9, 10)
    desk.post(f"{JUDGE}/draw/seal")
    assert len(station.service.tournament(OPEN).rounds) == 1


@pytest.mark.parametrize(("language", "rest"), [("en", "… and {n} more "), ("it", "… e {n} altr")])
def test_a_long_list_of_missing_players_says_how_many_more(
    station: Station, judge: Browser, language: str, rest: str
) -> None:
    station.opens(22)
    judge.post(f"{JUDGE}/check-in/{ANNA}", state="here")
    assert rest.format(n=1) in " ".join(judge.get(f"{JUDGE}/draw", language).split())
    judge.post(f"{JUDGE}/check-in/p002", state="here")
    missing = judge.get(f"{JUDGE}/draw", language).partition('class="missing"')[2].partition("</p>")[0]
    assert "…" not in missing


def test_the_missing_are_withdrawn_and_the_draw_is_sealed(station: Station, judge: Browser) -> None:
    station.opens(12)
    arrive(judge, *range(1, 12))
    judge.post(f"{JUDGE}/draw/seal", missing="withdraw")
    state = station.service.tournament(OPEN)
    assert [entrant.player for entrant in state.entrants if entrant.withdrawn] == ["p012"]
    assert len(state.rounds) == 1


def test_who_asks_to_leave_is_withdrawn_by_a_judge_or_stays(desk: Browser, phone: Browser) -> None:
    url, station = desk.station.own_page(), desk.station
    assert "The judge knows that you'd like to leave" in asks_to_leave(phone, url)
    assert "Asking to leave" in desk.get(f"{JUDGE}/check-in")
    phone.post(f"{url}/leave")
    assert "Asking to leave" not in desk.get(f"{JUDGE}/check-in")
    phone.post(f"{url}/leave", leaving="yes")
    desk.post(f"{JUDGE}/check-in/leaving/{ANNA}", answer="keep")
    assert not station.service.tournament(OPEN).entrants[0].withdrawn
    asks_to_leave(phone, url)
    desk.post(f"{JUDGE}/check-in/leaving/{ANNA}", answer="withdraw")
    assert station.service.tournament(OPEN).entrants[0].withdrawn
    assert "This player is out of the tournament." in phone.get(url)
    assert "You aren't in the tournament any more" in phone.post(f"{url}/leave", leaving="yes")


def test_a_name_that_is_like_another_is_asked_about_when_somebody_applies(
    desk: Browser, phone: Browser
) -> None:
    switch(desk, "registration")
    applies(phone, "Anna Müller")
    page = applies(phone, "Anna Mueller")
    assert "Anna Müller is already registered or waiting. If that's somebody else" in unescape(page)
    desk.station.does(RegisterPlayers((Player(PlayerId("p900"), "Mueller Anna"),)))
    question = "Anna Müller is similar to Mueller Anna, who is already registered. Are they two people?"
    assert question in desk.get(f"{JUDGE}/check-in")


def test_somebody_applies_and_a_judge_answers(desk: Browser, phone: Browser) -> None:
    form, station = f"{PUBLIC}/register", desk.station
    assert "Registration is closed" in phone.get(form)
    assert "Apply to play" not in phone.get(PUBLIC)
    phone.get("/login")
    assert "Registration is closed" in phone.post(form, name="Zorro", agreed="yes")
    switch(desk, "registration")
    assert "Apply to play" in phone.get(PUBLIC)
    phone.get(form)
    for fields, reason in (
        ({"name": "", "agreed": "yes"}, "Please enter your name."),
        ({"name": "Zorro"}, "Please agree"),
        ({"name": "  pLayer  1 ", "agreed": "yes"}, "is already registered"),
        ({"name": "Z" * 81, "agreed": "yes"}, "80"),
    ):
        assert reason in phone.send(form, fields)
    assert "Thank you!" in applies(phone, "Zorro", club="Vega")
    assert "is already registered or waiting" in applies(phone, "zorro")
    assert "1 person would like to play" in desk.get(JUDGE)
    assert "Register Zorro" in desk.get(f"{JUDGE}/check-in")
    desk.post(f"{JUDGE}/check-in/applications/1", answer="approve")
    assert station.service.tournament(OPEN).entrants[-1].name == "Zorro"
    assert "already been answered" in desk.post(f"{JUDGE}/check-in/applications/1", answer="approve")
    applies(phone, "Tuco")
    desk.post(f"{JUDGE}/check-in/applications/2", answer="refuse")
    assert len(station.service.tournament(OPEN).entrants) == 11


def test_nobody_is_offered_to_apply_while_no_judge_could_register_them(desk: Browser, phone: Browser) -> None:
    switch(desk, "registration")
    station, form = desk.station, f"{PUBLIC}/register"
    station.plays_round()
    assert "Apply to play" not in phone.get(PUBLIC)
    assert "Registration is closed." in phone.get(form)
    station.does(SetLateEntry(is_open=True, reason="a train was late"))
    assert "Apply to play" in phone.get(PUBLIC)
    assert "I agree" in phone.get(form)
    while (state := station.service.tournament(OPEN)).stage is Stage.BETWEEN:
        assert "Apply to play" in phone.get(PUBLIC)
        station.plays_round(len(state.published_rounds))
    assert "Apply to play" not in phone.get(PUBLIC)
    station.publishes_ranking()
    assert "Apply to play" not in phone.get(PUBLIC)
    assert "Registration is closed." in phone.get(form)
    assert "Registration is closed. Ask a judge." in phone.post(form, name="Zorro", agreed="yes")
    assert not station.run(station.service.of(Desk).record(OPEN)).applications


def test_an_application_that_cannot_be_registered_waits_on(desk: Browser, phone: Browser) -> None:
    switch(desk, "registration")
    applies(phone, "Zorro")
    desk.station.publishes()
    shows(desk.post(f"{JUDGE}/check-in/applications/1", answer="approve"), "Register Zorro", 'role="alert"')


def test_own_results_need_the_switch_and_the_private_code(desk: Browser, phone: Browser) -> None:
    station, url = desk.station, desk.station.own_page()
    station.plays_round()
    private = station.service.of(codes_of).private(OPEN, ANNA, 0)
    phone.get(url)
    assert "That isn't the right code" in phone.post(f"{url}/results", private=private)
    switch(desk, "own-results")
    assert private in desk.get(f"{JUDGE}/players/{ANNA}")
    assert "$" not in phone.get(url)
    assert "That isn't the right code" in phone.post(f"{url}/results", private="AAAAAAAAAA")
    badge = url.rpartition("/")[2]
    assert "That isn't the right code" in phone.post(f"{url}/results", private=badge)
    mine = phone.post(f"{url}/results", private=f"{private[:5]}-{private[5:]}".lower())
    assert "Total: $" in mine
    assert mine.count("Player") == mine.count("Player 1")
    desk.post(f"{JUDGE}/check-in/private/{ANNA}")
    phone.get(url)
    assert "That isn't the right code" in phone.post(f"{url}/results", private=private)


def test_an_organiser_neither_sees_private_codes_nor_shows_results(station: Station) -> None:
    station.opens(10)
    browser = logged_in_as(station, AccountRole.ORGANISER)
    switch(browser, "own-results")
    assert not station.run(station.service.of(Desk).record(OPEN)).own_results
    assert station.service.of(codes_of).private(OPEN, ANNA, 0) not in browser.get(f"{JUDGE}/players/{ANNA}")


def test_the_own_page_of_an_ejected_player_and_after_the_end(station: Station, visitor: Browser) -> None:
    station.opens(11, Waivers(rounds=1))
    station.does(EjectPlayer(PlayerId("p011"), "cheated"))
    assert "out of the tournament" in visitor.get(station.own_page("p011"))
    assert "cheated" not in visitor.get(station.own_page("p011"))
    station.plays_round()
    station.publishes_ranking()
    shows(visitor.get(station.own_page()), "The ranking is public.", never="Leave the tournament")


def test_nobody_waits_for_a_round_when_all_are_played(station: Station, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    shows(visitor.get(station.own_page()), "Everything has been played", never="Your next table")


def test_who_applies_under_a_judges_name_is_not_that_judge_in_the_audit(
    desk: Browser, phone: Browser
) -> None:
    switch(desk, "registration")
    applies(phone, "Roy")
    lines = desk.station.service.audit.page(AuditFilter(), 0, 50)
    applied = [line for line in lines if line.route == "POST /t/{tournament}/register"]
    assert [(line.judge, line.facts["name"]) for line in applied] == [("", "Roy")]


def test_a_player_who_was_withdrawn_otherwise_asks_no_more(desk: Browser, phone: Browser) -> None:
    asks_to_leave(phone, desk.station.own_page())
    desk.station.does(WithdrawPlayer(ANNA, "said it at the desk"))
    assert "Asking to leave" not in desk.get(f"{JUDGE}/check-in")


def test_a_floor_judge_is_offered_no_badges(station: Station) -> None:
    station.opens(10)
    browser = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    shows(browser.get(f"{JUDGE}/check-in"), "Here", never="paper=badges")
    assert browser.status(f"{JUDGE}/print/badges/file").status_code == 403


def test_all_the_others_are_checked_in_at_once(station: Station, judge: Browser) -> None:
    station.opens(10)
    desk = station.service.of(Desk)
    station.run(desk.set_presence(OPEN, PlayerId("p003"), PresenceState.NOT_COMING, "Roy"))
    assert "9 of 10 players are here" in judge.send(f"/judge/t/{OPEN}/check-in/all", {})
    record = station.run(desk.record(OPEN))
    assert record.state_of(PlayerId("p003")) is PresenceState.NOT_COMING


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("lukasz", "Łukasz Žižka"), ("obrien", "Pat O’Brien"), ("zoe muller", "Zoë  Müller"),
        ("soren", "Søren"),
        ("strasse", "Anna Straße"), ("aegir", "Ægir"), ("thordis", "Þórdís"),
    ],
)  # fmt: skip
def test_names_are_found_as_people_type_them(typed: str, name: str) -> None:
    assert typed in fold_name(name)


def test_lists_sort_names_as_people_look_for_them() -> None:
    assert sorted(["Zoë", "Łukasz", "Ludwig", "Öner", "Anna"], key=fold_name) == [
        "Anna", "Ludwig", "Łukasz", "Öner", "Zoë",
    ]  # fmt: skip


def test_somebody_registered_after_an_undone_registration_has_to_check_in(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    base, desk = f"/judge/t/{OPEN}", station.service.of(Desk)
    judge.get(f"{base}/players")
    judge.post(f"{base}/players", name="Ada Bianchi", club="")
    ada = station.service.tournament(OPEN).entrants[-1].player
    judge.post(f"{base}/check-in/{ada}", state="here")
    station.does(UndoSteps(1, "wrong tournament"))
    judge.post(f"{base}/players", name="Bruno Bassi", club="")
    bruno = station.service.tournament(OPEN).entrants[-1].player
    assert bruno == ada, "the number is given again"
    assert station.run(desk.record(OPEN)).state_of(bruno) is PresenceState.NOT_YET


def test_players_moved_here_do_not_inherit_the_presence_of_an_undone_registration(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    judge.get("/judge/new/championship-2022")
    judge.post("/judge/tournaments", name="Evening", date="2026-11-20", edition="championship-2022")
    (evening,) = (one.tournament for one in station.service.tournaments() if one.tournament != OPEN)
    base, desk = f"/judge/t/{evening}", station.service.of(Desk)
    judge.post(f"{base}/players", name="Ada Bianchi", club="")
    judge.post(f"{base}/check-in/p001", state="here")
    station.run(station.service.decide(evening, UndoSteps(1, "wrong tournament"), "Roy"))
    judge.send(f"/judge/t/{OPEN}/players/move", {"player-p003": "yes", "to": evening})
    assert [one.name for one in station.service.tournament(evening).entrants] == ["Player 3"]
    assert station.run(desk.record(evening)).state_of(PlayerId("p001")) is PresenceState.NOT_YET
