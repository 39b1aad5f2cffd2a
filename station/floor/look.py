"""The HTML of tables on the floor, rendered once for all open pages with the same view."""

import enum
from typing import Final

from core.terms import GameId
from station.accounts.permissions import Permission
from station.floor.attention import Attention, attention_of, place_of, silent_minutes
from station.projections.floor_cards import FloorCard
from station.web.site import permissions_of_request
from station.web.tournament_context import TournamentContext

_CSRF_PLACE: Final = "<!-- csrf -->"
"""The placeholder for the CSRF field, which differs by browser."""
_PLACES_PER_STEP: Final = 100_000
_MOST_TABLES: Final = 2_000


class FloorLook(enum.Enum):
    """A table's appearance on the floor."""

    ROWS = "rows"
    CARDS = "cards"
    PLAN = "plan"
    """Each table at its place on the plan of the hall."""


_TEMPLATES: Final = {FloorLook.ROWS: "_row", FloorLook.CARDS: "_card", FloorLook.PLAN: "_tile"}


class TablePictures:
    """A cache of each table's HTML, by look, language and permissions. Used on one event loop.

    ``made`` is the number of times that a template was rendered.
    """

    def __init__(self) -> None:
        self._kept: dict[GameId, dict[object, tuple[FloorCard, tuple[Attention, int | None], str]]] = {}
        self.made = 0

    def html(self, here: TournamentContext, card: FloorCard, look: FloorLook, csrf_input: str) -> str:
        """Return a table's HTML, with csrf_input in each of its forms."""
        now_ms = here.service.live_floor.now_ms()
        attention, silent_min = attention_of(card, now_ms), silent_minutes(card, now_ms)
        key: tuple[FloorLook, str, frozenset[Permission]] = (
            look,
            here.words.language,
            permissions_of_request(here.request),
        )
        of_game = self._kept.setdefault(card.game_id, {})
        kept = of_game.get(key)
        if kept is None or kept[0] is not card or kept[1] != (attention, silent_min):
            step, table = place_of(card, now_ms)
            markup = here.part(
                f"judge/{_TEMPLATES[look]}.html",
                _CSRF_PLACE,
                c=card,
                attention=attention,
                place=step * _PLACES_PER_STEP + table,
                silent_min=silent_min,
            )
            kept = of_game[key] = (card, (attention, silent_min), " ".join(markup.split()))
            self.made += 1
            if len(self._kept) > _MOST_TABLES:
                del self._kept[next(iter(self._kept))]
        return kept[2].replace(_CSRF_PLACE, csrf_input)
