"""Who did a step, in the words of the reader of the history."""

import pytest
from tests.core.tournament.conftest import Judge, one_group

from saloon.core.terms import RoundNo, TournamentId
from saloon.core.tournament.events import DrawSealed, TournamentStep
from saloon.station.web.i18n import Words
from saloon.station.web.text.events_in_words import history_lines


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("terminal 4 (PIN)", "terminal of table 4, by PIN"),
        ("terminal 12 (key)", "terminal of table 12, by key"),
        ("Ada", "Ada"),
    ],
)
def test_who_confirmed_at_a_table_is_told_in_words(by: str, said: str) -> None:
    step = TournamentStep(
        TournamentId("open"), (DrawSealed(RoundNo(1), 1, "seed", "seal", by),), "2026-11-21T10:00:00+00:00"
    )
    (line,) = history_lines((step,), Judge(one_group()).opens(5).state, Words("en"))
    assert line.by == said
