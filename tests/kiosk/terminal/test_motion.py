"""Movements show changes for a moment, and neither targets nor texts nor touches notice them."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, RegainLife
from core.game.state.game import HighNoon
from core.terms import Role, SeatNo
from kiosk.preferences import Preferences, Theme
from kiosk.terminal.display.motion import (
    FRAME_MS,
    LASTS_MS,
    Motion,
    MotionKind,
    in_motion,
    motions_after,
)
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Block, Box
from kiosk.ui.geometry import place_on_screen
from kiosk.view.table_view import TableView
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.moments import Moment, Table

GLASS = GLASSES["800x480"]
TWO = SeatNo(2)
BEGAN_MS = 1_000


def with_noon(table: Table) -> TableView:
    view = table.view()
    assert view.game is not None
    return msgspec.structs.replace(view, game=msgspec.structs.replace(view.game, high_noon=HighNoon.ON))


CHANGES: dict[MotionKind, Callable[[Table], TableView]] = {
    MotionKind.LIFE_LOST: lambda table: table.do(LoseLife(TWO)).view(),
    MotionKind.LIFE_GAINED: lambda table: table.do(RegainLife(TWO)).view(),
    MotionKind.TURN: lambda table: table.do(EndTurn()).view(),
    MotionKind.OUT: lambda table: table.kill(2, 1, Role.OUTLAW).view(),
    MotionKind.RESHUFFLE: lambda table: table.do(Reshuffle()).view(),
    MotionKind.HIGH_NOON: with_noon,
}


def begun() -> Table:
    return Table(7).begun().do(LoseLife(TWO))


def changed(kind: MotionKind) -> tuple[tuple[Motion, ...], tuple[Block, ...]]:
    """Return the movements that follow from a change, and the blocks after it."""
    table = begun()
    before = table.view()
    after = CHANGES[kind](table)
    blocks = laid_out(GLASS, Moment("play", "play", after))._blocks
    return motions_after(before, after, (), BEGAN_MS), blocks


@pytest.mark.parametrize("kind", MotionKind)
def test_a_change_moves_only_its_own_blocks_and_never_for_longer_than_a_third_of_a_second(
    kind: MotionKind,
) -> None:
    motions, blocks = changed(kind)
    assert [motion.kind for motion in motions] == [kind]
    moved = set[str]()
    for elapsed_ms in range(0, LASTS_MS, FRAME_MS):
        frame = in_motion(blocks, motions, BEGAN_MS + elapsed_ms, GLASS)
        assert [(b.id, b.rect, b.quarter_turns) for b in frame] == [
            (b.id, b.rect, b.quarter_turns) for b in blocks
        ]
        moved |= {after.id for after, before in zip(frame, blocks, strict=True) if after != before}
    assert moved == ({motions[0].block} if motions[0].block else {block.id for block in blocks})
    assert in_motion(blocks, motions, BEGAN_MS + LASTS_MS, GLASS) == blocks
    assert LASTS_MS <= 300


@pytest.mark.parametrize("turns", range(4))
def test_high_noon_falls_from_the_top_of_the_glass_to_its_bottom_in_turned_panels_too(turns: int) -> None:
    _, blocks = changed(MotionKind.HIGH_NOON)
    turned = tuple(block for block in blocks if block.quarter_turns == turns)
    falling = (Motion(MotionKind.HIGH_NOON, "", BEGAN_MS),)
    for block in turned:
        tops = [
            place_on_screen(part.rect, block.rect, turns).y
            for elapsed_ms in range(0, LASTS_MS, FRAME_MS)
            for frame in in_motion((block,), falling, BEGAN_MS + elapsed_ms, GLASS)
            for part in frame.parts[len(block.parts) :]
            if isinstance(part, Box)
        ]
        assert tops == sorted(tops)
        assert all(block.rect.y <= top < block.rect.bottom for top in tops)


@pytest.mark.parametrize(
    "preferences", [Preferences(is_calm=True), Preferences(theme=Theme.CONTRAST)], ids=["calm", "contrast"]
)
def test_nothing_moves_at_a_calm_table_and_in_high_contrast(preferences: Preferences) -> None:
    table = begun()
    before = table.view()
    after = msgspec.structs.replace(table.do(EndTurn()).view(), preferences=preferences)
    lasting = (Motion(MotionKind.TURN, "seat-1", BEGAN_MS),)
    assert motions_after(before, after, lasting, BEGAN_MS) == ()


@given(st.lists(st.integers(0, 500), min_size=2, max_size=12))
def test_no_movement_begins_more_often_than_three_times_a_second(gaps: list[int]) -> None:
    table, now_ms, begins = begun(), BEGAN_MS, set[int]()
    motions, before, is_lost = tuple[Motion, ...](), table.view(), False
    for gap in gaps:
        now_ms, is_lost = now_ms + gap, not is_lost
        after = table.do(RegainLife(TWO) if is_lost else LoseLife(TWO)).view()
        motions = motions_after(before, after, motions, now_ms)
        begins |= {motion.began_ms for motion in motions if motion.kind is MotionKind.LIFE_LOST}
        before = after
    assert all(late - early > 1000 / 3 for early, late in pairwise(sorted(begins)))


def test_touches_texts_and_targets_are_the_same_while_something_moves() -> None:
    answers = []
    for moves in (False, True):
        table, screen = begun(), TableScreen(GLASS, failsafe=False, moves=moves)
        screen.update(msgspec.structs.replace(table.view(), now_ms=BEGAN_MS))
        screen.update(msgspec.structs.replace(table.do(EndTurn(), LoseLife(TWO)).view(), now_ms=BEGAN_MS))
        seen: list[object] = [screen.targets(), screen.visible_text()]
        for number, target in enumerate(screen.targets()):
            x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
            now_ms = BEGAN_MS + number * FRAME_MS // 2
            seen.append(repr(screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, now_ms))))
            seen.append(repr(screen.pointer(Pointer(1, PointerPhase.UP, x, y, now_ms + 5))))
        answers.append(seen)
    assert answers[0] == answers[1]


def test_the_screen_asks_for_pictures_only_while_something_moves() -> None:
    table, screen = begun(), TableScreen(GLASS, failsafe=False, moves=True)
    screen.update(msgspec.structs.replace(table.view(), now_ms=BEGAN_MS))
    still_ms = screen.next_deadline_ms()
    assert still_ms is not None
    assert still_ms > BEGAN_MS + LASTS_MS
    after = table.do(EndTurn()).view()
    pictures = 0
    for now_ms in range(BEGAN_MS, BEGAN_MS + 2 * LASTS_MS, FRAME_MS):
        pictures += screen.update(msgspec.structs.replace(after, now_ms=now_ms))
    assert 3 <= pictures <= LASTS_MS // FRAME_MS + 2
    due_ms = screen.next_deadline_ms()
    assert due_ms is not None
    assert due_ms > now_ms + FRAME_MS
