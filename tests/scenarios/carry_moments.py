"""A table whose result leaves without a wire, at each of its scenes."""

from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec

from core.game.ending.sheet import ConfirmSheet
from core.game.state.game import Confirmation
from kiosk.terminal.link.qr_codes import code_of
from kiosk.view.table_view import (
    Delivery,
    OfflineExportView,
    ParcelContents,
    ShownParcel,
    TableView,
    UsbStickState,
)
from sync.protocol.parcel import parts_of
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import Moment, Table

_AWAY: Final = Delivery(entered=96, saved=96, received=39, link=LinkPhase.SEARCHING)
_HELD: Final = OfflineExportView(has_sheet=True, owed=57, of_game=96)
_SHEET: Final = bytes(range(256)) * 2
_GAME: Final = bytes(range(256)) * 10


def carry_moments(seats: int) -> Iterator[Moment]:
    """Yield the choice, codes of a sheet and of a game, and every message about a stick."""
    confirmed = Table(seats).declared().do(ConfirmSheet(Confirmation.KEY)).view(_AWAY)
    open_ = ("carry",)
    yield Moment("carry", "carry", _with(confirmed, _HELD), open_)
    sheet = _with(Table(seats).declared().view(_AWAY), _HELD)
    yield Moment("carry-unconfirmed", "carry", sheet, open_)
    running = msgspec.structs.replace(Table(seats).running().view(_AWAY), judge_present=True)
    by_judge = _with(running, msgspec.structs.replace(_HELD, has_sheet=False))
    yield Moment("carry-by-judge", "carry", by_judge, ("menu", "judge-menu", "carry"))
    for picture, parcel in _parcels():
        held = msgspec.structs.replace(_HELD, parcel=parcel)
        yield Moment(picture, "code", _with(confirmed, held), ("carry", "show-sheet"))
    for state in UsbStickState:
        held = msgspec.structs.replace(_HELD, stick=state, file="saloon-table-4-0a1b2c3d4e5f6071.parcel")
        picture = f"stick-{state.value.replace(' ', '-')}"
        yield Moment(picture, "stick", _with(confirmed, held), ("carry", "write-stick"))


@cache
def _parcels() -> tuple[tuple[str, ShownParcel], ...]:
    (sheet,) = parts_of(_SHEET)
    game = parts_of(_GAME)
    stopped = ShownParcel(ParcelContents.OWED, 3, len(game), code_of(game[2]), 41, 96, 250, is_playing=False)
    return (
        ("code-sheet", ShownParcel(ParcelContents.SHEET, 1, 1, code_of(sheet))),
        ("code-game", ShownParcel(ParcelContents.GAME, 2, len(game), code_of(game[1]), 41, 96)),
        ("code-stopped", stopped),
    )


def _with(view: TableView, carried: OfflineExportView) -> TableView:
    return msgspec.structs.replace(view, carried=carried)
