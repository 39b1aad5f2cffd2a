"""A season of many clubs, each with a station of its own: its packs, its people and its table."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import repeat
from pathlib import Path

import pytest
from msgspec.structs import replace

from base.errors import BadData
from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.game.state.offences import Offence
from core.proof.season_pack import SeasonPack, counted_packs, read_season_pack
from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.penalties import EjectPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.season import USUAL_RULE
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import Player, Waivers
from tests.core.cli import season_by_hand
from tests.core.cli.conftest import Run, pack_of
from tests.core.tournament.conftest import Judge, outlaws_won, time_was_up

RULES = edition("championship-2022")
SAME_TO_THE_STATION = ("Niccolò Rossi", "rossi niccolo")
SIMILAR = ("Anna Müller", "Mueller Anna")


def club_night(number: int, count: int, rounds: int) -> Judge:
    """A tournament of one club in which ten people are spelt differently from one night to the next."""
    judge = Judge(RULES)
    date = f"2026-{number % 12 + 1:02}-{number:02}"
    name, rules = f"Club night {number}", RuleSet(RULES.key)
    judge.does(OpenTournament(TournamentId("open"), name, rules, date, Waivers(rounds=rounds)))
    turn = number % 2
    names = [f"{SAME_TO_THE_STATION[turn]} {chr(97 + n)}x" for n in range(10)]
    names += [f"{SIMILAR[turn]} {chr(97 + n)}y" for n in range(10)]
    names += [f"Player {(number * 7 + n) % 400:03}" for n in range(count - len(names))]
    people = [Player(PlayerId(f"p{n:03}"), name, f"Club {number}") for n, name in enumerate(names, 1)]
    judge.does(RegisterPlayers(tuple(people)))
    judge.plays_rounds(play=_mixed)
    judge.draws_lots()
    return judge


def _mixed(round_no: Round, table: DrawnTable) -> FinishedGame:
    return (time_was_up if table.table % 3 else outlaws_won)(round_no, table)


def written(judge: Judge, path: Path) -> Path:
    judge.does(PublishRanking())
    return pack_of(judge).written(path)


@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param((21, 24, 27), id="three small packs"),
        pytest.param((*range(40, 185, 5), 200), id="thirty packs", marks=pytest.mark.nightly),
    ],
)
def test_the_table_of_many_stations_is_the_one_made_by_hand(
    sizes: Sequence[int], tmp_path: Path, run: Run
) -> None:
    packs = [
        written(club_night(number, count, 2), tmp_path / f"{number}.jsonl")
        for number, count in enumerate(sizes, 1)
    ]
    rule, people = tmp_path / "rule.toml", tmp_path / "people.toml"
    rule.write_text(USUAL_RULE.replace("best = 0", "best = 2").replace('"each"', '"mean"'), encoding="utf-8")
    proposals = run("season", rule, *packs)
    assert proposals.exit_code == 0, proposals.output
    assert proposals.output.count("[[same]]") == 10
    people.write_text(proposals.output[proposals.output.index("# One person") :], encoding="utf-8")
    result = json.loads(run("season", rule, *packs, "--people", people, "--json").output)
    rows = [(r["rank"], r["name"], r["club"], Fraction(r["points"])) for r in result["rows"]]
    expected = season_by_hand.season(rule, packs, people)
    assert sorted(rows) == sorted(expected)
    assert [row[0] for row in rows] == [row[0] for row in expected]
    assert "[[same]]" not in run("season", rule, *packs, "--people", people).output


def test_the_other_opinion_shares_nothing_with_the_product() -> None:
    source = Path(season_by_hand.__file__).read_text(encoding="utf-8")
    assert "core." not in source


def test_a_pack_that_does_not_hold_is_named_and_the_others_count(tmp_path: Path, run: Run) -> None:
    good = written(club_night(1, 21, 1), tmp_path / "good.jsonl")
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(good.read_bytes().replace(b"Player 007", b"Player 777", 1))
    secret = pack_of(club_night(2, 21, 1)).written(tmp_path / "secret.jsonl")
    rule = tmp_path / "rule.toml"
    rule.write_text(USUAL_RULE, encoding="utf-8")
    result = run("season", rule, good, forged, secret, tmp_path / "missing.jsonl", "--json")
    assert result.exit_code == 1
    table = json.loads(result.output)
    assert len(table["rows"]) == 21
    assert [problem.partition(".jsonl")[0].rpartition("/")[2] for problem in table["left_out"]] == [
        "forged", "secret", "missing",
    ]  # fmt: skip
    assert "its ranking isn't published yet" in table["left_out"][1]


def test_a_tournament_counts_once_and_two_stories_of_it_not_at_all(tmp_path: Path) -> None:
    judge = club_night(1, 21, 1)
    early = _read(written(judge, tmp_path / "a"))
    later = replace(early, steps=(*early.steps, "ab" * 32))
    other = replace(early, steps=(*early.steps, "cd" * 32))
    assert counted_packs([early, later, early]).packs == (later,)
    contradicting = counted_packs([later, early, other])
    assert contradicting.packs == ()
    assert len(contradicting.contradicting) == 3


def test_a_huge_pack_is_refused_before_it_is_read_whole() -> None:
    endless = repeat(b"x" * 1024 * 1024 + b"\n")
    with pytest.raises(BadData, match="too large"):
        read_season_pack(endless, "huge")


def test_ejections_come_along_with_category_and_reason(tmp_path: Path) -> None:
    judge = Judge(RULES)
    judge.opens(10, Waivers(rounds=1)).plays_rounds()
    judge.does(EjectPlayer(PlayerId("p001"), "marked cards", offence=Offence.CHEATING))
    judge.draws_lots()
    (left,) = _read(written(judge, tmp_path / "a")).ejections
    assert (left.name, left.reason, left.offence) == ("Player 1", "marked cards", Offence.CHEATING)


def test_the_players_who_tie_for_the_last_place_all_qualify(tmp_path: Path, run: Run) -> None:
    pack = written(club_night(1, 21, 1), tmp_path / "a.jsonl")
    rule, listed = tmp_path / "rule.toml", tmp_path / "final.csv"
    rule.write_text("places = [5, 4, 4, 1]", encoding="utf-8")
    run("season", rule, pack, "--top", 2, "--list", listed)
    lines = listed.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "name,club"
    assert len(lines) == 3


def _read(path: Path) -> SeasonPack:
    with path.open("rb") as lines:
        return read_season_pack(lines, str(path))
