"""The first account, backups, and an appliance's computer: its USB drive, clock and power."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlencode

import msgspec
import segno
from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Stream, Template

from base.errors import BadData, Refused, SaloonError, Unavailable
from station.accounts.permissions import Permission
from station.appliance.appliance import Appliance
from station.appliance.status import StickState
from station.audit import Audit, AuditKind
from station.backups.backup import OnChecked
from station.text.i18n import LABELS, _
from station.text.reasons import Done, Missing
from station.web.limits import INVITED, asker_of, count_wrong_code
from station.web.long_tasks import LongJob, MadeFile, TaskProgress, TaskStep
from station.web.page_certificate import format_fingerprint
from station.web.site import begin_session
from station.web.task_page import file_response, result_of
from station.web.tournament_context import AtStation, PageContext, station_routes

_HERE: Final = "/judge/station"
_BACKUPS: Final = "/judge/backups"
_STICK_ICONS: Final = {StickState.GOOD: "check", StickState.LET_GO: "check", StickState.WRITING: "clock"}


LABELS.update(
    {
        StickState.NONE: _(
            "No USB drive is inserted. Insert one (FAT or exFAT): everything is copied to it at once, and "
            "then at regular intervals."
        ),
        StickState.WRITING: _("Writing a copy …"),
        StickState.GOOD: _("The USB drive is inserted and up to date."),
        StickState.LET_GO: _("You can remove the USB drive. Insert it again to continue copying."),
        StickState.FULL: _("The USB drive is full. Delete other files from it, or use another one."),
        StickState.READ_ONLY: _(
            "The USB drive is write-protected. Look for a switch on its side, or use another one."
        ),
        StickState.FAILED: _(
            "The copy failed. The station will try again automatically; if it keeps failing, use another "
            "USB drive."
        ),
    }
)


@get("/", needs=Permission.STATION)
async def station(here: AtStation) -> Template:
    """Show the state of the computer."""
    zone = f"{dt.datetime.now().astimezone():%z}"
    look = await _appliance(here).look()
    state = look.stick.state
    return here.page(
        "judge/station.html",
        look=look,
        icon=_STICK_ICONS.get(state, "warning"),
        is_stick_in=state is not StickState.NONE,
        is_stick_broken=state in {StickState.FULL, StickState.READ_ONLY, StickState.FAILED},
        zone=zone,
    )


@post("/copy", needs=Permission.BACKUPS, audit=Audit("Made a copy on the USB drive"))
async def copy(here: AtStation) -> Redirect:
    """Write a copy to the USB drive now."""

    async def _copy(progress: TaskProgress) -> None:
        progress.begin(TaskStep.STICK)
        await _appliance(here).copy_now()

    job = LongJob(here.words.gettext("Copies on a USB drive"), "stick", object(), _copy)
    copied = result_of(here.request, job, _HERE)
    return await here.act(copied, _HERE, Done.COPIED)


@post("/let-go", needs=Permission.BACKUPS, audit=Audit("Ejected the USB drive"))
async def let_go(here: AtStation) -> Redirect:
    """Write a last copy, then stop using the stick."""
    return await here.act(_appliance(here).eject_stick(), _HERE, Done.STICK_FREE)


@post("/clock", needs=Permission.STATION, audit=Audit("Set the station's clock"))
async def clock(here: AtStation) -> Redirect:
    """Set the clock to the browser's time."""
    wall_ms = (await here.fields()).wall_ms("browser-ms")
    return await here.act(_appliance(here).set_clock(wall_ms), _HERE, Done.CLOCK_SET)


@get("/power", needs=Permission.STATION)
async def power(here: AtStation) -> Template:
    """Ask for confirmation before switching off or restarting the computer."""
    look = await _appliance(here).look()
    has_stick = look.stick.state not in {StickState.NONE, StickState.LET_GO}
    restart = "restart" in here.request.query_params
    return here.page("judge/power.html", look=look, has_stick=has_stick, restart=restart)


@post(
    "/power",
    needs=Permission.STATION,
    audit=Audit("Switched the station off or restarted it", keeps="restart"),
)
async def switch_off(here: AtStation) -> Template | Redirect:
    """Switch off or restart the computer."""
    restart = (await here.fields()).is_ticked("restart")
    try:
        _appliance(here).shut_down(restart=restart)
    except SaloonError as error:
        return here.refuse(error, _HERE)
    return here.page("judge/power.html", look=None, restart=restart)


@get("/", needs=Permission.ENCRYPTED_BACKUPS)
async def backups(here: AtStation) -> Template:
    """Offer backups to download, and ask for their passphrase."""
    has_passphrase = await asyncio.to_thread(here.service.sealed_backups.has_passphrase)
    return here.page("judge/backups.html", has_passphrase=has_passphrase)


@get("/", needs=Permission.BACKUPS, audit=Audit("Downloaded a backup"))
async def backup(here: AtStation) -> Stream:
    return await _make_backup(here, here.service.backup, "db")


@get("/encrypted", needs=Permission.ENCRYPTED_BACKUPS, audit=Audit("Downloaded an encrypted backup"))
async def encrypted_backup(here: AtStation) -> Stream | Redirect:
    """Return a backup that can only be opened with the head judge's passphrase."""
    try:
        return await _make_backup(
            here, partial(asyncio.to_thread, here.service.sealed_backups.make), "sealed"
        )
    except (Refused, Unavailable) as error:
        return here.refuse(error, _BACKUPS)


@post("/passphrase", needs=Permission.BACKUPS, audit=Audit("Set the passphrase for backups"))
async def set_passphrase(here: AtStation) -> Redirect:
    """Set the passphrase of encrypted backups."""
    fields, site = await here.fields(), here.site
    work = site.passwords.run(
        asker_of(here.request), site.service.sealed_backups.set_passphrase, fields.raw("passphrase")
    )
    return await here.act(work, _BACKUPS, Done.BACKUPS_SEALED)


async def _make_backup(here: PageContext, make: Callable[[OnChecked], Awaitable[bytes]], kind: str) -> Stream:
    async def _make(progress: TaskProgress) -> MadeFile:
        progress.begin(TaskStep.CHECKING)
        return await asyncio.to_thread(MadeFile, (await make(progress.count),))

    # Each backup is a new one.
    job = LongJob(here.words.gettext("Backup"), kind, object(), _make)
    made = await result_of(here.request, job)
    return _as_file(here, made, kind)


def _as_file(here: PageContext, content: MadeFile, kind: str) -> Stream:
    wall_ms = here.site.service.context.parts.clock.wall_ms()
    made = dt.datetime.fromtimestamp(wall_ms / 1000).astimezone()
    headers = {"Content-Disposition": f'attachment; filename="saloon-{made:%Y-%m-%d-%H%M}.{kind}"'}
    return file_response(content, "application/octet-stream", headers)


class StationDoor(msgspec.Struct, frozen=True):
    """The address for opening the pages on other devices. ``code`` is its QR code as a data URI.

    ``fingerprint`` is that of the pages' certificate, or empty without TLS.
    """

    address: str
    code: str
    fingerprint: str


@get("/first", needs=Permission.PUBLIC_PAGES)
async def first(here: AtStation) -> Template | Redirect:
    """Show the form for a new station's first account, or for restoring a copy instead."""
    site = here.site
    if not await asyncio.to_thread(site.first.code):
        return Redirect("/login")
    look = None if site.appliance is None else await site.appliance.look()
    code = here.request.query_params.get("code", "")
    pages = site.service.context.sign_in_links().pages or site.service.context.find_pages()
    return here.page("first.html", look=look, code=code, door=await _door(here, pages, code))


async def _door(here: PageContext, pages: str, code: str) -> StationDoor | None:
    if not pages:
        return None
    link = f"{pages}/first?{urlencode({'code': code})}" if code else f"{pages}/first"
    file, fingerprint = here.site.page_certificate, ""
    if pages.startswith("https:") and file is not None:
        with contextlib.suppress(OSError, ValueError):
            fingerprint = await asyncio.to_thread(format_fingerprint, file)
    picture = segno.make(link, error="m", micro=False).svg_data_uri(border=2)
    return StationDoor(pages, picture, fingerprint)


@post(
    "/first",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Opened the first account", keeps="name", kind=AuditKind.ACCOUNTS),
)
async def open_first(here: AtStation) -> Redirect:
    """Open the first account and log in."""
    fields, site = await here.fields(), here.site
    try:
        name, password = fields.text("name"), fields.raw("password")
        await _check_code(here, fields.text("code"))
        judge = await site.passwords.run(INVITED, site.first.open, fields.text("code"), name, password)
    except (Refused, BadData) as error:
        return here.refuse(error, "/first")
    await begin_session(here.request, judge.name)
    return Redirect("/judge")


@post(
    "/first/restore",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Restored a backup on a new station", kind=AuditKind.STATION),
)
async def restore(here: AtStation) -> Template | Redirect:
    """Restore a copy from the stick to this new station."""
    fields = await here.fields()
    name = PurePosixPath(fields.text("copy")).name
    try:
        await _check_code(here, fields.text("code"))
        await _appliance(here).restore(name)
    except SaloonError as error:
        return here.refuse(error, "/first")
    return here.page("restoring.html")


async def _check_code(here: PageContext, typed: str) -> None:
    """Check the first account's code. Raises Refused, TooManyRequestsException after many wrong ones."""
    try:
        await asyncio.to_thread(here.site.first.check, typed)
    except Refused:
        count_wrong_code(here.request)
        raise


def _appliance(here: PageContext) -> Appliance:
    appliance = here.site.appliance
    if appliance is None:
        raise NotFoundException(Missing.APPLIANCE.value)
    return appliance


routes = station_routes("/", first, open_first, restore)
backups_routes = station_routes(_BACKUPS, backups)
backup_routes = station_routes("/judge/backup", backup, encrypted_backup, set_passphrase)
computer_routes = station_routes(_HERE, station, copy, let_go, clock, power, switch_off)
