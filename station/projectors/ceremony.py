"""The ceremony: the ranking revealed on screens place by place, up to the winner."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from core.tournament.standings.standings import StandingRow
from core.tournament.state.tournament import Stage
from station.projectors.service import Projector
from station.web.tournament_context import TournamentContext

RANKING_PAGE: Final = "ranking"
PODIUM_PAGE: Final = "podium"
REVEAL_STEPS: Final = re.compile(r"begin|podium|all|place-[1-9]\d{0,4}")
"""The steps of a ceremony, as forms name them."""
_SLOTS: Final = 10
"""The most places shown beside the newest."""


class Reveal(msgspec.Struct, frozen=True):
    """A ceremony: the places from the first one revealed to the winner, best first, and those shown.

    newest: the place revealed last, or None before the first.
    """

    rows: tuple[StandingRow, ...]
    revealed: int

    @property
    def next_place(self) -> int:
        """The next place, or 0 after the winner."""
        return max(0, len(self.rows) - self.revealed)

    @property
    def newest(self) -> StandingRow | None:
        return self.rows[self.next_place] if self.revealed and self.rows else None

    @property
    def slots(self) -> list[tuple[int, StandingRow | None]]:
        """The places around the newest, each with None until it is revealed."""
        first = self.next_place // _SLOTS * _SLOTS
        around = enumerate(self.rows[first : first + _SLOTS], first)
        return [(place + 1, row if place >= self.next_place else None) for place, row in around]


def reveal_on(screen: Projector, here: TournamentContext) -> Reveal | None:
    """Return the ceremony on a screen, or None if it has none."""
    if screen.revealed is None or screen.pinned != RANKING_PAGE:
        return None
    rows = _revealed_rows(all_ranked(here), screen.reveal_from)
    return Reveal(rows, min(screen.revealed, len(rows)))


def _revealed_rows(ranking: Sequence[StandingRow], first: int) -> tuple[StandingRow, ...]:
    """Return the places of a ceremony that begins at this place, or at the last for 0."""
    return tuple(row for row in ranking if row.rank and row.rank.first <= (first or len(ranking)))


def take_step(screen: Projector, *, word: str, first: int, ranking: Sequence[StandingRow]) -> Projector:
    """Return a screen after one of the steps. ``first`` is the place at which it begins, 0 for the last."""
    match word.partition("-"):
        case "begin", _, _:
            return replace(screen, revealed=0, reveal_from=first, pinned=RANKING_PAGE)
        case "place", _, place:
            # A second click on the same button reveals nothing more.
            revealed = len(_revealed_rows(ranking, screen.reveal_from)) - int(place) + 1
            return replace(screen, revealed=max(screen.revealed or 0, revealed), pinned=RANKING_PAGE)
        case "podium", _, _:
            return replace(screen, revealed=None, pinned=PODIUM_PAGE)
        case _:
            # After the ceremony, the screen shows the podium and the ranking in turn again.
            is_ceremony = screen.pinned in {RANKING_PAGE, PODIUM_PAGE}
            return replace(screen, revealed=None, pinned=None if is_ceremony else screen.pinned)


def all_ranked(here: TournamentContext) -> list[StandingRow]:
    """Return the public ranking's rows that have a place, best first; none before publication."""
    if here.state.stage is not Stage.PUBLISHED:
        return []
    return [row for row in here.service.standings(here.state.tournament).rows if row.rank]
