"""No text of the program is cut or too small, in any language, at any size, at any moment.

Nothing is painted: the code that writes text only measures it.
"""

import gettext
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import product

import msgspec
import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from base.errors import Refused
from base.languages import LANGUAGES
from core.game.state.reasons import GameReason
from core.terms import SeatNo
from hardware.contract import PanelButton, PartFailed, RepairHint
from hardware.panel import PinPanel
from hardware.wiring import Wiring
from kiosk.i18n import Words, words_in
from kiosk.preferences import Layout
from kiosk.scenes.widgets.card import short_names
from kiosk.terminal.panel_parts import Parts
from kiosk.ui.blocks import Block, Button, Icon, Label, Paragraph
from kiosk.ui.buttons import paint_button
from kiosk.ui.geometry import Rect
from kiosk.ui.pen import Pen, PenResources, SurfaceCache
from kiosk.ui.text import SOFT_HYPHEN, Typesetter
from kiosk.view import theme
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, WidthsKept, laid_out, types_for
from tests.pairwise import pairs_first
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.every_moment import moments_anywhere
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import EDITION, Moment, Table, moments
from tests.scenarios.table_moments import mark_moments, rule_moments

LONGER = 0.4
"""The additional length of every word in an artificial language."""
LONG = "long"
FIELD = re.compile(r"\{\w*\}")
_WITHOUT_REBEL = 7
_UNBROKEN = 10
"""The longest word without a possible break, as translators are informed."""
_FEWER = (7, 10)
"""Table sizes that are sufficient if the middle doesn't depend on them."""
_ROOMY = 8
"""The largest table that has room for the artificial language."""
_DUELISTS = 2
"""The seats of a duel, and of what needs no table."""
_LONGEST_NAME = SeatNo(6)
"""The player with the longest name."""
TABLES = (4, 5, 6, 7, 8, 9, 10)
_TELLING = (5, 7, 8, 10)
"""Numbers of seats: common ones, and those with the least room."""
_READ = ("en", "it")
"""Languages to try at tables of every size."""


class LongWords(gettext.NullTranslations):
    """English with every word of a message longer by two fifths."""

    def gettext(self, message: str) -> str:
        return stretched(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return stretched(msgid1 if n == 1 else msgid2)


def stretched(message: str) -> str:
    """Return a message longer by two fifths: each word, and if necessary another word at the end."""
    words = re.sub(r"\{\w*\}|[^\W\d_]+", _longer, message)
    lacking = int(len(FIELD.sub("", message)) * (1 + LONGER)) - len(FIELD.sub("", words))
    return words if lacking < 2 or " " not in message else f"{words} {'longer'[: lacking - 1]}"


def _longer(match: re.Match[str]) -> str:
    word = match[0]
    if word.startswith("{"):
        return word
    longer = word + word.lower()[: int(len(word) * LONGER)]
    return longer if len(longer) <= _UNBROKEN else f"{longer[:6]}{SOFT_HYPHEN}{longer[6:]}"


def speech(language: str) -> Words:
    return Words(LONG, LongWords()) if language == LONG else words_in(language)


def always(words: Words) -> Callable[[str], Words]:
    """Speak one language to every seat."""
    return lambda _: words


class Measure(Pen):
    """A pen that only records texts of the program that don't fit."""

    def __init__(self, types: Typesetter) -> None:
        super().__init__(
            pygame.Surface((1, 1)), Rect(0, 0, 1, 1), 0, PenResources(SurfaceCache(1), types, theme.DAY)
        )
        self.cut: list[str] = []

    def fill(self, rect: Rect, colour: theme.Colour) -> None:
        del rect, colour

    def box(self, rect: Rect, colour: theme.Colour, radius: int) -> None:
        del rect, colour, radius

    def icon(self, icon: Icon) -> None:
        del icon

    def label(self, label: Label) -> None:
        if label.own_words and self._types.fit(label).cut:
            self.cut.append(label.text)

    def paragraph(self, paragraph: Paragraph) -> None:
        if self._types.wrap(paragraph).cut:
            self.cut.append(paragraph.text)

    def block(self, block: Block) -> None:
        for part in block.parts:
            match part:
                case Label():
                    self.label(part)
                case Paragraph():
                    self.paragraph(part)
                case Button():
                    paint_button(self, part, None)
                case _:
                    pass


@lru_cache(maxsize=1)
def every_moment() -> tuple[tuple[int, str, Moment], ...]:
    """Return all moments of tables of several sizes: seats, name, moment."""
    named_moments: list[tuple[int, str, Moment]] = []
    for seats in TABLES:
        rules = EDITION if seats <= _WITHOUT_REBEL else rebel_rules()
        made = (*moments(seats, rules), *judge_moments(seats, rules), *auction_moments(seats))
        named_moments += [(seats, f"{seats}-{moment.picture}", moment) for moment in made]
    read = (*rule_moments(5), *rule_moments(10, rebel_rules()))
    others = (*read, *moments_anywhere())
    return (*named_moments, *((len(m.view.game.seats) if m.view.game else 0, m.picture, m) for m in others))


def is_tried(_size: str, language: str, layout: Layout, seats: int) -> bool:
    sizes = _FEWER if layout is Layout.KEEPER else TABLES if language in _READ else _TELLING
    return seats == _DUELISTS or (seats in sizes and not (language == LONG and seats > _ROOMY))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "others"),
    pairs_first(
        GLASSES,
        (*LANGUAGES, LONG),
        Layout,
        (_DUELISTS, *TABLES),
        where=is_tried,
        by_day=lambda *look: look[-1] in {_DUELISTS, 5, 10},
    ),
)
def test_no_words_of_ours_overflow(size: str, others: list[tuple[str, Layout, int]]) -> None:
    glass = GLASSES[size]
    types, seen, wrong = types_for(glass), set[Block](), dict[str, list[str]]()
    blocks = (
        (f"{language} {layout.value} {name}", block)
        for language, layout, seats in others
        for at, name, moment in every_moment()
        if max(at, _DUELISTS) == seats
        for block in laid_out(glass, moment, language, layout, always(speech(language)))._blocks
    )
    for name, block in blocks:
        if block in seen:
            continue
        seen.add(block)
        measure = Measure(types)
        measure.block(block)
        if measure.cut:
            wrong.setdefault(name, []).extend(measure.cut)
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_the_mark_of_a_rehearsal_leaves_room_for_what_is_not_received(size: str) -> None:
    marked = [next(m for m in mark_moments(seats) if m.picture == "rehearsal-play") for seats in (5, 7)]
    for language, layout, moment in product(LANGUAGES, Layout, marked):
        blocks = laid_out(GLASSES[size], moment, language, layout)._blocks
        measure = Measure(WidthsKept())
        measure.block(next(block for block in blocks if block.id == "strip"))
        assert measure.cut == [], (language, layout)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_of_a_button_that_failed_is_not_cut(language: str) -> None:
    words, types = words_in(language), WidthsKept()
    panel = PinPanel(Wiring("x"), MockFactory(), lambda: 0)
    parts = Parts(panel)
    views = []
    for button, mend in product(
        (PanelButton.RESHUFFLE, PanelButton.END_TURN), (RepairHint.WIRE, RepairHint.CLEAN)
    ):
        parts.on_part_event(PartFailed(f"button {button.value}", "x", mend))
        views.append(parts.notice(words))
    panel.close()
    for seats, notice in product((5, 7, 10), views):
        check_notice(seats, notice, language, types)


def check_notice(seats: int, notice: str, language: str, types: Typesetter) -> None:
    """Check that a notice is not cut on any glass."""
    base = next(m for m in every_moment() if m[:2] == (seats, f"{seats}-play-notice"))[2]
    moment = msgspec.structs.replace(base, view=msgspec.structs.replace(base.view, notice=notice))
    for size, layout in product(GLASSES, Layout):
        measure = Measure(types)
        for block in laid_out(GLASSES[size], moment, language, layout)._blocks:
            measure.block(block)
        assert measure.cut == [], (size, layout, seats)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("language", _READ)
def test_the_longest_refusals_are_not_cut(language: str) -> None:
    refusals = (_refusal(reason, words_in(language)) for reason in GameReason)
    longest = sorted(refusals, key=len)[-12:]
    types = WidthsKept()
    for seats, notice in product((4, 5, 7, 10), longest):
        check_notice(seats, notice, language, types)


def _refusal(reason: GameReason, words: Words) -> str:
    players = short_names(Table(10, rebel_rules()).state.seats)
    fields = dict.fromkeys(re.findall(r"{(\w+)", reason.value), _LONGEST_NAME)
    return words.refusal(Refused(reason, **fields), players)


def test_words_of_the_long_language_are_longer_and_keep_their_fields() -> None:
    assert stretched("{name}'s turn") == "{name}'s turnt"
    assert stretched("Reshuffle") == f"Reshuf{SOFT_HYPHEN}fleres"
    assert stretched("Nobody is left") == "Nobodyno is leftl l"
