"""Transfer without a network: choose a parcel to show as codes or write to a USB drive."""

from typing import Final, assert_never

from core.game.state.game import Phase
from kiosk.scenes.connection.parcel_codes import PUT_AWAY, CodeScene
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import ShowCodes, WriteStick
from kiosk.view.table_view import ParcelContents, UsbStickState
from sync.terminal.agent_contract import LinkPhase


@dialog("stick")
def usb_export(stage: SceneContext, *, by_judge: bool = False) -> Dialog:
    """Show the progress and result of writing to a USB drive. by_judge: opened from the judge's menu."""
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


def _may_transfer(stage: SceneContext, *, by_judge: bool = False) -> bool:
    return by_judge or is_offered(stage)


@dialog("carry", holds=_may_transfer)
def offline_transfer(stage: SceneContext, *, by_judge: bool = False) -> Dialog:
    """Offer each kind of parcel with its size. by_judge: opened from the judge's menu, also during a game."""
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
                Reply(intents=(ShowCodes(load, by_judge),), opens=CodeScene()), 3.6,
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
    """Return whether everybody may open the page, as there is no running game that it could reveal."""
    return stage.is_in(*_OVER)


def carry_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button to transfer a finished game that waits for a connection."""
    words, opens = stage.words.gettext("No connection?"), Reply(opens=offline_transfer())
    return offer(stage, "carry", words, opens, share, icon="qr")


def carry_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button to transfer a record sheet if there is no connection, otherwise nothing."""
    away = stage.table.delivery.link is not LinkPhase.CONNECTED
    return (carry_offer(stage, 2.2),) if away else ()
