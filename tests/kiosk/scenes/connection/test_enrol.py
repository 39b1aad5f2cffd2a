"""The pages of a terminal that isn't enrolled, and of one with a worn card."""

import pytest

from kiosk.i18n import Words
from kiosk.scenes.connection.enrol import enrol_terminal
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.waiting import waiting
from kiosk.scenes.widgets.page_parts import page
from kiosk.ui.blocks import Block, Label, Paragraph
from kiosk.view.table_view import Delivery, Enrolment, FileProblem, TableView
from sync.enrolment.provisioning_faults import Fault
from sync.terminal.agent_contract import LinkPhase
from tests.kiosk.scenes.conftest import GLASSES

WORN = FileProblem(detail="/var/lib/saloon/boot.toml: Input/output error")
WRONG = FileProblem(20, "password = •••", "", Fault.NO_TOML)


def stage(delivery: Delivery, enrolment: Enrolment | None = None) -> SceneContext:
    view = TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment or Enrolment())
    return SceneContext(view, GLASSES["800x480"], Words("en"))


def words_on(*blocks: Block) -> str:
    parts = [part for block in blocks for part in block.parts]
    return "\n".join(part.text for part in parts if isinstance(part, Label | Paragraph))


def strip_of(delivery: Delivery) -> str:
    _, strip = page(stage(delivery), ())
    return words_on(strip)


def test_a_terminal_that_belongs_to_nobody_says_nothing_of_what_arrived() -> None:
    assert strip_of(Delivery(link=LinkPhase.NOT_ENROLLED)) == "not enrolled"


@pytest.mark.parametrize(
    ("delivery", "said"),
    [
        (Delivery(link=LinkPhase.CONNECTED), "Received"),
        (Delivery(3, 3, 3, LinkPhase.NOT_ENROLLED), "Received"),
        (Delivery(3, 3, 1, LinkPhase.NOT_ENROLLED), "2 not received"),
    ],
)
def test_what_was_entered_is_told_of_whoever_the_terminal_belongs_to(delivery: Delivery, said: str) -> None:
    assert said in strip_of(delivery)


def test_a_terminal_of_nobody_names_the_cards_file_and_the_code() -> None:
    said = words_on(*waiting().view(stage(Delivery(link=LinkPhase.NOT_ENROLLED))))
    assert "saloon.toml" in said
    assert "code" in said
    assert "stick" not in said


def test_a_disk_that_fails_is_told_in_our_words_with_the_systems_behind_them() -> None:
    enrolment = Enrolment(file_problem=WORN)
    said = words_on(*enrol_terminal().view(stage(Delivery(link=LinkPhase.NOT_ENROLLED), enrolment)))
    assert "couldn't be read or written" in said
    assert said.index("couldn't be read") < said.index("Input/output error")
    assert "use another one" in said
    assert "fix this" not in said


def test_a_wrong_file_is_still_mended() -> None:
    enrolment = Enrolment(file_problem=WRONG)
    said = words_on(*enrol_terminal().view(stage(Delivery(link=LinkPhase.NOT_ENROLLED), enrolment)))
    assert "fix this in saloon.toml" in said
