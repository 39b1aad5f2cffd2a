"""Open a tournament: choose an edition or upload house rules, then fill in the rest."""

import asyncio
import datetime as dt
import enum
import secrets
from collections.abc import Mapping, Sequence
from typing import TypeVar

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from base.errors import BadData, Refused, Unavailable
from core.editions.edition import Edition
from core.editions.loader import base_edition, editions, read_house_rules
from core.editions.part import FaultyRules
from core.rule_set import AgreementForm, OptionKey, ReadingChoice, RecordMode, RuleSet
from core.terms import TournamentId
from core.text.open_questions import choices, chosen_readings, questions
from core.text.rules_in_words import text_chapters
from core.tournament.registration import OpenTournament
from core.tournament.state.table_list import ALL_TABLES, read_tables
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit
from station.text.plan import first_free_table
from station.text.reasons import FormReason, Missing
from station.text.rules_in_words import CHAPTER_ICONS, in_short, options, winnings_rows
from station.web.forms import Fields, form_of
from station.web.site import PageRequest, judge_of, page, show_refusal, site_of, words_of

_LARGEST_RULES = 64 * 1024
_LARGEST_FORM = 4 * _LARGEST_RULES
"""The form's size limit; URL encoding needs up to three characters per byte."""
_TYPED = ("name", "date", "rounds", "time_limit_min", "cycles", "unofficial", "tables")
_Choice = TypeVar("_Choice", bound=enum.Enum)
_READING = "reading-"
_OPTION = "option-"


@get("/new", needs=Permission.SET_UP)
async def choose(request: PageRequest) -> Template:
    """List the available editions and earlier house rules, with a form to upload new ones."""
    return _choose(request, "", 200)


@get("/new/house-rules", needs=Permission.SET_UP)
async def house_rules_again() -> Redirect:
    """Redirect to the choice of rules, as the preview of house rules cannot be loaded again."""
    return Redirect("/judge/new")


@post("/new/house-rules", needs=Permission.SET_UP, audit=PREVIEW, request_max_body_size=_LARGEST_FORM)
async def house_rules(request: PageRequest) -> Template:
    """Explain uploaded house rules above the tournament's form, or list their faults."""
    fields = await form_of(request)
    try:
        text = await _read_house_rules(fields)
        read = await asyncio.to_thread(read_house_rules, text, "house rules")
        rules = RuleSet(read.key, house_rules=text)
        await asyncio.to_thread(base_edition, rules)
        return _form(request, rules, {}, 200)
    except FaultyRules as error:
        return _choose(request, fields.raw("house_rules"), 422, error.faults, error.more)
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return _choose(request, fields.raw("house_rules"), 422)


@get("/new/as/{tournament:str}", needs=Permission.SET_UP)
async def as_before(request: PageRequest, tournament: FromPath[str]) -> Template:
    return _form(request, site_of(request).tournament(tournament).rules, {}, 200)


@get("/new/{edition:str}", needs=Permission.SET_UP)
async def new(request: PageRequest, edition: FromPath[str]) -> Template:
    """Show the form for a tournament with the rules of an edition."""
    try:
        return _form(request, RuleSet(edition), {}, 200)
    except BadData as error:
        raise NotFoundException(Missing.RULES.value) from error


@post(
    "/tournaments",
    needs=Permission.SET_UP,
    audit=Audit("Opened a tournament", keeps="name edition date"),
    request_max_body_size=_LARGEST_FORM,
)
async def open_tournament(request: PageRequest) -> Template | Redirect:
    """Open a tournament, or show the filled-in form again if that is refused."""
    fields = await form_of(request)
    tournament = TournamentId(secrets.token_hex(6))
    rules = RuleSet(fields.text("edition"), house_rules=fields.raw("house_rules").replace("\r\n", "\n"))
    try:
        _check_size(rules.house_rules)
        base = await asyncio.to_thread(base_edition, rules)
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return _choose(request, rules.house_rules, 422)
    rules = RuleSet(
        rules.edition,
        tuple(key for key in OptionKey if fields.is_ticked(f"{_OPTION}{key.value}")),
        _readings(fields, base),
        rules.house_rules,
        _choice(fields, "mode", RecordMode.FULL),
        _choice(fields, "agreement", AgreementForm.EACH_PLAYER),
    )
    try:
        command = OpenTournament(
            tournament,
            fields.text("name"),
            rules,
            fields.text("date"),
            fields.waivers(),
            unofficial=fields.is_ticked("unofficial"),
            tables=read_tables(fields.text("tables") or ALL_TABLES.describe()),
        )
        await site_of(request).service.decide(tournament, command, judge_of(request))
    except (Refused, BadData, Unavailable) as error:
        show_refusal(request, error)
        return _form(request, rules, fields.typed_values(), 422)
    return Redirect(f"/judge/t/{tournament}")


def _choose(
    request: PageRequest, typed: str, status_code: int, faults: Sequence[BadData] = (), more: int = 0
) -> Template:
    service, words = site_of(request).service, words_of(request)
    used = {state.rules.house_rules: state for state in service.tournaments() if state.rules.house_rules}
    return page(
        request,
        "judge/new.html",
        status_code=status_code,
        offers=[(known, in_short(known, words)) for known in editions()],
        own=[(state, service.rules(state.tournament)) for state in used.values()],
        typed=typed,
        faults=faults,
        more=more,
    )


def _form(request: PageRequest, rules: RuleSet, typed: Mapping[str, str], status_code: int) -> Template:
    """Show the form for a tournament with these rules. Raises BadData for invalid rules."""
    words, service = words_of(request), site_of(request).service
    base = base_edition(rules)
    return page(
        request,
        "judge/opening.html",
        status_code=status_code,
        e=base,
        house_rules=rules.house_rules,
        short=in_short(base, words),
        chapters=text_chapters(base, words) if rules.house_rules else (),
        icons=CHAPTER_ICONS,
        words=words,
        winnings=winnings_rows(base, words) if rules.house_rules else (),
        options=options(base, words),
        chosen={option.value for option in rules.options},
        modes=tuple(RecordMode),
        recorded=rules.mode,
        forms=tuple(AgreementForm),
        agreed=rules.agreement,
        questions=questions(base, chosen_readings(rules), words),
        today=dt.datetime.now(dt.UTC).astimezone().date().isoformat(),
        typed={name: typed.get(name, "") for name in _TYPED},
        free_table=first_free_table(
            (state, service.rules(state.tournament)) for state in service.tournaments()
        ),
    )


def _choice(fields: Fields, name: str, default: _Choice) -> _Choice:
    typed = fields.text(name)
    return next((member for member in type(default) if member.value == typed), default)


def _readings(fields: Fields, base: Edition) -> tuple[ReadingChoice, ...]:
    typed = fields.typed_values()
    wanted = {name.removeprefix(_READING): typed[name] for name in typed if name.startswith(_READING)}
    return choices(base, wanted)


def _check_size(text: str) -> None:
    if len(text.encode()) > _LARGEST_RULES:
        raise Refused(FormReason.NO_RULES)


async def _read_house_rules(fields: Fields) -> str:
    file = fields.file("file")
    content = await file.read() if file is not None else b""
    try:
        text = content.decode("utf-8-sig") or fields.raw("house_rules")
    except UnicodeDecodeError as error:
        raise Refused(FormReason.NO_RULES) from error
    if not text.strip():
        raise Refused(FormReason.NO_RULES)
    _check_size(text)
    return text.replace("\r\n", "\n")


routes = Router(
    "/judge",
    route_handlers=[choose, house_rules_again, house_rules, as_before, new, open_tournament],
)
