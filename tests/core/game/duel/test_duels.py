"""Duels, long and short: draft, lines, who enters where, and when it is won."""

from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition
from core.game.clock import EndByTimeLimit
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.play.abandonment import Abandon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.result import check_finished_duel, finished_duel
from core.game.setup import BeginGame, DealRoles
from core.game.state.decisions import Undo
from core.game.state.duel import Advantage, DuelBecause, DuelPhase, Remedy
from core.game.state.game import Confirmation, Phase
from core.game.state.reasons import GameReason
from tests.core.game.conftest import seating, with_readings
from tests.core.game.duel.conftest import DECK, FIRST_FIVE, LONG, ONE, SECOND_FIVE, SHORT, TWO, DuelTable


def test_s1_2_ten_characters_are_turned_up(table: DuelTable) -> None:
    table.here(LONG)
    assert table.refusal(TurnUpCharacters(DECK[:9])) is GameReason.HOW_MANY_UP
    assert table.refusal(TurnUpCharacters((*DECK[:9], DECK[0]))) is GameReason.HOW_MANY_UP
    assert table.refusal(TakeAdvantage(Advantage.START)) is GameReason.NOT_TURNED_UP
    table.ask(TurnUpCharacters(DECK[1:11]), TurnUpCharacters(DECK[:10]))
    assert table.duel().free == DECK[:10]


def test_s1_2_who_picks_first_does_not_start(table: DuelTable) -> None:
    table.drafted()
    assert (table.duel().phase, table.duel().starter) == (DuelPhase.LINES, TWO)
    assert (table.duel().side(ONE).picks, table.duel().side(TWO).picks) == (FIRST_FIVE, SECOND_FIVE)


def test_s1_2_who_starts_picks_second(table: DuelTable) -> None:
    table.here(LONG)
    table.ask(TurnUpCharacters(DECK[:10]), TakeAdvantage(Advantage.START))
    assert (table.duel().starter, table.duel().picker) == (ONE, TWO)
    assert table.refusal(PickCharacter(ONE, DECK[0])) is GameReason.PICKS_NOT_NOW
    assert table.refusal(PickCharacter(TWO, DECK[10])) is GameReason.NOT_FACE_UP
    table.ask(PickCharacter(TWO, DECK[0]))
    assert table.refusal(PickCharacter(ONE, DECK[0])) is GameReason.ALREADY_PICKED


def test_s1_2_two_of_the_own_five_are_shown_and_the_rest_stays_secret(table: DuelTable) -> None:
    table.drafted()
    bart, calamity = FIRST_FIVE[:2]
    assert table.refusal(ShowLine(ONE, bart, SECOND_FIVE[0])) is GameReason.NOT_OF_THIS_SIDE
    assert table.refusal(ShowLine(ONE, bart, bart)) is GameReason.ONE_FOR_TWO_PLACES
    table.ask(ShowLine(ONE, calamity, bart))
    assert table.refusal(ShowLine(ONE, bart, calamity)) is GameReason.LINE_SHOWN
    assert table.refusal(EndTurn()) is GameReason.LINES_NOT_SHOWN
    table.ask(ShowLine(TWO, *SECOND_FIVE[:2]))
    assert table.names(ONE) == ["Calamity Janet", "Bart Cassidy"]
    assert table.duel().reserve(ONE) == 3
    assert (table.duel().phase, table.now().turn) == (DuelPhase.PLAYING, TWO)


def test_a_duel_has_printed_life_and_no_sheriff(table: DuelTable) -> None:
    table.long()
    assert [seat.role for seat in table.now().seats] == [None, None]
    assert table.lives(TWO) == [4, 3]


def test_s1_2_the_front_is_chosen_once_at_the_start_of_the_own_turn(table: DuelTable) -> None:
    table.long()
    black_jack, gringo = SECOND_FIVE[:2]
    assert table.refusal(ChooseLine(ONE, FIRST_FIVE[1])) is GameReason.NOT_ITS_TURN
    table.ask(ChooseLine(TWO, gringo))
    assert table.names(TWO) == ["El Gringo", "Black Jack"]
    assert table.refusal(ChooseLine(TWO, black_jack)) is GameReason.LINE_CHOSEN
    table.ask(EndTurn(), EndTurn(), ChooseLine(TWO, gringo))
    assert table.names(TWO) == ["El Gringo", "Black Jack"]


def test_s1_2_a_character_in_jail_may_not_stand_in_front(table: DuelTable) -> None:
    table.long()
    black_jack, gringo = SECOND_FIVE[:2]
    assert table.refusal(ChooseLine(TWO, black_jack, jailed=black_jack)) is GameReason.JAILED_IN_FRONT
    table.ask(ChooseLine(TWO, gringo, jailed=black_jack))
    assert table.duel().side(TWO).jailed is black_jack
    table.ask(EndTurn())
    assert table.duel().side(TWO).jailed is None


def test_the_last_character_stays_in_front_even_in_jail(table: DuelTable) -> None:
    table.long()
    table.lost(TWO, 4)
    (last,) = table.duel().side(TWO).in_play
    table.ask(ChooseLine(TWO, last.character, jailed=last.character))
    assert table.front(TWO) == last


def test_s1_2_front_out_moves_the_rear_up_and_the_reserve_enters_behind(table: DuelTable) -> None:
    table.long()
    table.fell(ONE)
    assert table.names(ONE) == ["Calamity Janet"]
    assert table.refusal(EndTurn()) is GameReason.MUST_ENTER
    assert table.refusal(EnterCharacter(ONE, Character.BART_CASSIDY)) is GameReason.CANNOT_ENTER
    assert table.refusal(EnterCharacter(TWO, SECOND_FIVE[2])) is GameReason.NOBODY_ENTERS
    table.ask(EnterCharacter(ONE, Character.KIT_CARLSON))
    assert table.names(ONE) == ["Calamity Janet", "Kit Carlson"]


def test_s1_2_rear_out_is_replaced_where_it_stood(table: DuelTable) -> None:
    table.long()
    table.ask(WoundCharacter(ONE, FIRST_FIVE[1], 4))
    table.ask(EnterCharacter(ONE, Character.JESSE_JONES))
    assert table.names(ONE) == ["Bart Cassidy", "Jesse Jones"]


def test_one_card_that_takes_both_brings_two_in(table: DuelTable) -> None:
    table.long()
    table.fell(ONE)
    table.fell(ONE)
    assert (table.names(ONE), table.duel().entering(ONE)) == ([], 2)
    entered = [table.following_enters(ONE).value, table.following_enters(ONE).value]
    assert table.names(ONE) == entered == ["Jesse Jones", "Kit Carlson"]


def test_d40_wounds_too_many_are_lost_in_a_long_duel(table: DuelTable, rules: Edition) -> None:
    carried = with_readings(rules, long_duel_excess="carried")
    for duel, life in ((table.long(), [4, 4]), (DuelTable(carried).long(), [4, 2])):
        duel.fell(ONE, 6)
        if duel is table:
            assert duel.refusal(CarryWounds(ONE)) is GameReason.WOUNDS_LOST
        duel.following_enters(ONE)
        assert duel.lives(ONE) == life


def test_s1_2_all_five_out_is_lost(table: DuelTable, rules: Edition) -> None:
    table.long()
    table.lost(TWO, 2)
    table.lost(ONE, 4)
    assert (table.names(ONE), table.duel().winner) == (["Paul Regret"], None)
    table.lost(ONE)
    duel = finished_duel(table.now())
    assert (duel.winner, duel.score, duel.because) == (TWO, (2, 5), DuelBecause.ELIMINATIONS)
    assert duel.characters == (FIRST_FIVE, SECOND_FIVE)
    check_finished_duel(duel, rules)
    assert table.now().phase is Phase.SHEET
    assert table.refusal(WoundCharacter(TWO, SECOND_FIVE[2])) is GameReason.ENDED


def test_healing_stops_at_the_printed_life_and_a_beer_heals_nobody(table: DuelTable) -> None:
    table.long()
    bart = FIRST_FIVE[0]
    assert table.refusal(HealCharacter(ONE, bart)) is GameReason.CHARACTER_FULL
    table.ask(WoundCharacter(ONE, bart, 2))
    assert table.refusal(HealCharacter(ONE, bart, 3)) is GameReason.CHARACTER_FULL
    assert table.refusal(HealCharacter(ONE, bart, remedy=Remedy.BEER)) is GameReason.BEER_IN_A_DUEL
    table.ask(HealCharacter(ONE, bart))
    assert table.lives(ONE) == [3, 4]


def test_s1_3_who_leaves_before_or_during_the_duel_has_lost(table: DuelTable) -> None:
    table.ask(replace(seating(2), match=LONG), Abandon(ONE))
    assert table.duel().winner == TWO
    other = DuelTable(table.rules).long()
    other.lost(ONE, 3)
    other.ask(Abandon(TWO, ejected=True))
    duel = finished_duel(other.now())
    assert (duel.winner, duel.because, duel.score) == (ONE, DuelBecause.OPPONENT_EJECTED, (0, 3))


def test_the_judge_rules_with_a_reason_when_time_is_over(table: DuelTable) -> None:
    table.long()
    assert table.refusal(EndByTimeLimit()) is GameReason.NO_TIME_LIMIT
    assert table.refusal(RuleDuel(ONE, "  ")) is GameReason.RULING_WITHOUT_REASON
    table.ask(RuleDuel(ONE, "more life points when time was called"))
    duel = finished_duel(table.now())
    assert (duel.because, duel.ruling) == (DuelBecause.RULING, "more life points when time was called")


def test_a_won_duel_is_undone_confirmed_and_voided_like_a_game(table: DuelTable) -> None:
    table.long()
    table.lost(ONE, 4)
    before = table.now()
    table.fell(ONE)
    table.ask(Undo(1))
    assert table.now() == before
    assert table.refusal(ConfirmSheet(Confirmation.PIN)) is GameReason.DUEL_RUNNING
    table.fell(ONE)
    table.ask(ConfirmSheet(Confirmation.PIN))
    assert table.now().phase is Phase.CONFIRMED
    assert table.refusal(Undo(1)) is GameReason.NOT_UNDOABLE
    table.ask(VoidGame("the wrong players"))


def test_moves_of_games_and_duels_do_not_mix(table: DuelTable, rules: Edition) -> None:
    table.long()
    for command in (DealRoles(), LoseLife(ONE), Reshuffle(), BeginGame()):
        assert table.refusal(command) is GameReason.NOT_IN_A_DUEL
    table.ask(VoidGame(""), replace(seating(5), game="game-2"))
    assert table.refusal(TakeAdvantage(Advantage.START)) is GameReason.NOT_A_DUEL
    without = replace(rules, finals=None)
    seat = replace(seating(2), match=LONG)
    assert DuelTable(without).refusal(seat) is GameReason.NO_SUCH_DUEL
    assert DuelTable(rules).refusal(replace(seating(5), match=LONG)) is GameReason.TABLE_SIZE


def test_d40_lots_say_who_starts(table: DuelTable, rules: Edition) -> None:
    table.here(SHORT)
    table.ask(DrawStarter(ONE), DrawStarter(TWO), EnterCharacter(ONE, DECK[0]))
    assert table.refusal(EnterCharacter(ONE, DECK[1])) is GameReason.NOBODY_ENTERS
    assert table.refusal(EnterCharacter(TWO, DECK[0])) is GameReason.CANNOT_ENTER
    assert table.refusal(EndTurn()) is GameReason.DUEL_NOT_BEGUN
    table.ask(EnterCharacter(TWO, DECK[1]))
    assert table.now().turn == TWO

    other = DuelTable(with_readings(rules, short_duel_start="better_placed")).here(SHORT)
    assert other.refusal(DrawStarter(TWO)) is GameReason.BETTER_PLACED_STARTS


def test_turns_alternate_and_there_is_no_line_to_choose(table: DuelTable) -> None:
    table.short()
    assert table.refusal(ChooseLine(ONE, DECK[0])) is GameReason.LINE_CHOSEN
    for seat in (TWO, ONE):
        table.ask(EndTurn())
        assert table.now().turn == seat


def test_s1_2_wounds_too_many_go_to_the_next_character(table: DuelTable) -> None:
    table.short()
    table.fell(ONE, 3)
    table.fell(ONE, 3)
    assert (table.duel().side(ONE).carried, table.duel().score) == (2, (0, 1))
    table.ask(EnterCharacter(ONE, DECK[1]))
    assert [(front.life, front.max_life) for front in table.duel().side(ONE).in_play] == [(2, 4)]


def test_s1_2_carried_wounds_may_take_the_next_one_too(table: DuelTable) -> None:
    table.short()
    table.fell(TWO, 8)
    table.ask(EnterCharacter(TWO, DECK[9]))
    assert (table.duel().score, table.duel().side(TWO).carried) == ((2, 0), 1)
    table.ask(EnterCharacter(TWO, DECK[10]))
    assert table.lives(TWO) == [3]


def test_wounds_tapped_one_by_one_wait_for_the_one_who_enters(table: DuelTable) -> None:
    table.short()
    assert table.refusal(CarryWounds(TWO)) is GameReason.NOBODY_ENTERS
    table.fell(TWO)
    table.ask(CarryWounds(TWO), CarryWounds(TWO), EnterCharacter(TWO, DECK[9]))
    assert table.lives(TWO) == [2]


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
    assert (table.duel().score, table.duel().winner) == ((7, 7), None)
    table.fell(TWO)
    assert table.duel().winner == ONE
