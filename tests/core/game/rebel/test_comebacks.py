"""Players who come back by an event card, at tables with the Rebel!: the cases that its document decides."""

import pytest
from msgspec.structs import replace

from core.game.ending.endings import GameEnded
from core.game.ending.finished_game import survivors
from core.game.ending.rebel import PlayerCameBack, RevealRebel, RevolutionMade, ShowEventCard
from core.game.ending.winnings import winnings
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn, TurnStarted
from core.game.play.wounds import LoseLife
from core.game.state.game import Because, Cause, EventCard, Phase, Revolution
from core.game.state.reasons import GameReason
from core.terms import Dollars, Ending, Role
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
    after_a_revolution,
    sheet,
)


def test_a_sheriff_killed_by_the_rebel_comes_back_as_a_rebel_and_may_make_a_second_revolution() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN)
    events = table.ask(EndTurn())
    assert events == (PlayerCameBack(SHERIFF, EventCard.DEAD_MAN, 2), TurnStarted(SHERIFF))
    assert table.now().sheriff == REBEL
    # The role is known: nobody is asked.
    events = table.shoot(REBEL)
    assert events[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    assert table.now().sheriff == SHERIFF
    assert table.now().revolutions == (Revolution(REBEL, 1), Revolution(SHERIFF, 2))
    assert table.seat(SHERIFF).life == 3
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.current_sheriff) == (Ending.LAW_WINS, SHERIFF)
    assert outcome.winners == (SHERIFF, DEPUTY)
    paid = winnings(game, table.rules)
    assert paid[REBEL - 1] == 0
    assert paid[SHERIFF - 1] > 0


def test_the_former_sheriff_has_the_maximum_of_other_players_until_sheriff_again() -> None:
    table = after_a_revolution()
    assert table.seat(REBEL).max_life == 5
    assert table.seat(SHERIFF).max_life == 4
    table.ask(DEAD_MAN, EndTurn())
    table.shoot(REBEL)
    assert (table.seat(SHERIFF).max_life, table.seat(REBEL).max_life) == (5, 4)


def test_a_sheriff_who_came_back_and_does_not_revolt_wins_nothing() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, outcome = sheet(table)
    assert outcome.winners == (DEPUTY, REBEL)
    assert SHERIFF in outcome.alive
    assert winnings(game, table.rules)[SHERIFF - 1] == 0


def test_another_player_who_kills_the_new_sheriff_wins_for_the_outlaws() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(OUTLAW)
    assert table.shoot(REBEL)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


def test_a_ghost_plays_one_turn_at_no_life_and_is_out_again() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN)
    assert table.ask(EndTurn()) == (
        PlayerCameBack(SHERIFF, EventCard.GHOST_TOWN, 0),
        TurnStarted(SHERIFF),
    )
    assert not table.seat(SHERIFF).in_play
    assert table.refusal(LoseLife(SHERIFF)) is GameReason.OUT
    assert table.refusal(Eliminate(SHERIFF, OUTLAW, Role.SHERIFF, Cause.PLAYER)) is GameReason.OUT
    assert table.ask(EndTurn()) == (TurnStarted(OUTLAW),)
    assert table.now().ghost is None
    assert table.refusal(Eliminate(DEPUTY, SHERIFF, Role.DEPUTY, Cause.PLAYER)) is (
        GameReason.BY_SOMEBODY_OUT
    )


def test_a_ghost_who_kills_the_sheriff_is_back_with_one_life_point_and_a_new_turn() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN, EndTurn())
    assert table.shoot(REBEL)[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    state = table.now()
    assert (table.seat(SHERIFF).life, table.seat(SHERIFF).in_play) == (1, True)
    assert (state.event_card, state.ghost) == (None, None)
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    _, outcome = sheet(table)
    assert outcome.winners == (SHERIFF, DEPUTY)


def test_an_eliminated_rebel_comes_back_with_the_role_shown_and_is_not_asked() -> None:
    table = RebelTable()
    table.ask(GHOST_TOWN)
    table.end_turns_until(OUTLAW)
    table.shoot(REBEL)
    table.end_turns_until(RENEGADE)
    assert table.ask(EndTurn())[0] == PlayerCameBack(REBEL, EventCard.GHOST_TOWN, 0)
    assert table.refusal(RevealRebel(REBEL)) is GameReason.OUT
    events = table.shoot(SHERIFF)
    assert events[-2:] == (RevolutionMade(REBEL, 1), TurnStarted(REBEL))
    assert (table.seat(REBEL).life, table.now().sheriff) == (1, REBEL)


def test_a_ghost_of_the_rebel_does_not_revolt_in_somebody_elses_turn() -> None:
    table = RebelTable()
    table.ask(GHOST_TOWN)
    table.end_turns_until(OUTLAW)
    table.shoot(REBEL)
    assert table.shoot(SHERIFF)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
@pytest.mark.parametrize("comes_back", [True, False])
def test_a_deputy_out_before_the_revolution_wins_only_after_coming_back(
    card: ShowEventCard, *, comes_back: bool
) -> None:
    table = RebelTable()
    table.end_turns_until(OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(REBEL)
    table.shoot(SHERIFF)
    table.answer(REBEL, is_rebel=True)
    if comes_back:
        table.ask(card)
        table.end_turns_until(DEPUTY)
        table.ask(EndTurn())
        table.end_turns_until(OTHER_OUTLAW)
        if card is DEAD_MAN:
            table.shoot(DEPUTY)
    table.end_turns_until(REBEL)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, outcome = sheet(table)
    assert outcome.ending is Ending.LAW_WINS
    assert outcome.winners == ((DEPUTY, REBEL) if comes_back else (REBEL,))
    assert (winnings(game, table.rules)[DEPUTY - 1] > 0) is comes_back
    assert DEPUTY not in survivors(game)


def test_a_deputy_who_came_back_before_the_revolution_is_no_winner_for_that() -> None:
    table = RebelTable()
    table.end_turns_until(OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    table.ask(GHOST_TOWN)
    table.end_turns_until(REBEL)
    table.shoot(SHERIFF)
    table.answer(REBEL, is_rebel=True)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    _, outcome = sheet(table)
    assert outcome.winners == (REBEL,)


def test_a_deputy_pays_for_the_star_and_not_for_a_sheriff_who_came_back() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(DEPUTY)
    table.shoot(SHERIFF)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, _ = sheet(table)
    assert table.rules.penalty > 0
    paid = winnings(game, table.rules)
    assert paid == winnings(game, replace(table.rules, deputy_penalty=Dollars(0)))


def test_an_outlaw_who_is_back_must_be_eliminated_again() -> None:
    table = RebelTable()
    table.end_turns_until(DEPUTY)
    table.shoot(OUTLAW)
    table.end_turns_until(SHERIFF)
    table.ask(DEAD_MAN)
    assert table.ask(EndTurn())[0] == PlayerCameBack(OUTLAW, EventCard.DEAD_MAN, 2)
    table.shoot(RENEGADE)
    table.shoot(OTHER_OUTLAW)
    assert table.now().phase is Phase.PLAYING
    table.end_turns_until(DEPUTY)
    assert table.refusal(Eliminate(OUTLAW, DEPUTY, Role.DEPUTY, Cause.PLAYER)) is (GameReason.SHOWN_OTHERWISE)
    assert table.shoot(OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)
    _, outcome = sheet(table)
    assert outcome.after == 4


def test_the_law_wins_though_a_ghost_of_an_outlaw_plays() -> None:
    table = RebelTable()
    table.end_turns_until(SHERIFF)
    table.ask(GHOST_TOWN)
    table.shoot(OUTLAW, RENEGADE)
    table.ask(EndTurn())
    assert table.now().ghost == OUTLAW
    assert table.shoot(OTHER_OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
def test_who_came_back_with_another_role_is_not_asked_about_the_rebel(card: ShowEventCard) -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(card, EndTurn())
    if card is DEAD_MAN:
        assert table.refusal(RevealRebel(OUTLAW)) is GameReason.SHOWN_OTHERWISE
    assert table.shoot(SHERIFF)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)
    _, outcome = sheet(table)
    assert outcome.revolution is None
