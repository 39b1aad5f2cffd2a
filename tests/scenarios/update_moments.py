"""A terminal between games that fetches a new version, says that it begins, and waits for the system."""

from collections.abc import Iterator

import msgspec

from core.terms import TableNo
from kiosk.view.table_view import Delivery, TableView, UpdateShown, UpdateView
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import Moment


def update_moments() -> Iterator[Moment]:
    """Each of them once."""
    free = TableView(TableNo(12), None, None, Delivery(3, 3, 3, LinkPhase.CONNECTED), 0)
    for stage, scene in (
        (UpdateShown.FETCHING, "waiting"),
        (UpdateShown.SOON, "new-version"),
        (UpdateShown.APPLYING, "new-version"),
    ):
        update = UpdateView(stage, "0.3.0", 40)
        yield Moment(f"update-{stage.value}", scene, msgspec.structs.replace(free, update=update))
