"""The overlay for broadcasts: a strip on a transparent page, opened by the link of a hall screen."""

import hashlib
from typing import Final

import msgspec
from litestar import Router, get
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Template

from core.game.state.game import GameState, Seat
from station.accounts.permissions import Permission
from station.players.desk import Desk
from station.projections.floor_cards import SheetState
from station.projectors.page import UNCHANGED, live_table, screen_of
from station.projectors.service import PATH
from station.text.names import round_title
from station.text.times import RoundClockShown, round_clock
from station.web.site import PageRequest, page
from station.web.tournament_context import TournamentContext

_LARGEST_TABLE: Final = 9_999


class OverlaySeat(msgspec.Struct, frozen=True):
    """A player as shown in a broadcast, without a role.

    ``life`` is the number of points left, of at most ``max_life``.
    """

    name: str
    life: int
    max_life: int
    in_play: bool
    has_turn: bool


class Overlay(msgspec.Struct, frozen=True):
    """The strip.

    tables: running ones.
    high_noon: their numbers.
    table: the one shown, or 0 if none is.
    """

    clock: RoundClockShown | None
    tables: int
    high_noon: tuple[int, ...]
    table: int = 0
    seats: tuple[OverlaySeat, ...] = ()
    is_high_noon: bool = False


@get("/", needs=Permission.PUBLIC_PAGES)
async def overlay(request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0) -> Template:
    """Show the strip; ``?table=3`` adds the players of a table."""
    screen = await screen_of(request, key)
    number = table if 0 < table <= _LARGEST_TABLE else 0
    address = f"{PATH}{screen.key}/overlay/pages?table={number}&"
    answer = page(request, "public/projector.html", screen=screen, address=address, look="overlay")
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def pages(
    request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0, seen: FromQuery[str] = ""
) -> Template | Response[None]:
    """Return the strip as HTML; nothing if it is unchanged."""
    screen = await screen_of(request, key)
    here = TournamentContext(request, screen.tournament)
    strip = _make_strip(here, table)
    # The end of a running clock is computed for each response, and differs by fractions of a second.
    steady = msgspec.structs.replace(strip, clock=None), here.state.clock, here.state.waivers, screen
    word = hashlib.sha256(repr(steady).encode()).hexdigest()[:16]
    if seen == word:
        return Response(None, status_code=UNCHANGED)
    rounds = here.state.published_rounds
    title = round_title(here.state, rounds[-1].round, here.words) if rounds else ""
    answer = here.page("public/_overlay.html", key=word, screen=screen, strip=strip, title=title)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _make_strip(here: TournamentContext, table: int) -> Overlay:
    state, service = here.state, here.service
    cards = service.live_floor.cards(state)
    live = [live_table(card) for card in cards]
    clock = round_clock(state, service.history(state.tournament), service.of(Desk).now_ms)
    playing = [one for one in live if not one.is_over]
    strip = Overlay(clock, len(playing), tuple(one.table for one in playing if one.is_high_noon))
    card = next((one for one in cards if one.table == table), None)
    if card is None or card.game is None or card.game.duel is not None:
        return strip
    is_over = card.sheet is not SheetState.PLAYING
    return msgspec.structs.replace(
        strip,
        table=int(card.table),
        is_high_noon=card.table in strip.high_noon,
        seats=tuple(_seat(seat, None if is_over else card.game) for seat in card.game.seats),
    )


def _seat(seat: Seat, game: GameState | None) -> OverlaySeat:
    has_turn = game is not None and game.turn == seat.seat
    return OverlaySeat(seat.name, max(0, seat.life), seat.max_life, seat.in_play, has_turn)


routes = Router(PATH + "{key:str}/overlay", route_handlers=[overlay, pages])
