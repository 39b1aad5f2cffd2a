"""The door: one field for names and badges; places, the waiting list, and facts that only judges see."""

import base64
import json
import re
from html import unescape
from io import BytesIO

import msgspec
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.terms import PlayerId, TournamentId
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.state.tournament import Entrant, Player
from station.accounts.permissions import AccountRole
from station.imports.findings import PrivateFacts, PrivateField
from station.players.codes import PlayerCodes
from station.players.service import Desk, DeskRecord, DeskRefusal, Presence, PresenceState, facts_typed
from tests.station.browser import Browser, logged_in_as, shows
from tests.station.conftest import OPEN, Station

PUBLIC, JUDGE = f"/t/{OPEN}", f"/judge/t/{OPEN}"
DOOR, DESK = f"{JUDGE}/check-in/door", f"{JUDGE}/check-in"
ANNA = PlayerId("p001")
SECRET = {"note": "allergic to nuts", "email": "anna@example.org", "paid": "yes"}
AS_TYPED_ON = {
    "german": str.maketrans("yzYZ/", "zyZY-"),
    "italian": str.maketrans("/", "-"),
    "french": str.maketrans("aqwzAQWZmM1234567890/", "qazwQAZW,?&é\"'(-è_çà!"),
}


@pytest.fixture
def door(station: Station) -> Browser:
    """A helper at the door of a tournament of ten players."""
    station.opens(10)
    station.does(RegisterPlayers((Player(PlayerId("p900"), "Zoë Müller", "Köln"),)))
    return logged_in_as(station, AccountRole.FLOOR_JUDGE)


@pytest.fixture
def head(door: Browser) -> Browser:
    judge = logged_in_as(door.station, AccountRole.HEAD_JUDGE)
    judge.get(DESK)
    return judge


def scan(door: Browser, text: str, **fields: str) -> str:
    """Return the part of the page that a script shows."""
    door.get(DOOR)
    page = door.answer(DOOR, {"typed": text, **fields}, **{"hx-request": "true"})
    assert page.status_code == 200
    assert "<html" not in page.text
    return unescape(page.text)


def keep(head: Browser, *fields: str, **facts: str) -> None:
    head.send(f"{DESK}/private-fields", dict.fromkeys(fields, "yes"))
    head.send(f"{DESK}/facts/{ANNA}", facts)


def applies(phone: Browser, name: str, **fields: str) -> str:
    phone.get(f"{PUBLIC}/register")
    return phone.send(f"{PUBLIC}/register", {"name": name, "agreed": "yes", **fields})


@pytest.mark.parametrize("layout", AS_TYPED_ON.values(), ids=AS_TYPED_ON.keys())
@given(number=st.integers(1, 10), changes=st.sampled_from((str.upper, str.lower, str)))
def test_a_scanner_finds_badges_on_every_keyboard(
    layout: dict[int, int], number: int, changes: type[str]
) -> None:
    codes = PlayerCodes(b"secret")
    player = PlayerId(f"p{number:03}")
    address = changes(f"https://10.0.0.1:8443/me/{codes.badge(TournamentId('t'), player)}")
    known = codes.find_scanned(address.translate(layout), ())
    assert known is not None
    assert known.player == player


def test_the_door_says_who_came_and_who_was_here_already(door: Browser) -> None:
    shows(scan(door, "zoe"), 'data-mood="good" data-count="1"', "Zoë Müller is here.")
    double = scan(door, "Muller Koln")
    shows(
        double,
        'data-mood="bad"',
        "Zoë Müller was already here, ",
        f", by {AccountRole.FLOOR_JUDGE.value}.",
    )
    shows(scan(door, "zoe", again="yes"), 'data-mood="good" data-count="1"', "Zoë Müller is here.")
    shows(scan(door, "nobody"), 'data-mood="bad"', "No name, club or number matches “nobody”. Try the number")
    shows(scan(door, "player 1"), 'data-mood="good"', "Player 1 is here.")
    several = scan(door, "player")
    shows(several, 'data-mood="ask"', "Which player is “player”?", 'value="p002"', 'data-count="2"')
    shows(scan(door, "player", player="p002"), "Player 2 is here.")
    shows(scan(door, "Mueller Zoe"), 'data-mood="ask"', "Zoë Müller")
    assert "Zoë Müller isn't here yet." in door.post(f"{DESK}/p900", state="not yet")


def arrivals(page: str) -> list[tuple[str, str]]:
    """Return who is listed as checked in last, newest first, each with by whom."""
    return re.findall(r"<strong>([^<]+)</strong> <small>[0-9:]+ · ([^<]+)</small>", page)


def undo(door: Browser, page: str, name: str, **fields: str) -> str:
    """Press *Undo* beside a name in the list of a page."""
    at, player = re.findall(
        rf'name="at" value="([0-9]+)"><strong>{name}.*?value="(p[0-9]+)"', page, re.DOTALL
    )[0]
    answer = door.answer(DOOR, {"undo": player, "at": at, **fields}, **{"hx-request": "true"})
    return unescape(answer.text)


def test_the_last_check_ins_of_all_helpers_are_listed_newest_first_and_each_can_be_undone(
    door: Browser, head: Browser
) -> None:
    clock, page = door.station.clock, ""
    for number in range(1, 7):
        clock.passed_ms += 1_000
        page = scan(head if number == 4 else door, f"player {number}")
    helper = AccountRole.FLOOR_JUDGE.value
    by = [helper, helper, "Roy", helper, helper]
    assert arrivals(page) == [(f"Player {n}", judge) for n, judge in zip((6, 5, 4, 3, 2), by, strict=True)]
    door.get(DOOR)
    shows(undo(door, page, "Player 4"), 'data-mood="good" data-count="5"', "Check-in undone: Player 4")
    shows(
        undo(door, page, "Player 4"), 'data-mood="bad"', "Nothing was undone: Player 4 was changed meanwhile."
    )
    shows(undo(door, page, "Player 4", again="yes"), 'data-mood="good"', "Check-in undone: Player 4")
    after = undo(door, page, "Player 5")
    assert [name for name, _ in arrivals(after)] == ["Player 6", "Player 3", "Player 2", "Player 1"]
    shows(undo(head, scan(head, "player 10"), "Player 10"), "Check-in undone: Player 10")


def test_a_player_who_was_not_coming_is_not_coming_again_after_an_undo(door: Browser) -> None:
    door.get(DOOR)
    door.post(f"{DESK}/p900", state="not coming")
    door.station.clock.passed_ms += 1_000
    undo(door, scan(door, "zoe"), "Zoë Müller")
    record = door.station.run(door.station.service.of(Desk).record(OPEN))
    assert record.state_of(PlayerId("p900")) is PresenceState.NOT_COMING


def test_the_door_works_without_scripts(door: Browser) -> None:
    door.get(DOOR)
    page = door.post(DOOR, typed="zoe")
    shows(page, "<h1>Check-in at the door</h1>", "Zoë Müller is here.", "<b>1</b> of 11", "Last check-ins")
    (at,) = re.findall(r'name="at" value="([0-9]+)"', page)
    shows(door.post(DOOR, undo="p900", at=at), "Check-in undone: Zoë Müller", "<b>0</b> of 11")


def test_everyone_else_is_undone_by_one_press_but_nobody_who_was_changed_since(door: Browser) -> None:
    door.get(DESK)
    door.post(f"{DESK}/p001", state="here")
    door.post(f"{DESK}/p002", state="not coming")
    assert "Check in everyone else (9)" in door.get(DESK)
    page = door.post(f"{DESK}/all")
    shows(page, "9 players were checked in", f'action="{DESK}/all/undo"', "10 of 11 players are here")
    (at,) = re.findall(r'name="at" value="([0-9]+)"', page)
    door.station.clock.passed_ms += 1_000
    door.post(f"{DESK}/p003", state="not coming")
    door.post(f"{DESK}/p004", state="not yet")
    door.post(f"{DESK}/p004", state="here")
    page = door.post(f"{DESK}/all/undo", at=at)
    shows(page, "7 check-ins were undone", "2 of 11 players are here")
    states = door.station.run(door.station.service.of(Desk).record(OPEN)).presence
    assert {player: one.state for player, one in states.items()} == {
        ANNA: PresenceState.HERE, "p002": PresenceState.NOT_COMING, "p003": PresenceState.NOT_COMING,
        "p004": PresenceState.HERE,
    }  # fmt: skip
    shows(door.post(f"{DESK}/all/undo", at=at), "Nothing was undone: these players' check-in was undone")
    assert arrivals(scan(door, "player 1")) == [
        (f"Player {n}", AccountRole.FLOOR_JUDGE.value) for n in (4, 1)
    ]


def test_badges_of_others_and_of_players_who_left_are_refused(door: Browser) -> None:
    station = door.station
    station.does(WithdrawPlayer(PlayerId("p900"), "ill"))
    badge = station.own_page("p900")
    shows(scan(door, badge), 'data-mood="bad"', "Zoë Müller isn't in the tournament any more.")
    desk = station.service.of(Desk)
    assert station.run(desk.record(OPEN)).presence == {}


def test_who_may_not_check_in_has_no_door(door: Browser) -> None:
    page = Browser(door.station).status(DOOR)
    assert (page.status_code, page.headers["location"].partition("?")[0]) == (302, "/login")


def test_beyond_the_places_people_wait_in_order_and_the_first_is_offered(head: Browser) -> None:
    phone = Browser(head.station)
    head.post(f"{DESK}/settings", registration="yes", capacity="12")
    assert "A judge will look at your application" in applies(phone, "Lou")
    assert "number 1 on the waiting list" in applies(phone, "Wendy")
    shows(phone.get(f"{PUBLIC}/register"), "All places are taken.", "Join the waiting list")
    shows(head.get(DESK), "Register Lou</button>", "Register Wendy anyway</button>")
    assert "1 person would like to play" in head.get(JUDGE)
    head.post(f"{DESK}/p002", state="not coming")
    shows(head.get(DESK), "Register Lou</button>", "Register Wendy</button>", never="Waiting list")
    head.post(f"{DESK}/p002", state="here")
    head.station.does(WithdrawPlayer(PlayerId("p003"), "ill"))
    assert "Register Wendy</button>" in head.get(DESK)
    head.post(f"{DESK}/applications/1", answer="approve")
    head.post(f"{DESK}/applications/2", answer="approve")
    assert "Wendy" in head.get(f"{JUDGE}/players")
    assert "number 1 on the waiting list" in applies(phone, "Zed")


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_every_application_is_either_offered_or_waits(capacity: int, players: int, people: int) -> None:
    record = msgspec.structs.replace(DeskRecord(), registration=True, capacity=capacity)
    for number in range(people):
        record = record.with_application(f"Player {number}", "", number)
    contenders = [Entrant(PlayerId(f"p{number}"), "") for number in range(players)]
    offered, waiting = record.applicants(contenders), record.waiting_list(contenders)
    assert (*offered, *waiting) == record.applications
    assert not waiting or len(offered) + players == max(capacity, players)


def test_private_facts_are_off_until_switched_on_and_never_public(head: Browser) -> None:
    keep(head, **SECRET)
    assert head.station.run(head.station.service.of(Desk).record(OPEN)).private == {}
    keep(head, "note", "email", "paid", **SECRET)
    shows(head.get(DESK), *list(SECRET.values())[:2])
    shows(head.get(f"{JUDGE}/players/{ANNA}"), *list(SECRET.values())[:2])
    shows(scan(head, "player 1"), SECRET["note"], never="not paid")
    shows(scan(head, "player 2"), "not paid", "Mark as paid")
    # The address that judges keep finds its player, and so does the number in the list of players.
    shows(scan(head, " Anna@Example.org"), f"{names_of_open(head)[0]} was already here")
    shows(scan(head, "anna@example"), "No name, club or number matches")
    shows(scan(head, "11"), f"{names_of_open(head)[10]} is here.")
    rows = head.status(f"{JUDGE}/data/players/file.csv").text.splitlines()
    assert rows[0].endswith(",sheriff_in,paid,note,email")
    assert rows[1].endswith(",yes,allergic to nuts,anna@example.org")
    phone = Browser(head.station)
    own = head.station.own_page()
    public = (PUBLIC, f"{PUBLIC}/find?q=player", f"{PUBLIC}/player/{ANNA}", f"{PUBLIC}/register", own)
    for page in (*map(phone.get, public), head.get(own), head.status(f"{JUDGE}/export").text):
        assert SECRET["note"] not in page
        assert SECRET["email"] not in page


def names_of_open(browser: Browser) -> list[str]:
    return [entrant.name for entrant in browser.station.service.tournament(OPEN).entrants]


def test_a_fact_that_is_switched_off_is_deleted_and_so_are_a_removed_players(head: Browser) -> None:
    keep(head, "note", "email", **SECRET)
    head.send(f"{DESK}/private-fields", {"email": "yes"})
    record = head.station.run(head.station.service.of(Desk).record(OPEN))
    assert record.private == {ANNA: PrivateFacts(email=SECRET["email"])}
    assert record.without_player(ANNA).private == {}


def test_facts_are_refused_with_a_reason_and_the_rest_stays() -> None:
    facts = PrivateFacts(paid=True, note="late")
    assert facts_typed(facts, {"email": "a@example.org"}) == PrivateFacts(True, "late", "a@example.org")
    wrong = {"email": ("anna", DeskRefusal.NO_EMAIL), "note": ("n" * 501, DeskRefusal.NOTE_TOO_LONG)}
    for field, (text, reason) in wrong.items():
        with pytest.raises(Refused) as refused:
            facts_typed(facts, {field: text})
        assert refused.value.reason is reason


def test_an_address_that_an_applicant_gives_is_kept_for_judges(head: Browser) -> None:
    keep(head, "email")
    head.post(f"{DESK}/settings", registration="yes")
    phone = Browser(head.station)
    assert "E-mail" in phone.get(f"{PUBLIC}/register")
    applies(phone, "Lou", email="lou@example.org")
    head.post(f"{DESK}/applications/1", answer="approve")
    assert "lou@example.org" in head.get(DESK)


def test_a_list_brings_the_facts_that_are_on(head: Browser) -> None:
    question, offer = "will be deleted", "Keep for judges only: E-mail"
    assert question not in head.get(DESK), "nothing is entered yet"
    keep(head, "paid", "note", **SECRET)
    assert question in head.get(DESK)
    people = "Nome,Circolo,Pagato,Note,E-mail\nAnna Rossi,Roma,20 €,arriva alle 10,a@example.org\nBea,,no,,\n"
    preview = head.send_file(f"{JUDGE}/players/import", "file", "list.csv", people.encode())
    shows(preview, "arriva alle 10", "E-mail", offer, never="a@example.org</td>")
    content = base64.urlsafe_b64encode(people.encode()).decode()
    again = head.send(f"{JUDGE}/players/import/keep", {"content": content, "keep": "email"})
    shows(again, "arriva alle 10 · a@example.org</td>", never=offer)
    rows = again.partition('<textarea name="rows" hidden>')[2].partition("</textarea>")[0]
    head.send(f"{JUDGE}/players/import/confirm", {"rows": rows})
    record = head.station.run(head.station.service.of(Desk).record(OPEN))
    assert PrivateFacts(paid=True, note="arriva alle 10", email="a@example.org") in record.private.values()
    shows(head.get("/judge/audit"), "Changed which private facts judges keep")


def test_a_record_of_an_earlier_version_is_read() -> None:
    application = '{"number":1,"name":"A","club":"","at_ms":5}'
    stored = f'{{"presence":{{"p001":{{"state":"here","at_ms":5}}}},"applications":[{application}]}}'
    record = msgspec.json.decode(stored, type=DeskRecord)
    assert record.presence == {ANNA: Presence(PresenceState.HERE, 5)}
    assert record.waiting_list(()) == ()
    assert record.private_fields == frozenset()
    kept = record.with_private_fields(frozenset(PrivateField))
    assert msgspec.json.decode(msgspec.json.encode(kept), type=DeskRecord) == kept


def test_somebody_with_the_number_of_a_player_whose_registration_was_undone_inherits_nothing(
    head: Browser,
) -> None:
    keep(head, "note", "email", **SECRET)
    head.send(f"{DESK}/facts/p900", {"note": "of Zoë"})
    head.post(f"{JUDGE}/players", name="Lou")
    lou = next(one.player for one in head.station.service.tournament(OPEN).entrants if one.name == "Lou")
    head.send(f"{DESK}/facts/{lou}", {"note": "of Lou"})
    head.post(f"{JUDGE}/undo", steps="1", reason="somebody else")
    head.post(f"{JUDGE}/players", name="Wendy")
    record = head.station.run(head.station.service.of(Desk).record(OPEN))
    wendy = next(one.player for one in head.station.service.tournament(OPEN).entrants if one.name == "Wendy")
    assert wendy == lou
    assert record.facts_of(wendy) == PrivateFacts()
    assert record.facts_of(PlayerId("p900")) == PrivateFacts(note="of Zoë")


def test_a_browser_that_reads_no_codes_sends_its_camera_s_picture(station: Station, judge: Browser) -> None:
    station.opens(10)
    badge = f"http://station{station.own_page('p003')}"
    frame = f"{DOOR}/frame"
    judge.get(DOOR)
    picture = BytesIO()
    segno.make(badge, error="m").save(picture, kind="png", scale=4)
    read = json.loads(judge.send_file(frame, "file", "frame.png", picture.getvalue()))
    assert read == {"codes": [badge]}
    shows(judge.post(DOOR, typed=read["codes"][0]), "Player 3 is here.")
    for nothing in (b"", b"no picture"):
        assert json.loads(judge.send_file(frame, "file", "frame.jpg", nothing)) == {"codes": []}
