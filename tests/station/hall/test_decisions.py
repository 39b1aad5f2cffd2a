"""Decisions are stored and can be read back, or are refused."""

import pytest

from base.errors import BadData
from core.terms import GameId
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from station.hall import tournaments
from tests.station.conftest import OPEN, Station, outlaws_won


def test_a_step_that_could_not_be_read_back_is_neither_stored_nor_confirmed(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.opens(10)
    result = outlaws_won(station.publishes(), 1)
    stored = list(station.context.parts.store.entries_after())
    of_nobody = GameId("of nobody")
    wrong = AcceptSheet(of_nobody, result, Source.PAPER, "Judge Roy")
    monkeypatch.setattr(tournaments, "core_decide", lambda *_: (wrong,))
    with pytest.raises(BadData, match="not drawn"):
        station.does(AcceptSheet(of_nobody, result, Source.PAPER))
    assert list(station.context.parts.store.entries_after()) == stored
    assert not station.service.tournament(OPEN).rounds[0].sheets
