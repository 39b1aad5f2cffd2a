"""The long duel: draft, lines, and who enters where."""

import msgspec

from core.characters import Character
from core.editions import Edition
from core.editions.readings import LongDuelExcess
from core.game import commands as c
from core.game.duel import commands as d
from core.game.duel.finished import check_finished_duel, finished_duel
from core.game.state.duel import Advantage, DuelBecause, DuelPhase, Remedy
from core.game.state.game import Confirmation, Phase
from core.game.state.reasons import GameReason
from tests.core.game.conftest import seating
from tests.core.game.duel.conftest import DECK, FIRST_FIVE, LONG, ONE, SECOND_FIVE, TWO, DuelTable


def test_s1_2_ten_characters_are_turned_up(table: DuelTable) -> None:
    table.here(LONG)
    assert table.refusal(d.TurnUpCharacters(DECK[:9])) is GameReason.HOW_MANY_UP
    assert table.refusal(d.TurnUpCharacters((*DECK[:9], DECK[0]))) is GameReason.HOW_MANY_UP
    assert table.refusal(d.TakeAdvantage(Advantage.START)) is GameReason.NOT_TURNED_UP
    table.ask(d.TurnUpCharacters(DECK[1:11]), d.TurnUpCharacters(DECK[:10]))
    assert table.duel().free == DECK[:10]


def test_s1_2_who_picks_first_does_not_start(table: DuelTable) -> None:
    table.drafted()
    assert (table.duel().phase, table.duel().starter) == (DuelPhase.LINES, TWO)
    assert (table.duel().side(ONE).picks, table.duel().side(TWO).picks) == (FIRST_FIVE, SECOND_FIVE)


def test_s1_2_who_starts_picks_second(table: DuelTable) -> None:
    table.here(LONG)
    table.ask(d.TurnUpCharacters(DECK[:10]), d.TakeAdvantage(Advantage.START))
    assert (table.duel().starter, table.duel().picker) == (ONE, TWO)
    assert table.refusal(d.PickCharacter(ONE, DECK[0])) is GameReason.PICKS_NOT_NOW
    assert table.refusal(d.PickCharacter(TWO, DECK[10])) is GameReason.NOT_FACE_UP
    table.ask(d.PickCharacter(TWO, DECK[0]))
    assert table.refusal(d.PickCharacter(ONE, DECK[0])) is GameReason.ALREADY_PICKED


def test_s1_2_two_of_the_own_five_are_shown_and_the_rest_stays_secret(table: DuelTable) -> None:
    table.drafted()
    bart, calamity = FIRST_FIVE[:2]
    assert table.refusal(d.ShowLine(ONE, bart, SECOND_FIVE[0])) is GameReason.NOT_OF_THIS_SIDE
    assert table.refusal(d.ShowLine(ONE, bart, bart)) is GameReason.ONE_FOR_TWO_PLACES
    table.ask(d.ShowLine(ONE, calamity, bart))
    assert table.refusal(d.ShowLine(ONE, bart, calamity)) is GameReason.LINE_SHOWN
    assert table.refusal(c.EndTurn()) is GameReason.LINES_NOT_SHOWN
    table.ask(d.ShowLine(TWO, *SECOND_FIVE[:2]))
    assert table.names(ONE) == ["Calamity Janet", "Bart Cassidy"]
    assert table.duel().reserve(ONE) == 3
    assert (table.duel().phase, table.now().turn) == (DuelPhase.PLAYING, TWO)


def test_a_duel_has_printed_life_and_no_sheriff(table: DuelTable) -> None:
    table.long()
    assert [seat.role for seat in table.now().seats] == [None, None]
    assert [f.life for f in table.duel().side(TWO).in_play] == [4, 3]


def test_s1_2_the_front_is_chosen_once_at_the_start_of_the_own_turn(table: DuelTable) -> None:
    table.long()
    black_jack, gringo = SECOND_FIVE[:2]
    assert table.refusal(d.ChooseLine(ONE, FIRST_FIVE[1])) is GameReason.NOT_ITS_TURN
    table.ask(d.ChooseLine(TWO, gringo))
    assert table.names(TWO) == ["El Gringo", "Black Jack"]
    assert table.refusal(d.ChooseLine(TWO, black_jack)) is GameReason.LINE_CHOSEN
    table.ask(c.EndTurn(), c.EndTurn(), d.ChooseLine(TWO, gringo))
    assert table.names(TWO) == ["El Gringo", "Black Jack"]


def test_s1_2_a_character_in_jail_may_not_stand_in_front(table: DuelTable) -> None:
    table.long()
    black_jack, gringo = SECOND_FIVE[:2]
    assert table.refusal(d.ChooseLine(TWO, black_jack, jailed=black_jack)) is GameReason.JAILED_IN_FRONT
    table.ask(d.ChooseLine(TWO, gringo, jailed=black_jack))
    assert table.duel().side(TWO).jailed is black_jack
    table.ask(c.EndTurn())
    assert table.duel().side(TWO).jailed is None


def test_the_last_character_stays_in_front_even_in_jail(table: DuelTable) -> None:
    table.long()
    table.lost(TWO, 4)
    (last,) = table.duel().side(TWO).in_play
    table.ask(d.ChooseLine(TWO, last.character, jailed=last.character))
    assert table.front(TWO) == last


def test_s1_2_front_out_moves_the_rear_up_and_the_reserve_enters_behind(table: DuelTable) -> None:
    table.long()
    table.fell(ONE)
    assert table.names(ONE) == ["Calamity Janet"]
    assert table.refusal(c.EndTurn()) is GameReason.MUST_ENTER
    assert table.refusal(d.EnterCharacter(ONE, Character.BART_CASSIDY)) is GameReason.CANNOT_ENTER
    assert table.refusal(d.EnterCharacter(TWO, SECOND_FIVE[2])) is GameReason.NOBODY_ENTERS
    table.ask(d.EnterCharacter(ONE, Character.KIT_CARLSON))
    assert table.names(ONE) == ["Calamity Janet", "Kit Carlson"]


def test_s1_2_rear_out_is_replaced_where_it_stood(table: DuelTable) -> None:
    table.long()
    table.ask(d.WoundCharacter(ONE, FIRST_FIVE[1], 4))
    table.ask(d.EnterCharacter(ONE, Character.JESSE_JONES))
    assert table.names(ONE) == ["Bart Cassidy", "Jesse Jones"]


def test_one_card_that_takes_both_brings_two_in(table: DuelTable) -> None:
    table.long()
    table.fell(ONE)
    table.fell(ONE)
    assert (table.names(ONE), table.duel().entering(ONE)) == ([], 2)
    table.following_enters(ONE)
    table.following_enters(ONE)
    assert table.names(ONE) == ["Jesse Jones", "Kit Carlson"]


def test_d40_wounds_too_many_are_lost_in_a_long_duel(table: DuelTable, rules: Edition) -> None:
    table.long()
    table.fell(ONE, 6)
    assert table.refusal(d.CarryWounds(ONE)) is GameReason.WOUNDS_LOST
    table.following_enters(ONE)
    assert [fighter.life for fighter in table.duel().side(ONE).in_play] == [4, 4]

    readings = msgspec.structs.replace(rules.readings, long_duel_excess=LongDuelExcess.CARRIED)
    other = DuelTable(msgspec.structs.replace(rules, readings=readings)).long()
    other.fell(ONE, 6)
    other.following_enters(ONE)
    assert [fighter.life for fighter in other.duel().side(ONE).in_play] == [4, 2]


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
    assert table.refusal(d.WoundCharacter(TWO, SECOND_FIVE[2])) is GameReason.ENDED


def test_healing_stops_at_the_printed_life_and_a_beer_heals_nobody(table: DuelTable) -> None:
    table.long()
    bart = FIRST_FIVE[0]
    assert table.refusal(d.HealCharacter(ONE, bart)) is GameReason.CHARACTER_FULL
    table.ask(d.WoundCharacter(ONE, bart, 2))
    assert table.refusal(d.HealCharacter(ONE, bart, 3)) is GameReason.CHARACTER_FULL
    assert table.refusal(d.HealCharacter(ONE, bart, remedy=Remedy.BEER)) is GameReason.BEER_IN_A_DUEL
    table.ask(d.HealCharacter(ONE, bart))
    assert table.front(ONE) is not None
    assert [f.life for f in table.duel().side(ONE).in_play] == [3, 4]


def test_s1_3_who_leaves_before_or_during_the_duel_has_lost(table: DuelTable) -> None:
    table.ask(msgspec.structs.replace(seating(2), match=LONG), c.Abandon(ONE))
    assert table.duel().winner == TWO
    other = DuelTable(table.rules).long()
    other.lost(ONE, 3)
    other.ask(c.Abandon(TWO, ejected=True))
    duel = finished_duel(other.now())
    assert (duel.winner, duel.because, duel.score) == (ONE, DuelBecause.OPPONENT_EJECTED, (0, 3))


def test_the_judge_rules_with_a_reason_when_time_is_over(table: DuelTable) -> None:
    table.long()
    assert table.refusal(c.EndByTimeLimit()) is GameReason.NO_TIME_LIMIT
    assert table.refusal(d.RuleDuel(ONE, "  ")) is GameReason.RULING_WITHOUT_REASON
    table.ask(d.RuleDuel(ONE, "more life points when time was called"))
    duel = finished_duel(table.now())
    assert (duel.because, duel.ruling) == (DuelBecause.RULING, "more life points when time was called")


def test_a_won_duel_is_undone_confirmed_and_voided_like_a_game(table: DuelTable) -> None:
    table.long()
    table.lost(ONE, 4)
    before = table.now()
    table.fell(ONE)
    table.ask(c.Undo())
    assert table.now() == before
    assert table.refusal(c.ConfirmSheet(Confirmation.PIN)) is GameReason.DUEL_RUNNING
    table.fell(ONE)
    table.ask(c.ConfirmSheet(Confirmation.PIN))
    assert table.now().phase is Phase.CONFIRMED
    assert table.refusal(c.Undo()) is GameReason.NOT_UNDOABLE
    table.ask(c.VoidGame("the wrong players"))


def test_moves_of_games_and_duels_do_not_mix(table: DuelTable, rules: Edition) -> None:
    table.long()
    for command in (c.DealRoles(), c.LoseLife(ONE), c.Reshuffle(), c.BeginGame()):
        assert table.refusal(command) is GameReason.NOT_IN_A_DUEL
    table.ask(c.VoidGame(""), msgspec.structs.replace(seating(5), game="game-2"))
    assert table.refusal(d.TakeAdvantage(Advantage.START)) is GameReason.NOT_A_DUEL
    without = msgspec.structs.replace(rules, finals=None)
    seat = msgspec.structs.replace(seating(2), match=LONG)
    assert DuelTable(without).refusal(seat) is GameReason.NO_SUCH_DUEL
    assert DuelTable(rules).refusal(msgspec.structs.replace(seating(5), match=LONG)) is GameReason.TABLE_SIZE
