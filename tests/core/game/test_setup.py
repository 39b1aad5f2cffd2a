"""Championship 2022/23 v1.4, 1.1 "The rounds": from the seats to the Sheriff's first turn."""

import pytest
from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character, life_points
from core.editions.edition import Edition
from core.game.decide import GameCommand, decide
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import VoidGame
from core.game.play.abandonment import Abandon
from core.game.play.turns import TurnStarted
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, GameBegan, starting_life
from core.game.state.decisions import Undo
from core.game.state.game import Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import role_counts
from core.rule_set import RuleSet
from core.terms import Role, SeatNo
from tests.core.game.conftest import FOUR_LIFE, MakeGame, ScriptedTable, seating

GRINGO, REGRET = Character.EL_GRINGO, Character.PAUL_REGRET
SLAB, SUZY = Character.SLAB_THE_KILLER, Character.SUZY_LAFAYETTE


@pytest.fixture
def table(rules: Edition) -> ScriptedTable:
    return ScriptedTable(rules).seated(5)


def choosing(table: ScriptedTable) -> ScriptedTable:
    table.ask(*(CheckIn(SeatNo(seat)) for seat in range(1, 6)), DealRoles())
    return table


def choice(seat: int, character: Character, *offered: Character) -> ChooseCharacter:
    return ChooseCharacter(SeatNo(seat), character, offered)


def test_s1_1_the_player_numbered_one_is_the_sheriff(table: ScriptedTable) -> None:
    assert [seat.role for seat in table.now().seats] == [Role.SHERIFF, None, None, None, None]
    assert table.now().phase is Phase.SEATING


@pytest.mark.parametrize(
    ("players", "expected"), [(4, (1, 0, 2, 1)), (5, (1, 1, 2, 1)), (6, (1, 1, 3, 1)), (7, (1, 2, 3, 1))]
)
def test_the_base_games_roles(rules: Edition, players: int, expected: tuple[int, ...]) -> None:
    row = role_counts(players, rules)
    assert (row.sheriff, row.deputy, row.outlaw, row.renegade) == expected
    assert row.rebel == 0


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param(seating(0), GameReason.TABLE_SIZE, id="nobody"),
        pytest.param(seating(3), GameReason.TABLE_SIZE, id="three"),
        pytest.param(seating(8), GameReason.TABLE_SIZE, id="eight"),
        pytest.param(
            replace(seating(5), rules=RuleSet("championship-1999")), GameReason.ANOTHER_EDITION, id="edition"
        ),
        pytest.param(CallJudge(), GameReason.NO_GAME, id="no seating"),
    ],
)
def test_a_game_begins_with_a_seating_that_fits_the_rules(
    rules: Edition, command: GameCommand, reason: GameReason
) -> None:
    assert ScriptedTable(rules).refusal(command) is reason


def test_nobody_sits_twice(rules: Edition) -> None:
    seats = seating(5).seats
    twice = replace(seating(5), seats=(*seats[:4], seats[1]))
    with pytest.raises(Refused, match="Seats 2 and 5 have the same player"):
        decide(None, twice, rules)


def test_a_table_is_seated_anew_only_after_its_game(table: ScriptedTable) -> None:
    assert table.refusal(seating(6, game="game-2")) is GameReason.ANOTHER_GAME
    table.ask(VoidGame("drawn again"))
    table.ask(seating(6, game="game-2"))
    assert (table.now().game, len(table.now().seats)) == ("game-2", 6)


def test_roles_are_dealt_when_everybody_is_here(table: ScriptedTable) -> None:
    assert table.refusal(choice(1, SLAB)) is GameReason.CHECKING_IN
    table.ask(*(CheckIn(SeatNo(seat)) for seat in (1, 2, 3, 5)))
    assert table.refusal(DealRoles()) is GameReason.NOT_CHECKED_IN
    assert table.refusal(CheckIn(SeatNo(5))) is GameReason.CHECKED_IN
    assert table.refusal(CheckIn(SeatNo(6))) is GameReason.NO_SEAT
    table.ask(CheckIn(SeatNo(4)))
    assert table.now().phase is Phase.ROLES
    table.ask(Undo(1), Abandon(SeatNo(4)))  # who does not come leaves a passive seat
    assert table.now().phase is Phase.ROLES
    assert table.ask(DealRoles()) == (DealRoles(),)
    assert table.refusal(DealRoles()) is GameReason.NOT_BEGUN


def test_s1_1_of_two_dealt_characters_one_is_chosen(table: ScriptedTable) -> None:
    choosing(table)
    assert table.ask(choice(2, SLAB, SLAB, SUZY)) == (ChooseCharacter(SeatNo(2), SLAB, (SLAB, SUZY)),)
    assert table.seat(2).offered == (SLAB, SUZY)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (choice(3, SLAB), GameReason.CHARACTER_TAKEN),
        (choice(3, GRINGO, GRINGO, SUZY), GameReason.OFFERED_TWICE),
        (choice(3, GRINGO, REGRET, FOUR_LIFE[0]), GameReason.NOT_OFFERED),
        (choice(3, GRINGO, GRINGO), GameReason.OFFER_SIZE),
        (choice(3, GRINGO, GRINGO, GRINGO), GameReason.OFFER_SIZE),
        (choice(9, GRINGO), GameReason.NO_SEAT),
    ],
)
def test_a_character_is_dealt_once(
    table: ScriptedTable, command: ChooseCharacter, reason: GameReason
) -> None:
    choosing(table).ask(choice(2, SLAB, SLAB, SUZY))
    assert table.refusal(command) is reason


def test_only_characters_of_the_edition_are_dealt(table: ScriptedTable) -> None:
    deck = tuple(character for character in Character if character is not GRINGO)
    fewer = replace(table.rules.characters, deck=deck)
    table.rules = replace(table.rules, characters=fewer)
    choosing(table)
    assert table.refusal(choice(2, GRINGO)) is GameReason.NOT_IN_DECK
    assert table.refusal(choice(2, SLAB, SLAB, GRINGO)) is GameReason.NOT_IN_DECK


def test_a_fingers_slip_is_mended_before_the_game_begins(table: ScriptedTable) -> None:
    choosing(table).ask(choice(2, SLAB), choice(2, SUZY), choice(3, SLAB))
    assert [seat.character for seat in table.now().seats[1:3]] == [SUZY, SLAB]


def test_the_game_begins_with_the_life_points_of_the_characters(table: ScriptedTable) -> None:
    choosing(table)
    for seat, character in enumerate((GRINGO, REGRET, SLAB, SUZY, FOUR_LIFE[0]), start=1):
        table.ask(choice(seat, character))
    assert table.ask(BeginGame()) == (GameBegan((4, 3, 4, 4, 4)), TurnStarted(SeatNo(1)))
    assert [seat.max_life for seat in table.now().seats] == [4, 3, 4, 4, 4]


def test_a_character_that_nobody_entered_has_the_life_points_of_most(table: ScriptedTable) -> None:
    choosing(table)
    table.ask(choice(2, REGRET))
    assert table.ask(BeginGame())[0] == GameBegan((5, 3, 4, 4, 4))


def test_s1_1_once_the_game_began_a_character_may_not_change(make_game: MakeGame) -> None:
    assert make_game().refusal(choice(2, GRINGO)) is GameReason.RUNNING


def test_printed_life_points_and_the_sheriffs_extra_one(rules: Edition) -> None:
    threes = {character for character in Character if life_points(character) == 3}
    assert threes == {GRINGO, REGRET}
    assert {life_points(character) for character in Character if character not in threes} == {4}
    assert starting_life(GRINGO, rules, sheriff=True) == 4
    assert starting_life(SLAB, rules, sheriff=True) == 5
    assert starting_life(SLAB, rules, sheriff=False) == 4
