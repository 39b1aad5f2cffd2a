"""The short duel: piles, wounds that carry over, and the score."""

import msgspec

from core.editions.edition import Edition
from core.editions.readings import ShortDuelStart
from core.game.duel.fight import CarryWounds, ChooseLine, EnterCharacter
from core.game.duel.opening import DrawStarter
from core.game.play.turns import EndTurn
from core.game.result import check_finished_duel, finished_duel
from core.game.state.reasons import GameReason
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, DuelTable


def test_d40_lots_say_who_starts(table: DuelTable, rules: Edition) -> None:
    table.here(SHORT)
    table.ask(DrawStarter(ONE), DrawStarter(TWO), EnterCharacter(ONE, DECK[0]))
    assert table.refusal(EnterCharacter(ONE, DECK[1])) is GameReason.NOBODY_ENTERS
    assert table.refusal(EnterCharacter(TWO, DECK[0])) is GameReason.CANNOT_ENTER
    assert table.refusal(EndTurn()) is GameReason.DUEL_NOT_BEGUN
    table.ask(EnterCharacter(TWO, DECK[1]))
    assert table.now().turn == TWO

    readings = msgspec.structs.replace(rules.readings, short_duel_start=ShortDuelStart.BETTER_PLACED)
    other = DuelTable(msgspec.structs.replace(rules, readings=readings)).here(SHORT)
    assert other.refusal(DrawStarter(TWO)) is GameReason.BETTER_PLACED_STARTS


def test_turns_alternate_and_there_is_no_line_to_choose(table: DuelTable) -> None:
    table.short()
    assert table.refusal(ChooseLine(ONE, DECK[0])) is GameReason.LINE_CHOSEN
    table.ask(EndTurn())
    assert table.now().turn == TWO
    table.ask(EndTurn())
    assert table.now().turn == ONE


def test_s1_2_wounds_too_many_go_to_the_next_character(table: DuelTable) -> None:
    table.short()
    table.fell(ONE, 3)
    table.fell(ONE, 3)
    assert (table.duel().side(ONE).carried, table.duel().score) == (2, (0, 1))
    table.ask(EnterCharacter(ONE, DECK[1]))
    front = table.front(ONE)
    assert front is not None
    assert (front.life, front.max_life) == (2, 4)


def test_s1_2_carried_wounds_may_take_the_next_one_too(table: DuelTable) -> None:
    table.short()
    table.fell(TWO, 8)
    table.ask(EnterCharacter(TWO, DECK[9]))
    assert (table.duel().score, table.duel().side(TWO).carried) == ((2, 0), 1)
    table.ask(EnterCharacter(TWO, DECK[10]))
    front = table.front(TWO)
    assert front is not None
    assert front.life == 3


def test_wounds_tapped_one_by_one_wait_for_the_one_who_enters(table: DuelTable) -> None:
    table.short()
    assert table.refusal(CarryWounds(TWO)) is GameReason.NOBODY_ENTERS
    table.fell(TWO)
    table.ask(CarryWounds(TWO), CarryWounds(TWO), EnterCharacter(TWO, DECK[9]))
    front = table.front(TWO)
    assert front is not None
    assert front.life == 2


def test_s1_2_five_to_four_goes_on_and_six_to_four_wins(table: DuelTable, rules: Edition) -> None:
    table.short()
    table.lost(ONE, 4)
    table.lost(TWO, 4)
    table.lost(ONE)
    assert (table.duel().score, table.duel().winner) == ((4, 5), None)
    table.fell(ONE)
    assert (table.duel().winner, table.duel().entering(ONE)) == (TWO, 0)
    duel = finished_duel(table.now())
    assert [len(seen) for seen in duel.characters] == [6, 5]
    check_finished_duel(duel, rules)


def test_s1_2_the_eighth_is_the_last(table: DuelTable) -> None:
    table.short()
    for _ in range(7):
        table.lost(ONE)
        table.lost(TWO)
    assert table.duel().score == (7, 7)
    assert table.duel().winner is None
    table.fell(TWO)
    assert table.duel().winner == ONE
