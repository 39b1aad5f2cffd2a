"""Transfer without a network: choose a parcel to show as codes or write to a USB drive."""

from typing import ClassVar, Final, assert_never

import msgspec

from core.game.state import Phase
from kiosk.scenes.connection.parcel_codes import PUT_AWAY, CodeScene
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import ShowCodes, WriteStick
from kiosk.view.transfer_view import ParcelContents, UsbStickState
from sync.terminal.agent_contract import LinkPhase


class UsbExportScene(PersistentScene, msgspec.Struct, frozen=True):
    """The progress and result of writing to a USB drive. by_judge: opened from the judge's menu."""

    by_judge: bool = False

    name: ClassVar[str] = "stick"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the progress or result, and the next step."""
        _ = stage.words.gettext
        state = stage.table.carried.stick or UsbStickState.WRITING
        offers = [back_offer(stage, 2, PUT_AWAY)]
        if state not in {UsbStickState.WRITING, UsbStickState.WRITTEN}:
            again, look = Reply(intents=(WriteStick(self.by_judge),)), ButtonStyle.MAIN
            offers.insert(0, offer(stage, "again", _("Try again"), again, 3.6, look=look, icon="stick"))
        return dialog(stage, _head(stage, state), offers)


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


class ExportMenuScene(msgspec.Struct, frozen=True):
    """The page to choose a parcel. by_judge: opened from the judge's menu, which allows it during a game."""

    by_judge: bool = False

    name: ClassVar[str] = "carry"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show each kind of parcel with its size."""
        _, carried = stage.words.gettext, stage.table.carried
        ngettext = stage.words.ngettext
        owed = ngettext("{n} entry", "{n} entries", carried.owed).format(n=carried.owed)
        whole = ngettext("{n} entry", "{n} entries", carried.of_game).format(n=carried.of_game)
        write = Reply(intents=(WriteStick(self.by_judge),), opens=UsbExportScene(self.by_judge))
        parcels = (
            (ParcelContents.SHEET, _("Record sheet"), "", ButtonStyle.MAIN, carried.has_sheet),
            (ParcelContents.OWED, _("Missing at the station"), owed, ButtonStyle.QUIET, carried.owed > 0),
            (ParcelContents.GAME, _("Whole game"), whole, ButtonStyle.QUIET, carried.of_game > 0),
        )
        offers = (
            *(
                offer(
                    stage, f"show-{load.value}", label,
                    Reply(intents=(ShowCodes(load, self.by_judge),), opens=CodeScene()), 3.6,
                    look=look, icon="qr", small=size, enabled=enabled,
                )
                for load, label, size, look, enabled in parcels
            ),
            offer(stage, "write-stick", _("USB drive"), write, 2.6, icon="stick"),
            back_offer(stage, 2, PUT_AWAY),
        )  # fmt: skip
        return dialog(stage, Heading(_("No connection?"), self._text(stage), "qr"), offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether no game is running, or a judge opened the page."""
        return self.by_judge or is_offered(stage)

    def _text(self, stage: SceneContext) -> str:
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
    words, opens = stage.words.gettext("No connection?"), Reply(opens=ExportMenuScene())
    return offer(stage, "carry", words, opens, share, icon="qr")


def carry_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button to transfer a record sheet if there is no connection, otherwise nothing."""
    away = stage.table.delivery.link is not LinkPhase.CONNECTED
    return (carry_offer(stage, 2.2),) if away else ()
