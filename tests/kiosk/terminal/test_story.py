"""The story that settles disputes: everything in the order in which it was done, in the table's language."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.characters import Character
from core.game.commands import GameCommand
from core.game.judge.calls import CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetTurn
from core.game.play.wounds import LoseLife, RegainLife
from core.game.setup.character_choice import BeginGame, ChooseCharacter
from core.game.setup.seating import CheckIn, DealRoles
from core.game.undo import Undo
from core.terminal.orders import Order, SeatGame
from core.terms import SeatNo
from kiosk.i18n import Words
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.story import Storyteller, describe_undone
from kiosk.view.table_view import StoryLine
from tests.examples import examples

SEATS = [SeatNo(n) for n in range(1, 6)]
FACES = [face for face in Character if face.value not in {"El Gringo", "Paul Regret"}]
LIFE = [command(seat) for seat in SEATS for command in (LoseLife, RegainLife)]
MOVES: list[GameCommand] = [EndTurn(), Reshuffle(), CallJudge(), Undo(1), Undo(2), *LIFE]


@pytest.fixture
def begun(seat: Callable[..., SeatGame], wired: Callable[[Order], bytes]) -> Callable[[], GameKeeper]:
    def made() -> GameKeeper:
        keeper = GameKeeper()
        keeper.carry_out(1, wired(seat()))
        chosen = [ChooseCharacter(n, FACES[n]) for n in SEATS]
        opening: list[GameCommand] = [*map(CheckIn, SEATS), DealRoles(), *chosen, BeginGame()]
        for command in opening:
            keeper.ask(command)
        return keeper

    return made


def story_lines(keeper: GameKeeper, language: str = "en") -> tuple[StoryLine, ...]:
    return Storyteller().story(keeper.timeline, Words(language))


def test_before_a_game_there_is_no_story() -> None:
    assert story_lines(GameKeeper()) == ()


def test_the_story_names_who_came_and_who_plays_what(begun: Callable[[], GameKeeper]) -> None:
    lines = [line.text for line in story_lines(begun())]
    assert lines[:2] == ["Player 1 is here", "Player 2 is here"]
    assert f"Player 1 plays {FACES[1].value}" in lines
    assert lines[-1].startswith("The game begins")


def test_taps_in_a_row_are_one_line_that_knows_how_many(begun: Callable[[], GameKeeper]) -> None:
    keeper = begun()
    for command in (LoseLife(SEATS[1]), LoseLife(SEATS[1]), RegainLife(SEATS[1]), LoseLife(SEATS[2])):
        keeper.ask(command)
    last = story_lines(keeper)[-3:]
    assert [(line.text, line.steps) for line in last] == [
        ("Player 2 loses 2 life points", 2),
        ("Player 2 regains 1 life point", 1),
        ("Player 3 loses 1 life point", 1),
    ]


def test_a_new_turn_is_a_new_line(begun: Callable[[], GameKeeper]) -> None:
    keeper = begun()
    for command in (LoseLife(SEATS[1]), EndTurn(), LoseLife(SEATS[1])):
        keeper.ask(command)
    last = story_lines(keeper)[-3:]
    assert [line.steps for line in last] == [1, 1, 1]
    assert last[0].turn + 1 == last[1].turn == last[2].turn


def test_the_story_is_told_in_the_language_of_the_screen(begun: Callable[[], GameKeeper]) -> None:
    keeper = begun()
    english, italian = story_lines(keeper), story_lines(keeper, "it")
    assert [line.steps for line in english] == [line.steps for line in italian]
    assert all(here.text != there.text for here, there in zip(english, italian, strict=True))


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(60)
)
@given(moves=st.lists(st.sampled_from(MOVES), max_size=40))
def test_the_lines_stand_for_all_steps_that_count_so_that_each_can_be_taken_back(
    begun: Callable[[], GameKeeper], moves: list[GameCommand]
) -> None:
    keeper = begun()
    for move in moves:
        try:
            keeper.ask(move)
        except Refused:
            continue
    lines = story_lines(keeper)
    assert keeper.timeline is not None
    assert sum(line.steps for line in lines) == len(keeper.timeline.moments) - 1
    assert [line.moment for line in lines] == list(itertools.accumulate(line.steps for line in lines))
    assert all(line.text and line.text != "…" for line in lines)


def test_undo_says_what_it_took_back(begun: Callable[[], GameKeeper]) -> None:
    keeper = begun()
    assert describe_undone(keeper.timeline, Words("en")) == ""
    keeper.ask(LoseLife(SeatNo(2)))
    keeper.ask(Undo(1))
    assert describe_undone(keeper.timeline, Words("en")) == "Undone: Player 2 loses 1 life point"
    taps: list[GameCommand] = [LoseLife(SeatNo(2)), LoseLife(SeatNo(2)), Undo(2)]
    for command in taps:
        keeper.ask(command)
    assert describe_undone(keeper.timeline, Words("en")) == "Undone: Player 2 loses 2 life points"
    moves: list[GameCommand] = [LoseLife(SeatNo(2)), EndTurn(), Undo(2)]
    for command in moves:
        keeper.ask(command)
    assert describe_undone(keeper.timeline, Words("it")) == "2 passi annullati."
    many: list[GameCommand] = [SetTurn(SeatNo(4)), Undo(1)]
    for command in many:
        keeper.ask(command)
    assert describe_undone(keeper.timeline, Words("en")) == "3 turns undone."
    keeper.ask(LoseLife(SeatNo(3)))
    assert describe_undone(keeper.timeline, Words("en")) == ""
