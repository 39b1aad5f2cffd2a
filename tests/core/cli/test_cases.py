"""Worked cases and results of finals, groups, auctions, High Noon and duels, through the program."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from base.errors import BadData
from core.cli.cases.auctions import auction
from core.cli.cases.case import Case, overridden
from core.cli.cases.turn_trace import PlainGame, Trace, trace_game
from core.cli.files import decode
from core.cli.score import Scored, print_scored, scored_fields
from core.editions.game_rules import BidOrder
from core.editions.loader import edition
from core.game.play.abandonment import Abandon
from core.game.result import finished_duel
from tests.core.cli.conftest import Run, golden, verdicts_on, written
from tests.core.game.auction.conftest import DECK, ENLISTMENT, RULES_2010, AuctionTable, stake
from tests.core.game.duel.conftest import ONE, TWO, WITH_DUELS, DuelTable


def kept(folder: Path, value: object) -> Path:
    path = folder / "kept.json"
    path.write_bytes(msgspec.json.encode(value))
    return path


def test_places_of_the_finals_that_are_wrong_are_told(tmp_path: Path) -> None:
    case = golden("other-editions", "TB10-04")

    def won(**winners: str) -> Path:
        entered = case["input"] | {"duel_winners": {"semifinal_2": "P11"} | winners}
        return written(tmp_path, case | {"input": entered})

    (verdict,) = verdicts_on(won(semifinal_1="P08", final="P08"))
    assert {difference.path for difference in verdict.differences} >= {"final_top4[0].player"}
    with pytest.raises(BadData, match="P03 does not play semifinals 1"):
        verdicts_on(won(semifinal_1="P03", final="P11"))


def test_ranking_shows_what_the_edition_asks_and_the_prizes(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, *(golden("other-editions", case) for case in ("TB10-04", "TB03-01")))
    result = run("rank", path, "--json")
    finals, averages = json.loads(result.output)
    rows = {row["player"]: row for row in finals["standings"]}
    assert [row["player"] for row in finals["standings"][:4]] == ["P09", "P11", "P08", "P03"]
    assert rows["P09"]["final_score"] == 19200
    assert rows["P12"]["buchholz"] == 216400
    assert [row["player"] for row in averages["standings"]] == ["C", "E", "D", "A", "B"]
    assert averages["standings"][0]["victories"] == {"sheriff": 1, "renegade": 0, "deputy": 0, "outlaw": 2}


def case(*operations: dict[str, object], sheriff: int = 1, balances: tuple[int, ...] = (5000,) * 4) -> Case:
    data = {
        "players": len(balances),
        "sheriff_seat": sheriff,
        "balances": balances,
        "characters": [character.value for character in DECK[: len(balances)]],
        "operations": operations,
    }
    return Case("AU", "case", msgspec.Raw(json.dumps(data).encode()), RULES_2010)


def nominate(seat: int, bid: int, expect: str = "accept") -> dict[str, object]:
    return {"op": "nominate", "seat": seat, "character": "Bart Cassidy", "bid": bid, "expect": expect}


def test_a_case_counts_its_seats_from_its_own_sheriff() -> None:
    passes: list[dict[str, object]] = [{"op": "pass", "seat": seat, "expect": "accept"} for seat in (4, 1, 2)]
    result = auction(case(nominate(3, 200), *passes, sheriff=3))
    assert isinstance(result["assignments"], list)
    assert result["assignments"][2] == {
        "seat": 3, "character": "Bart Cassidy", "paid": 200, "balance_after": 4800,
    }  # fmt: skip


def test_an_operation_that_goes_otherwise_is_named() -> None:
    result = auction(case(nominate(1, 150)))
    assert result["assignments"] == "operation 0 (nominate) is rejected"
    result = auction(case(nominate(1, 100, "reject")))
    assert result["assignments"] == "operation 0 (nominate) is accepted"


def test_what_enlistment_leaves_open_can_be_read_otherwise() -> None:
    flags = {"enlistment_bid_order": "clockwise", "enlistment_bid_step": 50}
    assert ENLISTMENT.auction is not None
    read = replace(ENLISTMENT.auction, order=BidOrder.CLOCKWISE, step=50)
    assert overridden(ENLISTMENT, flags, "case").auction == read
    assert overridden(ENLISTMENT, {"enlistment_next_nominator": "from_nominator"}, "case") == ENLISTMENT
    with pytest.raises(BadData, match="sideways"):
        overridden(ENLISTMENT, {"enlistment_bid_order": "sideways"}, "case")


def test_a_replay_tells_the_bids_and_sales(tmp_path: Path, run: Run) -> None:
    table = AuctionTable(RULES_2010).opened([stake(5000)] * 4).turned_up()
    table.nominate(1, DECK[0], 0)
    table.raises(2, 300)
    table.passes(3, 4, 1)
    path = kept(tmp_path, table.log)
    output = " ".join(run("replay", path).output.split())
    assert "characters-revealed characters Bart Cassidy" in output
    assert "bid-raised seat 2 bid 300" in output
    assert "character-won seat 2" in output
    answers = json.loads(run("replay", path, "--json").output)[0]
    assert answers["state"]["auction"]["sales"][0]["price"] == 300


RULES = edition("championship-2022")
ARMED = '{"type":"turn_start","seat":1},{"type":"reshuffle"},{"type":"reshuffle"},{"type":"reshuffle"}'


def after(events: str, life: str = "[5,1,4,4,4]", roles: str = "null") -> Trace:
    text = f'{{"players":5,"life":{life},"roles":{roles},"events":[{events}]}}'
    return trace_game(decode(text, PlainGame, "here"), RULES, "here")[-1]


@pytest.mark.parametrize(("response", "accepted"), [("beer", True), ("sid_ketchum", True), ("missed", False)])
def test_a_beer_may_answer_the_loss_of_the_last_point_and_a_missed_may_not(
    response: str, *, accepted: bool
) -> None:
    trace = after(f'{ARMED},{{"type":"turn_start","seat":2,"response":"{response}"}}')
    assert trace.turns[-1].accepted is accepted
    assert trace.turns[-1].eliminated is not accepted
    assert trace.life[1] == (1 if accepted else 0)


def test_an_answer_where_nothing_was_lost_is_not_accepted() -> None:
    assert after('{"type":"turn_start","seat":2,"response":"beer"}').turns[-1].accepted is False


def test_the_game_ends_when_high_noon_takes_the_sheriff() -> None:
    roles = '["sheriff","outlaw","deputy","outlaw","renegade"]'
    turns = ",".join(f'{{"type":"turn_start","seat":{seat}}}' for seat in (2, 3, 4, 5, 1))
    trace = after(f"{ARMED},{turns}", "[1,4,4,4,4]", roles)
    assert trace.ending is not None
    assert trace.ending.value == "outlaws_win"
    with pytest.raises(BadData, match=r"events\[9\]: the game is already over"):
        after(f'{ARMED},{turns},{{"type":"turn_start","seat":2}}', "[1,4,4,4,4]", roles)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ('{"type":"turn_start","seat":6}', r"events\[0\]: there is no seat 6"),
        ('{"type":"eliminated","seat":2},{"type":"life","seat":2,"delta":1}', "seat 2 is already out"),
        ('{"type":"duel","seat":2}', "Invalid value 'duel'"),
    ],
)
def test_an_event_that_cannot_happen_is_named(events: str, problem: str) -> None:
    with pytest.raises(BadData, match=problem):
        after(events)


def test_a_game_that_does_not_fit_itself_is_refused() -> None:
    with pytest.raises(BadData, match="4 seats in life for 5 players"):
        after("", "[5,4,4,4]")
    for second in ("sheriff", "outlaw"):
        with pytest.raises(BadData, match="seat 1 is not the only Sheriff"):
            after("", roles=f'["outlaw","{second}","deputy","outlaw","renegade"]')


def test_a_duel_is_replayed_step_by_step_with_score_and_characters(tmp_path: Path, run: Run) -> None:
    table = DuelTable(WITH_DUELS).long()
    table.lost(TWO)
    table.ask(Abandon(ONE))
    path = kept(tmp_path, table.log)
    output = " ".join(run("replay", path).output.split())
    assert "0:0" in output
    assert "1:0" in output
    assert "the opponent left" in output
    (replayed,) = json.loads(run("replay", "--json", path).output)
    assert replayed["state"]["duel"]["winner"] == 2


def test_a_duel_is_scored_with_its_winner_and_reason() -> None:
    table = DuelTable(WITH_DUELS).short()
    table.lost(TWO, 4)
    table.fell(TWO)
    duel = Scored("final, table 1", "terminal", finished_duel(table.now()))
    assert scored_fields(duel)["winner"] == table.now().seats[0].player
    assert scored_fields(duel)["score"] == (5, 0)
    paper = io.StringIO()
    print_scored(Console(file=paper, width=200), duel)
    assert "has won" in paper.getvalue()
    assert "enough characters of the opponent are out" in paper.getvalue()


def test_a_result_from_paper_is_scored_by_the_edition_that_has_duels(tmp_path: Path, run: Run) -> None:
    table = DuelTable(WITH_DUELS).short()
    table.lost(ONE, 4)
    table.fell(ONE)
    path = kept(tmp_path, finished_duel(table.now()))
    (scored,) = json.loads(run("score", "--json", "--edition", "championship-2010", path).output)
    assert (scored["score"], scored["winner"]) == ([0, 5], table.now().seats[1].player)
    assert "has won" in run("score", "--edition", "championship-2010", path).output


def test_a_duel_under_rules_without_finals_is_refused(tmp_path: Path, run: Run) -> None:
    table = DuelTable(WITH_DUELS).short()
    table.ask(Abandon(TWO))
    path = kept(tmp_path, finished_duel(table.now()))
    assert "There is no short-duel in this edition" in str(run("score", path).exception)
