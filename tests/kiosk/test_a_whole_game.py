"""Simulated players finish games and duels using only what the screen offers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game.ending.sheet import ConfirmSheet
from core.game.play.turns import EndTurn
from core.game.result import check_finished_duel, finished_duel
from core.game.state.game import Confirmation, Phase
from core.terms import MatchKind, SeatNo
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from kiosk.view.intents import AskGame, ChangePreferences, LockTable, PlayTune, TryPin
from tests.core.game.rebel_table import rebel_rules
from tests.examples import examples
from tests.kiosk.scenes.conftest import GLASSES, Played, laid_out
from tests.scenarios.duel_moments import LONG, RULES, SHORT, DuelTable, duel_moments
from tests.scenarios.moments import EDITION, Table

PIN = "2019"
PATIENCE = 3000


class Play(Played):
    """A table with its screen and one hand, without a connection: nothing that is offered may be refused."""

    def __init__(self, table: Table | DuelTable, *, judge_present: bool = False) -> None:
        super().__init__(table, judge_present=judge_present)
        self.scenes: set[str] = set()

    def see(self) -> Seen:
        self.scenes.add(self.screen.scene_name())
        return super().see()

    def finish(self, brain: Brain) -> None:
        """Let simulated players touch the screen until the record sheet is confirmed."""
        for _ in range(PATIENCE):
            touch = brain.next_touch(self.see())
            if self.state.phase is Phase.CONFIRMED:
                return
            if touch is not None:
                self.touch(touch.target)
        pytest.fail(f"no end in sight: {self.screen.scene_name()}")

    def _carry_out(self, intent: object) -> None:
        match intent:
            case AskGame(command=command):
                self.table.do(command)
            case TryPin(pin=pin, then=ConfirmSheet()):
                assert pin == PIN
                self.table.do(ConfirmSheet(Confirmation.PIN))
            case _ if isinstance(intent, ChangePreferences | PlayTune | LockTable):
                pass  # brightness, sound, languages, the lock: not part of the game
            case _:
                pytest.fail(f"nobody asked for {intent}")


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [5, 6, 7])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_goes_from_the_first_seat_to_the_confirmed_sheet(seats: int, seed: int) -> None:
    play = Play(Table(seats))
    play.finish(Brain(seed, PIN))
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
        play = Play(Table(6, rebel_rules()))
        play.finish(brain)
        revolutions += play.state.revolution is not None
        scenes |= play.scenes
        brain.next_touch(Seen("confirmed", ()))
        if revolutions and scenes >= wanted:
            break
    assert revolutions >= 1
    assert scenes >= wanted


def test_the_judge_can_be_called_in_the_middle_of_a_question() -> None:
    play = Play(Table(5).begun().wound(2, 4))
    play.touch("call-judge")
    assert play.screen.scene_name() == "call-reason"
    play.touch("reason-rule")
    assert play.screen.scene_name() == "last-life"
    assert (play.state.pending, play.state.judge_called) == ((SeatNo(2),), True)


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(st.sampled_from([5, 6, 7]), st.booleans(), st.lists(st.floats(0, 1), min_size=30, max_size=60))
def test_whatever_is_offered_the_rules_accept(seats: int, rebel: bool, choices: list[float]) -> None:  # noqa: FBT001
    """Random touches of enabled buttons: no scene fails, and the core refuses nothing."""
    play = Play(Table(seats, rebel_rules() if rebel else EDITION).begun())
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


def enabled(play: Play) -> dict[str, bool]:
    return {target.id: target.enabled for target in play.screen.targets()}


def rect_of(play: Play, name: str) -> tuple[int, int, int, int]:
    return next(target.rect for target in play.screen.targets() if target.id == name)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [LONG, SHORT])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_duel_goes_from_the_first_seat_to_the_confirmed_sheet(kind: MatchKind, seed: int) -> None:
    play = Play(DuelTable(kind))
    play.finish(Brain(seed, PIN))
    assert play.screen.scene_name() == "confirmed"
    assert play.scenes >= {"seating", "duel", "duel-enter", "sheet", "pin"} | FIRST[kind]
    check_finished_duel(finished_duel(play.state), RULES)


def test_a_finger_that_still_counts_wounds_hits_nobody_who_moved_up() -> None:
    table = DuelTable(LONG).long()
    play, front = Play(table), table.duel.side(ONE).front
    assert front is not None
    play.touch(*["seat-1-front-minus"] * front.life)
    assert "seat-1-front-minus" not in enabled(play)
    assert "seat-1-enter" in enabled(play)


def test_wounds_too_many_are_tapped_where_minus_was_and_wait_for_the_next() -> None:
    table = DuelTable(SHORT).short()
    play = Play(table)
    before = rect_of(play, "seat-2-front-minus")
    play.touch(*["seat-2-front-minus"] * 3)
    assert rect_of(play, "seat-2-carry") == before
    play.touch("seat-2-carry", "seat-2-enter")
    play.touch(next(name for name in enabled(play) if name.startswith("character-")))
    entered = table.duel.side(TWO).front
    assert entered is not None
    assert entered.life == entered.max_life - 1


def test_the_last_of_a_pile_enters_by_one_touch() -> None:
    table = DuelTable(LONG).long().fall(TWO).enter(TWO).fall(TWO)
    play = Play(table)
    play.touch("seat-2-enter")
    assert (play.screen.scene_name(), table.duel.reserve(TWO)) == ("duel", 0)


def test_who_is_in_jail_cannot_be_put_in_front() -> None:
    table = DuelTable(LONG).long().do(EndTurn())
    play = Play(table)
    play.touch("line")
    name = next(name for name in enabled(play) if name.startswith("jailed-")).removeprefix("jailed-")
    play.touch(f"jailed-{name}")
    assert enabled(play)[f"front-{name}"] is False
    play.touch(next(name for name, may in enabled(play).items() if name.startswith("front-") and may))
    jailed = table.duel.side(ONE).jailed
    assert jailed is not None
    assert jailed.value.lower().replace(" ", "-") in name
    assert enabled(play)["line"] is False


EJECTED = ("player-leaves", "leaves-seat-1", "seat-1-eject", "offence-cheating", "reason-1", "do-it")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("targets", "winner"),
    [
        pytest.param(("rule-duel", "seat-1-rules"), ONE, id="a ruling"),
        pytest.param(EJECTED, TWO, id="an ejection"),
    ],
)
def test_the_judge_ends_a_duel(targets: tuple[str, ...], winner: SeatNo) -> None:
    table = DuelTable(LONG).long()
    play = Play(table, judge_present=True)
    play.touch("menu", "judge-menu", *targets)
    assert table.duel.winner == winner
    play.show(judge_present=False)
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
