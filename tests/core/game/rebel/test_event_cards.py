"""Turns that an event card gives to eliminated players, and what a table forgets or gets wrong about them."""

import pytest

from core.editions.loader import edition
from core.game.correction import CorrectLife, CorrectOrder, CorrectTurn, RestorePlayer
from core.game.ending.rebel import PlayerCameBack, ShowEventCard
from core.game.play.abandonment import Abandon
from core.game.play.effects import SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetRecordMode, SetTurn, TurnStarted, can_set_turn
from core.game.state.game import Cause, EventCard, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.rule_set import RecordMode
from core.terms import Role
from tests.core.game.conftest import ScriptedTable
from tests.core.game.rebel_table import (
    DEAD_MAN,
    DEPUTY,
    GHOST_TOWN,
    OTHER_OUTLAW,
    OUTLAW,
    REBEL,
    RENEGADE,
    SHERIFF,
    RebelTable,
)


@pytest.fixture
def table() -> RebelTable:
    """The first Outlaw is out."""
    table = RebelTable()
    table.shoot(OUTLAW)
    return table


def test_only_the_first_eliminated_player_is_the_dead_man_and_only_once() -> None:
    table = RebelTable()
    table.end_turns_until(SHERIFF)
    table.shoot(DEPUTY)
    table.shoot(OUTLAW)
    table.ask(DEAD_MAN)
    assert table.ask(EndTurn())[0] == PlayerCameBack(DEPUTY, EventCard.DEAD_MAN, 2)
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    assert table.now().event_card is None
    table.ask(DEAD_MAN)
    assert table.ask(EndTurn()) == (TurnStarted(OTHER_OUTLAW),)


def test_the_card_is_gone_with_the_sheriffs_next_turn(table: RebelTable) -> None:
    assert table.ask(GHOST_TOWN) == (ShowEventCard(EventCard.GHOST_TOWN),)
    assert table.refusal(GHOST_TOWN) is GameReason.EVENT_CARD_ALREADY
    table.ask(EndTurn())
    assert table.now().ghost == OUTLAW
    table.end_turns_until(SHERIFF)
    assert table.now().event_card is None
    assert table.ask(EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_card_entered_by_mistake_is_taken_away(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, ShowEventCard(None))
    assert table.ask(EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_forgotten_turn_of_a_ghost_is_named_like_any_other(table: RebelTable) -> None:
    table.ask(EndTurn())
    assert table.refusal(SetTurn(OUTLAW)) is GameReason.OUT
    table.ask(GHOST_TOWN)
    reason = "the card was turned over too late"
    events = table.ask(CorrectTurn(OUTLAW, HighNoon.OFF, reason))
    assert events[0] == PlayerCameBack(OUTLAW, EventCard.GHOST_TOWN, 0)
    assert (table.now().turn, table.now().ghost) == (OUTLAW, OUTLAW)
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    assert table.seat(OUTLAW).in_play is False


def test_a_ghosts_turn_that_nobody_ended_is_passed(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, SetTurn(DEPUTY))
    assert table.now().passed == (OUTLAW,)
    assert [back.seat for back in table.now().comebacks] == [OUTLAW]


def test_high_noon_takes_nothing_from_a_ghost_and_a_point_from_the_dead_man() -> None:
    for card, life in ((GHOST_TOWN, 0), (DEAD_MAN, 1)):
        table = RebelTable()
        table.shoot(OUTLAW)
        table.ask(CorrectTurn(SHERIFF, HighNoon.ON, "two reshuffles were forgotten"))
        table.ask(card, EndTurn())
        assert (table.now().turn, table.seat(OUTLAW).life) == (OUTLAW, life)
        assert table.now().pending == ()


def test_a_player_who_left_does_not_come_back() -> None:
    table = RebelTable()
    table.ask(Abandon(OUTLAW))
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN)
    assert table.ask(EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_light_game_brings_players_back_as_well(table: RebelTable) -> None:
    table.ask(SetRecordMode(RecordMode.LIGHT), DEAD_MAN)
    table.ask(SetTurn(OUTLAW))
    assert table.seat(OUTLAW).in_play


def test_what_a_return_rests_on_is_corrected_by_undoing(table: RebelTable) -> None:
    table.ask(DEAD_MAN, EndTurn())
    assert table.refusal(RestorePlayer(OUTLAW, 1, "why")) is GameReason.COMEBACK_TOLD
    assert table.refusal(CorrectOrder((OUTLAW,), "why")) is GameReason.COMEBACK_TOLD
    table.ask(CorrectLife(OUTLAW, 1, "a wound was forgotten"))


def test_only_tables_with_the_rebel_know_these_cards() -> None:
    table = ScriptedTable(edition("championship-2022")).begun(5)
    assert table.refusal(GHOST_TOWN) is GameReason.NO_REBEL


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
def test_a_turn_that_the_card_no_longer_gives_is_not_named(card: ShowEventCard) -> None:
    table = RebelTable()
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(OUTLAW)
    table.ask(card)
    # The Sheriff's turn, which turns the next card over, comes first.
    assert not can_set_turn(table.now(), OUTLAW)
    assert table.refusal(SetTurn(OUTLAW)) is GameReason.OUT


def test_a_reshuffle_is_entered_late_in_a_ghosts_turn(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, Reshuffle(), Reshuffle(), EndTurn())
    assert table.now().ghost == OUTLAW
    table.ask(Reshuffle(during=SHERIFF))
    assert table.now().high_noon is HighNoon.ON
    assert table.now().doubtful == ()


def test_a_late_reshuffle_is_entered_while_the_player_in_turn_is_out_and_others_are_asked() -> None:
    table = RebelTable()
    table.ask(Reshuffle(), Reshuffle(), EndTurn())
    table.fall(OUTLAW, RENEGADE)
    table.ask(Eliminate(OUTLAW, None, Role.OUTLAW, Cause.DYNAMITE), Reshuffle(during=SHERIFF))
    assert table.now().pending == (RENEGADE,)


def test_a_passed_turn_of_an_earlier_card_does_not_end_the_game_within_the_next(table: RebelTable) -> None:
    table.leave_with(seat_3=1)
    table.ask(CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), SetTurn(OTHER_OUTLAW))
    table.ask(SurviveHighNoon(DEPUTY), RestorePlayer(OUTLAW, 3, "it was somebody else"))
    table.ask(CorrectTurn(REBEL, HighNoon.OFF, "it was called too early"))
    table.fall(SHERIFF, RENEGADE)
    table.ask(Eliminate(SHERIFF, REBEL, Role.SHERIFF, Cause.PLAYER))
    assert table.now().phase is Phase.PLAYING
    table.ask(Eliminate(RENEGADE, REBEL, Role.RENEGADE, Cause.PLAYER))
    assert table.now().revolution_question == REBEL


def test_a_correction_does_not_end_a_game_in_which_the_rebel_is_still_to_be_asked(table: RebelTable) -> None:
    table.leave_with(seat_3=1)
    table.ask(CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), SetTurn(REBEL))
    table.fall(SHERIFF)
    table.ask(Eliminate(SHERIFF, REBEL, Role.SHERIFF, Cause.PLAYER))
    table.ask(RestorePlayer(OUTLAW, 3, "it was somebody else"))
    assert table.now().phase is Phase.PLAYING
    assert table.now().doubtful == (DEPUTY,)
    table.ask(SurviveHighNoon(DEPUTY))
    assert table.now().revolution_question == REBEL


def test_who_killed_before_coming_back_may_fall_in_a_passed_turn_later(table: RebelTable) -> None:
    table.ask(DEAD_MAN, EndTurn())
    table.shoot(DEPUTY)
    table.lose(OUTLAW, 1)
    table.ask(CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), SetTurn(OTHER_OUTLAW))
    assert table.now().doubtful == (OUTLAW,)
    table.fall(RENEGADE)
    table.ask(Eliminate(RENEGADE, OTHER_OUTLAW, Role.RENEGADE, Cause.PLAYER))
    table.ask(Eliminate(OUTLAW, None, Role.OUTLAW, Cause.HIGH_NOON))
    assert [out.seat for out in table.now().eliminations] == [OUTLAW, DEPUTY, OUTLAW, RENEGADE]


def test_a_ghost_in_turn_comes_back_once_and_may_have_been_in_jail(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, EndTurn(), CorrectTurn(OUTLAW, HighNoon.ON, "it was forgotten"))
    assert len(table.now().comebacks) == 1
    passed = RebelTable()
    passed.shoot(OUTLAW)
    passed.ask(GHOST_TOWN, SetTurn(DEPUTY), MarkJailed(OUTLAW))
    assert passed.now().turns_played[OUTLAW - 1] == 0
