"""Life points, eliminations, and the endings that a table sees at once."""

import pytest

from core.characters import Character
from core.game.clock import EndByTimeLimit
from core.game.ending.endings import GameEnded
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, HighNoonBegan, TurnStarted
from core.game.play.wounds import LastLifeSaved, LoseLife, RegainLife, Rescue, SaveLastLife, life_after_beers
from core.game.state.decisions import Undo
from core.game.state.game import Because, Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.terms import Ending, Role, SeatNo
from tests.core.game.conftest import MakeGame, ScriptedTable


def out(seat: int, by: int | None, role: Role, cause: Cause = Cause.PLAYER) -> Eliminate:
    return Eliminate(SeatNo(seat), None if by is None else SeatNo(by), role, cause)


def test_an_elimination_says_who_by_whom_in_whose_turn_and_which_role(table: ScriptedTable) -> None:
    table.fall(2)
    events = table.ask(out(2, 3, Role.OUTLAW))
    assert events == (
        PlayerEliminated(SeatNo(2), SeatNo(3), Role.OUTLAW, Cause.PLAYER, turn=SeatNo(1), effect=1),
    )
    assert (table.seat(2).in_play, table.seat(2).role, table.seat(2).life) == (False, Role.OUTLAW, 0)
    table.kill(4)
    assert [e.effect for e in table.now().eliminations] == [1, 2]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (out(2, None, Role.OUTLAW), GameReason.BY_WHOM),
        (out(2, 2, Role.OUTLAW), GameReason.BY_ONESELF),
        (out(2, 9, Role.OUTLAW), GameReason.NO_SEAT),
        (out(2, 1, Role.OUTLAW, Cause.DYNAMITE), GameReason.BY_NOBODY),
        (out(2, None, Role.OUTLAW, Cause.HIGH_NOON), GameReason.NOT_HIGH_NOON),
        (out(2, 1, Role.SHERIFF), GameReason.ROLE_NOT_SHERIFF),
        (out(2, 1, Role.RENEGADE), GameReason.ROLE_USED_UP),
        (out(2, 1, Role.REBEL), GameReason.ROLE_USED_UP),
        (out(5, 1, Role.RENEGADE), GameReason.OUT),
    ],
)
def test_an_elimination_that_cannot_be(table: ScriptedTable, command: Eliminate, reason: GameReason) -> None:
    table.kill(5)
    table.fall(2)
    assert table.refusal(command) is reason


def test_high_noon_that_waits_begins_where_it_is_named_as_the_cause(table: ScriptedTable) -> None:
    table.ask(Reshuffle(), Reshuffle(), Reshuffle())
    assert table.now().high_noon is HighNoon.WAITING
    assert table.ask(out(1, None, Role.SHERIFF, Cause.HIGH_NOON))[:2] == (
        HighNoonBegan(SeatNo(1)),
        PlayerEliminated(SeatNo(1), None, Role.SHERIFF, Cause.HIGH_NOON, turn=SeatNo(1), effect=1),
    )
    assert table.now().high_noon is HighNoon.ON


def test_a_player_is_eliminated_directly_from_any_life_points(table: ScriptedTable) -> None:
    table.ask(out(2, 1, Role.OUTLAW))
    assert (table.seat(2).in_play, table.seat(2).life, table.now().effects) == (False, 0, 1)
    table.ask(out(3, None, Role.DEPUTY, Cause.OWN_DUEL))
    assert [(e.seat, e.by, e.cause) for e in table.now().eliminations] == [
        (2, 1, Cause.PLAYER),
        (3, None, Cause.OWN_DUEL),
    ]


def test_a_direct_elimination_beside_an_open_question_is_of_the_same_card(table: ScriptedTable) -> None:
    table.fall(2)
    table.ask(out(3, 1, Role.DEPUTY))
    assert (table.now().pending, table.now().effects) == ((2,), 0)
    table.ask(out(2, 1, Role.OUTLAW))
    assert [e.effect for e in table.now().eliminations] == [1, 1]


def test_high_noons_question_is_answered_before_another_elimination(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=1)
    assert table.refusal(out(3, 1, Role.DEPUTY)) is GameReason.QUESTION_OPEN


def test_the_sheriff_cannot_show_another_role(table: ScriptedTable) -> None:
    table.fall(1)
    assert table.refusal(out(1, 2, Role.DEPUTY)) is GameReason.ROLE_OF_SHERIFF


def test_dynamite_needs_nobody(table: ScriptedTable) -> None:
    table.fall(1)
    assert table.ask(out(1, None, Role.SHERIFF, Cause.DYNAMITE))[-1] == GameEnded(
        Ending.OUTLAWS_WIN, Because.SHERIFF_OUT
    )


def test_players_whom_one_card_fells_go_out_together(make_game: MakeGame) -> None:
    table = make_game(players=6)
    table.fall(2, 3, 4)
    assert table.now().pending == (2, 3, 4)
    table.out(3, by=1)
    table.beer(2)
    table.out(4, by=1)
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(3, 1), (4, 1)]
    assert table.now().effects == 1
    table.kill(2)
    assert table.now().eliminations[-1].effect == 2


def test_a_rescue_may_be_the_last_answer_of_an_effect(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.kill(2, 4, 6)
    table.fall(3, 5)
    table.out(5, by=1)
    assert table.now().phase is Phase.PLAYING
    table.beer(3)
    assert table.now().ending is Ending.LAW_WINS


def test_an_effect_in_which_nobody_died_has_no_number(table: ScriptedTable) -> None:
    table.kill(2)
    table.fall(3)
    table.beer(3)
    table.kill(4)
    assert [e.effect for e in table.now().eliminations] == [1, 2]


def test_the_card_of_a_killer_who_is_out_came_before_the_one_that_eliminated_the_killer(
    make_game: MakeGame,
) -> None:
    table = make_game(players=7)
    table.kill(3)
    table.fall(2, 4, 6)
    table.out(4, by=1)
    table.ask(out(2, 4, Role.OUTLAW))
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(3, 1), (2, 2), (4, 3)]
    table.out(6, by=1)
    assert table.now().eliminations[-1].effect == 3
    table.ask(out(5, 3, Role.RENEGADE))
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(5, 1), (3, 2), (2, 3), (4, 4), (6, 4)]


def test_nobody_eliminates_a_killer_after_their_own_elimination(table: ScriptedTable) -> None:
    table.kill(4, by=2)
    assert table.refusal(out(2, 4, Role.OUTLAW)) is GameReason.WAS_IN_PLAY
    assert table.refusal(out(1, 4, Role.SHERIFF)) is GameReason.WOULD_END_EARLIER


def test_a_late_elimination_ends_the_game_while_others_are_still_asked_about(table: ScriptedTable) -> None:
    table.kill(2)
    table.kill(5, by=1)
    table.fall(3)
    table.ask(out(4, 5, Role.OUTLAW))
    assert (table.now().ending, table.now().pending) == (Ending.LAW_WINS, ())
    assert [e.seat for e in table.now().eliminations] == [2, 4, 5]
    assert table.seat(3).in_play


def test_d07_gatling_on_sheriff_and_last_outlaw_is_judged_after_the_effect_unless_read_otherwise(
    make_game: MakeGame,
) -> None:
    table, otherwise = make_game(), make_game(simultaneous="elimination_order")
    for one in (table, otherwise):
        one.kill(3, 2)
        one.end_turns_until(5)
        one.fall(1, 4)
        one.out(1, by=5)
    assert (otherwise.now().ending, otherwise.now().pending) == (Ending.OUTLAWS_WIN, ())
    assert table.now().phase is Phase.PLAYING
    table.out(4, by=5)
    assert (table.now().ending, table.now().because) == (Ending.RENEGADE_WINS, Because.RENEGADE_LAST)


def test_the_next_turn_starts_when_the_one_whose_turn_it_was_is_out(table: ScriptedTable) -> None:
    table.end_turn()
    table.fall(2, 4)
    table.out(2, by=1)
    assert table.now().turn == 2
    table.out(4, by=1)
    assert table.now().turn == 3
    assert table.log[-1].events[-1] == TurnStarted(SeatNo(3))


def test_the_end_is_certain_from_the_roles_that_were_shown(table: ScriptedTable) -> None:
    table.kill(2, 4)
    assert table.now().ending is None
    table.kill(5)
    assert table.now().because is Because.NO_OUTLAW_OR_RENEGADE_LEFT
    assert table.seat(3).role is None


def test_after_the_end_nothing_is_played_and_the_last_step_can_be_undone(table: ScriptedTable) -> None:
    table.kill(1, by=2)
    for command in (EndTurn(), LoseLife(SEAT), Reshuffle(), Abandon(SEAT), EndByTimeLimit()):
        assert table.refusal(command) is GameReason.ENDED
    table.ask(Undo(1))
    assert (table.now().phase, table.now().pending) == (Phase.PLAYING, (1,))
    table.beer(1)
    table.end_turn()


SEAT = SeatNo(2)
BEER = SaveLastLife(SEAT, Rescue.BEER)


def test_s4_two_points_less_three_of_dynamite_and_two_beers_leave_one(table: ScriptedTable) -> None:
    table.leave_with(seat_2=2)
    table.lose(2, 3)
    assert (table.seat(2).life, table.now().pending) == (-1, (2,))
    table.beer(2)
    assert (table.seat(2).life, table.now().pending) == (0, (2,))
    assert table.refusal(EndTurn()) is GameReason.QUESTION_OPEN
    assert table.refusal(RegainLife(SEAT)) is GameReason.AT_NO_LIFE
    assert table.ask(BEER) == (LastLifeSaved(SEAT, Rescue.BEER, 1),)
    assert (table.seat(2).life, table.now().pending) == (1, ())


def test_s4_sid_ketchum_and_nobody_else_regains_the_last_point_out_of_turn(make_game: MakeGame) -> None:
    table = make_game(characters=(Character.ROSE_DOOLAN, Character.SID_KETCHUM))
    table.fall(2, 3)
    table.ask(SaveLastLife(SEAT, Rescue.SID_KETCHUM))
    assert table.seat(2).life == 1
    other = SaveLastLife(SeatNo(3), Rescue.SID_KETCHUM)
    assert table.refusal(other) is GameReason.NOT_SID_KETCHUM


@pytest.mark.parametrize(
    ("life", "beers", "players_left", "expected"),
    [(-1, 2, 5, 1), (-1, 1, 5, 0), (4, 1, 5, 4), (3, 2, 5, 4), (0, 1, 2, 0), (2, 1, 2, 2), (0, 1, 3, 1)],
)
def test_s4_beers(life: int, beers: int, players_left: int, expected: int) -> None:
    after = life_after_beers(life=life, max_life=4, beers=beers, players_left=players_left)
    assert after == expected


def test_life_never_exceeds_the_maximum(table: ScriptedTable) -> None:
    assert table.refusal(RegainLife(SEAT)) is GameReason.FULL_LIFE
    table.lose(2, 2)
    assert table.refusal(RegainLife(SEAT, 3)) is GameReason.FULL_LIFE
    assert table.ask(RegainLife(SEAT, 2)) == (RegainLife(SEAT, 2),)


def test_another_wound_while_the_question_is_open_counts(table: ScriptedTable) -> None:
    table.fall(2)
    assert table.ask(LoseLife(SEAT)) == (LoseLife(SEAT, 1),)
    assert (table.seat(2).life, table.now().pending) == (-1, (2,))
    table.lose(2, 2)
    assert table.refusal(LoseLife(SEAT)) is GameReason.TOO_MANY_WOUNDS


@pytest.mark.parametrize("points", [0, -1])
def test_points_are_counted_from_one(table: ScriptedTable, points: int) -> None:
    table.lose(2)
    assert table.refusal(LoseLife(SEAT, points)) is GameReason.POINTS
    assert table.refusal(RegainLife(SEAT, points)) is GameReason.POINTS


def test_nothing_happens_to_a_seat_that_is_out_or_not_there(table: ScriptedTable) -> None:
    table.kill(2)
    for command in (LoseLife(SEAT), RegainLife(SEAT), BEER, Abandon(SEAT)):
        assert table.refusal(command) is GameReason.OUT
    for nowhere in (0, 6):
        assert table.refusal(LoseLife(SeatNo(nowhere))) is GameReason.NO_SEAT
    assert table.refusal(SaveLastLife(SeatNo(3), Rescue.BEER)) is GameReason.NO_QUESTION


def test_s1_4_a_saloon_heals_a_passive_player_and_a_beer_cannot(table: ScriptedTable) -> None:
    table.ask(Abandon(SEAT))
    table.lose(2)
    table.ask(RegainLife(SEAT))
    table.fall(2)
    assert table.refusal(BEER) is GameReason.PASSIVE
