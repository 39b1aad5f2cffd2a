"""Simulated players finish games using only what the screen offers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.state.game import Confirmation, Phase
from core.terms import SeatNo
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, SeenTarget
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.intents import AskGame, ChangePreferences, Intent, LockTable, PlayTune, TryPin
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.examples import examples
from tests.scenarios.moments import EDITION, Table

PIN = "2019"
PATIENCE = 3000


class Play:
    """A table with its screen and one hand, without a connection."""

    def __init__(self, seats: int, rules: Edition = EDITION) -> None:
        self.table = Table(seats, rules)
        self.screen = TableScreen(screen_geometry_for((800, 480)), failsafe=False)
        self.screen.update(self.view())
        self.now_ms = 1000
        self.scenes: set[str] = set()

    def view(self) -> TableView:
        return self.table.view()

    def do(self, command: GameCommand) -> None:
        self.table.do(command)

    def see(self) -> Seen:
        targets = tuple(SeenTarget(t.id, t.label, t.enabled, t.hold_ms) for t in self.screen.targets())
        self.scenes.add(self.screen.scene_name())
        return Seen(self.screen.scene_name(), targets)

    def touch(self, name: str) -> None:
        target = next(t for t in self.screen.targets() if t.id == name)
        x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
        self.now_ms += 1_100
        self.carry_out(self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms)))
        self.now_ms += 60 + target.hold_ms
        self.carry_out(self.screen.advance(self.now_ms))
        self.carry_out(self.screen.pointer(Pointer(1, PointerPhase.UP, x, y, self.now_ms)))
        self.screen.update(self.view())

    def carry_out(self, intents: tuple[Intent, ...]) -> None:
        for intent in intents:
            match intent:
                case AskGame(command=command):
                    self.do(command)
                case TryPin(pin=pin, then=ConfirmSheet()):
                    assert pin == PIN
                    self.do(ConfirmSheet(Confirmation.PIN))
                case _ if isinstance(intent, ChangePreferences | PlayTune | LockTable):
                    pass  # brightness, sound, languages, the lock: not part of the game
                case _:
                    pytest.fail(f"nobody asked for {intent}")


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [5, 6, 7])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_goes_from_the_first_seat_to_the_confirmed_sheet(seats: int, seed: int) -> None:
    play, brain = Play(seats), Brain(seed, PIN)
    for _ in range(PATIENCE):
        touch = brain.next_touch(play.see())
        if play.table.state.phase is Phase.CONFIRMED:
            break
        if touch is not None:
            play.touch(touch.target)
    assert play.screen.scene_name() == "confirmed"
    assert play.scenes >= {
        "seating", "roles", "characters", "play", "last-life", "eliminate", "ending", "roles-declare",
        "sheet", "pin",
    }  # fmt: skip


@pytest.mark.slow
def test_a_rehearsal_plays_games_with_the_rebel_to_the_end_and_sees_revolutions() -> None:
    wanted = {"revolution", "new-sheriff", "roles-declare"}
    scenes: set[str] = set()
    revolutions = 0
    brain = Brain(1, PIN)
    for _ in range(12):
        play = Play(6, rebel_rules())
        for _ in range(PATIENCE):
            touch = brain.next_touch(play.see())
            if play.table.state.phase is Phase.CONFIRMED:
                break
            if touch is not None:
                play.touch(touch.target)
        assert play.table.state.phase is Phase.CONFIRMED
        revolutions += play.table.state.revolution is not None
        scenes |= play.scenes
        brain.next_touch(Seen("confirmed", ()))
        if revolutions and scenes >= wanted:
            break
    assert revolutions >= 1
    assert scenes >= wanted


def test_the_judge_can_be_called_in_the_middle_of_a_question() -> None:
    play = Play(5)
    play.table.begun().wound(2, 4).do(CallJudge())
    play.screen.update(play.table.view())
    assert play.screen.scene_name() == "call-reason"
    play.touch("reason-rule")
    assert play.screen.scene_name() == "last-life"
    assert play.table.state.pending == (SeatNo(2),)


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(st.sampled_from([5, 6, 7]), st.booleans(), st.lists(st.floats(0, 1), min_size=30, max_size=60))
def test_whatever_is_offered_the_rules_accept(seats: int, rebel: bool, choices: list[float]) -> None:  # noqa: FBT001
    """Random touches of enabled buttons: no scene fails, and the core refuses nothing."""
    play = Play(seats, rebel_rules() if rebel else EDITION)
    play.table.begun()
    play.screen.update(play.table.view())
    for choice in choices:
        offered = [t.id for t in play.screen.targets() if t.enabled and not t.id.startswith("language-")]
        if offered:
            name = offered[int(choice * (len(offered) - 1))]
            if name != "pin-ok":
                play.touch(name)
