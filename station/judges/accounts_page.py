"""The page of all accounts, invitations, sessions and tokens for head judges, and each judge's own page."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
import segno
from litestar import get, post
from litestar.response import Redirect, Template

from base.errors import BadData, Refused
from station.accounts.api_tokens import ApiToken
from station.accounts.invitations import AccountInvitation
from station.accounts.judges import JudgeSession
from station.accounts.permissions import AccountRole, Permission
from station.audit import Audit
from station.text.reasons import Done, FormReason
from station.web.forms import Fields
from station.web.limits import asker_of, limit_tries
from station.web.site import begin_session, forget_session, notice, session_of
from station.web.tournament_context import AtStation, PageContext, station_routes

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Substrings of User-Agent by browser, the specific ones first, as most browsers also claim to be others."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


class ShownSession(msgspec.Struct, frozen=True):
    """A session for display. ``is_this`` marks the session of this request."""

    session: JudgeSession
    browser: str
    is_this: bool


def _show_sessions(here: PageContext, sessions: Iterable[JudgeSession]) -> tuple[ShownSession, ...]:
    this, _ = session_of(here.request), here.words.gettext
    rows = [
        ShownSession(one, _in_words(one.agent, _), this is not None and one.number == this.number)
        for one in sessions
    ]
    return tuple(sorted(rows, key=lambda one: not one.is_this))


def _in_words(agent: str, _: Callable[[str], str]) -> str:
    browser, system = _first(_BROWSERS, agent), _first(_SYSTEMS, agent)
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or _("unknown browser")


def _first(known: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in known if mark in agent), "")


_HERE: Final = "/judge/accounts"
_OWN: Final = "/judge/account"


@get("/", needs=Permission.ACCOUNTS)
async def accounts(here: AtStation) -> Template:
    """Show all accounts with their roles and sessions, and the unused invitations."""
    site = here.site
    judges = await asyncio.to_thread(site.judges.all)
    sessions = _show_sessions(here, await asyncio.to_thread(site.judges.sessions.all))
    return here.page(
        "judge/accounts.html",
        judges=judges,
        sessions={judge.name: [s for s in sessions if s.session.judge == judge.name] for judge in judges},
        invitations=await asyncio.to_thread(site.invitations.all),
        tokens=await asyncio.to_thread(site.api_tokens.all),
        roles=tuple(AccountRole),
    )


@post("/", needs=Permission.ACCOUNTS, audit=Audit("Added an account", keeps="name role"))
async def add(here: AtStation) -> Redirect:
    """Add an account with a password chosen by the head judge."""
    fields = await here.fields()
    name, password, role = fields.text("name"), fields.raw("password"), _role(fields)
    work = here.site.passwords.run(asker_of(here.request), here.site.judges.add, name, password, role)
    return await here.act(work, _HERE, Done.JUDGE_ADDED)


@post("/role", needs=Permission.ACCOUNTS, audit=Audit("Changed an account's role", keeps="name role"))
async def set_role(here: AtStation) -> Redirect:
    """Change an account's role."""
    fields = await here.fields()
    await _note_role(here)
    work = asyncio.to_thread(here.site.judges.set_role, fields.text("name"), _role(fields))
    return await here.act(work, _HERE, Done.ROLE_CHANGED)


async def _note_role(here: PageContext) -> None:
    name = (await here.fields()).text("name")
    known = {judge.name: judge.role.value for judge in await asyncio.to_thread(here.site.judges.all)}
    here.recorded.before = known.get(name, "")


@post("/remove", needs=Permission.ACCOUNTS, audit=Audit("Deleted an account", keeps="name"))
async def remove(here: AtStation) -> Redirect:
    """Delete an account, except the last head judge's."""
    await _note_role(here)
    work = asyncio.to_thread(here.site.judges.remove, (await here.fields()).text("name"))
    return await here.act(work, _HERE, Done.ACCOUNT_DELETED)


@post(
    "/invitations",
    needs=Permission.ACCOUNTS,
    audit=Audit("Created an invitation", keeps="name role"),
    status_code=200,
)
async def invite(here: AtStation) -> Template | Redirect:
    """Create an invitation, and show its link this once."""
    fields = await here.fields()
    name, role = fields.text("name"), _role(fields)
    try:
        key = await asyncio.to_thread(here.site.invitations.make, name, role, here.judge)
    except (Refused, BadData) as error:
        return here.refuse(error, _HERE)
    link = f"{here.address_for_others()}/invitation?key={key}"
    code = segno.make(link, error="m", micro=False).svg_data_uri(border=2)
    return here.page("judge/invitation.html", name=name, role=role, link=link, code=code)


@post("/invitations/withdraw", needs=Permission.ACCOUNTS, audit=Audit("Withdrew an invitation"))
async def withdraw(here: AtStation) -> Redirect:
    """Withdraw an invitation."""
    number = await _number(here)
    _note_person(here, await asyncio.to_thread(here.site.invitations.all), number)
    work = asyncio.to_thread(here.site.invitations.withdraw, number)
    return await here.act(work, _HERE, Done.INVITATION_WITHDRAWN)


@post(
    "/tokens",
    needs=Permission.ACCOUNTS,
    audit=Audit("Created a program's token", keeps="name role"),
    status_code=200,
)
async def make_token(here: AtStation) -> Template | Redirect:
    """Create an API token, and show it this once."""
    fields = await here.fields()
    name, role = fields.text("name"), _role(fields)
    try:
        token = await asyncio.to_thread(here.site.api_tokens.make, name, role, here.judge)
    except (Refused, BadData) as error:
        return here.refuse(error, _HERE)
    address = here.address_for_others()
    return here.page("judge/api_token.html", name=name, role=role, token=token, address=address)


@post("/tokens/remove", needs=Permission.ACCOUNTS, audit=Audit("Removed a program's token"))
async def remove_token(here: AtStation) -> Redirect:
    """Remove a program's token, which makes it invalid at once."""
    number = await _number(here)
    _note_person(here, await asyncio.to_thread(here.site.api_tokens.all), number)
    work = asyncio.to_thread(here.site.api_tokens.remove, number)
    return await here.act(work, _HERE, Done.PROGRAM_REMOVED)


def _note_person(here: PageContext, known: Sequence[AccountInvitation | ApiToken], number: int) -> None:
    """Record the name and role behind the number of an invitation or token."""
    for one in known:
        if one.number == number:
            here.recorded.known |= {"name": one.name, "role": one.role.value}


@post("/sessions/end", needs=Permission.ACCOUNTS, audit=Audit("Logged somebody out", keeps="name number"))
async def end_session(here: AtStation) -> Redirect:
    """End a session of any account."""
    name = (await here.fields()).text("name")
    work = asyncio.to_thread(here.site.judges.sessions.end_one_of, name, await _number(here))
    return await here.act(work, _HERE, Done.SESSION_ENDED)


async def _number(here: PageContext) -> int:
    return (await here.fields()).number("number") or 0


def _role(fields: Fields) -> AccountRole:
    try:
        return AccountRole(fields.text("role"))
    except ValueError as error:
        raise Refused(FormReason.NO_ROLE) from error


@get("/", needs=Permission.OWN_ACCOUNT)
async def account(here: AtStation) -> Template:
    """Show the judge's own account and sessions."""
    sessions = await asyncio.to_thread(here.site.judges.sessions.all)
    theirs = [one for one in sessions if one.judge == here.judge]
    return here.page("judge/account.html", sessions=_show_sessions(here, theirs))


@post("/password", needs=Permission.OWN_ACCOUNT, audit=Audit("Changed their password"))
async def change_password(here: AtStation) -> Redirect:
    """Change the judge's password and end all other sessions."""
    fields, name, asker = await here.fields(), here.judge, asker_of(here.request)
    current, new = fields.raw("current"), fields.raw("new")
    if new != fields.raw("again"):
        return here.refuse(FormReason.NOT_TWICE, _OWN)
    try:
        with limit_tries(here.request, asker) as right:
            await here.site.passwords.run(asker, here.site.judges.change_password, name, current, new)
            right()
    except (Refused, BadData) as error:
        return here.refuse(error, _OWN)
    await begin_session(here.request, name)
    notice(here.request, here.words.label(Done.OTHERS_SIGNED_OUT), bad=False)
    return Redirect(_OWN)


@post(
    "/sessions/end",
    needs=Permission.OWN_ACCOUNT,
    audit=Audit("Logged out one of their browsers", keeps="number"),
)
async def end_own_session(here: AtStation) -> Redirect:
    work = asyncio.to_thread(here.site.judges.sessions.end_one_of, here.judge, await _number(here))
    return await here.act(work, _OWN, Done.SESSION_ENDED)


@post("/sign-out-everywhere", needs=Permission.OWN_ACCOUNT, audit=Audit("Logged out everywhere"))
async def sign_out_everywhere(here: AtStation) -> Redirect:
    """End all sessions of this judge, including the current one."""
    await asyncio.to_thread(here.site.judges.sessions.end_all_of, here.judge)
    forget_session(here.request)
    notice(here.request, here.words.label(Done.SIGNED_OUT), bad=False)
    return Redirect("/login")


routes = station_routes(
    _HERE, accounts, add, set_role, remove, invite, withdraw, make_token, remove_token, end_session
)
routes_of_one = station_routes(_OWN, account, change_password, end_own_session, sign_out_everywhere)
