"""The parts of a day with their times, which come from the history alone, and the forecast before it."""

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from core.editions.loader import edition
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.state.tournament import Waivers
from core.tournament.timeline import fold
from station.text.i18n import words_in
from station.tournaments.page import DayPart, checklist
from tests.core.tournament.conftest import Judge, seed
from tests.core.tournament.test_whole_tournaments import ends
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"


def parts_of(day: Judge, rounds: int = 2, *, missing: int = 0, minutes: int | None = None) -> list[DayPart]:
    """Return the parts of the day, as if each step had been taken a minute after the one before."""
    steps = [
        replace(step, at=f"2026-11-20T{9 + n // 60:02}:{n % 60:02}:00Z") for n, step in enumerate(day.steps)
    ]
    timeline = fold(steps)
    assert timeline is not None
    parts = checklist(day.state, timeline.steps, rounds, words_in("en"), missing=missing, minutes=minutes)
    return list(parts)


def facts(parts: list[DayPart]) -> list[str]:
    return [" · ".join((part.title, *part.facts)) for part in parts]


@pytest.fixture(autouse=True)
def _in_greenwich() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def day() -> Judge:
    return Judge(edition("championship-2022")).opens(10, Waivers(rounds=2))


def test_each_part_says_when_it_was_done_and_exactly_one_is_now(day: Judge) -> None:
    seen = [facts(parts_of(day, minutes=45))]
    for decision in (SealDraw(seed=seed("one")), MakeDraw(hall_word=""), PublishDraw()):
        day.does(decision)
        seen.append(facts(parts_of(day, minutes=45)))
    assert [one[1] for one in seen] == [
        "Round 1 · about 45 min",
        "Round 1 · sealed at 09:02",
        "Round 1 · drawn at 09:03",
        "Round 1 · since 09:04",
    ]
    assert seen[0] == ["Players · 10 players · the last at 09:01", "Round 1 · about 45 min", *seen[0][2:]]
    assert seen[-1][2:] == ["Round 2 · about 45 min", "Ranking"]
    assert [part.is_now for part in parts_of(day)] == [False, True, False, False]


def test_a_finished_round_has_the_times_of_its_publication_and_last_sheet(day: Judge) -> None:
    day.plays_round()
    assert facts(parts_of(day))[1] == "Round 1 · 09:04 to 09:06"
    assert [part.is_done for part in parts_of(day)] == [True, True, False, False]


def test_what_was_undone_is_not_on_the_list(day: Judge) -> None:
    day.plays_round()
    day.does(UndoSteps(1, "wrong table"))
    parts = parts_of(day)
    assert (parts[1].facts, parts[1].is_done, parts[1].is_now) == (("since 09:04",), False, True)


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010"])
def test_the_last_part_is_the_public_ranking_after_any_finals(key: str) -> None:
    day = Judge(edition(key)).opens(10, Waivers(rounds=1)).plays_rounds()
    assert sum(part.is_now for part in parts_of(day, 1)) == 1
    ends(day)
    parts = parts_of(day, 1)
    assert all(part.is_done and not part.is_now for part in parts)
    assert parts[-1].facts[0].startswith("published at 09:")
    assert [part.title for part in parts] == [
        "Players",
        "Round 1",
        *["Finals"] * day.state.with_finals,
        "Ranking",
    ]


def test_players_who_are_missing_are_counted_until_the_first_draw_is_public(day: Judge) -> None:
    assert facts(parts_of(day, missing=3))[0] == "Players · 10 players · 3 haven't checked in"
    day.publishes()
    assert "checked in" not in facts(parts_of(day, missing=3))[0]


def test_the_page_shows_the_day_with_its_times(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=2))
    page = judge.get(HERE)
    shows(page, "<small>10 players, the last at", "simulated games", "about ")
    station.plays_round()
    station.plays_round("agave")
    shows(judge.get(HERE), " to ", never="simulated games")


def test_the_length_of_the_day_is_known_before_rules_are_chosen(judge: Browser, station: Station) -> None:
    shows(judge.get("/judge/new"), "How many players do you expect?", 'value="24"', "4 tables of 6 players")
    shows(
        judge.get("/judge/new?players=16"),
        "<strong>about 2 h 40 min</strong> 4 rounds",
        "3 tables of 5 or 6 players",
        "4 tables of 4 players",
        "nobody has measured",
    )
    shows(judge.get("/judge/new?players=7"), "Too few players (7)", "7 games", "1 table of 7 players")


@pytest.mark.parametrize("typed", ["", "0", "-1", "9999", "²", "x"])
def test_a_number_of_players_that_makes_no_sense_is_ignored(judge: Browser, typed: str) -> None:
    shows(judge.get(f"/judge/new?players={typed}"), "New tournament", 'value="24"')
