"""The table's menu: story, rules, languages, settings, and the judge's menu."""

from functools import partial
from typing import Final

from kiosk.preferences import Layout
from kiosk.scenes.judge.pin import PinScene
from kiosk.scenes.terminal.locked import lock_offer, shows_lock
from kiosk.scenes.scene import GameScene, PersistentScene, Reply, SceneContext, prefer_reply
from kiosk.scenes.settings.display_settings import DisplaySettingsScene, SoundScene
from kiosk.scenes.settings.language import language_button
from kiosk.scenes.story.rule_card import RulesScene
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, dialog, offer, redo_offers
from kiosk.ui.blocks import Block, ButtonStyle

CHOICES_S: Final = (0, 60, 90, 120, 180)


class TurnTimerScene(PersistentScene):
    """The setting of the turn timer: off, or one of four lengths."""

    name: Final = "turn-timer"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain the timer and show its lengths."""
        _ = stage.words.gettext
        text = _(
            "A bar shows the seconds left in the turn and warns when they run out. It never ends the turn."
        )
        offers = (
            *(_length(stage, seconds) for seconds in CHOICES_S),
            back_offer(stage, 1.6),
        )
        return dialog(stage, Heading(_("Turn timer"), text, "clock"), offers)


def _length(stage: SceneContext, seconds: int) -> Offer:
    _ = stage.words.gettext
    is_chosen = stage.table.preferences.turn_timer_s == seconds
    label = _("{seconds} s").format(seconds=seconds) if seconds else _("Off")
    reply = prefer_reply(stage, turn_timer_s=seconds)
    look, icon = (ButtonStyle.CHOSEN, "check") if is_chosen else (ButtonStyle.QUIET, "")
    return offer(stage, f"turn-timer-{seconds}", label, reply, 1.6, look=look, icon=icon)


class MenuScene(GameScene):
    """The table's menu, for everything that is rarely needed."""

    name: Final = "menu"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw large buttons with short labels."""
        _ = stage.words.gettext
        look = Reply(opens=DisplaySettingsScene())
        offers = (
            offer(stage, "story", _("Story of the game"), _open_story, 4.2, icon="story"),
            offer(stage, "judge-menu", _("Judge's menu"), partial(judge_menu_reply, stage), 4.2, icon="key"),
            offer(stage, "rules", _("Rules"), Reply(opens=RulesScene()), 4.2, icon="question"),
            Offer(language_button(stage, stage.mm(4.8)), 4.2),
            offer(stage, "turn-timer", _("Turn timer"), Reply(opens=TurnTimerScene()), 3, icon="clock"),
            offer(stage, "sound", _("Sound"), Reply(opens=SoundScene()), 2.2, icon="speaker"),
            offer(stage, "look", _("Display settings"), look, 4.2, icon="sun"),
            *redo_offers(stage),
            *((lock_offer(stage),) if shows_lock(stage.game) else ()),
            *_rotate_offers(stage),
            back_offer(stage, 2),
        )
        return dialog(stage, Heading(_("Menu"), _rules(stage), "star"), offers)


def _rotate_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button that turns pages towards the opposite side, if people sit around the screen."""
    if stage.table.preferences.layout is not Layout.RING:
        return ()
    said = stage.words.gettext("Rotate the page")
    return (offer(stage, "turn-page", "", Reply(rotates=True), 1.4, icon="turn", said=said),)


def _open_story() -> Reply:
    from kiosk.scenes.story.story import StoryScene

    return Reply(opens=StoryScene())


def judge_menu_reply(stage: SceneContext) -> Reply:
    """Return the reply that opens the judge's menu, or the PIN pad if the judge's key isn't present."""
    if stage.table.judge_present:
        from kiosk.scenes.judge.judge_menu import JudgeScene

        return Reply(opens=JudgeScene())
    return Reply(opens=PinScene(then=None))


def _rules(stage: SceneContext) -> str:
    """Return the source of this game's rules; empty if there is no edition."""
    edition = stage.table.edition
    return "" if edition is None else edition.source
