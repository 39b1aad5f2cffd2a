"""Days that go wrong: an old sheet is wrong, a dispute is forgotten, a call outlives its game."""

import re
from html import unescape
from pathlib import Path

import msgspec
import pytest

from base.errors import Refused
from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.wounds import LoseLife
from core.game.state.game import Abandonment
from core.terms import RoundNo, SeatNo, TableNo
from core.tournament.sheets import AcceptSheet, CorrectSheet, DisputeSheet, SettleDispute
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.calls.service import JudgeCalls
from station.projections.cards import FloorCard
from station.sheets.form_fields import game_fields
from tests.station.browser import Browser, proof_faults, shows
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won, seed

BASE = f"/judge/t/{OPEN}"


def links(page: str) -> set[str]:
    return set(re.findall(r'href="([^"]+)"', page))


def floor_card(station: Station, table: int = 1) -> FloorCard:
    return station.service.card(OPEN, RoundNo(1), TableNo(table))


def another_result(station: Station) -> FinishedGame:
    """Return a result in which another Outlaw shot the Sheriff than the terminal reported."""
    result = outlaws_won(station.service.tournament(OPEN).rounds[-1], 1)
    (shot,) = result.eliminations
    return msgspec.structs.replace(
        result, eliminations=(msgspec.structs.replace(shot, by=SeatNo(4), turn=SeatNo(4)),)
    )


def as_typed(result: FinishedGame) -> dict[str, str]:
    """Return the fields of the form as a judge fills them in from paper."""
    return game_fields(result, edition("championship-2022"))


def test_every_table_of_every_round_is_one_or_two_links_away(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=2))
    station.plays_round("one")
    for page in (BASE, f"{BASE}/draw", f"{BASE}/standings"):
        assert f"{BASE}/floor?round=1" in links(judge.get(page)), page
    # Between rounds the floor shows the round that has just ended.
    between = judge.get(f"{BASE}/floor")
    assert f"{BASE}/tables/1/2" in links(between)
    assert "No round runs" not in between
    station.publishes("two")
    assert f"{BASE}/floor?round=1" in links(judge.get(f"{BASE}/floor"))
    former = judge.get(f"{BASE}/floor?round=1")
    assert {f"{BASE}/tables/1/1", f"{BASE}/tables/1/2"} <= links(former)
    assert "sse-swap" not in former
    history = judge.get(f"{BASE}/history")
    assert f"{BASE}/tables/1/1" in links(history)
    entrant = station.service.tournament(OPEN).entrants[0].player
    why = links(judge.get(f"{BASE}/standings/{entrant}/why"))
    assert any(link.startswith(f"{BASE}/tables/1/") for link in why)
    judge.get(f"{BASE}/tables/1/1")


def test_a_round_that_was_never_published_has_no_floor(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    for number in ("2", "0", "x"):
        judge.get(f"{BASE}/floor?round={number}", expected=404)


def test_no_ranking_is_published_over_a_disputed_sheet(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    first = station.plays_round().tables[0]
    station.does(DisputeSheet(first.game, "copied in a hurry"))
    for page in (BASE, f"{BASE}/floor", f"{BASE}/draw", f"{BASE}/standings"):
        text = judge.get(page)
        assert "table 1: the record sheet is disputed" in text, page
        assert f"{BASE}/tables/1/1" in links(text)
    with pytest.raises(Refused) as refusal:
        station.does(PublishRanking())
    assert refusal.value.reason is TournamentReason.SHEETS_DISPUTED
    assert "1/1" in judge.get(f"{BASE}/standings")
    station.does(SettleDispute(first.game, "all five agree"))
    assert "is disputed" not in judge.get(BASE)
    station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    assert proof_faults(station) == ()


def test_a_result_that_a_terminal_contests_stops_the_ranking_too(station: Station) -> None:
    terminal = station.running_round(10, Waivers(rounds=1))
    terminal.sends()
    station.does(AcceptSheet(floor_card(station).game_id, another_result(station), Source.PAPER))
    station.accepts(station.service.tournament(OPEN).rounds[0], 2)
    terminal.ends()
    terminal.sends()
    card = floor_card(station)
    assert card.is_replaced
    with pytest.raises(Refused, match="1/1"):
        station.does(PublishRanking())
    assert isinstance(card.reported, FinishedGame)
    station.does(CorrectSheet(card.game_id, card.reported, "the table is right"))
    with pytest.raises(Refused) as tied:
        station.does(PublishRanking())
    assert tied.value.reason is TournamentReason.TIED


def test_a_judges_result_over_a_terminals_report_needs_a_reason_and_keeps_the_report(
    station: Station, judge: Browser
) -> None:
    terminal = station.running_round()
    terminal.ends()
    terminal.sends()
    here = f"{BASE}/tables/1/1"
    other, reported = another_result(station), floor_card(station).reported
    assert reported is not None
    assert floor_card(station).needs_reason(other)
    assert not floor_card(station).needs_reason(reported)
    judge.get(here)
    typed = as_typed(other)
    assert "Why does this differ from the terminal's report?" in judge.send(f"{here}/sheet", typed)
    assert "Please give a reason" in judge.send(f"{here}/sheet/confirm", typed)
    assert floor_card(station).accepted is None
    judge.send(f"{here}/sheet/confirm", typed | {"reason": "the roles were swapped"})
    shows(judge.get(here), "Reported by the terminal", "the roles were swapped")
    history = unescape(judge.get(f"{BASE}/history"))
    assert "instead of the terminal's report: the roles were swapped" in history
    assert proof_faults(station) == ()


def test_the_history_tells_paper_from_terminal(station: Station, judge: Browser) -> None:
    station.opens(10)
    round_ = station.publishes()
    station.accepts(round_, 1)
    station.accepts(round_, 2, source=Source.TERMINAL)
    history = judge.get(f"{BASE}/history")
    assert "table 1: record sheet entered from paper" in history
    assert "table 2: record sheet confirmed as the terminal reported it" in history


def test_a_call_stops_ringing_when_its_sheet_is_accepted_from_paper(station: Station, judge: Browser) -> None:
    terminal = station.running_round()
    terminal.tells(CallJudge())
    assert "calling the judge" in judge.get(f"{BASE}/floor/calls")
    station.accepts(station.service.tournament(OPEN).rounds[0], 1)
    assert not floor_card(station).rings
    for page in (f"{BASE}/floor", f"{BASE}/floor/calls", f"{BASE}/tables/1/1"):
        assert "Table 1 is calling the judge" not in judge.get(page)


def test_a_judge_closes_a_call_and_only_a_new_one_rings_again(
    station: Station, judge: Browser, tmp_path: Path
) -> None:
    terminal = station.round_with_terminal()
    game = terminal.seats()
    terminal.tells(CallJudge())
    judge.post(f"{BASE}/tables/1/1/answer")
    assert "The call is closed." in judge.post(f"{BASE}/tables/1/1/call/end")
    assert "calls the judge" not in judge.get(f"{BASE}/floor/calls")
    # It is an entry of the station: whoever reads all entries again comes to the same.
    again = Station(tmp_path)
    assert not again.service.card(OPEN, RoundNo(1), TableNo(1)).rings
    again.close()
    terminal.tells(AnswerJudgeCall(), CallJudge())
    assert "Table 1 is calling the judge" in judge.get(f"{BASE}/floor/calls")
    assert floor_card(station).rings
    station.run(station.service.of(JudgeCalls).end(game, JUDGE))
    assert not floor_card(station).rings


def test_a_sheet_is_confirmed_only_once_the_terminal_has_reported_a_whole_game(
    station: Station, judge: Browser
) -> None:
    terminal = station.running_round()
    terminal.tells(LoseLife(SeatNo(1), 1))
    assert floor_card(station).reported is None
    assert "Confirm the record sheet" not in judge.get(f"{BASE}/floor")
    terminal.ends()
    terminal.sends()
    assert floor_card(station).reported is not None
    assert "Confirm the record sheet" in judge.get(f"{BASE}/floor")
    assert msgspec.structs.replace(floor_card(station), reported=None).sheet.value == "proposed"


def test_a_correction_that_moves_no_dollar_is_shown_as_such(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.accepts(station.publishes(), 1)
    check = judge.send(f"{BASE}/tables/1/1/sheet", as_typed(another_result(station)))
    shows(check, "No dollar amounts or ranks would change.", "Reason for the correction")


def leaves(station: Station, *, ejected: bool = False) -> str:
    """Record on table 1's sheet that seat 2 has left, and return the player's name."""
    round_ = station.service.tournament(OPEN).rounds[-1]
    left = (Abandonment(SeatNo(2), 0, ejected=ejected),)
    result = msgspec.structs.replace(outlaws_won(round_, 1), abandonments=left)
    station.does(AcceptSheet(round_.tables[0].game, result, Source.PAPER))
    entrant = station.service.tournament(OPEN).entrant(result.players[1])
    assert entrant is not None
    return entrant.name


def test_a_player_who_left_at_a_table_is_withdrawn_with_one_click_before_the_next_draw(
    station: Station, judge: Browser
) -> None:
    station.opens(12, Waivers(rounds=2))
    round_ = station.publishes("one")
    name = leaves(station)
    station.accepts(round_, 2)
    assert f"{name} left table 1 in Round 1 but is still in the tournament." in judge.get(f"{BASE}/draw")
    judge.post(f"{BASE}/draw/seal")
    assert "Left or ejected at the table" in judge.post(f"{BASE}/draw/make")
    (action,) = re.findall(r'action="([^"]+/withdraw)"', judge.get(BASE))
    judge.send(action, {"reason": "left table 1 in Round 1"})
    assert "still in the tournament" not in judge.get(f"{BASE}/draw")
    judge.post(f"{BASE}/draw/make")
    drawn = station.service.tournament(OPEN).rounds[-1]
    seated = {player for table in drawn.tables for player in table.players}
    assert len(seated) == 11
    assert proof_faults(station) == ()


def test_an_ejection_at_a_table_asks_for_its_reason_and_the_report_has_it(
    station: Station, judge: Browser
) -> None:
    station.opens(12)
    station.publishes()
    name = leaves(station, ejected=True)
    page = judge.get(f"{BASE}/floor")
    assert (
        f"{name} was ejected at table 1 in Round 1 but is still in the tournament. Why were they ejected?"
        in page
    )
    (action,) = re.findall(r'action="([^"]+/eject)"', page)
    assert "Choose a category" in judge.send(action, {"reason": "marked cards"})
    assert "Please give a reason" in judge.send(action, {"offence": "cheating", "reason": " "})
    judge.send(action, {"offence": "cheating", "reason": "marked cards"})
    assert "marked cards" in judge.get(f"{BASE}/players/ejected")
    assert "still in the tournament" not in judge.get(f"{BASE}/floor")


def test_a_corrected_sheet_takes_the_question_back(station: Station, judge: Browser) -> None:
    station.opens(12)
    station.publishes()
    leaves(station)
    round_ = station.service.tournament(OPEN).rounds[-1]
    station.does(CorrectSheet(round_.tables[0].game, outlaws_won(round_, 1), "stayed to the end"))
    assert "still in the tournament" not in judge.get(BASE)


def test_a_sheet_of_a_published_ranking_says_first_what_has_to_be_done(
    station: Station, judge: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    assert "Undo its publication under “History” first" in judge.get(f"/judge/t/{OPEN}/tables/1/1/sheet")
