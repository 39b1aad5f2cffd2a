"""Moments that a judge causes from the station: a message, a locked glass, a terminal to be found."""

from collections.abc import Iterator
from typing import Final

import msgspec

from core.terms import MessageId
from kiosk.view.table_view import Delivery, ShownMessage, StationOrdersView, TableView
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import Moment, Table

SHORT: Final = "Stop playing, lunch is at 13:00"
LONGEST: Final = (
    "Finish the turn you are in, then put the cards down as they are and come to the stage. "
    "Leave the terminal switched on: we will carry on with the same hands at a quarter past two, "
    "so don't be late, please."
)
"""As long as a message may be."""
SHOUTED: Final = LONGEST.upper()


def station_moments(seats: int) -> Iterator[Moment]:
    """Yield each of them once; over a game of ``seats`` seats, or between games."""
    play = Table(seats).running().view()
    free = TableView(None, None, None, Delivery(3, 3, 3, LinkPhase.CONNECTED), 0)

    def with_orders(view: TableView, orders: StationOrdersView) -> TableView:
        return msgspec.structs.replace(view, station=orders)

    def message(text: str, *, after: int = 0) -> StationOrdersView:
        message_shown = ShownMessage(MessageId("m1"), text, "Francesca Maria", after=after, may_confirm=True)
        return StationOrdersView(message_shown)

    yield Moment("message", "message", with_orders(play, message(SHORT)))
    yield Moment("message-long", "message", with_orders(play, message(LONGEST, after=2)))
    yield Moment("message-loud", "message", with_orders(free, message(SHOUTED)))
    locked = StationOrdersView(locked_by="Francesca Maria")
    yield Moment("glass-locked", "glass-locked", with_orders(play, locked))
    yield Moment("glass-locked-without-a-game", "glass-locked", with_orders(free, locked))
    yield Moment("glass-unlocks", "pin", with_orders(play, locked), ("unlock-glass",))
    yield Moment("identified", "identified", with_orders(play, StationOrdersView(is_identified=True)))
    spare = StationOrdersView(is_identified=True, name="3fa29b1c")
    yield Moment("identified-spare", "identified", with_orders(free, spare))
