"""Tests of the screen: its pixels, touches everywhere, and the touch calibration."""

from typing import ClassVar, Final

import msgspec

from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.selftest.steps import (
    LEAVE_TEST,
    PartFinding,
    SelfTestStep,
    question_page,
    record_finding,
    yes_no,
)
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.page_parts import offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.touch import BadTouches, Correction, Place, Pointer, PointerPhase, correction_of
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Label, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import ChangePreferences, TryTouch

_PURE: Final = (theme.TEST_RED, theme.TEST_GREEN, theme.TEST_BLUE, theme.TEST_WHITE, theme.TEST_BLACK)
_BEYOND: Final = 16
"""A margin around full-screen colours, as the picture moves by a few pixels against burn-in."""
_CELL_MM: Final = 18.0
_CROSSES: Final[tuple[Place, ...]] = ((0.1, 0.12), (0.9, 0.12), (0.9, 0.88), (0.1, 0.88), (0.5, 0.5))
_NEAR: Final = 0.2
"""The largest distance of a touch from the cross that it is meant for, as a share of the screen."""


class PixelStep(SelfTestStep, frozen=True):
    """The test of the pixels: pure colours, of which ``at`` is the current one, then a question."""

    at: int = 0

    kind: ClassVar[str] = "pixels"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the current colour or, after the last one, the question."""
        _ = stage.words.gettext
        if self.at < len(_PURE):
            rect = stage.glass.rect.inset(-_BEYOND)
            whole = Rect(0, 0, rect.w, rect.h)
            on = Button(
                whole.inset(_BEYOND), "next-colour", "", ButtonStyle.BARE, said=_("Next colour"),
                action=OnTouch(self._show(self.at + 1)),
            )  # fmt: skip
            return (Block("pixels", rect, (Box(whole, _PURE[self.at]), on)),)
        head = Heading(_("Any odd dots?"), _("Was any dot a different colour from those around it?"), "gear")
        again = offer(stage, "again", _("Once more"), self._show(0), 3, icon="undo")
        answers = yes_no(self, stage, _("No, none"), _("Yes, I saw one"))
        return question_page(self, stage, head, (again, *answers))

    def _show(self, at: int) -> Reply:
        return Reply(becomes=msgspec.structs.replace(self, at=at))


class TouchStep(SelfTestStep, frozen=True):
    """The test of touches.

    fingers: the id and position of each finger on the screen.
    cells: the cells touched so far, as a bit mask.
    most: the largest number of fingers at once.
    """

    fingers: tuple[tuple[int, int, int], ...] = ()
    cells: int = 0
    most: int = 0

    kind: ClassVar[str] = "touch"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a grid, in which touched cells are bright, and a disc under each finger."""
        foot, rect = stage.glass.rect.split_bottom(_foot_px(stage))
        touched = self.cells.bit_count()
        cells = _cells(stage)
        marks = [
            Box(cell.inset(1), theme.BRASS if self.cells >> number & 1 else theme.PLANK, stage.mm(1))
            for number, cell in enumerate(cells)
        ]
        side = stage.mm(14)
        discs = [
            Box(Rect(x - side // 2, y - side // 2, side, side), theme.NOON, side // 2, theme.SOOT, 3)
            for _finger, x, y in self.fingers
        ]
        words = stage.words.gettext("{touched} of {cells} squares · fingers now {now}, max {most}").format(
            touched=touched, cells=len(cells), now=len(self.fingers), most=self.most
        )
        return (Block("touches", rect, (*marks, *discs)), self._foot(stage, foot, words))

    def _foot(self, stage: SceneContext, rect: Rect, words: str) -> Block:
        _, mm = stage.words.gettext, stage.mm
        room = Rect(0, 0, rect.w, rect.h).inset(mm(1))
        if _is_narrow(stage):
            buttons, said = room.split_bottom(mm(12.5))
        else:
            said, buttons = room.columns([1, 1.4], mm(2))
        yes, no, leave = buttons.columns([1, 1, 1], mm(2))
        size, end = mm(3.8), OnTouch(LEAVE_TEST)
        works, broken = (
            OnTouch(record_finding(self, finding)) for finding in (PartFinding.FINE, PartFinding.WRONG)
        )
        parts = (
            Label(said, words, mm(4), theme.CREAM, Typeface.TEXT, Align.LEFT),
            Button(yes, "works", _("All squares"), ButtonStyle.MAIN, "check", size_px=size, action=works),
            Button(no, "broken", _("Not all"), icon="cross", size_px=size, action=broken),
            Button(leave, "leave-test", _("End the test"), icon="back", size_px=size, action=end),
        )
        return Block("foot", rect, parts)

    def on_pointer(self, pointer: Pointer, stage: SceneContext) -> Reply:
        """Follow the fingers, and mark the cells that they touch."""
        others = tuple(finger for finger in self.fingers if finger[0] != pointer.finger)
        if pointer.phase in {PointerPhase.UP, PointerPhase.LOST}:
            return Reply(becomes=msgspec.structs.replace(self, fingers=others))
        fingers = (*others, (pointer.finger, pointer.x, pointer.y))
        cells = self.cells
        for number, cell in enumerate(_cells(stage)):
            if cell.contains(pointer.x, pointer.y):
                cells |= 1 << number
        most = max(self.most, len(fingers))
        return Reply(becomes=msgspec.structs.replace(self, fingers=fingers, cells=cells, most=most))


class CalibrationStep(SelfTestStep, frozen=True):
    """The touch calibration by crosses near the corners.

    touched: the positions reported so far, as shares of the screen.
    has_failed: no calibration fits the touches.
    trial: the new calibration, which is being tried out.
    """

    touched: tuple[Place, ...] = ()
    has_failed: bool = False
    trial: Correction | None = None

    kind: ClassVar[str] = "calibration"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the next cross, the question about the trial, or why the attempt has failed."""
        if self.trial is not None:
            return self._trial_view(stage, self.trial)
        if not self.has_failed:
            return self._cross_view(stage)
        _ = stage.words.gettext
        text = _("A cross was missed, or the touch panel is the wrong way round. Nothing has changed.")
        head = Heading(_("That didn't work"), text, "warning")
        return question_page(self, stage, head, self._answers(stage))

    def on_pointer(self, pointer: Pointer, stage: SceneContext) -> Reply:
        """Record the position of a touch at a cross, and try a calibration after the last one."""
        if pointer.phase is not PointerPhase.DOWN or self.trial is not None or self.has_failed:
            return Reply()
        place = (pointer.x / stage.glass.width, pointer.y / stage.glass.height)
        meant = _CROSSES[len(self.touched)]
        if max(abs(place[0] - meant[0]), abs(place[1] - meant[1])) > _NEAR:
            return Reply()
        touched = (*self.touched, place)
        if len(touched) < len(_CROSSES):
            return Reply(becomes=msgspec.structs.replace(self, touched=touched))
        return self._try_correction(touched, stage)

    def _try_correction(self, touched: tuple[Place, ...], stage: SceneContext) -> Reply:
        before = stage.table.preferences.touch or Correction()
        try:
            whole = correction_of(touched, _CROSSES).after(before)
        except BadTouches:
            whole = None
        if whole is None or not whole.is_sane():
            return Reply(becomes=CalibrationStep(self.run, has_failed=True))
        return Reply((TryTouch(whole),), becomes=CalibrationStep(self.run, trial=whole))

    def _cross_view(self, stage: SceneContext) -> tuple[Block, ...]:
        _, mm = stage.words.gettext, stage.mm
        rect = stage.glass.rect
        x, y = _CROSSES[len(self.touched)]
        at = Rect(round(x * rect.w), round(y * rect.h), 0, 0)
        arm, thick = mm(6), max(2, mm(0.5))
        is_last = len(self.touched) == len(_CROSSES) - 1
        words = rect.inset(mm(30) if rect.w > rect.h else mm(4), 0).rows([1, 1, 1], 0)[0 if is_last else 1]
        text = _("{number} of {crosses}. Tap its centre with the finger you play with.").format(
            number=len(self.touched) + 1, crosses=len(_CROSSES)
        )
        head, room = Heading(_("Tap the cross"), text), words.centre(min(words.w, mm(110)), mm(22))
        skip, leave = rect.rows([1, 1, 1], 0)[2].centre(mm(76), mm(14)).columns([1, 1], mm(3))
        size, past, end = mm(4), OnTouch(self._leave_out()), OnTouch(LEAVE_TEST)
        parts = (
            *head_parts(stage, room, head),
            Box(Rect(at.x - arm, at.y - thick // 2, 2 * arm, thick), theme.NOON),
            Box(Rect(at.x - thick // 2, at.y - arm, thick, 2 * arm), theme.NOON),
            Button(skip, "as-it-was", _("Skip"), size_px=size, action=past),
            Button(leave, "leave-test", _("End the test"), icon="back", size_px=size, action=end),
        )
        return (Block("crosses", rect, parts),)

    def _trial_view(self, stage: SceneContext, trial: Correction) -> tuple[Block, ...]:
        _ = stage.words.gettext
        if not stage.table.parts.touch_trial:
            head = Heading(_("Undone"), _("Nobody confirmed in time. Touch works as it did before."), "undo")
            return question_page(self, stage, head, self._answers(stage))
        chosen = ChangePreferences(msgspec.structs.replace(stage.table.preferences, touch=trial))
        keeps = record_finding(self, PartFinding.FINE, chosen, TryTouch(None))
        keep = offer(stage, "keep", _("Keep it"), keeps, 2.4, look=ButtonStyle.MAIN, icon="check")
        x, y = trial.at((0.5, 0.5))
        moved = round(max(abs(x - 0.5) * stage.glass.width, abs(y - 0.5) * stage.glass.height))
        text = _("Taps in the middle shift by {pixels} pixels. If you can't tap this, wait 15 seconds.")
        head = Heading(_("Is that better?"), text.format(pixels=moved), "check")
        return question_page(self, stage, head, (keep, *self._answers(stage)))

    def _answers(self, stage: SceneContext) -> tuple[Offer, ...]:
        _, again = stage.words.gettext, Reply((TryTouch(None),), becomes=CalibrationStep(self.run))
        return (
            offer(stage, "again", _("Once more"), again, 2.2, icon="undo"),
            offer(stage, "as-it-was", _("As before"), self._leave_out(), 2.2, icon="cross"),
        )

    def _leave_out(self) -> Reply:
        return record_finding(self, PartFinding.LEFT_OUT, TryTouch(None))


def _is_narrow(stage: SceneContext) -> bool:
    return stage.glass.width < stage.mm(112)


def _foot_px(stage: SceneContext) -> int:
    """Return the height of the answers, with the text above them on a narrow screen."""
    return stage.mm(21 if _is_narrow(stage) else 16)


def _cells(stage: SceneContext) -> tuple[Rect, ...]:
    field = stage.glass.rect.split_bottom(_foot_px(stage))[1]
    columns = max(4, field.w // stage.mm(_CELL_MM))
    rows = max(3, field.h // stage.mm(_CELL_MM))
    return field.grid(rows * columns, columns, 0)
