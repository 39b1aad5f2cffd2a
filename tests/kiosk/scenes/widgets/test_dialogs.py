import pytest

from core.terms import TableNo
from kiosk.i18n import words_in
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import back_offer
from kiosk.view.table_view import Delivery, TableView
from tests.kiosk.scenes.conftest import GLASSES


@pytest.fixture
def stage() -> SceneContext:
    return SceneContext(TableView(TableNo(3), None, None, Delivery(), 0), GLASSES["800x480"], words_in("en"))


def _is_table(stage: SceneContext, table: int, *, is_spare: bool = False) -> bool:
    return stage.table.table == table and not is_spare


@scene("table", holds=_is_table)
def show_table(stage: SceneContext, table: int, *, is_spare: bool = False) -> Dialog:
    title = "Spare" if is_spare else f"Table {table}"
    return Dialog(stage, Heading(title), (back_offer(stage),))


@scene("game", when=has_game)
def show_game(stage: SceneContext, table: int) -> Dialog:
    return Dialog(stage, Heading(f"Game of table {table}"), (back_offer(stage),))


def test_a_dialog_stays_open_while_its_condition_holds_for_its_state(stage: SceneContext) -> None:
    assert show_table(3).still_holds(stage)
    assert not show_table(4).still_holds(stage)
    assert not show_table(3, is_spare=True).still_holds(stage)
    assert not show_game(3).still_holds(stage)


def test_a_dialog_draws_its_heading_and_its_buttons(stage: SceneContext) -> None:
    dialog_block = show_table(3).view(stage)[0]
    assert [button.id for button in dialog_block.buttons] == ["back"]
    assert "Table 3" in [getattr(part, "text", "") for part in dialog_block.parts]


def test_dialogs_with_the_same_state_are_equal_so_that_their_picture_is_kept() -> None:
    assert show_table(3) == show_table(3)
    assert show_table(3) != show_table(4)
    assert show_table(3).name == "table"
