"""The page opened by an invitation's link, where the guest chooses a password and is logged in.

The key is in the query and the form but never in the path, which may be logged.
"""

import asyncio

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from base.errors import BadData, Refused
from station.accounts.invitations import AccountInvitation, InvitationRefusal
from station.accounts.permissions import Permission
from station.audit.actions import Audit, AuditKind
from station.text.reasons import FormReason
from station.web.forms import form_of
from station.web.limits import INVITED, count_wrong_code
from station.web.site import PageRequest, begin_session, page, show_refusal, site_of


@get("/", needs=Permission.PUBLIC_PAGES)
async def invitation(request: PageRequest, key: FromQuery[str] = "") -> Template:
    """Ask the guest for a password, without using up the invitation."""
    return _page(request, await _find(request, key), key)


@post(
    "/",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Opened an account with an invitation", kind=AuditKind.ACCOUNTS),
    status_code=200,
)
async def accept(request: PageRequest) -> Template | Redirect:
    """Open the account and log the guest in."""
    fields, site = await form_of(request), site_of(request)
    key, password = fields.text("key"), fields.raw("password")
    invited = await _find(request, key)
    if password != fields.raw("again"):
        show_refusal(request, Refused(FormReason.NOT_TWICE))
        return _page(request, invited, key, 422)
    try:
        judge = await site.passwords.run(INVITED, site.invitations.accept, key, password)
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return _page(request, invited, key, 422)
    await begin_session(request, judge.name)
    return Redirect("/judge")


async def _find(request: PageRequest, key: str) -> AccountInvitation:
    """Return the invitation of a link. Raises NotFoundException if it is no longer valid."""
    try:
        return await asyncio.to_thread(site_of(request).invitations.find, key)
    except Refused as error:
        count_wrong_code(request)
        raise NotFoundException(InvitationRefusal.ENDED.value) from error


def _page(request: PageRequest, invited: AccountInvitation, key: str, status_code: int = 200) -> Template:
    return page(request, "invitation.html", status_code, invitation=invited, key=key)


routes = Router("/invitation", route_handlers=[invitation, accept])
