"""Simulated players finish duels using only what the screen offers."""

import msgspec
import pytest

from core.game.decide import GameCommand
from core.game.play.turns import EndTurn
from core.game.result import check_finished_duel, finished_duel
from core.game.state.game import Phase
from core.terms import MatchKind, SeatNo
from kiosk.rehearsal.brain import Brain
from kiosk.view.table_view import TableView
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.kiosk.test_a_whole_game import PATIENCE, PIN, Play
from tests.scenarios.duel_moments import LONG, RULES, SHORT, DuelTable, duel_moments

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
