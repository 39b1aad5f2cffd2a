"""The queue of record sheets still to enter from paper, and the judge who is entering each of them."""

import re
from typing import Final

import msgspec
from litestar import get, post
from litestar.response import Redirect, Template

from base.clock import Clock
from core.terms import GameId, RoundNo, TableNo
from station.accounts.permissions import Permission
from station.audit import Unrecorded
from station.hall.station_context import StationContext
from station.text.reasons import FormReason
from station.web.tournament_context import (
    AtTable,
    AtTournament,
    TableContext,
    TournamentContext,
    table_routes,
    tournament_routes,
)

_CLAIM_MS: Final = 10 * 60_000
_CODE: Final = re.compile(
    r"(?:https?://\S{1,200}/tables/)?(?:r?(?P<round>\d{1,2})\s*[-/t]\s*)?(?P<table>\d{1,4})(?:/sheet)?",
    re.IGNORECASE,
)


class _Claim(msgspec.Struct, frozen=True):
    judge: str
    ends_ms: int


class SheetClaims:
    """The judges who have opened the form of a record sheet in the last ten minutes; only in memory."""

    def __init__(self, context: StationContext) -> None:
        self._clock: Clock = context.parts.clock
        self._claims: dict[GameId, _Claim] = {}

    def judge_of(self, game: GameId) -> str:
        """Return the judge who is entering a sheet, or ""."""
        claim = self._claims.get(game)
        return claim.judge if claim is not None and self._clock.monotonic_ms() < claim.ends_ms else ""

    def claim(self, game: GameId, judge: str, *, takes_over: bool = False) -> str:
        """Claim a sheet unless another judge has, and return the judge who has it now."""
        other = self.judge_of(game)
        if other and other != judge and not takes_over:
            return other
        now_ms = self._clock.monotonic_ms()
        # A judge enters one sheet at a time.
        kept = {
            one: claim
            for one, claim in self._claims.items()
            if claim.judge != judge and now_ms < claim.ends_ms
        }
        self._claims = {**kept, game: _Claim(judge, now_ms + _CLAIM_MS)}
        return judge

    def release(self, game: GameId) -> None:
        self._claims.pop(game, None)


class SheetToEnter(msgspec.Struct, frozen=True):
    """A missing record sheet. ``by`` is the judge who is entering it, or empty."""

    round: RoundNo
    table: TableNo
    url: str
    by: str


def open_sheets(here: TournamentContext) -> tuple[SheetToEnter, ...]:
    """Return the missing sheets of tables without a terminal, oldest round first."""
    claims, card_at = here.service.of(SheetClaims), here.service.card
    return tuple(
        SheetToEnter(number, drawn.table, _form_url(here, number, drawn.table), claims.judge_of(drawn.game))
        for number, drawn in here.state.missing_sheets
        if card_at(here.state.tournament, number, drawn.table).is_on_paper
    )


def _form_url(here: TournamentContext, number: RoundNo, table: TableNo) -> str:
    return f"{here.url}/tables/{number}/{table}/sheet"


def next_sheet(here: TableContext) -> SheetToEnter | None:
    """Return the sheet to enter after this table's, which nobody else is entering, or None."""
    place = (here.card.round, here.card.table)
    others = [one for one in open_sheets(here) if (one.round, one.table) != place]
    # The tables after this one come first.
    others.sort(key=lambda one: (one.round, one.table) < place)
    return next((one for one in others if one.by in {"", here.judge}), None)


@get("/", needs=Permission.SHEETS)
async def sheets(here: AtTournament) -> Template:
    """Show the record sheets that are still to be entered from paper."""
    return here.page("judge/open_sheets.html", sheets=open_sheets(here))


@get("/open", needs=Permission.SHEETS)
async def open_by_code(here: AtTournament) -> Redirect:
    """Open the form of the sheet whose table, or round and table, was typed: ``7``, ``2-7`` or ``r2t7``.

    A scanner types the address of the sheet's QR code instead.
    """
    code = _CODE.fullmatch(here.request.query_params.get("code", "").strip())
    if code is not None:
        wanted = None if code["round"] is None else int(code["round"])
        for number, drawn in reversed(here.state.missing_sheets):
            if drawn.table == int(code["table"]) and wanted in {None, number}:
                return Redirect(_form_url(here, number, drawn.table))
    return here.refuse(FormReason.NO_OPEN_SHEET, f"{here.url}/sheets")


@post("/sheet/take", needs=Permission.SHEETS, audit=Unrecorded("it only says who is typing"))
async def take_over(here: AtTable) -> Redirect:
    """Enter a sheet instead of the judge who has opened it."""
    here.service.of(SheetClaims).claim(here.card.game_id, here.judge, takes_over=True)
    return Redirect(f"{here.table_url}/sheet")


routes = tournament_routes(sheets, open_by_code, under="/sheets")
routes_of_one = table_routes(take_over)
