"""The print centre: every paper of a tournament, as a preview and as a PDF file."""

import asyncio
import itertools
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template
from msgspec.structs import replace

from base.errors import Refused
from base.fonts.coverage import shortened_names
from base.languages import LANGUAGES
from station.accounts.permissions import Permission
from station.audit import Audit
from station.judges.access import require
from station.paper.certificates import (
    LONGEST_NAME,
    CertificateChoice,
    LetterheadRefusal,
    Letterheads,
    has_ranks,
    logo_svg,
)
from station.paper.layouts import PaperForm, PaperSize
from station.paper.papers import (
    OF_A_ROUND,
    PAPER_TEXTS,
    PARTS_OF_DAY,
    PaperKind,
    PaperSource,
    check_printable,
    codes_on,
    needed_permission,
    paper_of,
)
from station.paper.typesetting import letters_of_paper
from station.paper.worker import PaperWorker
from station.plan.service import HallPlans
from station.players.codes import codes_of
from station.players.public_page import takes_applications
from station.players.service import Desk
from station.text.i18n import words_in
from station.text.reasons import Done, Missing
from station.web.long_tasks import LongJob, TaskProgress, TaskStep
from station.web.site import PageRequest, words_of
from station.web.task_page import result_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_MOST_PICTURES: Final = 12
"""The most pages in a preview."""
_COLLECTED: Final[Mapping[PaperKind, float]] = {PaperKind.BADGES: 0.5}
"""The part of the work that is done when a paper's contents are ready to be typeset, usually a fifth."""


LARGEST_LOGO: Final = 2 * 1024 * 1024


class ListedPaper(msgspec.Struct, frozen=True):
    """A paper in the list. ``refused`` is why it can't be printed now, or ""."""

    kind: PaperKind
    name: str
    note: str
    refused: str


class PrintChoice(msgspec.Struct, frozen=True):
    """The options for printing a paper. best, player: who gets a certificate."""

    size: PaperSize
    language: str
    round: int | None
    best: int | None
    player: str

    @property
    def query(self) -> str:
        """Return the query of the addresses with these options."""
        wanted = {"round": self.round, "best": self.best, "player": self.player or None}
        chosen = {name: value for name, value in wanted.items() if value is not None}
        return "?" + urlencode({"size": self.size.value, "language": self.language, **chosen})


def _choice(
    request: PageRequest,
    *,
    size: FromQuery[str] = "a4",
    language: FromQuery[str] = "",
    round: FromQuery[int | None] = None,  # noqa: A002 (the word in the address)
    best: FromQuery[str] = "",
    player: FromQuery[str] = "",
) -> PrintChoice:
    sizes: Mapping[str, PaperSize] = {one.value: one for one in PaperSize}
    spoken = language if language in LANGUAGES else words_of(request).language
    places = int(best) if re.fullmatch("[0-9]{1,4}", best) else 0
    return PrintChoice(sizes.get(size, PaperSize.A4), spoken, round, places or None, player)


@get("/", needs=Permission.TOURNAMENTS)
async def papers(
    here: AtTournament, choice: NamedDependency[PrintChoice], paper: FromQuery[str] = ""
) -> Template:
    """Show the list of papers, and a preview of the chosen one."""
    source = await _source(here, choice)
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
        parts=_listed(here, source, choice),
        kind=kind,
        choice=choice,
        name="" if kind is None else here.words.gettext(PAPER_TEXTS[kind][0]),
        refused=refused,
        pages=pages,
        shown=min(pages, _MOST_PICTURES),
        sizes=PaperSize,
        of_a_round=kind in OF_A_ROUND,
        certified=_certified(here) if kind is PaperKind.CERTIFICATES else None,
        letterhead=source.letterhead,
        longest=LONGEST_NAME,
        has_codes=bool(source.address),
        shortened=await asyncio.to_thread(lambda: shortened_names(here.names.values(), letters_of_paper())),
    )


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


@get("/{kind:str}/thumbnail", needs=Permission.TOURNAMENTS)
async def thumbnail(
    here: AtTournament, choice: NamedDependency[PrintChoice], kind: FromPath[str]
) -> Response[bytes]:
    """Return a small picture of a paper's first page."""
    (picture,) = await _made(here, kind, choice, PaperForm.THUMBNAIL)
    return Response(picture, media_type="image/png")


@post(
    "/letterhead",
    needs=Permission.SET_UP,
    audit=Audit("Changed the letterhead of certificates", keeps="venue organiser"),
    request_max_body_size=LARGEST_LOGO + 64 * 1024,
)
async def letterhead(here: AtTournament) -> Redirect:
    """Change the venue, organiser and logo on certificates."""
    fields, worker = await here.fields(), here.request.app.state.papers
    file, is_removed = fields.file("logo"), fields.is_ticked("remove-logo")
    content = b"" if file is None else await file.read()

    async def _save() -> None:
        logo = ""
        if content:
            png = b"" if len(content) > LARGEST_LOGO else await worker.read_logo(content)
            if not png:
                raise Refused(LetterheadRefusal.NO_LOGO)
            logo = await asyncio.to_thread(logo_svg, png)
        await here.service.of(Letterheads).change(
            here.state.tournament,
            fields.text("venue"),
            fields.text("organiser"),
            lambda former: logo or ("" if is_removed else former),
        )

    certificates = f"{here.url}/print?paper={PaperKind.CERTIFICATES.value}"
    return await here.act(_save(), certificates, Done.CHANGED)


def _certified(here: TournamentContext) -> list[tuple[str, str]]:
    """Return the ids and names of players with a place in the ranking, once it is complete."""
    if not has_ranks(here.state):
        return []
    rows = here.service.standings(here.state.tournament).rows
    return [(row.player, f"{row.rank}. {here.names[row.player]}") for row in rows if row.rank]


async def _made(
    here: TournamentContext, word: str, choice: PrintChoice, form: PaperForm
) -> tuple[bytes, ...]:
    kind = next((kind for kind in PaperKind if kind.value == word), None)
    if kind is None:
        raise NotFoundException(Missing.PAPER.value)
    await require(here.request, needed_permission(kind, here.state))
    source = await _source(here, choice)
    if form is PaperForm.THUMBNAIL:
        source = replace(source, most=_MOST_PICTURES)
    try:
        return await _set(here, kind, choice, source, form)
    except Refused as error:
        raise NotFoundException(here.words.error(error)) from error


async def _source(here: TournamentContext, choice: PrintChoice) -> PaperSource:
    tournament = here.state.tournament
    return PaperSource(
        await here.service.of(Desk).with_newcomers(here.state),
        here.rules,
        words_in(choice.language),
        await here.service.of(HallPlans).plan(),
        here.address_for_others(),
        lambda player: here.service.of(codes_of).badge(tournament, player),
        await takes_applications(here),
        await here.service.of(Letterheads).find(tournament),
        CertificateChoice(choice.best, choice.player),
    )


def _listed(
    here: TournamentContext, source: PaperSource, choice: PrintChoice
) -> list[tuple[str, list[ListedPaper]]]:
    """Return the papers below the headings of the day's parts."""
    parts: list[tuple[str, list[ListedPaper]]] = []
    for kind in PaperKind:
        if kind in PARTS_OF_DAY:
            parts.append((here.words.gettext(PARTS_OF_DAY[kind]), []))
        if not here.may(needed_permission(kind, here.state)):
            continue
        try:
            check_printable(kind, source, choice.round)
            refused = ""
        except Refused as error:
            refused = here.words.error(error)
        name, note = (here.words.gettext(text) for text in PAPER_TEXTS[kind])
        parts[-1][1].append(ListedPaper(kind, name, note, refused))
    return parts


async def _set(
    here: TournamentContext, kind: PaperKind, choice: PrintChoice, source: PaperSource, form: PaperForm
) -> tuple[bytes, ...]:
    """Make and typeset a paper. Raises Refused, and StillRunning while it's being made."""
    worker: PaperWorker = here.request.app.state.papers
    if form is PaperForm.THUMBNAIL:
        async with here.site.reading:
            paper = await asyncio.to_thread(paper_of, kind, source, size=choice.size, round_no=choice.round)
        return await worker.set(paper, form)

    async def _typeset(progress: TaskProgress) -> tuple[bytes, ...]:
        codes, drawn = len(codes_on(kind, source.state)) if source.address else 0, itertools.count(1)
        step = TaskStep.CODES if codes else TaskStep.COLLECTING
        progress.begin(step, codes, until=_COLLECTED.get(kind, 0.2))
        counted = msgspec.structs.replace(source, on_code=lambda: progress.count(next(drawn)))
        paper = await asyncio.to_thread(paper_of, kind, counted, size=choice.size, round_no=choice.round)
        return await worker.set(paper, form, progress)

    what = (here.url, kind, choice, form)
    steps = here.service.steps_written(here.state.tournament)
    state = source.state
    version = (
        steps,
        source.address,
        source.plan,
        source.takes_applications,
        source.letterhead,
        state.newcomers,
    )
    title = f"{here.words.gettext(PAPER_TEXTS[kind][0])} · {here.state.name}"
    # Pictures are only part of the page with the preview.
    preview = f"{here.url}/print{choice.query}&paper={kind.value}" if form is PaperForm.PICTURES else ""
    return await result_of(here.request, LongJob(title, what, version, _typeset, lane="papers"), preview)


routes = tournament_routes(papers, file, picture, thumbnail, letterhead, under="/print")
routes.dependencies = {**routes.dependencies, "choice": Provide(_choice, sync_to_thread=False)}
PRINTING: Final = "GET " + routes.path.replace(":str", "") + "/{kind}/file"
"""The route in the audit of printing a paper."""
