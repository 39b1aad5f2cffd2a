"""Transfer of entries without a network: as a sequence of codes, or on a USB drive."""

from functools import partial
from typing import Final, assert_never

from core.game.state.game import Phase
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import back_offer, offer, page, page_room
from kiosk.scenes.widgets.rows import Offer, place_offers
from kiosk.ui.blocks import Align, Block, ButtonStyle, Label, Matrix, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import CloseExport, PlayParts, ShowCodes, StepParcelPart, WriteStick
from kiosk.view.table_view import ParcelContents, ShownParcel, UsbStickState
from sync.terminal.agent_contract import LinkPhase

_PACES_MS: Final = (2000, 1000, 500, 250)
_BUTTON_MM: Final = 13.0
PUT_AWAY: Final = Reply(intents=(CloseExport(),), closes=True)
"""The reply that stops the transfer and goes back."""


@scene("code", when=lambda stage: stage.table.carried.parcel is not None)
def parcel_codes(stage: SceneContext) -> tuple[Block, ...] | Dialog:
    """Draw the current code of a parcel, with buttons to play all its codes in turn."""
    parcel = stage.table.carried.parcel or ShownParcel(ParcelContents.SHEET)
    if parcel.is_too_large or parcel.has_failed:
        _ = stage.words.gettext
        why = _("There's too much for codes. Use a USB drive.")
        if not parcel.is_too_large:
            why = _(
                "This couldn't be prepared for transfer. Try another way, or copy the record "
                "sheet onto paper."
            )
        head = Heading(_title(stage, parcel), why, "warning")
        return Dialog(stage, head, (), back=PUT_AWAY)
    room, mm = page_room(stage), stage.mm
    side = min(room.w, room.h)
    place, words = room.split_left(side, mm(3)) if room.w > room.h else room.split_top(side, mm(2))
    wait = stage.words.gettext("One moment…")
    code: Part = Paragraph(place.inset(mm(4)), wait, mm(5.6), theme.CREAM, align=Align.CENTRE)
    if parcel.code is not None:
        code = Matrix(place, parcel.code.size, parcel.code.rows)
    return page(stage, (code, *_words(stage, words, parcel)))


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
        Paragraph(room, _code_text(stage, parcel), mm(4.6), theme.CREAM_SOFT),
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


def _code_text(stage: SceneContext, parcel: ShownParcel) -> str:
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
    at, pace = _PACES_MS.index(parcel.every_ms) if parcel.every_ms in _PACES_MS else 2, list[Offer]()
    for target, words, step in (("part-slower", _("Slower"), -1), ("part-faster", _("Faster"), 1)):
        every_ms = _PACES_MS[max(0, min(len(_PACES_MS) - 1, at + step))]
        reply = Reply(intents=(PlayParts(is_playing=True, every_ms=every_ms),))
        pace.append(put(target, words, reply, enabled=every_ms != parcel.every_ms, may_repeat=True))
    return [turning, [*pace, back_offer(stage, reply=PUT_AWAY)]]


@scene("stick")
def usb_export(stage: SceneContext, *, by_judge: bool = False) -> Dialog:
    """Show the progress and result of writing to a USB drive.

    by_judge: opened from the judge's menu, so allowed even during a game.
    """
    _ = stage.words.gettext
    state = stage.table.carried.stick or UsbStickState.WRITING
    offers = [back_offer(stage, 2, PUT_AWAY)]
    if state not in {UsbStickState.WRITING, UsbStickState.WRITTEN}:
        again, look = Reply(intents=(WriteStick(by_judge),)), ButtonStyle.MAIN
        offers.insert(0, offer(stage, "again", _("Try again"), again, 3.6, look=look, icon="stick"))
    return Dialog(stage, _head(stage, state), offers)


def _head(stage: SceneContext, state: UsbStickState) -> Heading:
    _ = stage.words.gettext
    match state:
        case UsbStickState.WRITING:
            return Heading(_("Writing …"), _("Leave the USB drive in."), "clock")
        case UsbStickState.WRITTEN:
            text = _("It contains the file {file}. Give the drive to the judge.")
            return Heading(
                _("You can remove the drive now"), text.format(file=stage.table.carried.file), "check"
            )
        case UsbStickState.NO_STICK:
            return Heading(_("No USB drive found"), _("Insert a USB drive and wait a moment."), "stick")
        case UsbStickState.FULL:
            return Heading(_("USB drive full"), _("Use another one, or free up space."), "warning")
        case UsbStickState.READ_ONLY:
            text = _("Slide its lock switch the other way, or use another one.")
            return Heading(_("USB drive is write-protected"), text, "lock")
        case UsbStickState.PULLED:
            text = _(
                "Not everything was saved. Insert it again and wait until this screen shows that "
                "you can remove it."
            )
            return Heading(_("USB drive removed too early"), text, "warning")
        case UsbStickState.FAILED:
            return Heading(_("Can't use this USB drive"), _("Use another one, or show codes."), "cross")
        case _:
            assert_never(state)


_OVER: Final = frozenset({Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED})


@scene("carry", holds=lambda stage, *, by_judge=False: by_judge or is_offered(stage))
def offline_transfer(stage: SceneContext, *, by_judge: bool = False) -> Dialog:
    """Offer each kind of parcel with its size. by_judge: as for ``usb_export``."""
    _, carried = stage.words.gettext, stage.table.carried
    ngettext = stage.words.ngettext
    owed = ngettext("{n} entry", "{n} entries", carried.owed).format(n=carried.owed)
    whole = ngettext("{n} entry", "{n} entries", carried.of_game).format(n=carried.of_game)
    write = Reply(intents=(WriteStick(by_judge),), opens=usb_export(by_judge=by_judge))
    parcels = (
        (ParcelContents.SHEET, _("Record sheet"), "", ButtonStyle.MAIN, carried.has_sheet),
        (ParcelContents.OWED, _("Missing at the station"), owed, ButtonStyle.QUIET, carried.owed > 0),
        (ParcelContents.GAME, _("Whole game"), whole, ButtonStyle.QUIET, carried.of_game > 0),
    )
    offers = (
        *(
            offer(
                stage, f"show-{load.value}", label,
                Reply(intents=(ShowCodes(load, by_judge),), opens=parcel_codes()), 3.6,
                look=look, icon="qr", small=size, enabled=enabled,
            )
            for load, label, size, look, enabled in parcels
        ),
        offer(stage, "write-stick", _("USB drive"), write, 2.6, icon="stick"),
        back_offer(stage, 2, PUT_AWAY),
    )  # fmt: skip
    return Dialog(stage, Heading(_("No connection?"), _text(stage), "qr"), offers)


def _text(stage: SceneContext) -> str:
    _ = stage.words.gettext
    if stage.is_in(Phase.SHEET):
        return _(
            "The judge photographs codes or uses a USB drive. The record sheet isn't "
            "confirmed yet: it's best to confirm it first."
        )
    return _(
        "The judge photographs codes or uses a USB drive. Everything is signed by this "
        "terminal; once it's connected again, nothing counts twice."
    )


def is_offered(stage: SceneContext) -> bool:
    """Return whether anybody may open the page, as the game is over and can't be revealed any more."""
    return stage.is_in(*_OVER)


def carry_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button to transfer a finished game without a connection."""
    return offer(stage, "carry", stage.words.gettext("No connection?"), offline_transfer(), share, icon="qr")


def carry_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button to transfer a record sheet if there is no connection."""
    away = stage.table.delivery.link is not LinkPhase.CONNECTED
    return (carry_offer(stage, 2.2),) if away else ()
