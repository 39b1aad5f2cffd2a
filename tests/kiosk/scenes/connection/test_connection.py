"""The connection page, and the pages of a terminal that isn't enrolled."""

import msgspec
import pytest

from kiosk.i18n import Words
from kiosk.scenes.connection.connection import age_words, counter_words, finding_words, phase_words
from kiosk.scenes.connection.enrol import enrol_terminal
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.scenes.terminal.waiting import waiting
from kiosk.scenes.widgets.page_parts import page
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.blocks import Block, Label, Paragraph
from kiosk.view.intents import AskLink
from kiosk.view.table_view import Delivery, Enrolment, FileProblem, TableView
from sync.enrolment.provisioning_keys import Fault
from sync.ports.findings import Finding
from sync.terminal.agent_contract import ForgetAddress, LinkPhase, LinkReport, UseAddress
from tests.kiosk.scenes.conftest import GLASSES, Hand, Show
from tests.scenarios.moments import Moment, moments

GLASS = GLASSES["800x480"]


def moment(name: str) -> Moment:
    return next(one for one in moments(6) if one.picture == name)


def test_an_address_is_typed_on_the_glass_and_tried_with_the_usual_port(show: Show) -> None:
    screen = show(GLASS, moment("address-typed"))
    hand = Hand(screen)
    hand.touch("try")
    assert hand.intents == [AskLink(UseAddress("192.168.1.10:7373"))]
    assert screen.scene_name() == "connection"


def test_nothing_is_tried_before_it_is_an_address(show: Show) -> None:
    screen = show(GLASS, moment("address"))
    assert [target.enabled for target in screen.targets() if target.id == "try"] == [False]


def test_known_addresses_are_tried_and_typed_ones_forgotten_by_a_tap(show: Show) -> None:
    hand = Hand(show(GLASS, moment("connection-lost")))
    hand.touch("try 192.168.1.44:7373")
    hand.touch("forget 192.168.1.10:7373")
    assert hand.intents == [
        AskLink(UseAddress("192.168.1.44:7373")),
        AskLink(ForgetAddress("192.168.1.10:7373")),
    ]
    assert "forget 192.168.1.44:7373" not in {target.id for target in hand.screen.targets()}


def test_the_age_of_the_last_word_grows_by_itself_while_it_is_looked_at(show: Show) -> None:
    lost = moment("connection-lost")
    screen = show(GLASS, lost)
    deadline = screen.next_deadline_ms()
    assert deadline is not None
    assert screen.update(msgspec.structs.replace(lost.view, now_ms=deadline + 60_000))


def stage_with(report: LinkReport, now_ms: int = 100_000) -> SceneContext:
    view = msgspec.structs.replace(moment("waiting").view, link=report, now_ms=now_ms)
    return SceneContext(view, GLASS, Words("en"))


@pytest.mark.parametrize("finding", Finding)
def test_every_finding_is_a_whole_sentence(finding: Finding) -> None:
    fields: dict[str, str | int] = {
        "address": "10.0.0.1:7373", "host": "hall", "device": "/dev/ttyUSB0", "group": "dialout",
        "baud": 57_600, "share": 12, "reason": "goodbye", "minutes": 9, "place": "/data", "free": 1,
        "way": "tcp 10.0.0.1:7373", "entries": 12, "owes": 3, "year": 1970,
    }  # fmt: skip
    report = LinkReport(LinkPhase.SEARCHING, finding=finding, fields=fields)
    said = finding_words(stage_with(report), report)
    assert said[0].isupper()
    assert said.endswith((".", "?"))
    assert "{" not in said


def test_words_say_by_which_way_and_how_long_ago() -> None:
    report = LinkReport(LinkPhase.CONNECTED, "tcp 10.0.0.1:7373", heard_at_ms=88_000)
    assert phase_words(stage_with(report), report) == "Connected to 10.0.0.1:7373"
    assert age_words(stage_with(report), report) == "Last contact: 12 s ago"
    assert "connections 0" in counter_words(stage_with(report), report)
    assert finding_words(stage_with(report), report) == ""


def test_the_strip_says_how_many_entries_wait_and_since_when(show: Show) -> None:
    screen = show(GLASS, moment("connection-lost"))
    strip = next(block for block in screen._blocks if block.id == "strip")
    texts = [part.text for part in strip.parts if isinstance(part, Label)]
    assert "Saved · 14 not received for 10 min" in texts


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


NOTHING = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1_000)


@pytest.mark.parametrize(
    ("problem", "tells"),
    [
        pytest.param("the card is full", False, id="a start that failed"),
        pytest.param("", True, id="trouble at a table"),
    ],
)
def test_trouble_says_how_far_the_entries_have_come_only_at_a_table(problem: str, *, tells: bool) -> None:
    screen = TableScreen(GLASSES["800x480"], failsafe=False)
    screen.show_trouble(TroubleScene("1A2B", problem))
    screen.update(NOTHING)
    assert screen.scene_name() == "trouble"
    assert any(block.parts for block in screen._blocks if block.id == "strip") is tells
