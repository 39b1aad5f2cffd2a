"""A duel's result from paper, or its correction."""

from collections.abc import Mapping

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.game.duel.ending import BETTER_PLACED, OTHER_PLACED
from saloon.core.game.duel.finished import FinishedDuel, check_finished_duel
from saloon.core.game.match import MatchKind
from saloon.core.terms import SeatNo
from saloon.core.tournament.commands import AcceptDuel, CorrectDuel
from saloon.core.tournament.events import Source
from saloon.core.tournament.reasons import Reason as TournamentReason
from saloon.core.tournament.state import TournamentState
from saloon.station.services.tables.floor_cards import FloorCard
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import Fields, form_of
from saloon.station.web.site import PageRequest, page, refused, run_command, site_of, words_of
from saloon.station.web.tables.duel_form import duel_from, known_duel, typed_from_duel
from saloon.station.web.tables.floor import card_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done, Missing


@get("/duel")
async def duel_page(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the form; it proposes what is known."""
    state = site_of(request).tournament(tournament)
    card = _duel_card(request, state, round_no, table)
    return _form_page(request, state, card, typed_from_duel(known_duel(card)))


@post("/duel")
async def check_duel(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the winner by the typed result, before it is confirmed."""
    state = site_of(request).tournament(tournament)
    card = _duel_card(request, state, round_no, table)
    fields = await form_of(request)
    try:
        result = _result(request, state, card, fields)
        changes = None
        if card.accepted is not None:
            correction = CorrectDuel(card.game_id, result, _NOT_YET_GIVEN)
            changes = site_of(request).office.consequences(state.tournament, correction)
    except Refused as error:
        return _form_page(request, state, card, fields.typed(), error)
    return page(
        request,
        "judge/duel_check.html",
        t=state,
        c=card,
        duel=result,
        names=names_of(state),
        typed=fields.typed(),
        changes=changes,
        needs_reason=card.needs_reason(result),
        edition=site_of(request).office.rules(state.tournament),
        status_code=200,
    )


@post("/duel/again", status_code=200)
async def duel_again(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the form as it was filled in, to change it before it is confirmed."""
    state = site_of(request).tournament(tournament)
    card = _duel_card(request, state, round_no, table)
    return _form_page(request, state, card, (await form_of(request)).typed())


@post("/duel/confirm")
async def enter_duel(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Accept the typed result: the first one of this duel, or a correction with its reason."""
    state = site_of(request).tournament(tournament)
    card = _duel_card(request, state, round_no, table)
    fields = await form_of(request)
    try:
        result = _result(request, state, card, fields)
    except Refused as error:
        refused(request, error)
        return Redirect(f"/judge/t/{tournament}/tables/{round_no}/{table}/duel")
    command: AcceptDuel | CorrectDuel
    if card.accepted is None:
        if card.needs_reason(result) and not fields.text("reason").strip():
            refused(request, Refused(TournamentReason.EMPTY_REASON))
            return Redirect(f"/judge/t/{tournament}/tables/{round_no}/{table}")
        command = AcceptDuel(card.game_id, result, Source.PAPER, reason=fields.text("reason"))
    else:
        command = CorrectDuel(card.game_id, result, fields.text("reason"))
    return await run_command(request, tournament, command, f"/judge/t/{tournament}/finals", Done.ACCEPTED)


def _duel_card(request: PageRequest, state: TournamentState, round_no: int, table: int) -> FloorCard:
    """Return a table of a published round at which a duel is played. Raises NotFoundException."""
    card = card_of(request, state, round_no, table)
    if card.match is MatchKind.GAME:
        raise NotFoundException(Missing.DUEL.value)
    return card


def _result(request: PageRequest, state: TournamentState, card: FloorCard, fields: Fields) -> FinishedDuel:
    seats = (BETTER_PLACED, OTHER_PLACED)
    result = duel_from(fields, card, ejected=frozenset(s for s in seats if _is_ejected(state, card, s)))
    check_finished_duel(result, site_of(request).office.rules(state.tournament))
    return result


def _is_ejected(state: TournamentState, card: FloorCard, seat: SeatNo) -> bool:
    entrant = state.entrant(card.players[seat - 1])
    return entrant is not None and entrant.ejected


def _form_page(
    request: PageRequest,
    state: TournamentState,
    card: FloorCard,
    typed: Mapping[str, str],
    error: Refused | None = None,
) -> Template:
    return page(
        request,
        "judge/duel_form.html",
        status_code=200 if error is None else 422,
        t=state,
        c=card,
        names=names_of(state),
        typed=typed_from_duel(None) | dict(typed),
        error="" if error is None else words_of(request).refusal(error),
    )


_NOT_YET_GIVEN = "?"
"""A placeholder for the reason of a correction that is only previewed."""

routes = Router(
    "/judge/t/{tournament:str}/tables/{round_no:int}/{table:int}",
    before_request=only_judges,
    route_handlers=[duel_page, check_duel, duel_again, enter_duel],
)
