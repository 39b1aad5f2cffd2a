from itertools import pairwise

import pytest

from core.game.ending.sheet import WaiveAgreement
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.people import SCENES, Quarrel
from kiosk.rehearsal.seen import Seen, SeenTarget, Touch
from tests.kiosk.test_a_whole_game import Play
from tests.scenarios.moments import Table


def screen(scene: str, *ids: str, hold: str = "") -> Seen:
    return Seen(scene, tuple(SeenTarget(i, hold_ms=800 if i == hold else 0) for i in ids))


def touched(brain: Brain, seen: Seen) -> str:
    touch = brain.next_touch(seen)
    assert touch is not None
    return touch.target


def play_screen(*seats: int) -> Seen:
    signs = (f"seat-{s}-{sign}" for s in seats for sign in ("minus", "plus"))
    return screen("play", *signs, "end-turn", "reshuffle", "call-judge", "undo")


def test_players_check_in_one_after_the_other() -> None:
    brain = Brain(1)
    assert touched(brain, screen("seating", "seat-2-check-in", "seat-3-check-in")) == "seat-2-check-in"
    assert touched(brain, screen("seating", "seat-3-check-in")) == "seat-3-check-in"


def test_players_wait_when_there_is_nothing_to_touch() -> None:
    assert Brain(1).next_touch(screen("waiting")) is None
    assert Brain(1).next_touch(Seen("roles", (SeenTarget("roles-dealt", enabled=False),))) is None


def test_a_thing_that_must_be_held_is_held() -> None:
    touch = Brain(1).next_touch(screen("eliminate", "role-sheriff", hold="role-sheriff"))
    assert touch == Touch("role-sheriff", 4, 800)


def test_a_chooser_of_characters_is_answered_before_the_game_begins() -> None:
    brain = Brain(4)
    assert touched(brain, screen("characters", "seat-1-character", "seat-2-character")) == "seat-1-character"
    assert (
        touched(brain, screen("characters", "character-slab-the-killer", "back"))
        == "character-slab-the-killer"
    )
    assert touched(brain, screen("characters", "begin-game", "seat-1-character")) == "seat-1-character"
    assert touched(brain, screen("characters", "begin-game", "seat-1-change")) == "begin-game"


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_a_table_plays_turns_with_wounds_and_in_time_a_reshuffle(seats: int) -> None:
    brain = Brain(seats)
    names = [touched(brain, play_screen(*range(1, seats + 1))) for _ in range(400)]
    assert names.count("end-turn") > 100
    assert any(name.endswith("-minus") for name in names)
    assert "reshuffle" in names
    assert "call-judge" not in names
    assert all(before.endswith("-minus") for before, name in pairwise(names) if name == "undo")


def test_nobody_shoots_the_dead() -> None:
    brain = Brain(9)
    names = {touched(brain, play_screen(1, 3, 5)) for _ in range(200)}
    assert {n for n in names if n.endswith("-minus")} <= {"seat-1-minus", "seat-3-minus", "seat-5-minus"}


def test_the_same_seed_plays_the_same_way() -> None:
    seen = play_screen(1, 2, 3, 4, 5)
    one, two = Brain(3), Brain(3)
    assert [one.next_touch(seen) for _ in range(50)] == [two.next_touch(seen) for _ in range(50)]


def test_the_judges_pin_is_typed_digit_by_digit() -> None:
    brain = Brain(1, pin="2468")
    pad = screen("pin", *(f"pin-{d}" for d in range(10)), "pin-ok")
    assert [touched(brain, pad) for _ in range(5)] == ["pin-2", "pin-4", "pin-6", "pin-8", "pin-ok"]


def test_without_a_pin_the_sheet_waits_for_a_judge() -> None:
    assert Brain(1).next_touch(screen("sheet", "confirm-sheet")) is None
    assert touched(Brain(1, pin="1111"), screen("sheet", "confirm-sheet")) == "confirm-sheet"


def quarrelled(play: Play) -> Quarrel:
    quarrel = Quarrel()
    for _ in range(30):
        seen = play.see()
        assert seen.scene in SCENES
        quarrel, touch = quarrel.next_touch(seen)
        if touch is None:
            return quarrel
        play.touch(touch.target)
    raise AssertionError("they never stopped")


def test_one_disputes_at_the_own_panel_and_the_others_agree_until_the_judge_goes_on() -> None:
    play = Play(Table(5).ended())
    quarrel = quarrelled(play)
    (disputed,) = play.state.agreement.disputed
    assert play.state.judge_called
    assert not quarrel.is_overruled(play.see())
    play.table.do(WaiveAgreement(disputed))
    play.show()
    assert quarrel.is_overruled(play.see())
