"""An eliminated player's panel shows the whole role, on wide and narrow cards."""

from functools import lru_cache
from itertools import product

import msgspec
import pytest

from core.game.play.turns import EndTurn
from core.terms import Role
from kiosk.i18n import role_name, words_in
from kiosk.preferences import Layout
from kiosk.scenes.play.play import life_panel
from kiosk.scenes.scene import SceneContext
from kiosk.ui.text import SOFT_HYPHEN
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import WidthsKept
from tests.kiosk.scenes.test_legible import GLASSES, LANGUAGES, Ruler
from tests.kiosk.scenes.test_overflow import Measure
from tests.scenarios.moments import EDITION, Table

TYPES = WidthsKept()
LEAST_MM = 2.4
"""The least height of capitals of the longest role on the narrowest cards."""
CROWDED = 8


@lru_cache(maxsize=8)
def with_three_out(seats: int) -> TableView:
    """Return a table that has lost an Outlaw, the Renegade and a Deputy, at its sides if possible."""
    table = Table(seats, EDITION if seats < CROWDED else rebel_rules()).begun().do(EndTurn())
    for seat, role in zip((4, 5, seats), (Role.OUTLAW, Role.RENEGADE, Role.DEPUTY), strict=True):
        table.kill(seat, 2, role)
    return table.view()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_the_role_is_whole_and_large_enough_on_every_card(size: str, language: str) -> None:
    glass, words, wrong = GLASSES[size], words_in(language), []
    for seats, layout in product((7, 8, 10), Layout):
        view = with_three_out(seats)
        preferences = msgspec.structs.replace(view.preferences, layout=layout)
        in_language = msgspec.structs.replace(view, language=language, preferences=preferences)
        stage = SceneContext(in_language, glass, words, types=TYPES)
        for seat in (seat for seat in stage.game.seats if not seat.in_play):
            panel = life_panel(stage, seat)
            measure, ruler = Measure(TYPES), Ruler(TYPES, glass)
            measure.block(panel)
            ruler.block(panel)
            assert seat.role is not None
            role = role_name(words, seat.role).replace(SOFT_HYPHEN, "")
            roles = [one for one in ruler.written if one.text.replace("- ", "") == role]
            if measure.cut or not roles or roles[0].capitals_mm < LEAST_MM:
                wrong.append((seats, layout, seat.seat, role, roles, measure.cut))
    assert wrong == []
