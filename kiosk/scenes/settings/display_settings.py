"""Settings for theme, layout, automatic locking and sound, for players and judges."""

from typing import Final

from hardware.contract import Tune
from kiosk.preferences import Layout, Theme
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext, prefer_reply
from kiosk.scenes.widgets.page_parts import Heading, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import PlayTune

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
        less, more = (_volume(stage, chosen.volume + step) for step in (-_STEP, _STEP))
        mute = prefer_reply(stage, muted=not chosen.muted)
        look, mark = (ButtonStyle.CHOSEN, "check") if chosen.muted else (ButtonStyle.QUIET, "")
        listen = Reply((PlayTune(Tune.TIME_SHORT),))
        may_less, may_more = chosen.volume > 0, chosen.volume < _ALL
        offers = (
            offer(
                stage, "volume-less", _("Quieter"), less, 2.4, icon="minus", enabled=may_less, may_repeat=True
            ),
            offer(
                stage, "volume-more", _("Louder"), more, 2.4, icon="plus", enabled=may_more, may_repeat=True
            ),
            offer(stage, "mute", _("Mute"), mute, 2.4, look=look, icon=mark),
            offer(stage, "hear", _("Listen"), listen, 2.4, icon="speaker", enabled=not silent),
            back_offer(stage, 2),
        )
        return dialog(stage, Heading(_("Sound: {volume}").format(volume=volume), text, "speaker"), offers)


def _volume(stage: SceneContext, percent: int) -> Reply:
    louder = prefer_reply(stage, volume=min(_ALL, max(0, percent)), muted=False)
    return Reply((*louder.intents, PlayTune(Tune.TIME_SHORT)))


_LOCKS_AFTER_S: Final = 60


class DisplaySettingsScene(PersistentScene):
    """The settings for theme, layout and automatic locking."""

    name: Final = "look"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw buttons for three themes, two layouts and the lock, with the current ones marked."""
        _, chosen = stage.words.gettext, stage.table.preferences
        day, dim, clear = (prefer_reply(stage, theme=theme) for theme in Theme)
        ring, upright = (prefer_reply(stage, layout=layout) for layout in (Layout.RING, Layout.KEEPER))
        locks = chosen.lock_after_s > 0
        lock = prefer_reply(stage, lock_after_s=0 if locks else _LOCKS_AFTER_S)
        is_flat, contrast = chosen.layout is Layout.RING, _("High contrast, large type")
        choices = (
            ("theme-day", _("Bright hall"), "sun", day, chosen.theme is Theme.DAY),
            ("theme-dim", _("Dim hall"), "moon", dim, chosen.theme is Theme.DIM),
            ("theme-contrast", contrast, "contrast", clear, chosen.theme is Theme.CONTRAST),
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
