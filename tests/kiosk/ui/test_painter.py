import msgspec
import pygame
import pytest

from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, RegainLife
from core.game.state.decisions import Undo
from core.terms import SeatNo
from kiosk.i18n import words_in
from kiosk.scenes.scene import SceneContext
from kiosk.terminal.display.flow import scene_of
from kiosk.ui.blocks import Align, Block, Box, Button, Icon, Label, Paragraph, TouchedButton, Typeface
from kiosk.ui.buttons import paint_button
from kiosk.ui.geometry import Rect, ScreenGeometry, screen_geometry_for
from kiosk.ui.icons import DRAWINGS, render_icon
from kiosk.ui.painter import Painter
from kiosk.ui.pen import Pen, PenResources, SurfaceCache
from kiosk.ui.text import SOFT_HYPHEN, Typesetter
from kiosk.view import theme
from kiosk.view.theme import DAY
from kiosk.virtual.tiles import pixels_of
from tests.scenarios.moments import Table, moments

PARTS = (
    Box(Rect(0, 0, 120, 60), theme.PARCHMENT, 6),
    Label(Rect(4, 4, 80, 20), "Calamity Janet", 18, theme.INK, Typeface.BOLD, Align.LEFT),
    Icon(Rect(90, 4, 20, 20), "star", theme.INK),
    Button(Rect(4, 30, 100, 26), "end-turn", "End turn"),
)


def pixels(surface: pygame.Surface) -> bytes:
    return pixels_of(surface, "RGB")


def painted(glass: ScreenGeometry, blocks: tuple[Block, ...]) -> tuple[Painter, pygame.Surface]:
    surface = pygame.Surface(glass.panel_size, depth=32)
    painter = Painter(glass, surface, Typesetter())
    painter.paint(blocks)
    return painter, surface


def test_only_the_block_that_changed_is_painted_and_nothing_if_none_did() -> None:
    one, two = Block("one", Rect(0, 0, 120, 60), PARTS), Block("two", Rect(130, 0, 60, 60), ())
    painter, surface = painted(ScreenGeometry(200, 100, 5), (one, two))
    surface.set_at((0, 0), (255, 0, 255))
    assert painter.paint((Block("one", Rect(0, 0, 120, 60), PARTS), two)) == ()
    assert tuple(surface.get_at((0, 0))) == (255, 0, 255, 255)
    pressed = Block("two", Rect(130, 0, 60, 60), PARTS[:1])
    assert painter.paint((one, pressed)) == (Rect(130, 0, 60, 60),)
    assert tuple(surface.get_at((0, 0))) == (255, 0, 255, 255)


def test_a_block_that_turns_to_another_reader_is_painted_alone() -> None:
    one, other = Block("one", Rect(0, 0, 60, 60), PARTS), Block("other", Rect(70, 0, 60, 60), PARTS)
    turned = msgspec.structs.replace(one, quarter_turns=2)
    painter, surface = painted(ScreenGeometry(140, 90, 5), (one, other))
    assert painter.paint((turned, other)) == (one.rect,)
    _, afresh = painted(ScreenGeometry(140, 90, 5), (turned, other))
    assert pixels(surface) == pixels(afresh)


def test_a_touched_button_looks_different() -> None:
    block = Block("one", Rect(0, 0, 120, 60), PARTS)
    touched = Block("one", Rect(0, 0, 120, 60), PARTS, touched=(TouchedButton("end-turn"),))
    _, idle = painted(ScreenGeometry(120, 60, 5), (block,))
    _, active = painted(ScreenGeometry(120, 60, 5), (touched,))
    assert pixels(idle) != pixels(active)


class TwoPainters:
    """A painter that repaints only changes and one that repaints everything; both must show the same."""

    def __init__(self, glass: ScreenGeometry) -> None:
        self.surfaces = tuple(pygame.Surface(glass.panel_size, depth=32) for _ in range(2))
        self.sparing, self.thorough = (Painter(glass, surface, Typesetter()) for surface in self.surfaces)

    def show(self, blocks: tuple[Block, ...]) -> bool:
        self.sparing.paint(blocks)
        self.thorough.invalidate()
        self.thorough.paint(blocks)
        one, other = (pixels(surface) for surface in self.surfaces)
        return one == other


@pytest.mark.slow
@pytest.mark.parametrize("buttons", [1, pytest.param(4, marks=pytest.mark.nightly)])
def test_a_finger_on_any_button_of_any_scene_leaves_no_trace(buttons: int) -> None:
    """Only the first buttons of each block are pressed, as the others are painted alike."""
    glass = screen_geometry_for((800, 480), 1)
    both = TwoPainters(glass)
    for moment in moments(7):
        stage = SceneContext(moment.view, glass, words_in("en"))
        blocks = scene_of(moment.view).view(stage)
        for at, block in enumerate(blocks):
            for button in block.buttons[:buttons]:
                pressed = msgspec.structs.replace(block, touched=(TouchedButton(button.id, 17),))
                assert both.show((*blocks[:at], pressed, *blocks[at + 1 :])), (moment.picture, button.id)
        assert both.show(blocks), moment.picture


@pytest.mark.slow
def test_every_step_of_a_game_repainted_is_the_same_as_painted_anew() -> None:
    glass = screen_geometry_for((800, 480))
    both, table = TwoPainters(glass), Table(7).begun()
    steps: list[GameCommand] = [LoseLife(SeatNo(n)) for n in (1, 2, 2, 5)]
    more: list[GameCommand] = [RegainLife(SeatNo(2)), EndTurn(), CallJudge(), Undo(2), EndTurn()]
    for step in (*steps, *more):
        table.do(step)
        stage = SceneContext(table.view(), glass, words_in("en"))
        assert both.show(scene_of(stage.table).view(stage)), step


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_block_is_the_upright_one_turned(turns: int) -> None:
    width, height = (120, 60) if turns == 2 else (60, 120)
    _, upright = painted(ScreenGeometry(120, 60, 5), (Block("one", Rect(0, 0, 120, 60), PARTS),))
    _, surface = painted(
        ScreenGeometry(width, height, 5), (Block("one", Rect(0, 0, width, height), PARTS, turns),)
    )
    turned = pygame.transform.rotate(upright, -90 * turns)
    assert pixels(turned) == pixels(surface)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_glass_shows_the_same_picture_turned(turns: int) -> None:
    block = Block("one", Rect(10, 4, 120, 60), PARTS, 0)
    _, upright = painted(ScreenGeometry(140, 90, 5), (block,))
    _, surface = painted(ScreenGeometry(140, 90, 5, turns), (block,))
    card = pygame.transform.rotate(upright.subsurface((20, 14, 100, 40)), -90 * turns)
    where = {1: (90 - 54, 20), 2: (140 - 120, 90 - 54), 3: (14, 140 - 120)}[turns]
    part = surface.subsurface((*where, *card.get_size()))
    assert pixels(card) == pixels(part)


def test_the_cache_keeps_to_its_budget() -> None:
    cache = SurfaceCache(budget_bytes=10_000)
    for number in range(50):
        cache.get_or_make(number, lambda: pygame.Surface((20, 20), pygame.SRCALPHA, 32))
        assert cache.held_bytes <= 10_000


def test_the_cache_makes_a_surface_once() -> None:
    cache = SurfaceCache(budget_bytes=10_000)
    made = []

    def make() -> pygame.Surface:
        made.append(1)
        return pygame.Surface((4, 4), depth=32)

    assert cache.get_or_make("a", make) is cache.get_or_make("a", make)
    assert made == [1]


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_drawing_draws_something_and_keeps_its_corners_free(name: str) -> None:
    picture = render_icon(name, 32, (38, 22, 12), (250, 240, 219))
    alphas = [picture.get_at((x, y)).a for x in range(32) for y in range(32)]
    assert max(alphas) > 200
    assert picture.get_at((0, 0)).a < 80


def test_text_shrinks_before_it_is_cut() -> None:
    types = Typesetter()
    wide = types.fit(Label(Rect(0, 0, 400, 30), "Suzy Lafayette", 24, theme.INK))
    narrow = types.fit(Label(Rect(0, 0, wide.width * 3 // 4, 30), "Suzy Lafayette", 24, theme.INK))
    tiny = types.fit(Label(Rect(0, 0, 40, 30), "Suzy Lafayette", 24, theme.INK))
    assert (wide.size_px, wide.cut) == (24, False)
    assert narrow.size_px < 24
    assert not narrow.cut
    assert tiny.cut
    assert tiny.text.endswith("…")
    assert tiny.width <= 40


def test_a_paragraph_keeps_to_its_room() -> None:
    types = Typesetter()
    text = "Two points, Dynamite takes three, two Beers bring back one."
    fitted = types.wrap(Paragraph(Rect(0, 0, 120, 60), text, 18, theme.INK))
    assert not fitted.cut
    assert " ".join(fitted.lines) == text
    for line in fitted.lines:
        assert types.width(line, Typeface.TEXT, fitted.size_px) <= 120


ROLES = ("Vice", f"Fuori{SOFT_HYPHEN}legge", "Rinnegato")


class Noting(Pen):
    """A pen that records the size of text."""

    def __init__(self) -> None:
        kit = PenResources(SurfaceCache(100_000), Typesetter(), DAY)
        super().__init__(pygame.Surface((80, 80)), Rect(0, 0, 80, 80), 0, kit)
        self.sizes: list[int] = []

    def label(self, label: Label) -> None:
        self.sizes.append(self.size_of(label))

    def paragraph(self, paragraph: Paragraph) -> None:
        self.sizes.append(self.size_of(paragraph))


@pytest.mark.parametrize(
    ("width", "kin", "are_alike"),
    [
        *((width, ROLES, True) for width in (48, 60, 76)),
        pytest.param(48, (), False, id="without kin as large as the own room allows"),
    ],
)
def test_kin_are_written_as_large_as_the_longest_of_them(
    width: int, kin: tuple[str, ...], *, are_alike: bool
) -> None:
    pen = Noting()
    for role in ROLES:
        paint_button(pen, Button(Rect(0, 0, width, 60), role, role, size_px=20, kin=kin), None)
    assert (len(set(pen.sizes)) == 1) is are_alike
