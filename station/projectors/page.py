"""Screens in the hall: each screen's page, and the judge's page that controls them."""

import hashlib
from typing import Final

import msgspec
import segno
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import Refused
from base.languages import LANGUAGES
from core.game.result import FinishedDuel
from core.game.state.game import HighNoon
from core.terms import DuelPart, PlayerId
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import fold_name
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit.actions import Audit
from station.players.desk import Desk
from station.projections.floor_cards import FloorCard, SheetState
from station.projectors.service import PATH, LetterSize, Projector, Projectors, ScreenPage
from station.text.i18n import Words, words_in
from station.text.names import round_title
from station.text.reasons import Done, FormReason, Missing
from station.text.times import RoundClockShown, round_clock
from station.web.limits import count_wrong_code
from station.web.site import PageRequest, page, site_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

UNCHANGED: Final = 204


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
    """A duel of the finals or a tie-break, which may not have started. ``score`` is its public part."""

    part: DuelPart
    players: tuple[PlayerId, ...]
    table: int | None
    score: tuple[int, int] | None
    winner: PlayerId | None


class ScreenContent(msgspec.Struct, frozen=True):
    """The content of a screen's pages, which is sent again when any of it changes.

    by_name: each player's name, table and seat.
    missing: the missing players' names.
    ranking: the revealed rows, best first.
    is_whole: all rows are revealed.
    """

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
        """Return the pages that have content, or the clock if none has."""
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


async def screen_of(request: PageRequest, key: str) -> Projector:
    """Return the screen with this link. Raises NotFoundException, TooManyRequestsException for guesses."""
    screen = await site_of(request).service.of(Projectors).find(key)
    if screen is None:
        count_wrong_code(request)
        raise NotFoundException(Missing.SCREEN.value)
    return screen


@get("/", needs=Permission.PUBLIC_PAGES)
async def projector(request: PageRequest, key: FromPath[str]) -> Template:
    """Show a screen of the hall, which changes its pages by itself."""
    screen = await screen_of(request, key)
    address = f"{PATH}{screen.key}/pages?"
    answer = page(request, "public/projector.html", screen=screen, address=address, look="")
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@get("/pages", needs=Permission.PUBLIC_PAGES)
async def pages(
    request: PageRequest, key: FromPath[str], seen: FromQuery[str] = ""
) -> Template | Response[None]:
    """Return a screen's pages as HTML; nothing if they are unchanged."""
    screen = await screen_of(request, key)
    site_of(request).service.of(Projectors).note_contact(screen)
    here = TournamentContext(request, screen.tournament)
    content = await _content_of(here, screen)
    # The end of a running clock is computed for each response, and differs by fractions of a second.
    steady = msgspec.structs.replace(content, clock=None), here.state.clock, here.state.waivers
    word = hashlib.sha256(repr(steady).encode()).hexdigest()[:16]
    if seen == word:
        return Response(None, status_code=UNCHANGED)
    answer = here.page(
        "public/_projector_pages.html",
        key=word,
        screen=screen,
        say={code: words_in(code).gettext for code in screen.languages},
        titles={code: _round_title(here, words_in(code)) for code in screen.languages},
        content=content,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _round_title(here: TournamentContext, words: Words) -> str:
    called = here.state.called if here.state.stage is not Stage.PUBLISHED else ()
    return round_title(here.state, called[-1].round, words) if called else ""


async def _content_of(here: TournamentContext, screen: Projector) -> ScreenContent:
    state, service = here.state, here.service
    desk = await service.of(Desk).record(state.tournament)
    running, is_over = state.running_round, state.stage in _AFTER_THE_ROUNDS
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
    every = _all_ranked(here) if {ScreenPage.RANKING, ScreenPage.PODIUM} & set(screen.pages_now) else []
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
        clock=round_clock(state, service.history(state.tournament), service.of(Desk).now_ms),
        missing=tuple(sorted((here.names[player] for player in missing), key=fold_name)),
        live=tuple(live_table(card) for card in cards),
        ranking=tuple(ranked),
        is_whole=bool(ranked) and len(ranked) == len(every),
        is_published=state.stage is Stage.PUBLISHED,
    )


_AFTER_THE_ROUNDS: Final = frozenset({Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED})


def _duels(here: TournamentContext) -> tuple[ShownDuel, ...]:
    """Return the duels to show in the hall, the final first: those of the finals, or tie-breaks."""
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


def _all_ranked(here: TournamentContext) -> list[StandingRow]:
    if here.state.stage is not Stage.PUBLISHED:
        return []
    return [row for row in here.service.standings(here.state.tournament).rows if row.rank]


@get("/", needs=Permission.PROJECTORS)
async def screens(here: AtTournament) -> Template:
    """Show the screens of the tournament, with controls for what they show."""
    address = here.address_for_others()
    projectors = here.service.of(Projectors)
    all_screens = await projectors.all(here.state.tournament)
    return here.page(
        "judge/projectors.html",
        screens=all_screens,
        contacts={one.key: projectors.contact_of(one) for one in all_screens},
        links={one.key: f"{address}{PATH}{one.key}" for one in all_screens},
        codes={
            one.key: segno.make(f"{address}{PATH}{one.key}", error="m").svg_data_uri(border=2, scale=4)
            for one in all_screens
        },
        pages=ScreenPage,
        letters=LetterSize,
        ranked=len(_all_ranked(here)),
        may_reveal=here.state.stage in _AFTER_THE_ROUNDS,
    )


@post("/", needs=Permission.PROJECTORS, audit=Audit("Added a screen in the hall", keeps="name"))
async def add(here: AtTournament) -> Redirect:
    """Add a screen."""
    name = (await here.fields()).text("name")
    work = here.service.of(Projectors).add(here.state.tournament, name, here.words.language)
    return await here.act(work, f"{here.url}/projectors", Done.CHANGED)


@post(
    "/{key:str}", needs=Permission.PROJECTORS, audit=Audit("Changed a screen in the hall", keeps="name text")
)
async def change(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Change what a screen shows and how."""
    fields, then = await here.fields(), f"{here.url}/projectors#{key}"
    try:
        seconds = fields.number("seconds") or 0
        letters = LetterSize[fields.text("letters").upper()]
    except Refused as error:
        return here.refuse(error, then)
    except KeyError:
        return here.refuse(FormReason.NO_ACTION, then)
    work = here.service.of(Projectors).change(
        key,
        lambda screen: msgspec.structs.replace(
            screen,
            name=fields.text("name"),
            pages=tuple(one for one in ScreenPage if fields.is_ticked(f"page-{one.value}")),
            seconds=seconds,
            is_dark=fields.text("look") == "dark",
            letters=letters,
            languages=tuple(code for code in LANGUAGES if fields.is_ticked(f"language-{code}")),
            text=fields.text("text"),
        ),
    )
    return await here.act(work, then, Done.CHANGED)


@post(
    "/{key:str}/pin", needs=Permission.PROJECTORS, audit=Audit("Changed a screen in the hall", keeps="page")
)
async def pin(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Pin one page of a screen, or show all of them in turn again if none is named."""
    word, then = (await here.fields()).text("page"), f"{here.url}/projectors#{key}"
    pinned = next((one for one in ScreenPage if one.value == word), None)
    work = here.service.of(Projectors).change(key, lambda one: msgspec.structs.replace(one, pinned=pinned))
    return await here.act(work, then)


@post(
    "/{key:str}/reveal",
    needs=Permission.PROJECTORS,
    audit=Audit("Revealed the ranking on a screen", keeps="do"),
)
async def reveal(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Reveal the ranking from the last place up: start, one more place, or all of it."""
    word, then = (await here.fields()).text("do"), f"{here.url}/projectors#{key}"
    places = len(_all_ranked(here))

    def _revealed(screen: Projector) -> Projector:
        match word:
            case "begin":
                return msgspec.structs.replace(screen, revealed=0, pinned=ScreenPage.RANKING)
            case "more":
                more = (places if screen.revealed is None else screen.revealed) + 1
                return msgspec.structs.replace(screen, revealed=min(more, places), pinned=ScreenPage.RANKING)
            case _:
                return msgspec.structs.replace(screen, revealed=None)

    if word not in {"begin", "more", "all"}:
        return here.refuse(FormReason.NO_ACTION, then)
    return await here.act(here.service.of(Projectors).change(key, _revealed), then)


@post("/{key:str}/remove", needs=Permission.PROJECTORS, audit=Audit("Removed a screen in the hall"))
async def remove(here: AtTournament, key: FromPath[str]) -> Redirect:
    return await here.act(here.service.of(Projectors).remove(key), f"{here.url}/projectors", Done.CHANGED)


public_routes = Router(PATH + "{key:str}", route_handlers=[projector, pages])
routes = tournament_routes(screens, add, change, pin, reveal, remove, under="/projectors")
