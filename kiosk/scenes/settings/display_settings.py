"""Settings of light, layout and automatic locking: bright or dim hall, flat or upright terminal."""

from typing import Final

import msgspec

from saloon.kiosk.intents import Prefer
from saloon.kiosk.preferences import Layout, Preferences, Theme
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_LOCKS_AFTER_S: Final = 60


class DisplaySettingsScene:
    """Settings of light, layout and automatic locking; the chosen ones are marked."""

    name: Final = "look"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show two buttons for the light, two for the layout and one for the lock."""
        _, chosen = stage.words.gettext, stage.table.preferences
        choices = (
            ("theme-day", _("Bright hall"), "sun", chosen.theme is Theme.DAY),
            ("theme-dim", _("Dim hall"), "moon", chosen.theme is Theme.DIM),
            ("layout-ring", _("Flat in the middle"), "ring", chosen.layout is Layout.RING),
            ("layout-keeper", _("Upright at one end"), "keeper", chosen.layout is Layout.KEEPER),
            ("lock-itself", _("Lock after a minute"), "lock", chosen.lock_after_s > 0),
        )
        offers = (
            *(Offer(_choice(stage, *choice), 3.4) for choice in choices),
            back_offer(stage, 2),
        )
        text = _("Applies to everyone at this table until somebody changes it.")
        return dialog(stage, Heading(_("Display settings"), text, "sun"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the setting that was touched."""
        chosen = stage.table.preferences
        match target:
            case "theme-day" | "theme-dim":
                return _prefers(chosen, theme=Theme(target.removeprefix("theme-")))
            case "layout-ring" | "layout-keeper":
                return _prefers(chosen, layout=Layout(target.removeprefix("layout-")))
            case "lock-itself":
                return _prefers(chosen, lock_after_s=0 if chosen.lock_after_s else _LOCKS_AFTER_S)
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: the scene stays open until somebody leaves it."""
        del stage
        return True


def _prefers(chosen: Preferences, **other: Theme | Layout | int) -> Reply:
    return Reply((Prefer(msgspec.structs.replace(chosen, **other)),))


def _choice(stage: SceneContext, name: str, label: str, icon: str, is_chosen: bool) -> Button:  # noqa: FBT001
    look = ButtonStyle.CHOSEN if is_chosen else ButtonStyle.QUIET
    small = stage.words.gettext("chosen") if is_chosen else ""
    return Button(NOWHERE, name, label, look, icon, small, size_px=stage.mm(4.6))
