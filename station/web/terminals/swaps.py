"""Swapping the terminal of a table: the judge chooses a spare, and the spare takes the game over."""

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.terms import TableNo
from saloon.station.terminals.terminal_cards import TerminalCard, TerminalLink
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, judge_of, page, refused, run_action, site_of
from saloon.station.web.tables.floor import card_of
from saloon.station.web.text.reasons import Done, Reason
from saloon.sync.protocol.entry import TerminalId


@get("/")
async def swap_page(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Template:
    """Show the spares that can take a table over, the connected ones first."""
    site = site_of(request)
    state = site.tournament(tournament)
    card = card_of(request, state, round_no, table)
    story = site.office.story(card.game_id)
    spares = sorted((c for c in site.office.terminals() if c.table is None), key=_is_away)
    return page(
        request, "judge/swap.html", t=state, c=card, round_no=round_no, steps=len(story), spares=spares
    )


@post("/")
async def swap(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Assign the chosen terminal to this table."""
    site = site_of(request)
    card = card_of(request, site.tournament(tournament), round_no, table)
    terminal = (await form_of(request)).text("terminal")
    then = f"/judge/t/{tournament}/tables/{round_no}/{table}"
    if not terminal:
        refused(request, Refused(Reason.NO_SPARE))
        return Redirect(f"{then}/swap")
    work = site.office.assign(TerminalId(terminal), TableNo(card.table), judge_of(request))
    return await run_action(request, work, then, Done.SWAPPED)


def _is_away(card: TerminalCard) -> bool:
    return card.link is TerminalLink.AWAY


routes = Router(
    "/judge/t/{tournament:str}/tables/{round_no:int}/{table:int}/swap",
    before_request=only_judges,
    route_handlers=[swap_page, swap],
)
