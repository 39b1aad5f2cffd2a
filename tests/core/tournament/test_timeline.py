"""A tournament's log: decisions as always stored, the same state from its bytes, and undo of any steps."""

import typing

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.loader import edition
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.decisions import TournamentDecision, TournamentStep, UndoSteps, why_not
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import EjectPlayer, WarnPlayer, WithdrawPlayer
from core.tournament.registration import ChangeWaivers, RegisterPlayers, RemovePlayer, RenamePlayer
from core.tournament.round_clock import StartRoundClock
from core.tournament.sheets import AcceptSheet, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.decision import Progress, VoidedGame
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Source
from core.tournament.state.tournament import Player, Waivers
from core.tournament.timeline import extend, fold
from tests.core.tournament.conftest import Judge, outlaws_won, players, seed, time_was_up

RULES = edition("championship-2022")
WHO = st.sampled_from([player.player for player in players(14)])
SIMPLE: st.SearchStrategy[TournamentDecision] = st.one_of(
    st.builds(WithdrawPlayer, WHO, st.just("ill")),
    st.builds(WarnPlayer, WHO, st.sampled_from(["slow", ""])),
    st.builds(EjectPlayer, WHO, st.just("cheating")),
    st.builds(RemovePlayer, WHO),
    st.builds(RenamePlayer, WHO, st.sampled_from(["Ann", "Bob", ""]), st.sampled_from(["", "Turin"])),
    st.builds(
        ChangeWaivers,
        st.builds(Waivers, st.none() | st.integers(0, 6), st.none() | st.integers(0, 90)),
        st.just("late"),
    ),
    st.builds(SealDraw, seed=st.integers(0, 30).map(seed)),
    st.builds(MakeDraw, hall_word=st.sampled_from(["", "cactus"])),
    st.just(PublishDraw()),
    st.builds(DrawLots, st.integers(0, 30).map(seed)),
    st.just(PublishRanking()),
    st.builds(UndoSteps, st.integers(0, 9), st.just("mistake")),
    st.builds(lambda n: RegisterPlayers((Player(PlayerId(f"x{n}"), f"X {n}"),)), st.integers(0, 3)),
)
MOVES = st.lists(SIMPLE | st.sampled_from(["sheet", "correct"]), max_size=30)


def command(judge: Judge, move: TournamentDecision | str) -> TournamentDecision | None:
    """A sheet of the running round, or a correction of the last one, where there is one."""
    if not isinstance(move, str):
        return move
    running = judge.state.running_round
    if move == "sheet" and running is not None:
        table = running.missing[0]
        return AcceptSheet(table.game, outlaws_won(running, table), Source.PAPER)
    for drawn in judge.state.published_rounds:
        for table in drawn.tables:
            if move == "correct" and table not in drawn.missing:
                return CorrectSheet(table.game, time_was_up(drawn, table), "swapped")
    return None


def scripted(moves: list[TournamentDecision | str]) -> Judge:
    """A judge who tried all of this at a tournament of 14; what was refused changed nothing."""
    judge = Judge(RULES).opens(14, Waivers(rounds=2))
    for move in moves:
        tried = command(judge, move)
        if tried is None:
            continue
        before = judge.timeline
        allowed = why_not(judge.state, tried, RULES) is None
        try:
            judge.does(tried)
        except Refused:
            assert not allowed
            assert judge.timeline == before
        else:
            assert allowed
    return judge


@pytest.mark.slow
@settings(deadline=None)
@given(MOVES)
def test_replay_of_the_bytes_is_the_state(moves: list[TournamentDecision | str]) -> None:
    judge = scripted(moves)
    raw = msgspec.msgpack.encode(judge.steps)
    again = fold(msgspec.msgpack.decode(raw, type=tuple[TournamentStep, ...]))
    assert again == judge.timeline
    as_text = msgspec.json.decode(msgspec.json.encode(judge.steps), type=tuple[TournamentStep, ...])
    assert fold(as_text) == judge.timeline


@settings(deadline=None)
@given(MOVES, MOVES)
def test_undo_takes_back_whatever_was_done(
    first: list[TournamentDecision | str], then: list[TournamentDecision | str]
) -> None:
    judge = scripted(first)
    assert judge.timeline is not None
    before, kept = judge.timeline.moments, judge.state.steps
    for move in then:
        tried = command(judge, move)
        if tried is not None and not isinstance(tried, UndoSteps) and not why_not(judge.state, tried, RULES):
            judge.does(tried)
    done = judge.state.steps - kept
    if done:
        judge.does(UndoSteps(done, "all of it"))
    assert len(judge.timeline.moments) == len(before)
    public = replace(judge.state, attempts=(), redraws=())
    assert public == replace(before[-1].state, attempts=(), redraws=())


@settings(deadline=None)
@given(MOVES)
def test_no_dollar_is_lost_and_nobody_plays_twice_in_a_round(moves: list[TournamentDecision | str]) -> None:
    judge = scripted(moves)
    ranking = standings_of(judge.state, RULES)
    assert sorted(row.player for row in ranking.rows) == sorted(e.player for e in judge.state.entrants)
    paid = {5: 2 * 1800, 6: 3 * 1500, 7: 3 * 1700}
    expected = sum(
        paid[len(sheet.result.players)]
        for drawn in judge.state.rounds
        for sheet in drawn.sheets
        if sheet.result.eliminations
    )
    assert sum(row.score for row in ranking.rows) == expected
    for drawn in judge.state.rounds:
        seated = [player for table in drawn.tables for player in table.players]
        assert len(seated) == len(set(seated))


def step(*events: object) -> TournamentStep:
    raw = msgspec.json.encode({"body": "tournament-step", "tournament": "open", "events": events, "at": ""})
    return msgspec.json.decode(raw, type=TournamentStep)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ((), "no events"),
        ((WarnPlayer(PlayerId("zoe"), "slow", "J"),), "zoe, who is not registered"),
        ((PublishDraw(RoundNo(1), "J", 3),), "not sealed"),
        ((UndoSteps(9, "x", "J"),), "9 steps are taken back where 1 can be"),
        ((UndoSteps(1, "x", "J"), UndoSteps(1, "x", "J")), "alone in a step"),
    ],
)
def test_a_damaged_log_is_bad_data_and_says_which_step(
    judge: Judge, events: tuple[object, ...], problem: str
) -> None:
    judge.opens(10)
    with pytest.raises(BadData, match=problem) as raised:
        fold([*judge.steps, step(*events)])
    assert raised.value.where == "tournament log, step 3"


def test_a_sheet_that_is_not_drawn_or_is_accepted_twice_is_a_damaged_log(judge: Judge) -> None:
    drawn = judge.opens(10).publishes()
    first, second = drawn.tables
    judge.accepts(first)
    accepted = judge.steps[-1]
    with pytest.raises(BadData, match="accepted twice"):
        fold([*judge.steps, accepted])
    elsewhere = replace(outlaws_won(drawn, second), table=TableNo(9))
    stray = AcceptSheet(second.game, elsewhere, Source.PAPER, "J")
    with pytest.raises(BadData, match="a game that is not drawn"):
        fold([*judge.steps, step(stray)])


def test_a_log_begins_with_its_opening_and_holds_one_tournament(judge: Judge) -> None:
    with pytest.raises(BadData, match="before the tournament is opened"):
        fold([step(RegisterPlayers(players(3), "J"))])
    judge.opens(10)
    with pytest.raises(BadData, match="opened twice"):
        fold([*judge.steps, judge.steps[0]])
    with pytest.raises(BadData, match="a step of other stands in open"):
        extend(judge.timeline, replace(judge.steps[1], tournament=TournamentId("other")))
    assert fold([]) is None


STORED = {
    "clock-extended": "round seconds by table reason *",
    "clock-paused": "round by table reason *",
    "clock-resumed": "round by table reason pause *",
    "clock-started": "round by *",
    "dispute-settled": "game reason by",
    "draw-changed": "round attempt change reason by",
    "draw-made": "round attempt hall_word tables repeated_sheriffs by series *",
    "draw-published": "round by rounds_planned",
    "draw-sealed": "round attempt seed seal by reason *",
    "duel-accepted": "game result source by origin reason *",
    "duel-contested": "game result origin by",
    "duel-corrected": "game result reason by",
    "duels-begun": "part round attempt kind tables by seed",
    "late-entry-set": "is_open reason by",
    "lots-drawn": "seed groups by",
    "one-on-one-entered": "winner loser by",
    "open-sheets-waived": "sheets reason by",
    "owed-entries-waived": "tables reason by",
    "player-ejected": "player reason by automatic during rounds_planned offence *",
    "player-reinstated": "player reason by rounds_planned",
    "player-removed": "player name by",
    "player-renamed": "player name club by",
    "player-warned": "player reason by offence origin *",
    "player-withdrawn": "player reason by during rounds_planned",
    "players-registered": "players by",
    "prizes-changed": "prizes by",
    "ranking-published": "by newcomers *",
    "rounds-ranking-published": "finalists by",
    "rules-changed": "rules waivers unofficial by with_finals",
    "sheet-accepted": "game result source by origin reason *",
    "sheet-contested": "game result origin by",
    "sheet-corrected": "game result reason by",
    "sheet-disputed": "game reason by",
    "steps-undone": "steps reason by voided *",
    "tables-moved": "first by tables",
    "tables-of-four-allowed": "dollars reason by",
    "tie-duel-called-off": "game by",
    "tournament-opened": "tournament name rules date waivers by unofficial with_finals first_table tables",
    "tournament-renamed": "name date by",
    "waivers-changed": "waivers reason by rounds_planned",
}
"""The fields by tag; with a star, those with their default value are left out."""
NEVER_STORED = {"confirmed", "seen"}


def stored_as(kind: type[msgspec.Struct]) -> tuple[object, str]:
    fields = [field for field in kind.__struct_fields__ if field not in NEVER_STORED]
    omits = kind.__struct_config__.omit_defaults
    return kind.__struct_config__.tag, " ".join([*fields, "*"] if omits else fields)


def test_every_decision_is_stored_with_the_fields_that_it_always_had() -> None:
    assert dict(map(stored_as, typing.get_args(TournamentDecision))) == STORED


def test_texts_and_lists_that_were_always_written_are_written_when_empty() -> None:
    table = DrawnTable(TableNo(1), (PlayerId("p1"),), GameId("g"))
    drawn = MakeDraw(round=RoundNo(1), attempt=1, tables=(table,))
    written = "event round attempt hall_word tables repeated_sheriffs by"
    assert " ".join(msgspec.to_builtins(drawn)) == written
    assert msgspec.to_builtins(StartRoundClock(RoundNo(1)))["by"] == ""


def test_what_a_page_tells_of_an_undo_is_not_stored(judge: Judge) -> None:
    judge.opens(10)
    (undone,) = judge.does(UndoSteps(1, "slip", confirmed=(GameId("g"),), seen=2))
    assert undone == UndoSteps(1, "slip", "Judge Roy")
    assert NEVER_STORED.isdisjoint(msgspec.to_builtins(undone))


IN_PLAY = tuple(
    VoidedGame(RoundNo(1), TableNo(table), GameId(f"g{table}"), Progress.PLAYING, 9) for table in (2, 1)
)


@pytest.mark.parametrize(("confirmed", "silent"), [((), "1, 2"), (("g2",), "1"), (("g3", "g1"), "2")])
def test_games_that_nobody_gave_up_are_named(judge: Judge, confirmed: tuple[str, ...], silent: str) -> None:
    judge.opens(10).publishes()
    command = UndoSteps(1, "wrong list", voided=IN_PLAY, confirmed=tuple(GameId(game) for game in confirmed))
    with pytest.raises(Refused) as refusal:
        judge.does(command)
    assert refusal.value.reason is TournamentReason.GAMES_WOULD_BE_VOID
    assert refusal.value.fields["tables"] == silent


def test_games_that_were_given_up_stay_in_the_step(judge: Judge) -> None:
    judge.opens(10).publishes()
    (event,) = judge.does(UndoSteps(1, "wrong list", voided=IN_PLAY, confirmed=(GameId("g1"), GameId("g2"))))
    assert event == UndoSteps(1, "wrong list", "Judge Roy", IN_PLAY)
    assert judge.decides_again()


def test_an_undo_without_such_games_is_written_as_before() -> None:
    written = {"event": "steps-undone", "steps": 1, "reason": "slip", "by": "Roy"}
    assert msgspec.to_builtins(UndoSteps(1, "slip", "Roy")) == written
    assert msgspec.convert(written, TournamentDecision) == UndoSteps(1, "slip", "Roy")
