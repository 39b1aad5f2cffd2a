"""Common parts of the steps of a self-test: the way to the next step, and the findings so far."""

import enum
from collections.abc import Sequence
from typing import Final

import msgspec

from saloon.hardware.contract import PanelButton
from saloon.kiosk.intents import Intent, SelfTest
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_BADGE_MM: Final = 100.0
"""Narrower, the title needs the room that the number of the step would take."""


class PartFinding(enum.Enum):
    """Verdicts of people on a part."""

    FINE = "fine"
    WRONG = "wrong"
    LEFT_OUT = "left out"


class PartResult(msgspec.Struct, frozen=True):
    """A part by its name, and what was found."""

    part: str
    finding: PartFinding


class Run(msgspec.Struct, frozen=True):
    """found: so far, in order. rest: the steps to come; the last of them is the report."""

    found: tuple[PartResult, ...] = ()
    rest: "tuple[SelfTestStep, ...]" = ()

    @property
    def number(self) -> int:
        """Which step this is, from 1 on."""
        return len(self.found) + 1

    @property
    def steps(self) -> int:
        """Return the number of steps, without the report."""
        return len(self.found) + len(self.rest)


class SelfTestStep(msgspec.Struct, frozen=True):
    """A scene of the self-test. Those that ask of a part override part, begins, view and pressed."""

    run: Run = Run()

    @property
    def name(self) -> str:
        """For everybody who looks from outside: ``test-`` and the part."""
        return "test-" + self.part.replace(" ", "-")

    @property
    def part(self) -> str:
        """The part that is tested."""
        return "nothing"

    def begins(self) -> tuple[Intent, ...]:
        """Return what the app does when the step begins."""
        return ()

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the question."""
        return asked(self, stage, Heading(""), ())

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Take the answer."""
        del stage
        return answered(self, target)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the app still lends the parts; it takes them back if nobody goes on."""
        return stage.table.parts.tested is not None


def asked(
    step: SelfTestStep, stage: SceneContext, head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a page that asks: the head with the number of the step, the answers, and the way out."""
    _ = stage.words.gettext
    number = _("{number} of {steps}").format(number=step.run.number, steps=step.run.steps)
    numbered = (
        head if stage.glass.width < stage.mm(_BADGE_MM) else msgspec.structs.replace(head, badge=number)
    )
    leave = Button(NOWHERE, "leave-test", _("End the test"), icon="back", size_px=stage.mm(4.2))
    return dialog(stage, numbered, (*offers, Offer(leave, 2.2)))


def yes_no(stage: SceneContext, yes: str, no: str, *, may_say_yes: bool = True) -> tuple[Offer, ...]:
    """Return the answers of most steps."""
    size = stage.mm(4.6)
    return (
        Offer(
            Button(NOWHERE, "works", yes, ButtonStyle.MAIN, "check", size_px=size, enabled=may_say_yes), 2.4
        ),
        Offer(Button(NOWHERE, "broken", no, ButtonStyle.QUIET, "cross", size_px=size), 2.4),
    )


def answered(step: SelfTestStep, target: str) -> Reply:
    """Go on to the next step with the finding, or leave the self-test."""
    match target:
        case "works":
            return found(step, PartFinding.FINE)
        case "broken":
            return found(step, PartFinding.WRONG)
        case "leave-test":
            return Reply(intents=(SelfTest(is_on=False),), closes=True)
        case _:
            return Reply()


def found(step: SelfTestStep, finding: PartFinding, *intents: Intent) -> Reply:
    """Add a finding, and go to the next step."""
    run = step.run
    following = run.rest[0]
    after = Run((*run.found, PartResult(step.part, finding)), run.rest[1:])
    return Reply(
        intents=(*intents, *following.begins()), becomes=msgspec.structs.replace(following, run=after)
    )


def button_words(button: PanelButton, stage: SceneContext) -> str:
    """Return the label of a button of the panel."""
    _ = stage.words.gettext
    names = {
        PanelButton.RESHUFFLE: _("Reshuffle"),
        PanelButton.END_TURN: _("End of turn"),
        PanelButton.CALL_JUDGE: _("Judge"),
        PanelButton.SHUT_DOWN: _("Shut down"),
    }
    return names[button]
