"""A table's page and its record sheet: confirm a report, correct it, or enter one from paper."""

from collections.abc import Mapping
from typing import assert_never

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.editions import Edition
from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.game.ending.finished import FinishedGame, check_finished
from saloon.core.game.ending.record_sheet import RecordSheet, record_sheet
from saloon.core.game.events import Ending
from saloon.core.game.match import MatchKind
from saloon.core.terms import Dollars, GameId, PlayerId, RoundNo
from saloon.core.tournament.commands import AcceptDuel, AcceptSheet, CorrectSheet, DisputeSheet, SettleDispute
from saloon.core.tournament.draw.budgets import budgets, is_money_spent
from saloon.core.tournament.events import Source
from saloon.core.tournament.reasons import Reason as TournamentReason
from saloon.core.tournament.state import TournamentState
from saloon.station.services.tables.floor_cards import FloorCard
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, page, refused, run_command, site_of, words_of
from saloon.station.web.tables.floor import card_of
from saloon.station.web.tables.late_entries import late_shown, proposed_from
from saloon.station.web.tables.life_chart import life_chart
from saloon.station.web.tables.sheet_form import UNKNOWN, known_game, result_from, typed_from
from saloon.station.web.tables.sheet_questions import sheet_questions
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done, Missing, Reason
from saloon.station.web.text.story_in_words import story_lines


@get("/")
async def table_page(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the whole story of a table."""
    site = site_of(request)
    state = site.tournament(tournament)
    card = card_of(request, state, round_no, table)
    story = site.office.story(card.game_id)
    names = names_of(state)
    return page(
        request,
        "judge/table.html",
        t=state,
        c=card,
        round_no=round_no,
        names=names,
        story=story_lines(story, [names[p] for p in card.players], words_of(request)),
        chart=life_chart([timed.step for timed in story]),
        reported=_sheet(request, state, card.reported),
        accepted=_sheet(request, state, card.accepted),
        corrections=card.corrections,
        late=late_shown(request, state, card),
        edition=site.office.rules(state.tournament),
        endings=tuple(Ending),
    )


@post("/confirm")
async def confirm(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Accept the result that the terminal reported."""
    state = site_of(request).tournament(tournament)
    card = card_of(request, state, round_no, table)
    then = f"/judge/t/{tournament}/floor"
    if card.reported is None:
        refused(request, Refused(Reason.NOT_REPORTED))
        return Redirect(then)
    return await run_command(
        request, tournament, _acceptance(card.game_id, card.reported), then, Done.ACCEPTED
    )


def _acceptance(game: GameId, result: FinishedGame | FinishedDuel) -> AcceptSheet | AcceptDuel:
    match result:
        case FinishedGame():
            return AcceptSheet(game, result, Source.TERMINAL)
        case FinishedDuel():
            return AcceptDuel(game, result, Source.TERMINAL)
        case _:
            assert_never(result)


@get("/sheet")
async def sheet_page(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the form for a result from paper, or a correction; it proposes what is known."""
    site = site_of(request)
    state = site.tournament(tournament)
    card = _game_card(request, state, round_no, table)
    rules = site.office.rules(state.tournament)
    late = proposed_from(card, request.query_params.get("from", ""))
    return _form_page(request, state, card, typed_from(late or known_game(card), rules))


@post("/sheet")
async def check_sheet(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the ending and the winnings that were typed in, before they are confirmed."""
    site = site_of(request)
    state = site.tournament(tournament)
    card = _game_card(request, state, round_no, table)
    fields = await form_of(request)
    try:
        result = result_from(fields, card, RoundNo(round_no), site.office.rules(state.tournament))
        check_finished(result, site.office.rules(state.tournament))
        changes = None
        if card.accepted is not None:
            correction = CorrectSheet(card.game_id, result, _NOT_YET_GIVEN)
            changes = site.office.consequences(state.tournament, correction)
    except Refused as error:
        return _form_page(request, state, card, fields.typed(), error)
    return page(
        request,
        "judge/sheet_check.html",
        t=state,
        c=card,
        round_no=round_no,
        names=names_of(state),
        typed=fields.typed(),
        sheet=_sheet(request, state, result),
        changes=changes,
        needs_reason=card.needs_reason(result),
        overspent=_overspent(state, result, site.office.rules(state.tournament)),
        edition=site.office.rules(state.tournament),
        status_code=200,
    )


@post("/sheet/again", status_code=200)
async def sheet_again(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the form as it was filled in, to change it before it is confirmed."""
    state = site_of(request).tournament(tournament)
    card = _game_card(request, state, round_no, table)
    return _form_page(request, state, card, (await form_of(request)).typed())


@post("/sheet/confirm")
async def enter_sheet(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Accept the typed result: the first one of this table, or a correction with its reason."""
    site = site_of(request)
    state = site.tournament(tournament)
    card = _game_card(request, state, round_no, table)
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/tables/{round_no}/{table}"
    try:
        result = result_from(fields, card, RoundNo(round_no), site.office.rules(state.tournament))
    except Refused as error:
        refused(request, error)
        return Redirect(f"{then}/sheet")
    command: AcceptSheet | CorrectSheet
    if card.accepted is None:
        if card.needs_reason(result) and not fields.text("reason").strip():
            refused(request, Refused(TournamentReason.EMPTY_REASON))
            return Redirect(f"/judge/t/{tournament}/tables/{round_no}/{table}")
        command = AcceptSheet(card.game_id, result, Source.PAPER, reason=fields.text("reason"))
    else:
        command = CorrectSheet(card.game_id, result, fields.text("reason"))
    return await run_command(request, tournament, command, then, Done.ACCEPTED)


@post("/dispute")
async def dispute(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Note a doubt about the accepted record sheet."""
    card = card_of(request, site_of(request).tournament(tournament), round_no, table)
    command = DisputeSheet(card.game_id, (await form_of(request)).text("reason"))
    then = f"/judge/t/{tournament}/tables/{round_no}/{table}"
    return await run_command(request, tournament, command, then, Done.CHANGED)


@post("/settle")
async def settle(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Settle a dispute: the accepted record sheet remains valid."""
    card = card_of(request, site_of(request).tournament(tournament), round_no, table)
    command = SettleDispute(card.game_id, (await form_of(request)).text("reason"))
    then = f"/judge/t/{tournament}/tables/{round_no}/{table}"
    return await run_command(request, tournament, command, then, Done.CHANGED)


def _game_card(request: PageRequest, state: TournamentState, round_no: int, table: int) -> FloorCard:
    """Return a table of a published round at which a game is played. Raises NotFoundException."""
    card = card_of(request, state, round_no, table)
    if card.match is not MatchKind.GAME:
        raise NotFoundException(Missing.GAME.value)
    return card


def _form_page(
    request: PageRequest,
    state: TournamentState,
    card: FloorCard,
    typed: Mapping[str, str],
    error: Refused | None = None,
) -> Template:
    """Show the form, with an error at the seat or the elimination that it names."""
    shown = {} if error is None else error.fields
    return page(
        request,
        "judge/sheet_form.html",
        status_code=200 if error is None else 422,
        t=state,
        c=card,
        round_no=card.round,
        names=names_of(state),
        typed=typed,
        q=sheet_questions(site_of(request).office.rules(state.tournament), len(card.players)),
        unknown=UNKNOWN,
        endings=tuple(ending for ending in Ending if ending is not Ending.NO_WINNER),
        error="" if error is None else words_of(request).refusal(error),
        wrong_seat=shown.get("seat", shown.get("by")),
        wrong_number=shown.get("number"),
    )


def _overspent(
    state: TournamentState, result: FinishedGame, edition: Edition
) -> tuple[tuple[PlayerId, Dollars, Dollars], ...]:
    """Return players who spent more than they brought, with both amounts, for the judge to decide."""
    if not result.spent or not is_money_spent(edition):
        return ()
    brought = budgets(state, edition, result.round)
    return tuple(
        (player, spent, brought[player])
        for player, spent in zip(result.players, result.spent, strict=True)
        if spent > max(0, brought[player])
    )


def _sheet(
    request: PageRequest, state: TournamentState, result: FinishedGame | FinishedDuel | None
) -> RecordSheet | None:
    if not isinstance(result, FinishedGame):
        return None
    return record_sheet(result, site_of(request).office.rules(state.tournament))


_NOT_YET_GIVEN = "?"
"""A placeholder for the reason of a correction that is only previewed."""

routes = Router(
    "/judge/t/{tournament:str}/tables/{round_no:int}/{table:int}",
    before_request=only_judges,
    route_handlers=[table_page, confirm, sheet_page, check_sheet, sheet_again, enter_sheet, dispute, settle],
)
