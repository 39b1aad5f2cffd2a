"""The menu of the table: the story, the rules, the languages, the judge."""

from typing import Final

from saloon.kiosk.intents import LockTable
from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.furniture import NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.language import LanguageScene, language_button
from saloon.kiosk.scenes.locked import lock_button, shows_lock
from saloon.kiosk.scenes.look import LookScene
from saloon.kiosk.scenes.pin import PinScene
from saloon.kiosk.scenes.rule_card import RulesScene
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.scenes.sound import SoundScene
from saloon.kiosk.scenes.turn_timer import TurnTimerScene
from saloon.kiosk.ui.parts import Block, Button


class MenuScene:
    """What is asked for rarely."""

    name: Final = "menu"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """Large buttons, few words."""
        _ = stage.words.gettext
        size = stage.mm(4.8)
        offers = (
            Offer(Button(NOWHERE, "story", _("Story of the game"), icon="story", size_px=size), 4.2),
            Offer(Button(NOWHERE, "judge-menu", _("For the judge"), icon="key", size_px=size), 4.2),
            Offer(Button(NOWHERE, "rules", _("Rules"), icon="question", size_px=size), 4.2),
            Offer(language_button(stage, size), 4.2),
            Offer(Button(NOWHERE, "turn-timer", _("Turn timer"), icon="clock", size_px=size), 3.0),
            Offer(Button(NOWHERE, "sound", _("Sound"), icon="speaker", size_px=size), 2.2),
            Offer(Button(NOWHERE, "look", _("Light and layout"), icon="sun", size_px=size), 4.2),
            *((Offer(lock_button(stage, size), 2.2),) if shows_lock(stage.game) else ()),
            back_offer(stage, 2),
        )
        return dialog(stage, Head(_("Menu"), _rules(stage), "star"), offers)

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Opens what was asked for."""
        match target:
            case "language":
                return Reply(opens=LanguageScene())
            case "rules":
                return Reply(opens=RulesScene())
            case "story":
                from saloon.kiosk.scenes.story import StoryScene

                return Reply(opens=StoryScene())
            case "turn-timer":
                return Reply(opens=TurnTimerScene())
            case "sound":
                return Reply(opens=SoundScene())
            case "look":
                return Reply(opens=LookScene())
            case "lock":
                return Reply((LockTable(is_locked=True),), closes=True)
            case "judge-menu":
                return judge_door(stage)
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """As long as there is a game."""
        return stage.table.game is not None


def judge_door(stage: Stage) -> Reply:
    """The judge's menu: by the key, or by the PIN."""
    if stage.table.judge_present:
        from saloon.kiosk.scenes.judge import JudgeScene

        return Reply(opens=JudgeScene())
    return Reply(opens=PinScene(then=None))


def _rules(stage: Stage) -> str:
    """Where the rules of this game are written."""
    edition = stage.table.edition
    return "" if edition is None else edition.source
