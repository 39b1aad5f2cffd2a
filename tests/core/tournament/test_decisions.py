"""Decisions are stored as from the start; steps are not undone over games in play unless given up."""

import typing

import msgspec
import pytest

from base.errors import Refused
from core.terms import GameId, PlayerId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.drawing import MakeDraw
from core.tournament.round_clock import StartRoundClock
from core.tournament.state.decision import Progress, VoidedGame
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable
from tests.core.tournament.conftest import Judge

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
    "ranking-published": "by",
    "rounds-ranking-published": "finalists by",
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
