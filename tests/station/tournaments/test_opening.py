"""A new tournament: the rules on offer, options, readings and an organiser's own rules."""

from html import unescape
from importlib import resources

import pytest
from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.loader import editions
from core.editions.readings import BEFORE_IT_WAS_ASKED, SimplifiedMultiplier
from core.editions.winnings_table import WinningsCase
from core.rule_set import OptionKey, ReadingChoice
from core.terms import Role
from core.text.open_questions import questions
from core.text.rules_in_words import text_chapters
from core.tournament.state.tournament import TournamentState
from station.text.i18n import Words
from station.text.rules_in_words import in_short, options, winnings_rows
from tests.station.browser import Browser, shows
from tests.station.conftest import Station

CHAMPIONSHIP = "championship-2022"
ENGLISH = Words("en")


def file_of(key: str) -> str:
    return resources.files("core.editions").joinpath(f"{key}.toml").read_text(encoding="utf-8")


HOUSE = file_of(CHAMPIONSHIP).replace('key = "championship-2022"', 'key = "saloon-cup"').replace(
    'title = "BANG! Championship 2022/23"', 'title = "Cup of the Saloon"'
).replace("dollars = [2200, 2400, 2600]", "dollars = [3300, 3400, 3600]")  # fmt: skip


def opening(edition: str = CHAMPIONSHIP, **more: str) -> dict[str, str]:
    return {"name": "Sunday", "date": "2026-11-22", "edition": edition, **more}


def only(station: Station) -> TournamentState:
    (state,) = station.service.tournaments()
    return state


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.key)
def test_every_edition_is_on_offer_and_its_form_says_its_rules_and_options(
    judge: Browser, edition: Edition
) -> None:
    assert f'href="/judge/new/{edition.key}"' in judge.get("/judge/new")
    form = judge.get(f"/judge/new/{edition.key}")
    for key in OptionKey:
        assert (f'name="option-{key.value}"' in form) is (key in edition.offered)
    assert in_short(edition, ENGLISH)[0] in form


def test_a_new_tournament_states_the_readings_that_older_ones_did_not(
    judge: Browser, station: Station
) -> None:
    judge.send("/judge/tournaments", opening(**{"reading-sid_with_two_left": "as_beer"}))
    stated = {choice.name: choice.value for choice in only(station).rules.readings}
    assert stated == {"high_noon_starter_died": "next_living", "sid_with_two_left": "as_beer"}


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.key)
def test_the_page_of_rules_tells_every_chapter(visitor: Browser, edition: Edition) -> None:
    page = visitor.get(f"/rules/{edition.key}")
    for chapter in text_chapters(edition, ENGLISH):
        for line in chapter.sentences:
            assert line.text in unescape(page)
            assert f"({line.source(ENGLISH)})" in unescape(page)
    for _, pays in winnings_rows(edition, ENGLISH):
        assert pays[0] in page
    for option in options(edition, ENGLISH):
        assert option.title in page


def test_unknown_rules_are_a_missing_page(judge: Browser) -> None:
    for path in ("/judge/new/dodge-city", "/judge/new/as/nowhere", "/t/nowhere/rules", "/rules/nobodys"):
        judge.get(path, expected=404)
    assert "tournament doesn" in judge.get("/t/nowhere", expected=404)


def test_questions_about_what_an_edition_has_not_are_not_put() -> None:
    put = {question.name for question in questions(editions()[1], {}, ENGLISH)}
    assert editions()[1].key == CHAMPIONSHIP
    open_points = {"short_duel_start", "simplified_multiplier", "renegade_final_duel"}
    assert put & open_points == {"renegade_final_duel"}
    first = {question.name for question in questions(editions()[0], {}, ENGLISH)}
    assert "short_duel_start" in first


def test_only_questions_with_a_second_answer_are_put_and_the_usual_one_is_marked() -> None:
    for edition in editions():
        for question in questions(edition, {}, ENGLISH):
            assert len(question.answers) > 1
            assert question.chosen.is_default


def test_a_chosen_reading_is_kept_and_told_to_everybody(station: Station, judge: Browser) -> None:
    judge.get(f"/judge/new/{CHAMPIONSHIP}")
    chosen = {"reading-renegade_final_duel": "strict", "reading-tiebreak_opponents": "per_encounter"}
    page = judge.send("/judge/tournaments", opening(**chosen))
    state = only(station)
    assert state.rules.readings[0] == ReadingChoice("renegade_final_duel", "strict")
    assert {choice.name for choice in state.rules.readings[1:]} == set(BEFORE_IT_WAS_ASKED)
    assert f"/t/{state.tournament}/rules" in page
    assert "1 question decided differently" in judge.get(f"/t/{state.tournament}")
    text = judge.get(f"/t/{state.tournament}/rules")
    shows(text, "What the judge decided differently", "but only if the Sheriff eliminated the Renegade")
    assert "but only if the Sheriff eliminated the Renegade" not in judge.get(f"/rules/{CHAMPIONSHIP}")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("reading-renegade_final_duel", "whenever", "whenever"),
        ("reading-rounds_recomputed_on_withdrawal", "true", "rounds_recomputed_on_withdrawal"),
        ("option-cash-rewards", "yes", "cash-rewards is not offered"),
        ("edition", "dodge-city", "there is no edition"),
        ("rounds", "many", "many isn't a whole number"),
    ],
)
def test_what_the_rules_do_not_know_is_refused_in_words_and_opens_nothing(
    station: Station, judge: Browser, name: str, value: str, problem: str
) -> None:
    assert problem in judge.send("/judge/tournaments", opening() | {name: value}, 422)
    assert station.service.tournaments() == ()


def test_a_refused_opening_keeps_options_and_readings(judge: Browser) -> None:
    judge.get(f"/judge/new/{CHAMPIONSHIP}")
    typed = opening(**{"reading-simultaneous": "elimination_order", "rounds": "x"})
    page = judge.send("/judge/tournaments", typed, 422)
    shows(page, 'value="elimination_order" checked', 'class="more" open>')


def test_house_rules_are_explained_opened_and_offered_again(station: Station, judge: Browser) -> None:
    shows(judge.send("/judge/new/house-rules", {"house_rules": HOUSE}), "Cup of the Saloon", "$3,300")
    judge.send("/judge/tournaments", opening("saloon-cup", house_rules=HOUSE.replace("\n", "\r\n")))
    state = only(station)
    assert state.rules.house_rules == HOUSE
    assert station.service.rules(state.tournament).key == "saloon-cup"
    assert "Cup of the Saloon" in judge.get("/judge/new")
    assert 'value="saloon-cup"' in judge.get(f"/judge/new/as/{state.tournament}")
    assert "$3,300" in judge.get(f"/t/{state.tournament}/rules")


@pytest.mark.parametrize(
    ("was", "typed", "problem"),
    [
        ("dollars = [3300, 3400, 3600]", "dollars = [3300, 3400]", "amounts"),
        ("sheriff_once = true", "sheriff_once = 7", "tables.sheriff_once"),
        ("start_money = 0", "start_munny = 0", "start_munny"),
        ("[tables]", "[tables", "this is not TOML"),
        (HOUSE, " ", "Choose a house rules file"),
        (HOUSE, "# " + "x" * 70_000, "Choose a house rules file"),
        ('key = "saloon-cup"', f'key = "{CHAMPIONSHIP}"', "give your rules a key of their own"),
    ],
)
def test_faulty_house_rules_are_told_by_their_key_and_stay_in_the_form(
    judge: Browser, was: str, typed: str, problem: str
) -> None:
    page = judge.send("/judge/new/house-rules", {"house_rules": HOUSE.replace(was, typed)}, 422)
    assert problem in page
    assert "Or paste it" in page


def test_a_fault_in_house_rules_names_its_line(judge: Browser) -> None:
    judge.get("/judge/new")
    text = HOUSE.replace("sheriff_once = true", "sheriff_once = 7")
    line = text.splitlines().index("sheriff_once = 7") + 1
    text = text.replace("start_money = 0", "start_money = 'none'")
    page = judge.send("/judge/new/house-rules", {"house_rules": text}, 422)
    shows(page, "These rules have 2 errors:", f"<strong>house rules, line {line}</strong>")


def test_house_rules_come_as_a_file_too(judge: Browser) -> None:
    page = judge.send_file("/judge/new/house-rules", "file", "cup.toml", HOUSE.encode())
    assert "Cup of the Saloon" in page
    assert "in UTF-8" in judge.send_file("/judge/new/house-rules", "file", "cup.toml", b"\xff\xfe\x00", 422)


def test_the_table_of_winnings_says_who_is_paid_and_follows_the_readings() -> None:
    rules = next(known for known in editions() if known.key == "simplified-2003")
    deputy = next(pays for row, pays in winnings_rows(rules, ENGLISH) if row.role is Role.DEPUTY)
    assert deputy[0] == "$500 for each Outlaw + $500 for each eliminated player, if alive at the end"
    readings = replace(rules.readings, simplified_multiplier=SimplifiedMultiplier.RENEGADE_PLAYERS)
    changed = winnings_rows(replace(rules, readings=readings), ENGLISH)
    renegade = next(pays for row, pays in changed if row.role is Role.RENEGADE)
    assert renegade[0].startswith("$2,000 for each player + ")


def test_winnings_have_a_footnote_and_columns_of_table_sizes_only_where_they_need_them(
    visitor: Browser,
) -> None:
    footnote = "* The Renegade was left alone with the Sheriff, and lost."
    for known in editions():
        paid = any(row.case is WinningsCase.LOST_FINAL_DUEL for row in known.winnings)
        differ = any(row.dollars for row in known.winnings)
        page = visitor.get(f"/rules/{known.key}")
        sections = (footnote in page, "Table of 5" in page, "Winnings</th>" in page)
        assert sections == (paid, differ, not differ), known.key
        assert "eliminated last, by the Sheriff" not in page


def test_rules_are_told_with_their_sources_as_each_language_writes_them(
    visitor: Browser,
) -> None:
    marogi = "1. Marogi: the average score of all opponents faced; higher is better."
    shows(visitor.get(f"/rules/{CHAMPIONSHIP}"), "10 to 14 players play 3 rounds.", marogi)
    assert "(base game; Dodge City)" in visitor.get("/rules/official-2003")
    assert "(jeu de base\u00a0; Dodge City)" in visitor.get("/rules/official-2003", "fr")
