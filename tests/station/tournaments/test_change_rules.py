"""Rules that the judge changes before the first draw is public."""

import re
from html import unescape

import pytest
from msgspec.structs import replace

from core.editions.readings import BEFORE_IT_WAS_ASKED
from core.game.orders import SeatGame
from core.rule_set import AgreementForm, OptionKey, RecordMode, RuleSet
from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, SealDraw
from core.tournament.registration import ChangeRules, RemovePlayer
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState, Waivers
from station.players.service import Desk, PresenceState
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station, seed
from tests.station.tournaments.test_opening import ENGLISH, HOUSE, only

BASE = f"/judge/t/{OPEN}"
RULES = f"{BASE}/change-rules"
LATER = {"edition": "championship-2010", "mode": "light", "agreement": "one-for-all", "time_limit_min": "45"}


@pytest.fixture(autouse=True)
def _opened(station: Station) -> None:
    station.opens(10)


def confirm(judge: Browser, page: str, expected: int = 200) -> str:
    """Press the button of the preview."""
    form = page[page.index(f'action="{RULES}"') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"_][^"]*)" value="([^"]*)"', form))
    house = re.search(r'<textarea name="house_rules" hidden>\n(.*?)</textarea>', form, re.DOTALL)
    if house is not None:
        fields["house_rules"] = unescape(house[1])
    return judge.send(RULES, fields, expected)


def test_a_judge_changes_everything_and_sees_before_and_after(station: Station, judge: Browser) -> None:
    badge = station.own_page("p003")
    station.run(station.service.of(Desk).set_presence(OPEN, PlayerId("p003"), PresenceState.HERE, "Roy"))
    judge.get(BASE)
    assert "Players, presence and badges stay as they are" in judge.get(f"{RULES}/championship-2010")
    preview = judge.send(f"{RULES}/preview", LATER)
    for before, after in (
        ("BANG! Championship 2022/23", "BANG! Championship 2010"),
        (ENGLISH.label(RecordMode.FULL), ENGLISH.label(RecordMode.LIGHT)),
        ("–", "45 minutes"),
    ):
        assert re.search(rf"<td>{re.escape(before)}.*?</td><td><strong>{re.escape(after)}", preview), before
    assert only(station).rules == RuleSet("championship-2022", readings=only(station).rules.readings)
    assert "The rules have been changed." in confirm(judge, preview)
    state = only(station)
    assert (state.edition, state.rules.mode, state.rules.agreement, state.waivers.time_limit_min) == (
        "championship-2010", RecordMode.LIGHT, AgreementForm.ONE_FOR_ALL, 45,
    )  # fmt: skip
    assert len(state.entrants) == 10
    assert station.own_page("p003") == badge
    assert "Player 3" in judge.get(badge)
    desk = station.run(station.service.of(Desk).record(OPEN))
    assert desk.state_of(PlayerId("p003")) is PresenceState.HERE
    shows(
        unescape(judge.get(f"{BASE}/history")),
        "Rules changed: BANG! Championship 2022/23 → BANG! Championship 2010; ",
        "What tables record: Full game → Light game; ",
        "Time limit: – → 45 minutes",
    )
    assert "BANG! Championship 2010" in judge.get(f"/t/{OPEN}/rules")
    assert station.verdict().holds


def test_house_rules_come_and_go(station: Station, judge: Browser) -> None:
    judge.get(f"{RULES}/choose")
    form = judge.send(f"{RULES}/house-rules", {"house_rules": HOUSE})
    assert f'action="{RULES}/preview"' in form
    preview = judge.send(f"{RULES}/preview", {"edition": "saloon-cup", "house_rules": HOUSE})
    assert "$3,300" in preview
    confirm(judge, preview)
    assert only(station).rules.house_rules == HOUSE
    assert station.service.rules(OPEN).title == "Cup of the Saloon"
    assert station.verdict().holds
    confirm(judge, judge.send(f"{RULES}/preview", {"edition": "championship-2022"}))
    assert only(station).rules.house_rules == ""
    assert station.verdict().holds


def test_rules_changed_before_the_draw_are_those_that_terminals_get(station: Station) -> None:
    terminal = station.terminal(1)
    station.does(ChangeRules(RuleSet("championship-2010", mode=RecordMode.LIGHT), Waivers()))
    station.publishes()
    (seated,) = terminal.ordered(SeatGame)
    assert (seated.seating.rules.edition, seated.seating.rules.mode) == (
        "championship-2010",
        RecordMode.LIGHT,
    )
    assert station.verdict().holds


def test_a_sealed_draw_is_first_undone_so_that_everyone_sees_it(station: Station, judge: Browser) -> None:
    change = ChangeRules(RuleSet("championship-2010"), Waivers())
    station.does(SealDraw(seed=seed("one")))
    assert station.refuses(change).reason is TournamentReason.RULES_OF_A_SEALED_DRAW
    station.does(MakeDraw(hall_word="x"))
    assert station.refuses(change).reason is TournamentReason.RULES_OF_A_SEALED_DRAW
    assert "The first draw is already sealed." in judge.get(RULES)
    station.does(UndoSteps(2, "other rules"))
    assert station.does(change).edition == "championship-2010"
    redrawn = station.does(SealDraw(seed=seed("two"), reason="other rules"))
    assert redrawn.rounds[-1].attempt == 2, "the discarded draw counts"
    assert station.verdict().holds


def test_after_the_first_publication_the_way_is_a_copy(station: Station, judge: Browser) -> None:
    judge.get(RULES)
    preview = judge.send(f"{RULES}/preview", LATER)
    station.publishes()
    assert "Copy the tournament instead" in confirm(judge, preview, 422)
    assert only(station).edition == "championship-2022"
    assert f'href="{RULES}"' not in judge.get(BASE)
    assert f'href="/judge/new/as/{OPEN}?copies={OPEN}"' in judge.get(BASE)
    assert "Copy the tournament instead" in judge.get(RULES)


def test_of_two_judges_the_second_compares_again(station: Station, judge: Browser) -> None:
    judge.get(RULES)
    one = judge.send(f"{RULES}/preview", LATER)
    other = judge.send(f"{RULES}/preview", {**LATER, "edition": "official-2003"})
    confirm(judge, one)
    assert "The rules were changed meanwhile." in confirm(judge, other, 422)
    assert only(station).edition == "championship-2010"
    confirm(judge, one)
    assert len(station.service.history(OPEN)) == 3, "pressed twice, changed once"


def test_what_new_rules_refuse_is_said_before_they_are_saved(station: Station, judge: Browser) -> None:
    for player in ("p008", "p009", "p010"):
        station.does(RemovePlayer(PlayerId(player)))
    judge.get(RULES)
    assert "Too few players (7)" in judge.send(f"{RULES}/preview", LATER)
    assert "Too few players" not in judge.send(f"{RULES}/preview", {**LATER, "edition": "official-2003"})
    shows(judge.send(f"{RULES}/preview", {**LATER, "rounds": "99"}, 422), "the rules allow at most")
    assert only(station).waivers == Waivers()
    assert "has these rules already" in judge.send(f"{RULES}/preview", {"edition": "championship-2022"}, 422)
    judge.send(f"{RULES}/preview", {"edition": "nobodys"}, 422)
    judge.get(f"{RULES}/nobodys", expected=404)


def test_back_keeps_the_choices(judge: Browser) -> None:
    judge.get(RULES)
    form = judge.send(f"{RULES}/preview", {**LATER, "back": "yes"})
    assert 'name="time_limit_min"' in form
    assert 'value="45"' in form
    assert judge.get(f"{RULES}/preview") == judge.get(RULES)


def test_a_change_is_undone_like_any_step(station: Station) -> None:
    before: TournamentState = only(station)
    option = replace(before.rules, options=(OptionKey.RUTHLESS_LAW,), edition="official-2003")
    station.does(ChangeRules(option, Waivers()))
    station.does(UndoSteps(1, "a mistake"))
    assert only(station).rules == before.rules
    assert station.verdict().holds


def test_every_page_of_the_tournament_follows_the_new_rules(station: Station, judge: Browser) -> None:
    for key in ("championship-2010", "official-2003", "championship-2022"):
        station.does(ChangeRules(RuleSet(key), Waivers()))
        pages = re.findall(rf'href="((?:{BASE}|/t/{OPEN})[^"#]*)"', judge.get(BASE))
        assert len(pages) > 10
        for page in set(pages):
            if not page.endswith(("/export", "/workbook.xlsx")):
                judge.get(page)
        shows(judge.get(f"/t/{OPEN}/rules"), station.service.rules(OPEN).title)
    judge.get(f"{BASE}/history")
    undo = {"steps": "3", "reason": "a mistake", "seen": "5"}
    assert "Undo 3 steps?" in judge.send(f"{BASE}/undo/what-if", undo)
    judge.send(f"{BASE}/undo", undo)
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_a_tournament_of_an_earlier_version_keeps_its_answers(station: Station, judge: Browser) -> None:
    older = replace(only(station).rules, readings=())
    track = station.context.projections.tournaments[OPEN]
    moment = track.timeline.moments[-1]
    state = replace(moment.state, rules=older)
    moments = (*track.timeline.moments[:-1], replace(moment, state=state))
    track.timeline = replace(track.timeline, moments=moments)
    form = judge.get(RULES)
    for name, value in BEFORE_IT_WAS_ASKED.items():
        if f'name="reading-{name}"' in form:
            assert f'name="reading-{name}" value="{value}" checked' in form


@pytest.mark.parametrize("edition", ["championship-2010", "official-2003", "simplified-2003"])
def test_another_edition_is_compared_at_once_and_keeps_the_choices_that_it_has(
    station: Station, judge: Browser, edition: str
) -> None:
    light = RuleSet("championship-2022", mode=RecordMode.LIGHT, agreement=AgreementForm.ONE_FOR_ALL)
    station.does(ChangeRules(light, Waivers(time_limit_min=45), unofficial=True))
    assert f'href="{RULES}/compare/{edition}"' in judge.get(RULES)
    confirm(judge, judge.get(f"{RULES}/compare/{edition}"))
    changed = only(station)
    assert (changed.edition, changed.rules.mode, changed.rules.agreement) == (
        edition,
        light.mode,
        light.agreement,
    )
    assert changed.waivers.time_limit_min == (45 if edition == "championship-2010" else None)
    shows(judge.get(f"{RULES}/compare/{edition}", expected=422), "has these rules already")
    judge.get(f"{RULES}/compare/nobodys", expected=404)
