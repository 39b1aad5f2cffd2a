"""The terminal's volume setting, for everybody at the table and for the judge."""

from typing import Final

import msgspec

from saloon.hardware.contract import Tune
from saloon.kiosk.intents import Hear, Prefer
from saloon.kiosk.preferences import Preferences
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_STEP: Final = 20
_ALL: Final = 100


class SoundScene:
    """The volume setting: softer, louder, silent, and a test sound."""

    name: Final = "sound"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the volume, and the buttons to change it."""
        _, chosen, size = stage.words.gettext, stage.table.preferences, stage.mm(4.8)
        silent = chosen.muted or not chosen.volume
        volume = _("muted") if silent else _("{percent}%").format(percent=chosen.volume)
        text = _("Every sound is also shown on the screen.")
        offers = (
            Offer(_button(stage, "volume-less", _("Quieter"), "minus", enabled=chosen.volume > 0), 2.4),
            Offer(_button(stage, "volume-more", _("Louder"), "plus", enabled=chosen.volume < _ALL), 2.4),
            Offer(
                Button(
                    NOWHERE, "mute", _("Mute"), ButtonStyle.CHOSEN if chosen.muted else ButtonStyle.QUIET,
                    "check" if chosen.muted else "", size_px=size,
                ),
                2.4,
            ),
            Offer(_button(stage, "hear", _("Listen"), "speaker", enabled=not silent), 2.4),
            back_offer(stage, 2),
        )  # fmt: skip
        return dialog(stage, Heading(_("Sound: {volume}").format(volume=volume), text, "speaker"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the volume and play a test sound, or toggle silence."""
        chosen = stage.table.preferences
        match target:
            case "volume-less":
                return _prefers(chosen, volume=max(0, chosen.volume - _STEP))
            case "volume-more":
                return _prefers(chosen, volume=min(_ALL, chosen.volume + _STEP))
            case "mute":
                return Reply((Prefer(msgspec.structs.replace(chosen, muted=not chosen.muted)),))
            case "hear":
                return Reply((Hear(Tune.TIME_SHORT),))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: the scene stays open until somebody leaves it."""
        del stage
        return True


def _prefers(chosen: Preferences, *, volume: int) -> Reply:
    louder = msgspec.structs.replace(chosen, volume=volume, muted=False)
    return Reply((Prefer(louder), Hear(Tune.TIME_SHORT)))


def _button(stage: SceneContext, name: str, label: str, icon: str, *, enabled: bool) -> Button:
    return Button(NOWHERE, name, label, icon=icon, size_px=stage.mm(4.8), enabled=enabled)
