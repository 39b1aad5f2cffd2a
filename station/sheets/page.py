"""A table's page: confirm, correct or enter its record sheet, and judge its late steps.

Late steps were saved by a replaced terminal and don't count. A judge continues the game from them, with a
reason, or sets them aside.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response, Template

from base.errors import Refused
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame, check_finished
from core.game.ending.record_sheet import RecordSheet, record_sheet
from core.game.result import FinishedDuel, Result, check_finished_duel, is_same
from core.game.state.duel import BETTER_PLACED, OTHER_PLACED
from core.game.state.game import EventCard
from core.terms import Ending, MatchKind, PlayerId, SeatNo
from core.tournament.sheets import (
    AcceptDuel,
    AcceptResult,
    AcceptSheet,
    CorrectResult,
    DisputeSheet,
    SettleDispute,
    accept_result,
    correct_result,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit, Unrecorded
from station.projections.cards import ReportedLateSteps
from station.sheets.form_fields import (
    comeback_rows,
    duel_fields,
    elimination_rows,
    find_duel,
    find_game,
    game_fields,
    move_answers,
    read_duel,
    read_game,
)
from station.sheets.life_chart import life_chart
from station.sheets.purse_fields import find_overspent
from station.sheets.questions import sheet_questions
from station.sheets.queue_page import SheetClaims, claim_next_sheet, claim_sheet, next_sheets
from station.text.events_in_words import judge_or_table
from station.text.reasons import Done, FormReason
from station.text.story_in_words import StoryRow, story_lines
from station.web.forms import FaultyForm, Fields
from station.web.page_keys import content_key
from station.web.site import notice, show_refusal
from station.web.tournament_context import AtTable, TableContext, table_routes, unchanged


class LateStepsView(msgspec.Struct, frozen=True):
    """Late steps for the page. ``sheet`` is the record sheet with which they end, if they do."""

    reported: ReportedLateSteps
    lines: tuple[StoryRow, ...]
    sheet: RecordSheet | None


def _late_steps(here: TableContext) -> tuple[LateStepsView, ...]:
    names = [here.names[player] for player in here.card.players]
    return tuple(
        LateStepsView(
            reported, story_lines(reported.steps, names, here.words), _sheet(reported.result, here.rules)
        )
        for reported in here.card.late
    )


_NOT_YET_GIVEN: Final = "?"
"""A placeholder for the reason in the preview of a correction."""


@get("/", needs=Permission.FLOOR)
async def table_page(here: AtTable) -> Template:
    """Show a table with the full history of its game."""
    card, terminal = here.card, here.card.terminal
    story = here.service.story(card.game_id)
    return here.page(
        "judge/table.html",
        story=story_lines(story, [here.names[p] for p in card.players], here.words),
        chart=life_chart([timed.step for timed in story]),
        reported=_sheet(card.reported, here.rules),
        accepted=_sheet(card.accepted, here.rules),
        corrections=card.corrections,
        late=_late_steps(here),
        endings=tuple(Ending),
        pin=here.service.pin(terminal.terminal) if terminal is not None and terminal.trusted else "",
    )


@post("/confirm", needs=Permission.SHEETS, audit=Audit("Confirmed the record sheet of a terminal"))
async def confirm(here: AtTable) -> Redirect:
    """Accept the result that the terminal reported."""
    then, reported = f"{here.url}/floor", here.card.reported
    if reported is None:
        return here.refuse(FormReason.NOT_REPORTED, then)
    await here.require_unchanged(content_key(reported), FormReason.ANOTHER_RESULT)
    return await _accept(here, accept_result(here.card.game_id, reported, Source.TERMINAL), then)


async def _accept(here: TableContext, command: AcceptSheet | AcceptDuel, then: str) -> Redirect:
    """Accept a result. If another judge was faster, show that judge and the result accepted instead."""

    async def _decide() -> None:
        try:
            await here.service.decide(here.state.tournament, command, here.judge)
        except Refused as refusal:
            here.card = here.service.card(here.state.tournament, here.card.round, here.card.table)
            first, rival = here.card.accepted, _rival(here)
            if refusal.reason is not TournamentReason.SHEET_TWICE or first is None or rival is None:
                raise
            is_alike = is_same(first, command.result)
            reason = FormReason.CONFIRMED_ALIKE if is_alike else FormReason.CONFIRMED_OTHERWISE
            result = here.names[first.winning_player] if isinstance(first, FinishedDuel) else first.ending
            raise Refused(reason, name=rival.by, table=here.card.table, result=result) from refusal

    return await here.act(_decide(), then, Done.ACCEPTED)


@get("/sheet", needs=Permission.SHEETS)
async def sheet_page(here: AtTable) -> Template:
    """Show the form for entering or correcting a result, filled in with what is known."""
    if other := await claim_sheet(here):
        return _claimed_page(here, other, {})
    is_public = here.state.stage is Stage.PUBLISHED
    error = Refused(TournamentReason.RANKING_IS_PUBLIC) if is_public else None
    if here.card.match is not MatchKind.GAME:
        return _form_page(here, duel_fields(find_duel(here.card)), error)
    subject = here.request.query_params.get("from", "")
    late = (reported.result for reported in here.card.late if reported.subject == subject)
    finished = next((result for result in late if isinstance(result, FinishedGame)), None)
    return _form_page(here, game_fields(finished or find_game(here.card), here.rules), error)


@post("/sheet", needs=Permission.SHEETS, audit=PREVIEW)
async def check_sheet(here: AtTable) -> Template | Response[None]:
    """Show the consequences of an entered result before it is confirmed."""
    fields = await here.fields()
    if moved := _moved_page(here, fields):
        return moved
    if other := await claim_sheet(here):
        return _claimed_page(here, other, fields.typed_values())
    try:
        return await _check_page(here, fields, _read_result(here, fields))
    except Refused as error:
        if "hx-request" in here.request.headers:
            # The form asks after each change, so that an incomplete sheet is no error yet.
            return unchanged()
        return _form_page(here, fields.typed_values(), error)


class RivalResult(msgspec.Struct, frozen=True):
    """A result that another judge has confirmed meanwhile. ``sheet`` is None for a duel."""

    by: str
    at: str
    sheet: RecordSheet | None


def _rival(here: TableContext) -> RivalResult | None:
    """Return the accepted result and the judge who last confirmed it, or None."""
    if here.card.accepted is None:
        return None
    confirmed = (
        RivalResult(judge_or_table(event.by, here.words), step.at, _sheet(here.card.accepted, here.rules))
        for step in reversed(here.service.history(here.state.tournament))
        for event in step.events
        if isinstance(event, AcceptResult | CorrectResult) and event.game == here.card.game_id
    )
    return next(confirmed, None)


def _moved_page(here: TableContext, fields: Fields) -> Template | None:
    """Return None if the players of the form still sit at the table, or else a page for those who do now."""
    seated, players = fields.text("seated").split(), here.card.players
    if not seated or seated == list(players):
        return None
    here.recorded.refused = True
    before, now = (
        ", ".join(here.names.get(PlayerId(player), "?") for player in people) for people in (seated, players)
    )
    error = Refused(FormReason.OTHER_PLAYERS, before=before, now=now)
    typed = move_answers(fields.typed_values(), seated, players)
    if "hx-request" in here.request.headers:
        return here.page("judge/sheet_claimed.html", other="", problem=here.words.refusal(error), typed=typed)
    return _form_page(here, typed, error)


def _knows_accepted(here: TableContext, fields: Fields) -> bool:
    """Return whether the form was opened to correct the result that is accepted now."""
    return fields.text("corrects") == content_key(here.card.accepted)


def _claimed_page(here: TableContext, other: str, typed: Mapping[str, str]) -> Template:
    return here.page("judge/sheet_claimed.html", other=other, typed=typed)


@post("/sheet/take", needs=Permission.SHEETS, audit=Unrecorded("it only says who is typing"), status_code=200)
async def take_over(here: AtTable) -> Redirect | Template:
    """Enter a sheet instead of the judge who has opened it, and go on with what was typed before."""
    await claim_sheet(here, takes_over=True)
    fields = await here.fields()
    typed = fields.typed_values()
    return _moved_page(here, fields) or (
        _form_page(here, typed) if typed else Redirect(f"{here.table_url}/sheet")
    )


async def _check_page(here: TableContext, fields: Fields, result: Result) -> Template:
    """Show an entered result for confirmation. Raises Refused if the correction would be refused."""
    card, changes = here.card, None
    rival = None if _knows_accepted(here, fields) else _rival(here)
    if card.accepted is not None:
        correction = correct_result(card.game_id, result, _NOT_YET_GIVEN)
        # Computed even if they are not shown, so that an impossible correction is refused now.
        changes = here.service.consequences(here.state.tournament, correction)
    typed = fields.typed_values()
    corrects = {"corrects": content_key(card.accepted)} if card.accepted else {}
    return here.page(
        "judge/sheet_check.html",
        next=None if rival or card.accepted else next(iter(await next_sheets(here)), None),
        is_last=[table.game for _, table in here.state.missing_sheets] == [card.game_id],
        typed=typed,
        checked={name: typed[name] for name in typed.keys() - {"reason", "corrects", "overspent"}} | corrects,
        result=result,
        sheet=_sheet(result, here.rules),
        changes=changes if here.may(Permission.STANDINGS) else None,
        needs_reason=card.needs_reason(result),
        overspent=find_overspent(here.state, result, here.rules),
        rival=rival,
    )


@post("/sheet/again", needs=Permission.SHEETS, audit=PREVIEW, status_code=200)
async def sheet_again(here: AtTable) -> Template:
    """Show the filled-in form again, to change it before confirming."""
    fields = await here.fields()
    return _moved_page(here, fields) or _form_page(here, fields.typed_values())


@post(
    "/sheet/confirm",
    needs=Permission.SHEETS,
    audit=Audit("Entered or corrected a record sheet by hand", keeps="reason"),
)
async def enter_sheet(here: AtTable) -> Redirect | Template:
    """Accept the entered result: a table's first one, or a correction with its reason.

    If another judge confirmed another result meanwhile, show both.
    """
    card, fields = here.card, await here.fields()
    if moved := _moved_page(here, fields):
        return moved
    reason = fields.text("reason")
    result = _read_result(here, fields)
    knows_accepted = _knows_accepted(here, fields)
    is_outdated = fields.is_ticked("corrects") and not knows_accepted
    if is_outdated or (card.needs_reason(result) and not reason.strip()):
        if not is_outdated and (card.accepted is None or knows_accepted):
            show_refusal(here.request, Refused(TournamentReason.EMPTY_REASON))
        elif card.accepted is not None and is_same(card.accepted, result):
            notice(here.request, here.words.label(Done.ACCEPTED), bad=False)
            return Redirect(here.table_url)
        else:
            here.recorded.refused = True
        return await _check_page(here, fields, result)
    is_of_finals = card.match is not MatchKind.GAME and here.state.finals is not None
    then = f"{here.url}/finals" if is_of_finals else here.table_url
    if fields.is_ticked("next"):
        then = await claim_next_sheet(here)
    if card.accepted is not None:
        went = await here.run(correct_result(card.game_id, result, reason), then, Done.ACCEPTED)
    else:
        went = await _accept(here, accept_result(card.game_id, result, Source.PAPER, reason=reason), then)
    if not here.recorded.refused:
        await here.service.of(SheetClaims).release(card.game_id)
        return went
    first = here.card.accepted
    if card.accepted is not None or first is None or is_same(first, result):
        return went
    return await _check_page(here, fields, result)


@post("/dispute", needs=Permission.SHEETS, audit=Audit("Disputed a record sheet", keeps="reason"))
async def dispute(here: AtTable) -> Redirect:
    """Record a judge's doubt about the accepted record sheet."""
    command = DisputeSheet(here.card.game_id, (await here.fields()).text("reason"))
    return await here.run(command, here.table_url, Done.CHANGED)


@post("/settle", needs=Permission.SHEETS, audit=Audit("Let a disputed record sheet stand", keeps="reason"))
async def settle(here: AtTable) -> Redirect:
    """Settle a dispute: the accepted record sheet remains valid."""
    command = SettleDispute(here.card.game_id, (await here.fields()).text("reason"))
    return await here.run(command, here.table_url, Done.CHANGED)


@post("/seen", needs=Permission.FLOOR, audit=Audit("Marked late entries as seen"))
async def mark_seen(here: AtTable) -> Redirect:
    """Mark late steps as seen; they still don't count."""
    work = here.service.problems.mark_seen((await here.fields()).text("subject"), here.judge)
    return await here.act(work, here.table_url, Done.SEEN)


@post("/go-on", needs=Permission.FLOOR, audit=Audit("Continued a game from late entries", keeps="reason"))
async def go_on(here: AtTable) -> Redirect:
    """Continue the table's game from late steps instead of its own steps."""
    fields = await here.fields()
    work = here.service.problems.continue_from_late_steps(
        here.card.game_id, fields.text("subject"), fields.text("reason"), here.judge
    )
    return await here.act(work, here.table_url, Done.GOES_ON)


def _read_result(here: TableContext, fields: Fields) -> Result:
    """Read a game or duel from the form. Raises Refused for an impossible one."""
    if here.card.match is MatchKind.GAME:
        game = read_game(fields, here.card, here.rules, here.state.rules.mode)
        check_finished(game, here.rules)
        return game
    ejected = frozenset(seat for seat in (BETTER_PLACED, OTHER_PLACED) if _is_ejected(here, seat))
    duel = read_duel(fields, here.card, ejected=ejected)
    check_finished_duel(duel, here.rules)
    return duel


def _left_in_round(here: TableContext, player: PlayerId) -> bool:
    entrant = here.state.entrant(player)
    return entrant is not None and entrant.is_out and entrant.out_after_round == here.card.round


def _is_ejected(here: TableContext, seat: SeatNo) -> bool:
    entrant = here.state.entrant(here.card.players[seat - 1])
    return entrant is not None and entrant.ejected


class SheetFault(msgspec.Struct, frozen=True):
    """A fault in a sheet's form as text, beside a field or, if ``field`` is empty, above all of them."""

    field: str
    text: str


def _form_page(here: TableContext, typed: Mapping[str, str], error: Refused | None = None) -> Template:
    """Show the form, with each fault also beside its field."""
    refusals = error.faults if isinstance(error, FaultyForm) else [(_field_of(error), error)] if error else ()
    faults = [SheetFault(field, here.words.refusal(refusal)) for field, refusal in refusals]
    is_fresh = here.request.method == "GET"
    status = 422 if faults and not is_fresh else 200
    corrects = content_key(here.card.accepted) if here.card.accepted and is_fresh else typed.get("corrects")
    # What the form was opened for: the players, and the result that it corrects, if any.
    opened = {"seated": " ".join(here.card.players)} | ({"corrects": corrects} if corrects else {})
    known = {"opened": opened, "faults": faults, "confirmed": _rival(here)}
    if here.card.match is not MatchKind.GAME:
        values = duel_fields(None) | dict(typed)
        return here.page("judge/duel_form.html", status, typed=values, **known)
    players = len(here.card.players)
    questions = sheet_questions(here.rules, players, here.state.rules.mode)
    return here.page(
        "judge/sheet_form.html",
        status,
        typed=typed,
        **known,
        q=questions,
        departed=[seat for seat, player in enumerate(here.card.players, 1) if _left_in_round(here, player)],
        rows=elimination_rows(typed, questions, players),
        comeback_rows=comeback_rows(typed, questions),
        event_cards=tuple(EventCard),
        # A light game's sheet has eliminators only if they are known already.
        asks_by=questions.by or any(value for name, value in typed.items() if name.startswith("by-")),
        endings=tuple(ending for ending in Ending if ending is not Ending.NO_WINNER),
    )


def _field_of(error: Refused) -> str:
    """Return the field beside which an error is shown: of its elimination or its seat, or ""."""
    number, seat = error.fields.get("number"), error.fields.get("seat", error.fields.get("by"))
    return f"out-{number}" if number else f"role-{seat}" if seat else ""


def _sheet(result: Result | None, edition: Edition) -> RecordSheet | None:
    return record_sheet(result, edition) if isinstance(result, FinishedGame) else None


routes = table_routes(
    table_page, confirm, sheet_page, take_over, check_sheet, sheet_again, enter_sheet, dispute, settle
)
late_routes = table_routes(mark_seen, go_on, under="/late")
