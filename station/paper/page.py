"""The print centre: every paper of a tournament, as a preview and as a PDF file."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Template

from base.errors import Refused
from base.languages import LANGUAGES
from station.accounts.permissions import Permission
from station.audit import Audit
from station.judges.access import require
from station.paper.layouts import PaperForm, PaperSize
from station.paper.papers import (
    OF_A_ROUND,
    PAPER_TEXTS,
    PaperKind,
    PaperSource,
    check_printable,
    needed_permission,
    paper_of,
)
from station.paper.typesetting import people_with_missing_letters
from station.paper.worker import PaperWorker
from station.plan.service import HallPlans
from station.players.codes import codes_of
from station.players.public_page import takes_applications
from station.text.i18n import words_in
from station.text.reasons import Missing
from station.web.site import PageRequest, words_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_MOST_PICTURES: Final = 12
"""The most pages in a preview."""


class ListedPaper(msgspec.Struct, frozen=True):
    """A paper in the list. ``refused`` is why it can't be printed now, or ""."""

    kind: PaperKind
    name: str
    note: str
    refused: str


class PrintChoice(msgspec.Struct, frozen=True):
    """The options for printing a paper."""

    size: PaperSize
    language: str
    round: int | None

    @property
    def query(self) -> str:
        wanted = "" if self.round is None else f"&round={self.round}"
        return f"?size={self.size.value}&language={self.language}{wanted}"


def _choice(
    request: PageRequest,
    size: FromQuery[str] = "a4",
    language: FromQuery[str] = "",
    round: FromQuery[int | None] = None,  # noqa: A002 (the word in the address)
) -> PrintChoice:
    sizes: Mapping[str, PaperSize] = {one.value: one for one in PaperSize}
    spoken = language if language in LANGUAGES else words_of(request).language
    return PrintChoice(sizes.get(size, PaperSize.A4), spoken, round)


@get("/", needs=Permission.TOURNAMENTS)
async def papers(
    here: AtTournament, choice: NamedDependency[PrintChoice], paper: FromQuery[str] = ""
) -> Template:
    """Show the list of papers, and a preview of the chosen one."""
    source = await _source(here, choice.language)
    kind = next((kind for kind in PaperKind if kind.value == paper), None)
    pages, refused = 0, ""
    if kind is not None:
        await require(here.request, needed_permission(kind, here.state))
        try:
            pages = len(await _set(here, kind, choice, source, PaperForm.PICTURES))
        except Refused as error:
            refused = here.words.error(error)
    return here.page(
        "judge/print.html",
        papers=_listed(here, source, choice),
        kind=kind,
        choice=choice,
        name="" if kind is None else here.words.gettext(PAPER_TEXTS[kind][0]),
        refused=refused,
        pages=pages,
        shown=min(pages, _MOST_PICTURES),
        sizes=PaperSize,
        of_a_round=kind in OF_A_ROUND,
        has_codes=bool(source.address),
        boxes=await asyncio.to_thread(people_with_missing_letters, here.names.values()),
    )


PRINTING: Final = "GET /judge/t/{tournament}/print/{kind}/file"
"""The route in the audit log of a paper that was opened to print it."""


@get("/{kind:str}/file", needs=Permission.TOURNAMENTS, audit=Audit("Opened a printout"))
async def file(
    here: AtTournament, choice: NamedDependency[PrintChoice], kind: FromPath[str]
) -> Response[bytes]:
    """Return a paper as a PDF file, which the browser opens."""
    (content,) = await _made(here, kind, choice, PaperForm.PDF)
    headers = here.file_headers(f"{kind}.pdf", opens=True)
    return Response(content, media_type="application/pdf", headers=headers)


@get("/{kind:str}/pages/{number:int}", needs=Permission.TOURNAMENTS)
async def picture(
    here: AtTournament, choice: NamedDependency[PrintChoice], kind: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    """Return one page of a paper as a picture. ``number`` counts from 1."""
    pictures = await _made(here, kind, choice, PaperForm.PICTURES)
    if not 1 <= number <= len(pictures):
        raise NotFoundException(Missing.PAPER.value)
    return Response(pictures[number - 1], media_type="image/png")


async def _made(
    here: TournamentContext, word: str, choice: PrintChoice, form: PaperForm
) -> tuple[bytes, ...]:
    kind = next((kind for kind in PaperKind if kind.value == word), None)
    if kind is None:
        raise NotFoundException(Missing.PAPER.value)
    await require(here.request, needed_permission(kind, here.state))
    source = await _source(here, choice.language)
    try:
        return await _set(here, kind, choice, source, form)
    except Refused as error:
        raise NotFoundException(here.words.error(error)) from error


async def _source(here: TournamentContext, language: str) -> PaperSource:
    tournament = here.state.tournament
    return PaperSource(
        here.state,
        here.rules,
        words_in(language),
        await here.service.of(HallPlans).plan(),
        here.address_for_others(),
        lambda player: here.service.of(codes_of).badge(tournament, player),
        await takes_applications(here),
    )


def _listed(here: TournamentContext, source: PaperSource, choice: PrintChoice) -> list[ListedPaper]:
    listed = []
    for kind in PaperKind:
        if not here.may(needed_permission(kind, here.state)):
            continue
        try:
            check_printable(kind, source, choice.round)
            refused = ""
        except Refused as error:
            refused = here.words.error(error)
        name, note = (here.words.gettext(text) for text in PAPER_TEXTS[kind])
        listed.append(ListedPaper(kind, name, note, refused))
    return listed


async def _set(
    here: TournamentContext, kind: PaperKind, choice: PrintChoice, source: PaperSource, form: PaperForm
) -> tuple[bytes, ...]:
    """Make and typeset a paper, only a few at a time, as terminals need the processor too. Raises Refused.

    The latest paper is cached, as a preview requests each of its pictures separately.
    """
    key = (kind, choice, source.address, source.plan, source.takes_applications)
    worker: PaperWorker = here.request.app.state.papers
    async with here.site.reading:
        latest = worker.latest
        if latest is not None and latest[0] is here.state and latest[1] == key:
            paper = latest[2]
        else:
            paper = await asyncio.to_thread(paper_of, kind, source, size=choice.size, round_no=choice.round)
            worker.latest = (here.state, key, paper)
    return await worker.set(paper, form)


routes = tournament_routes(papers, file, picture, under="/print")
routes.dependencies = {**routes.dependencies, "choice": Provide(_choice, sync_to_thread=False)}
