"""The pages that screens in the hall show, opened by a link without a login.

A projector changes its pages by itself. An overlay is a strip on a transparent page for broadcasts.
"""

import asyncio
import struct
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Template
from msgspec.structs import replace

from base.fonts import HAN
from base.fonts.coverage import first_of_collection, letters_of_terminals
from core.game.state.game import GameState, Seat
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.projections.cards import SheetState
from station.projectors.hall_pages import (
    ANNOUNCEMENT,
    CLOCK,
    ScreenFacts,
    facts_in_languages,
    live_table,
    pages_of_screen,
)
from station.projectors.service import PATH, Projector, Projectors
from station.text.i18n import Words
from station.text.names import names_of, round_title, with_readable_names
from station.text.reasons import Missing
from station.text.times import RoundClockShown
from station.web.limits import count_wrong_code
from station.web.page_keys import shown_key
from station.web.site import PageRequest, page, site_of
from station.web.tournament_context import (
    TournamentContext,
    unchanged,
)

_LARGEST_TABLE: Final = 9_999
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; "
)
FRAMING_POLICY: Final = _POLICY + "frame-src 'self'; frame-ancestors 'none'"
"""The policy of the judge's page, which frames small pictures of the screens."""
_FRAMED_POLICY: Final = _POLICY + "frame-ancestors 'self'"


class OverlaySeat(msgspec.Struct, frozen=True):
    """A player as shown in a broadcast, without a role."""

    name: str
    life: int
    max_life: int
    in_play: bool
    has_turn: bool


class Overlay(msgspec.Struct, frozen=True):
    """The strip: running tables, those with High Noon, and the one shown, or 0 if none is."""

    clock: RoundClockShown | None
    tables: int
    high_noon: tuple[int, ...]
    table: int = 0
    seats: tuple[OverlaySeat, ...] = ()
    is_high_noon: bool = False


async def _screen_of(request: PageRequest, key: str) -> Projector:
    """Return the screen with this link. Raises NotFoundException, TooManyRequestsException for guesses."""
    screen = await site_of(request).service.of(Projectors).find(key)
    if screen is None:
        count_wrong_code(request)
        raise NotFoundException(Missing.SCREEN.value)
    return screen


@get("/", needs=Permission.PUBLIC_PAGES)
async def projector(request: PageRequest, key: FromPath[str], preview: FromQuery[int] = 0) -> Template:
    """Show a screen of the hall, which changes its pages by itself; small on the judge's page."""
    screen = await _screen_of(request, key)
    answer = _frame(request, screen, f"{PATH}{screen.key}/pages?{'preview=1&' if preview else ''}", "")
    if preview:
        answer.headers["Content-Security-Policy"] = _FRAMED_POLICY
        answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    return answer


def _frame(request: PageRequest, screen: Projector, address: str, look: str) -> Template:
    answer = page(request, "public/projector.html", screen=screen, address=address, look=look)
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def pages(
    request: PageRequest, key: FromPath[str], seen: FromQuery[str] = "", preview: FromQuery[int] = 0
) -> Template | Response[None]:
    """Return a screen's pages as HTML; nothing if they are unchanged."""
    screen = await _screen_of(request, key)
    if not preview:
        site_of(request).service.of(Projectors).note_contact(screen)
    here = TournamentContext(request, screen.tournament)
    by_language = await facts_in_languages(here, screen)
    titles = {facts.words.language: _round_title(here, facts.words) for facts in by_language}
    filled = _filled_pages(by_language)
    plain = {facts.words.language: await asyncio.to_thread(_plain_names, facts) for facts in by_language}
    address = by_language[0].address(f"/t/{screen.tournament}") if screen.follows_the_day else None
    return _if_changed(
        here,
        "public/_projector_pages.html",
        seen,
        (filled, titles, address, plain),
        screen=screen,
        shown=filled,
        titles=titles,
        plain=plain,
        address=address,
        clock=here.clock,
        say={facts.words.language: facts.words.gettext for facts in by_language},
    )


def _plain_names(facts: ScreenFacts) -> dict[str, str]:
    """Return names with letters in none of the station's fonts, each with another name. Blocks."""
    readable = with_readable_names(facts.state, letters_of_terminals(), facts.words.gettext("Player"))
    others = names_of(readable)
    return {name: others[player] for player, name in facts.here.names.items() if others[player] != name}


@get("/", needs=Permission.PUBLIC_PAGES)
async def han_font() -> Response[bytes]:
    """Return the station's font for Chinese, Japanese and Korean names, if it is installed."""
    try:
        font = await asyncio.to_thread(first_of_collection, HAN)
    except (OSError, struct.error):
        raise NotFoundException from None
    return Response(font, media_type="font/ttf", headers={"Cache-Control": "max-age=86400"})


class FilledPage(msgspec.Struct, frozen=True):
    """A page in one language, with the values for its template."""

    language: str
    key: str
    values: object


def _filled_pages(by_language: Sequence[ScreenFacts]) -> list[FilledPage]:
    """Return the pages that have something to show, or else the clock, in the screen's languages in turn."""
    filled = [
        FilledPage(facts.words.language, page.key, values)
        for facts in by_language
        for page in pages_of_screen(facts)
        if (page is not ANNOUNCEMENT or facts is by_language[0]) and (values := page.fill(facts)) is not None
    ]
    return filled or [FilledPage(facts.words.language, CLOCK.key, CLOCK.fill(facts)) for facts in by_language]


def _if_changed(
    here: TournamentContext, template: str, seen: str, content: object, *, screen: Projector, **values: object
) -> Template | Response[None]:
    """Render what a screen shows, unless ``seen`` is the key of the same content.

    The end of a running clock is computed for each response, and differs by fractions of a second, so that
    ``content`` must not contain it.
    """
    key = shown_key((content, here.state.clock, here.state.waivers, screen))
    if seen == key:
        return unchanged()
    answer = here.page(template, 200, key=key, screen=screen, **values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _round_title(here: TournamentContext, words: Words) -> str:
    called = here.state.called if here.state.stage is not Stage.PUBLISHED else ()
    return round_title(here.state, called[-1].round, words) if called else ""


@get("/", needs=Permission.PUBLIC_PAGES)
async def overlay(request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0) -> Template:
    """Show the strip; ``?table=3`` adds the players of a table."""
    screen = await _screen_of(request, key)
    number = table if 0 < table <= _LARGEST_TABLE else 0
    return _frame(request, screen, f"{PATH}{screen.key}/overlay/pages?table={number}&", "overlay")


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def overlay_pages(
    request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0, seen: FromQuery[str] = ""
) -> Template | Response[None]:
    """Return the strip as HTML; nothing if it is unchanged."""
    screen = await _screen_of(request, key)
    here = TournamentContext(request, screen.tournament)
    rounds = here.state.published_rounds
    title = round_title(here.state, rounds[-1].round, here.words) if rounds else ""
    strip = _make_strip(here, table)
    content = replace(strip, clock=None)
    return _if_changed(here, "public/_overlay.html", seen, content, screen=screen, strip=strip, title=title)


def _make_strip(here: TournamentContext, table: int) -> Overlay:
    state, service = here.state, here.service
    cards = service.live_floor.cards(state)
    live = [live_table(card) for card in cards]
    playing = [one for one in live if not one.is_over]
    strip = Overlay(here.clock, len(playing), tuple(one.table for one in playing if one.is_high_noon))
    card = next((one for one in cards if one.table == table), None)
    if card is None or card.game is None or card.game.duel is not None:
        return strip
    is_over = card.sheet is not SheetState.PLAYING
    return replace(
        strip,
        table=int(card.table),
        is_high_noon=card.table in strip.high_noon,
        seats=tuple(_seat(seat, None if is_over else card.game) for seat in card.game.seats),
    )


def _seat(seat: Seat, game: GameState | None) -> OverlaySeat:
    has_turn = game is not None and game.turn == seat.seat
    return OverlaySeat(seat.name, max(0, seat.life), seat.max_life, seat.in_play, has_turn)


routes = Router(PATH + "{key:str}", route_handlers=[projector, pages])
overlay_routes = Router(PATH + "{key:str}/overlay", route_handlers=[overlay, overlay_pages])
font_routes = Router("/static/fonts/han.ttf", route_handlers=[han_font])
