"""Steps for what eyes and ears tell: lamp, buzzer, light of the screen."""

import enum

import msgspec

from saloon.hardware.contract import Lamp, Tune
from saloon.kiosk.intents import Hear, Intent, Prefer, TryLamp, TryLight
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.selftest.step import PartFinding, SelfTestStep, answered, asked, found, yes_no
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_VOLUME_STEP = 20
_ALL = 100
_LIGHTS = (10, 40, 70, 100)


class LampAnswer(enum.Enum):
    """Answers to the question how the lamp looks."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"
    NOTHING = "nothing"


LAMP_TESTS = {
    LampAnswer.RED: Lamp.JUDGE_CALLED,
    LampAnswer.GREEN: Lamp.PLAYING,
    LampAnswer.BLUE: Lamp.WAITING,
    LampAnswer.WHITE: Lamp.ENDED,
}
"""Each colour alone, and all together, by what the lamp says in a game."""


class LampStep(SelfTestStep, frozen=True):
    """One colour of the lamp, and what people see of it."""

    shows: LampAnswer = LampAnswer.RED

    @property
    def part(self) -> str:
        """The lamp's colour."""
        return f"lamp {self.shows.value}"

    def begins(self) -> tuple[Intent, ...]:
        """Show the pattern on the lamp."""
        return (TryLamp(LAMP_TESTS[self.shows]),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the colours to choose from, without telling which is right."""
        _ = stage.words.gettext
        names = {
            LampAnswer.RED: _("Red, blinking"),
            LampAnswer.GREEN: _("Green"),
            LampAnswer.BLUE: _("Blue"),
            LampAnswer.WHITE: _("White"),
            LampAnswer.NOTHING: _("None of these"),
        }
        size = stage.mm(4.6)
        offers = [
            Offer(Button(NOWHERE, f"seen-{seen.value}", names[seen], size_px=size), 2.4)
            for seen in LampAnswer
        ]
        head = Heading(_("Look at the lamp"), _("What does it show now?"), "sun")
        return asked(self, stage, head, offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Compare the answer with the lamp."""
        del stage
        if target.startswith("seen-"):
            is_right = target == f"seen-{self.shows.value}"
            return found(self, PartFinding.FINE if is_right else PartFinding.WRONG)
        return answered(self, target)


class SoundStep(SelfTestStep, frozen=True):
    """A tune, and how loud it is."""

    @property
    def part(self) -> str:
        """The buzzer."""
        return "buzzer"

    def begins(self) -> tuple[Intent, ...]:
        """Play the sound, and switch the lamp off."""
        return (TryLamp(Lamp.OFF), Hear(Tune.HIGH_NOON))

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw what there is to hear."""
        _, chosen, size = stage.words.gettext, stage.table.preferences, stage.mm(4.6)
        text = _("Three long beeps and two short ones. The volume is at {percent}%.").format(
            percent=chosen.volume
        )
        if chosen.muted or not chosen.volume:
            text = _("The sound is off: turn up the volume first.")
        offers = (
            Offer(Button(NOWHERE, "again", _("Once more"), icon="speaker", size_px=size), 2),
            Offer(Button(NOWHERE, "softer", _("Quieter"), icon="minus", size_px=size), 1.8),
            Offer(Button(NOWHERE, "louder", _("Louder"), icon="plus", size_px=size), 1.8),
            *yes_no(stage, _("I hear it"), _("I don't")),
        )
        return asked(self, stage, Heading(_("Listen"), text, "speaker"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Play again, quieter or louder."""
        chosen = stage.table.preferences
        change = {"again": 0, "softer": -_VOLUME_STEP, "louder": _VOLUME_STEP}.get(target)
        if change is None:
            return answered(self, target)
        volume = min(_ALL, max(0, chosen.volume + change))
        muted = chosen.muted and not change
        return Reply((Prefer(msgspec.structs.replace(chosen, volume=volume, muted=muted)), *self.begins()))


class LightStep(SelfTestStep, frozen=True):
    """The light of the screen, from dark to bright."""

    @property
    def part(self) -> str:
        """The light."""
        return "backlight"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the levels to try."""
        _ = stage.words.gettext
        label = _("{percent}%")
        offers = [
            Offer(Button(NOWHERE, f"light-{level}", label.format(percent=level), size_px=stage.mm(4.6)), 1.8)
            for level in _LIGHTS
        ]
        answers = yes_no(stage, _("It gets brighter"), _("It stays the same"))
        head = Heading(_("Brightness"), _("Tap them one by one."), "sun")
        return asked(self, stage, head, (*offers, *answers))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Set the touched brightness; restore the chosen one afterwards."""
        if target.startswith("light-"):
            return Reply((TryLight(int(target.removeprefix("light-"))),))
        reply = answered(self, target)
        return msgspec.structs.replace(
            reply, intents=(TryLight(stage.table.preferences.brightness), *reply.intents)
        )


class ReadyStep(SelfTestStep, frozen=True):
    """The first page: what will be tested, and whether it is a good moment."""

    @property
    def part(self) -> str:
        """None."""
        return "start"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw what is about to happen."""
        _ = stage.words.gettext
        text = _("Tests each part in turn, in about three minutes, then shows the results.")
        if stage.table.game is not None:
            text = _("A game is in progress: its buttons won't work until the test is over.")
        start = Button(NOWHERE, "start", _("Begin"), ButtonStyle.MAIN, "check", size_px=stage.mm(4.8))
        leave = Button(NOWHERE, "leave-test", _("Back"), icon="back", size_px=stage.mm(4.2))
        return dialog(stage, Heading(_("Self-test"), text, "gear"), (Offer(leave, 2), Offer(start, 2.4)))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Begin with the first part."""
        del stage
        if target == "start":
            following = self.run.rest[0]
            run = msgspec.structs.replace(self.run, rest=self.run.rest[1:])
            return Reply(following.begins(), becomes=msgspec.structs.replace(following, run=run))
        return answered(self, target)
