"""The judge's page of cards: common settings, files for many tables at once, and the files' status."""

import asyncio
import datetime as dt
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import msgspec
import segno
from litestar import Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Stream, Template

from base.errors import BadData, Refused, Unavailable
from base.languages import LANGUAGES
from core.terms import TableNo
from station.accounts.permissions import Permission
from station.audit import Audit
from station.cards.service import MOST_SPARES, Cards, folder_of, format_table_ranges, tables_of, zip_of
from station.enrolment.enrolments import LAST_TABLE
from station.sd_cards.card_files import CardFile, CardMade, CardSettings, CardState
from station.sd_cards.card_image import card_image, pieces, provisioning_patches
from station.text.reasons import Done, FormReason
from station.web.forms import Fields, form_of
from station.web.site import (
    PageRequest,
    judge_of,
    page,
    permissions_of_request,
    run_action,
    show_refusal,
    site_of,
    words_of,
)
from sync.enrolment.provisioning import ServicePart, TerminalPart, WifiPart
from sync.enrolment.provisioning_faults import WrongFile
from sync.enrolment.provisioning_keys import LEAST_INCHES, MOST_INCHES, PANELS, ROTATIONS
from sync.ports.addresses import complete_address

USUAL_DEVICE: Final = "/dev/ttyUSB0"
"""The device name of a terminal's only USB adapter."""
_SHARED, _OWN = "shared", "own"


def read_settings(fields: Fields, before: CardSettings) -> CardSettings:
    """Return the entered settings. Raises Refused. The password in ``before`` is kept if none was entered."""
    rotation = fields.number("rotation")
    cable = fields.text("cable")
    terminal = TerminalPart(
        serial=(fields.text("device") or USUAL_DEVICE) if cable in {_OWN, _SHARED} else "",
        bus=cable == _SHARED,
        panel=fields.text("panel"),
        language=fields.text("language"),
        rotation=rotation or None,
        inches=_inches(fields.text("inches")),
    )
    addresses = tuple(map(complete_address, fields.raw("addresses").replace(",", " ").split()))
    return CardSettings(_wifi(fields, before), ServicePart(fields.text("ssh-key")), terminal, addresses)


def setting_refusal(error: WrongFile) -> Refused:
    """Return the refusal of a setting that terminals could not read, naming the form's field."""
    problem = error.fault.value.format(**error.fields) if error.fields else error.fault
    return Refused(FormReason.CARD_FIELD, field=f"[{error.section}] {error.key}", problem=problem)


def _wifi(fields: Fields, before: CardSettings) -> WifiPart | None:
    name = fields.raw("wifi-name").strip()
    if not name:
        return None
    kept = before.wifi.password if before.wifi is not None else ""
    is_open = fields.is_ticked("wifi-open")
    password = "" if is_open else fields.raw("wifi-password") or kept
    if not is_open and not password:
        raise Refused(FormReason.WIFI_IS_BARE)
    return WifiPart(name, password, fields.text("wifi-country").upper(), fields.is_ticked("wifi-hidden"))


def _inches(text: str) -> float | None:
    if not text:
        return None
    try:
        inches = float(text.replace(",", "."))
    except ValueError as error:
        raise Refused(FormReason.NO_NUMBER, text=text[:40]) from error
    if not LEAST_INCHES <= inches <= MOST_INCHES:
        raise Refused(FormReason.NUMBER_RANGE, number=text[:40], least=LEAST_INCHES, most=MOST_INCHES)
    return inches


def without_password(chosen: CardSettings) -> tuple[CardSettings, bool]:
    """Return the settings without the password, for pages, and whether there is one."""
    if chosen.wifi is None:
        return chosen, False
    wifi = msgspec.structs.replace(chosen.wifi, password="")
    return msgspec.structs.replace(chosen, wifi=wifi), bool(chosen.wifi.password)


_HERE = "/judge/terminals/cards"
_LONGEST_LIST, _LONGEST_COUNT = 1000, 4
"""The most characters of the entered values to keep in the page's address."""
_NO_BOARD = "virtual"


class RequestedCards(msgspec.Struct, frozen=True):
    """The requested cards. ``spares`` is the number of those without a table."""

    tables: tuple[TableNo, ...] = ()
    spares: int = 0

    @property
    def typed(self) -> str:
        """Return the requested tables as text, such as ``1-8, 10``."""
        return format_table_ranges(self.tables)

    @property
    def all(self) -> tuple[TableNo | None, ...]:
        """Return the table of each card, None for spares."""
        return (*self.tables, *([None] * self.spares))


class CardLabel(msgspec.Struct, frozen=True):
    """A label to print. ``code`` is a QR code as a data URI, which leads to the page of the cards."""

    table: TableNo | None
    mark: str
    code: str


@get("/", needs=Permission.ENROLMENT)
async def cards(
    request: PageRequest, tables: FromQuery[str] = "", spares: FromQuery[int] = 0, mark: FromQuery[str] = ""
) -> Template:
    """Show the whole page. ``mark`` is the mark on a scanned label, whose file is always shown."""
    service = site_of(request).service.of(Cards)
    chosen, has_password = without_password(await service.settings())
    made = await service.list_files()
    return page(
        request,
        "judge/cards.html",
        chosen=chosen,
        has_password=has_password,
        addresses=service.station_addresses(),
        languages_of_tables=LANGUAGES,
        panels=[name for name in PANELS if name != _NO_BOARD],
        usual_device=USUAL_DEVICE,
        rotations=ROTATIONS,
        files=_shown_files(made, mark),
        unused=sum(file.state is CardState.UNUSED for file in made),
        images=service.images(),
        typed=tables,
        spares=spares,
    )


@post("/settings", needs=Permission.ENROLMENT, audit=Audit("Changed the settings for cards"))
async def settings(request: PageRequest) -> Redirect:
    """Save the settings shared by all cards."""
    fields = await form_of(request)
    return await run_action(request, _remember(fields, request), _back(fields), Done.CARDS_SAY)


@post("/files", needs=Permission.ENROLMENT, audit=Audit("Created files for cards", keeps="tables"))
async def files(request: PageRequest) -> Response[bytes] | Redirect | Template:
    """Return a ZIP for all requested cards, asking first if it would replace files.

    The common settings are in the same form and are saved too.
    """
    fields = await form_of(request)
    try:
        wanted = _requested_cards(fields)
        made = await _make_files(request, fields, wanted)
    except (Refused, BadData, Unavailable) as error:
        show_refusal(request, error)
        return Redirect(_back(fields))
    if isinstance(made, Template):
        return made
    content = zip_of(made, _when(round(time.time() * 1000)), words_of(request))
    headers = _as_file("saloon-cards.zip")
    return Response(content, media_type="application/zip", headers=headers, status_code=200)


@post("/image", needs=Permission.ENROLMENT, audit=Audit("Created an image for cards"))
async def image(request: PageRequest) -> Stream | Redirect | Template:
    """Return one card's image, adding its file while sending, so that no secret is stored here."""
    fields = await form_of(request)
    try:
        number = fields.number("table")
        wanted = RequestedCards((), 1) if number is None else RequestedCards((TableNo(number),))
        path = _chosen_image(fields.text("image"), site_of(request).service.of(Cards).images())
        ours = await asyncio.to_thread(card_image, path)
        made = await _make_files(request, fields, wanted, image=path.name)
        if isinstance(made, Template):
            return made
        now = dt.datetime.now(dt.UTC).astimezone()
        patches = await asyncio.to_thread(provisioning_patches, ours, made[0].toml, now)
    except (Refused, BadData, Unavailable) as error:
        show_refusal(request, error)
        return Redirect(_back(fields))
    headers = {**_as_file(f"saloon-{folder_of(made[0].table, 1)}.img"), "Content-Length": str(ours.size)}
    content = pieces(ours, patches)
    return Stream(content, media_type="application/octet-stream", headers=headers, status_code=200)


def _back(fields: Fields) -> str:
    """Return the page's address with the entered tables."""
    spares = fields.text("spares")
    typed = {
        "tables": fields.text("tables")[:_LONGEST_LIST],
        "spares": spares[:_LONGEST_COUNT] if spares.isdigit() else 0,
    }
    return f"{_HERE}?{urlencode(typed)}"


async def _remember(fields: Fields, request: PageRequest) -> None:
    """Save the common settings. Raises Refused for a field that terminals could not read."""
    service = site_of(request).service.of(Cards)
    before = await service.settings()
    chosen = read_settings(fields, before)
    if Permission.FLOOR not in permissions_of_request(request):
        # Judges' cards have it too, and it opens the terminals of tables in play.
        chosen = msgspec.structs.replace(chosen, service=before.service)
    try:
        await service.save_settings(chosen, judge_of(request))
    except WrongFile as error:
        raise setting_refusal(error) from error


@get("/labels", needs=Permission.ENROLMENT)
async def labels(request: PageRequest, tables: FromQuery[str] = "", spares: FromQuery[int] = 0) -> Template:
    """Show labels to print for the requested tables, with the mark of each table's newest file."""
    wanted = RequestedCards(tables_of(tables), max(0, min(spares, MOST_SPARES)))
    made = await site_of(request).service.of(Cards).list_files()
    here = f"{str(request.base_url).rstrip('/')}{_HERE}"
    printed = [_label(table, _newest(table, made), here) for table in wanted.tables]
    newest_spares = [file for file in made if file.table is None][: wanted.spares]
    printed += [_label(None, file, here) for file in newest_spares]
    return page(request, "judge/card_labels.html", labels=printed)


@post("/{key:str}/withdraw", needs=Permission.ENROLMENT, audit=Audit("Withdrew files for cards"))
async def withdraw(request: PageRequest, key: FromPath[str]) -> Redirect:
    """Withdraw an unused file, so that it cannot enrol a terminal."""
    work = site_of(request).service.of(Cards).withdraw(key, judge_of(request))
    return await run_action(request, work, _HERE, Done.FILE_WITHDRAWN)


@post("/withdraw", needs=Permission.ENROLMENT, audit=Audit("Withdrew files for cards"))
async def withdraw_all(request: PageRequest) -> Redirect:
    work = site_of(request).service.of(Cards).withdraw_all(judge_of(request))
    return await run_action(request, work, _HERE, Done.FILES_WITHDRAWN)


async def _make_files(
    request: PageRequest, fields: Fields, wanted: RequestedCards, image: str = ""
) -> tuple[CardMade, ...] | Template:
    """Return new files, or a page asking whether they may replace others.

    ``image`` is the one into which they are put.
    """
    service = site_of(request).service.of(Cards)
    if "wifi-name" in fields.typed_values():
        await _remember(fields, request)
    replaced = _unused_files(wanted, await service.list_files())
    if replaced and not fields.is_ticked("replace"):
        name = "judge/cards_again.html"
        return page(request, name, wanted=wanted, replaced=replaced, image=image)
    return await service.make(
        wanted.all,
        judge_of(request),
        replaces=True,
        is_floor=Permission.FLOOR in permissions_of_request(request),
    )


def _chosen_image(name: str, images: tuple[Path, ...]) -> Path:
    for path in images:
        if path.name == name:
            return path
    raise Refused(FormReason.NO_IMAGE)


def _as_file(name: str) -> dict[str, str]:
    """Return headers that make a browser save the response as a file and prevent caching."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def _requested_cards(fields: Fields) -> RequestedCards:
    spares = fields.number("spares") or 0
    if spares > MOST_SPARES:
        raise Refused(FormReason.NUMBER_RANGE, number=spares, least=0, most=MOST_SPARES)
    wanted = RequestedCards(tables_of(fields.text("tables")), spares)
    if not wanted.all:
        raise Refused(FormReason.NO_CARDS)
    return wanted


def _unused_files(wanted: RequestedCards, made: tuple[CardFile, ...]) -> tuple[CardFile, ...]:
    """Return the unused files that new ones would replace, by table."""
    unused = [file for file in made if file.state is CardState.UNUSED and file.table in wanted.tables]
    return tuple(sorted(unused, key=lambda file: (file.table or 0, file.made_ms)))


def _shown_files(made: tuple[CardFile, ...], mark: str) -> tuple[CardFile, ...]:
    """Return the newest file of each table, all unused files, and the latest spares.

    They are sorted by table, spares last. ``mark`` is the mark of a file that is always included.
    """
    newest: dict[TableNo | None, CardFile] = {}
    for file in made:
        newest.setdefault(file.table, file)
    spares = [file for file in made if file.table is None][:MOST_SPARES]
    wanted = [file for file in made if file.state is CardState.UNUSED or file.mark == mark]
    by_key = {file.key: file for file in (*newest.values(), *spares, *wanted)}
    return tuple(sorted(by_key.values(), key=lambda file: (file.table or LAST_TABLE + 1, -file.made_ms)))


def _newest(table: TableNo, made: tuple[CardFile, ...]) -> CardFile | None:
    return next((file for file in made if file.table == table), None)


def _label(table: TableNo | None, file: CardFile | None, here: str) -> CardLabel:
    mark = "" if file is None else file.mark
    code = segno.make(f"{here}?mark={mark}#{mark}", error="m", micro=False)
    return CardLabel(table, mark, code.svg_data_uri(border=2))


def _when(ms: int) -> str:
    return dt.datetime.fromtimestamp(ms / 1000, dt.UTC).astimezone().strftime("%Y-%m-%d %H:%M")


routes = Router(
    _HERE,
    route_handlers=[cards, settings, files, image, labels, withdraw, withdraw_all],
)
