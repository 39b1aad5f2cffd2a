"""The menu of the table: story, rules, languages, settings and the judge's menu."""

from typing import Final

import msgspec

from saloon.kiosk.intents import LockTable, Prefer
from saloon.kiosk.scenes.judge.pin import PinScene
from saloon.kiosk.scenes.locked import lock_button, shows_lock
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.settings.display_settings import DisplaySettingsScene
from saloon.kiosk.scenes.settings.language import LanguageScene, language_button
from saloon.kiosk.scenes.settings.sound import SoundScene
from saloon.kiosk.scenes.story.rule_card import RulesScene
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

CHOICES_S: Final = (0, 60, 90, 120, 180)


class TurnTimerScene:
    """The turn timer setting: off, or one of four lengths."""

    name: Final = "turn-timer"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain the timer and show its lengths."""
        _ = stage.words.gettext
        text = _(
            "A bar shows the seconds left in the turn and warns when they run out. It never ends the turn."
        )
        offers = (
            *(Offer(self._choice(stage, seconds), 1.6) for seconds in CHOICES_S),
            back_offer(stage, 1.6),
        )
        return dialog(stage, Heading(_("Turn timer"), text, "clock"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the length."""
        if target.startswith("turn-timer-"):
            seconds = int(target.removeprefix("turn-timer-"))
            chosen = msgspec.structs.replace(stage.table.preferences, turn_timer_s=seconds)
            return Reply((Prefer(chosen),))
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: the scene stays open until somebody leaves it."""
        del stage
        return True

    def _choice(self, stage: SceneContext, seconds: int) -> Button:
        _ = stage.words.gettext
        is_chosen = stage.table.preferences.turn_timer_s == seconds
        return Button(
            NOWHERE,
            f"turn-timer-{seconds}",
            _("{seconds} s").format(seconds=seconds) if seconds else _("Off"),
            ButtonStyle.CHOSEN if is_chosen else ButtonStyle.QUIET,
            "check" if is_chosen else "",
            size_px=stage.mm(4.6),
        )


class MenuScene:
    """The menu of everything that is needed rarely."""

    name: Final = "menu"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show large buttons with short labels."""
        _ = stage.words.gettext
        size = stage.mm(4.8)
        offers = (
            Offer(Button(NOWHERE, "story", _("Story of the game"), icon="story", size_px=size), 4.2),
            Offer(Button(NOWHERE, "judge-menu", _("Judge's menu"), icon="key", size_px=size), 4.2),
            Offer(Button(NOWHERE, "rules", _("Rules"), icon="question", size_px=size), 4.2),
            Offer(language_button(stage, size), 4.2),
            Offer(Button(NOWHERE, "turn-timer", _("Turn timer"), icon="clock", size_px=size), 3.0),
            Offer(Button(NOWHERE, "sound", _("Sound"), icon="speaker", size_px=size), 2.2),
            Offer(Button(NOWHERE, "look", _("Display settings"), icon="sun", size_px=size), 4.2),
            *((Offer(lock_button(stage, size), 2.2),) if shows_lock(stage.game) else ()),
            back_offer(stage, 2),
        )
        return dialog(stage, Heading(_("Menu"), _rules(stage), "star"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Open the scene that was chosen."""
        match target:
            case "language":
                return Reply(opens=LanguageScene())
            case "rules":
                return Reply(opens=RulesScene())
            case "story":
                from saloon.kiosk.scenes.story.story import StoryScene

                return Reply(opens=StoryScene())
            case "turn-timer":
                return Reply(opens=TurnTimerScene())
            case "sound":
                return Reply(opens=SoundScene())
            case "look":
                return Reply(opens=DisplaySettingsScene())
            case "lock":
                return Reply((LockTable(is_locked=True),), closes=True)
            case "judge-menu":
                return judge_menu_reply(stage)
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether there is a game."""
        return stage.table.game is not None


def judge_menu_reply(stage: SceneContext) -> Reply:
    """Return the reply that opens the judge's menu, or the PIN pad if the judge's key is not present."""
    if stage.table.judge_present:
        from saloon.kiosk.scenes.judge.judge_menu import JudgeScene

        return Reply(opens=JudgeScene())
    return Reply(opens=PinScene(then=None))


def _rules(stage: SceneContext) -> str:
    """Return the source of this game's rules; empty without an edition."""
    edition = stage.table.edition
    return "" if edition is None else edition.source
