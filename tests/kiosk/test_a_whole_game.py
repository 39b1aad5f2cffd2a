"""Simulated players finish games and duels using only what the screen offers."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.play.turns import EndTurn
from core.game.result import check_finished_duel, finished_duel
from core.game.state.game import Confirmation, Phase
from core.terms import MatchKind, SeatNo
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, SeenTarget
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.intents import AskGame, ChangePreferences, Intent, LockTable, PlayTune, TryPin
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.examples import examples
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.duel_moments import LONG, RULES, SHORT, DuelTable, duel_moments
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


ONE, TWO = SeatNo(1), SeatNo(2)
FIRST = {
    LONG: {"duel-setup", "duel-turn-up", "duel-draft", "duel-show-line", "duel-line"},
    SHORT: {"duel-setup"},
}


class DuelPlay(Play):
    """A table with a duel, its screen and one hand. judge_present: the key is turned."""

    judge_present = False

    def __init__(self, kind: MatchKind, table: DuelTable | None = None) -> None:
        self.duels = table or DuelTable(kind)
        super().__init__(5)

    def view(self) -> TableView:
        view = self.duels.view()
        return msgspec.structs.replace(view, judge_present=True) if self.judge_present else view

    def do(self, command: GameCommand) -> None:
        self.duels.do(command)

    def labels(self) -> dict[str, bool]:
        return {target.id: target.enabled for target in self.screen.targets()}


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [LONG, SHORT])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_duel_goes_from_the_first_seat_to_the_confirmed_sheet(kind: MatchKind, seed: int) -> None:
    play, brain = DuelPlay(kind), Brain(seed, PIN)
    for _ in range(PATIENCE):
        touch = brain.next_touch(play.see())
        if play.duels.state.phase is Phase.CONFIRMED:
            break
        if touch is not None:
            play.touch(touch.target)
    assert play.screen.scene_name() == "confirmed"
    assert play.scenes >= {"seating", "duel", "duel-enter", "sheet", "pin"} | FIRST[kind]
    check_finished_duel(finished_duel(play.duels.state), RULES)


def test_a_finger_that_still_counts_wounds_hits_nobody_who_moved_up() -> None:
    play = DuelPlay(LONG, DuelTable(LONG).long())
    front = play.duels.duel.side(ONE).front
    assert front is not None
    for _ in range(front.life):
        play.touch("seat-1-front-minus")
    assert "seat-1-front-minus" not in play.labels()
    assert "seat-1-enter" in play.labels()


def test_wounds_too_many_are_tapped_where_minus_was_and_wait_for_the_next() -> None:
    play = DuelPlay(SHORT, DuelTable(SHORT).short())
    before = next(t.rect for t in play.screen.targets() if t.id == "seat-2-front-minus")
    for _ in range(3):
        play.touch("seat-2-front-minus")
    carry = next(t.rect for t in play.screen.targets() if t.id == "seat-2-carry")
    assert carry == before
    play.touch("seat-2-carry")
    play.touch("seat-2-enter")
    play.touch(next(t.id for t in play.screen.targets() if t.id.startswith("character-")))
    entered = play.duels.duel.side(TWO).front
    assert entered is not None
    assert entered.life == entered.max_life - 1


def test_the_last_of_a_pile_enters_by_one_touch() -> None:
    table = DuelTable(LONG).long()
    table.fall(TWO).enter(TWO).fall(TWO)
    play = DuelPlay(LONG, table)
    play.touch("seat-2-enter")
    assert play.screen.scene_name() == "duel"
    assert play.duels.duel.reserve(TWO) == 0


def test_who_is_in_jail_cannot_be_put_in_front() -> None:
    table = DuelTable(LONG).long().do(EndTurn())
    play = DuelPlay(LONG, table)
    play.touch("line")
    name = next(t.id for t in play.screen.targets() if t.id.startswith("jailed-")).removeprefix("jailed-")
    play.touch(f"jailed-{name}")
    assert play.labels()[f"front-{name}"] is False
    play.touch(next(k for k, enabled in play.labels().items() if k.startswith("front-") and enabled))
    jailed = play.duels.duel.side(ONE).jailed
    assert jailed is not None
    assert jailed.value.lower().replace(" ", "-") in name
    assert play.labels()["line"] is False


@pytest.mark.slow
def test_the_judge_ends_a_duel_by_a_ruling_and_an_ejection() -> None:
    for targets, winner in (
        (("rule-duel", "seat-1-rules"), ONE),
        (
            ("player-leaves", "leaves-seat-1", "seat-1-eject", "offence-cheating", "reason-1", "do-it"),
            TWO,
        ),
    ):
        play = DuelPlay(LONG, DuelTable(LONG).long())
        play.judge_present = True
        play.screen.update(play.view())
        for target in ("menu", "judge-menu", *targets):
            play.touch(target)
        assert play.duels.duel.winner == winner
        play.judge_present = False
        play.screen.update(play.view())
        assert play.screen.scene_name() == "sheet"


def test_the_choice_of_the_front_says_who_stands_there_now() -> None:
    moment = next(moment for moment in duel_moments() if moment.picture == "duel-line")
    game = moment.view.game
    assert game is not None
    assert game.duel is not None
    assert game.turn is not None
    front = game.duel.side(game.turn).front
    assert front is not None
    screen = laid_out(GLASSES["800x480"], moment)
    labels = [target.label for target in screen.targets() if target.id.startswith("front-")]
    assert len(labels) == 2
    assert [label for label in labels if "current" in label] == [f"{front.character.value} in front current"]
