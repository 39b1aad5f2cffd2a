"""The finals of a championship 2010 on paper: ranking of the rounds, duels, walkovers, prizes."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from core.game.state.duel import DuelBecause
from core.terms import PlayerId
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.sheets import CorrectSheet
from core.tournament.state.finals import Finals
from core.tournament.state.tournament import Stage, Waivers
from tests.station.browser import Browser, looked_at, shows
from tests.station.conftest import OPEN, Station, outlaws_won

FINALS = f"/judge/t/{OPEN}/finals"
STANDINGS = f"/judge/t/{OPEN}/standings"
BY_SCORE = {"score-1": "5", "score-2": "2", "how": "score"}


@pytest.fixture
def played(station: Station) -> Station:
    """Return a station with three rounds of ten players played and all ties broken."""
    station.opens(10, Waivers(rounds=3), "championship-2010")
    for number in range(3):
        station.plays_round(number)
    station.breaks_ties()
    return station


def finals(station: Station) -> Finals:
    current = station.service.tournament(OPEN).finals
    assert current is not None
    return current


def duel(table: int, round_no: int = 4) -> str:
    return f"/judge/t/{OPEN}/tables/{round_no}/{table}/sheet"


def semifinals(judge: Browser, kind: str = "long-duel") -> None:
    judge.send(f"{FINALS}/rounds", {})
    judge.send(f"{FINALS}/begin", {"kind": kind})


@pytest.fixture
def duelling(played: Station, judge: Browser) -> Station:
    """Return that station with its semifinals begun, by long duels."""
    semifinals(judge)
    return played


def wins(judge: Browser, table: int, typed: Mapping[str, str] = BY_SCORE, *, round_no: int = 4) -> str:
    return judge.send(f"{duel(table, round_no)}/confirm", BY_SCORE | dict(typed))


@pytest.mark.parametrize(
    ("edition", "said"),
    [("championship-2010", "The tournament isn't finished"), ("championship-2022", "have no finals")],
)
def test_the_finals_are_told_what_they_wait_for(
    station: Station, judge: Browser, edition: str, said: str
) -> None:
    station.opens(10, Waivers(rounds=3), edition)
    shows(judge.get(FINALS), said, never=f"{FINALS}/rounds")
    assert (f'href="{FINALS}"' in judge.get(f"/judge/t/{OPEN}")) is (edition == "championship-2010")


def test_the_ranking_of_the_rounds_is_public_before_the_duels_and_has_no_prizes(
    played: Station, judge: Browser
) -> None:
    assert "$" not in judge.get(f"/t/{OPEN}").split("<main")[1]
    assert "Publish the ranking of the rounds" in judge.get(FINALS)
    judge.send(f"{FINALS}/rounds", {})
    shows(judge.get(f"/t/{OPEN}"), "Ranking of the rounds", "Buchholz", never="Prize")


def test_no_ranking_is_published_that_another_judge_has_changed_since_it_was_looked_at(
    played: Station, judge: Browser
) -> None:
    seen = looked_at(judge, FINALS)
    corrects_roles(played)
    for form in (f"{FINALS}/rounds", f"{FINALS}/publish", f"{STANDINGS}/publish"):
        assert "The ranking has changed since you looked at it." in judge.send(form, seen)
    assert played.service.tournament(OPEN).finals is None


def test_without_finals_the_ranking_is_published_as_it_was_looked_at(
    station: Station, judge: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.breaks_ties()
    seen = looked_at(judge, STANDINGS)
    corrects_roles(station)
    assert "The ranking has changed since you looked" in judge.send(f"{STANDINGS}/publish", seen)
    station.breaks_ties()
    judge.send(f"{STANDINGS}/publish", looked_at(judge, STANDINGS))
    assert station.service.tournament(OPEN).stage is Stage.PUBLISHED


def corrects_roles(station: Station) -> None:
    """Swap two role cards of table 1 in the first round."""
    round_ = station.service.tournament(OPEN).rounds[0]
    result = outlaws_won(round_, 1)
    roles = (*result.roles[:2], *result.roles[3:], result.roles[2])
    station.does(CorrectSheet(round_.tables[0].game, replace(result, roles=roles), "two cards mixed up"))


def test_a_whole_finals_on_paper_ends_with_places_and_prizes(duelling: Station, judge: Browser) -> None:
    best = finals(duelling).finalists
    assert judge.get(f"/judge/t/{OPEN}/floor").count('class="table-card') == 2
    wins(judge, 1)
    assert "Call the finalists" not in judge.get(FINALS)
    wins(judge, 2)
    assert finals(duelling).final_pair == (best[0], best[1])
    judge.send(f"{FINALS}/begin", {"kind": "short-duel"})
    wins(judge, 1, {"score-1": "3", "score-2": "5"}, round_no=5)
    page = judge.get(FINALS)
    shows(page, "$6,000", "$3,000")
    assert page.count("$1,500") == 2
    assert "Prize" not in judge.get(f"/t/{OPEN}")
    judge.send(f"{FINALS}/publish", {})
    assert duelling.service.tournament(OPEN).stage is Stage.PUBLISHED
    assert finals(duelling).champion == best[1]
    shows(judge.get(f"/t/{OPEN}"), "$6,000", "Semifinals")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"score-1": "4", "score-2": "2", "how": "score"}, "the duel isn't over"),
        ({"score-1": "5", "score-2": "many", "how": "score"}, "many isn't a whole number"),
        ({"score-1": "9", "score-2": "2", "how": "score"}, "9-2"),
        ({"score-1": "1", "score-2": "2", "how": "ruled-1", "ruling": " "}, "reason"),
        ({"score-1": "1", "score-2": "2", "how": "by magic"}, "Say how the duel ended."),
        ({"score-1": "5", "score-2": "2", "how": "left-1"}, "5-2"),
    ],
)
def test_an_impossible_duel_is_refused_in_words_and_stays_in_the_form(
    duelling: Station, judge: Browser, typed: dict[str, str], problem: str
) -> None:
    page = judge.send(duel(1), typed, 422)
    assert problem in page
    assert f'value="{typed["score-2"]}"' in page
    assert finals(duelling).semifinal_winners == (None, None)


def test_a_ruling_of_the_judge_is_kept_with_its_reason(duelling: Station, judge: Browser) -> None:
    wins(judge, 1, {"score-1": "1", "score-2": "3", "how": "ruled-2", "ruling": "the hall closes"})
    assert "the hall closes" in judge.get(f"/judge/t/{OPEN}/tables/4/1/")
    assert finals(duelling).semifinal_winners[0] == finals(duelling).finalists[3]


def test_a_correction_of_a_duel_asks_for_a_reason(duelling: Station, judge: Browser) -> None:
    wins(judge, 1)
    page = wins(judge, 1, {"score-1": "2", "score-2": "5"})
    assert 'name="reason" required' in page
    wins(judge, 1, {"score-1": "2", "score-2": "5", "reason": "seats mixed up"})
    assert finals(duelling).semifinal_winners[0] == finals(duelling).finalists[3]
    assert "seats mixed up" in judge.get(f"/judge/t/{OPEN}/tables/4/1/")


@pytest.mark.parametrize(
    ("kind", "hint"),
    [("long-duel", "First to five wins."), ("short-duel", "First to five with a lead of two wins")],
)
def test_the_form_says_when_a_duel_ends_and_shows_the_winner_first(
    played: Station, judge: Browser, kind: str, hint: str
) -> None:
    semifinals(judge, kind)
    assert hint in judge.get(duel(1))
    assert "Is this right?" in judge.send(duel(1), BY_SCORE)
    assert finals(played).semifinal_winners[0] is None
    assert 'value="5"' in judge.send(f"{duel(1)}/again", BY_SCORE)


def test_a_finalist_who_leaves_loses_without_a_duel(duelling: Station, judge: Browser) -> None:
    first = finals(duelling).finalists[0]
    duelling.does(WithdrawPlayer(PlayerId(first), "unwell"))
    assert finals(duelling).semifinal_winners[0] == finals(duelling).finalists[3]
    page = judge.get(FINALS)
    assert "without a duel" in page
    assert page.count('"badge playing"') == 1
    table = judge.get(f"/judge/t/{OPEN}/tables/4/1/")
    winner = duelling.service.tournament(OPEN).entrant(finals(duelling).finalists[3])
    assert winner is not None
    shows(table, f"{winner.name} wins", '"badge walkover"', "unwell", never="Swap terminal")
    floor = judge.get(f"/judge/t/{OPEN}/floor")
    assert "1 of 2 confirmed" in floor
    assert floor.count('"badge playing"') == 1


def test_the_winner_of_a_semifinal_without_a_duel_is_sent_to_no_table(
    duelling: Station, judge: Browser
) -> None:
    best = finals(duelling).finalists
    duelling.does(WithdrawPlayer(PlayerId(best[0]), "unwell"))
    assert 'class="own-seat"' not in judge.get(f"/t/{OPEN}/player/{best[3]}")
    assert 'class="own-seat"' in judge.get(f"/t/{OPEN}/player/{best[1]}")
    wins(judge, 2)
    assert "The tournament is archived." in judge.post(f"/judge/t/{OPEN}/archive")


def test_an_ejected_finalist_loses_a_duel_that_runs(duelling: Station, judge: Browser) -> None:
    duelling.does(EjectPlayer(finals(duelling).finalists[1], "looked at hands"))
    wins(judge, 2, {"score-1": "1", "score-2": "0", "how": "left-1"})
    results = finals(duelling).semifinals
    assert results is not None
    assert results.sheets[0].result.because is DuelBecause.OPPONENT_EJECTED


def test_no_duel_is_begun_without_its_kind(played: Station, judge: Browser) -> None:
    judge.send(f"{FINALS}/rounds", {})
    assert "Choose the long or the short duel." in judge.send(f"{FINALS}/begin", {"kind": "tango"})
    assert finals(played).semifinals is None
    assert "aren't played here" in judge.send(f"{FINALS}/begin", {"kind": "game"})


def test_the_beginning_of_the_duels_can_be_taken_back(duelling: Station, judge: Browser) -> None:
    judge.send(f"/judge/t/{OPEN}/undo", {"steps": "1", "reason": "too early"})
    assert finals(duelling).semifinals is None
    assert "Call the semifinalists" in judge.get(FINALS)
    assert judge.status(f"{duel(1)}").status_code == 404


def test_a_table_that_plays_no_duel_shows_the_form_of_a_game(station: Station, judge: Browser) -> None:
    station.opens()
    station.publishes()
    assert 'name="role-2"' in judge.send(f"/judge/t/{OPEN}/tables/1/1/sheet", BY_SCORE, 422)
