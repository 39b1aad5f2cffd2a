"""Steps are not taken back over games in play unless the judge gave each of them up."""

import msgspec
import pytest

from base.errors import Refused
from core.terms import GameId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.state.decision import Progress, VoidedGame
from core.tournament.state.reasons import TournamentReason
from tests.core.tournament.conftest import Judge

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
