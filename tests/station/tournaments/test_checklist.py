"""The parts of a day with their times, which come from the history alone, and the forecast before it."""

import datetime as dt
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from core.editions.loader import edition, with_all_readings
from core.rule_set import RuleSet
from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import ChangeRules, RegisterPlayers
from core.tournament.state.tournament import Player, Waivers
from core.tournament.timeline import fold
from station.pace.day import day_lengths
from station.paper.papers import PaperKind
from station.text.i18n import words_in
from station.tournaments.checklist import DayCourse, DayPart, checklist, expected_ending
from tests.core.tournament.conftest import Judge, seed
from tests.core.tournament.test_whole_tournaments import ends
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"


def course_of(
    day: Judge, rounds: int = 2, *, missing: int = 0, printed: Mapping[PaperKind, int] | None = None
) -> DayCourse:
    """Return the course of the day, as if each step had been taken a minute after the one before."""
    steps = [
        replace(step, at=f"2026-11-20T{9 + n // 60:02}:{n % 60:02}:00+00:00")
        for n, step in enumerate(day.steps)
    ]
    timeline = fold(steps)
    assert timeline is not None
    return DayCourse(day.state, timeline.steps, rounds, missing, printed or {})


def parts_of(day: Judge, rounds: int = 2, **facts: Any) -> list[DayPart]:
    """Return the parts of the day apart from rules and papers."""
    lengths = day_lengths((5, 5), edition(day.state.edition))
    parts = checklist(course_of(day, rounds, **facts), lengths, words_in("en"))
    return [part for part in parts if part.title not in {"Rules", "Badges", "Certificates"}]


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
    seen = [facts(parts_of(day))]
    for decision in (SealDraw(seed=seed("one")), MakeDraw(hall_word=""), PublishDraw()):
        day.does(decision)
        seen.append(facts(parts_of(day)))
    assert [one[1] for one in seen] == [
        "Round 1 · 15 min to 55 min",
        "Round 1 · sealed at 09:02",
        "Round 1 · drawn at 09:03",
        "Round 1 · since 09:04",
    ]
    assert seen[0] == [
        "Players · 10 players · the last at 09:01",
        "Round 1 · 15 min to 55 min",
        *seen[0][2:],
    ]
    assert seen[-1][2:] == ["Round 2 · 15 min to 55 min", "Ranking"]
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


def paper_facts(day: Judge, **printed: str) -> dict[str, tuple[str, ...]]:
    """Return the facts of rules and papers, which were printed at these times."""
    times = {
        PaperKind(kind): int(dt.datetime.fromisoformat(f"2026-11-20T{at}:30Z").timestamp() * 1000)
        for kind, at in printed.items()
    }
    parts = checklist(course_of(day, printed=times), None, words_in("en"))
    states = {True: "done", False: "open"}
    return {
        part.title: (states[part.is_done], *part.facts)
        for part in parts
        if part.title in {"Rules", "Badges", "Certificates"}
    }


def test_rules_and_papers_are_on_the_list_with_the_time_they_were_done(day: Judge) -> None:
    assert paper_facts(day) == {
        "Rules": ("done", "chosen at 09:00", "2 answers not as recommended"),
        "Badges": ("open",),
        "Certificates": ("open",),
    }
    assert paper_facts(day, badges="09:01")["Badges"] == ("done", "printed at 09:01")
    day.does(RegisterPlayers((Player(PlayerId("late"), "Late Larry"),)))
    assert paper_facts(day, badges="09:01")["Badges"] == (
        "open",
        "printed at 09:01",
        "1 player registered since",
    )
    day.does(ChangeRules(with_all_readings(RuleSet("championship-2022")), day.state.waivers))
    assert paper_facts(day)["Rules"] == ("done", "chosen at 09:03", "answers as recommended")
    day.publishes()
    assert "Badges" not in paper_facts(day), "the players sit without badges"


def test_certificates_are_the_last_thing_to_do(day: Judge) -> None:
    day.plays_rounds()
    assert paper_facts(day, certificates="09:20")["Certificates"][0] == "open", "before the ranking"
    ends(day)
    (last,) = checklist(course_of(day), None, words_in("en"))[-1:]
    assert (last.title, last.is_now) == ("Certificates", True)
    assert paper_facts(day, certificates="12:20")["Certificates"] == ("done", "printed at 12:20")


def test_printing_badges_ticks_them_off(station: Station, judge: Browser) -> None:
    station.opens(10)
    shows(judge.get(HERE), "<span>Badges</span>")
    judge.status(f"{HERE}/print/badges/file")
    shows(judge.get(HERE), "Badges <small>printed at ")


def test_the_end_of_the_day_follows_its_real_rounds(day: Judge) -> None:
    def ending(now: str) -> str:
        lengths = day_lengths((5, 5), edition("championship-2022"), measured=course_of(day).measured)
        now_ms = dt.datetime.fromisoformat(f"2026-11-20T{now}:00Z").timestamp() * 1000
        return expected_ending(course_of(day), lengths, now_ms, words_in("en"))

    assert ending("09:00") == (
        "From the first game to the last, the day will probably take 45 min to 1 h 55 min, with breaks."
    )
    day.plays_round()
    assert course_of(day).measured.rounds == (2.0,)
    between = ending("09:10")
    assert between.startswith("The last game will probably end between 09:"), "a round took two minutes"
    day.publishes()
    early, late = re.findall(r"\d\d:\d\d", ending("09:10"))
    assert "09:10" < early < late
    for table in day.state.rounds[-1].tables:
        day.accepts(table)
    assert ending("09:30") == ""


def test_the_page_shows_the_day_with_its_times(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=2))
    page = judge.get(HERE)
    shows(page, "<small>10 players, the last at", "the day will probably take", "answers as recommended")
    station.plays_round()
    shows(judge.get(HERE), "The last game will probably end between")
    station.plays_round("agave")
    shows(judge.get(HERE), " to ", never="will probably")


def test_the_length_of_the_day_is_known_before_rules_are_chosen(judge: Browser, station: Station) -> None:
    shows(judge.get("/judge/new"), "How many players do you expect?", 'value="24"', "4 tables of 6 players")
    shows(
        judge.get("/judge/new?players=16"),
        "<strong>2 h 05 min to 4 h 25 min</strong> 4 rounds",
        "3 tables of 5 or 6 players",
        "4 tables of 4 players",
        "nobody has measured",
    )
    shows(judge.get("/judge/new?players=7"), "Too few players (7)", "7 games", "1 table of 7 players")


@pytest.mark.parametrize("typed", ["", "0", "-1", "9999", "²", "x"])
def test_a_number_of_players_that_makes_no_sense_is_ignored(judge: Browser, typed: str) -> None:
    shows(judge.get(f"/judge/new?players={typed}"), "New tournament", 'value="24"')
