"""The proof pack of a tournament: its digest, to be announced, and the file itself."""

import asyncio

from litestar import Router, get
from litestar.params import FromPath
from litestar.response import Stream, Template

from saloon.station.store.export import CountedLines, pieces
from saloon.station.web.account.login import only_judges
from saloon.station.web.site import PageRequest, page, site_of


@get("/proof")
async def proof(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the pack's present content, its digest, and how to check it."""
    site = site_of(request)
    state = site.tournament(tournament)
    counted = CountedLines(site.office.export(state.tournament))
    await asyncio.to_thread(counted.read_all)
    return page(request, "judge/proof.html", t=state, lines=counted.lines, digest=counted.digest)


@get("/export")
async def export(request: PageRequest, tournament: FromPath[str]) -> Stream:
    """Return the whole tournament as a file that proves it."""
    site = site_of(request)
    state = site.tournament(tournament)
    headers = {"Content-Disposition": f'attachment; filename="saloon-{state.tournament}.jsonl"'}
    return Stream(
        pieces(site.office.export(state.tournament)), media_type="application/jsonl", headers=headers
    )


routes = Router("/judge/t/{tournament:str}", before_request=only_judges, route_handlers=[proof, export])
