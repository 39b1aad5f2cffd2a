"""Every screen says whose agreement is missing, in each form that the organiser may choose."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
import pytest

from core.game.ending.agreement import AgreeEnding, awaited_seats
from core.game.play.abandonment import Abandon
from core.rule_set import AgreementForm
from core.terms import Role, SeatNo
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.scenes.ending.ending import ending_table
from kiosk.scenes.scene import SceneContext
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import WidthsKept
from tests.kiosk.scenes.test_legible import GLASSES, LANGUAGES, Ruler
from tests.pairwise import pairs_first
from tests.scenarios.moments import EDITION, Table

TYPES = WidthsKept()
SEATS = (4, 5, 7, 8, 10)
CROWDED = 8
LEAST_MM = 2.6
"""The least height of capitals in the smallest middles."""
ONE, FOUR = SeatNo(1), SeatNo(4)
ASKS = "Is this right? One of you taps for all; anybody may say no."
BOTH = "The Sheriff and one other player must agree; anybody may say no."
MORE = "The Sheriff agrees. One other player must agree too; anybody may say no."
FOR_SHERIFF = "Waiting for the Sheriff."


def ended(seats: int, form: AgreementForm, *agreed: SeatNo) -> Table:
    """Return a table whose game has ended, with these seats' agreement."""
    table = Table(seats, EDITION if seats < CROWDED else rebel_rules(), agreement=form).ended()
    return table.do(*(AgreeEnding(seat) for seat in agreed))


@lru_cache(maxsize=8)
def agreements(seats: int) -> tuple[tuple[TableView, tuple[str, ...]], ...]:
    """Return each moment of an agreement, with the possible texts about what is missing."""
    return tuple(_agreements(seats))


def _agreements(seats: int) -> Iterator[tuple[TableView, tuple[str, ...]]]:
    yield ended(seats, AgreementForm.ONE_FOR_ALL).view(), (ASKS, "One of you agrees.")
    both = AgreementForm.SHERIFF_AND_ONE
    yield ended(seats, both).view(), (BOTH, "Sheriff and one other agree.")
    yield ended(seats, both, ONE).view(), (MORE, "One more must agree.")
    yield ended(seats, both, FOUR).view(), (FOR_SHERIFF,)


def said(view: TableView, size: str, language: str, layout: Layout) -> str:
    preferences = msgspec.structs.replace(view.preferences, layout=layout)
    in_language = msgspec.structs.replace(view, language=language, preferences=preferences)
    stage = SceneContext(in_language, GLASSES[size], words_in(language), types=TYPES)
    ruler = Ruler(TYPES, GLASSES[size])
    ruler.block(next(block for block in ending_table().view(stage) if block.id == "middle"))
    return " ".join(line.text for line in ruler.written if line.capitals_mm >= LEAST_MM).replace("- ", "")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "others"), pairs_first(GLASSES, LANGUAGES, SEATS, Layout))
def test_whose_agreement_is_missing_is_said_on_every_glass(
    size: str, others: list[tuple[str, int, Layout]]
) -> None:
    wrong = []
    for language, seats, layout in others:
        for view, ways in agreements(seats):
            text = said(view, size, language, layout)
            if not any(words_in(language).gettext(way).rstrip(".") in text for way in ways):
                wrong.append((language, seats, layout, ways[-1], text))
    assert wrong == []


def test_where_the_sheriff_has_left_one_player_agrees_for_all() -> None:
    table = Table(7, agreement=AgreementForm.SHERIFF_AND_ONE).begun().do(Abandon(ONE))
    table.kill(1, 3, Role.SHERIFF)
    assert "One of you taps for all" in said(table.view(), "1280x800", "en", Layout.RING)
    table.do(AgreeEnding(FOUR))
    assert awaited_seats(table.state) == ()
