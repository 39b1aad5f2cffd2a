"""The failsafe scene shows nothing that it can't know."""

from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.display.screen import TableScreen
from kiosk.view.table_view import Delivery, TableView
from tests.kiosk.scenes.conftest import GLASSES

NOTHING = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1_000)


def strip_of(problem: str) -> int:
    screen = TableScreen(GLASSES["800x480"], failsafe=False)
    screen.show_trouble(TroubleScene("1A2B", problem))
    screen.update(NOTHING)
    assert screen.scene_name() == "trouble"
    return sum(len(block.parts) for block in screen._blocks if block.id == "strip")


def test_a_start_that_failed_says_nothing_of_delivery() -> None:
    assert strip_of("the card is full") == 0


def test_trouble_at_a_table_still_says_how_far_the_entries_have_come() -> None:
    assert strip_of("") > 0
