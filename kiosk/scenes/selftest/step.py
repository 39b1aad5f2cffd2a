"""Common parts of the steps of a self-test: results so far, and the way to the next step."""

import enum
from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from hardware.contract import PanelButton
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import Heading, Offer, offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import Intent, SelfTest

_BADGE_MM: Final = 100.0
"""The width below which the title needs the room of the step's number."""


LEAVE_TEST: Final = Reply(intents=(SelfTest(is_on=False),), closes=True)


class PartFinding(enum.Enum):
    """A person's verdict on a part."""

    FINE = "fine"
    WRONG = "wrong"
    LEFT_OUT = "left out"


class PartResult(msgspec.Struct, frozen=True):
    """The result for one part."""

    part: str
    finding: PartFinding


class Run(msgspec.Struct, frozen=True):
    """A self-test in progress.

    results: those so far, in order.
    rest: remaining steps, the report last.
    """

    results: tuple[PartResult, ...] = ()
    rest: "tuple[SelfTestStep, ...]" = ()

    @property
    def number(self) -> int:
        """The number of the current step, from 1."""
        return len(self.results) + 1

    @property
    def steps(self) -> int:
        """Return how many steps there are, without the report."""
        return len(self.results) + len(self.rest)


class SelfTestStep(msgspec.Struct, frozen=True):
    """A step of the self-test. Steps that test a part override kind or part, begins and view."""

    run: Run = Run()

    kind: ClassVar[str] = "nothing"

    @property
    def name(self) -> str:
        """The step's name for observers: ``test-`` and the part."""
        return "test-" + self.part.replace(" ", "-")

    @property
    def part(self) -> str:
        """The part under test; the kind of part, unless there are several of it."""
        return self.kind

    def begins(self) -> tuple[Intent, ...]:
        """Return the requests for the app when the step begins."""
        return ()

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        return question_page(self, stage, Heading(""), ())

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the app is still in the self-test, which it ends if nobody continues."""
        return stage.table.parts.tested is not None


def question_page(
    step: SelfTestStep, stage: SceneContext, head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a step's question with the step's number, the answers, and a button to quit."""
    _ = stage.words.gettext
    number = _("{number} of {steps}").format(number=step.run.number, steps=step.run.steps)
    numbered = (
        head if stage.glass.width < stage.mm(_BADGE_MM) else msgspec.structs.replace(head, badge=number)
    )
    leave = offer(stage, "leave-test", _("End the test"), LEAVE_TEST, 2.2, icon="back")
    return draw_dialog(stage, numbered, (*offers, leave))


def yes_no(
    step: SelfTestStep, stage: SceneContext, yes: str, no: str, *intents: Intent, may_say_yes: bool = True
) -> tuple[Offer, ...]:
    """Return buttons for yes and no. Either answer carries out the requests in ``intents``."""
    works, broken = (
        record_finding(step, finding, *intents) for finding in (PartFinding.FINE, PartFinding.WRONG)
    )
    main = ButtonStyle.MAIN
    return (
        offer(stage, "works", yes, works, 2.4, look=main, icon="check", enabled=may_say_yes),
        offer(stage, "broken", no, broken, 2.4, icon="cross"),
    )


def record_finding(step: SelfTestStep, finding: PartFinding, *intents: Intent) -> Reply:
    """Return the reply that adds a result and goes to the next step."""
    run = step.run
    following = run.rest[0]
    after = Run((*run.results, PartResult(step.part, finding)), run.rest[1:])
    return Reply(
        intents=(*intents, *following.begins()), becomes=msgspec.structs.replace(following, run=after)
    )


def button_words(button: PanelButton, stage: SceneContext) -> str:
    """Return the name of a panel button."""
    _ = stage.words.gettext
    names = {
        PanelButton.RESHUFFLE: _("Reshuffle"),
        PanelButton.END_TURN: _("End of turn"),
        PanelButton.CALL_JUDGE: _("Judge"),
        PanelButton.SHUT_DOWN: _("Shut down"),
    }
    return names[button]
