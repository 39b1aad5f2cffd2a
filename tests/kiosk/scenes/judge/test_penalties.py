"""Warnings and ejections at a table: an offence, a reason, and a hold that explains its effect."""

import msgspec
import pytest

from core.game.ending.judge_calls import WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.state.offences import OFFENCE_NAMES, Offence
from core.terms import SeatNo
from kiosk.view.intents import AskGame
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.scenes.judge.test_judge_menu import Judge
from tests.scenarios.moments import Table

THREE = SeatNo(3)
MENU = ("menu", "judge-menu")


@pytest.fixture
def running() -> Table:
    return Table(6).running()


def test_a_warning_names_a_category_and_a_reason_and_is_held(running: Table) -> None:
    judge = Judge(running.view())
    judge.touch(*MENU, "warn", "warn-seat-3")
    offered = {target.id for target in judge.screen.targets()}
    assert {f"offence-{offence.value}" for offence in Offence} <= offered
    judge.touch("offence-slow-play")
    assert (judge.target("do-it").enabled, judge.target("do-it").label) == (False, "Hold: warn")
    judge.touch("reason-2", "do-it")
    question = judge.question()
    assert question.command == WarnPlayer(THREE, Offence.SLOW_PLAY, "Reported by the table")
    assert "has been warned" in question.done


def test_a_second_warning_says_that_it_ejects_and_does_both(running: Table) -> None:
    running.do(WarnPlayer(THREE, Offence.SLOW_PLAY, "slow"))
    judge = Judge(running.view())
    judge.touch(*MENU, "warn", "warn-seat-3", "offence-swearing", "reason-1")
    assert judge.target("do-it").label == "Hold: warn and eject"
    judge.touch("do-it")
    warn, eject = judge.hand.intents
    assert isinstance(warn, AskGame)
    assert isinstance(eject, AskGame)
    assert warn.command == WarnPlayer(THREE, Offence.SWEARING, "Seen by the judge")
    assert eject.command == Abandon(THREE, ejected=True, offence=Offence.SWEARING, reason="Seen by the judge")
    assert "was ejected" in eject.done


def test_a_warning_that_the_tournament_knows_counts(running: Table) -> None:
    view = running.view()
    assert view.game is not None
    first, second, third, *others = view.game.seats
    warned = msgspec.structs.replace(third, warnings=1)
    game = msgspec.structs.replace(view.game, seats=(first, second, warned, *others))
    judge = Judge(msgspec.structs.replace(view, game=game))
    judge.touch(*MENU, "warn", "warn-seat-3", "offence-other", "reason-1")
    assert judge.target("do-it").label == "Hold: warn and eject"


def test_an_ejection_asks_for_category_and_reason_too(running: Table) -> None:
    judge = Judge(running.view())
    judge.touch(
        *MENU, "player-leaves", "leaves-seat-4", "seat-4-eject", "offence-cheating", "reason-1", "do-it"
    )
    assert judge.question().command == Abandon(
        SeatNo(4), ejected=True, offence=Offence.CHEATING, reason="Seen by the judge"
    )


def test_every_category_has_words() -> None:
    assert set(OFFENCE_NAMES) == set(Offence)


def warns(table: VirtualTable, offence: str) -> None:
    table.turn_key(on=True)
    table.touch("menu", "judge-menu", "warn", "warn-seat-2", offence, "reason-1", "do-it")
    table.turn_key(on=False)


def test_the_second_warning_at_the_table_ejects(five: VirtualTable) -> None:
    warns(five, "offence-slow-play")
    assert any("has been warned" in words for words in five.says())
    assert [(warning.seat, warning.offence) for warning in five.game.warnings] == [(2, Offence.SLOW_PLAY)]
    assert [seat.passive for seat in five.game.seats[:2]] == [False, False]
    five.touch("dismiss")
    warns(five, "offence-swearing")
    assert len(five.game.warnings) == 2
    assert [seat.passive for seat in five.game.seats[:2]] == [False, True]
    assert [(left.seat, left.offence) for left in five.game.ejections] == [(2, Offence.SWEARING)]
    assert any("was ejected" in words for words in five.says())
