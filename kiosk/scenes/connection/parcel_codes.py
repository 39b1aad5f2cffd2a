"""The page that shows a parcel as a sequence of codes, as large as the screen allows."""

from functools import partial
from typing import Final

from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer, page, page_room, place_offers
from kiosk.ui.blocks import Align, Block, Label, Matrix, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import CloseExport, PlayParts, StepParcelPart
from kiosk.view.table_view import ParcelContents, ShownParcel

_PACES_MS: Final = (2000, 1000, 500, 250)
_BUTTON_MM: Final = 13.0
PUT_AWAY: Final = Reply(intents=(CloseExport(),), closes=True)
"""The reply that stops the transfer and goes back."""


class CodeScene:
    """The current code, its contents, and buttons to step through the parts."""

    name: Final = "code"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the code at the left, or at the top of an upright screen."""
        parcel = stage.table.carried.parcel or ShownParcel(ParcelContents.SHEET)
        if parcel.is_too_large or parcel.has_failed:
            head = Heading(_title(stage, parcel), _why_none(stage, parcel), "warning")
            return draw_dialog(stage, head, (back_offer(stage, reply=PUT_AWAY),))
        room, mm = page_room(stage), stage.mm
        side = min(room.w, room.h)
        place, words = room.split_left(side, mm(3)) if room.w > room.h else room.split_top(side, mm(2))
        parts: tuple[Part, ...] = (*_code(stage, place, parcel), *_words(stage, words, parcel))
        return page(stage, parts)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a parcel is being shown."""
        return stage.table.carried.parcel is not None


def _code(stage: SceneContext, place: Rect, parcel: ShownParcel) -> tuple[Part, ...]:
    _ = stage.words.gettext
    if parcel.code is not None:
        return (Matrix(place, parcel.code.size, parcel.code.rows),)
    words, size = _("One moment…"), stage.mm(5.6)
    return (Paragraph(place.inset(stage.mm(4)), words, size, theme.CREAM, align=Align.CENTRE),)


def _why_none(stage: SceneContext, parcel: ShownParcel) -> str:
    """Explain why there is no code, and what to do instead."""
    _ = stage.words.gettext
    if parcel.is_too_large:
        return _("There's too much for codes. Use a USB drive.")
    return _("This couldn't be prepared for transfer. Try another way, or copy the record sheet onto paper.")


def _words(stage: SceneContext, room: Rect, parcel: ShownParcel) -> tuple[Part, ...]:
    _, mm = stage.words.gettext, stage.mm
    rows = _rows(stage, parcel)
    buttons, room = room.split_bottom(len(rows) * mm(_BUTTON_MM) + (len(rows) - 1) * mm(2), mm(2))
    title, room = room.split_top(mm(8), mm(1))
    parts: tuple[Part, ...] = (
        Label(title, _title(stage, parcel), mm(6.4), theme.CREAM, Typeface.BOLD, Align.LEFT),
    )
    if parcel.count > 1:
        number, room = room.split_bottom(mm(9), mm(1))
        words = _("Part {number} of {count}").format(number=parcel.number, count=parcel.count)
        parts = (*parts, Label(number, words, mm(7), theme.BRASS, Typeface.BOLD, Align.LEFT))
    return (
        *parts,
        Paragraph(room, _text(stage, parcel), mm(4.6), theme.CREAM_SOFT),
        *place_offers(stage, buttons, rows),
    )


def _title(stage: SceneContext, parcel: ShownParcel) -> str:
    _ = stage.words.gettext
    table = stage.table.table or (stage.game.table if stage.table.game is not None else "–")
    match parcel.load:
        case ParcelContents.SHEET:
            return _("Record sheet · table {table}").format(table=table)
        case ParcelContents.OWED | ParcelContents.GAME if not parcel.count:
            return _("Entries · table {table}").format(table=table)
        case ParcelContents.OWED | ParcelContents.GAME:
            return _("Entries {first} to {last} · table {table}").format(
                first=parcel.first, last=parcel.last, table=table
            )


def _text(stage: SceneContext, parcel: ShownParcel) -> str:
    _ = stage.words.gettext
    if parcel.count > 1:
        return _(
            "Signed by this terminal. Judge: open “Import offline results” on the station and "
            "photograph every part, in any order."
        )
    return _(
        "Signed by this terminal. Judge: open “Import offline results” on the station and photograph it."
    )


def _rows(stage: SceneContext, parcel: ShownParcel) -> list[list[Offer]]:
    _ = stage.words.gettext
    if parcel.count < 2:  # noqa: PLR2004 (one part stays)
        return [[back_offer(stage, reply=PUT_AWAY)]]
    put = partial(offer, stage, size_mm=3.8)
    said, icon = (_("Stop"), "pause") if parcel.is_playing else (_("Play"), "play")
    before, after = (Reply(intents=(StepParcelPart(step),)) for step in (-1, 1))
    play = Reply(intents=(PlayParts(not parcel.is_playing, parcel.every_ms),))
    turning = [
        put("part-before", "", before, icon="back", said=_("Previous part"), may_repeat=True),
        put("part-play", "", play, icon=icon, said=said),
        put("part-next", "", after, icon="arrow", said=_("Next part"), may_repeat=True),
    ]
    slower, faster = (_pace(parcel, step) for step in (-1, 1))
    pace = [
        put("part-slower", _("Slower"), _play_at(slower), enabled=slower != parcel.every_ms, may_repeat=True),
        put("part-faster", _("Faster"), _play_at(faster), enabled=faster != parcel.every_ms, may_repeat=True),
        back_offer(stage, reply=PUT_AWAY),
    ]
    return [turning, pace]


def _play_at(every_ms: int) -> Reply:
    return Reply(intents=(PlayParts(is_playing=True, every_ms=every_ms),))


def _pace(parcel: ShownParcel, step: int) -> int:
    at = _PACES_MS.index(parcel.every_ms) if parcel.every_ms in _PACES_MS else 2
    return _PACES_MS[max(0, min(len(_PACES_MS) - 1, at + step))]
