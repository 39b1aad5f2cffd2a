"""Screens in the hall: one link each, controlled by a judge, and without secrets."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.rule_set import RuleSet
from core.terms import PlayerId, RoundNo, TournamentId
from core.tournament.draw.drawing import MakeDraw, SealDraw
from core.tournament.registration import OpenTournament
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import Stage, TournamentState, Waivers
from station.players.service import Desk, PresenceState
from station.projectors import public_page
from station.projectors.hall_pages import HALL_PAGES, pages_of_day
from station.projectors.service import Projector, ProjectorRefusal, Projectors, checked
from tests.station.browser import Browser, first_group, shows
from tests.station.conftest import OPEN, Station, present, seed

TEN = (
    "seats-by-name", "seats-by-table", "clock", "missing", "high-noon", "tables", "finals", "announcement",
    "ranking", "podium",
)  # fmt: skip
CHOOSES_TEN = {f"page-{key}": "yes" for key in TEN}
SCREENS = f"/judge/t/{OPEN}/projectors"


def added(station: Station, judge: Browser) -> str:
    judge.post(SCREENS, name="Entrance")
    return f"/projector/{station.run(station.service.of(Projectors).all(OPEN))[-1].key}"


@pytest.fixture
def link(station: Station, judge: Browser) -> str:
    """The link of a screen in a tournament of ten players, whose first round is not drawn."""
    station.opens(10)
    return added(station, judge)


def pinned(judge: Browser, link: str, page: str) -> None:
    judge.post(f"{SCREENS}/{link.rpartition('/')[2]}/pin", page=page)


def screens(visitor: Browser, link: str) -> list[str]:
    return re.findall(r'data-page="([\w-]+)"', visitor.get(f"{link}/pages"))


def key_of(page: str) -> str:
    return str(re.findall(r'data-key="(\w+)"', page)[0])


def test_a_screen_shows_what_there_is_and_nothing_else(station: Station, visitor: Browser, link: str) -> None:
    assert 'src="/static/projector.js"' in visitor.get(link)
    assert screens(visitor, link) == ["check-in"]
    station.run(station.service.of(Desk).set_presence(OPEN, PlayerId("p001"), PresenceState.HERE))
    assert screens(visitor, link) == ["check-in", "missing"]
    assert "Here: 1 of 10 players" in visitor.get(f"{link}/pages")
    station.publishes()
    assert screens(visitor, link) == ["seats-by-name", "seats-by-table", "clock", "tables"]


def test_no_screen_knows_a_role_or_a_dollar_before_the_ranking_is_public(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    terminal = station.terminal(1)
    station.publishes()
    terminal.plays()
    pages = visitor.get(f"{link}/pages")
    assert "data-page=" in pages
    for secret in ("$", "Outlaw", "Renegade", "Deputy"):
        assert secret not in pages


def test_the_pages_are_sent_again_only_when_they_change(judge: Browser, visitor: Browser, link: str) -> None:
    key = key_of(visitor.get(f"{link}/pages"))
    assert visitor.status(f"{link}/pages?seen={key}").status_code == 204
    pinned(judge, link, "clock")
    page = visitor.get(f"{link}/pages?seen={key}")
    assert key_of(page) != key
    assert screens(visitor, link) == ["clock"]


def test_a_judge_chooses_pages_languages_letters_and_an_announcement(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10)
    station.publishes()
    link = added(station, judge)
    key = link.rpartition("/")[2]
    chosen = {
        "name": "Bar", "text": "Lunch <b>at</b> one", "seconds": "7", "letters": "far", "look": "light",
        "page-seats-by-name": "yes", "page-announcement": "yes", "language-en": "yes", "language-it": "yes",
    }  # fmt: skip
    judge.send(f"{SCREENS}/{key}", chosen)
    page = visitor.get(f"{link}/pages")
    assert screens(visitor, link) == ["seats-by-name", "announcement", "seats-by-name"]
    assert 'data-seconds="7"' in page
    assert 'data-look="light"' in page
    assert 'data-lines="11"' in page
    assert "Lunch &lt;b&gt;at&lt;/b&gt; one" in page
    assert "Trova il tuo tavolo" in page
    for wrong, reason in (
        ({"seconds": "1"}, "between 5 and 120"),
        ({"seconds": "soon"}, "soon"),
        ({"text": "x" * 401}, "401"),
        ({"name": ""}, "Give the screen a name"),
        ({"letters": "huge"}, "alert"),
    ):
        assert reason in judge.send(f"{SCREENS}/{key}", chosen | wrong)
    assert 'data-seconds="7"' in visitor.get(f"{link}/pages")


def test_a_removed_screens_link_opens_nothing(judge: Browser, visitor: Browser, link: str) -> None:
    judge.post(f"{SCREENS}/{link.rpartition('/')[2]}/remove")
    assert visitor.status(link).status_code == 404
    assert visitor.status(f"{link}/pages").status_code == 404
    assert "That screen has been removed." in judge.post(
        f"{SCREENS}/{link.rpartition('/')[2]}/pin", page="clock"
    )


@pytest.mark.parametrize("key", ["nobody", "%F0%9F%92%A9", "K" * 300, "'%22"])
def test_a_wrong_link_is_nobodys(visitor: Browser, link: str, key: str) -> None:
    assert link
    assert visitor.status(f"/projector/{key}").status_code == 404
    assert visitor.status(f"/projector/{key}/pages").status_code == 404


def test_choices_that_cannot_be(station: Station) -> None:
    screen = Projector("K", "Hall", OPEN)
    with pytest.raises(BadData, match="between 5 and 120"):
        checked(Projector("K", "Hall", OPEN, seconds=500))
    assert checked(Projector("K", "Hall", OPEN, languages=("xx",))).languages == ("en",)
    assert checked(screen) == screen
    projectors = station.service.of(Projectors)
    for number in range(40):
        station.run(projectors.add(OPEN, f"Screen {number}", "en"))
    with pytest.raises(Refused) as refused:
        station.run(projectors.add(OPEN, "One more", "en"))
    assert refused.value.reason is ProjectorRefusal.TOO_MANY


def test_a_running_clock_sends_nothing_again(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10, Waivers(time_limit_min=60))
    link = added(station, judge)
    station.publishes()
    judge.send(f"/judge/t/{OPEN}/clock", {"do": "start"})
    page = visitor.get(f"{link}/pages")
    assert "data-ends=" in page
    station.clock.passed_ms += 2_345
    assert visitor.status(f"{link}/pages?seen={key_of(page)}").status_code == 204
    judge.send(f"/judge/t/{OPEN}/clock", {"do": "stop"})
    assert visitor.status(f"{link}/pages?seen={key_of(page)}").status_code == 200


def test_an_overlay_shows_a_table_without_roles(station: Station, visitor: Browser, link: str) -> None:
    terminal = station.terminal(1)
    station.publishes()
    terminal.starts()
    page = visitor.get(f"{link}/overlay?table=1")
    assert 'data-asked="' in page
    assert f"{link}/overlay/pages?table=1&amp;" in page
    strip = visitor.get(f"{link}/overlay/pages?table=1")
    assert "Table 1" in strip
    assert strip.count("<li") == 5
    for secret in ("$", "Outlaw", "Renegade", "Deputy", "outlaw"):
        assert secret not in strip
    assert visitor.status(f"{link}/overlay/pages?table=1&seen={key_of(strip)}").status_code == 204
    without = visitor.get(f"{link}/overlay/pages")
    assert "2 tables in play" in without
    assert "<li" not in without
    assert visitor.status(f"{link}x/overlay").status_code == 404
    assert visitor.status(f"{link}/overlay?table=x").status_code == 400
    assert "<li" not in visitor.get(f"{link}/overlay/pages?table=99")


def test_judges_see_if_a_screen_is_on(station: Station, judge: Browser, visitor: Browser, link: str) -> None:
    assert "not opened yet" in judge.get(SCREENS)
    visitor.get(f"{link}/pages")
    assert ">on</span>" in judge.get(SCREENS)
    station.clock.passed_ms += 60_000
    assert "off since" in judge.get(SCREENS)


def test_a_table_that_nobody_reports_claims_nothing_about_its_game(
    station: Station, judge: Browser, visitor: Browser, link: str
) -> None:
    terminal = station.terminal(1)
    station.publishes()
    terminal.starts()
    pinned(judge, link, "tables")
    page = visitor.get(f"{link}/pages")
    assert page.count("5 of 5 in play") == page.count("5 players") == 1


def test_no_screen_shows_tables_of_a_finished_round(station: Station, visitor: Browser, link: str) -> None:
    station.plays_round()
    assert station.service.tournament(OPEN).stage is Stage.BETWEEN
    assert screens(visitor, link) == ["next"]
    assert "Round 2" in visitor.get(f"{link}/pages")


def test_screens_show_the_hash_of_a_sealed_draw(station: Station, visitor: Browser, link: str) -> None:
    station.does(SealDraw(seed=seed("cactus")))
    assert screens(visitor, link) == ["check-in", "next"]
    page = visitor.get(f"{link}/pages")
    assert station.latest_round.seal in page
    assert seed("cactus") not in page
    station.does(MakeDraw(hall_word="tumbleweed"))
    assert "Its hash" not in visitor.get(f"{link}/pages")


def test_screens_show_the_finals_with_their_score(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=3), "championship-2010")
    link = added(station, judge)
    station.run(station.service.of(Desk).set_presence(OPEN, PlayerId("p001"), PresenceState.HERE))
    for number in range(3):
        station.plays_round(number)
    assert 'said">Semifinals</p>' in visitor.get(f"{link}/pages")
    station.breaks_ties()
    finals = f"/judge/t/{OPEN}/finals"
    judge.send(f"{finals}/rounds", {})
    judge.send(f"{finals}/begin", {"kind": "long-duel"})
    assert screens(visitor, link) == ["finals"]
    page = visitor.get(f"{link}/pages")
    known = present(station.service.tournament(OPEN).finals)
    first, fourth = (f"Player {int(player[1:])}" for player in known.semifinal_pairs[0])
    players = "".join(f'<p class="side"><span>{name}</span></p>' for name in (first, fourth))
    assert f"<h2>Semifinal 1 · Table 1</h2>{players}" in page
    assert "Winner of semifinal 1" in page
    assert "Round 3" not in page
    judge.send(f"/judge/t/{OPEN}/tables/4/1/sheet/confirm", {"score-1": "5", "score-2": "2", "how": "score"})
    assert screens(visitor, link) == ["finals"]
    page = visitor.get(f"{link}/pages")
    assert f'<span>{first} ★</span> <b>5</b></p><p class="side over"><span>{fourth}</span> <b>2</b>' in page
    assert f'<p class="side"><span>{first}</span></p><p class="side"><span>Winner of semifinal 2' in page
    judge.send(f"/judge/t/{OPEN}/tables/4/2/sheet/confirm", {"score-1": "5", "score-2": "2", "how": "score"})
    assert 'said">Final</p>' in visitor.get(f"{link}/pages")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["podium", "ranking", "high-noon", "announcement", "seats-by-name"])
def test_a_screen_with_no_page_shows_the_clock(
    judge: Browser, visitor: Browser, link: str, page: str
) -> None:
    pinned(judge, link, page)
    assert screens(visitor, link) == ["clock"]


@pytest.mark.parametrize("page", ["projectors", "check-in", "print"])
def test_pages_with_codes_say_if_no_phone_can_open_them(station: Station, judge: Browser, page: str) -> None:
    station.opens(10)
    warning = "only open on this computer"
    assert warning not in judge.get(f"/judge/t/{OPEN}/{page}")
    assert warning in judge.status(f"/judge/t/{OPEN}/{page}", host="127.0.0.1:8080").text


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/judge/accounts/invitations", {"name": "Zoe", "role": "floor-judge"}),
        ("/judge/devices", {"table": "1"}),
    ],
)
def test_pages_of_new_codes_say_so(station: Station, judge: Browser, path: str, form: dict[str, str]) -> None:
    station.opens(10)
    warning = "only open on this computer"
    assert warning not in judge.answer(path, form).text
    answer = judge.answer(path, form | {"name": "Ann"}, host="127.0.0.1:8080")
    assert "data:image/svg" in answer.text
    assert warning in answer.text


def test_a_screen_says_where_to_register_while_players_may(
    station: Station, visitor: Browser, link: str
) -> None:
    address = f"/t/{OPEN}/register"
    assert address not in visitor.get(f"{link}/pages")
    desk = station.service.of(Desk)
    station.run(desk.change(OPEN, lambda one: replace(one, registration=True, self_check_in=True)))
    page = visitor.get(f"{link}/pages")
    assert address in page
    assert "Scan the code on your badge" in page
    station.publishes()
    assert address not in visitor.get(f"{link}/pages")


def test_pages_that_follow_the_day_have_the_public_pages_code(
    station: Station, judge: Browser, visitor: Browser, link: str
) -> None:
    station.publishes()
    code = 'id="code"'
    assert code in visitor.get(f"{link}/pages")
    assert code not in visitor.status(f"{link}/pages", host="127.0.0.1:8080").text
    assert code not in visitor.get(f"{link}/overlay/pages")
    pinned(judge, link, "clock")
    assert code not in visitor.get(f"{link}/pages")
    pinned(judge, link, "day")
    assert code in visitor.get(f"{link}/pages")


def test_after_the_ranking_the_next_tournament_by_date_is_shown(
    station: Station, visitor: Browser, judge: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    station.plays_round()
    station.publishes_ranking()
    today = station.service.tournament(OPEN)
    assert screens(visitor, link) == ["podium", "ranking"]
    for name, date in (("Later Cup", "2031-01-03"), ("Sunday Cup", "2031-01-02"), ("Old Cup", "1999-01-01")):
        rules = today.rules
        number = TournamentId(name.lower().replace(" ", "-"))
        station.run(
            station.service.decide(number, OpenTournament(number, name, rules, date, Waivers()), "Roy")
        )
    assert screens(visitor, link) == ["podium", "ranking", "tomorrow"]
    page = visitor.get(f"{link}/pages")
    assert "Sunday Cup" in page
    assert "2 Jan 2031" in page
    assert "Later Cup" not in page


def test_tomorrows_tournament_is_announced_with_its_code(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    station.plays_round()
    station.publishes_ranking()
    rules = station.service.tournament(OPEN).rules
    number = TournamentId("sunday")
    station.run(
        station.service.decide(
            number, OpenTournament(number, "Sunday Cup", rules, "2026-11-22", Waivers()), "R"
        )
    )
    page = visitor.get(f"{link}/pages")
    assert "<h1>Tomorrow</h1>" in page
    assert "/t/sunday</p>" in page


def test_players_who_share_the_third_place_share_its_step(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=3), "championship-2010")
    link = added(station, judge)
    for number in range(3):
        station.plays_round(number)
    station.breaks_ties()
    judge.send(f"/judge/t/{OPEN}/finals/rounds", {})
    for number, tables in ((4, (1, 2)), (5, (1,))):
        judge.send(f"/judge/t/{OPEN}/finals/begin", {"kind": "long-duel"})
        for table in tables:
            sheet = f"/judge/t/{OPEN}/tables/{number}/{table}/sheet/confirm"
            judge.send(sheet, {"score-1": "5", "score-2": "2", "how": "score"})
    station.does(PublishRanking())
    podium = first_group(r'<div class="podium">(.*?)</section>', visitor.get(f"{link}/pages"))
    assert [step.count("<strong>") for step in podium.split('<div class="step')[1:]] == [1, 1, 2]


@pytest.mark.parametrize("chosen", [list(TEN), ["clock", "ranking"], []])
def test_a_stored_screen_of_before_follows_the_day_unless_somebody_chose_its_pages(
    station: Station, judge: Browser, visitor: Browser, link: str, chosen: list[str]
) -> None:
    key = link.rpartition("/")[2]
    stored = [{"key": key, "name": "Hall", "tournament": OPEN, "pages": chosen, "seconds": 20}]
    station.service.context.parts.settings.set("projectors", msgspec.json.encode(stored).decode())
    follows = len(chosen) in {0, len(TEN)}
    assert screens(visitor, link) == (["check-in"] if follows else ["clock"])
    judge.send(f"{SCREENS}/{key}", {"name": "Hall", "seconds": "20", "letters": "far"} | CHOOSES_TEN)
    assert not present(station.run(station.service.of(Projectors).find(key))).follows_the_day


def test_a_page_that_a_newer_station_knew_is_left_out(station: Station, visitor: Browser, link: str) -> None:
    key = link.rpartition("/")[2]
    stored = [{"key": key, "name": "Hall", "tournament": OPEN, "pages": ["weather", "clock"]}]
    station.service.context.parts.settings.set("projectors", msgspec.json.encode(stored).decode())
    assert screens(visitor, link) == ["clock"]


def test_every_page_is_declared_with_a_template() -> None:
    folder = Path(public_page.__file__).parent / "templates/public/hall"
    assert {file.stem for file in folder.iterdir()} == set(HALL_PAGES)


def test_a_preview_may_be_framed_and_is_no_sign_of_a_screen_that_is_on(
    judge: Browser, visitor: Browser, link: str
) -> None:
    assert visitor.status(link).headers["X-Frame-Options"] == "DENY"
    preview = visitor.status(f"{link}?preview=1")
    assert preview.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in preview.headers["Content-Security-Policy"]
    visitor.get(f"{link}/pages?preview=1")
    assert "not opened yet" in judge.get(SCREENS)


@given(stage=st.sampled_from(Stage), is_archived=st.booleans(), published=st.lists(st.booleans(), max_size=5))
def test_whatever_the_stage_no_old_seats_and_no_early_ranking(
    *, stage: Stage, is_archived: bool, published: list[bool]
) -> None:
    rounds = tuple(Round(RoundNo(n), 1, "", "", published=one) for n, one in enumerate(published, 1))
    rules = RuleSet("championship-2022")
    state = TournamentState(OPEN, "Cup", rules, "2026-03-21", Waivers(), stage, rounds=rounds)
    pages = {page.key for page in pages_of_day(state, is_archived=is_archived)}
    if stage is not Stage.PLAYING:
        assert not pages & {"seats-by-name", "seats-by-table", "tables"}
    if stage is not Stage.PUBLISHED:
        assert not pages & {"ranking", "podium"}
    assert pages


def test_a_pinned_screen_of_a_removed_tournament_announces_the_next_one(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10)
    day = station.service.tournament(OPEN).date
    judge.get("/judge/new/championship-2022")
    judge.post("/judge/tournaments", name="Evening Cup", date=day, edition="championship-2022")
    screens = f"/judge/t/{OPEN}/projectors"
    judge.post(screens, name="Entrance")
    (screen,) = station.run(station.service.of(Projectors).all(OPEN))
    judge.post(f"{screens}/{screen.key}/pin", page="clock")
    shows(visitor.get(f"/projector/{screen.key}/pages"), "No table is playing", never="Evening Cup")
    judge.post(f"/judge/t/{OPEN}/remove", name="Open")
    shows(visitor.get(f"/projector/{screen.key}/pages"), "Evening Cup", never="No table is playing")
    judge.post(f"/judge/t/{OPEN}/reopen")
    shows(visitor.get(f"/projector/{screen.key}/pages"), "No table is playing")
