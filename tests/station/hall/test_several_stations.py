"""Several stations on one PostgreSQL database decide on each other's entries, and nothing happens twice."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec
import pytest

from base.errors import Refused, Unavailable
from core.game.ending.judge_calls import CallJudge
from core.game.orders import AnswerCall, AssignTable, SeatGame, TakeGame, VoidTable
from core.terms import PlayerId, TournamentId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import RegisterPlayers
from core.tournament.state.reasons import TournamentReason
from station.accounts.api_tokens import ApiTokens
from station.accounts.permissions import AccountRole
from station.calls.service import JudgeCalls
from station.hall import tournaments
from station.hall.local_projections import SharedProjections
from station.judges import access
from station.players.codes import codes_of
from station.players.service import Desk
from station.projections.cards import SheetState
from station.store.store import ArrivedEntry, Store
from sync.protocol.entry import Entry, StreamId
from tests.station.browser import Browser
from tests.station.conftest import JUDGE, OPEN, Make, ScriptedTerminal, Station, players, seed
from tests.station.hall.test_restarts import CutStore, folds
from tests.station.hall.test_several_tournaments import SIDE, draws_side_event

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

Pair = tuple[Station, Station]


@pytest.fixture
def pair(another: Make) -> Pair:
    return another(), another()


def catches_up(*stations: Station) -> None:
    for station in stations:
        station.run(station.context.catch_up())


def at_once(*works: Callable[[], object]) -> list[object]:
    """Run all at the same moment, and return what each returned or raised."""
    begin = threading.Barrier(len(works))

    def _work(work: Callable[[], object]) -> object:
        begin.wait()
        try:
            return work()
        except (Refused, Unavailable) as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(_work, works))


def test_each_decides_on_what_the_other_has_stored(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    state = other.does(RegisterPlayers(players(12)[10:]))
    assert len(state.entrants) == 12
    assert len(one.does(RegisterPlayers(players(13)[12:])).entrants) == 13
    catches_up(*pair)
    assert folds(one.context.projections) == folds(other.context.projections)


def test_of_two_equal_decisions_at_once_one_is_refused(pair: Pair) -> None:
    pair[0].opens(10)
    for number in range(10, 18):
        newcomer = RegisterPlayers(players(number + 1)[number:])
        outcomes = at_once(*(partial(station.does, newcomer) for station in pair))
        assert sorted(isinstance(outcome, Refused) for outcome in outcomes) == [False, True]
    assert len(list(pair[0].store.entries_after())) == 2 + 8


def test_orders_that_all_find_due_are_given_once(another: Make) -> None:
    stations = [another() for _ in range(3)]
    stations[0].opens(10)
    terminals = [stations[0].terminal(table) for table in (1, 2)]
    stations[1].publishes()
    at_once(*(lambda s=station: s.run(tournaments.resume_tournaments(s.context)) for station in stations))
    for terminal in terminals:
        assert [type(order) for order in terminal.orders] == [AssignTable, SeatGame]


def test_a_terminal_put_elsewhere_at_one_station_is_told_by_the_other_what_follows(pair: Pair) -> None:
    one, other = pair
    terminal = one.round_with_terminal()
    other.assigns(terminal.id, 2)
    assert [order.table for order in terminal.ordered(AssignTable)] == [1, 2]
    assert [order.seating.table for order in terminal.ordered(SeatGame)] == [1, 2]
    one.does(UndoSteps(1, "look again"))
    assert terminal.ordered(VoidTable)[-1].game == terminal.seating.game


def test_orders_of_a_station_that_died_are_given_by_another(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    terminal = one.terminal(1)
    one.store.__class__ = CutStore
    assert isinstance(one.store, CutStore)
    one.store.commits_left = 3
    # The publication is stored, and then the power goes.
    one.publishes()
    assert terminal.ordered(SeatGame) == []
    catches_up(other)
    assert other.context._retry is not None
    other.run(tournaments.resume_tournaments(other.context))
    assert len(terminal.ordered(SeatGame)) == 1


def test_a_game_told_to_two_stations_is_folded_whole_at_both(pair: Pair) -> None:
    one, other = pair
    terminal = one.running_round()
    there = moved(terminal, other)
    terminal.sends()
    there.ends()
    # The second station stores what follows before it has folded what came to the first.
    there.sends()
    catches_up(*pair)
    for station in pair:
        (card, _) = station.service.floor(OPEN)
        assert card.sheet is SheetState.PROPOSED
    assert folds(one.context.projections) == folds(other.context.projections)


def test_a_sheet_confirmed_at_a_table_is_accepted_once(pair: Pair) -> None:
    one, other = pair
    terminal = one.round_with_terminal()
    terminal.plays()
    catches_up(other)
    at_once(*(lambda s=station: s.run(tournaments.resume_tournaments(s.context)) for station in pair))
    catches_up(*pair)
    assert len(one.service.tournament(OPEN).rounds[0].sheets) == 1
    assert len(other.service.history(OPEN)) == len(one.service.history(OPEN)) == 6


def test_a_call_is_answered_at_the_other_station(pair: Pair) -> None:
    one, other = pair
    terminal = one.round_with_terminal()
    game = terminal.starts(CallJudge())
    other.run(other.service.of(JudgeCalls).claim(game, JUDGE))
    assert len(terminal.ordered(AnswerCall)) == 1


def test_a_claim_at_one_station_is_known_at_the_other_and_after_a_restart(pair: Pair, another: Make) -> None:
    one, other = pair
    terminal = one.round_with_terminal()
    game = terminal.starts(CallJudge())
    other.catches_up()
    assert [call.coming for call in other.service.of(JudgeCalls).open_calls()] == [""]
    said = at_once(
        lambda: one.run(one.service.of(JudgeCalls).claim(game, "Roy")),
        lambda: other.run(other.service.of(JudgeCalls).claim(game, "Bean")),
    )
    assert sorted(isinstance(each, Refused) for each in said) == [False, True]
    catches_up(*pair)
    third = another()
    coming = [[call.coming for call in s.service.of(JudgeCalls).open_calls()] for s in (one, other, third)]
    assert coming in ([["Roy"]] * 3, [["Bean"]] * 3)
    assert folds(one.context.projections) == folds(other.context.projections)


def test_an_alarm_rings_at_all_stations_until_a_judge_has_seen_it_at_one(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    terminal = one.terminal(1)
    one.on_loop(lambda: one.switchboard.alarm(terminal.id, "two journals disagree"))
    one.settle()
    other.catches_up()
    assert [card.alarm for card in other.service.terminals()] == ["two journals disagree"]
    other.run(other.service.problems.mark_terminal_seen(terminal.id, JUDGE))
    one.catches_up()
    assert [card.alarm for card in one.service.terminals()] == [""]


class LeavingStore(Store):
    """A store whose database goes away right after a decision was stored, and soon comes back."""

    reads_to_fail = 0

    def append_all(
        self, contents: Sequence[tuple[StreamId, bytes]], *, decided_on: int | None = None
    ) -> tuple[Entry, ...]:
        written = super().append_all(contents, decided_on=decided_on)
        self.reads_to_fail = 1
        return written

    def entries_after(self, after: int = 0) -> Iterator[ArrivedEntry]:
        if self.reads_to_fail:
            self.reads_to_fail -= 1
            raise Unavailable("away")
        return super().entries_after(after)


def test_a_database_that_went_away_after_the_commit_is_no_refusal(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    one.store.__class__ = LeavingStore
    assert len(one.does(RegisterPlayers(players(11)[10:])).entrants) == 11
    catches_up(*pair)
    assert folds(one.context.projections) == folds(other.context.projections)


def moved(terminal: ScriptedTerminal, station: Station) -> ScriptedTerminal:
    """Connect the same terminal to another station."""
    there = ScriptedTerminal(station, terminal.id)
    there.timeline, there.entries = terminal.timeline, terminal.entries
    return there


def test_a_second_tournament_is_refused_the_tables_that_play_by_every_station(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    terminal = one.terminal(1)
    draws_side_event(other)
    one.publishes()
    publishes = partial(other.service.decide, SIDE, PublishDraw(), JUDGE)
    with pytest.raises(Refused) as refusal:
        other.run(publishes())
    assert refusal.value.reason is TournamentReason.TABLES_IN_USE
    assert len(terminal.ordered(SeatGame)) == 1


def test_of_two_tournaments_published_at_once_one_gets_the_tables(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    terminal = one.terminal(1)
    draws_side_event(other)
    one.does(SealDraw(seed=seed("cactus")))
    one.does(MakeDraw(hall_word="tumbleweed"))

    def publishes(station: Station, tournament: TournamentId) -> None:
        station.run(station.service.decide(tournament, PublishDraw(), JUDGE))

    outcomes = at_once(partial(publishes, one, OPEN), partial(publishes, other, SIDE))
    assert sorted(isinstance(outcome, Refused) for outcome in outcomes) == [False, True]
    assert len(terminal.ordered(SeatGame)) == 1


def test_a_game_forged_at_one_station_counts_at_none_and_rings_at_all(pair: Pair, another: Make) -> None:
    one, other = pair
    one.opens(10)
    catches_up(*pair)
    honest, thief = one.terminal(1), other.terminal(9, "thief")
    one.publishes()
    catches_up(*pair)
    thief.begins(honest.ordered(SeatGame)[0].seating)
    thief.ends()
    thief.confirms()
    for station in (*pair, another()):
        station.run(tournaments.resume_tournaments(station.context))
        catches_up(station)
        card = station.service.floor(OPEN)[0]
        assert (card.game, card.reported, card.sheet) == (None, None, SheetState.PLAYING)
        assert (
            "never assigned to it (round 1, table 1)"
            in {card.terminal: card.alarm for card in station.service.terminals()}[thief.id]
        )
    assert honest.ordered(TakeGame) == []
    raised = [alarm for alarm in one.context.projections.raised.values() if alarm.terminal == thief.id]
    assert len(raised) == 1
    assert folds(one.context.projections) == folds(other.context.projections)
    honest.plays()
    catches_up(*pair)
    assert other.service.floor(OPEN)[0].sheet is SheetState.ACCEPTED


def test_what_a_judge_decided_at_one_station_is_on_the_next_page_of_another(pair: Pair) -> None:
    """A load balancer sends the next request to another station that has not caught up yet."""
    one, other = pair
    browser = Browser(other)
    browser.log_in()
    one.opens(10)
    assert "Player 10" in browser.get(f"/judge/t/{OPEN}/players")
    terminal = one.terminal(1)
    assert terminal.id in browser.get("/judge/terminals")


def test_no_page_waits_for_a_reading_that_never_ends(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that freezes during a reading also holds up all later readings."""
    one, other = pair
    browser = Browser(other)
    browser.log_in()
    one.opens(10)
    folds_of_other = other.context.folds
    assert isinstance(folds_of_other, SharedProjections)
    reading = folds_of_other._reading
    other.run(reading.acquire())
    monkeypatch.setattr(access, "_PATIENCE_S", 0.1)
    assert "database isn't responding" in browser.get("/judge/terminals", expected=503)
    reading.release()
    monkeypatch.undo()
    assert "Player 10" in browser.get(f"/judge/t/{OPEN}/players")


def test_a_program_with_a_token_reads_what_was_just_decided_at_another_station(pair: Pair) -> None:
    """One station announces a change, and a load balancer asks another for it."""
    one, other = pair
    program = Browser(other)
    made = ApiTokens(program.judges).make("overlay", AccountRole.HEAD_JUDGE, JUDGE)
    one.opens(10)
    players = program.status(f"/api/v1/tournaments/{OPEN}/players", Authorization=f"Bearer {made}")
    assert len(players.json()) == 10


def test_what_a_player_did_at_one_station_is_on_the_next_page_of_another(pair: Pair) -> None:
    one, other = pair
    one.opens(10)
    catches_up(other)
    one.run(one.service.of(Desk).change(OPEN, lambda desk: msgspec.structs.replace(desk, self_check_in=True)))
    url = f"/me/{one.service.of(codes_of).badge(OPEN, PlayerId('p001'))}"
    first, next_one = Browser(other), Browser(one)
    assert "I'm here" in first.get(url)
    next_one.get(url)
    assert "You're checked in." in next_one.post(f"{url}/here")
    assert "You're checked in." in first.get(url)


@pytest.mark.parametrize("page", ["updates", "devices", "rehearsal"])
def test_a_page_of_one_of_several_stations_says_so(station: Station, pair: Pair, page: str) -> None:
    """A load balancer would send the next request for what was begun there to another station."""
    warning = "this page belongs to one of them"
    seen = []
    for one in (station, pair[0]):
        browser = Browser(one)
        browser.log_in()
        seen.append(warning in browser.get(f"/judge/{page}"))
    assert seen == [False, True]
