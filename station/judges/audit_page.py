"""The audit log: record requests while they are answered, and show the log to head judges."""

import asyncio
import csv
import datetime as dt
import enum
import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
import structlog
from litestar import get
from litestar.response import Response, Stream, Template
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from base.errors import SaloonError
from core.game.state.game import Cause, EventCard
from core.game.state.offences import Offence
from core.rule_set import RecordMode
from core.terms import Ending, MatchKind, PlayerId, Role, TournamentId
from core.tournament.decisions import TournamentStep
from core.tournament.state.names import name_filter
from station.accounts.permissions import AccountRole, Permission
from station.audit import COMMAND_LINE, COMMANDS, Audit, AuditFilter, AuditKind, AuditLine
from station.exports import csv_separator, harmless
from station.paper.papers import PAPER_TEXTS
from station.text.events_in_words import history_lines
from station.text.names import names_of
from station.web.pages import pages_of
from station.web.site import PageRequest, address_of, recorded_facts, session_of, site_of
from station.web.tournament_context import AtStation, PageContext, station_routes


def _(text: str) -> str:
    return text


_PER_PAGE: Final = 100
_FAILED: Final = 400
_SECRET_PARTS: Final = frozenset({"word", "code"})
"""Parameters in paths that grant access to anybody who knows them."""
_CHOICES: Final[Mapping[str, type[enum.Enum]]] = {
    "offence": Offence, "role": Role, "by": Cause, "card": EventCard, "ending": Ending,
    "ruled-ending": Ending, "kind": MatchKind, "mode": RecordMode,
}  # fmt: skip
"""The form fields whose values are enum members. Field names may end with a number."""
_VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "state": {"here": _("here"), "not yet": _("not here yet"), "not coming": _("not coming")},
    "answer": {
        "approve": _("Register"), "refuse": _("Don't register"), "withdraw": _("Withdraw"),
        "same": _("One person"), "other": _("Two people"),
    },
}  # fmt: skip
"""The words for recorded values of some fields."""
_PAPERS: Final = {kind.value: name for kind, (name, _note) in PAPER_TEXTS.items()}
_MOST_PLAYERS: Final = 50
"""The most players whose lines a text finds by name."""
_ARROW: Final = " → "
_STEPS: Final = "history"
"""The fact with the numbers of the steps that an action has added to its tournament's history."""
_BESIDE_STEPS: Final = frozenset({"tournament", "round_no", "table"})
"""The facts that steps in words don't contain."""
_HIDDEN: Final = frozenset({_STEPS, "key", "digest", "message"})
"""The facts that mean nothing to people, and are only in the file with the lines as stored."""
_MOST_STEPS: Final = 8
_log = structlog.get_logger()


def recorded(app: ASGIApp, request: PageRequest, audit: Audit, judge: str) -> ASGIApp:
    """Wrap an app so that a request is recorded when its response starts or it fails."""

    async def _recorded(scope: Scope, receive: Receive, send: Send) -> None:
        session = session_of(request)
        role = "" if session is None else session.role.value
        earlier = len(_history(request))
        is_written = False

        async def _write(*, refused: bool) -> None:
            nonlocal is_written
            if is_written:
                return
            is_written = True
            if not refused:
                _note_steps(request, earlier, judge)
            line = _line_of(request, audit, judge, role, refused=refused)
            try:
                await asyncio.to_thread(site_of(request).audit.add, line)
            except SaloonError as error:
                _log.error("audit log line lost", route=line.route, judge=judge, problem=str(error))

        async def _send(message: Message) -> None:
            if message["type"] == "http.response.start":
                facts = recorded_facts(request)
                if not facts.is_waiting:
                    await _write(refused=message["status"] >= _FAILED or facts.refused)
            await send(message)

        try:
            await app(scope, receive, _send)
        except Exception:
            await _write(refused=True)
            raise

    return _recorded


def _history(request: PageRequest) -> Sequence[TournamentStep]:
    """Return all steps of the tournament in the path, oldest first."""
    tournament = TournamentId(request.path_params.get("tournament", ""))
    known = site_of(request).service.context.projections.tournaments.get(tournament)
    return () if known is None else known.steps


def _note_steps(request: PageRequest, earlier: int, judge: str) -> None:
    """Record the numbers of the judge's steps after the ``earlier`` ones."""
    history = _history(request)
    own = [n for n in range(earlier, len(history)) if history[n].events[0].by == judge]
    if own:
        recorded_facts(request).known[_STEPS] = " ".join(map(str, own[:_MOST_STEPS]))


def _line_of(request: PageRequest, audit: Audit, judge: str, role: str, *, refused: bool) -> AuditLine:
    facts = recorded_facts(request)
    typed = {name: " ".join(facts.typed.get(name, "").split()) for name in audit.keeps.split()}
    path = {name: str(value) for name, value in request.path_params.items() if name not in _SECRET_PARTS}
    named = {**typed, **facts.known}.get("name", "") if audit.kind is AuditKind.ACCOUNTS else ""
    return AuditLine(
        wall_ms=site_of(request).service.live_floor.now_ms(),
        # Names in other forms are not the sender's.
        judge=judge or named,
        role=role,
        address=address_of(request),
        route=f"{request.method} {request.scope['path_template']}",
        facts={**typed, **path, **facts.known},
        before=facts.before,
        refused=refused,
    )


class ShownLine(msgspec.Struct, frozen=True):
    """A line of the audit log with its texts for the page. ``steps`` are in the words of the history."""

    line: AuditLine
    role: str
    action: str
    steps: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    link: str


@get("/", needs=Permission.AUDIT)
async def audit_page(here: AtStation) -> Template:
    """Show recorded actions, newest first, filtered by the query."""
    wanted = _filter(here)
    number = max(1, _number(here.request.query_params.get("page", "")))
    log, texts = here.site.audit, AuditTexts(here)
    lines = await asyncio.to_thread(log.page, wanted, (number - 1) * _PER_PAGE, _PER_PAGE + 1)
    return here.page(
        "judge/audit.html",
        lines=[texts.show(line) for line in lines[:_PER_PAGE]],
        number=number,
        has_more=len(lines) > _PER_PAGE,
        people=await asyncio.to_thread(log.people),
        kinds=tuple(AuditKind),
        tournaments=here.service.tournaments(),
        query=dict(here.request.query_params.items()),
    )


@get("/audit.csv", needs=Permission.AUDIT)
async def audit_csv(here: AtStation) -> Stream:
    """Return the filtered lines as CSV without formulas."""
    texts = AuditTexts(here)
    rows = (_row(texts.show(line)) for line in here.site.audit.lines(_filter(here)))
    headers = {"Content-Disposition": 'attachment; filename="audit.csv"'}
    return Stream(_csv(rows, csv_separator(here.words.language)), media_type="text/csv", headers=headers)


@get("/audit.jsonl", needs=Permission.AUDIT)
async def audit_jsonl(here: AtStation) -> Response[bytes]:
    """Return the filtered lines as JSON Lines, with their routes and facts as stored."""
    lines = await asyncio.to_thread(lambda: tuple(here.site.audit.lines(_filter(here))))
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


def _known(here: PageContext) -> Mapping[str, Audit]:
    """Return all recorded actions, by route or command."""
    pages = pages_of(here.request)
    return {**COMMANDS, **{route: one.audit for route, one in pages.items() if isinstance(one.audit, Audit)}}


def _filter(here: PageContext) -> AuditFilter:
    query: Mapping[str, str] = here.request.query_params
    kind = next((one for one in AuditKind if one.name.lower() == query.get("kind", "")), None)
    text = " ".join(query.get("text", "").split())[:80]
    is_meant = name_filter(text)
    players = (
        (state.tournament, entrant.player)
        for state in here.service.tournaments()
        for entrant in state.entrants
        if is_meant(entrant.name)
    )
    return AuditFilter(
        judge=query.get("judge", ""),
        routes=None if kind is None else tuple(r for r, one in _known(here).items() if one.kind is kind),
        tournament=query.get("tournament", ""),
        text=text,
        players=tuple(itertools.islice(players, _MOST_PLAYERS)),
        from_ms=_day_ms(query.get("from", ""), 0),
        to_ms=_day_ms(query.get("to", ""), 1),
    )


def _day_ms(text: str, days: int) -> int | None:
    """Return when a local day begins, ``days`` later, or None for an invalid date."""
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        return None
    start = dt.datetime.combine(day + dt.timedelta(days=days), dt.time()).astimezone()
    return int(start.timestamp() * 1000)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1  # noqa: PLR2004 (pages)


class AuditTexts:
    """The texts of lines, in the language of a request. Reads each tournament's history only once."""

    def __init__(self, here: PageContext) -> None:
        self._here = here
        self._states = {state.tournament: state for state in here.service.tournaments()}
        self._histories: dict[str, Sequence[str]] = {}

    def show(self, line: AuditLine) -> ShownLine:
        """Return a line with its texts."""
        page = pages_of(self._here.request).get(line.route)
        known = COMMANDS.get(line.route) if page is None else page.audit
        action = self._here.words.gettext(known.action) if isinstance(known, Audit) else line.route
        return ShownLine(
            line, self._role(line.role), action, self._steps(line), tuple(self.facts(line)), _link(line)
        )

    def facts(self, line: AuditLine) -> Iterator[tuple[str, str]]:
        """Yield the names and values of a line's facts, values as text where possible."""
        state = self._states.get(TournamentId(line.facts.get("tournament", "")))
        names = {} if state is None else names_of(state)
        is_step = bool(self._steps(line))
        for name, value in line.facts.items():
            if name not in _HIDDEN and (not is_step or name in _BESIDE_STEPS or value in self._states):
                yield name, _ARROW.join(self._value(name, part, names) for part in value.split(_ARROW))
        if line.before and not is_step:
            yield "before", self._role(line.before)

    def _value(self, name: str, value: str, names: Mapping[PlayerId, str]) -> str:
        if name in {"tournament", "tournaments", "to", "copies"}:
            known = {one: state.name for one, state in self._states.items()}
            return ", ".join(known.get(TournamentId(one), one) for one in value.split(", "))
        if name == "kind" and value in _PAPERS:
            return self._here.words.gettext(_PAPERS[value])
        if name in {"player", "with"}:
            return names.get(PlayerId(value), value)
        if name == "role":
            return self._role(value)
        if name == "terminal":
            return value[:8]
        choice = _CHOICES.get(name.rstrip("-0123456789"))
        member = None if choice is None else next((one for one in choice if one.value == value), None)
        if member is not None:
            return self._here.words.label(member)
        return self._here.words.gettext(_VALUES.get(name, {}).get(value, value or "–"))

    def _role(self, value: str) -> str:
        """Return the name of an account's role, or any other text unchanged."""
        if value == COMMAND_LINE:
            return self._here.words.gettext("command line")
        return next((self._here.words.label(role) for role in AccountRole if role.value == value), value)

    def _steps(self, line: AuditLine) -> tuple[str, ...]:
        """Return the steps that an action has added, as the tournament's history shows them."""
        tournament = TournamentId(line.facts.get("tournament", ""))
        numbers = [int(number) for number in line.facts.get(_STEPS, "").split()]
        state = self._states.get(tournament)
        if state is None or not numbers:
            return ()
        if tournament not in self._histories:
            history = history_lines(self._here.service.history(tournament), state, self._here.words)
            self._histories[tournament] = [step.text for step in reversed(history)]
        texts = self._histories[tournament]
        return tuple(texts[number] for number in numbers if number < len(texts))


def _link(line: AuditLine) -> str:
    facts = line.facts
    if not facts.get("tournament"):
        return ""
    base = f"/judge/t/{facts['tournament']}"
    if facts.get("round_no") and facts.get("table"):
        return f"{base}/tables/{facts['round_no']}/{facts['table']}"
    return f"{base}/players/{facts['player']}" if facts.get("player") else base


def _row(texts: ShownLine) -> tuple[str, ...]:
    line = texts.line
    wall = dt.datetime.fromtimestamp(line.wall_ms / 1000, dt.UTC).isoformat(timespec="seconds")
    facts = "; ".join((*texts.steps, *(f"{name}: {value}" for name, value in texts.facts)))
    refused = "refused" if line.refused else ""
    return wall, line.judge, line.role, line.address, texts.action, refused, facts


def _csv(rows: Iterator[tuple[str, ...]], separator: str) -> Iterator[bytes]:
    head = ("time", "person", "role", "address", "action", "refused", "details")
    for row in (head, *rows):
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerow(map(harmless, row))
        yield text.getvalue().encode()


routes = station_routes("/judge/audit", audit_page, audit_csv, audit_jsonl)
