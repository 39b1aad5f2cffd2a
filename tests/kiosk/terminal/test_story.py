"""The story that settles disputes: all steps in order, in the table's language."""

import itertools
import random
from collections.abc import Iterator
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import Refused
from base.languages import LANGUAGES
from core.editions.loader import editions, rules_of
from core.game.decide import GameCommand
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.ending.judge_calls import CallJudge
from core.game.play.abandonment import Abandon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetTurn
from core.game.play.wounds import LoseLife, RegainLife
from core.game.state.decisions import Undo
from core.game.timeline import Timeline
from core.terms import SeatNo
from hardware.contract import Lamp, Tune
from kiosk.i18n import Words
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.panel_side import lamp_of, tune_of
from kiosk.terminal.story import Storyteller, describe_undone
from kiosk.view.table_view import StoryLine
from sync.terminal.agent_contract import LinkPhase
from tests.core.game.duel.conftest import DECK, ONE, TWO, WITH_FINALS, DuelTable
from tests.core.game.strategies import random_game
from tests.examples import examples
from tests.kiosk.rig.stand_ins import seat_order, wired
from tests.kiosk.terminal.test_keeper import BEGINNING, FACES, SEATS
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import moments

LIFE = [command(seat) for seat in SEATS for command in (LoseLife, RegainLife)]
MOVES: list[GameCommand] = [EndTurn(), Reshuffle(), CallJudge(), Undo(1), Undo(2), *LIFE]


def ask_all(keeper: GameKeeper, *commands: GameCommand) -> GameKeeper:
    for command in commands:
        keeper.ask(command)
    return keeper


def begun(*commands: GameCommand) -> GameKeeper:
    """Return the keeper of a game that has begun and of which these are the first steps."""
    keeper = GameKeeper()
    keeper.carry_out(1, wired(seat_order()))
    return ask_all(keeper, *BEGINNING, *commands)


def story_lines(keeper: GameKeeper, language: str = "en") -> tuple[StoryLine, ...]:
    return Storyteller().story(keeper.timeline, Words(language))


def test_before_a_game_there_is_no_story() -> None:
    assert story_lines(GameKeeper()) == ()


def test_the_story_names_who_came_and_who_plays_what() -> None:
    lines = [line.text for line in story_lines(begun())]
    assert lines[:2] == ["Player 1 is here", "Player 2 is here"]
    assert f"Player 1 plays {FACES[1].value}" in lines
    assert lines[-1].startswith("The game begins")


def test_taps_in_a_row_are_one_line_that_knows_how_many() -> None:
    keeper = begun(LoseLife(SEATS[1]), LoseLife(SEATS[1]), RegainLife(SEATS[1]), LoseLife(SEATS[2]))
    last = story_lines(keeper)[-3:]
    assert [(line.text, line.steps) for line in last] == [
        ("Player 2 loses 2 life points", 2),
        ("Player 2 regains 1 life point", 1),
        ("Player 3 loses 1 life point", 1),
    ]


def test_a_new_turn_is_a_new_line() -> None:
    last = story_lines(begun(LoseLife(SEATS[1]), EndTurn(), LoseLife(SEATS[1])))[-3:]
    assert [line.steps for line in last] == [1, 1, 1]
    assert last[0].turn + 1 == last[1].turn == last[2].turn


def test_the_story_is_told_in_the_language_of_the_screen() -> None:
    keeper = begun()
    english, italian = story_lines(keeper), story_lines(keeper, "it")
    assert [line.steps for line in english] == [line.steps for line in italian]
    assert all(here.text != there.text for here, there in zip(english, italian, strict=True))


@settings(deadline=None, max_examples=examples(60))
@given(moves=st.lists(st.sampled_from(MOVES), max_size=40))
def test_the_lines_stand_for_all_steps_that_count_so_that_each_can_be_taken_back(
    moves: list[GameCommand],
) -> None:
    keeper = begun()
    for move in moves:
        with suppress(Refused):
            keeper.ask(move)
    lines = story_lines(keeper)
    assert keeper.timeline is not None
    assert sum(line.steps for line in lines) == len(keeper.timeline.moments) - 1
    assert [line.moment for line in lines] == list(itertools.accumulate(line.steps for line in lines))
    assert all(line.text and line.text != "…" for line in lines)


def test_undo_says_what_it_took_back() -> None:
    keeper = begun()

    def undone(*commands: GameCommand, language: str = "en") -> str:
        return describe_undone(ask_all(keeper, *commands).timeline, Words(language))

    assert undone() == ""
    assert undone(LoseLife(SEATS[1]), Undo(1)) == "Undone: Player 2 loses 1 life point"
    assert undone(LoseLife(SEATS[1]), LoseLife(SEATS[1]), Undo(2)) == "Undone: Player 2 loses 2 life points"
    assert undone(LoseLife(SEATS[1]), EndTurn(), Undo(2), language="it") == "2 passi annullati."
    assert undone(SetTurn(SeatNo(4)), Undo(1)) == "3 turns undone."
    assert undone(LoseLife(SEATS[2])) == ""


def timelines() -> Iterator[Timeline]:
    rules = [known for known in editions() if known.auction is None]
    all_moments = [moment for known in rules for moment in moments(5, known)]
    for moment in (*all_moments, *judge_moments(5), *auction_moments(5), *duel_moments()):
        if moment.view.timeline is not None:
            yield moment.view.timeline
    for seed in range(4):
        yield random_game(seed, 5 + seed % 3)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_told_and_the_lines_together_are_all_steps(language: str) -> None:
    words = Words(language)
    count = 0
    for timeline in timelines():
        lines = Storyteller().story(timeline, words)
        count += len(lines)
        assert all(line.text and "…" not in line.text and "{" not in line.text for line in lines)
        assert sum(line.steps for line in lines) == len(timeline.moments) - 1
        assert [line.moment for line in lines] == sorted({line.moment for line in lines})
        for line in lines:
            state = timeline.moments[line.moment].state
            assert line.turn == state.turns
            assert all(1 <= seat <= len(state.seats) for seat in line.seats)
    assert count > 1_000


def test_a_story_told_step_by_step_back_and_on_again_is_the_story_told_whole() -> None:
    """Including combined taps, undone steps, another game and another language."""
    words, other = Words("en"), Words("it")
    teller = Storyteller()
    for seed in range(4):
        moments = random_game(seed, 5 + seed % 3).moments
        chance = random.Random(seed)
        length = 1
        while length < len(moments):
            length = min(len(moments), max(1, length + chance.choice((1, 1, 1, 2, 7, -1, -3))))
            timeline = Timeline(moments[:length])
            speaks = other if chance.random() < 0.05 else words
            assert teller.story(timeline, speaks) == Storyteller().story(timeline, speaks)
        assert teller.story(None, words) == ()


@pytest.fixture
def table() -> DuelTable:
    return DuelTable(msgspec.structs.replace(rules_of(WITH_FINALS), key="championship-2022"))


def lines(table: DuelTable) -> list[str]:
    return [line.text for line in Storyteller().story(table.timeline, Words("en"))]


def test_every_kind_of_move_of_a_long_duel_has_its_words(table: DuelTable) -> None:
    table.long()
    table.ask(ChooseLine(TWO, DECK[3], jailed=DECK[1]))
    table.ask(WoundCharacter(ONE, DECK[2]), WoundCharacter(ONE, DECK[2]), HealCharacter(ONE, DECK[2]))
    table.fell(ONE)
    table.following_enters(ONE)
    table.ask(RuleDuel(TWO, "the hall closes"))
    story = lines(table)
    assert story[2:5] == [
        "The characters are turned face up",
        "Player 1 picks first",
        "Player 1 picks Bart Cassidy",
    ]
    assert story[14:] == [
        "Player 1: Bart Cassidy in front, Calamity Janet at the rear",
        "Player 2: Black Jack in front, El Gringo at the rear; Player 2's turn",
        "El Gringo in front; Black Jack in Jail",
        "Calamity Janet loses 2 life points",
        "Calamity Janet regains 1 life point",
        "Bart Cassidy loses 4 life points; Player 1's Bart Cassidy is eliminated",
        "Player 1 brings in Jesse Jones",
        "Player 2 wins the duel",
    ]


def test_a_short_duel_tells_who_starts_and_the_wounds_carried_over(table: DuelTable) -> None:
    table.short()
    table.fell(TWO)
    table.ask(CarryWounds(TWO), EnterCharacter(TWO, DECK[9]), Abandon(TWO))
    story = lines(table)
    assert story[4] == "Player 1 starts; Player 1's turn"
    assert story[-3:] == [
        "Player 2: 1 wound carried over",
        "Player 2 brings in Pedro Ramirez",
        "Player 2 has left the tournament; Player 1 wins the duel",
    ]


def test_the_panel_plays_the_end_of_a_duel_and_its_lamp_shows_it(table: DuelTable) -> None:
    table.short()
    table.lost(TWO, 4)
    before = table.now()
    assert lamp_of(before, LinkPhase.CONNECTED) is Lamp.PLAYING
    table.fell(TWO)
    assert tune_of(before, table.now()) is Tune.GAME_OVER
    assert lamp_of(table.now(), LinkPhase.CONNECTED) is Lamp.ENDED
