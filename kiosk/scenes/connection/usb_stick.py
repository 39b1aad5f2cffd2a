"""The writing of a file to a USB drive: its progress, its result and the next step."""

from typing import ClassVar, assert_never

import msgspec

from saloon.kiosk.intents import WriteStick
from saloon.kiosk.scenes.connection.parcel_codes import PUT_AWAY
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import Heading, back_offer, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.kiosk.view.transfer_view import UsbStickState


class StickScene(PersistentScene, msgspec.Struct, frozen=True):
    """The progress and result of writing to the drive. by_judge: opened from the judge's menu."""

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
                "Not everything was saved. Insert it again and wait until this screen says you can remove it."
            )
            return Heading(_("USB drive removed too early"), text, "warning")
        case UsbStickState.FAILED:
            return Heading(_("Can't use this USB drive"), _("Use another one, or show codes."), "cross")
        case _:
            assert_never(state)
