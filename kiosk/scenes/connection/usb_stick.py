"""The writing of a file to a USB stick: its progress, its result and the next step."""

from typing import ClassVar, assert_never

import msgspec

from saloon.kiosk.intents import PutAway, WriteStick
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Head, Offer, back_offer
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.kiosk.view.transfer_view import StickState


class StickScene(msgspec.Struct, frozen=True):
    """The progress and result of writing to a stick. by_judge: opened from the judge's menu."""

    by_judge: bool = False

    name: ClassVar[str] = "stick"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the progress or result, and the next step."""
        _ = stage.words.gettext
        state = stage.table.carried.stick or StickState.WRITING
        offers = [back_offer(stage, 2)]
        if state not in {StickState.WRITING, StickState.WRITTEN}:
            button = Button(
                NOWHERE, "again", _("Try again"), ButtonStyle.MAIN, "stick", size_px=stage.mm(4.8)
            )
            offers.insert(0, Offer(button, 3.6))
        return dialog(stage, _head(stage, state), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Try again, or close."""
        del stage
        match target:
            case "again":
                return Reply(intents=(WriteStick(self.by_judge),))
            case "back":
                return Reply(intents=(PutAway(),), closes=True)
            case _:
                return Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: the scene stays open until somebody leaves it."""
        del stage
        return True


def _head(stage: SceneContext, state: StickState) -> Head:
    _ = stage.words.gettext
    match state:
        case StickState.WRITING:
            return Head(_("Writing …"), _("Leave the stick where it is."), "clock")
        case StickState.WRITTEN:
            text = _("The file {file} is on it. Give the stick to the judge.")
            return Head(
                _("You may pull the stick out now"), text.format(file=stage.table.carried.file), "check"
            )
        case StickState.NO_STICK:
            return Head(_("No stick is there"), _("Put a USB stick in and wait a moment."), "stick")
        case StickState.FULL:
            return Head(_("The stick is full"), _("Use another one, or make room on it."), "warning")
        case StickState.READ_ONLY:
            text = _("Push its lock to the other side, or use another one.")
            return Head(_("The stick cannot be written"), text, "lock")
        case StickState.PULLED:
            text = _("Not all was on it. Put it in again and wait until this screen says that it may go.")
            return Head(_("The stick was pulled out too early"), text, "warning")
        case StickState.FAILED:
            return Head(_("The stick cannot be used"), _("Use another one, or show codes."), "cross")
        case _:
            assert_never(state)
