import msgspec
import pytest

from kiosk.i18n import Words
from kiosk.scenes.connection.connection import age_words, counter_words, finding_words, phase_words
from kiosk.scenes.scene import SceneContext
from kiosk.ui.blocks import Label
from kiosk.view.intents import AskLink
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
