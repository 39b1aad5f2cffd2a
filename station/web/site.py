"""The context of every page: service, judges and the request's language, and helpers to respond."""

import asyncio
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import structlog
from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.exceptions import NotFoundException
from litestar.middleware.csrf import generate_csrf_token
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.template.base import csrf_token
from litestar.types import Empty
from litestar.utils.scope.state import ScopeState
from markupsafe import escape
from msgspec import Struct

from base.errors import Refused, SaloonError, Unavailable
from base.languages import LANGUAGES
from core.game.state.offences import Offence
from core.terms import TournamentId
from core.tournament.state.tournament import TournamentState
from station.accounts.api_tokens import ApiTokens
from station.accounts.invitations import FirstJudge, Invitations
from station.accounts.judges import Judges, JudgeSession
from station.accounts.permissions import Permission, permissions_of
from station.appliance.appliance import Appliance
from station.hall.station_service import StationService
from station.store.database import DatabaseDamaged
from station.text.i18n import Words, language_of, words_in
from station.text.names import round_title
from station.text.reasons import Missing
from station.web.http_rules import IS_COMPRESSED
from station.web.limits import KNOWN_BROWSER, PasswordQueue, asker_of, known_browser
from station.web.long_tasks import LongTasks, shown_task
from station.web.places import Menu, Surroundings, choose_tournament, menu_of

_log = structlog.get_logger()

PageRequest = Request[Any, Any, State]
"""A request. The login session is in its state, not in its user."""

_LANGUAGE = "language"
_LOGIN = "login"
"""The key of the login session in a request's state."""
_KEY = "key"
_FACTS = "audit"
_PICTURES_AT_A_TIME = 2
_PASSWORDS_AT_A_TIME = 2
_PASSWORDS_WAITING = 16
_YEAR_S = 365 * 24 * 3600
_NOTICE = "notice"
_LONGEST_REASON = 200
_KEPT_TOURNAMENT = re.compile(r"(?:/judge/t/|[?&]t=)([\w-]+)")
TOURNAMENT_COOKIE = "tournament"
"""The cookie with the id of the tournament that this browser showed last."""
TYPED_ON = "typed-on"
"""The session key for the page of a form that was kept during login."""


class RecordedFacts:
    """Facts about a request for the audit log.

    typed: the fields of the form.
    known: facts that the form lacks: the name of what an address names by a key or code, and what changed.
    before: the value that was replaced.
    refused: whether the request was refused.
    is_waiting: whether the response only shows the progress, so that the log records a later one.
    """

    def __init__(self) -> None:
        self.typed: Mapping[str, str] = {}
        self.known: dict[str, str] = {}
        self.before = ""
        self.refused = False
        self.is_waiting = False

    def note_change(self, name: str, before: object, after: object) -> None:
        """Record a fact's former and new value, unless they are the same."""
        if before != after:
            self.known[name] = f"{_plain(before)} → {_plain(after)}"

    def note_changes(self, before: Struct, after: Struct, names: str, *, is_secret: bool = False) -> None:
        """Record which of these fields differ, with their values unless they are secret."""
        for name in names.split():
            old, new = getattr(before, name), getattr(after, name)
            if is_secret and old != new:
                self.known[name] = f"{'…' if old else '–'} → {'…' if new else '–'}"
            else:
                self.note_change(name, old, new)


def _plain(value: object) -> str:
    """Return a value for the audit log, without words of any language."""
    match value:
        case bool():
            return "✓" if value else "–"
        case Enum():
            return str(value.value)
        case tuple() | frozenset():
            return ", ".join(sorted(map(_plain, value))) or "–"
        case _:
            return str(value or "–")


class Site:
    """The station behind the pages, one for the whole app.

    is_rehearsal: every page shows that nothing counts.
    first: the code that opens the first account; by default a new one that is shown nowhere.
    appliance: the computer to manage, whose tasks run while the pages are served.
    page_certificate: the pages' certificate, which people can download to trust it; it may not exist.
    reading: limits the decoding of pictures, as terminals need the processor too.
    passwords: runs password checks.
    tasks: the long work that people wait for.
    """

    def __init__(
        self,
        service: StationService,
        judges: Judges,
        *,
        is_rehearsal: bool = False,
        first: FirstJudge | None = None,
        appliance: Appliance | None = None,
        page_certificate: Path | None = None,
    ) -> None:
        self.is_rehearsal = is_rehearsal
        self.service = service
        self.judges = judges
        self.invitations = Invitations(judges)
        self.api_tokens = ApiTokens(judges)
        self.audit = service.audit
        self.first = first or FirstJudge(judges)
        self.appliance = appliance
        self.page_certificate = page_certificate
        self.reading = asyncio.Semaphore(_PICTURES_AT_A_TIME)
        self.passwords = PasswordQueue(_PASSWORDS_AT_A_TIME, _PASSWORDS_WAITING)
        self.tasks = LongTasks()

    def tournament(self, tournament: str) -> TournamentState:
        """Return a tournament by the id in a path. Raises NotFoundException."""
        try:
            return self.service.tournament(TournamentId(tournament))
        except KeyError as error:
            raise NotFoundException(Missing.TOURNAMENT.value) from error


def site_of(request: PageRequest) -> Site:
    site: Site = request.app.state.site
    return site


def words_of(request: PageRequest) -> Words:
    return words_in(language_of(request.cookies.get(_LANGUAGE), request.headers.get("accept-language", "")))


def session_of(request: PageRequest) -> JudgeSession | None:
    """Return the login session of the request, or None."""
    session = request.scope.get("state", {}).get(_LOGIN)
    return session if isinstance(session, JudgeSession) else None


def recorded_facts(request: PageRequest) -> RecordedFacts:
    facts: RecordedFacts = request.scope["state"].setdefault(_FACTS, RecordedFacts())
    return facts


def judge_of(request: PageRequest) -> str:
    """Return the name of the judge who sent the request, or ""."""
    session = session_of(request)
    return "" if session is None else session.judge


def permissions_of_request(request: PageRequest) -> frozenset[Permission]:
    session = session_of(request)
    return permissions_of(None if session is None else session.role)


def _session(request: PageRequest) -> dict[str, Any]:
    """Return the session's data, which a request that matches no route lacks."""
    return request.session if isinstance(request.scope.get("session"), dict) else {}


async def begin_session(request: PageRequest, name: str) -> None:
    """Log a judge in, ending any earlier session of this browser."""
    sessions = site_of(request).judges.sessions
    await end_session(request)
    agent = request.headers.get("user-agent", "")
    request.session[_KEY] = await asyncio.to_thread(sessions.begin, name, agent, address_of(request))
    if not asker_of(request).is_known:
        secret = site_of(request).service.context.secret
        known = known_browser(secret, name)
        cookie = Cookie(KNOWN_BROWSER, "/", known, _YEAR_S, httponly=True, samesite="lax")
        request.scope["state"][KNOWN_BROWSER] = cookie.to_encoded_header()


def session_key(request: PageRequest) -> str:
    """Return the key of the browser's login session, or ""."""
    return str(_session(request).get(_KEY, ""))


async def find_session(request: PageRequest) -> JudgeSession | None:
    """Look up and store the login session of the request. Return None if it has ended."""
    if not (key := session_key(request)):
        return None
    sessions = site_of(request).judges.sessions
    session = await asyncio.to_thread(sessions.find, key, address_of(request))
    request.scope["state"][_LOGIN] = session
    return session


async def permissions_now(request: PageRequest) -> frozenset[Permission]:
    """Return the current permissions of the login session, which may end during a long response."""
    sessions = site_of(request).judges.sessions
    session = await asyncio.to_thread(sessions.find, session_key(request), address_of(request))
    return permissions_of(None if session is None else session.role)


async def end_session(request: PageRequest) -> None:
    """End the browser's login session at the station too, so that copies of its cookie become invalid."""
    if key := session_key(request):
        await asyncio.to_thread(site_of(request).judges.sessions.end, key)
    forget_session(request)


def forget_session(request: PageRequest) -> None:
    request.session.pop(_KEY, None)
    request.scope["state"].pop(_LOGIN, None)


def address_of(request: PageRequest) -> str:
    return request.client.host if request.client else ""


_UndoForm = tuple[str, str, str, str]


def notice(
    request: PageRequest,
    text: str,
    *,
    bad: bool,
    undo: _UndoForm | None = None,
    page: tuple[str, str] | None = None,
) -> None:
    """Set a notice for the next page.

    undo: a form's address, field, value and question, if any.
    page: address and name of the page where to go on, if any.
    """
    request.session[_NOTICE] = {"text": text, "bad": bad, "undo": undo, "page": page}


def show_refusal(request: PageRequest, error: SaloonError) -> None:
    """Show on the next page why something was refused, with the reason that was typed."""
    recorded_facts(request).refused = True
    if isinstance(error, Unavailable | DatabaseDamaged):
        _log.warning("action unavailable", path=request.url.path, problem=str(error))
    _log.info("refused", path=request.url.path, reason=type(error).__name__)
    words, text = words_of(request), words_of(request).error(error)
    typed = " ".join(recorded_facts(request).typed.get("reason", "").split())
    if typed:
        text += " " + words.gettext("You had written: “{reason}”.").format(reason=typed[:_LONGEST_REASON])
    page = error.fields.get("page") if isinstance(error, Refused) else None
    notice(request, text, bad=True, page=page if isinstance(page, tuple) else None)


def page(request: PageRequest, name: str, /, status_code: int = 200, **values: object) -> Template:
    """Render a template as a page. Only a whole page shows the pending notice."""
    notice_shown = None if "hx-request" in request.headers else _session(request).pop(_NOTICE, None)
    # htmx moves the focus to a fragment's autofocus, away from the field in use.
    focus = "" if "hx-request" in request.headers else " autofocus"
    context = {**_page_context(request, values), "notice": notice_shown, "autofocus": focus, **values}
    answer = Template(template_name=name, context=context, status_code=status_code)
    form, csrf = ScopeState.from_scope(request.scope), request.app.csrf_config
    if csrf is not None and form.csrf_token is Empty:
        # An error page may precede Litestar's CSRF token, which its forms need too.
        form.csrf_token = request.cookies.get(csrf.cookie_name) or generate_csrf_token(csrf.secret)
        answer.set_cookie(csrf.cookie_name, form.csrf_token, httponly=True, samesite="lax")
    return answer


def part_of_page(request: PageRequest, name: str, csrf_input: str, /, **values: object) -> str:
    """Render a template as a page fragment. ``csrf_input`` is the hidden field for its forms."""
    context = {**_page_context(request, values), "csrf_input": csrf_input, "autofocus": "", **values}
    engine: JinjaTemplateEngine = request.app.state.templates
    return engine.get_template(name).render(**context)


def csrf_input_of(request: PageRequest) -> str:
    return f'<input type="hidden" name="_csrf_token" value="{escape(csrf_token({"request": request}))}">'


def _page_context(request: PageRequest, values: Mapping[str, object]) -> dict[str, object]:
    words, judge = words_of(request), judge_of(request)
    appliance = site_of(request).appliance
    return {
        **request.app.state.of_features(request),
        "_": words.gettext,
        "ngettext": words.ngettext,
        "label": words.label,
        "offences": Offence,
        "language": words.language,
        "languages": LANGUAGES,
        "judge": judge,
        "tasks": [shown_task(task, words) for task in site_of(request).tasks.news_for(judge)],
        "role": None if (session := session_of(request)) is None else session.role,
        "may": permissions_of_request(request).__contains__,
        "Permission": Permission,
        "away": site_of(request).service.context.is_away,
        "path": request.url.path,
        "menu": _menu(request, values),
        "is_compressed": IS_COMPRESSED in request.scope["state"],
        "is_clock_sure": appliance is None or appliance.is_clock_sure,
        "is_appliance": appliance is not None,
        "is_rehearsal": site_of(request).is_rehearsal,
        "is_shared": site_of(request).service.context.parts.store.is_shared,
        "round_title": lambda number: round_title(values.get("t"), number, words),
    }


def _menu(request: PageRequest, values: Mapping[str, object]) -> Menu:
    if session_of(request) is None:
        return Menu()
    site, about = site_of(request), values.get("t")
    archived = site.service.archive.known
    known = [one for one in site.service.tournaments() if one.tournament not in archived]
    remembered = _tournament_come_from(request) or request.cookies.get(TOURNAMENT_COOKIE, "")
    # On the list of tournaments, somebody who was at a finished one may be here for the next.
    open_ones = [one for one in known if request.url.path.rstrip("/") != "/judge" or not one.is_published]
    state = about if isinstance(about, TournamentState) else choose_tournament(open_ones or known, remembered)
    chosen = None if state is None else state.tournament
    here = Surroundings(
        permissions_of_request(request).__contains__,
        is_appliance=site.appliance is not None,
        is_rehearsal=site.is_rehearsal,
        state=state,
        is_about=state is about,
        others=[one for one in known if not one.is_published and one.tournament != chosen],
        has_several=len(known) > 1,
    )
    return menu_of(request.url.path, here)


def _tournament_come_from(request: PageRequest) -> str:
    """Return the tournament that a page about none was opened from, or "": other tabs may show another."""
    match = _KEPT_TOURNAMENT.search(f"{request.url} {referring_page(request, '')}")
    return match[1] if match else ""


def referring_page(request: PageRequest, otherwise: str) -> str:
    """Return the page of ours that sent the form, or ``otherwise`` if it is unknown."""
    referer = request.headers.get("referer", "")
    base = str(request.base_url)
    if not referer.startswith(base):
        return otherwise
    path = "/" + referer.removeprefix(base).lstrip("/")
    # A form kept during login belongs to the page where it was filled in.
    return str(_session(request).get(TYPED_ON, otherwise)) if path.startswith("/login") else path
