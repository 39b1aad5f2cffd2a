"""The judge's tournaments: their list, the next step, the day's progress, the history, and the proof pack."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from litestar import Router, get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Stream, Template

from base.errors import Refused
from core.tournament.decisions import UndoSteps
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.registration import ChangeWaivers, RenameTournament
from core.tournament.state.names import fold_name
from core.tournament.state.table_list import read_tables
from core.tournament.state.tournament import TournamentState
from station.accounts.permissions import Permission, roles_with
from station.audit import Audit, AuditFilter
from station.exports import CountedLines, pieces
from station.hall.station_service import StationService
from station.pace.service import LivePace
from station.paper.page import PRINTING
from station.paper.papers import PaperKind
from station.players.service import Desk
from station.text.events_in_words import describe_last_step, history_lines
from station.text.plan import is_movable, plan_of
from station.text.reasons import Done
from station.tournaments.checklist import DayCourse, checklist, expected_ending
from station.tournaments.documents import LARGEST_PDF, Documents
from station.tournaments.next_step import next_step_of
from station.tournaments.what_if_page import ticked_games
from station.web.long_tasks import LongJob, MadeFile, TaskProgress, TaskStep
from station.web.site import PageRequest, notice, page, referring_page, site_of
from station.web.task_page import file_response, result_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_T = TypeVar("_T")
_STEPS_A_PAGE: Final = 100


@get("/", needs=Permission.OWN_ACCOUNT)
async def home(request: PageRequest) -> Template:
    tournaments, _archived = await tournament_lists(request)
    return page(request, "judge/home.html", tournaments=tournaments)


@get("/archive", needs=Permission.SET_UP)
async def archive_list(request: PageRequest) -> Template:
    _tournaments, archived = await tournament_lists(request)
    return page(request, "judge/archive.html", archived=archived)


async def tournament_lists(request: PageRequest) -> tuple[list[TournamentState], list[TournamentState]]:
    """Return the current tournaments, and the archived ones that aren't empty."""
    service = site_of(request).service
    archived = await service.archive.ids()
    known = service.tournaments()
    return (
        [one for one in known if one.tournament not in archived],
        [one for one in known if one.tournament in archived and not await is_empty(service, one)],
    )


async def is_empty(service: StationService, state: TournamentState) -> bool:
    """Return whether a tournament can be removed: it has no players, draw or applications."""
    if state.entrants or state.rounds:
        return False
    return not (await service.of(Desk).record(state.tournament)).applications


@get("/", needs=Permission.TOURNAMENTS)
async def tournament(here: AtTournament) -> Template:
    """Show the state of the tournament and the next step."""
    plan, cards = plan_of(here.state, here.rules), here.service.live_floor.cards(here.state)
    desk = await here.service.of(Desk).record(here.state.tournament)
    timeline = here.service.context.projections.tournaments[here.state.tournament].timeline
    day = DayCourse(
        here.state,
        timeline.steps,
        plan.rounds,
        missing=len(here.service.of(Desk).missing(here.state, desk)),
        printed=await asyncio.to_thread(_printed, here),
    )
    lengths = here.service.of(LivePace).day_lengths(here.state, plan.sizes, day.measured)
    return here.page(
        "judge/tournament.html",
        step=next_step_of(here, cards),
        terminals=here.service.terminals(),
        parts=checklist(day, lengths, here.words),
        ending=expected_ending(day, lengths, here.service.live_floor.now_ms(), here.words),
        rounds=plan.rounds,
        sizes=plan.sizes,
        may_move=is_movable(here.state),
        is_empty=await is_empty(here.service, here.state),
        document=await here.service.of(Documents).find(here.state.tournament),
        playing_judges=await _playing_judges(here),
        applications=desk.applicants(here.state.contenders),
    )


def _printed(here: TournamentContext) -> Mapping[PaperKind, int]:
    """Return when badges and certificates were last opened for printing, from the audit log. Blocks."""
    times: dict[PaperKind, int] = {}
    for kind in (PaperKind.BADGES, PaperKind.CERTIFICATES):
        wanted = AuditFilter(routes=(PRINTING,), tournament=here.state.tournament, text=f'"{kind.value}"')
        for line in here.site.audit.page(wanted, 0, 1):
            times[kind] = line.wall_ms
    return times


async def _playing_judges(here: TournamentContext) -> list[str]:
    """Return the players who have the name of a judge's account, as judges must not play.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    accounts = await asyncio.to_thread(here.site.judges.all)
    judges = {_unordered(one.name) for one in accounts if one.role in roles_with(Permission.FLOOR)}
    return [one.name for one in here.state.contenders if _unordered(one.name) in judges]


def _unordered(name: str) -> frozenset[str]:
    return frozenset(fold_name(name).split())


@post("/archive", needs=Permission.SET_UP, audit=Audit("Archived the tournament"))
async def archive(here: AtTournament) -> Redirect:
    """Archive the tournament. An empty one disappears from all lists."""
    done = Done.REMOVED if await is_empty(here.service, here.state) else Done.ARCHIVED
    return await here.act(here.service.archive.archive(here.state, here.judge), "/judge", done)


@post("/reopen", needs=Permission.SET_UP, audit=Audit("Reopened the tournament"))
async def reopen(here: AtTournament) -> Redirect:
    return await here.act(here.service.archive.reopen(here.state, here.judge), here.url, Done.REOPENED)


@post(
    "/waivers",
    needs=Permission.SET_UP,
    audit=Audit("Changed rounds or time limit", keeps="rounds time_limit_min cycles reason"),
)
async def waivers(here: AtTournament) -> Redirect:
    """Change the waivers, such as fewer rounds or a time limit."""
    fields = await here.fields()
    command = ChangeWaivers(fields.waivers(), fields.text("reason"))
    return await here.run(command, here.url, Done.CHANGED)


@post(
    "/name",
    needs=Permission.SET_UP,
    audit=Audit("Corrected the tournament's name or date", keeps="name date"),
)
async def name(here: AtTournament) -> Redirect:
    """Correct the tournament's name and date."""
    fields = await here.fields()
    command = RenameTournament(fields.text("name"), fields.text("date"))
    return await here.run(command, here.url, Done.CHANGED)


@post("/tables", needs=Permission.SET_UP, audit=Audit("Moved the tournament to other tables", keeps="tables"))
async def tables(here: AtTournament) -> Redirect:
    command = MoveTables(tables=read_tables((await here.fields()).text("tables")))
    return await here.run(command, referring_page(here.request, here.url), Done.TABLES_CHOSEN)


_PDF: Final = "PDF"


@post(
    "/document",
    needs=Permission.SET_UP,
    audit=Audit("Changed the publisher's document"),
    request_max_body_size=LARGEST_PDF + 64 * 1024,
)
async def document(here: AtTournament) -> Redirect:
    """Store the publisher's document, a PDF or a link, or remove it if neither is given."""
    fields, documents = await here.fields(), here.service.of(Documents)
    tournament, file = here.state.tournament, fields.file("file")
    content, former = b"" if file is None else await file.read(), await documents.find(tournament)
    before, after = former and (former.link or _PDF), _PDF if content else fields.text("link")
    here.recorded.note_change("document", before, after)
    if content:
        return await here.act(documents.set_pdf(tournament, content), here.url, Done.CHANGED)
    return await here.act(documents.set_link(tournament, fields.text("link")), here.url, Done.CHANGED)


@get("/history", needs=Permission.HISTORY)
async def history(here: AtTournament, page: FromQuery[int] = 1) -> Template:
    """Show a page of the steps with author and time; the last ones can be undone."""
    steps = here.service.history(here.state.tournament)
    number = max(1, min(page, -(-len(steps) // _STEPS_A_PAGE)))
    span = range((number - 1) * _STEPS_A_PAGE, number * _STEPS_A_PAGE)
    return here.page(
        "judge/history.html",
        lines=history_lines(steps, here.state, here.words, span),
        number=number,
        has_more=span.stop < len(steps),
        seen=here.service.steps_written(here.state.tournament),
    )


@post("/undo", needs=Permission.HISTORY, audit=Audit("Undid steps", keeps="steps reason"))
async def undo(here: AtTournament) -> Redirect:
    """Undo the last steps."""
    fields, then = await here.fields(), f"{here.url}/history"
    steps, seen = fields.number("steps") or 0, fields.number("seen")
    command = UndoSteps(steps, fields.text("reason"), confirmed=ticked_games(fields), seen=seen)
    # The page that sent this form, which shows the consequences, cannot be loaded again.
    try:
        here.require_last_step(seen)
    except Refused as refused:
        return here.refuse(refused, then)
    refusal = here.service.why_not(here.state.tournament, command)
    if refusal is not None:
        return here.refuse(refusal, then)
    return await here.run(command, then, Done.TAKEN_BACK)


@post("/undo/last", needs=Permission.HISTORY, audit=Audit("Undid the last step"))
async def undo_last(here: AtTournament) -> Redirect:
    """Undo the step that the page before has reported, unless another one followed it."""
    then = referring_page(here.request, f"{here.url}/history")
    seen, _ = (await here.fields()).number("seen"), here.words.gettext
    here.require_last_step(seen)
    what = describe_last_step(here.service.history(here.state.tournament), here.state, here.words)
    answer = await here.run(UndoSteps(1, _("right after it"), seen=seen), then)
    if not here.recorded.refused:
        notice(here.request, _("Undone: {what}").format(what=what), bad=False)
    return answer


@get("/proof", needs=Permission.HISTORY)
async def proof(here: AtTournament) -> Template:
    """Show the proof pack's current contents, its digest, and how to verify it."""

    async def _count(progress: TaskProgress) -> CountedLines:
        counted = CountedLines(_pack_lines(here, progress))
        await asyncio.to_thread(counted.read_all)
        return counted

    counted = await result_of(here.request, _pack_job(here, "counted", _count))
    file = here.file_name("proof.jsonl")
    return here.page("judge/proof.html", file=file, lines=counted.lines, digest=counted.digest)


@get("/export", needs=Permission.HISTORY, audit=Audit("Downloaded the proof pack"))
async def export(here: AtTournament) -> Stream:
    """Return the proof pack as a file."""

    async def _make(progress: TaskProgress) -> MadeFile:
        return await asyncio.to_thread(MadeFile, pieces(_pack_lines(here, progress)))

    made = await result_of(here.request, _pack_job(here, "file", _make))
    return file_response(made, "application/jsonl", here.file_headers("proof.jsonl"))


def _pack_job(
    here: TournamentContext, what: str, work: Callable[[TaskProgress], Awaitable[_T]]
) -> LongJob[_T]:
    title = f"{here.words.gettext('Proof pack')} · {here.state.name}"
    # The games of terminals, which grow with each tap, are in it too.
    return LongJob(title, (here.url, what), object(), work)


def _pack_lines(here: TournamentContext, progress: TaskProgress) -> Iterator[bytes]:
    on_counted = partial(progress.begin, TaskStep.LINES)
    return progress.counted(here.service.export(here.state.tournament, on_counted))


routes = Router("/judge", route_handlers=[home, archive_list])
routes_of_one = tournament_routes(
    tournament, archive, reopen, waivers, name, tables, document, history, undo, undo_last, proof, export
)
