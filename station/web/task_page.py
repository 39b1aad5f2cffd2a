"""Wait for long work, or show its progress until it has ended."""

import asyncio
from typing import TypeVar

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Stream, Template

from base.errors import Refused
from station.accounts.permissions import Permission
from station.audit import Unrecorded
from station.text.reasons import Missing
from station.web.long_tasks import LongJob, LongTask, MadeFile, TaskRefusal, shown_task
from station.web.site import PageRequest, judge_of, notice, recorded_facts, referring_page, site_of
from station.web.tournament_context import AtStation, PageContext, station_routes

_T = TypeVar("_T")
_HERE = "/judge/tasks"


class StillRunning(Exception):
    """Raised when a page's work takes longer than it may wait."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


async def result_of(request: PageRequest, job: LongJob[_T], then: str = "") -> _T:
    """Return what a job makes. Raises StillRunning for a browser that has waited for a second, and Refused.

    then: the page with the result, by default the requested one; it gets the task's key as ``task``.
    Programs, and the pictures and scripts of a page, wait until the end.
    """
    tasks, judge = site_of(request).tasks, judge_of(request)
    task: LongTask[_T] | None = tasks.find(request.query_params.get("task", ""), job.what)
    if task is None:
        task = tasks.begin(job, judge, then or _own_address(request), referring_page(request, "/judge"))
    is_page = "text/html" in request.headers.get("accept", "")
    await asyncio.wait({task.running}, timeout=tasks.patience_s if is_page else None)
    if not task.running.done():
        recorded_facts(request).is_waiting = True
        raise StillRunning(task.key)
    if task.running.cancelled():
        raise Refused(TaskRefusal.CANCELLED)
    task.seen.add(judge)
    return task.running.result()


def _own_address(request: PageRequest) -> str:
    query = "&".join(part for part in request.url.query.split("&") if not part.startswith("task="))
    return f"{request.url.path}?{query}".rstrip("?")


def show_progress(_request: PageRequest, error: StillRunning) -> Redirect:
    return Redirect(f"{_HERE}/{error.key}")


def file_response(made: MadeFile, media_type: str, headers: dict[str, str]) -> Stream:
    length = {"Content-Length": str(made.size)}
    return Stream(made.pieces(), media_type=media_type, headers=headers | length)


@get("/{key:str}", needs=Permission.OWN_ACCOUNT)
async def show_task(here: AtStation, key: FromPath[str]) -> Template | Redirect:
    """Show the progress of a task, and lead to its result once it's ready."""
    task = _find(here, key)
    view, is_poll = shown_task(task, here.words), "hx-request" in here.request.headers
    if task.running.done():
        task.seen.add(here.judge)
        if not view.problem and not is_poll:
            return Redirect(view.result)
    return here.page("judge/_task.html" if is_poll else "judge/task.html", task=view)


@get("/", needs=Permission.OWN_ACCOUNT)
async def show_tasks(here: AtStation) -> Template:
    """Show the line on all pages about the tasks that this person waits for."""
    return here.page("judge/_tasks.html")


@post("/{key:str}/cancel", needs=Permission.OWN_ACCOUNT, audit=Unrecorded("it changes nothing"))
async def cancel_task(here: AtStation, key: FromPath[str]) -> Redirect:
    """Cancel a task, unless others wait for it too."""
    task = _find(here, key)
    text = here.words.gettext("Cancelled: {title}").format(title=task.job.title)
    notice(here.request, text, bad=False)
    return Redirect(here.site.tasks.leave(task, here.judge))


def _find(here: PageContext, key: str) -> LongTask[object]:
    task = here.site.tasks.find_own(key, here.judge)
    if task is None:
        raise NotFoundException(Missing.GONE.value)
    return task


routes = station_routes(_HERE, show_task, show_tasks, cancel_task)
