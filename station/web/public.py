"""Pages for everybody: tournaments, draws that can be checked, tables, and the published ranking."""

from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template

from saloon.base.errors import BadData
from saloon.core.editions import Edition
from saloon.core.editions.edition import Schedule
from saloon.core.text.open_questions import changed
from saloon.core.tournament.standings.standings import Standings
from saloon.core.tournament.state import Round, Stage, TournamentState
from saloon.station.services.station_service import StationService
from saloon.station.web.site import PageRequest, page, site_of, words_of
from saloon.station.web.tables.sheet_questions import sheet_questions
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Missing
from saloon.station.web.text.rules_in_words import chapters, options, winnings_rows


@get("/")
async def home(request: PageRequest) -> Template:
    """Show all tournaments."""
    return page(request, "public/home.html", tournaments=site_of(request).office.tournaments())


@get("/station")
async def station(request: PageRequest) -> Template:
    """Show whether the station can store anything now, as live pages ask for it."""
    return page(request, "_station.html")


@get("/rules/{edition:str}")
async def rules(request: PageRequest, edition: FromPath[str]) -> Template:
    """Show an edition of the rules in words and tables."""
    try:
        found = site_of(request).office.edition(edition)
    except BadData as error:
        raise NotFoundException(Missing.RULES.value) from error
    return _rules_page(request, found, None)


@get("/t/{tournament:str}/rules")
async def effective_rules(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the rules of a tournament: its edition, options, readings and house rules."""
    site = site_of(request)
    state = site.tournament(tournament)
    return _rules_page(request, site.office.rules(state.tournament), state)


def _rules_page(request: PageRequest, edition: Edition, state: TournamentState | None) -> Template:
    words = words_of(request)
    return page(
        request,
        "public/rules.html",
        e=edition,
        t=state,
        chapters=chapters(edition, words),
        options=options(edition, words) if state is None else (),
        changed=changed(state.rules, words) if state is not None else (),
        winnings=winnings_rows(edition, words),
        chart=edition.tables.chart if edition.schedule is Schedule.CHART else (),
        house_rules=state.rules.house_rules if state is not None else "",
    )


@get("/t/{tournament:str}")
async def tournament(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show rounds, tables and draws; the ranking when it is published, and no dollar before."""
    site = site_of(request)
    state = site.tournament(tournament)
    return page(
        request,
        "public/tournament.html",
        t=state,
        edition=site.office.rules(state.tournament),
        names=names_of(state),
        standings=_public_standings(site.office, state),
        duels=site.office.floor(state.tournament, all_duels=True),
    )


def _public_standings(office: StationService, state: TournamentState) -> Standings | None:
    if state.stage is Stage.PUBLISHED:
        return office.standings(state.tournament)
    return None if state.finals is None else office.standings(state.tournament, of_rounds=True)


@get("/t/{tournament:str}/rounds/{round_no:int}/draw")
async def draw(request: PageRequest, tournament: FromPath[str], round_no: FromPath[int]) -> Template:
    """Show a draw and how to check it: the seal from the beginning, all else once it is published."""
    state = site_of(request).tournament(tournament)
    found = _round(state.rounds, round_no)
    drawn = {player for table in found.tables for player in table.players}
    candidates = [entrant.player for entrant in state.entrants if entrant.player in drawn]
    return page(request, "public/draw.html", t=state, r=found, names=names_of(state), candidates=candidates)


@get("/t/{tournament:str}/rounds/{round_no:int}/seats")
async def seats(request: PageRequest, tournament: FromPath[str], round_no: FromPath[int]) -> Template:
    """Show the seats of a published round, by table and by name, to print."""
    state = site_of(request).tournament(tournament)
    found = _round(state.published_rounds, round_no)
    return page(
        request, "public/seats.html", t=state, r=found, names=names_of(state), by_name=_by_name(state, found)
    )


@get("/t/{tournament:str}/sheets/{round_no:int}")
async def sheets(request: PageRequest, tournament: FromPath[str], round_no: FromPath[int]) -> Template:
    """Show empty record sheets of a published round, to print."""
    state = site_of(request).tournament(tournament)
    found = _round(state.published_rounds, round_no)
    rules = site_of(request).office.rules(state.tournament)
    sizes = {len(table.players) for table in found.tables}
    questions = {size: sheet_questions(rules, size) for size in sizes}
    return page(request, "public/sheets.html", t=state, r=found, names=names_of(state), asked=questions)


def _round(rounds: tuple[Round, ...], round_no: int) -> Round:
    found = next((drawn for drawn in rounds if drawn.round == round_no), None)
    if found is None:
        raise NotFoundException(Missing.ROUND.value)
    return found


def _by_name(state: TournamentState, drawn: Round) -> list[tuple[str, int, int]]:
    names = names_of(state)
    seats = [
        (names[player], table.table, seat)
        for table in drawn.tables
        for seat, player in enumerate(table.players, 1)
    ]
    return sorted(seats, key=lambda found: found[0].casefold())


routes = Router("/", route_handlers=[home, station, rules, effective_rules, tournament, draw, seats, sheets])
