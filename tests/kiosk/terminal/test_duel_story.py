"""The story of a duel as text, at the table and for the judge."""

import msgspec
import pytest

from core.editions import rules_of
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.play.abandonment import Abandon
from hardware.contract import Lamp, Tune
from kiosk.i18n import Words
from kiosk.terminal.panel_side import lamp_of, tune_of
from kiosk.terminal.story import Storyteller
from sync.terminal.agent_contract import LinkPhase
from tests.core.game.duel.conftest import DECK, ONE, TWO, WITH_FINALS, DuelTable


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
