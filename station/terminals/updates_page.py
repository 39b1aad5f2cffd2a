"""New versions for the terminals: upload them, offer them to one or all terminals, stop them."""

from collections.abc import AsyncIterator

import msgspec
from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import BadData, Unavailable
from station.accounts.permissions import Permission
from station.audit import Audit
from station.projections.cards import TerminalCard
from station.terminals.text import doing
from station.text.reasons import Done, FormReason, Missing
from station.updates.rollout import RolloutPhase
from station.updates.updates import Version
from station.web.page_keys import shown_key
from station.web.site import notice
from station.web.tournament_context import AtStation, PageContext, station_routes, unchanged
from sync.update.bundle import LARGEST_PAYLOAD
from sync.update.bundle_file import PIECE

_HERE = "/judge/updates"
_ROOM_FOR_A_FORM = 64 * 1024
_STEPS = {
    "one-first": RolloutPhase.ONE_FIRST,
    "everywhere": RolloutPhase.EVERYWHERE,
    "stop": RolloutPhase.STOPPED,
}


class UpdatesView(msgspec.Struct, frozen=True):
    """The content of the page of new versions. ``key`` changes with any of it."""

    versions: tuple[Version, ...]
    terminals: tuple[TerminalCard, ...]
    key: str


@get("/", needs=Permission.ENROLMENT)
async def updates(here: AtStation) -> Template:
    return _page(here, "judge/updates.html", _now(here))


@get("/now", needs=Permission.ENROLMENT)
async def updates_now(here: AtStation, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show the page's content, as polled; return nothing if ``seen`` is current."""
    now = _now(here)
    if now.key == seen:
        return unchanged()
    return _page(here, "judge/_updates.html", now)


@post(
    "/bring",
    needs=Permission.ENROLMENT,
    audit=Audit("Uploaded a version for terminals"),
    request_max_body_size=LARGEST_PAYLOAD + _ROOM_FOR_A_FORM,
)
async def bring(here: AtStation) -> Redirect:
    """Upload a bundle, piece by piece."""
    file = (await here.fields()).file("bundle")
    if file is None or not file.filename:
        return here.refuse(FormReason.NO_BUNDLE, _HERE)
    try:
        manifest = await here.service.updates.upload(_pieces(file), here.judge)
    except (BadData, Unavailable) as error:
        # Use the person's file name rather than the temporary one.
        named = BadData(file.filename, error.problem) if isinstance(error, BadData) else error
        return here.refuse(named, _HERE)
    about = manifest.about
    said = here.words.label(Done.BROUGHT).format(version=about.name, board=about.architecture)
    notice(here.request, said, bad=False)
    return Redirect(_HERE)


@post("/{architecture:str}/go", needs=Permission.ENROLMENT, audit=Audit("Offered a version to terminals"))
async def go(here: AtStation, architecture: FromPath[str]) -> Redirect:
    """Offer a version to one terminal or to all, or stop it."""
    phase = _STEPS.get((await here.fields()).text("step"))
    if phase is None:
        raise NotFoundException(Missing.GONE.value)
    return await here.act(here.service.updates.set_phase(architecture, phase, here.judge), _HERE)


@post("/{architecture:str}/again", needs=Permission.ENROLMENT, audit=Audit("Tried a version again"))
async def again(here: AtStation, architecture: FromPath[str]) -> Redirect:
    """Let terminals that could not reach the station try a version again."""
    return await here.act(here.service.updates.retry(architecture, here.judge), _HERE)


@post("/{architecture:str}/remove", needs=Permission.ENROLMENT, audit=Audit("Removed a version"))
async def remove(here: AtStation, architecture: FromPath[str]) -> Redirect:
    return await here.act(here.service.updates.remove(architecture, here.judge), _HERE)


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE):
        yield piece


def _now(here: PageContext) -> UpdatesView:
    versions, terminals = here.service.updates.versions(), here.service.terminals()
    said = [(one.terminal, one.table, one.link, one.runs) for one in terminals]
    return UpdatesView(versions, terminals, shown_key((said, versions, here.words.language)))


def _page(here: PageContext, name: str, now: UpdatesView) -> Template:
    return here.page(name, now=now, doing=lambda card: doing(card.runs, here.words.gettext))


routes = station_routes(_HERE, updates, updates_now, bring, go, again, remove)
