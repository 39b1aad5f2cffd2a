"""Views of a terminal that is itself at fault: in a game, at its start, with a worn card."""

from collections.abc import Iterator

import msgspec

from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.view.table_view import Delivery, TableView
from tests.scenarios.moments import Moment, moments

_NOT_STARTED = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0)


def trouble_moments(seats: int) -> Iterator[Moment]:
    """Yield each of them once; the first in a game of ``seats`` seats."""
    play = next(moment for moment in moments(seats) if moment.picture == "play")
    yield msgspec.structs.replace(play, picture="trouble", scene="trouble", trouble=TroubleScene("1A2B"))
    damaged = TroubleScene("3C4D", "/var/lib/saloon/journal.db: not a journal")
    yield Moment("trouble-start", "trouble", _NOT_STARTED, trouble=damaged)
    worn = TroubleScene("CA06", "/var/lib/saloon/key.pem.new: Read-only file system", is_of_card=True)
    yield Moment("trouble-card", "trouble", _NOT_STARTED, trouble=worn)
