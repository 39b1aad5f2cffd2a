"""A judge's own account: change the password, list and end sessions, sign out everywhere."""

import asyncio
from typing import Final

from litestar import Router, get, post
from litestar.response import Redirect, Template

from base.errors import BadData, Refused
from station.accounts.permissions import Permission
from station.audit.actions import Audit
from station.judges.session_list import show_sessions
from station.text.reasons import Done, FormReason
from station.web.forms import form_of
from station.web.limits import asker_of, limit_tries
from station.web.site import (
    PageRequest,
    begin_session,
    forget_session,
    judge_of,
    notice,
    page,
    run_action,
    show_refusal,
    site_of,
    words_of,
)

_HERE: Final = "/judge/account"


@get("/", needs=Permission.OWN_ACCOUNT)
async def account(request: PageRequest) -> Template:
    """Show the judge's own account and its sessions."""
    sessions = await asyncio.to_thread(site_of(request).judges.sessions.all)
    theirs = [one for one in sessions if one.judge == judge_of(request)]
    return page(request, "judge/account.html", sessions=show_sessions(request, theirs))


@post("/password", needs=Permission.OWN_ACCOUNT, audit=Audit("Changed their password"))
async def change_password(request: PageRequest) -> Redirect:
    """Change the judge's password and end all other sessions."""
    fields = await form_of(request)
    site, name = site_of(request), judge_of(request)
    new = fields.raw("new")
    if new != fields.raw("again"):
        show_refusal(request, Refused(FormReason.NOT_TWICE))
        return Redirect(_HERE)
    try:
        asker = asker_of(request)
        with limit_tries(request, asker) as right:
            await site.passwords.run(asker, site.judges.change_password, name, fields.raw("current"), new)
            right()
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return Redirect(_HERE)
    await begin_session(request, name)
    notice(request, words_of(request).label(Done.OTHERS_SIGNED_OUT), bad=False)
    return Redirect(_HERE)


@post(
    "/sessions/end",
    needs=Permission.OWN_ACCOUNT,
    audit=Audit("Logged out one of their browsers", keeps="number"),
)
async def end_own_session(request: PageRequest) -> Redirect:
    """End one of the judge's own sessions."""
    number = (await form_of(request)).number("number") or 0
    work = asyncio.to_thread(site_of(request).judges.sessions.end_one_of, judge_of(request), number)
    return await run_action(request, work, _HERE, Done.SESSION_ENDED)


@post("/sign-out-everywhere", needs=Permission.OWN_ACCOUNT, audit=Audit("Logged out everywhere"))
async def sign_out_everywhere(request: PageRequest) -> Redirect:
    """End all sessions of this judge, including this one."""
    await asyncio.to_thread(site_of(request).judges.sessions.end_all_of, judge_of(request))
    forget_session(request)
    notice(request, words_of(request).label(Done.SIGNED_OUT), bad=False)
    return Redirect("/login")


routes = Router(_HERE, route_handlers=[account, change_password, end_own_session, sign_out_everywhere])
