"""Seasons: a public page of each, and the organiser's page to manage them."""

import asyncio
from collections import defaultdict
from functools import partial
from typing import Final

import msgspec
from litestar import Router, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.tournament.season import (
    USUAL_RULE,
    OtherPerson,
    PersonAnswer,
    SamePerson,
    SeasonResult,
    SeasonRow,
    Spelling,
    qualifiers,
)
from core.tournament.state.names import name_key
from station.accounts.permissions import Permission
from station.audit import Audit
from station.exports import WORKBOOK, DataTable, ExportedTable, as_csv, as_workbook, csv_separator
from station.seasons.service import MOST_PACKS, Season, SeasonRefusal, Seasons, answer_key
from station.text.reasons import Done, Missing
from station.web.http_rules import COMPRESSED
from station.web.long_tasks import LongJob
from station.web.site import PageRequest, page, site_of
from station.web.task_page import result_of
from station.web.tournament_context import AtStation, PageContext, station_routes

_HERE: Final = "/judge/seasons"
_UNREADABLE: Final = 422
_LARGEST_UPLOAD: Final = 96 * 1024 * 1024
_BEFORE_CLUB: Final = " · "


@get("/season/{season:str}", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def season(request: PageRequest, season: FromPath[str]) -> Template:
    """Show the ranking of a season, from published tournaments only."""
    seasons = site_of(request).service.of(Seasons)
    known = await seasons.find(season)
    if known is None:
        raise NotFoundException(Missing.SEASON.value)
    return page(request, "public/season.html", table=await seasons.table(known))


@get("/", needs=Permission.SET_UP)
async def seasons(here: AtStation) -> Template:
    return await _show_page(here)


async def _show_page(here: PageContext, typed: Season | None = None, problem: str = "") -> Template:
    """Show the page. ``typed`` is an entered season, and ``problem`` why it was refused."""
    known = await here.service.of(Seasons).all()
    listed = [typed if typed is not None and typed.key == one.key else one for one in known]
    is_new = typed is not None and typed not in listed
    new = Season("", "", rule=USUAL_RULE) if typed is None or not is_new else replace(typed, key="")
    return here.page(
        "judge/seasons.html",
        seasons=listed,
        new=new,
        faulty=None if typed is None else "" if is_new else typed.key,
        problem=problem,
        tournaments=here.service.tournaments(),
        status_code=_UNREADABLE if problem else 200,
    )


@post("/", needs=Permission.SET_UP, audit=Audit("Added a season", keeps="name rule"))
async def add(here: AtStation) -> Redirect | Template:
    """Add a season."""
    typed = await _typed(here, "")
    try:
        made = await here.service.of(Seasons).add(typed)
    except (Refused, BadData) as error:
        return await _show_page(here, typed, here.words.error(error))
    return Redirect(f"{_HERE}#{made.key}")


@post("/{season:str}", needs=Permission.SET_UP, audit=Audit("Changed a season"))
async def change(here: AtStation, season: FromPath[str]) -> Redirect | Template:
    """Change a season's name, tournaments or rule."""
    typed, former = await _typed(here, season), await _find(here, season)
    if former is not None:
        here.recorded.note_changes(former, typed, "name tournaments rule")
    try:
        await here.service.of(Seasons).change(typed)
    except (Refused, BadData) as error:
        return await _show_page(here, typed, here.words.error(error))
    return Redirect(f"{_HERE}#{season}")


@post("/{season:str}/remove", needs=Permission.SET_UP, audit=Audit("Removed a season"))
async def remove(here: AtStation, season: FromPath[str]) -> Redirect:
    """Remove a season; its tournaments stay."""
    await _find(here, season)
    return await here.act(here.service.of(Seasons).remove(season), _HERE, Done.CHANGED)


async def _typed(here: PageContext, key: str) -> Season:
    fields = await here.fields()
    chosen = tuple(
        state.tournament
        for state in here.service.tournaments()
        if fields.is_ticked(f"tournament-{state.tournament}")
    )
    return Season(key, fields.text("name"), chosen, fields.raw("rule").replace("\r\n", "\n"))


class SpelledPerson(msgspec.Struct, frozen=True):
    """A person whose name or club is written differently in some tournaments, with each spelling."""

    row: SeasonRow
    results: tuple[tuple[str, SeasonResult], ...]


@get("/{season:str}", needs=Permission.SET_UP)
async def season_page(here: AtStation, season: FromPath[str]) -> Template | Redirect:
    """Show a season's packs, people and qualifiers."""
    service = here.service.of(Seasons)
    known = await service.find(season)
    if known is None:
        return here.refuse(SeasonRefusal.GONE, _HERE)
    table = await service.table(known)
    names = {one.tournament: one.name for one in table.tournaments}
    played = defaultdict[str, list[str]](list)
    for tournament in table.tournaments:
        for player in tournament.players:
            played[name_key(player.name)].append(tournament.name)
    return here.page(
        "judge/season.html",
        table=table,
        similar=[
            tuple((one, ", ".join(played[name_key(one.name)])) for one in pair) for pair in table.similar
        ],
        packs=await service.packs(season),
        people=[_written_as(row) for row in table.rows],
        spelled=[
            SpelledPerson(row, tuple((names[one.tournament], one) for one in row.results.values()))
            for row in table.rows
            if len(row.results) > 1
        ],
        parted=[(answer_key(one), one, isinstance(one, SamePerson)) for one in known.answers],
    )


@post(
    "/{season:str}/packs",
    needs=Permission.SET_UP,
    audit=Audit("Uploaded proof packs to a season"),
    request_max_body_size=_LARGEST_UPLOAD,
)
async def upload_packs(here: AtStation, season: FromPath[str]) -> Redirect:
    """Begin to verify uploaded packs."""
    known = await _known(here, season)
    await here.fields()
    form = await here.request.form()
    chosen = [one for one in form.getall("file", []) if isinstance(one, UploadFile) and one.filename]
    files = [(one.filename, await one.read()) for one in chosen[:MOST_PACKS]]
    if not files:
        return here.refuse(SeasonRefusal.NO_FILES, f"{_HERE}/{season}")
    then = f"{_HERE}/{season}"
    title = f"{here.words.gettext('Proof packs')} · {known.name}"
    work = partial(here.service.of(Seasons).upload, known.key, files)
    job = LongJob(title, then, object(), work, lane="packs")
    verified = result_of(here.request, job, then)
    return await here.act(verified, then)


@post(
    "/{season:str}/packs/{digest:str}/remove",
    needs=Permission.SET_UP,
    audit=Audit("Removed a proof pack from a season"),
)
async def remove_pack(here: AtStation, season: FromPath[str], digest: FromPath[str]) -> Redirect:
    """Remove an uploaded pack."""
    await _find(here, season)
    work = here.service.of(Seasons).remove_pack(season, digest)
    return await here.act(work, f"{_HERE}/{season}", Done.CHANGED)


@post(
    "/{season:str}/people",
    needs=Permission.SET_UP,
    audit=Audit("Joined or parted people of a season", keeps="answer first second"),
)
async def answer_about_people(here: AtStation, season: FromPath[str]) -> Redirect:
    """Join two people, or part them."""
    known, fields = await _known(here, season), await here.fields()
    first, second = (_spelling(fields.text(name)) for name in ("first", "second"))
    if first is None or second is None:
        return here.refuse(SeasonRefusal.NO_PERSON, f"{_HERE}/{season}")
    if fields.text("answer") == "same":
        answer: PersonAnswer = SamePerson(first, second, by=here.judge)
    else:
        tournament = fields.text("tournament") or None
        answer = OtherPerson(first, replace(second, tournament=tournament), by=here.judge)
    work = here.service.of(Seasons).answer(known, answer)
    return await here.act(work, f"{_HERE}/{season}#people", Done.CHANGED)


@post(
    "/{season:str}/people/{answer:str}/undo",
    needs=Permission.SET_UP,
    audit=Audit("Undid an answer about people of a season"),
)
async def undo_answer(here: AtStation, season: FromPath[str], answer: FromPath[str]) -> Redirect:
    """Undo an answer about two people."""
    await _find(here, season)
    work = here.service.of(Seasons).undo_answer(season, answer)
    return await here.act(work, f"{_HERE}/{season}#people", Done.CHANGED)


@get(
    "/{season:str}/qualifiers", needs=Permission.SET_UP, audit=Audit("Downloaded the qualifiers of a season")
)
async def download_qualifiers(
    here: AtStation, season: FromPath[str], *, places: FromQuery[int] = 16, kind: FromQuery[str] = "csv"
) -> Response[bytes]:
    """Return the qualifiers as the list that *Players* imports."""
    table = await here.service.of(Seasons).table(await _known(here, season))
    rows = tuple((row.name, row.club) for row in qualifiers(table.rows, places))
    players = ExportedTable(("name", "club"), rows)
    if kind == "xlsx":
        content = await asyncio.to_thread(as_workbook, ((DataTable.PLAYERS, players),))
        media = WORKBOOK
    else:
        content, media = as_csv(players, csv_separator(here.words.language)), "text/csv"
    name = f"qualifiers.{'xlsx' if kind == 'xlsx' else 'csv'}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media, headers=headers)


async def _find(here: PageContext, key: str) -> Season | None:
    """Return a season, whose name is recorded, or None for an unknown key."""
    known = await here.service.of(Seasons).find(key)
    if known is not None:
        here.recorded.known["season"] = known.name
    return known


async def _known(here: PageContext, key: str) -> Season:
    known = await _find(here, key)
    if known is None:
        raise NotFoundException(Missing.SEASON.value)
    return known


def _written_as(row: SeasonRow) -> str:
    return f"{row.name}{_BEFORE_CLUB}{row.club}"


def _spelling(text: str) -> Spelling | None:
    """Return the spelling of ``_written_as``."""
    name, _, club = text.partition(_BEFORE_CLUB.strip())
    return Spelling(name.strip(), club.strip()) if name.strip() else None


public_routes = Router("/", route_handlers=[season])
routes = station_routes(
    _HERE,
    seasons,
    add,
    season_page,
    change,
    remove,
    upload_packs,
    remove_pack,
    answer_about_people,
    undo_answer,
    download_qualifiers,
)
