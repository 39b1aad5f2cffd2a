"""Buttons on a table's page and in the list that lock, unlock, restart and identify terminals."""

from typing import Final

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect

from station.accounts.permissions import Permission
from station.audit import Audit
from station.terminals.remote_control import RemoteControl
from station.text.reasons import Done
from station.web.site import referring_page
from station.web.tournament_context import AtStation, PageContext, station_routes
from sync.protocol.entry import TerminalId

_HERE: Final = "/judge/terminals"


@post("/{terminal:str}/lock", needs=Permission.REMOTE_CONTROL, audit=Audit("Locked a terminal"))
async def lock(here: AtStation, terminal: FromPath[str]) -> Redirect:
    work = here.service.of(RemoteControl).lock(TerminalId(terminal), is_locked=True, by=here.judge)
    return await here.act(work, _back(here), Done.GLASS_LOCKED)


@post("/{terminal:str}/unlock", needs=Permission.REMOTE_CONTROL, audit=Audit("Unlocked a terminal"))
async def unlock(here: AtStation, terminal: FromPath[str]) -> Redirect:
    work = here.service.of(RemoteControl).lock(TerminalId(terminal), is_locked=False, by=here.judge)
    return await here.act(work, _back(here), Done.GLASS_UNLOCKED)


@post("/{terminal:str}/restart", needs=Permission.REMOTE_CONTROL, audit=Audit("Restarted a terminal"))
async def restart(here: AtStation, terminal: FromPath[str]) -> Redirect:
    work = here.service.of(RemoteControl).restart(TerminalId(terminal), here.judge)
    return await here.act(work, _back(here), Done.RESTARTING)


@post("/{terminal:str}/identify", needs=Permission.MESSAGES, audit=Audit("Identified a terminal"))
async def identify(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Make a terminal blink, sound and show which one it is."""
    work = here.service.of(RemoteControl).identify(TerminalId(terminal), here.judge)
    return await here.act(work, _back(here), Done.IDENTIFIED)


@post("/lock-all", needs=Permission.REMOTE_CONTROL, audit=Audit("Locked all terminals"))
async def lock_all(here: AtStation) -> Redirect:
    work = here.service.of(RemoteControl).lock_all(is_locked=True, by=here.judge)
    return await here.act(work, _HERE, Done.GLASSES_LOCKED)


@post("/unlock-all", needs=Permission.REMOTE_CONTROL, audit=Audit("Unlocked all terminals"))
async def unlock_all(here: AtStation) -> Redirect:
    work = here.service.of(RemoteControl).lock_all(is_locked=False, by=here.judge)
    return await here.act(work, _HERE, Done.GLASSES_UNLOCKED)


@post("/identify-spares", needs=Permission.MESSAGES, audit=Audit("Identified the spares"))
async def identify_spares(here: AtStation) -> Redirect:
    """Make all terminals without a table identify themselves."""
    return await here.act(
        here.service.of(RemoteControl).identify_spares(here.judge), _back(here), Done.IDENTIFIED
    )


def _back(here: PageContext) -> str:
    return referring_page(here.request, _HERE)


routes = station_routes(_HERE, lock, unlock, restart, identify, lock_all, unlock_all, identify_spares)
