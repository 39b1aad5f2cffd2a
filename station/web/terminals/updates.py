"""New versions for the terminals: uploaded, offered to one and then to all, stopped; each one's version."""

import hashlib
from collections.abc import AsyncIterator

import msgspec
from litestar import Router, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from saloon.base.errors import BadData, Refused, Unavailable
from saloon.station.terminals.terminal_cards import TerminalCard
from saloon.station.updates.rollout import Phase
from saloon.station.updates.updates import Version
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import (
    PageRequest,
    judge_of,
    notice,
    page,
    refused,
    run_action,
    site_of,
    words_of,
)
from saloon.station.web.terminals.update_words import doing
from saloon.station.web.text.reasons import Done, Missing, Reason
from saloon.sync.update.bundle import LARGEST_PAYLOAD
from saloon.sync.update.bundle_file import PIECE

_HERE = "/judge/updates"
_ROOM_FOR_A_FORM = 64 * 1024
_UNCHANGED = 204
_STEPS = {"one-first": Phase.ONE_FIRST, "everywhere": Phase.EVERYWHERE, "stop": Phase.STOPPED}


class UpdatesView(msgspec.Struct, frozen=True):
    """The content of the page. key: changes with any of it."""

    versions: tuple[Version, ...]
    terminals: tuple[TerminalCard, ...]
    key: str


@get("/")
async def updates(request: PageRequest) -> Template:
    """Show the uploaded versions, and the version that each terminal runs."""
    return _page(request, "judge/updates.html", _now(request))


@get("/now")
async def updates_now(request: PageRequest, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show the page's content when it is polled; return nothing if it equals ``seen``."""
    now = _now(request)
    if now.key == seen:
        return Response(None, status_code=_UNCHANGED)
    return _page(request, "judge/_updates.html", now)


@post("/bring", request_max_body_size=LARGEST_PAYLOAD + _ROOM_FOR_A_FORM)
async def bring(request: PageRequest) -> Redirect:
    """Upload a bundle, piece by piece."""
    file = (await request.form()).get("bundle")
    if not isinstance(file, UploadFile) or not file.filename:
        refused(request, Refused(Reason.NO_BUNDLE))
        return Redirect(_HERE)
    try:
        manifest = await site_of(request).office.updates.take(_pieces(file), judge_of(request))
    except (BadData, Unavailable) as error:
        # Name it as the person did, not by its temporary place.
        refused(request, BadData(file.filename, error.problem) if isinstance(error, BadData) else error)
        return Redirect(_HERE)
    words = words_of(request)
    said = words.label(Done.BROUGHT).format(version=manifest.about.name, board=manifest.about.architecture)
    notice(request, said, bad=False)
    return Redirect(_HERE)


@post("/{architecture:str}/go")
async def go(request: PageRequest, architecture: FromPath[str]) -> Redirect:
    """Offer a version to one terminal or to all, or stop it."""
    phase = _STEPS.get((await form_of(request)).text("step"))
    if phase is None:
        raise NotFoundException(Missing.GONE.value)
    return await run_action(
        request, site_of(request).office.updates.go(architecture, phase, judge_of(request)), _HERE
    )


@post("/{architecture:str}/again")
async def again(request: PageRequest, architecture: FromPath[str]) -> Redirect:
    """Let the terminals that did not reach the station with a version try it again."""
    return await run_action(
        request, site_of(request).office.updates.try_again(architecture, judge_of(request)), _HERE
    )


@post("/{architecture:str}/remove")
async def remove(request: PageRequest, architecture: FromPath[str]) -> Redirect:
    """Remove a version."""
    return await run_action(
        request, site_of(request).office.updates.remove(architecture, judge_of(request)), _HERE
    )


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE):
        yield piece


def _now(request: PageRequest) -> UpdatesView:
    office = site_of(request).office
    versions, terminals = office.updates.versions(), office.terminals()
    said = [(one.terminal, one.table, one.link, one.runs) for one in terminals]
    key = hashlib.sha256(msgspec.json.encode((said, versions, words_of(request).language))).hexdigest()[:16]
    return UpdatesView(versions, terminals, key)


def _page(request: PageRequest, name: str, now: UpdatesView) -> Template:
    words = words_of(request)
    return page(request, name, now=now, doing=lambda card: doing(card.runs, words.gettext))


routes = Router(
    _HERE, before_request=only_judges, route_handlers=[updates, updates_now, bring, go, again, remove]
)
