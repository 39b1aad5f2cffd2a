"""The reference game: seven players and 28 turns, with the touches counted from setup to record sheet."""

from typing import Final

import pytest

from core.game.ending.sheet import awaited_seats
from core.game.orders import AssignTable, OfferSignIn
from core.game.state.game import Phase
from core.rule_set import AgreementForm, RecordMode, RuleSet
from core.terms import Ending
from kiosk.ui.geometry import screen_geometry_for
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import TABLE, seat_game
from tests.kiosk.rig.live_table import wait_until
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging, VirtualTable

REFERENCE: Final = """
1: -2 .          2: -1 .       3: -2 .          4: -1 -3 .  5: -6 .     6: -5 +6 .  7: -4 .
1: -2 .          2: +2 -7 .    3: -4 .          4: .        5: -2 R .   6: -3 -5 .  7: -2 x2/7/outlaw .
1: -4 .          3: -4 x4/3/outlaw .            5: -6 .     6: -7 +6 .  7: -6 .
1: -6 .          3: R .        5: +5 -7 .       6: -1 .     7: -5 .
1: -6 .          3: -5 .       5: x5/noon/renegade          6: x6/noon/outlaw
"""
"""The turns by seat. -3, +3: a life point of seat 3.

R: reshuffle. x2/7/outlaw: seat 2, an Outlaw, is eliminated by seat 7; x5/noon/…: by High Noon. A full stop
ends the turn.
"""
CHARACTERS: Final = (
    "bart-cassidy", "black-jack", "calamity-janet", "jesse-jones", "jourdonnais", "kit-carlson",
    "willy-the-kid",
)  # fmt: skip


class Fingers:
    """The touches of a table, counted."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.count = 0

    def touch(self, *names: str) -> None:
        for name in names:
            self.table.advance(6)
            self.table.touch(name)
            self.count += 1

    def touch_if(self, name: str) -> bool:
        if not self.table.offers(name):
            return False
        self.touch(name)
        return True

    def set_up(self, *, is_light: bool) -> None:
        self.touch("check-in-all", "roles-dealt")
        if not is_light:
            self.touch("enter-all", *(f"character-{name}" for name in CHARACTERS))
        self.touch("begin-game")

    def end(self) -> None:
        """Let players who are asked agree, declare the roles in play, and confirm with the judge's key."""
        while awaited := awaited_seats(self.table.game):
            self.touch(f"seat-{awaited[0]}-agrees")
        self.touch("to-roles")
        for seat in (3, 7):
            if self.touch_if(f"role-of-seat-{seat}"):
                self.touch(f"declare-seat-{seat}-deputy")
        self.touch_if("declare-roles")
        self.table.turn_key(on=True)
        self.touch("confirm-sheet")

    def enter(self, *, is_light: bool) -> None:
        turn = 0
        for word in REFERENCE.split():
            if word.endswith(":"):
                turn = int(word[0])
                self.answer_whose_turn(turn)
            elif word == ".":
                self.touch_if("end-turn")
            elif word == "R":
                self.touch("reshuffle")
                self.answer_whose_turn(turn)
            elif word.startswith("x"):
                self.eliminate(*word[1:].split("/"))
            elif not is_light:
                self.touch(f"seat-{word[1]}-{'minus' if word[0] == '-' else 'plus'}")

    def answer_whose_turn(self, turn: int) -> None:
        if self.table.scene() == "whose-turn":
            self.touch(f"seat-{turn}-turn")

    def eliminate(self, seat: str, by: str, role: str) -> None:
        if not self.touch_if("eliminated") and not self.touch_if(f"seat-{seat}-out"):
            self.touch(f"seat-{seat}-menu", "eliminated")
        if by != "noon":
            self.touch(f"by-seat-{by}")
        elif not self.table.offers(f"role-{role}"):
            self.touch("by-nobody", "by-high-noon")
        self.touch(f"role-{role}")


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "form", "most"),
    [
        (RecordMode.FULL, AgreementForm.ONE_FOR_ALL, 90),
        (RecordMode.FULL, AgreementForm.EACH_PLAYER, 95),
        (RecordMode.LIGHT, AgreementForm.ONE_FOR_ALL, 40),
    ],
)
def test_the_reference_game_takes_few_touches(
    table: VirtualTable, mode: RecordMode, form: AgreementForm, most: int
) -> None:
    rules = RuleSet("championship-2022", mode=mode, agreement=form)
    table.order(AssignTable(TABLE, CHEAP_PIN), seat_game(rules=rules, players=7))
    fingers = Fingers(table)
    fingers.set_up(is_light=mode is RecordMode.LIGHT)
    at_set_up = fingers.count
    fingers.enter(is_light=mode is RecordMode.LIGHT)
    assert (table.game.phase, table.game.ending) == (Phase.ENDED, Ending.LAW_WINS)
    assert mode is RecordMode.LIGHT or table.game.turns == 28
    at_the_end = fingers.count
    fingers.end()
    assert table.game.phase is Phase.CONFIRMED
    assert at_set_up <= 12
    assert fingers.count - at_the_end <= (10 if form is AgreementForm.ONE_FOR_ALL else 15)
    assert fingers.count <= most


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1024, 600), (720, 1280)])
def test_a_set_up_of_seven_takes_few_touches_with_phones_offered(
    make_table: MakeTable, size: tuple[int, int]
) -> None:
    table = make_table(Rigging(glass=screen_geometry_for(size), language="it"))
    table.order(AssignTable(TABLE, CHEAP_PIN), seat_game(players=7))
    table.order(OfferSignIn(table.game.game, "https://192.0.2.1/in/7KQ3M9XWPT4C"))
    wait_until(table, lambda: table.offers("phone-sign-in"))
    fingers = Fingers(table)
    fingers.set_up(is_light=False)
    assert table.game.phase is Phase.PLAYING
    assert fingers.count == 11
