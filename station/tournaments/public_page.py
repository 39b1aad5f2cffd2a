"""Public pages: tournaments, draws that anybody can verify, tables, and published rankings."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final

from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response, Stream, Template
from msgspec.structs import replace

from base import __version__
from base.errors import BadData, Unavailable
from core.editions.edition import Edition, Schedule
from core.editions.loader import edition as known_edition
from core.text.open_questions import changed_questions
from core.text.rules_in_words import text_chapters
from core.tournament.draw.by_hand import seat_histories
from core.tournament.standings.standings import Standings
from core.tournament.state.rounds import Round
from core.tournament.state.table_list import list_of
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission
from station.players.public_page import takes_applications
from station.seasons.service import Seasons
from station.text.changes_in_words import changes_in_words
from station.text.names import seats_by_name
from station.text.prizes import AwardView, awards_in_words
from station.text.reasons import Missing
from station.text.rules_in_words import CHAPTER_ICONS, options, winnings_rows
from station.tournaments.documents import Document, Documents
from station.tournaments.page import tournament_lists
from station.web.http_rules import COMPRESSED
from station.web.site import PageRequest, page, site_of, words_of
from station.web.tournament_context import TOURNAMENT, AtTournament, TournamentContext


@get("/", needs=Permission.PUBLIC_PAGES)
async def home(request: PageRequest) -> Template:
    """Show all tournaments."""
    tournaments, archived = await tournament_lists(request)
    seasons = await site_of(request).service.of(Seasons).all()
    nobody = not tournaments and not await asyncio.to_thread(site_of(request).judges.all)
    return page(
        request,
        "public/home.html",
        nobody=nobody,
        tournaments=tournaments,
        archived=archived,
        seasons=seasons,
    )


@get("/station", needs=Permission.PUBLIC_PAGES)
async def station(request: PageRequest) -> Template:
    """Show whether the station can store data now, which live pages ask repeatedly."""
    return page(request, "_station.html")


@get("/health", needs=Permission.PUBLIC_PAGES)
async def health(request: PageRequest) -> Response[Mapping[str, str]]:
    """Report to monitors whether the station can read its database, and its version; 503 if it can't."""
    try:
        await asyncio.to_thread(site_of(request).judges.all)
    except Unavailable:
        return Response({"status": "database unreachable", "version": __version__}, status_code=503)
    return Response({"status": "ok", "version": __version__})


@get("/rules/{edition:str}", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def rules(request: PageRequest, edition: FromPath[str]) -> Template:
    """Show an edition of the rules as text and tables."""
    try:
        chosen = known_edition(edition)
    except BadData as error:
        raise NotFoundException(Missing.RULES.value) from error
    return _rules_page(request, chosen, None)


@get("/rules", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def effective_rules(here: AtTournament) -> Template:
    """Show a tournament's rules: its edition, options, readings and house rules.

    The publisher's document is left out if the database does not respond.
    """
    document = None
    with contextlib.suppress(Unavailable):
        document = await here.service.of(Documents).find(here.state.tournament)
    return _rules_page(here.request, here.rules, here.state, document)


@get("/document", needs=Permission.PUBLIC_PAGES)
async def document(here: AtTournament) -> Stream:
    """Return the PDF of the publisher's document as a download, which the browser does not open."""
    stored = await here.service.of(Documents).find(here.state.tournament)
    if stored is None or stored.link:
        raise NotFoundException(Missing.DOCUMENT.value)
    headers = here.file_headers("rules.pdf") | _NEVER_RUN
    pieces = here.service.of(Documents).pieces(here.state.tournament, stored)
    return Stream(pieces, media_type="application/pdf", headers=headers)


_NEVER_RUN: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}


def _rules_page(
    request: PageRequest, edition: Edition, state: TournamentState | None, document: Document | None = None
) -> Template:
    words = words_of(request)
    return page(
        request,
        "public/rules.html",
        e=edition,
        t=state,
        chapters=text_chapters(edition, words),
        icons=CHAPTER_ICONS,
        words=words,
        options=options(edition, words) if state is None else (),
        changed=changed_questions(state.rules, words) if state is not None else (),
        winnings=winnings_rows(edition, words),
        chart=edition.tables.chart if edition.schedule is Schedule.CHART else (),
        house_rules=state.rules.house_rules if state is not None else "",
        document=document,
    )


@get("/", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def tournament(here: AtTournament) -> Template:
    """Show rounds, tables and draws, and the ranking once it is published. Amounts are secret until then."""
    duels = here.service.floor(here.state.tournament, all_duels=True)
    awards: tuple[AwardView, ...] = ()
    if here.state.is_published:
        awards = await asyncio.to_thread(awards_in_words, here.state, here.rules, here.words)
    return here.page(
        "public/tournament.html",
        standings=_public_standings(here),
        awards=awards,
        duels=duels,
        registration=await takes_applications(here),
        document=await here.service.of(Documents).find(here.state.tournament),
    )


def _public_standings(here: TournamentContext) -> Standings | None:
    is_published = here.state.stage is Stage.PUBLISHED
    if not is_published and here.state.finals is None:
        return None
    standings = here.service.standings(here.state.tournament, of_rounds=not is_published)
    players = {entrant.player for entrant in here.state.participants}
    return replace(standings, rows=tuple(row for row in standings.rows if row.player in players))


@get("/rounds/{round_no:int}/draw", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def draw(here: AtTournament, round_no: FromPath[int]) -> Template:
    """Show a draw: only its seal before it is published, and then everything to verify it with."""
    this_round = _round(here.state.rounds, round_no)
    drawn = {player for table in this_round.tables for player in table.players}
    candidates = [entrant.player for entrant in here.state.entrants if entrant.player in drawn]
    return here.page(
        "public/draw.html",
        r=this_round,
        candidates=candidates,
        histories=seat_histories(here.state, this_round) if this_round.published else (),
        by_hand=changes_in_words(
            this_round.changes, here.names, here.words, list_of(table.table for table in this_round.tables)
        ),
    )


@get("/rounds/{round_no:int}/seats", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def seats(here: AtTournament, round_no: FromPath[int]) -> Template:
    """Show the seats of a published round, by table and by name, for printing."""
    drawn = _round(here.state.published_rounds, round_no)
    return here.page("public/seats.html", r=drawn, by_name=seats_by_name(here.names, drawn))


def _round(rounds: tuple[Round, ...], round_no: int) -> Round:
    this_round = next((drawn for drawn in rounds if drawn.round == round_no), None)
    if this_round is None:
        raise NotFoundException(Missing.ROUND.value)
    return this_round


routes = Router("/", route_handlers=[home, station, health, rules])
routes_of_one = Router(
    "/t/{tournament:str}",
    dependencies=TOURNAMENT,
    route_handlers=[effective_rules, document, tournament, draw, seats],
)
