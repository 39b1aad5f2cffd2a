"""Settings of light, layout and automatic locking: bright or dim hall, flat or upright terminal."""

from typing import Final

import msgspec

from saloon.kiosk.intents import Prefer
from saloon.kiosk.preferences import Layout, Preferences, Theme
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle

_LOCKS_AFTER_S: Final = 60


class DisplaySettingsScene(PersistentScene):
    """Settings of light, layout and automatic locking; the chosen ones are marked."""

    name: Final = "look"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show two buttons for the light, two for the layout and one for the lock."""
        _, chosen = stage.words.gettext, stage.table.preferences
        day, dim = (_prefers(chosen, theme=theme) for theme in (Theme.DAY, Theme.DIM))
        ring, upright = (_prefers(chosen, layout=layout) for layout in (Layout.RING, Layout.KEEPER))
        locks = chosen.lock_after_s > 0
        lock = _prefers(chosen, lock_after_s=0 if locks else _LOCKS_AFTER_S)
        is_flat = chosen.layout is Layout.RING
        choices = (
            ("theme-day", _("Bright hall"), "sun", day, chosen.theme is Theme.DAY),
            ("theme-dim", _("Dim hall"), "moon", dim, chosen.theme is Theme.DIM),
            ("layout-ring", _("Flat in the middle"), "ring", ring, is_flat),
            ("layout-keeper", _("Upright at one end"), "keeper", upright, not is_flat),
            ("lock-itself", _("Lock after a minute"), "lock", lock, locks),
        )
        offers = (
            *(
                offer(
                    stage, target, label, reply, 3.4, icon=icon, small=_("chosen") if is_chosen else "",
                    look=ButtonStyle.CHOSEN if is_chosen else ButtonStyle.QUIET,
                )
                for target, label, icon, reply, is_chosen in choices
            ),
            back_offer(stage, 2),
        )  # fmt: skip
        text = _("Applies to everyone at this table until somebody changes it.")
        return dialog(stage, Heading(_("Display settings"), text, "sun"), offers)


def _prefers(chosen: Preferences, **other: Theme | Layout | int) -> Reply:
    return Reply((Prefer(msgspec.structs.replace(chosen, **other)),))
