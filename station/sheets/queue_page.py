"""The queue of record sheets still to enter from paper, and the judge who is entering each of them."""

import asyncio
import re
from collections.abc import Callable
from typing import Final

import msgspec
from litestar import get
from litestar.response import Redirect, Template

from core.terms import GameId, RoundNo, TableNo
from station.accounts.permissions import Permission
from station.hall.station_context import StationContext
from station.text.reasons import FormReason
from station.web.page_keys import shown_key
from station.web.site import session_key
from station.web.tournament_context import (
    AtTournament,
    TableContext,
    TournamentContext,
    tournament_routes,
)

_SETTING: Final = "sheet-claims"
_CLAIM_MS: Final = 5 * 60_000
_LONG_MS: Final = _CLAIM_MS // 2
_CODE: Final = re.compile(
    r"(?:https?://\S{1,200}/tables/)?(?:r?(?P<round>\d{1,2})\s*[-/t]\s*)?(?P<table>\d{1,4})(?:/sheet)?",
    re.IGNORECASE,
)


class SheetClaim(msgspec.Struct, frozen=True):
    """A record sheet that is being entered. ``helper`` stands for the login session of a browser."""

    judge: str
    helper: str
    ends_ms: int


_Claims = dict[GameId, SheetClaim]


class SheetClaims:
    """The record sheets being entered, shared by all stations on one database.

    A claim lasts as long as its form changes, and five minutes more. A browser with several tabs can have
    several claims.
    """

    def __init__(self, context: StationContext) -> None:
        self._parts = context.parts

    async def all(self) -> _Claims:
        return self._current(await asyncio.to_thread(self._parts.settings.read, _SETTING, _Claims, "{}"))

    async def claim(self, game: GameId, judge: str, helper: str, *, takes_over: bool = False) -> SheetClaim:
        """Claim a sheet unless another helper has, and return the claim that holds now."""
        now_ms = self._parts.clock.wall_ms()
        mine = SheetClaim(judge, helper, now_ms + _CLAIM_MS)

        def _claimed(known: _Claims) -> _Claims:
            former = self._current(known).get(game)
            is_others = former is not None and former.helper != helper and not takes_over
            # Most changes of a form find a claim that lasts long enough, and write nothing.
            is_fresh = (
                former is not None and former.helper == helper and former.ends_ms > now_ms + _CLAIM_MS // 2
            )
            return known if is_others or is_fresh else {**self._current(known), game: mine}

        return (await self._edit(_claimed))[game]

    async def release(self, game: GameId) -> None:
        await self._edit(lambda known: {one: claim for one, claim in known.items() if one != game})

    def _current(self, claims: _Claims) -> _Claims:
        now_ms = self._parts.clock.wall_ms()
        # A clock that was wrong must not keep a sheet for long.
        return {one: claim for one, claim in claims.items() if 0 < claim.ends_ms - now_ms <= _CLAIM_MS}

    async def _edit(self, change: Callable[[_Claims], _Claims]) -> _Claims:
        return await asyncio.to_thread(self._parts.settings.edit, _SETTING, _Claims, "{}", change)


def helper_of(here: TournamentContext) -> str:
    """Return the name for the browser's login session in claims, which is no secret."""
    return shown_key(session_key(here.request))


async def claim_sheet(here: TableContext, *, takes_over: bool = False) -> str:
    """Claim the table's sheet for this browser, and return "" or the judge who has it in another one."""
    helper = helper_of(here)
    claims = here.service.of(SheetClaims)
    claim = await claims.claim(here.card.game_id, here.judge, helper, takes_over=takes_over)
    return "" if claim.helper == helper else claim.judge


class SheetToEnter(msgspec.Struct, frozen=True):
    """A missing record sheet. ``by`` is the judge who is entering it, or empty."""

    round: RoundNo
    table: TableNo
    game: GameId
    url: str
    by: str
    is_others: bool


async def open_sheets(here: TournamentContext) -> tuple[SheetToEnter, ...]:
    """Return the missing sheets of tables without a terminal, oldest round first."""
    claims, helper = await here.service.of(SheetClaims).all(), helper_of(here)
    sheets = []
    for number, drawn in here.state.missing_sheets:
        if here.service.card(here.state.tournament, number, drawn.table).is_on_paper:
            url, claim = _form_url(here, number, drawn.table), claims.get(drawn.game)
            by = "" if claim is None else claim.judge
            is_others = claim is not None and claim.helper != helper
            sheets.append(SheetToEnter(number, drawn.table, drawn.game, url, by, is_others))
    return tuple(sheets)


def _form_url(here: TournamentContext, number: RoundNo, table: TableNo) -> str:
    return f"{here.url}/tables/{number}/{table}/sheet"


async def next_sheets(here: TableContext) -> list[SheetToEnter]:
    """Return the sheets to enter after this table's, the best one first, without those of other helpers."""
    place = (here.card.round, here.card.table)
    others = [one for one in await open_sheets(here) if (one.round, one.table) != place and not one.is_others]
    # Sheets in this browser's other tabs come last, and those of earlier tables after those of later ones.
    return sorted(others, key=lambda one: (one.by != "", (one.round, one.table) < place))


async def claim_next_sheet(here: TableContext) -> str:
    """Claim the sheet to enter after this table's, and return its address, or else the tournament's."""
    claims, helper = here.service.of(SheetClaims), helper_of(here)
    for sheet in await next_sheets(here):
        if (await claims.claim(sheet.game, here.judge, helper)).helper == helper:
            return sheet.url
    return here.url


@get("/", needs=Permission.SHEETS)
async def sheets(here: AtTournament) -> Template:
    """Show the record sheets that are still to be entered from paper."""
    return here.page("judge/open_sheets.html", sheets=await open_sheets(here))


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


routes = tournament_routes(sheets, open_by_code, under="/sheets")
