"""Calls of tables and their page: a restart keeps who is coming, and no call outlives its game."""

import datetime as dt
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from cryptography import x509

from base.errors import Refused
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.sheet import VoidGame
from core.game.orders import AnswerCall, EndCall, PlaceInQueue
from core.game.state.game import CallReason
from core.rule_set import RuleSet
from core.terms import GameId, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.table_list import list_from
from core.tournament.state.tournament import Waivers
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.calls.service import CallRefusal, JudgeCalls
from station.hall.open_calls import OpenCall
from station.projections.alarms import (
    ALARMS,
    Alarm,
    CallClaimed,
    CallEnded,
    CallEscalated,
    CallHandedOver,
    CallId,
    CallReceived,
    CallRecord,
    CallReleased,
    evolve_call,
)
from station.web.page_certificate import page_certificate
from sync.protocol.entry import content_of
from tests.station.browser import PASSWORD, Browser, logged_in_as, on_floor
from tests.station.conftest import (
    JUDGE,
    OPEN,
    Pair,
    ScriptedTerminal,
    Station,
    outlaws_won,
    players,
    present,
    seed,
)
from tests.station.hall.test_several_tournaments import SIDE, does
from tests.station.hall.test_swaps import playing, swapped

BEAN = "Judge Bean"
GAME, CALL = GameId("g"), CallId("t/e/1")


@pytest.fixture
def pair(station: Station) -> Pair:
    station.opens(10)
    pair = station.terminal(1), station.terminal(2)
    station.publishes()
    for terminal in pair:
        terminal.starts()
    return pair


def rings(terminal: ScriptedTerminal, *commands: GameCommand) -> GameId:
    """Let a table call the judge, with a reason or without."""
    terminal.tells(CallJudge(), *commands)
    terminal.station.settle()
    return terminal.state.game


def tables(calls: Sequence[OpenCall]) -> list[int]:
    return [call.table.drawn.table for call in calls]


def queue(station: Station) -> tuple[OpenCall, ...]:
    return station.service.of(JudgeCalls).open_calls()


def recorded(station: Station) -> list[Alarm]:
    """Return the station's stored entries about calls."""
    entries = station.store.entries(ALARMS, 0, 99)
    return [msgspec.msgpack.decode(content_of(entry.raw).body, type=Alarm) for entry in entries]


def test_a_call_goes_its_way_entry_by_entry() -> None:
    steps = (
        (CallReceived(GAME, CALL), 1_000),
        (CallClaimed(GAME, CALL, JUDGE), 31_000),
        (CallHandedOver(GAME, CALL, JUDGE, BEAN), 40_000),
        (CallReleased(GAME, CALL, BEAN), 50_000),
        (CallClaimed(GAME, CALL, JUDGE), 60_000),
    )
    record: CallRecord | None = None
    for entry, wall_ms in steps:
        record = evolve_call(record, entry, wall_ms)
    assert record == CallRecord(GAME, CALL, 1_000, coming=JUDGE, claimed_ms=31_000)
    record = evolve_call(record, CallEscalated(GAME, CALL, JUDGE), 70_000)
    assert (record.coming, record.escalated_by, record.claimed_ms) == ("", JUDGE, 31_000)
    ended = evolve_call(record, CallEnded(GAME, 1, BEAN, CALL), 90_000)
    assert (ended.ended_ms, ended.ended_by) == (90_000, BEAN)


def test_claims_escalations_and_waits_survive_a_restart(station: Station, pair: Pair, tmp_path: Path) -> None:
    first, second = (rings(terminal) for terminal in pair)
    station.run(station.service.of(JudgeCalls).claim(first, JUDGE))
    station.run(station.service.of(JudgeCalls).escalate(second, BEAN))
    station.clock.passed_ms += 60_000
    again = Station(tmp_path)
    calls = {call.game: (call.coming, call.escalated_by) for call in queue(again)}
    assert calls == {first: (JUDGE, ""), second: ("", BEAN)}
    assert [call.record for call in queue(again)] == [call.record for call in queue(station)]
    again.close()


def test_the_longest_wait_comes_first_but_for_the_head_judges_calls(station: Station, pair: Pair) -> None:
    one, two = pair
    rings(two)
    station.clock.passed_ms += 5_000
    game = rings(one, GiveCallReason(CallReason.DISPUTE))
    assert tables(queue(station)) == [2, 1]
    assert [call.reason for call in queue(station)] == [None, CallReason.DISPUTE]
    station.run(station.service.of(JudgeCalls).escalate(game, JUDGE))
    assert tables(queue(station)) == [1, 2]
    assert two.ordered(PlaceInQueue)[-1].before == 1


def test_one_queue_holds_the_calls_of_all_tournaments(station: Station) -> None:
    here = station.running_round()
    rules = RuleSet("championship-2022")
    there = station.terminal(7)
    waivers = Waivers(rounds=1)
    does(station, OpenTournament(SIDE, "Side", rules, "2026-11-21", waivers, tables=list_from(TableNo(7))))
    does(station, RegisterPlayers(players(10)))
    does(station, SealDraw(seed=seed("side")))
    does(station, MakeDraw(hall_word="saddle"))
    does(station, PublishDraw())
    there.seats()
    rings(there)
    station.clock.passed_ms += 1_000
    rings(here)
    assert [(call.table.tournament.tournament, call.table.drawn.table) for call in queue(station)] == [
        (SIDE, 7),
        (OPEN, 1),
    ]


def test_a_call_that_is_released_waits_again_and_the_table_is_told(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    assert pair[0].orders[-2:] == [PlaceInQueue(game, 1, 0), AnswerCall(game)]
    station.run(station.service.of(JudgeCalls).release(game, BEAN))
    assert queue(station)[0].coming == ""
    assert pair[0].orders[-1] == PlaceInQueue(game, 1, 0)


def test_a_call_is_handed_over_by_anybody_to_anybody_with_an_account(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    calls = station.service.of(JudgeCalls)
    assert station.refusal(calls.hand_over(game, JUDGE, "Nobody", (JUDGE, BEAN))) is CallRefusal.UNKNOWN_JUDGE
    station.run(calls.hand_over(game, JUDGE, BEAN, (JUDGE, BEAN)))
    assert queue(station)[0].coming == BEAN
    assert pair[0].ordered(AnswerCall) == [AnswerCall(game)]
    station.run(calls.hand_over(game, BEAN, JUDGE, (JUDGE, BEAN)))
    assert queue(station)[0].coming == JUDGE
    assert pair[0].ordered(AnswerCall) == [AnswerCall(game)]


def test_a_table_that_somebody_goes_to_is_not_claimed_again(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    with pytest.raises(Refused) as refusal:
        station.run(station.service.of(JudgeCalls).claim(game, BEAN))
    assert (refusal.value.reason, refusal.value.fields) == (CallRefusal.TAKEN, {"name": JUDGE})
    assert sum(isinstance(entry, CallClaimed) for entry in recorded(station)) == 1


def test_a_call_that_the_table_ends_is_over_with_its_time(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    station.clock.passed_ms += 90_000
    pair[0].tells(AnswerJudgeCall())
    station.settle()
    assert queue(station) == ()
    assert isinstance(recorded(station)[-1], CallEnded)
    (report,) = station.service.of(JudgeCalls).day_reports()
    assert (report.calls, report.claimed, present(report.ended).median_s) == (1, None, 90)
    assert station.refusal(station.service.of(JudgeCalls).claim(game, JUDGE)) is CallRefusal.OVER


def test_a_call_that_a_judge_closes_ends_at_the_table_too(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    station.run(station.service.of(JudgeCalls).end(game, JUDGE))
    assert pair[0].orders[-1] == EndCall(game, 1)
    pair[0].tells(AnswerJudgeCall())
    rings(pair[0])
    assert tables(queue(station)) == [1]
    station.run(station.service.of(JudgeCalls).end(game, JUDGE))
    assert pair[0].ordered(EndCall) == [EndCall(game, 1), EndCall(game, 2)]


def test_nothing_rings_once_its_game_is_confirmed(station: Station) -> None:
    terminal = station.running_round()
    terminal.ends()
    rings(terminal)
    assert tables(queue(station)) == [1]
    terminal.confirms()
    station.settle()
    assert queue(station) == ()
    assert not station.service.floor(OPEN)[0].rings
    assert isinstance(recorded(station)[-1], CallEnded)


def test_nothing_rings_once_its_sheet_is_accepted_from_paper(station: Station, pair: Pair) -> None:
    game = rings(pair[0])
    result = outlaws_won(station.latest_round, 1)
    station.does(AcceptSheet(game, result, Source.PAPER))
    station.settle()
    assert queue(station) == ()
    assert isinstance(recorded(station)[-1], CallEnded)


def test_nothing_rings_once_its_draw_is_undone_until_a_new_game_does(station: Station, pair: Pair) -> None:
    playing_games = tuple(terminal.state.game for terminal in pair)
    rings(pair[0])
    station.does(UndoSteps(1, "wrong list", confirmed=playing_games))
    station.settle()
    assert queue(station) == ()
    assert isinstance(recorded(station)[-1], CallEnded)
    station.does(PublishDraw())
    pair[0].ask(VoidGame("The draw was taken back."))
    pair[0].seats()
    rings(pair[0])
    assert tables(queue(station)) == [1]


def test_a_spare_that_takes_the_game_over_keeps_the_call_and_who_comes(station: Station) -> None:
    broken = playing(station)
    broken.tells(CallJudge())
    station.settle()
    game = queue(station)[0].game
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    before = queue(station)
    spare = swapped(station)
    spare.obeys()
    spare.sends()
    station.settle()
    assert [(call.record, call.coming) for call in queue(station)] == [
        (call.record, call.coming) for call in before
    ]


def test_an_entry_of_an_older_station_still_closes_its_calls(station: Station, pair: Pair) -> None:
    game = rings(pair[0])

    async def _old() -> None:
        async with station.context.lock:
            await station.context.append([(ALARMS, CallEnded(game, 1, JUDGE))])

    station.run(_old())
    assert msgspec.to_builtins(recorded(station)[-1]) == {
        "body": "call-ended", "game": game, "calls": 1, "by": JUDGE,
    }  # fmt: skip
    assert not station.service.floor(OPEN)[0].rings
    pair[0].ask(AnswerJudgeCall())
    rings(pair[0])
    assert station.service.floor(OPEN)[0].rings


TABLE = f"/judge/t/{OPEN}/tables/1/1"


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    """The terminal of table 1, whose players have called a judge."""
    terminal = station.running_round()
    terminal.tells(CallJudge(), GiveCallReason(CallReason.RULE))
    station.settle()
    return terminal


@pytest.fixture
def second_judge(station: Station, judge: Browser) -> None:
    del judge  # whose account is the first
    Judges(station.database, station.clock.wall_ms).add("Bean", PASSWORD)


def shown_queue(judge: Browser) -> str:
    return judge.get("/judge/calls/queue")


def waiting_on(page: str) -> int:
    """Return the number on a page's badge, or 0 if it shows none."""
    match = present(re.search(r'class="call-badge[^"]*".*?</a>', page))
    number = re.search(r"<b>(\d+)</b>", match[0])
    return 0 if number is None else int(number[1])


def test_the_queue_tells_table_reason_and_time_and_every_page_the_number(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    station.clock.passed_ms += 3 * 60_000
    queue_page = judge.get("/judge/calls")
    assert f'href="{TABLE}">Table 1</a>' in queue_page
    assert "Rule question" in queue_page
    assert "waiting for 3 min" in queue_page
    for page in ("/judge", f"/judge/t/{OPEN}/players", "/judge/terminals", "/judge/calls/badge"):
        assert waiting_on(judge.get(page)) == 1


def test_a_call_is_claimed_with_one_click_and_released(terminal: ScriptedTerminal, judge: Browser) -> None:
    judge.get("/judge/calls")
    assert "The table now shows that you're coming." in judge.post(f"{TABLE}/answer")
    assert "Roy is on the way" in shown_queue(judge)
    assert waiting_on(judge.get("/judge/calls/badge")) == 0
    assert "The call is waiting for a judge again." in judge.post(f"{TABLE}/call/release")
    assert "Roy is on the way" not in shown_queue(judge)
    assert waiting_on(judge.get("/judge/calls/badge")) == 1
    assert "Nobody is on the way to this table." in judge.post(f"{TABLE}/call/release")


def test_a_call_is_handed_over_to_a_judge_with_an_account(
    terminal: ScriptedTerminal, second_judge: None, judge: Browser
) -> None:
    judge.get("/judge/calls")
    assert "<option>Bean</option>" in shown_queue(judge)
    assert "The call has been handed over." in judge.post(f"{TABLE}/call/hand-over", to="Bean")
    assert "Bean is on the way" in shown_queue(judge)
    assert "Bean is already on the way to this table." in judge.post(f"{TABLE}/answer")
    assert "Choose a judge who has an account." in judge.post(f"{TABLE}/call/hand-over", to="Nobody")
    assert "Bean is on the way" in shown_queue(judge)


def test_a_call_for_the_head_judge_says_so_and_waits(terminal: ScriptedTerminal, judge: Browser) -> None:
    judge.get("/judge/calls")
    judge.post(f"{TABLE}/answer")
    assert "The call is now for the head judge." in judge.post(f"{TABLE}/call/escalate")
    assert "Roy asked for the head judge" in shown_queue(judge)
    assert "Roy is on the way" not in shown_queue(judge)
    for page in (f"/judge/t/{OPEN}/floor/calls", TABLE):
        assert "for the head judge" in judge.get(page)
    assert "for the head judge" in on_floor(judge, OPEN, 1)
    assert "has already been asked" in judge.post(f"{TABLE}/call/escalate")


def test_only_a_head_judge_goes_to_an_escalated_call_unless_it_is_handed_over(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    floor_judge = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    floor_judge.get("/judge/calls")
    assert 'data-calls=""' not in floor_judge.get("/judge/calls/badge")
    floor_judge.post(f"{TABLE}/call/escalate")
    # It rings at the head judge's pages only.
    assert 'data-calls=""' in floor_judge.get("/judge/calls/badge")
    assert 'data-calls=""' not in judge.get("/judge/calls/badge")
    for page in ("/judge/calls", f"/judge/t/{OPEN}/floor", TABLE):
        text = floor_judge.get(page)
        assert "waits for the head judge" in text
        assert "On my way" not in text
    assert "This table waits for the head judge." in floor_judge.post(f"{TABLE}/answer")
    judge.get("/judge/calls")
    judge.post(f"{TABLE}/call/hand-over", to="floor-judge")
    assert "floor-judge is on the way" in floor_judge.get("/judge/calls")
    judge.post(f"{TABLE}/call/release")
    assert "On my way" in judge.get("/judge/calls")
    assert "Roy is on the way" in judge.post(f"{TABLE}/answer")


def test_the_day_s_report_gives_median_and_slowest_answer(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    judge.get("/judge/calls")
    station.clock.passed_ms += 65_000
    judge.post(f"{TABLE}/answer")
    station.clock.passed_ms += 60_000
    assert "The call is closed." in judge.post(f"{TABLE}/call/end")
    for page in ("/judge/calls", "/judge/calls/report"):
        text = judge.get(page)
        assert "<strong>1:05</strong><br><small>slowest 1:05, table 1</small>" in text
        assert "<strong>2:05</strong><br><small>slowest 2:05, table 1</small>" in text
        assert "1 × Rule question" in text
    assert "This call is already closed." in judge.post(f"{TABLE}/answer")


def test_a_station_without_a_certificate_offers_none(judge: Browser) -> None:
    assert "nothing to install" in judge.get("/judge/calls")
    assert "no certificate of their own" in judge.status("/judge/calls/certificate").text


def test_the_certificate_of_the_pages_can_be_installed(judge: Browser, tmp_path: Path) -> None:
    now = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    _key, file = page_certificate(tmp_path, ("192.0.2.1",), now)
    judge.app.state.site.page_certificate = file
    answer = judge.status("/judge/calls/certificate")
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    certificate = x509.load_der_x509_certificate(answer.content)
    assert certificate == x509.load_pem_x509_certificate(file.read_bytes())


def test_the_home_screen_gets_a_name_and_pictures(judge: Browser) -> None:
    page = judge.status("/judge/calls/")
    assert 'rel="manifest" href="/static/saloon.webmanifest"' in page.text
    assert "manifest-src 'self'" in page.headers["content-security-policy"]
    answer = judge.status("/static/saloon.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert manifest["start_url"] == "/judge/calls"
    for icon in manifest["icons"]:
        assert judge.status(icon["src"]).headers["content-type"] == "image/png"
