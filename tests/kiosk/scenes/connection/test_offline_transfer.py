"""The scenes for transfer without a network: their layout, and when they are offered."""

import msgspec
import pytest

from kiosk.preferences import Layout
from kiosk.terminal.display.screen import TableScreen
from kiosk.view.intents import CloseExport, PlayParts, ShowCodes, StepParcelPart, WriteStick
from kiosk.view.table_view import OfflineExportView, ParcelContents, UsbStickState
from sync.terminal.agent_contract import LinkPhase
from tests.kiosk.scenes.conftest import GLASSES, Hand, Show
from tests.kiosk.scenes.test_layout import layout_faults
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import Moment, moments
from tests.scenarios.terminal_moments import carry_moments

SEATS = 7
MOMENTS = {
    moment.picture: moment for moment in (*moments(SEATS), *judge_moments(SEATS), *carry_moments(SEATS))
}
GLASS = GLASSES["800x480"]


@pytest.mark.slow
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("size", GLASSES)
def test_every_scene_has_room_on_every_glass(size: str, layout: Layout) -> None:
    every_moment = tuple(carry_moments(SEATS))
    assert {moment.scene for moment in every_moment} == {"carry", "code", "stick"}
    assert list(layout_faults(size, layout, SEATS, every_moment)) == []


def offers(screen: TableScreen) -> set[str]:
    return {target.id for target in screen.targets() if target.enabled}


def away(picture: str) -> Moment:
    moment = MOMENTS[picture]
    delivery = msgspec.structs.replace(moment.view.delivery, link=LinkPhase.SEARCHING)
    return msgspec.structs.replace(moment, view=msgspec.structs.replace(moment.view, delivery=delivery))


def test_a_finished_table_without_a_line_is_offered_another_way(show: Show) -> None:
    assert "carry" in offers(show(GLASS, away("sheet")))
    assert "carry" not in offers(show(GLASS, MOMENTS["sheet"]))
    assert "carry" in offers(show(GLASS, MOMENTS["confirmed"]))
    assert "carry" not in offers(show(GLASS, MOMENTS["confirmed-received"]))


def test_a_table_in_play_is_offered_it_in_the_judges_menu_only(show: Show) -> None:
    for picture in ("play", "menu", "judge-called"):
        assert "carry" not in offers(show(GLASS, away(picture)))
    assert "carry" in offers(show(GLASS, MOMENTS["judge"]))


def intents_after(show: Show, picture: str, *touches: str) -> list[object]:
    """Return the requests that follow from these touches."""
    moment = MOMENTS[picture]
    hand = Hand(show(GLASS, moment))
    hand.touch(*touches, view=moment.view)
    return hand.intents


@pytest.mark.slow
def test_touches_ask_for_what_stands_on_the_buttons(show: Show) -> None:
    assert intents_after(show, "carry", "show-owed") == [ShowCodes(ParcelContents.OWED)]
    assert intents_after(show, "carry-by-judge", "show-game") == [
        ShowCodes(ParcelContents.GAME, by_judge=True)
    ]
    assert intents_after(show, "carry-by-judge", "write-stick") == [WriteStick(by_judge=True)]
    assert intents_after(show, "code-game", "part-next", "part-before") == [
        StepParcelPart(1),
        StepParcelPart(-1),
    ]
    assert intents_after(show, "code-game", "part-play") == [PlayParts(is_playing=False, every_ms=500)]
    assert intents_after(show, "code-game", "part-slower") == [PlayParts(is_playing=True, every_ms=1000)]
    assert intents_after(show, "code-stopped", "part-play") == [PlayParts(is_playing=True, every_ms=250)]
    assert intents_after(show, "code-sheet", "back") == [CloseExport()]
    assert intents_after(show, "stick-full", "again") == [WriteStick()]


def test_codes_close_by_themselves_when_they_are_put_away(show: Show) -> None:
    moment = MOMENTS["code-sheet"]
    screen = show(GLASS, moment)
    assert screen.scene_name() == "code"
    screen.update(msgspec.structs.replace(moment.view, carried=OfflineExportView()))
    assert screen.scene_name() == "carry"


@pytest.mark.slow
def test_a_stick_may_go_only_when_all_is_on_it(show: Show) -> None:
    words = {
        state: show(GLASS, MOMENTS[f"stick-{state.value.replace(' ', '-')}"])._blocks
        for state in UsbStickState
    }
    assert [state for state, blocks in words.items() if "You can remove the drive now" in str(blocks)] == [
        UsbStickState.WRITTEN
    ]
