"""The steps of a self-test and their results, and the tests of lamp, buzzer and brightness."""

import enum
from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from hardware.contract import Lamp, PanelButton, Tune
from kiosk.preferences import Preferences
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import ChangePreferences, Intent, PlayTune, SelfTest, TryLamp, TryLight

_BADGE_MM: Final = 100.0
"""The screen's width from which there is room for the number of the step."""


LEAVE_TEST: Final = Reply(intents=(SelfTest(is_on=False),), closes=True)


class PartFinding(enum.Enum):
    """A person's verdict on a part."""

    FINE = "fine"
    WRONG = "wrong"
    LEFT_OUT = "left out"


class PartResult(msgspec.Struct, frozen=True):
    """The result of testing one part."""

    part: str
    finding: PartFinding


class Run(msgspec.Struct, frozen=True):
    """A self-test in progress, with its results so far, and the steps to come after the current one."""

    results: tuple[PartResult, ...] = ()
    rest: "tuple[SelfTestStep, ...]" = ()

    @property
    def number(self) -> int:
        return len(self.results) + 1

    @property
    def steps(self) -> int:
        """The number of all steps apart from the report."""
        return len(self.results) + len(self.rest)


class SelfTestStep(msgspec.Struct, frozen=True):
    """A step of the self-test, which tests one part."""

    run: Run = Run()

    kind: ClassVar[str] = "nothing"

    @property
    def name(self) -> str:
        return "test-" + self.part.replace(" ", "-")

    @property
    def part(self) -> str:
        """The name of the part: its kind, unless there can be several of that kind."""
        return self.kind

    def begins(self) -> tuple[Intent, ...]:
        """Return the requests that the step begins with."""
        return ()

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        return question_page(self, stage, Heading(""), ())

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.table.parts.tested is not None


def question_page(
    step: SelfTestStep, stage: SceneContext, head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a step's question with its answers, its number, and a button to end the self-test."""
    _ = stage.words.gettext
    if stage.glass.width >= stage.mm(_BADGE_MM):
        number = _("{number} of {steps}").format(number=step.run.number, steps=step.run.steps)
        head = msgspec.structs.replace(head, badge=number)
    leave = offer(stage, "leave-test", _("End the test"), LEAVE_TEST, 2.2, icon="back")
    return draw_dialog(stage, head, (*offers, leave))


def yes_no(
    step: SelfTestStep, stage: SceneContext, yes: str, no: str, *intents: Intent, may_say_yes: bool = True
) -> tuple[Offer, ...]:
    """Return the buttons to answer whether a part works. Either answer makes the requests in ``intents``."""
    works, broken = (
        record_finding(step, finding, *intents) for finding in (PartFinding.FINE, PartFinding.WRONG)
    )
    main = ButtonStyle.MAIN
    return (
        offer(stage, "works", yes, works, 2.4, look=main, icon="check", enabled=may_say_yes),
        offer(stage, "broken", no, broken, 2.4, icon="cross"),
    )


def record_finding(step: SelfTestStep, finding: PartFinding, *intents: Intent) -> Reply:
    """Return the reply that records the result of a step and goes to the next one."""
    run = step.run
    following = run.rest[0]
    after = Run((*run.results, PartResult(step.part, finding)), run.rest[1:])
    return Reply(
        intents=(*intents, *following.begins()), becomes=msgspec.structs.replace(following, run=after)
    )


def button_words(button: PanelButton, stage: SceneContext) -> str:
    """Return the name of a button of the panel."""
    _ = stage.words.gettext
    names = {
        PanelButton.RESHUFFLE: _("Reshuffle"),
        PanelButton.END_TURN: _("End of turn"),
        PanelButton.CALL_JUDGE: _("Judge"),
        PanelButton.SHUT_DOWN: _("Shut down"),
    }
    return names[button]


_VOLUME_STEP = 20
_ALL = 100
_LIGHTS = (10, 40, 70, 100)


class LampAnswer(enum.Enum):
    """The colour that a person sees on the lamp."""

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
"""The lamp's state in a game that shows each colour."""


class LampStep(SelfTestStep, frozen=True):
    """The test of one colour of the lamp."""

    shows: LampAnswer = LampAnswer.RED

    @property
    def part(self) -> str:
        return f"lamp {self.shows.value}"

    def begins(self) -> tuple[Intent, ...]:
        return (TryLamp(LAMP_TESTS[self.shows]),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Ask which colour the lamp shows."""
        _ = stage.words.gettext
        names = {
            LampAnswer.RED: _("Red, blinking"),
            LampAnswer.GREEN: _("Green"),
            LampAnswer.BLUE: _("Blue"),
            LampAnswer.WHITE: _("White"),
            LampAnswer.NOTHING: _("None of these"),
        }
        right, wrong = (record_finding(self, finding) for finding in (PartFinding.FINE, PartFinding.WRONG))
        offers = [
            offer(stage, f"seen-{seen.value}", names[seen], right if seen is self.shows else wrong, 2.4)
            for seen in LampAnswer
        ]
        head = Heading(_("Look at the lamp"), _("What does it show now?"), "sun")
        return question_page(self, stage, head, offers)


class SoundStep(SelfTestStep, frozen=True):
    """The test of the buzzer and its volume."""

    kind: ClassVar[str] = "buzzer"

    def begins(self) -> tuple[Intent, ...]:
        return (TryLamp(Lamp.OFF), PlayTune(Tune.HIGH_NOON))

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Describe the tune that should be heard, with buttons for the volume."""
        _, chosen = stage.words.gettext, stage.table.preferences
        text = _("Three long beeps and two short ones. The volume is at {percent}%.").format(
            percent=chosen.volume
        )
        if chosen.muted or not chosen.volume:
            text = _("The sound is off: turn up the volume first.")
        offers = (
            offer(stage, "again", _("Once more"), self._play(chosen, 0), 2, icon="speaker"),
            offer(stage, "softer", _("Quieter"), self._play(chosen, -_VOLUME_STEP), 1.8, icon="minus"),
            offer(
                stage, "louder", _("Louder"), self._play(chosen, _VOLUME_STEP), 1.8, icon="plus",
                may_repeat=True,
            ),
            *yes_no(self, stage, _("I hear it"), _("I don't")),
        )  # fmt: skip
        return question_page(self, stage, Heading(_("Listen"), text, "speaker"), offers)

    def _play(self, chosen: Preferences, change: int) -> Reply:
        volume = min(_ALL, max(0, chosen.volume + change))
        louder = msgspec.structs.replace(chosen, volume=volume, muted=chosen.muted and not change)
        return Reply((ChangePreferences(louder), *self.begins()))


class LightStep(SelfTestStep, frozen=True):
    """The test of the screen's brightness."""

    kind: ClassVar[str] = "backlight"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button for each brightness."""
        _ = stage.words.gettext
        label, as_before = _("{percent}%"), TryLight(stage.table.preferences.brightness)
        offers = [
            offer(stage, f"light-{level}", label.format(percent=level), Reply((TryLight(level),)), 1.8)
            for level in _LIGHTS
        ]
        answers = yes_no(self, stage, _("It gets brighter"), _("It stays the same"), as_before)
        head = Heading(_("Brightness"), _("Tap them one by one."), "sun")
        return question_page(self, stage, head, (*offers, *answers))


class ReadyStep(SelfTestStep, frozen=True):
    """The first page: what will be tested, and a warning if it is a bad moment."""

    kind: ClassVar[str] = "start"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain the self-test, with buttons to begin or to go back."""
        _ = stage.words.gettext
        text = _("Tests each part in turn, in about three minutes, then shows the results.")
        if stage.table.game is not None:
            text = _("A game is in progress: its buttons won't work until the test is over.")
        first = self.run.rest[0]
        run = msgspec.structs.replace(self.run, rest=self.run.rest[1:])
        begin = Reply(first.begins(), becomes=msgspec.structs.replace(first, run=run))
        offers = (
            offer(stage, "leave-test", _("Back"), LEAVE_TEST, 2, icon="back"),
            offer(stage, "start", _("Begin"), begin, 2.4, look=ButtonStyle.MAIN, icon="check"),
        )
        return draw_dialog(stage, Heading(_("Self-test"), text, "gear"), offers)
