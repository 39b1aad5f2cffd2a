"""A table where the judge is at work: every page behind the judge's menu."""

from collections.abc import Iterator

import msgspec

from saloon.core.editions.edition import Edition
from saloon.kiosk.rehearsal.ending_moments import ending_moments
from saloon.kiosk.rehearsal.moments import EDITION, Moment, Table
from saloon.kiosk.table_view import Delivery, TableView

_MENU = ("menu", "judge-menu")


def judge_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """The pages of the judge's menu, and the scenes of a proposed ending, at a table of so many seats."""
    play = msgspec.structs.replace(Table(seats, rules).running().view(), judge_present=True)
    yield Moment("judge", "judge", play, _MENU)
    nothing = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1000)
    alone = msgspec.structs.replace(nothing, judge_present=True)
    yield Moment("judge-without-a-game", "judge", alone, ("judge-menu",))
    yield Moment("time-limit", "time-limit", play, (*_MENU, "end-by-time-limit"))
    yield Moment("judge-leaves", "player-leaves", play, (*_MENU, "player-leaves"))
    away = (*_MENU, "player-leaves", "leaves-seat-3")
    yield Moment("judge-sends-away", "send-away", play, away)
    yield Moment("judge-voids", "void", play, (*_MENU, "void-game"))
    yield from ending_moments(seats, rules)
    done = msgspec.structs.replace(play, done="Francesca Maria was ejected.")
    yield Moment("judge-has-done", "play", done)
