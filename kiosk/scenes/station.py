"""Scenes opened by the station: a message, the locked screen, and the identification of a terminal.

They appear on top of all pages that people have opened.
"""

from collections.abc import Sequence
from typing import Final

from core.game.ending.judge_calls import CallJudge
from kiosk.preferences import Layout
from kiosk.scenes import pages
from kiosk.scenes.scene import Reply, Scene, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import judge_offer, offer, page, page_room
from kiosk.scenes.widgets.rows import place_offers
from kiosk.scenes.widgets.strip import strip
from kiosk.ui.blocks import Align, Block, Box, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM, PAGE_STRIP_MM
from kiosk.view import theme
from kiosk.view.intents import ConfirmMessage, EndIdentification, UnlockGlass
from kiosk.view.table_view import ShownMessage

_TEXT_MM: Final = 9.0
_HEAD_MM: Final = 7.5
_BUTTON_MM: Final = 14.0
_BUTTON_WIDTH_MM: Final = 32.0


@scene("message", when=lambda stage: stage.table.station.message is not None)
def station_message(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the oldest unconfirmed message twice, readable from both sides of a flat screen."""
    message = stage.table.station.message
    assert message is not None  # still_holds checks this
    foot, rest = stage.glass.rect.split_bottom(stage.mm(PAGE_STRIP_MM), stage.mm(0.8))
    room = rest.inset(stage.mm(2))
    if stage.table.preferences.layout is Layout.KEEPER:
        return (_half(stage, message, room), *strip(stage, foot))
    far, near = room.rows([1, 1], stage.mm(GAP_MM))
    return (_half(stage, message, far, is_far=True), _half(stage, message, near), *strip(stage, foot))


def _half(stage: SceneContext, message: ShownMessage, rect: Rect, *, is_far: bool = False) -> Block:
    mm, _ = stage.mm, stage.shared_words.gettext
    whole = Rect(0, 0, rect.w, rect.h)
    inner = whole.inset(mm(2), mm(1.5))
    side = "-far" if is_far else ""
    confirm = offer(
        stage, f"message-read{side}", _("Read"), Reply((ConfirmMessage(message.message),)),
        look=ButtonStyle.MAIN, icon="check", enabled=message.may_confirm,
    )  # fmt: skip
    head, rest = inner.split_top(mm(_HEAD_MM), mm(1))
    if rest.w >= 2 * rest.h:
        spot, text = rest.split_right(mm(_BUTTON_WIDTH_MM), mm(2))
        spot = spot.centre(spot.w, min(spot.h, mm(_BUTTON_MM + 4)))
    else:
        spot, text = rest.split_bottom(mm(_BUTTON_MM), mm(1.5))
        spot = spot.centre(min(spot.w, mm(2 * _BUTTON_WIDTH_MM)), spot.h)
    whole_title, brief_title = _titles(stage, message)
    icon, title = head.split_left(mm(_HEAD_MM), mm(1.5))
    parts: tuple[Part, ...] = (
        Box(whole, theme.NOON, mm(1.5)),
        Icon(icon, "bell", theme.SOOT, theme.NOON),
        Label(
            title,
            whole_title,
            mm(5),
            theme.SOOT,
            Typeface.BOLD,
            Align.LEFT,
            own_words=False,
            brief=brief_title,
            least_px=stage.legible_px,
        ),
        Paragraph(text, message.text, mm(_TEXT_MM), theme.SOOT, Typeface.BOLD),
        *place_offers(stage, spot, [[confirm]]),
    )
    return Block(f"message{side}", rect, parts, 2 if is_far else 0)


def _titles(stage: SceneContext, message: ShownMessage) -> tuple[str, str]:
    words = stage.shared_words
    title = words.gettext("Message from {name}").format(name=message.by)
    if not message.after:
        return title, ""
    more = words.ngettext("{count} more message", "{count} more messages", message.after)
    return f"{title} · {more.format(count=message.after)}", f"{title} · +{message.after}"


@scene("glass-locked", when=lambda stage: stage.table.station.locked_by is not None)
def locked_glass(stage: SceneContext) -> Dialog:
    """Show who locked the screen, with buttons to unlock it and to call the judge."""
    _ = stage.words.gettext
    title = _("Locked by {name}").format(name=stage.table.station.locked_by)
    text = _("A judge has locked this screen from the station. Everything you've entered is saved.")
    opened, main = Reply(opens=pages.pin(UnlockGlass(), accepted=stage.table.pins_accepted)), ButtonStyle.MAIN
    if stage.table.judge_present:
        opened = Reply((UnlockGlass(),))
    unlock = offer(stage, "unlock-glass", _("Judge: unlock"), opened, 3, look=main, icon="key")
    can_call = stage.table.game is not None and (stage.game.judge_called or stage.allows(CallJudge()))
    calls = (judge_offer(stage, 2),) if can_call else ()
    return Dialog(stage, Heading(title, text, "lock", Tone.LOUD), (unlock, *calls), back=None)


_WIDEST: Final = 0.55
"""The width of a digit or letter, as a share of the type size."""


@scene("identified", when=lambda stage: stage.table.station.is_identified)
def identification(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the table's number or the terminal's name as large as possible, for a judge who looks for it."""
    mm, _ = stage.mm, stage.words.gettext
    room = page_room(stage)
    foot, upper = room.split_bottom(mm(15), mm(2))
    stop = offer(
        stage, "found", _("Found it"), Reply((EndIdentification(),)), size_mm=6, look=ButtonStyle.MAIN,
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
        *place_offers(stage, foot.centre(min(foot.w, mm(60)), foot.h), [[stop]]),
    )
    return page(stage, parts)


def with_station_scenes(opened: Sequence[Scene], stage: SceneContext) -> tuple[Scene, ...]:
    """Return the opened scenes with the station's on top: lock, message and identification.

    Pages opened on a locked screen, such as the PIN pad, stay above the lock.
    """
    station = stage.table.station
    scenes = [each for each in opened if each.name not in {"message", "identified"}]
    if station.locked_by is not None and not any(each.name == "glass-locked" for each in scenes):
        scenes.append(locked_glass())
    if station.message is not None:
        scenes.append(station_message())
    if station.is_identified:
        scenes.append(identification())
    return tuple(scenes)
