"""Logging in and out, accepting an invitation, and the choice of language.

An invitation's link opens a page where the guest chooses a password and is logged in. Its key is in the query
and the form, but never in the path, which may be logged.
"""

import asyncio
from typing import Final
from urllib.parse import urlencode

from litestar import Router, get, post
from litestar.exceptions import NotFoundException, TooManyRequestsException
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from base.errors import BadData, Refused
from base.languages import LANGUAGES
from station.accounts.invitations import AccountInvitation, InvitationRefusal
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit, AuditKind, AuditLine, Unrecorded
from station.judges.audit_page import AuditTexts
from station.text.reasons import FormReason
from station.web.forms import Fields, KeptForm, form_of, kept_form
from station.web.limits import INVITED, asker_of, count_wrong_code, limit_tries
from station.web.pages import pages_of
from station.web.site import (
    TYPED_ON,
    PageRequest,
    begin_session,
    end_session,
    find_session,
    page,
    recorded_facts,
    referring_page,
    show_refusal,
    site_of,
)
from station.web.tournament_context import PageContext

_HIDDEN_FIELDS: Final = frozenset({"looked-at", "moment", "seen", "next"})
"""Hidden fields, which are not listed to the judge."""
_YEAR_S: Final = 365 * 24 * 3600


@get("/login", needs=Permission.PUBLIC_PAGES)
async def login_page(request: PageRequest) -> Template:
    """Show the login form, or how to create the first account."""
    nobody = not await asyncio.to_thread(site_of(request).judges.all)
    wanted = request.query_params.get("next", "/judge")
    return page(request, "login.html", nobody=nobody, next=wanted, kept="")


def show_kept_form(request: PageRequest, text: str, then: str = "", status: int = 401) -> Template:
    """Show the login form, keeping in the page a form that was sent after its session had ended."""
    values = {"nobody": False, "next": then or referring_page(request, "/judge"), "kept": text}
    return page(request, "login.html", status, **values)


@post(
    "/login", needs=Permission.PUBLIC_PAGES, audit=Audit("Logged in", keeps="name", kind=AuditKind.ACCOUNTS)
)
async def login(request: PageRequest) -> Template | Redirect:
    """Log a judge in. A form from an ended session is shown first for confirmation."""
    fields = await form_of(request)
    site, then, text = site_of(request), _inside(fields), fields.raw("kept")
    kept = kept_form(text, pages_of(request))
    asker, name = asker_of(request), fields.text("name")
    try:
        with limit_tries(request, asker) as right:
            judge = await site.passwords.run(asker, site.judges.check, name, fields.raw("password"))
            if judge is not None:
                right()
    except TooManyRequestsException:
        if kept is None:
            raise
        show_refusal(request, Refused(FormReason.TOO_MANY_TRIES))
        return show_kept_form(request, text, then, 429)
    if judge is None:
        show_refusal(request, Refused(FormReason.LOGIN))
        if kept is not None:
            return show_kept_form(request, text, then)
        return Redirect(f"/login?{urlencode({'next': then})}")
    # A name may be typed in other letters than the account's.
    recorded_facts(request).known["name"] = judge.name
    await begin_session(request, judge.name)
    return Redirect(then) if kept is None else await _ask_to_send(request, kept, then)


async def _ask_to_send(request: PageRequest, kept: KeptForm, back: str) -> Template:
    """Ask the judge, who has just logged in, whether to send a kept form."""
    await find_session(request)
    request.session[TYPED_ON] = back
    here, sent = PageContext(request), pages_of(request)[kept.route]
    facts: dict[str, str] = {}
    for name, value in (*kept.path.items(), *kept.fields):
        if name not in _HIDDEN_FIELDS:
            facts[name] = f"{facts[name]}, {value}" if facts.get(name) else value
    line = AuditLine(0, here.judge, "", "", kept.route, facts)
    return here.page(
        "kept_form.html",
        kept=kept,
        facts=tuple(AuditTexts(here).facts(line)),
        action=here.words.gettext(sent.audit.action) if isinstance(sent.audit, Audit) else "",
        is_preview=sent.audit == PREVIEW,
        needs=sent.needs,
        back=back,
    )


@post("/logout", needs=Permission.PUBLIC_PAGES, audit=Audit("Logged out", kind=AuditKind.ACCOUNTS))
async def logout(request: PageRequest) -> Redirect:
    """End this browser's session."""
    await end_session(request)
    request.clear_session()
    return Redirect("/")


@post(
    "/language",
    needs=Permission.PUBLIC_PAGES,
    audit=Unrecorded("changes nothing but the words of that browser"),
)
async def language(request: PageRequest) -> Redirect:
    """Set the language in a cookie."""
    fields = await form_of(request)
    chosen = fields.text("language")
    answer = Redirect(_inside(fields, "/"))
    if chosen in LANGUAGES:
        answer.set_cookie(key="language", value=chosen, max_age=_YEAR_S, samesite="lax", httponly=True)
    return answer


def _inside(fields: Fields, otherwise: str = "/judge") -> str:
    """Return the page on which to continue, which must be one of ours."""
    wanted = fields.text("next")
    # Browsers read a backslash as a slash, and two slashes as another site.
    return wanted if wanted.startswith("/") and not wanted.startswith(("//", "/\\")) else otherwise


@get("/invitation", needs=Permission.PUBLIC_PAGES)
async def invitation(request: PageRequest, key: FromQuery[str] = "") -> Template:
    return _page(request, await _find(request, key), key)


@post(
    "/invitation",
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


routes = Router("/", route_handlers=[login_page, login, logout, language, invitation, accept])
