"""All paths through a self-test, as values, for any parts and any answers."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contract import PanelButton, PartFailed, RepairHint
from hardware.part_wiring import KeyWiring
from kiosk.i18n import Words
from kiosk.scenes.scene import PointerListener, Scene, SceneContext
from kiosk.scenes.selftest.sequence import self_test
from kiosk.scenes.selftest.steps import Run
from kiosk.terminal.display.flow import open_scene
from kiosk.touch import Pointer, PointerPhase
from kiosk.view.intents import AskGame, ReportSelfTest, SelfTest
from kiosk.view.panel_view import PartsView, SelfTestInput
from kiosk.view.table_view import Delivery, TableView
from tests.examples import examples
from tests.kiosk.scenes.conftest import GLASSES, Show, touch
from tests.scenarios.terminal_moments import enrolment_moments

NAMES = (
    *(f"button {button.value}" for button in PanelButton), "lamp in reshuffle", "key", "lamp", "buzzer",
    "backlight", "fan", "battery", "supply", "heat",
)  # fmt: skip
GLASS = GLASSES["800x480"]
ALL = SelfTestInput(tuple(PanelButton), ("key", "key"))
KEYS = (KeyWiring.state,)


def stage_with(parts: PartsView) -> SceneContext:
    view = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1_000, parts=parts)
    return SceneContext(view, GLASS, Words("en"))


def opened(parts: PartsView) -> Scene:
    scene = self_test(parts).opens
    assert scene is not None
    return open_scene(scene)


def targets(scene: Scene, stage: SceneContext) -> list[str]:
    return [button.id for block in scene.view(stage) for button in block.buttons if button.enabled]


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(st.sets(st.sampled_from(NAMES)), st.data())
def test_every_way_through_ends_in_a_report_with_a_finding_for_each_part(
    names: set[str], data: st.DataObject
) -> None:
    parts = PartsView(tuple(sorted(names)), tested=ALL, switches=KEYS if "key" in names else ())
    stage, scene, pages = stage_with(parts), opened(parts), 0
    touched: Counter[tuple[str, str]] = Counter()
    while scene.name != "test-report":
        assert scene.still_holds(stage)
        # Louder and softer may be touched endlessly; six times are enough here.
        spent = {target for (page, target), times in touched.items() if page == scene.name and times > 5}
        choices = [name for name in targets(scene, stage) if name not in {"leave-test", "again", *spent}]
        target = data.draw(st.sampled_from(choices))
        reply = touch(scene, target, stage)
        assert not any(isinstance(intent, AskGame) for intent in reply.intents)
        touched[scene.name, target] += 1
        scene = open_scene(reply.becomes or scene)
        pages += 1
        assert pages < 400
    (report, over) = touch(scene, "done", stage).intents
    assert isinstance(report, ReportSelfTest)
    assert over == SelfTest(is_on=False)
    tested = [part for part, _ in report.results]
    assert len(tested) == len(set(tested))
    assert {name for name in names if name.startswith(("button", "key", "buzzer", "backlight"))} <= set(
        tested
    )
    assert {"pixels", "touch", "calibration"} <= set(tested)


def test_what_the_panel_reports_itself_is_in_the_report_with_what_to_do() -> None:
    failed = PartFailed("supply", "there is no vcgencmd here", RepairHint.RIGHTS)
    parts = PartsView(("supply",), (failed,), tested=ALL)
    stage, scene = stage_with(parts), opened(parts)
    for target in ("start", *("next-colour",) * 5, "works", "works", "as-it-was", "works"):
        scene = open_scene(touch(scene, target, stage).becomes or scene)
    assert scene.name == "test-report"
    report = touch(scene, "done", stage).intents[0]
    assert isinstance(report, ReportSelfTest)
    assert ("supply", "wrong") in report.results
    said = {getattr(part, "text", "") for block in scene.view(stage) for part in block.parts}
    assert {"One part isn't working", "The operating system denied access."} <= said


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(PointerPhase), st.integers(0, 799), st.integers(0, 479)),
        max_size=60,
    )
)
def test_any_fingers_on_the_touch_page_are_counted_and_forgotten(
    moments: list[tuple[int, PointerPhase, int, int]],
) -> None:
    parts = PartsView((), tested=ALL)
    stage, scene = stage_with(parts), opened(parts)
    for target in ("start", *("next-colour",) * 5, "works"):
        scene = open_scene(touch(scene, target, stage).becomes or scene)
    down: set[int] = set()
    for finger, phase, x, y in moments:
        assert isinstance(scene, PointerListener)
        scene = open_scene(scene.on_pointer(Pointer(finger, phase, x, y, 1_000), stage).becomes or scene)
        (down.discard if phase in {PointerPhase.UP, PointerPhase.LOST} else down.add)(finger)
        words = " ".join(
            str(getattr(part, "text", "")) for block in scene.view(stage) for part in block.parts
        )
        assert f"fingers now {len(down)}" in words


def test_a_page_closes_when_the_app_has_taken_the_parts_back() -> None:
    scene = opened(PartsView((), tested=ALL))
    assert not scene.still_holds(stage_with(PartsView()))
    assert Run().steps == 0


def test_a_new_terminal_can_be_tested_before_any_station_knows_it(show: Show) -> None:
    moment = next(iter(enrolment_moments()))
    tested = msgspec.structs.replace(moment.view, parts=PartsView(("key",), tested=ALL, switches=KEYS))
    screen = show(GLASS, msgspec.structs.replace(moment, view=tested, touches=("self-test", "start")))
    assert screen.scene_name() == "test-key"
