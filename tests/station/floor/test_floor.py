"""The floor and a table's page, with terminals that report their games."""

import asyncio
import re
from typing import Any

import msgspec
import pytest

from core.game.ending.finished_game import FinishedGame
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.abandonment import Abandon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.state.decisions import Undo
from core.terms import SeatNo, TableNo
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import ChangeWaivers
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.calls.service import JudgeCalls
from station.hall import table_cards
from station.projections.cards import FloorCard
from tests.station.browser import Browser, on_floor
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won

BASE = f"/judge/t/{OPEN}"


@pytest.fixture(autouse=True)
def _round(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()


def card(judge: Browser, table: int) -> str:
    return on_floor(judge, OPEN, table)


def test_a_card_shows_life_turn_and_reshuffles_as_the_terminal_does(station: Station, judge: Browser) -> None:
    station.begun(1, LoseLife(SeatNo(2), 1), Reshuffle())
    text = card(judge, 1)
    assert "1 reshuffle<" in text
    assert "turn 1<" in text
    assert text.count('<li class=" turn">') == 1
    assert text.count('class="icon spent"') == 1


def test_a_table_without_a_terminal_says_that_it_plays_on_paper(judge: Browser) -> None:
    assert "on paper" in card(judge, 2)


def test_a_call_is_shown_above_everything_until_the_judge_has_come(station: Station, judge: Browser) -> None:
    terminal = station.begun(1, CallJudge())
    assert "Table 1 is calling the judge" in judge.get(f"{BASE}/floor/calls")
    assert "rings" in card(judge, 1)
    judge.get(f"{BASE}/floor")
    answered = judge.post(f"{BASE}/tables/1/1/answer")
    assert "Roy is on the way" in answered
    assert station.card().coming == "Roy"
    terminal.tells(AnswerJudgeCall())
    assert "calls the judge" not in judge.get(f"{BASE}/floor/calls")
    assert station.card().coming == ""


def test_an_answer_to_an_old_call_says_nothing_of_a_new_one(station: Station) -> None:
    terminal = station.terminal(1)
    game = terminal.starts(CallJudge())
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    terminal.tells(AnswerJudgeCall())
    terminal.tells(CallJudge())
    assert station.card().coming == ""


def test_the_story_keeps_what_was_taken_back_struck_through(station: Station, judge: Browser) -> None:
    station.begun(1, LoseLife(SeatNo(3), 1), Undo(1), EndTurn())
    page = judge.get(f"{BASE}/tables/1/1")
    assert re.search(r"<del>Player \d+ loses 1 life point</del>", page)
    assert 'class="chart"' in page


def test_a_dispute_shows_both_sheets_side_by_side(station: Station, judge: Browser) -> None:
    terminal = station.terminal(1)
    game = terminal.seats()
    terminal.ends()
    terminal.sends()
    reported = station.card().reported
    assert isinstance(reported, FinishedGame)
    shot = msgspec.structs.replace(reported.eliminations[0], by=SeatNo(4), turn=SeatNo(4))
    station.does(AcceptSheet(game, msgspec.structs.replace(reported, eliminations=(shot,)), Source.PAPER))
    terminal.confirms()
    page = judge.get(f"{BASE}/tables/1/1")
    assert "confirmed at the table differs" in page
    assert page.count('<table class="sheet of-game">') == 2
    assert page.count(' differs"') == 2
    assert 'data-sheet="disputed"' in card(judge, 1)


def test_a_round_with_a_limit_says_when_it_ends_once_its_clock_runs(station: Station, judge: Browser) -> None:
    assert "data-ends" not in judge.get(f"{BASE}/floor")
    station.does(ChangeWaivers(Waivers(rounds=1, time_limit_min=45), "the hall closes"))
    assert "45 minutes, not started" in judge.get(f"{BASE}/floor")
    assert "data-ends" in judge.send(f"{BASE}/clock", {"do": "start"})


def test_a_table_that_is_not_there_is_named(judge: Browser) -> None:
    answer = judge.status(f"{BASE}/tables/1/9/")
    assert answer.status_code == 404
    assert "no such table" in answer.text


def test_a_lapsed_session_loads_the_whole_page_again_and_draws_nothing_into_a_card(visitor: Browser) -> None:
    answer = visitor.status(f"{BASE}/floor/calls", **{"hx-request": "true"})
    assert answer.status_code == 401
    assert answer.headers["hx-refresh"] == "true"


def test_players_who_left_stand_apart(station: Station, judge: Browser) -> None:
    player = station.service.tournament(OPEN).entrants[0].player
    station.does(WithdrawPlayer(player, "ill"))
    assert "out of the tournament" in judge.get(f"{BASE}/players")


def test_who_left_is_told_before_the_character_even_on_narrow_cards(station: Station, judge: Browser) -> None:
    station.begun(1, Abandon(SeatNo(2)))
    text = card(judge, 1)
    words = text[text.index(">has left<") :]
    assert words.index("<small>") < words.index("</li>")


def test_all_open_pages_share_one_card_of_the_table_that_changed(
    station: Station, judge: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[TableNo] = []

    def counted(**parts: Any) -> FloorCard:
        made.append(parts["table"])
        return FloorCard(**parts)

    monkeypatch.setattr(table_cards, "FloorCard", counted)
    terminal = station.begun(1)
    assert "terminal" in card(judge, 1)
    made.clear()
    for _ in range(3):
        assert "terminal" in card(judge, 1)
        judge.get(f"{BASE}/floor/calls")
    assert made == []
    terminal.tells(CallJudge())
    made.clear()
    for _ in range(3):
        assert "is calling the judge" in judge.get(f"{BASE}/floor/calls")
        assert "rings" in card(judge, 1)
    assert made == [1]
    station.clock.passed_ms += 20_000
    card(judge, 2)
    card(judge, 1)
    assert made == [1, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("look", ["cards", "rows", "plan"])
@pytest.mark.parametrize(("step", "badge"), [(WithdrawPlayer, "has left"), (EjectPlayer, "ejected")])
def test_a_player_who_is_out_is_marked_at_a_table_on_paper(
    station: Station,
    judge: Browser,
    step: type[WithdrawPlayer | EjectPlayer],
    badge: str,
    look: str,
) -> None:
    """Once its record sheet is accepted, the result shows who was eliminated."""
    drawn = station.service.tournament(OPEN).rounds[0].tables[1]
    player = drawn.players[2]
    assert badge not in on_floor(judge, OPEN, 2, look)
    station.does(step(player, "ill"))
    article = on_floor(judge, OPEN, 2, look)
    name = re.escape(f"Player {int(player[1:])}")
    assert len(re.findall(rf'{name}(?:</\w+>)?\s*<span class="badge">{badge}</span>', article)) == 1
    assert badge not in on_floor(judge, OPEN, 1, look)
    station.does(
        AcceptSheet(drawn.game, outlaws_won(station.service.tournament(OPEN).rounds[0], 2), Source.PAPER)
    )
    assert badge not in on_floor(judge, OPEN, 2, look)


def test_a_change_while_the_floor_opens_its_stream_is_sent(judge: Browser, station: Station) -> None:
    sent: list[str] = []

    async def follow() -> None:
        is_sent = asyncio.Event()

        def on_sent(text: str) -> None:
            sent.append(text)
            if text.startswith(": open"):
                # From now on the page loads the floor, and may have read this table already.
                station.context.feed.publish("table", TableNo(2))
            if "event: table-2" in text:
                is_sent.set()

        reading = asyncio.ensure_future(judge.follow(f"{BASE}/floor/events", on_sent))
        await asyncio.wait_for(is_sent.wait(), 10)
        reading.cancel()

    station.run(follow())
    assert any("Table 2" in text for text in sent)
