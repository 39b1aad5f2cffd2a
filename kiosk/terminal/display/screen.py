"""The screen of a table: it draws the state from the app, and turns touches into intents."""

import traceback
import zlib
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import msgspec
import pygame
import structlog
from msgspec.structs import replace

from core.game.state.game import GameState
from kiosk.i18n import Words, words_in
from kiosk.preferences import Layout
from kiosk.scenes.judge.judge_called import WHY_MS, CallReasonScene, judge_called
from kiosk.scenes.judge.pin import PinScene
from kiosk.scenes.play.reshuffles import late_reshuffle, reshuffle_again, reshuffled_in_turn, turn_again
from kiosk.scenes.scene import OnTouch, PointerListener, Reply, Scene, SceneContext
from kiosk.scenes.station import with_station_scenes
from kiosk.scenes.terminal.trouble import (
    TroubleScene,
    add_notice,
    is_shutting_down,
    is_update_announced,
    new_version,
    shut_down,
)
from kiosk.scenes.widgets.life import changes_after
from kiosk.terminal.display.flow import open_scene, scene_of
from kiosk.terminal.display.motion import FRAME_MS, Motion, in_motion, motions_after
from kiosk.touch import Pointer, WetGlass
from kiosk.ui.blocks import Block, Label, Paragraph, Target, TouchedButton
from kiosk.ui.geometry import Rect, ScreenGeometry, place_on_screen
from kiosk.ui.painter import Painter, next_step_ms, pixel_shift
from kiosk.ui.text import Typesetter
from kiosk.ui.touch_recogniser import GUARD_MM, TouchRecogniser, TouchTarget, touch_targets
from kiosk.view import theme
from kiosk.view.intents import Intent, LockTable
from kiosk.view.table_view import Delivery, TableQuestion, TableView
from sync.terminal.agent_contract import LinkPhase

_SLOP_MM: Final = 2.0
_SECOND_MS: Final = 1_000
_HAND_NEAR_MS: Final = 5_000
"""The time after a touch in which the picture isn't shifted."""
_JUDGE_AWAY_MS: Final = 5 * 60_000
"""The time after the last touch until the judge's pages close, unless the judge's key is turned."""
_WATCHED: Final = ("code", "connection", "stick", "test-")
"""Prefixes of pages that stay open without touches, as people watch them or try the key."""
_Answer = TypeVar("_Answer")
_log = structlog.get_logger()


class TableScreen:
    """The screen of one table. It has no access to a clock, pins, connections or files.

    surface: the surface to paint on, in the panel's size; by default a new one.
    failsafe: if a scene fails, log the error and show the scene ``trouble`` with a code; otherwise raise it,
        as for tests.
    speech: returns the texts of a language.
    moves: show changes by short movements, too.
    """

    def __init__(
        self,
        glass: ScreenGeometry,
        *,
        surface: pygame.Surface | None = None,
        failsafe: bool = True,
        moves: bool = False,
        speech: Callable[[str], Words] = words_in,
    ) -> None:
        self._speech = speech
        self._glass = glass
        self._surface = surface or pygame.Surface(glass.panel_size, depth=32)
        self._types = Typesetter()
        self._painter = Painter(glass, self._surface, self._types)
        self._fingers = TouchRecogniser(glass.mm(_SLOP_MM), glass.mm(GUARD_MM))
        self._drops = WetGlass(glass.width, glass.height)
        self._failsafe = failsafe
        self._moves = moves
        self._motions: tuple[Motion, ...] = ()
        first = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0)
        self._stage = SceneContext(first, glass, speech(first.language), speech=speech, types=self._types)
        self._opened: tuple[Scene, ...] = ()
        self._facing: int | None = None
        self._judge_facing: int | None = None
        self._touched_from: int | None = None
        self._viewed: tuple[object, tuple[Block, ...]] | None = None
        self._drawn: tuple[Scene, ...] = self._opened
        self._blocks: tuple[Block, ...] = ()
        self._places: tuple[TouchTarget, ...] = ()
        self._now_ms = 0
        self._touched_ms = -_HAND_NEAR_MS
        self._drift = (0, 0)

    @property
    def surface(self) -> pygame.Surface:
        return self._surface

    def update(self, view: TableView) -> bool:
        """Paint what has changed since the last view, and return whether the picture has to be flipped."""
        view = self._with_readable_names(view)
        self._now_ms = max(self._now_ms, view.now_ms)
        before = self._stage.table
        is_away = before.judge_present or self._now_ms >= self._touched_ms + _JUDGE_AWAY_MS
        is_shut = (view.is_locked and not before.is_locked) or (view.is_relieved and not before.is_relieved)
        if is_shut or (is_away and not view.judge_present and self._is_for_the_judge()):
            # Otherwise a page that somebody left open would receive touches.
            self._open(())
        if not view.judge_present and not self._shows_judge_page():
            self._judge_facing = None
        if _has_called(self._stage.table.game, view):
            self._open((*self._opened, CallReasonScene(self._now_ms + WHY_MS)))
        if view.call_presses > self._stage.table.call_presses:
            self._open_once(judge_called())
        if view.reshuffle_presses > self._stage.table.reshuffle_presses:
            is_late = view.question is TableQuestion.RESHUFFLED
            self._open_once(late_reshuffle() if is_late else reshuffle_again())
        if view.doubtful_turns > self._stage.table.doubtful_turns:
            self._open_once(reshuffled_in_turn())
        if len(view.turns_again) > len(self._stage.table.turns_again):
            self._open_once(turn_again(view.turns_again[-1]))
        if self._moves:
            self._motions = motions_after(self._stage.table, view, self._motions, self._now_ms)
        changes = changes_after(self._stage.table.game, view.game, self._stage.changes, self._now_ms)
        words = self._speech(view.language)
        self._stage = SceneContext(view, self._glass, words, changes, self._speech, types=self._types)
        return self._safely(self._show, self._show)

    def _with_readable_names(self, view: TableView) -> TableView:
        """Name players by their seats where no font has the letters of their names."""
        if view.game is None:
            return view
        text = self._speech(view.language).gettext("Seat {seat}")
        names = [self._types.readable(seat.name, text.format(seat=seat.seat)) for seat in view.game.seats]
        if all(name == seat.name for name, seat in zip(names, view.game.seats, strict=True)):
            return view
        seats = tuple(replace(seat, name=name) for name, seat in zip(names, view.game.seats, strict=True))
        return replace(view, game=replace(view.game, seats=seats))

    def pointer(self, pointer: Pointer) -> tuple[Intent, ...]:
        """Return the intents that follow from a touch event. Call ``update`` afterwards."""
        self._touched_ms = self._now_ms = max(self._now_ms, pointer.at_ms)
        blocks = {block.id: block.rect for block in self._blocks}
        pressed = self._fingers.handle_event(pointer, self._places, blocks)
        if self._drops.is_wet_after(pointer) and self._stage.table.game is not None:
            return (LockTable(is_locked=True, is_wet=True),)
        return (*self._safely(partial(self._pass_to_scene, pointer), tuple), *self._act(pressed))

    def advance(self, now_ms: int) -> tuple[Intent, ...]:
        """Return the intents that are due by time, such as a completed hold."""
        self._now_ms = max(self._now_ms, now_ms)
        return self._act(self._fingers.advance(now_ms))

    def extend_holds(self, ms: int) -> None:
        self._fingers.extend_holds(ms)

    def next_deadline_ms(self) -> int | None:
        """Return the monotonic time at which ``advance`` must be called next, or None."""
        deadlines = [change.until_ms for change in self._stage.changes]
        if self._motions:
            deadlines.append(self._now_ms + FRAME_MS)
        if self._drift == pixel_shift(self._now_ms):
            deadlines.append(next_step_ms(self._now_ms))
        else:
            deadlines.append(self._touched_ms + _HAND_NEAR_MS)
        if self._scene().name == "connection":
            # The displayed time since the station was last heard increases.
            deadlines.append(self._now_ms + _SECOND_MS)
        deadlines += [scene.until_ms for scene in self._opened if isinstance(scene, CallReasonScene)]
        if self._is_for_the_judge() and not self._stage.table.judge_present:
            deadlines.append(self._touched_ms + _JUDGE_AWAY_MS)
        finger = self._fingers.next_deadline_ms(self._now_ms)
        if finger is not None:
            deadlines.append(finger)
        return min(deadlines, default=None)

    def targets(self) -> tuple[Target, ...]:
        """Return all targets of the topmost scene that can be touched now."""
        return tuple(
            Target(
                button.id,
                button.said or " ".join(filter(None, (button.label, button.small))),
                self._on_glass(place_on_screen(button.rect, block.rect, block.quarter_turns)),
                button.enabled,
                button.hold_ms,
            )
            for block in self._blocks
            for button in block.buttons
        )

    def visible_text(self) -> tuple[str, ...]:
        """Return the text on the screen outside of targets: shared text first, then each seat's."""
        return tuple(
            part.text
            for block in sorted(self._blocks, key=lambda block: block.id.startswith("seat-"))
            for part in block.parts
            if isinstance(part, Label | Paragraph) and part.text
        )

    def scene_name(self) -> str:
        return self._scene().name

    def show_trouble(self, trouble: TroubleScene) -> None:
        self._open((*self._opened, trouble))

    def repaint(self) -> None:
        self._painter.invalidate()

    def darken(self) -> None:
        """Paint black until the next ``update``, and close pages that people left open."""
        self._surface.fill(0)
        self._painter.invalidate()
        self._fingers.cancel_all()
        if self._stage.table.table is not None:
            self._open(())

    def _on_glass(self, rect: Rect) -> tuple[int, int, int, int]:
        """Return the touchable part of a rectangle, as a shifted picture extends beyond the screen."""
        visible = rect.intersect(self._glass.rect)
        return visible.x, visible.y, visible.w, visible.h

    def _scene(self) -> Scene:
        return self._opened[-1] if self._opened else scene_of(self._stage.table)

    def _is_for_the_judge(self) -> bool:
        is_opened = any(scene.name == "judge" for scene in self._opened)
        return is_opened and not self._scene().name.startswith(_WATCHED)

    def _shows_judge_page(self) -> bool:
        return any(scene.name in {"judge", "pin"} for scene in self._opened)

    def _open(self, scenes: tuple[Scene, ...]) -> None:
        if [scene.name for scene in scenes] != [scene.name for scene in self._opened]:
            self._fingers.cancel_all()
        self._opened = scenes
        if not scenes:
            self._facing = None

    def _open_once(self, scene: Scene) -> None:
        """Open a scene unless it is already in front, as panel buttons can be pressed twice."""
        if self._scene().name != scene.name:
            self._open((*self._opened, scene))

    def _view(self) -> tuple[Block, ...]:
        """Return the blocks; pages and notices are turned towards the place whose touch opened them.

        Blocks are cached until something in them changes, including displayed ages.
        """
        scene, stage = self._scene(), self._stage
        if isinstance(scene, TroubleScene):
            return add_notice(stage, scene.view(stage))
        table, judges = stage.table, self._shows_judge_page()
        facing = self._facing_now()
        has_age = self._opened or table.game is None or table.delivery.owes_since_ms is not None
        second = table.now_ms // _SECOND_MS if has_age else 0
        timeless = msgspec.structs.replace(stage, table=msgspec.structs.replace(table, now_ms=0))
        key = (scene, facing, judges, self._touched_from, second, timeless)
        if self._viewed is None or self._viewed[0] != key:
            can_rotate = judges and table.preferences.layout is Layout.RING
            blocks = scene.view(replace(stage.for_table(facing), can_rotate=can_rotate))
            self._viewed = key, add_notice(stage.for_table(self._touched_from), blocks)
        return self._viewed[1]

    def _show(self) -> bool:
        before = self._blocks
        self._settle()
        if self._now_ms - self._touched_ms >= _HAND_NEAR_MS:
            self._drift = pixel_shift(self._now_ms)
        blocks = _move_blocks(self._view(), self._drift)
        if {block.id for block in blocks} != {block.id for block in before}:
            self._fingers.cancel_all()
        self._blocks, self._drawn = blocks, self._opened
        # Fingers change how buttons look, but not their places.
        self._places = touch_targets(blocks, self._scene().name)
        self._fingers.on_picture(self._places, self._now_ms, self._drift)
        self._painter.set_palette(theme.PALETTES[self._stage.table.preferences.theme])
        touched = self._fingers.touched_buttons(self._now_ms)
        self._blocks = tuple(_under_fingers(block, touched) for block in blocks)
        return bool(self._painter.paint(in_motion(self._blocks, self._motions, self._now_ms, self._glass)))

    def _settle(self) -> None:
        self._open(tuple(scene for scene in self._opened if scene.still_holds(self._stage)))
        scene = self._scene()
        if isinstance(scene, PinScene):
            self._follow(scene.on_update(self._stage))
        if is_shutting_down(self._stage):
            if scene.name != "shut-down":
                self._open((*self._opened, shut_down()))
        elif is_update_announced(self._stage) and scene.name != "new-version":
            self._open((*self._opened, new_version()))
        elif self._scene().name not in {"shut-down", "new-version", "trouble"}:
            self._open(with_station_scenes(self._opened, self._stage))

    def _act(self, pressed: tuple[str, ...]) -> tuple[Intent, ...]:
        intents: list[Intent] = []
        for target in pressed:
            intents += self._safely(partial(self._press, target), tuple)
        return tuple(intents)

    def _pass_to_scene(self, pointer: Pointer) -> tuple[Intent, ...]:
        scene = self._scene()
        if not isinstance(scene, PointerListener) or self._stage.table.notice:
            return ()
        return self._follow(scene.on_pointer(pointer, self._stage))

    def _press(self, target: str) -> tuple[Intent, ...]:
        blocks = self._blocks
        if self._drawn is not self._opened:
            # Another touch, such as the previous digit, hasn't been painted yet.
            blocks = self._view()
        buttons = ((block, button) for block in blocks for button in block.buttons if button.id == target)
        block, button = next(buttons, (None, None))
        if block is None or button is None or not button.enabled or not isinstance(button.action, OnTouch):
            return ()
        self._touched_from = block.quarter_turns
        if not self._opened:
            self._facing = block.quarter_turns
        return self._follow(button.action.reply)

    def _follow(self, reply: Reply) -> tuple[Intent, ...]:
        opened = () if reply.leaves else self._opened
        if reply.closes:
            opened = opened[:-1]
        if reply.becomes is not None:
            opened = (*opened[:-1], open_scene(reply.becomes))
        if reply.opens is not None:
            opened = (*opened, open_scene(reply.opens))
        self._open(opened)
        if reply.rotates:
            # Use 4 for upright, as 0 would mean that the seats decide.
            turned = (self._stage.for_table(self._facing_now()).quarter_turns + 1) % 4 or 4
            if self._shows_judge_page():
                self._judge_facing = turned
            else:
                self._facing = turned
        return reply.intents

    def _facing_now(self) -> int | None:
        """Return the side that opened pages face; a judge's pages stay turned until the judge leaves."""
        if self._judge_facing is not None and self._shows_judge_page():
            return self._judge_facing
        return self._facing if self._opened else None

    def _safely(self, action: Callable[[], _Answer], instead: Callable[[], _Answer]) -> _Answer:
        """Return the result of an action; if it fails, show the trouble and call ``instead``."""
        try:
            return action()
        except Exception as error:
            if not self._failsafe or isinstance(self._scene(), TroubleScene):
                raise
            code = code_of(error)
            _log.exception("scene failed", code=code, scene=self._scene().name)
            self._open((TroubleScene(code),))
            return instead()


def _has_called(before: GameState | None, view: TableView) -> bool:
    game, is_heard = view.game, view.delivery.link is LinkPhase.CONNECTED
    if before is None or game is None or not is_heard or before.game != game.game:
        return False
    return game.judge_called and not before.judge_called and game.call_reason is None


def _under_fingers(block: Block, touched: tuple[TouchedButton, ...]) -> Block:
    names = {button.id for button in block.buttons}
    mine = tuple(touch for touch in touched if touch.id in names)
    return msgspec.structs.replace(block, touched=mine) if mine else block


def _move_blocks(blocks: tuple[Block, ...], by: tuple[int, int]) -> tuple[Block, ...]:
    if by == (0, 0):
        return blocks
    return tuple(msgspec.structs.replace(block, rect=block.rect.move(*by)) for block in blocks)


def code_of(error: Exception) -> str:
    """Return a short code for an error, by its kind and its place in our files; the log explains it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{type(error).__name__}:{frames[-1].name if frames else ''}"
    return f"{zlib.crc32(place.encode()) & 0xFFFF:04X}"
