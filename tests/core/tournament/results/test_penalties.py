"""Warnings and ejection, with the category of the conduct list."""

import msgspec
import pytest

from core.editions.loader import edition
from core.game.events import StepOrigin
from core.game.state.offences import Offence, is_ejected_by, offence_rule
from core.terms import PlayerId, RoundNo
from core.text.ejections import report_to_publisher
from core.text.sentence import English
from core.tournament.decisions import TournamentDecision, UndoSteps, decide
from core.tournament.penalties import EjectPlayer, WarnPlayer
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import RecordedWarning
from tests.core.tournament.conftest import Judge, one_group

P1 = PlayerId("p001")
AT_TABLE = StepOrigin("terminal", "e" * 16, 7)


@pytest.mark.parametrize(("warnings", "ejected"), [(0, False), (1, False), (2, True), (3, True)])
def test_s3_the_second_warning_ejects(warnings: int, *, ejected: bool) -> None:
    assert is_ejected_by(warnings) is ejected


def test_every_category_rests_on_a_printed_rule_where_the_edition_has_one() -> None:
    new, old = edition("championship-2022"), edition("championship-2010")
    assert offence_rule(Offence.SLOW_PLAY, new) == "Championship 2022/23 v1.4, 2"
    assert offence_rule(Offence.OTHER, new) == "Championship 2022/23 v1.4, 3"
    assert offence_rule(Offence.SWEARING, old) == "Championship 2010 v1.1, 2"
    assert offence_rule(Offence.SLOW_PLAY, one_group()) == ""


def test_a_warning_keeps_its_category_and_the_round(judge: Judge) -> None:
    judge.opens(10)
    judge.publishes()
    judge.does(WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY))
    assert judge.state.entrants[0].warnings == (
        RecordedWarning("five minutes a turn", Offence.SLOW_PLAY, RoundNo(1)),
    )
    _, ejected = judge.does(WarnPlayer(P1, "swore", offence=Offence.SWEARING))
    assert isinstance(ejected, EjectPlayer)
    assert (ejected.automatic, ejected.offence) == (True, Offence.SWEARING)
    assert judge.decides_again()


def test_the_report_names_category_rule_and_round(judge: Judge) -> None:
    judge.opens(10)
    judge.publishes()
    judge.does(WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY))
    judge.does(EjectPlayer(P1, "marked cards", offence=Offence.CHEATING))
    letter = report_to_publisher(judge.state, judge.rules, English())
    assert letter.subject == "Players ejected from Open, 2026-11-20"
    assert "Category: Cheating (Championship 2022/23 v1.4, 2)" in letter.body
    assert "Reason: marked cards" in letter.body
    assert "Warning: five minutes a turn – Slow play (Championship 2022/23 v1.4, 2), round 1" in letter.body


def test_the_report_of_one_group_names_the_game() -> None:
    judge = Judge(one_group()).opens(5)
    judge.publishes()
    judge.does(WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY))
    judge.does(EjectPlayer(P1, "marked cards", offence=Offence.CHEATING))
    body = report_to_publisher(judge.state, judge.rules, English()).body
    assert "During or after game 1." in body
    assert "five minutes a turn – Slow play, game 1" in body


def test_logs_from_before_categories_are_read_and_decided_as_they_were(judge: Judge) -> None:
    judge.opens(10)
    old = b'{"event":"player-warned","player":"p001","reason":"slow play","by":"Roy"}'
    event = msgspec.json.decode(old, type=TournamentDecision)
    assert event == WarnPlayer(P1, "slow play", "Roy")
    assert decide(judge.state, event, judge.rules, "Roy") == (event,)
    ejected = (
        b'{"event":"player-ejected","player":"p001","reason":"x","by":"Roy",'
        b'"automatic":false,"during":null,"rounds_planned":null}'
    )
    assert msgspec.json.decode(ejected, type=TournamentDecision) == EjectPlayer(P1, "x", "Roy")


def test_a_warning_at_a_table_is_recorded_once_even_after_it_was_taken_back(judge: Judge) -> None:
    judge.opens(10)
    command = WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY, origin=AT_TABLE)
    judge.does(command)
    assert judge.state.warnings_taken == (AT_TABLE,)
    judge.does(UndoSteps(1, "wrong player"))
    assert judge.state.entrants[0].warnings == ()
    assert judge.refuses(command) is TournamentReason.WARNING_TAKEN


def test_a_warning_at_a_table_of_somebody_already_out_is_kept_and_ejects_nobody(judge: Judge) -> None:
    judge.opens(10)
    judge.does(EjectPlayer(P1, "marked cards", offence=Offence.CHEATING))
    (event,) = judge.does(WarnPlayer(P1, "shouted", offence=Offence.OFFENDED, origin=AT_TABLE))
    assert isinstance(event, WarnPlayer)
    assert len(judge.state.entrants[0].warnings) == 1
    assert judge.refuses(WarnPlayer(P1, "again", offence=Offence.OTHER)) is TournamentReason.PLAYER_IS_OUT
