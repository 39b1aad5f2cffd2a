"""The terminal's volume setting, for everybody at the table and for the judge."""

from typing import Final

import msgspec

from saloon.hardware.contract import Tune
from saloon.kiosk.intents import Hear, Prefer
from saloon.kiosk.preferences import Preferences
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle

_STEP: Final = 20
_ALL: Final = 100


class SoundScene(PersistentScene):
    """The volume setting: softer, louder, silent, and a test sound."""

    name: Final = "sound"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the volume, and the buttons to change it."""
        _, chosen = stage.words.gettext, stage.table.preferences
        silent = chosen.muted or not chosen.volume
        volume = _("muted") if silent else _("{percent}%").format(percent=chosen.volume)
        text = _("Every sound is also shown on the screen.")
        less = _prefers(chosen, volume=max(0, chosen.volume - _STEP))
        more = _prefers(chosen, volume=min(_ALL, chosen.volume + _STEP))
        mute = Reply((Prefer(msgspec.structs.replace(chosen, muted=not chosen.muted)),))
        look, mark = (ButtonStyle.CHOSEN, "check") if chosen.muted else (ButtonStyle.QUIET, "")
        listen = Reply((Hear(Tune.TIME_SHORT),))
        may_less, may_more = chosen.volume > 0, chosen.volume < _ALL
        offers = (
            offer(stage, "volume-less", _("Quieter"), less, 2.4, icon="minus", enabled=may_less),
            offer(stage, "volume-more", _("Louder"), more, 2.4, icon="plus", enabled=may_more),
            offer(stage, "mute", _("Mute"), mute, 2.4, look=look, icon=mark),
            offer(stage, "hear", _("Listen"), listen, 2.4, icon="speaker", enabled=not silent),
            back_offer(stage, 2),
        )
        return dialog(stage, Heading(_("Sound: {volume}").format(volume=volume), text, "speaker"), offers)


def _prefers(chosen: Preferences, *, volume: int) -> Reply:
    louder = msgspec.structs.replace(chosen, volume=volume, muted=False)
    return Reply((Prefer(louder), Hear(Tune.TIME_SHORT)))
