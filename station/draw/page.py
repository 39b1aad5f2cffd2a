"""The judge's draws: seal, draw, redraw, change by hand with a preview of the effects, and publish."""

import secrets
from collections.abc import Sequence

import msgspec
from litestar import get, post
from litestar.response import Redirect, Template

from base.errors import Refused
from core.editions.edition import FOUR
from core.editions.winnings_table import WinningsCase
from core.terms import Dollars, Ending, PlayerId, Role, RoundNo, TableNo
from core.tournament.decisions import why_not
from core.tournament.draw.by_hand import ChangeDraw, change_effects, seat_histories
from core.tournament.draw.drawing import AllowTablesOfFour, MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import ChangeWaivers
from core.tournament.sheets import WaiveOpenSheets, WaiveOwedEntries
from core.tournament.state.decision import OpenSheet
from core.tournament.state.names import fold_name
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import MovedPlayer, SeatingChange, SwappedPlayers
from core.tournament.state.tournament import TournamentState
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit, AuditKind
from station.hall.published import tables_of
from station.players.service import Desk, DeskRefusal
from station.projections.cards import FloorCard
from station.text.changes_in_words import change_in_words, changes_in_words
from station.text.plan import first_free_table
from station.text.reasons import Done, FormReason
from station.web.forms import Fields
from station.web.page_keys import content_key
from station.web.site import referring_page
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_SEED_BYTES = 32
_NOBODY_FITS = (TournamentReason.NO_TABLES, TournamentReason.TOO_FEW_FOR_A_TABLE)
_ANY_REASON = "-"
"""A placeholder for the reason in the preview of a change."""


@get("/", needs=Permission.DRAWS)
async def draw(here: AtTournament) -> Template:
    """Show the draw of the next round and the judge's next step."""
    draft = here.state.pending_round
    open_sheets = open_sheet_cards(here)
    refusal = here.service.why_not(here.state.tournament, SealDraw(seed="0" * 64))
    reason = None if refusal is None else refusal.reason
    is_below_minimum = reason is TournamentReason.BELOW_MINIMUM
    return here.page(
        "judge/draw.html",
        histories=() if draft is None else seat_histories(here.state, draft),
        was_public=draft is not None and _was_public(here, draft.round),
        by_hand=()
        if draft is None
        else changes_in_words(draft.changes, here.names, here.words, here.state.hall_tables),
        missing_sheets=[card for card in open_sheets if card.accepted is None],
        disputed_sheets=[card for card in open_sheets if card.accepted is not None],
        steps_to_draft=here.service.problems.steps_to_draft(here.state.tournament),
        seen=here.service.steps_written(here.state.tournament),
        refused="" if refusal is None else here.words.refusal(refusal),
        is_below_minimum=is_below_minimum,
        stale=here.stale_draft(),
        four_rows=() if is_below_minimum else rows_of_four(here),
        may_end=reason in _NOBODY_FITS and bool(here.state.published_rounds),
        missing_players=await _missing(here),
        owing=cards_missing_entries(here),
        in_the_way=tables_in_use(here, PublishDraw()),
        elsewhere=_playing_elsewhere(here),
        free_table=free_table(here),
    )


def _was_public(here: TournamentContext, number: RoundNo) -> bool:
    """Return whether the draft is a published draw whose publication was undone."""
    events = [event for step in here.service.history(here.state.tournament) for event in step.events]
    drafts = (event for event in reversed(events) if isinstance(event, MakeDraw | PublishDraw))
    last = next(drafts, None)
    return isinstance(last, PublishDraw) and last.round == number


@post("/seal", needs=Permission.DRAWS, audit=Audit("Sealed a draw", keeps="reason"))
async def seal(here: AtTournament) -> Redirect:
    """Choose a seed and show its hash; a redraw needs a reason."""
    fields, then, check = await here.fields(), f"{here.url}/draw", await here.check_moment()
    check(here.state)
    missing = await _missing(here)
    decided = fields.text("missing")
    listed = fields.raw("listed").split()
    is_listed = not listed or set(missing).issubset(listed)
    if missing and not (decided == "seat" or (decided == "withdraw" and is_listed)):
        return here.refuse(Refused(DeskRefusal.MISSING_UNDECIDED, count=len(missing)), then)

    command = SealDraw(seed=secrets.token_hex(_SEED_BYTES), reason=fields.text("reason"))
    leaving = missing if decided == "withdraw" else ()
    refused = why_not(_without(here.state, leaving), command, here.rules) if leaving else None
    if refused is not None:
        return here.refuse(refused, then)

    async def _seal() -> None:
        reason = here.words.gettext("not checked in before the draw")
        for player in leaving:
            await here.service.decide(
                here.state.tournament, WithdrawPlayer(player, reason), here.judge, check
            )
        await here.service.decide(here.state.tournament, command, here.judge, check)

    return await here.act(_seal(), then)


def _without(state: TournamentState, leaving: tuple[PlayerId, ...]) -> TournamentState:
    """Return the tournament as if these players had withdrawn."""
    entrants = tuple(
        msgspec.structs.replace(entrant, withdrawn=entrant.withdrawn or entrant.player in leaving)
        for entrant in state.entrants
    )
    return msgspec.structs.replace(state, entrants=entrants)


async def _missing(here: TournamentContext) -> tuple[PlayerId, ...]:
    """Return the players who have not checked in."""
    record = await here.service.of(Desk).record(here.state.tournament)
    return here.service.of(Desk).missing(here.state, record)


@post("/make", needs=Permission.DRAWS, audit=Audit("Drew the tables", keeps="hall_word"))
async def make(here: AtTournament) -> Redirect:
    word = (await here.fields()).text("hall_word")
    return await here.run(MakeDraw(hall_word=word), f"{here.url}/draw")


@post("/change/what-if", needs=Permission.DRAWS, audit=PREVIEW, status_code=200)
async def show_effects(here: AtTournament) -> Template:
    """Show the effects of changing the draft; nothing is changed yet."""
    fields = await here.fields()
    (await here.check_moment())(here.state)
    change = _change(here, fields)
    refused = here.service.why_not(here.state.tournament, ChangeDraw(change=change, reason=_ANY_REASON))
    if refused is not None:
        raise refused
    return here.page(
        "judge/draft_change.html",
        effects=change_effects(here.state, change, here.rules),
        change=change_in_words(change, here.names, here.words, here.state.hall_tables),
        typed={name: text for name, text in fields.typed_values().items() if name != "moment"},
    )


@post("/change", needs=Permission.DRAWS, audit=Audit("Changed a draw by hand", keeps="player with to reason"))
async def change_draft(here: AtTournament) -> Redirect:
    """Change the draft, with a public reason."""
    fields = await here.fields()
    command = ChangeDraw(change=_change(here, fields), reason=fields.text("reason"))
    try:
        (await here.check_moment())(here.state)
    except Refused as refused:
        return here.refuse(refused, f"{here.url}/draw")
    return await here.run(command, f"{here.url}/draw", Done.DRAFT_CHANGED)


def _change(here: TournamentContext, fields: Fields) -> SeatingChange:
    """Read a swap of two players or a move to a table from the form."""
    player, other, table = PlayerId(fields.text("player")), fields.text("with"), fields.table()
    if not player or bool(other) is (table is not None):
        raise Refused(FormReason.SWAP_OR_MOVE)
    if table is None:
        return SwappedPlayers(player, PlayerId(other))
    place = here.state.hall_tables.find_place(table)
    if not place:
        raise Refused(TournamentReason.NO_TABLE_IN_DRAFT, table=table)
    return MovedPlayer(player, TableNo(place))


@post("/publish", needs=Permission.DRAWS, audit=Audit("Published a draw"))
async def publish(here: AtTournament) -> Redirect:
    """Publish the draw that the judge has seen, and send it to the terminals."""
    draft = here.state.pending_round
    tables = () if draft is None else draft.tables
    has_terminals = any(here.service.context.terminal_at(one.table) for one in tables)
    done = Done.ROUND_RUNS if has_terminals else Done.ROUND_ON_PAPER
    return await here.run(PublishDraw(), f"{here.url}/floor", done)


@post("/without", needs=Permission.DRAWS, audit=Audit("Continued without missing entries", keeps="reason"))
async def without(here: AtTournament) -> Redirect:
    """Continue without the entries missing from tables, with a reason."""
    owing = here.service.problems.tables_with_missing_entries(here.state.tournament)
    await here.require_unchanged(_tables_key(cards_missing_entries(here)), FormReason.OTHER_SHEETS)
    command = WaiveOwedEntries(owing, (await here.fields()).text("reason"))
    return await here.run(command, referring_page(here.request, f"{here.url}/draw"), Done.GONE_ON)


@post(
    "/without-sheets",
    needs=Permission.DRAWS,
    audit=Audit("Drew the next round despite missing record sheets", keeps="reason"),
)
async def without_sheets(here: AtTournament) -> Redirect:
    """Draw the next round without missing or disputed record sheets, with a reason."""
    cards = open_sheet_cards(here)
    await here.require_unchanged(_tables_key(cards), FormReason.OTHER_SHEETS)
    sheets = tuple(
        OpenSheet(card.round, card.table, card.game_id, is_disputed=card.accepted is not None)
        for card in cards
    )
    command = WaiveOpenSheets(sheets, (await here.fields()).text("reason"))
    return await here.run(command, f"{here.url}/draw", Done.DRAWS_WITHOUT)


class FourRow(msgspec.Struct, frozen=True):
    """A row of the winnings that needs an amount for tables of 4. ``number`` is its index."""

    number: int
    ending: Ending
    role: Role
    case: WinningsCase
    dollars: int


def rows_of_four(here: TournamentContext) -> tuple[FourRow, ...]:
    """Return the rows that need an amount for tables of 4; none if the judge can't allow them now (D44)."""
    rules = here.rules
    amounts = tuple(Dollars(0) for _ in rules.winnings)
    if not rules.may_have_tables_of_four or here.why_not(AllowTablesOfFour(amounts, "-")):
        return ()
    dealt = next(row for row in rules.roles if row.players == FOUR)
    return tuple(
        FourRow(number, row.ending, row.role, row.case, int(row.four))
        for number, row in enumerate(rules.winnings)
        if dealt.count(row.role) and row.ending is not Ending.NO_WINNER
    )


@post("/four", needs=Permission.DRAWS, audit=Audit("Allowed tables of 4", keeps="reason"))
async def allow_four(here: AtTournament) -> Redirect:
    """Allow tables of 4 and set their winnings."""
    fields, then = await here.fields(), f"{here.url}/draw"
    wanted = {row.number for row in rows_of_four(here)}
    dollars = tuple(
        fields.dollars(f"row-{number}") if number in wanted else Dollars(0)
        for number in range(len(here.rules.winnings))
    )
    if not any(dollars):
        return here.refuse(FormReason.NO_AMOUNTS, then)
    return await here.run(AllowTablesOfFour(dollars, fields.text("reason")), then, Done.CHANGED)


@post(
    "/end",
    needs=Permission.DRAWS,
    audit=Audit("Changed rounds or time limit", keeps="reason", kind=AuditKind.TOURNAMENT),
)
async def end_here(here: AtTournament) -> Redirect:
    """End the tournament after the rounds played, as the remaining players can't be seated."""
    waivers = msgspec.structs.replace(here.state.waivers, rounds=len(here.state.published_rounds))
    reason = (await here.fields()).text("reason")
    return await here.run(ChangeWaivers(waivers, reason), here.url, Done.CHANGED)


def open_sheet_cards(here: TournamentContext) -> tuple[FloorCard, ...]:
    """Return the tables whose missing or disputed sheets block the next draw, missing ones first."""
    state = here.state
    missing = (
        here.service.card(state.tournament, number, table.table) for number, table in state.missing_sheets
    )
    rounds = {drawn.round for drawn in state.published_rounds}
    disputed = (
        card for card in here.service.problems.disputed_tables(state.tournament) if card.round in rounds
    )
    return tuple(card for card in (*missing, *disputed) if card.game_id not in state.sheets_waived)


def _tables_key(cards: Sequence[FloorCard]) -> str:
    return content_key([card.game_id for card in cards])


def tables_in_use(here: TournamentContext, command: PublishDraw | BeginDuels) -> str:
    """Return why a command must wait for tables that another tournament uses, or "" if it need not."""
    return here.refused_because(command, TournamentReason.TABLES_IN_USE)


def _playing_elsewhere(here: TournamentContext) -> tuple[str, ...]:
    """Return the drafted players who sit at another tournament's table now, each with that table."""
    draft = here.state.pending_round
    if draft is None:
        return ()
    drawn = {fold_name(here.names[player]) for table in draft.tables for player in table.players}
    players = []
    for other in here.service.tournaments():
        if other.tournament == here.state.tournament:
            continue
        names = {entrant.player: entrant.name for entrant in other.entrants}
        for table in tables_of(other):
            if table.is_awaited:
                seated = (names[player] for player in table.drawn.players)
                players += [
                    here.words.gettext("{name} ({tournament}, table {table})").format(
                        name=name, tournament=other.name, table=table.drawn.table
                    )
                    for name in seated
                    if fold_name(name) in drawn
                ]
    return tuple(players)


def free_table(here: TournamentContext) -> int:
    """Return the first table number after those of all other unfinished tournaments."""
    others = (other for other in here.service.tournaments() if other.tournament != here.state.tournament)
    return first_free_table((other, here.service.rules(other.tournament)) for other in others)


def cards_missing_entries(here: TournamentContext) -> tuple[FloorCard, ...]:
    """Return the tables whose missing entries no judge has waived."""
    tournament = here.state.tournament
    owing = here.service.problems.tables_with_missing_entries(tournament)
    return tuple(here.service.card(tournament, owed.round, owed.table) for owed in owing)


routes = tournament_routes(
    draw, seal, make, show_effects, change_draft, publish, without, without_sheets, allow_four, end_here,
    under="/draw",
)  # fmt: skip
