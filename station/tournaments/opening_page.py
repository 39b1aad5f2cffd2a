"""Open a tournament: choose its rules, copy another one, or bring the file of one prepared elsewhere."""

import asyncio
import contextlib
import io
import secrets
from collections.abc import Sequence
from typing import Final, get_args

import msgspec
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from base.errors import BadData, Refused, Unavailable
from core.editions.part import FaultyRules
from core.proof.lines import VERSION
from core.proof.reading import PackFault, read_pack
from core.proof.verify import verify_pack
from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import SealDraw
from core.tournament.prizes import ChangePrizes
from core.tournament.registration import OpenTournament, RegisterPlayers, register_in_parts
from core.tournament.state.prizes import Prize
from core.tournament.state.table_list import ALL_TABLES, read_tables
from core.tournament.state.tournament import Player, TournamentState
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit
from station.imports.findings import PlayerRow
from station.imports.player_list import new_players
from station.players.page import read_rows
from station.players.service import Desk
from station.text.changes_in_words import stated_rules
from station.text.reasons import FormReason, Missing
from station.tournaments.rules_form import (
    LARGEST_FORM,
    NEW,
    RulesTarget,
    read_base,
    read_choices,
    read_uploaded,
    show_choice,
    show_form,
    typed_choices,
)
from station.web.forms import Fields, form_of
from station.web.site import PageRequest, judge_of, show_refusal, site_of

LARGEST_DRAFT: Final = 2 * 1024 * 1024
MOST_WORK: Final = 1_000_000
"""The most players times steps, as a step may look at all players."""
_MOST_FAULTS: Final = 20


class FaultyDraft(BadData):
    """The faults of a tournament's file, with their lines. more: number of faults that aren't listed."""

    def __init__(self, faults: list[PackFault]) -> None:
        super().__init__("file", "; ".join(map(str, faults[:_MOST_FAULTS])))
        self.faults = tuple(BadData(_place(fault), fault.problem) for fault in faults[:_MOST_FAULTS])
        self.more = max(0, len(faults) - _MOST_FAULTS)


def read_draft(content: bytes, most_work: int = MOST_WORK) -> TournamentState:
    """Return the tournament in a proof pack after verifying it. Blocks.

    Raises FaultyDraft, and Refused for no file, one that is too large, of another kind or version, or with a
    draw.
    """
    if not content or len(content) > LARGEST_DRAFT:
        raise Refused(FormReason.NO_DRAFT)
    _check_version(content)
    pack = read_pack(io.BytesIO(content))
    events = [event for line in pack.station for event in line.step.events]
    players = sum(len(event.players) for event in events if isinstance(event, RegisterPlayers))
    if players * len(pack.station) > most_work:
        raise Refused(FormReason.NO_DRAFT)
    if pack.terminals or any(isinstance(event, SealDraw) for event in events):
        raise Refused(FormReason.DRAFT_IS_DRAWN)
    # The steps of an altered file aren't decided again, as they may be anything.
    if pack.faults:
        raise FaultyDraft([*pack.faults])
    verdict = verify_pack(pack)
    if verdict.faults or verdict.steps.timeline is None:
        raise FaultyDraft([*verdict.faults])
    return verdict.steps.timeline.state


class _AnyEvent(msgspec.Struct, frozen=True):
    event: str


class _AnyStep(msgspec.Struct, frozen=True):
    events: tuple[_AnyEvent, ...] = ()


class _AnyLine(msgspec.Struct, frozen=True):
    """A line of a proof pack of any version."""

    kind: str
    version: int = 0
    step: _AnyStep = _AnyStep()


_EVENTS: Final = frozenset(str(one.__struct_config__.tag) for one in get_args(TournamentDecision))


def _check_version(content: bytes) -> None:
    """Raise Refused for a file that isn't a proof pack, or that is one of a newer version."""
    first, *lines = content.splitlines()
    try:
        head = msgspec.json.decode(first, type=_AnyLine)
    except msgspec.DecodeError as error:
        raise Refused(FormReason.NOT_A_PACK) from error
    if head.version > VERSION:
        raise Refused(FormReason.NEWER_PACK)
    for line in lines:
        with contextlib.suppress(msgspec.DecodeError):
            events = msgspec.json.decode(line, type=_AnyLine).step.events
            if any(one.event not in _EVENTS for one in events):
                raise Refused(FormReason.NEWER_PACK)


def _place(fault: PackFault) -> str:
    return "file" if fault.line is None else f"line {fault.line}"


_LARGEST_OPENING = LARGEST_FORM + 3 * LARGEST_DRAFT
"""The size limit of a form with a draft's players; URL encoding needs up to three characters per byte."""

_COPIED = {"with_players": "yes", "with_desk": "yes"}
"""The boxes that are ticked at first."""


@get("/new", needs=Permission.SET_UP)
async def choose(request: PageRequest, copies: FromQuery[str] = "") -> Template:
    """List the available editions and earlier house rules, with forms to upload new ones, or a draft."""
    return show_choice(request, _target(request, copies))


@get("/new/house-rules", needs=Permission.SET_UP)
async def house_rules_again() -> Redirect:
    """Redirect to the choice of rules, as the preview of house rules cannot be loaded again."""
    return Redirect("/judge/new")


@post("/new/house-rules", needs=Permission.SET_UP, audit=PREVIEW, request_max_body_size=LARGEST_FORM)
async def house_rules(request: PageRequest, copies: FromQuery[str] = "") -> Template:
    return await preview_house_rules(request, _target(request, copies))


async def preview_house_rules(request: PageRequest, target: RulesTarget) -> Template:
    """Explain uploaded house rules above the tournament's form, or list their faults."""
    fields = await form_of(request)
    typed = fields.raw("house_rules")
    try:
        return show_form(request, target, await read_uploaded(fields), _typed(target))
    except FaultyRules as error:
        return show_choice(
            request, target, typed=typed, status_code=422, faults=error.faults, more=error.more
        )
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return show_choice(request, target, typed=typed, status_code=422)


@get("/new/file", needs=Permission.SET_UP)
async def draft_again() -> Redirect:
    return Redirect("/judge/new")


@post("/new/file", needs=Permission.SET_UP, audit=PREVIEW, request_max_body_size=LARGEST_DRAFT + 64 * 1024)
async def bring_draft(request: PageRequest) -> Template:
    """Show what the proof pack of a prepared tournament contains in the form, or list its faults."""
    file = (await form_of(request)).file("file")
    try:
        state = await asyncio.to_thread(read_draft, b"" if file is None else await file.read())
    except FaultyDraft as error:
        return show_choice(request, NEW, status_code=422, faults=error.faults, more=error.more, is_draft=True)
    except Refused as error:
        show_refusal(request, error)
        return show_choice(request, NEW, status_code=422)
    typed = {**typed_choices(state), "name": state.name, "date": state.date, **_COPIED}
    if state.hall_tables != ALL_TABLES:
        typed["tables"] = state.hall_tables.describe()
    rows = _rows_of(state)
    if state.prizes:
        ids = _ids_by_former(state, new_players(rows, ()))
        typed["prizes"] = msgspec.json.encode([prize.with_ids(ids) for prize in state.prizes]).decode()
    return show_form(request, NEW, state.rules, typed, players=rows)


@get("/new/as/{tournament:str}", needs=Permission.SET_UP)
async def as_before(request: PageRequest, tournament: FromPath[str], copies: FromQuery[str] = "") -> Template:
    """Show the form with the rules of an earlier tournament; ``copies`` also offers its players."""
    target = _target(request, copies)
    state = site_of(request).tournament(tournament)
    rules = state.rules if target.copied is None else stated_rules(state.rules)
    return show_form(request, target, rules, _typed(target))


@get("/new/{edition:str}", needs=Permission.SET_UP)
async def new(request: PageRequest, edition: FromPath[str], copies: FromQuery[str] = "") -> Template:
    """Show the form for a tournament with the rules of an edition."""
    target = _target(request, copies)
    try:
        return show_form(request, target, RuleSet(edition), _typed(target))
    except BadData as error:
        raise NotFoundException(Missing.RULES.value) from error


@post(
    "/tournaments",
    needs=Permission.SET_UP,
    audit=Audit("Opened a tournament", keeps="name edition date copies"),
    request_max_body_size=_LARGEST_OPENING,
)
async def open_tournament(request: PageRequest) -> Template | Redirect:
    """Open a tournament, or show the filled-in form again if that is refused."""
    fields = await form_of(request)
    target = _target(request, fields.text("copies"))
    try:
        rules = await read_base(fields)
    except (Refused, BadData) as error:
        show_refusal(request, error)
        return show_choice(request, target, typed=fields.raw("house_rules"), status_code=422)
    rules = read_choices(fields, rules)
    rows: tuple[PlayerRow, ...] = ()
    try:
        if fields.raw("rows"):
            rows = await asyncio.to_thread(read_rows, fields)
        command = OpenTournament(
            TournamentId(secrets.token_hex(6)),
            fields.text("name"),
            rules,
            fields.text("date"),
            fields.waivers(),
            unofficial=fields.is_ticked("unofficial"),
            tables=read_tables(fields.text("tables") or ALL_TABLES.describe()),
        )
        work = _open(request, command, rows, target.copied, fields)
        await site_of(request).service.context.run_to_completion(work)
    except (Refused, BadData, Unavailable) as error:
        show_refusal(request, error)
        return show_form(request, target, rules, fields.typed_values(), status_code=422, players=rows)
    return Redirect(f"/judge/t/{command.tournament}")


def _target(request: PageRequest, copies: str) -> RulesTarget:
    return RulesTarget(copied=site_of(request).tournament(copies)) if copies else NEW


def _typed(target: RulesTarget) -> dict[str, str]:
    """Return the fields that a new form starts with."""
    if target.changes is not None:
        return typed_choices(target.changes)
    if target.copied is not None:
        return {**typed_choices(target.copied), "name": target.copied.name, **_COPIED}
    return {}


def _rows_of(state: TournamentState) -> tuple[PlayerRow, ...]:
    return tuple(PlayerRow(n, one.name, one.club) for n, one in enumerate(state.contenders, 1))


def _ids_by_former(state: TournamentState, players: Sequence[Player]) -> dict[PlayerId, PlayerId]:
    """Return the new ids of a tournament's players, by their former ones."""
    former = (entrant.player for entrant in state.contenders)
    return dict(zip(former, (player.player for player in players), strict=False))


def _prizes(text: str) -> tuple[Prize, ...]:
    """Return the prizes that the form with a draft sends back. Raises Refused for anything else."""
    try:
        return msgspec.json.decode(text or "[]", type=tuple[Prize, ...])
    except msgspec.DecodeError as error:
        raise Refused(FormReason.NO_DRAFT) from error


async def _open(
    request: PageRequest,
    command: OpenTournament,
    rows: Sequence[PlayerRow],
    copied: TournamentState | None,
    fields: Fields,
) -> None:
    """Open a tournament with its players, all or nothing, then copy what the desk knows of them."""
    service, tournament = site_of(request).service, command.tournament
    if copied is not None:
        rows = _rows_of(copied)
    players = new_players(rows, ()) if rows and fields.is_ticked("with_players") else ()
    decisions: list[TournamentDecision] = [command, *(register_in_parts(players) if players else ())]
    if copied is None:
        prizes, ids = _prizes(fields.raw("prizes")), {one.player: one.player for one in players}
    else:
        prizes, ids = copied.prizes, _ids_by_former(copied, players)
    if prizes:
        decisions.append(ChangePrizes(tuple(prize.with_ids(ids) for prize in prizes)))
    await service.decide_together([(tournament, decision) for decision in decisions], judge_of(request))
    if copied is not None:
        present = ids if fields.is_ticked("with_presence") else {}
        with_desk = fields.is_ticked("with_desk")
        await service.of(Desk).copy(copied.tournament, tournament, present, with_settings=with_desk)


routes = Router(
    "/judge",
    route_handlers=[
        choose, house_rules_again, house_rules, draft_again, bring_draft, as_before, new, open_tournament,
    ],
)  # fmt: skip
