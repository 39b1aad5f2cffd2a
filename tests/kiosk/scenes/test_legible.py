"""Important text is large enough at every size, and High Noon is named wherever it matters.

Measured with the code that paints: the height of capitals after text was shrunk to fit.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import msgspec
import pytest

from core.characters import Character
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.decisions import Undo
from core.game.state.game import HighNoon
from core.terms import Role
from kiosk.i18n import role_name, words_in
from kiosk.preferences import Layout, Theme
from kiosk.ui.blocks import Block, Box, Button, ButtonStyle, Icon, Label, Paragraph
from kiosk.ui.buttons import paint_button
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.ui.text import CAP_HEIGHT, SOFT_HYPHEN, Typesetter
from kiosk.view.table_view import RoundTime, TableView
from kiosk.view.theme import NOON, SOOT
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import laid_out, types_for
from tests.kiosk.scenes.test_overflow import Measure
from tests.pairwise import pairs_first
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tests.scenarios.moments import EDITION, Moment, Table, moments, speaking
from tests.scenarios.terminal_moments import station_moments

GLASSES = {
    f"{width}x{height}": screen_geometry_for((width, height), 0, inches)
    for width, height, inches in (
        (480, 800, 7.0), (720, 1280, 7.0), (800, 480, 7.0), (1024, 600, 7.0), (1280, 800, 10.1),
        (800, 1280, 10.1),
    )
}  # fmt: skip
SEATS = range(4, 11)
CROWDED = 8
CAPITALS_MM = 3.5
CLOCK_MM = 5.0
ROUNDING_MM = 0.05
TIGHTEST = ("720x1280", 10, Layout.RING)
"""A size whose middle is only 42 by 38 mm: some German and French titles are smaller there."""
REWARD_FIRST = "somebody out"
"""On seven inches, the middle of ten seats has room only for what the killer draws until the turn ends."""
TEN_INCHES = ("1280x800", "800x1280")
SCENES = (
    "seating", "roles", "characters", "play", "undone", "high-noon", "last-life", "last-life-high-noon",
    "eliminate-by", "eliminate-turn", "eliminate-role", "eliminate-confirm", "revolution", "revolution-news",
    "rebel-shown", "ending", "ending-agreed", "roles-declare", "locked", "turns-passed", "may-redo",
    "eliminate-nobody", "reshuffle-again", "reshuffled-in-turn", "asks-still-turn", "asks-reshuffled",
    "late-reshuffle", "still-in-play", "light", "light-whose-turn", "light-waiting", "light-high-noon",
    "sheet", "confirmed", "call-reason", "judge-called-why", "turn-again",
    "confirmed-received", "final-story", "take-home", "own-end", "ability", "new-player",
)  # fmt: skip
SHEET_HEAD = "Record sheet · table {table} · round {round}"
LANGUAGES = ("en", "it", "de", "fr", "es")


class Written(NamedTuple):
    """A painted text. place: its block and what it belongs to."""

    place: str
    text: str
    capitals_mm: float


class Ruler(Measure):
    """A pen that records the height of each text's capitals.

    whole: with the second lines of buttons, which are remarks; see ``is_needed``.
    """

    def __init__(self, types: Typesetter, glass: ScreenGeometry, *, whole: bool = False) -> None:
        super().__init__(types)
        self._glass = glass
        self._whole = whole
        self._place = ""
        self.written: list[Written] = []

    def label(self, label: Label) -> None:
        if label.text:
            fitted = self._types.fit(label)
            self._note(fitted.text, fitted.size_px)

    def paragraph(self, paragraph: Paragraph) -> None:
        if paragraph.text:
            fitted = self._types.wrap(paragraph)
            self._note(" ".join(fitted.lines), fitted.size_px)

    def block(self, block: Block) -> None:
        for part in block.parts:
            self._place = f"{block.id}/{part.id if isinstance(part, Button) else type(part).__name__}"
            match part:
                case Label():
                    self.label(part)
                case Paragraph():
                    self.paragraph(part)
                case Button():
                    paint_button(self, part if self._whole else msgspec.structs.replace(part, small=""), None)
                case _:
                    pass

    def _note(self, text: str, size_px: int) -> None:
        # A ten-inch screen is read from farther away, but the result is the same.
        self.written.append(Written(self._place, text, size_px * CAP_HEIGHT / self._glass.px_per_mm))


@lru_cache(maxsize=16)
def scenes_of(seats: int) -> tuple[Moment, ...]:
    rules = EDITION if seats < CROWDED else rebel_rules()
    return tuple(moment for moment in moments(seats, rules) if moment.picture in SCENES)


def written(
    glass: ScreenGeometry, moment: Moment, language: str, layout: Layout, theme: Theme = Theme.DAY
) -> Iterator[Written]:
    preferences = msgspec.structs.replace(moment.view.preferences, theme=theme)
    view = msgspec.structs.replace(moment.view, preferences=preferences)
    translated = msgspec.structs.replace(moment, view=view)
    ruler = Ruler(types_for(glass), glass)
    for block in laid_out(glass, translated, language, layout)._blocks:
        if block.id != "strip":
            ruler.block(block)
    return iter(ruler.written)


def is_needed(written: Written, language: str) -> bool:
    """Return whether a text is necessary to play the game.

    Not necessary: the status strip, which is for the judge; remarks below a label, such as the number of the
    deck; the character beside a name, whose card is in front of the player; role names on the buttons of a
    panel after the game, which are shown in large type once chosen; the word for an eliminated player next to
    a tombstone; why a player isn't asked; that a panel can be held; the line below a record sheet's title.
    """
    if not written.place.startswith("seat-"):
        return not written.text.startswith(words_in(language).gettext(SHEET_HEAD).partition("{")[0])
    words = words_in(language).gettext
    names = {character.value for character in Character}
    names |= {role_name(words_in(language), role) for role in Role}
    remarks = ("eliminated", "has left: no answer needed", "the judge ruled: no answer needed")
    names |= {words(text) for text in (*remarks, "Hold: my menu")}
    text = written.text.replace("- ", "")
    return "/declare-seat-" not in written.place and text not in {n.replace(SOFT_HYPHEN, "") for n in names}


def least_mm(written: Written, seats: int, picture: str) -> float:
    """Return the least height of capitals, which is a little smaller on the cards of crowded tables."""
    if written.text == "Mezzogiorno di Fuoco!":
        return 3.1  # wider than the narrowest middles
    if seats > CROWDED and not written.place.startswith("seat-") and picture in {"undone", "may-redo"}:
        return 3.1  # a whole sentence in a middle of 45 by 25 mm, for a player who has just touched Undo
    return 3.0 if seats >= CROWDED and written.place.startswith("seat-") else CAPITALS_MM


def has_large_capitals(size: str, language: str, seats: int, layout: Layout) -> bool:
    return language == "en" or (seats in {7, 10} and (size, seats, layout) != TIGHTEST)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "others"), pairs_first(GLASSES, LANGUAGES, SEATS, Layout, where=has_large_capitals)
)
def test_capitals_that_must_be_read_are_high_enough(size: str, others: list[tuple[str, int, Layout]]) -> None:
    glass = GLASSES[size]
    wrong = [
        f"{language} {seats} {layout.value} {moment.picture}: {one.capitals_mm:.2f} mm {one}"
        for language, seats, layout in others
        for moment in scenes_of(seats)
        for one in written(glass, moment, language, layout)
        if is_needed(one, language) and one.capitals_mm < least_mm(one, seats, moment.picture) - ROUNDING_MM
    ]
    assert wrong == []


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_digits_of_life_points_are_high_enough(size: str) -> None:
    glass, least = GLASSES[size], 18.0 if size in TEN_INCHES else 12.0
    for seats in SEATS:
        for layout in Layout:
            play = next(moment for moment in scenes_of(seats) if moment.picture == "high-noon")
            digits = [one for one in written(glass, play, "en", layout) if one.text in {"3", "4", "5"}]
            assert len(digits) == seats
            for one in digits:
                assert one.capitals_mm >= least - ROUNDING_MM, (seats, layout, one)


@pytest.mark.by_day(10)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_a_message_is_whole_and_legible_from_both_sides(size: str, language: str) -> None:
    glass = GLASSES[size]
    for layout, halves in ((Layout.RING, 2), (Layout.KEEPER, 1)):
        for moment in station_moments(5):
            if moment.scene == "pin":
                continue
            said = [one for one in written(glass, moment, language, layout) if one.place != "strip"]
            small = [one for one in said if one.capitals_mm < CAPITALS_MM - ROUNDING_MM]
            assert small == [], (layout, moment.picture)
            message = moment.view.station.message
            if message is not None:
                texts = [one.text for one in said if one.place.endswith("Paragraph")]
                assert texts == [message.text] * halves, (layout, moment.picture)


def at_high_noon(seats: int) -> Iterator[tuple[str, Moment]]:
    """Yield tables with High Noon announced or on, in a normal turn, after an undo or an elimination."""
    rules = EDITION if seats < CROWDED else rebel_rules()

    def waiting() -> Table:
        table = Table(seats, rules).begun().do(EndTurn())
        while table.state.high_noon is HighNoon.OFF:
            table.do(Reshuffle())
        return table

    def going() -> Table:
        table = waiting()
        while table.state.high_noon is not HighNoon.ON:
            table.do(EndTurn())
        return table

    for name, made in (("waits", waiting), ("is on", going)):
        yield name, Moment("noon", "play", made().view())
        yield f"{name}, undone", Moment("noon", "play", made().wound(3, 1).do(Undo(1)).view())
        killed = made()
        on = killed.state.turn
        assert on is not None
        out = next(s for s in range(2, seats + 1) if s != on)
        yield f"{name}, somebody out", Moment("noon", "play", killed.kill(out, on, Role.OUTLAW).view())
        locked = msgspec.structs.replace(made().view(), is_locked=True)
        yield f"{name}, locked", Moment("noon", "locked", locked)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "others"), pairs_first(SEATS, Theme, GLASSES, Layout))
def test_high_noon_is_named_on_every_glass_while_it_waits_and_is_on(
    seats: int, others: list[tuple[Theme, str, Layout]]
) -> None:
    wrong = [
        f"{size} {theme.value} {layout.value} {name}"
        for name, moment in at_high_noon(seats)
        for theme, size, layout in others
        if not (seats == 10 and size not in TEN_INCHES and name.endswith(REWARD_FIRST))
        and not any(
            "High Noon" in one.text and one.capitals_mm >= CAPITALS_MM - ROUNDING_MM
            for one in written(GLASSES[size], moment, "en", layout, theme)
            if one.place.startswith("middle/")
        )
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_every_question_is_whole_at_the_largest_table(size: str) -> None:
    glass = GLASSES[size]
    questions = {
        "last-life": ("Čeněk Dvořák: no life points left", "1 Beer", "Eliminated"),
        "revolution": ("Is Dafne the Rebel!?", "Hold: Yes", "Hold: No"),
    }
    for layout in Layout:
        for moment in scenes_of(10):
            if moment.picture in questions:
                said = " | ".join(one.text for one in written(glass, moment, "en", layout))
                for words in questions[moment.picture]:
                    assert words in said, (layout, said)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_large_type_is_larger_where_it_has_room_and_nowhere_too_small(size: str) -> None:
    glass, wrong, larger = GLASSES[size], [], 0
    for layout in Layout:
        for moment in scenes_of(7):
            usual = {one.text: one for one in written(glass, moment, "en", layout)}
            for one in written(glass, moment, "en", layout, Theme.CONTRAST):
                larger += one.text in usual and one.capitals_mm > usual[one.text].capitals_mm
                if is_needed(one, "en") and one.capitals_mm < CAPITALS_MM - 3 * ROUNDING_MM:
                    wrong.append(f"{layout.value} {moment.picture}: {one.capitals_mm:.2f} mm {one.text!r}")
    assert wrong == []
    assert larger > 100


def test_the_middle_turns_to_the_player_in_turn_and_speaks_their_language() -> None:
    view = speaking(Table(7).begun().view(), "it", "de")
    screen = laid_out(GLASSES["800x480"], Moment("play", "play", view))
    middle = next(block for block in screen._blocks if block.id == "middle")
    assert middle.quarter_turns == 0
    assert any(button.label == "Fine turno" for button in middle.buttons)
    table = Table(7).begun()
    for turn in range(2, 8):
        table.do(EndTurn())
        screen = laid_out(GLASSES["800x480"], Moment("play", "play", table.view()))
        middle = next(block for block in screen._blocks if block.id == "middle")
        card = next(block for block in screen._blocks if block.id == f"seat-{turn}")
        assert middle.quarter_turns == card.quarter_turns, turn
    upright = laid_out(GLASSES["800x480"], Moment("play", "play", view), layout=Layout.KEEPER)
    middle = next(block for block in upright._blocks if block.id == "middle")
    assert any(button.label == "End turn" for button in middle.buttons)


def test_a_change_is_shown_once_and_the_character_stays() -> None:
    table = Table(4).begun()
    screen = laid_out(GLASSES["800x480"], Moment("play", "play", table.view()))
    screen.update(table.wound(2, 1).view())
    panel = next(block for block in screen._blocks if block.id == "seat-2")
    texts = [part.text for part in panel.parts if isinstance(part, Label)]
    assert texts.count("−1") == 1
    assert table.state.seats[1].character is not None
    assert table.state.seats[1].character.value in texts


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, 10])
def test_what_must_be_held_says_so(seats: int) -> None:
    rules = EDITION if seats < CROWDED else rebel_rules()
    silent = set[str]()
    for moment in (*moments_at(seats, rules), *moments_anywhere()):
        screen = laid_out(GLASSES["800x480"], moment)
        if any("Hold a button" in text for text in screen.visible_text()):
            continue
        silent |= {
            f"{moment.picture}: {button.label}"
            for block in screen._blocks
            for button in block.buttons
            if button.hold_ms and button.look is not ButtonStyle.BARE and "hold" not in button.label.lower()
        }
    assert silent == set()


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_the_clock_and_the_number_of_the_deck_are_high_enough(size: str) -> None:
    glass, wrong, count = GLASSES[size], [], 0
    for seats in (4, 7, CROWDED, 10):
        play = next(moment for moment in scenes_of(seats) if moment.picture == "play")
        for language in LANGUAGES:
            deck = words_in(language).gettext("Deck {number}").format(number=2)
            for layout in Layout:
                ruler = Ruler(types_for(glass), glass, whole=True)
                for block in laid_out(glass, play, language, layout)._blocks:
                    if block.id in {"clock", "middle"}:
                        ruler.block(block)
                least = {deck: CAPITALS_MM, "34": CLOCK_MM}
                labels = [one for one in ruler.written if one.text in least]
                count += len(labels)
                small = (one for one in labels if one.capitals_mm < least[one.text] - ROUNDING_MM)
                wrong += [f"{seats} {layout.value} {language}: {one}" for one in small]
    assert wrong == []
    assert count == 4 * len(LANGUAGES) * len(Layout) * 2


def clock_of(view: TableView, **time: int) -> Block:
    """Return the clock of a table with this time left."""
    round_time = msgspec.structs.replace(view.round_time or RoundTime(600, 5400), **time)
    moment = Moment("play", "play", msgspec.structs.replace(view, round_time=round_time))
    return next(block for block in laid_out(GLASSES["800x480"], moment)._blocks if block.id == "clock")


@pytest.mark.parametrize("seats", [5, 7, 10])
def test_the_clock_turns_with_the_middle(seats: int) -> None:
    play = next(moment for moment in scenes_of(seats) if moment.picture == "play")
    blocks = laid_out(GLASSES["800x480"], play)._blocks
    turns = [block.quarter_turns for block in blocks if block.id in {"clock", "middle"}]
    assert turns[0] == turns[1]


@pytest.mark.parametrize("theme", Theme)
def test_the_last_five_minutes_are_told_by_the_ground_and_not_by_colour_alone(theme: Theme) -> None:
    view = Table(7).running().view()
    view = msgspec.structs.replace(view, preferences=msgspec.structs.replace(view.preferences, theme=theme))
    ordinary, last, stopped = (
        clock_of(view, left_s=301), clock_of(view, left_s=300), clock_of(view, left_s=300, is_held_here=True)
    )  # fmt: skip
    grounds = [[type(part) for part in block.parts].count(Box) for block in (ordinary, last, stopped)]
    assert grounds == [0, 1, 1]
    icons = [part.name for block in (ordinary, stopped) for part in block.parts if isinstance(part, Icon)]
    assert icons == ["clock", "pause"]
    ground = next(part.fill for part in last.parts if isinstance(part, Box))
    ink = next(part.colour for part in last.parts if isinstance(part, Label))
    assert (ground, ink) == (NOON, SOOT)


def test_the_clock_counts_seconds_in_the_last_minute_and_marks_a_time_that_is_not_certain() -> None:
    view = Table(7).running().view()
    texts = [
        [part.text for part in clock_of(view, **time).parts if isinstance(part, Label)]
        for time in ({"left_s": 61}, {"left_s": 59}, {"left_s": 0}, {"left_s": 1200, "is_rough": True})
    ]
    assert texts == [["2", "min"], ["59", "s"], ["0", "min"], ["~20", "min"]]


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_bullets_of_a_tournaments_tables_are_high_enough(size: str) -> None:
    glass = GLASSES[size]
    for seats, layout in product((4, 5, 6, 7), Layout):
        play = next(moment for moment in scenes_of(seats) if moment.picture == "play")
        parts = (part for block in laid_out(glass, play, layout=layout)._blocks for part in block.parts)
        sides = [part.rect.h for part in parts if isinstance(part, Icon) and part.name in {"bullet", "spent"}]
        assert min(sides) / glass.px_per_mm >= CAPITALS_MM - ROUNDING_MM, (seats, layout)
