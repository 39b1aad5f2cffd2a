"""The pages that screens in the hall show, opened by a link without a login.

A projector changes its pages by itself. An overlay is a strip on a transparent page for broadcasts.
"""

from typing import Final

import msgspec
from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Template
from msgspec.structs import replace

from core.game.result import FinishedDuel
from core.game.state.game import GameState, HighNoon, Seat
from core.terms import DuelPart, PlayerId
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import fold_name
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.players.service import Desk
from station.projections.cards import FloorCard, SheetState
from station.projectors.service import PATH, Projector, Projectors, ScreenPage
from station.text.i18n import Words, words_in
from station.text.names import round_title
from station.text.reasons import Missing
from station.text.times import RoundClockShown
from station.web.limits import count_wrong_code
from station.web.site import PageRequest, page, site_of
from station.web.tournament_context import (
    TournamentContext,
    shown_key,
    unchanged,
)

_LARGEST_TABLE: Final = 9_999


class LiveTable(msgspec.Struct, frozen=True):
    """A table as shown in the hall, without roles and dollars. ``turn`` is 0 before the first."""

    table: int
    is_over: bool
    is_high_noon: bool
    turn: int
    in_play: int
    players: int


def live_table(card: FloorCard) -> LiveTable:
    """Return the public data of a table."""
    game = card.game
    in_play = len(card.players) if game is None or not game.seats else sum(s.in_play for s in game.seats)
    return LiveTable(
        table=card.table,
        is_over=card.sheet is not SheetState.PLAYING,
        is_high_noon=game is not None and game.high_noon is HighNoon.ON,
        turn=0 if game is None else game.turns,
        in_play=in_play,
        players=len(card.players),
    )


class ShownDuel(msgspec.Struct, frozen=True):
    """A duel of the finals or a tie-break, which may not have started."""

    part: DuelPart
    players: tuple[PlayerId, ...]
    table: int | None
    score: tuple[int, int] | None
    winner: PlayerId | None


class ScreenContent(msgspec.Struct, frozen=True):
    """The content of a screen's pages. ``ranking`` contains the revealed rows, best first."""

    screen: Projector
    round: int
    is_playing: bool
    duels: tuple[ShownDuel, ...]
    tables: tuple[DrawnTable, ...]
    by_name: tuple[tuple[str, int, int], ...]
    clock: RoundClockShown | None
    missing: tuple[str, ...]
    live: tuple[LiveTable, ...]
    ranking: tuple[StandingRow, ...]
    is_whole: bool
    is_published: bool

    @property
    def pages(self) -> tuple[ScreenPage, ...]:
        """The pages that have content, or the clock if none has."""
        empty = {
            ScreenPage.SEATS_BY_NAME: not self.by_name,
            ScreenPage.SEATS_BY_TABLE: not self.tables,
            ScreenPage.MISSING: not self.missing,
            ScreenPage.HIGH_NOON: not any(one.is_high_noon for one in self.live),
            ScreenPage.TABLES: not self.live,
            ScreenPage.FINALS: not self.duels,
            ScreenPage.ANNOUNCEMENT: not self.screen.text,
            ScreenPage.RANKING: not self.is_published,
            ScreenPage.PODIUM: not self.is_whole,
        }
        filled = tuple(one for one in self.screen.pages_now if not empty.get(one, False))
        return filled or (ScreenPage.CLOCK,)


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
async def projector(request: PageRequest, key: FromPath[str]) -> Template:
    """Show a screen of the hall, which changes its pages by itself."""
    screen = await _screen_of(request, key)
    return _frame(request, screen, f"{PATH}{screen.key}/pages?", "")


def _frame(request: PageRequest, screen: Projector, address: str, look: str) -> Template:
    answer = page(request, "public/projector.html", screen=screen, address=address, look=look)
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def pages(
    request: PageRequest, key: FromPath[str], seen: FromQuery[str] = ""
) -> Template | Response[None]:
    """Return a screen's pages as HTML; nothing if they are unchanged."""
    screen = await _screen_of(request, key)
    site_of(request).service.of(Projectors).note_contact(screen)
    here = TournamentContext(request, screen.tournament)
    content = await _content_of(here, screen)
    words = {code: words_in(code) for code in screen.languages}
    return _if_changed(
        here,
        "public/_projector_pages.html",
        seen,
        screen=screen,
        content=content,
        say={code: spoken.gettext for code, spoken in words.items()},
        titles={code: _round_title(here, spoken) for code, spoken in words.items()},
    )


def _if_changed(
    here: TournamentContext,
    template: str,
    seen: str,
    *,
    screen: Projector,
    content: ScreenContent | Overlay,
    **values: object,
) -> Template | Response[None]:
    """Render what a screen shows, unless ``seen`` is the key of the same content."""
    # The end of a running clock is computed for each response, and differs by fractions of a second.
    key = shown_key((replace(content, clock=None), here.state.clock, here.state.waivers, screen))
    if seen == key:
        return unchanged()
    answer = here.page(template, 200, key=key, screen=screen, content=content, **values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _round_title(here: TournamentContext, words: Words) -> str:
    called = here.state.called if here.state.stage is not Stage.PUBLISHED else ()
    return round_title(here.state, called[-1].round, words) if called else ""


async def _content_of(here: TournamentContext, screen: Projector) -> ScreenContent:
    state, service = here.state, here.service
    desk = await service.of(Desk).record(state.tournament)
    running, is_over = state.running_round, state.stage in AFTER_THE_ROUNDS
    cards = () if running is None else service.live_floor.cards(state)
    tables = () if running is None else running.tables
    by_name = sorted(
        (
            (here.names[player], table.table, seat)
            for table in tables
            for seat, player in enumerate(table.players, 1)
        ),
        key=lambda row: fold_name(row[0]),
    )
    missing = () if is_over else service.of(Desk).missing(state, desk)
    every = all_ranked(here) if {ScreenPage.RANKING, ScreenPage.PODIUM} & set(screen.pages_now) else []
    # During a reveal only the pinned page may show the ranking, as the public page shows all of it.
    is_revealing = screen.pinned is ScreenPage.RANKING and screen.revealed is not None
    ranked = every[max(0, len(every) - (screen.revealed or 0)) :] if is_revealing else every
    return ScreenContent(
        screen=screen,
        round=0 if running is None else running.round,
        is_playing=state.stage is Stage.PLAYING or bool(state.open_duels),
        duels=_duels(here),
        tables=tables,
        by_name=tuple(by_name),
        clock=here.clock,
        missing=tuple(sorted((here.names[player] for player in missing), key=fold_name)),
        live=tuple(live_table(card) for card in cards),
        ranking=tuple(ranked),
        is_whole=bool(ranked) and len(ranked) == len(every),
        is_published=state.stage is Stage.PUBLISHED,
    )


AFTER_THE_ROUNDS: Final = frozenset({Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED})


def _duels(here: TournamentContext) -> tuple[ShownDuel, ...]:
    """Return the duels to show, the final first: those of the finals, or tie-breaks."""
    state, finals = here.state, here.state.finals
    if state.stage is Stage.PUBLISHED:
        return ()
    pairs: list[tuple[DuelPart, tuple[PlayerId, ...], PlayerId | None]] = []
    if finals is None:
        pairs += [(DuelPart.TIE_BREAK, table.players, None) for _, table in state.open_tie_duels]
    else:
        if finals.final_pair is not None:
            pairs.append((DuelPart.FINAL, finals.final_pair, finals.champion))
        semifinals = zip(finals.semifinal_pairs, finals.semifinal_winners, strict=True)
        pairs += [(DuelPart.SEMIFINALS, pair, winner) for pair, winner in semifinals]
    if not pairs:
        return ()
    cards = {
        card.players: card for card in here.service.floor(state.tournament, all_duels=finals is not None)
    }
    return tuple(_shown_duel(part, pair, winner, cards.get(pair)) for part, pair, winner in pairs)


def _shown_duel(
    part: DuelPart, pair: tuple[PlayerId, ...], winner: PlayerId | None, card: FloorCard | None
) -> ShownDuel:
    score = None
    if card is not None and isinstance(card.accepted, FinishedDuel):
        score = card.accepted.score
    elif card is not None and card.game is not None and card.game.duel is not None:
        score = card.game.duel.score
    return ShownDuel(part, pair, None if card is None else card.table, score, winner)


def all_ranked(here: TournamentContext) -> list[StandingRow]:
    """Return the public ranking's rows that have a place, best first; none before publication."""
    if here.state.stage is not Stage.PUBLISHED:
        return []
    return [row for row in here.service.standings(here.state.tournament).rows if row.rank]


@get("/", needs=Permission.PUBLIC_PAGES)
async def overlay(request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0) -> Template:
    """Show the strip; ``?table=3`` adds the players of a table."""
    screen = await _screen_of(request, key)
    number = table if 0 < table <= _LARGEST_TABLE else 0
    return _frame(request, screen, f"{PATH}{screen.key}/overlay/pages?table={number}&", "overlay")


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def strip(
    request: PageRequest, key: FromPath[str], table: FromQuery[int] = 0, seen: FromQuery[str] = ""
) -> Template | Response[None]:
    """Return the strip as HTML; nothing if it is unchanged."""
    screen = await _screen_of(request, key)
    here = TournamentContext(request, screen.tournament)
    rounds = here.state.published_rounds
    title = round_title(here.state, rounds[-1].round, here.words) if rounds else ""
    content = _make_strip(here, table)
    return _if_changed(here, "public/_overlay.html", seen, screen=screen, content=content, title=title)


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
overlay_routes = Router(PATH + "{key:str}/overlay", route_handlers=[overlay, strip])
