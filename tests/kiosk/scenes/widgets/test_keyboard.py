import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.i18n import Words
from kiosk.scenes.scene import OnTouch, SceneContext
from kiosk.scenes.widgets.keyboard import ADDRESS_KEYS, CODE_KEYS, WORD_KEYS, Keyboard
from kiosk.ui.blocks import Block, Button
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view.table_view import Delivery, TableView
from tests.kiosk.scenes.conftest import GLASSES

KEYBOARDS = pytest.mark.parametrize("keys", [ADDRESS_KEYS, CODE_KEYS])


def stage_on(size: str) -> SceneContext:
    nothing = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0)
    return SceneContext(nothing, GLASSES[size], Words("en"))


class Typed:
    """A scene with this text."""

    name = "typed"

    def __init__(self, text: str) -> None:
        self.text = text

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        del stage
        return ()

    def still_holds(self, stage: SceneContext) -> bool:
        del stage
        return True


def buttons(keys: Keyboard, stage: SceneContext, typed: str = "x") -> tuple[Button, ...]:
    width = stage.glass.width - stage.mm(4)
    room = Rect(0, 0, width, keys.height(stage, width))
    return tuple(part for part in keys.parts(stage, room, typed, Typed) if isinstance(part, Button))


def after(keys: Keyboard, typed: str, target: str) -> str:
    """Return the text after a key was touched."""
    (key,) = (key for key in buttons(keys, stage_on("800x480"), typed) if key.id == target)
    if not key.enabled:
        return typed
    assert isinstance(key.action, OnTouch)
    scene = key.action.reply.becomes
    assert isinstance(scene, Typed)
    return scene.text


@KEYBOARDS
@pytest.mark.parametrize("size", GLASSES)
def test_keys_are_as_large_as_a_finger_and_apart(size: str, keys: Keyboard) -> None:
    stage = stage_on(size)
    placed = buttons(keys, stage)
    assert min(min(key.rect.w, key.rect.h) for key in placed) >= stage.mm(12) - 1
    for number, key in enumerate(placed):
        for other in placed[number + 1 :]:
            assert not key.rect.inset(1 - stage.mm(GAP_MM)).overlaps(other.rect), (key.id, other.id)


@KEYBOARDS
def test_a_broad_and_an_upright_glass_have_the_same_keys(keys: Keyboard) -> None:
    broad = {key.id for key in buttons(keys, stage_on("800x480"))}
    upright = {key.id for key in buttons(keys, stage_on("720x1280"))}
    assert broad == upright
    assert sorted("".join(keys.wide)) == sorted("".join(keys.narrow))


@given(st.text(alphabet="abcxyz0189.:-", max_size=80))
def test_what_is_typed_key_by_key_is_the_text_up_to_its_length(text: str) -> None:
    by_label = {key.label: key.id for key in buttons(ADDRESS_KEYS, stage_on("800x480"))}
    typed = ""
    for character in text:
        typed = after(ADDRESS_KEYS, typed, by_label[character])
    assert typed == text[: ADDRESS_KEYS.longest]


def test_erase_takes_the_last_character_and_nothing_from_nothing() -> None:
    assert after(ADDRESS_KEYS, "10.", "key-erase") == "10"
    assert not after(ADDRESS_KEYS, "", "key-erase")


def test_a_full_line_takes_no_more_and_can_still_be_erased() -> None:
    full = "A" * CODE_KEYS.longest
    on = {key.id for key in buttons(CODE_KEYS, stage_on("800x480"), full) if key.enabled}
    assert on == {"key-erase"}


def test_the_first_letter_of_a_reason_is_a_capital_by_itself() -> None:
    typed = ""
    for key in ["space", "a", "c", "e"]:
        typed = after(WORD_KEYS, typed, f"key-{key}")
    assert typed == " Ace"
    assert after(WORD_KEYS, "", "key-7") == "7"
    assert after(ADDRESS_KEYS, "", "key-a") == "a"
