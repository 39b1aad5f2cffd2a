"""Import of offline results: photos of QR codes, files from USB drives and a live camera."""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Router, get, post
from litestar.datastructures import UploadFile
from litestar.response import Response, Template

from base.errors import BadData, Refused, Unavailable
from station.accounts.permissions import Permission
from station.audit import Audit, Unrecorded
from station.offline.service import ImportOutcome, ImportResult, ParcelImporter, ParcelRefusal
from station.offline.uploads import (
    LARGEST_PICTURE,
    FoundParcel,
    UploadedParcels,
    UploadProblem,
    extract_parcels,
    parts_in,
)
from station.text.i18n import Words
from station.text.names import round_title
from station.web.site import PageRequest, judge_of, page, site_of, words_of
from sync.protocol.parcel import fits_codes, parts_of, text_of

_HERE = "/judge/take-in"
_LARGEST_FORM = 3 * LARGEST_PICTURE
_LARGEST_FRAME = 4 * 1024 * 1024
_MOST_FILES = 12


_MOODS: Final = {ImportOutcome.SHEET_CONTESTED: "bad", ImportOutcome.SHEET_UNCONFIRMED: "waits"}


class ParcelOutcome(msgspec.Struct, frozen=True):
    """The outcome of one parcel. ``parts`` are its parts as text, to send again with a confirmation."""

    where: str
    taken: ImportResult | None
    text: str
    mood: str = "bad"
    icon: str = "warning"
    parts: str = ""


@get("/", needs=Permission.SHEETS)
async def take_in_page(request: PageRequest) -> Template:
    """Show the ways to upload results."""
    return _page(request)


@post(
    "/",
    needs=Permission.SHEETS,
    audit=Audit("Imported offline results"),
    status_code=200,
    request_max_body_size=_LARGEST_FORM,
)
async def take_in(request: PageRequest) -> Template:
    """Import the uploaded parcels. The page, not the station, keeps the parts of incomplete ones."""
    form = await request.form()
    files = [value for value in form.getall("file", []) if isinstance(value, UploadFile)]
    texts = "\n".join(str(value) for value in form.getall("part", []))
    brought = [(file.filename, await file.read()) for file in files[:_MOST_FILES] if file.filename]
    async with site_of(request).reading:
        uploaded = await asyncio.to_thread(extract_parcels, brought, texts)
    if len(files) > _MOST_FILES:
        many = UploadProblem("", Refused(ParcelRefusal.TOO_MANY, count=_MOST_FILES))
        uploaded = msgspec.structs.replace(uploaded, problems=(*uploaded.problems, many))
    confirms = form.get("confirms") == "yes"
    answers = [await _answer(request, parcel, confirms=confirms) for parcel in uploaded.parcels]
    return _page(request, uploaded, answers)


@post(
    "/frame",
    needs=Permission.SHEETS,
    audit=Unrecorded("a frame of a camera; terminals' entries show what came of it"),
    status_code=200,
    request_max_body_size=_LARGEST_FRAME,
)
async def frame(request: PageRequest) -> Response[bytes]:
    """Return the parts found in one picture of the live camera, as JSON."""
    form = await request.form()
    picture = form.get("file")
    data = await picture.read() if isinstance(picture, UploadFile) else b""
    async with site_of(request).reading:
        parts = await asyncio.to_thread(parts_in, data)
    said = [
        {"parcel": part.parcel, "number": part.number, "count": part.count, "text": text_of(part)}
        for part in parts
    ]
    return Response(msgspec.json.encode({"parts": said}), media_type="application/json")


async def _answer(request: PageRequest, parcel: FoundParcel, *, confirms: bool) -> ParcelOutcome:
    intake = site_of(request).service.of(ParcelImporter)
    try:
        taken = await intake.import_parcel(parcel.parcel, parcel.where, judge_of(request), confirms=confirms)
    except (Refused, BadData, Unavailable) as error:
        return ParcelOutcome(parcel.where, None, words_of(request).error(error))
    waits = taken.outcome is ImportOutcome.SHEET_UNCONFIRMED and fits_codes(parcel.parcel)
    parts = "\n".join(parts_of(parcel.parcel)) if waits else ""
    mood = _MOODS.get(taken.outcome, "good")
    icon = "warning" if taken.outcome in _MOODS else "check"
    return ParcelOutcome(parcel.where, taken, _in_words(words_of(request), taken), mood, icon, parts)


def _in_words(words: Words, taken: ImportResult) -> str:
    text = words.label(taken.outcome)
    if taken.outcome is ImportOutcome.ENTRIES_TAKEN:
        text = words.ngettext(
            "{n} new entry ({first} to {last}).", "{n} new entries ({first} to {last}).", taken.new
        )
    return text.format(n=taken.new, first=taken.first, last=taken.last)


def _page(
    request: PageRequest, uploaded: UploadedParcels | None = None, answers: Sequence[ParcelOutcome] = ()
) -> Template:
    tournament = site_of(request).service.tournament
    return page(
        request,
        "judge/take_in.html",
        here=_HERE,
        uploaded=uploaded,
        parts=() if uploaded is None else uploaded.parts,
        answers=answers,
        said=words_of(request).error,
        title=lambda k: round_title(tournament(k.tournament), k.round, words_of(request)),
        is_secure=request.url.scheme == "https" or request.url.hostname in {"localhost", "127.0.0.1"},
    )


routes = Router(_HERE, route_handlers=[take_in_page, take_in, frame])
