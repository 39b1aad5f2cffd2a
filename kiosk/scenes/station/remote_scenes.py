"""Scenes opened by the station: the locked screen, and the identification of a terminal.

Like a message, they appear on top of all pages that people have opened.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from core.game.judge.calls import CallJudge
from kiosk.scenes.judge.pin import PinScene
from kiosk.scenes.scene import Reply, Scene, SceneContext
from kiosk.scenes.station.message import MessageScene
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Tone,
    dialog,
    judge_offer,
    offer,
    page,
    page_room,
    place_offers,
)
from kiosk.ui.blocks import Block, Box, ButtonStyle, Label, Part, Typeface
from kiosk.view import theme
from kiosk.view.intents import EndIdentification, UnlockGlass


class GlassLockedScene:
    """The locked screen, which only a judge can unlock; the judge can be called from it."""

    name: Final = "glass-locked"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show who locked the screen, how a judge can unlock it, and the call button."""
        _ = stage.words.gettext
        title = _("Locked by {name}").format(name=stage.table.station.locked_by)
        text = _("A judge has locked this screen from the station. Everything you've entered is saved.")
        unlock = offer(
            stage, "unlock-glass", _("Judge: unlock"), partial(_unlock, stage), 3, look=ButtonStyle.MAIN,
            icon="key",
        )  # fmt: skip
        can_call = stage.table.game is not None and (stage.game.judge_called or stage.allows(CallJudge()))
        calls = (judge_offer(stage, 2),) if can_call else ()
        return dialog(stage, Heading(title, text, "lock", Tone.LOUD), (unlock, *calls))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the screen is still locked."""
        return stage.table.station.locked_by is not None


def _unlock(stage: SceneContext) -> Reply:
    if stage.table.judge_present:
        return Reply((UnlockGlass(),))
    return Reply(opens=PinScene(UnlockGlass(), accepted=stage.table.pins_accepted))


_WIDEST: Final = 0.55
"""The width of a digit or letter, as a share of the type size."""


class IdentifiedScene:
    """A terminal that identifies itself: its table's number, or its name, for some seconds."""

    name: Final = "identified"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the number or name as large as possible, and a button for the judge who has found it."""
        mm, _ = stage.mm, stage.words.gettext
        room = page_room(stage)
        foot, upper = room.split_bottom(mm(15), mm(2))
        found = offer(
            stage, "found", _("Found"), Reply((EndIdentification(),)), size_mm=6, look=ButtonStyle.MAIN,
            icon="check",
        )  # fmt: skip
        inner = upper.inset(mm(3), mm(2))
        head, rest = inner.split_top(mm(13), mm(1))
        is_spare = stage.table.is_relieved and stage.game.table == stage.table.table
        table = None if is_spare else stage.table.table
        title = _("Spare terminal") if table is None else _("This is table")
        name = stage.table.station.name if table is None else str(table)
        size = min(rest.h, mm(70), int(rest.w / (_WIDEST * len(name))))
        parts: tuple[Part, ...] = (
            Box(upper, theme.NOON, mm(1.5)),
            Label(head, title, mm(11), theme.SOOT, Typeface.SIGN),
            Label(rest, name, size, theme.SOOT, Typeface.BOLD, own_words=False),
            *place_offers(stage, foot.centre(min(foot.w, mm(60)), foot.h), [[found]]),
        )
        return page(stage, parts)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a judge is still looking for the terminal."""
        return stage.table.station.is_identified


def with_station_scenes(opened: Sequence[Scene], stage: SceneContext) -> tuple[Scene, ...]:
    """Return the opened scenes with those of the station on top: lock, message and identification.

    Pages that the judge opens on a locked screen, such as the PIN pad, stay above the lock.
    """
    station = stage.table.station
    scenes = [scene for scene in opened if not isinstance(scene, MessageScene | IdentifiedScene)]
    if station.locked_by is not None and not any(isinstance(scene, GlassLockedScene) for scene in scenes):
        scenes.append(GlassLockedScene())
    if station.message is not None:
        scenes.append(MessageScene())
    if station.is_identified:
        scenes.append(IdentifiedScene())
    return tuple(scenes)
