"""The context of every page: the service, the judges, the words of the request, and ways to answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

import structlog
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import NotFoundException, TooManyRequestsException
from litestar.response import Redirect, Template

from saloon.base.errors import BadData, Refused, SaloonError, Unavailable
from saloon.base.languages import STATION_LANGUAGES
from saloon.core.terms import TournamentId
from saloon.core.tournament.commands import TournamentCommand
from saloon.core.tournament.results.penalties import leavers
from saloon.core.tournament.state import TournamentState
from saloon.station.accounts.first_judge import FirstJudge
from saloon.station.accounts.judges import Judges
from saloon.station.appliance.appliance import Appliance
from saloon.station.rehearsals.runner import RehearsalRunner
from saloon.station.services.station_service import StationService
from saloon.station.store.database import DatabaseDamaged
from saloon.station.web.i18n import Words, language_of
from saloon.station.web.terminals.alarm_words import alarm_words
from saloon.station.web.text.names import round_title
from saloon.station.web.text.reasons import Done, Missing

_P = ParamSpec("_P")
_T = TypeVar("_T")


class LimitedWork:
    """Run few blocking calls at once, let a few more wait, and refuse the others.

    A password check takes 64 MiB for a moment on purpose: twenty at once would use up a small computer.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._room = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._inside = 0

    async def run(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a blocking call on a thread. Raises TooManyRequestsException when the queue is full."""
        if self._inside >= self._most:
            raise TooManyRequestsException
        self._inside += 1
        try:
            async with self._room:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._inside -= 1


_log = structlog.get_logger()

PageRequest = Request[Any, Any, State]
"""A request; the judge is in its session, not in its user."""

_LANGUAGE = "language"
_JUDGE = "judge"
_KEY = "key"
_PICTURES_AT_A_TIME = 2
_PASSWORDS_AT_A_TIME = 2
_PASSWORDS_WAITING = 16
_NOTICE = "notice"


class Site:
    """The station behind the pages; one for the whole app.

    reading: limits the reading of pictures; the terminals' lines need the processor too. passwords: runs work
    that checks or makes one. is_rehearsal: every page shows that nothing counts. first: opens the first
    account. appliance: the computer, where nobody else manages it.
    """

    def __init__(
        self,
        service: StationService,
        judges: Judges,
        *,
        is_rehearsal: bool = False,
        rehearsals: RehearsalRunner | None = None,
        first: FirstJudge | None = None,
        appliance: Appliance | None = None,
    ) -> None:
        self.rehearsals = rehearsals or RehearsalRunner()
        self.is_rehearsal = is_rehearsal
        self.service = service
        self.judges = judges
        self.first = first or FirstJudge(judges)
        self.appliance = appliance
        self.reading = asyncio.Semaphore(_PICTURES_AT_A_TIME)
        self.passwords = LimitedWork(_PASSWORDS_AT_A_TIME, _PASSWORDS_WAITING)

    def tournament(self, tournament: str) -> TournamentState:
        """Return a tournament by the id in an address. Raises NotFoundException."""
        try:
            return self.service.tournament(TournamentId(tournament))
        except KeyError as error:
            raise NotFoundException(Missing.TOURNAMENT.value) from error


def site_of(request: PageRequest) -> Site:
    """Return the station behind a request."""
    site: Site = request.app.state.site
    return site


def words_of(request: PageRequest) -> Words:
    """Return the words in the language of the person who asks."""
    return Words(language_of(request.cookies.get(_LANGUAGE), request.headers.get("accept-language", "")))


def judge_of(request: PageRequest) -> str:
    """Return the judge's name from the session; empty for everybody else."""
    return str(_session(request).get(_JUDGE, ""))


def _session(request: PageRequest) -> dict[str, Any]:
    """Return the session; empty for a request that matches no route."""
    return request.session if isinstance(request.scope.get("session"), dict) else {}


async def begin_session(request: PageRequest, name: str) -> None:
    """Begin a session of a judge who has logged in; one that this browser had before ends."""
    sessions = site_of(request).judges.sessions
    await end_session(request)
    request.session[_KEY] = await asyncio.to_thread(sessions.begin, name)
    request.session[_JUDGE] = name


async def is_judge(request: PageRequest) -> bool:
    """Return whether the browser's session is still that of a judge with an account."""
    key, name = str(_session(request).get(_KEY, "")), judge_of(request)
    if not (key and name):
        return False
    return await asyncio.to_thread(site_of(request).judges.sessions.judge_of, key) == name


async def end_session(request: PageRequest) -> None:
    """End the browser's session at the station too: a copy of its cookie opens nothing afterwards."""
    key = str(_session(request).get(_KEY, ""))
    if key:
        await asyncio.to_thread(site_of(request).judges.sessions.end, key)
    forget_judge(request)


def forget_judge(request: PageRequest) -> None:
    """Remove the judge from the session."""
    request.session.pop(_JUDGE, None)
    request.session.pop(_KEY, None)


def notice(request: PageRequest, text: str, *, bad: bool) -> None:
    """Set a notice for the next page."""
    request.session[_NOTICE] = {"text": text, "bad": bad}


def show_refusal(request: PageRequest, error: SaloonError) -> None:
    """Show a refusal and its reason on the next page; the one place where refusals become words."""
    if isinstance(error, Unavailable | DatabaseDamaged):
        _log.warning("something cannot be done now", path=request.url.path, problem=str(error))
    _log.info("refused", path=request.url.path, reason=type(error).__name__)
    notice(request, words_of(request).error(error), bad=True)


def page(request: PageRequest, name: str, /, status_code: int = 200, **shown: object) -> Template:
    """Return a page made from a template; a waiting notice is shown on it once."""
    words = words_of(request)
    appliance = site_of(request).appliance
    shown_notice = _session(request).pop(_NOTICE, None)
    context = {
        "_": words.gettext,
        "ngettext": words.ngettext,
        "label": words.label,
        "leavers": leavers,
        "disputes": lambda state: site_of(request).service.troubles.disputed_tables(state.tournament),
        "alarm_words": lambda problem: alarm_words(problem, words.gettext),
        "language": words.language,
        "languages": STATION_LANGUAGES,
        "judge": judge_of(request),
        "notice": shown_notice,
        "away": site_of(request).service.troubles.is_database_unreachable(),
        "path": request.url.path,
        "is_clock_sure": appliance is None or appliance.is_clock_sure,
        "is_appliance": appliance is not None,
        "is_rehearsal": site_of(request).is_rehearsal,
        "round_title": lambda number: round_title(shown.get("t"), number, words),
        **shown,
    }
    return Template(template_name=name, context=context, status_code=status_code)


async def run_action(
    request: PageRequest, work: Awaitable[object], then: str, done: Done = Done.NOTHING
) -> Redirect:
    """Carry something out and go on to a page; where it is refused, return to the previous page.

    done: shown when it worked.
    """
    try:
        await work
    except (Refused, BadData, Unavailable) as error:
        show_refusal(request, error)
        return Redirect(referring_page(request, then))
    except KeyError as error:
        raise NotFoundException(Missing.GONE.value) from error
    if done.value:
        notice(request, words_of(request).label(done), bad=False)
    return Redirect(then)


async def run_command(
    request: PageRequest, tournament: str, command: TournamentCommand, then: str, done: Done = Done.NOTHING
) -> Redirect:
    """Carry a tournament's command out by the judge of the session."""
    site = site_of(request)
    site.tournament(tournament)
    work = site.service.decide(TournamentId(tournament), command, judge_of(request))
    return await run_action(request, work, then, done)


def referring_page(request: PageRequest, otherwise: str) -> str:
    """Return the page of ours that a form was sent from."""
    referer = request.headers.get("referer", "")
    base = str(request.base_url)
    if referer.startswith(base):
        return "/" + referer.removeprefix(base).lstrip("/")
    return otherwise
