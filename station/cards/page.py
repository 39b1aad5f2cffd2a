"""The judge's page of cards: common settings, files for many tables at once, and the files' status."""

import asyncio
import datetime as dt
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import msgspec
import segno
from litestar import get, post
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
from station.web.forms import Fields
from station.web.tournament_context import AtStation, PageContext, station_routes
from sync.enrolment.provisioning import ServicePart, TerminalPart, WifiPart
from sync.enrolment.provisioning_keys import LEAST_INCHES, MOST_INCHES, PANELS, ROTATIONS, WrongFile
from sync.ports.addresses import complete_address

_HERE: Final = "/judge/terminals/cards"
_USUAL_DEVICE: Final = "/dev/ttyUSB0"
"""The device name of a terminal's only USB adapter."""
_SHARED, _OWN = "shared", "own"
_LONGEST_LIST, _LONGEST_COUNT = 1000, 4
"""The most characters of entered values in the page's address."""
_NO_BOARD = "virtual"


def _read_settings(fields: Fields, before: CardSettings) -> CardSettings:
    """Read the settings from the form, keeping the former password if none was entered. Raises Refused."""
    rotation = fields.number("rotation")
    cable = fields.text("cable")
    terminal = TerminalPart(
        serial=(fields.text("device") or _USUAL_DEVICE) if cable in {_OWN, _SHARED} else "",
        bus=cable == _SHARED,
        panel=fields.text("panel"),
        language=fields.text("language"),
        rotation=rotation or None,
        inches=_inches(fields.text("inches")),
    )
    addresses = tuple(map(complete_address, fields.raw("addresses").replace(",", " ").split()))
    return CardSettings(_wifi(fields, before), ServicePart(fields.text("ssh-key")), terminal, addresses)


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


def _without_password(chosen: CardSettings) -> tuple[CardSettings, bool]:
    """Return settings for a page, without the password, and whether there is one."""
    if chosen.wifi is None:
        return chosen, False
    wifi = msgspec.structs.replace(chosen.wifi, password="")
    return msgspec.structs.replace(chosen, wifi=wifi), bool(chosen.wifi.password)


class RequestedCards(msgspec.Struct, frozen=True):
    """Requested cards: one for each table, and a number of spares that belong to no table."""

    tables: tuple[TableNo, ...] = ()
    spares: int = 0

    @property
    def typed(self) -> str:
        """Return the requested tables as text, such as ``1-8, 10``."""
        return format_table_ranges(self.tables)

    @property
    def all(self) -> tuple[TableNo | None, ...]:
        return (*self.tables, *([None] * self.spares))


class CardLabel(msgspec.Struct, frozen=True):
    """A label to print. ``code`` is a QR code as a data URI, which opens the page of cards."""

    table: TableNo | None
    mark: str
    code: str


@get("/", needs=Permission.ENROLMENT)
async def cards(
    here: AtStation, tables: FromQuery[str] = "", spares: FromQuery[int] = 0, mark: FromQuery[str] = ""
) -> Template:
    """Show the page. ``mark`` is printed on a label; its file is always listed."""
    service = here.service.of(Cards)
    chosen, has_password = _without_password(await service.settings())
    made = await service.list_files()
    return here.page(
        "judge/cards.html",
        chosen=chosen,
        has_password=has_password,
        addresses=here.service.context.addresses,
        languages_of_tables=LANGUAGES,
        panels=[name for name in PANELS if name != _NO_BOARD],
        usual_device=_USUAL_DEVICE,
        rotations=ROTATIONS,
        files=_shown_files(made, mark),
        unused=sum(file.state is CardState.UNUSED for file in made),
        images=service.images(),
        typed=tables,
        spares=spares,
    )


@post("/settings", needs=Permission.ENROLMENT, audit=Audit("Changed the settings for cards"))
async def settings(here: AtStation) -> Redirect:
    fields = await here.fields()
    return await here.act(_remember(here, fields), _back(fields), Done.CARDS_SAY)


@post("/files", needs=Permission.ENROLMENT, audit=Audit("Created files for cards", keeps="tables"))
async def files(here: AtStation) -> Response[bytes] | Redirect | Template:
    """Return a ZIP for all requested cards, asking first if it would replace files.

    The common settings are in the same form and are saved too.
    """
    fields = await here.fields()
    try:
        wanted = _requested_cards(fields)
        made = await _make_files(here, fields, wanted)
    except (Refused, BadData, Unavailable) as error:
        return here.refuse(error, _back(fields))
    if isinstance(made, Template):
        return made
    content = zip_of(made, f"{dt.datetime.now().astimezone():%Y-%m-%d %H:%M}", here.words)
    headers = _as_file("saloon-cards.zip")
    return Response(content, media_type="application/zip", headers=headers, status_code=200)


@post("/image", needs=Permission.ENROLMENT, audit=Audit("Created an image for cards"))
async def image(here: AtStation) -> Stream | Redirect | Template:
    """Send one card's image, adding its provisioning file on the way, so that the disk stores no secret."""
    fields = await here.fields()
    try:
        number = fields.number("table")
        wanted = RequestedCards((), 1) if number is None else RequestedCards((TableNo(number),))
        path = _chosen_image(fields.text("image"), here.service.of(Cards).images())
        ours = await asyncio.to_thread(card_image, path)
        made = await _make_files(here, fields, wanted, image=path.name)
        if isinstance(made, Template):
            return made
        now = dt.datetime.now(dt.UTC).astimezone()
        patches = await asyncio.to_thread(provisioning_patches, ours, made[0].toml, now)
    except (Refused, BadData, Unavailable) as error:
        return here.refuse(error, _back(fields))
    headers = {**_as_file(f"saloon-{folder_of(made[0].table, 1)}.img"), "Content-Length": str(ours.size)}
    content = pieces(ours, patches)
    return Stream(content, media_type="application/octet-stream", headers=headers, status_code=200)


def _back(fields: Fields) -> str:
    """Return the page's address with the entered tables, to show them again."""
    spares = fields.text("spares")
    typed = {
        "tables": fields.text("tables")[:_LONGEST_LIST],
        "spares": spares[:_LONGEST_COUNT] if spares.isdigit() else 0,
    }
    return f"{_HERE}?{urlencode(typed)}"


async def _remember(here: PageContext, fields: Fields) -> None:
    """Save the common settings. Raises Refused for a field that terminals could not read."""
    service = here.service.of(Cards)
    before = await service.settings()
    chosen = _read_settings(fields, before)
    if not here.is_floor:
        # Only judges may change the SSH key, which opens the terminals of running tables.
        chosen = msgspec.structs.replace(chosen, service=before.service)
    wifi, other = before.wifi or WifiPart(""), chosen.wifi or WifiPart("")
    here.recorded.note_change("wifi", wifi.name, other.name)
    here.recorded.note_changes(wifi, other, "password", is_secret=True)
    here.recorded.note_changes(before.service, chosen.service, "ssh_key", is_secret=True)
    here.recorded.note_changes(before.terminal, chosen.terminal, "serial bus panel language rotation inches")
    here.recorded.note_changes(before, chosen, "addresses")
    try:
        await service.save_settings(chosen, here.judge)
    except WrongFile as error:
        problem = error.fault.value.format(**error.fields) if error.fields else error.fault
        field = f"[{error.section}] {error.key}"
        raise Refused(FormReason.CARD_FIELD, field=field, problem=problem) from error


@get("/labels", needs=Permission.ENROLMENT)
async def labels(here: AtStation, tables: FromQuery[str] = "", spares: FromQuery[int] = 0) -> Template:
    """Show the labels to print for the requested tables, each with the mark of its newest file."""
    wanted = RequestedCards(tables_of(tables), max(0, min(spares, MOST_SPARES)))
    made = await here.service.of(Cards).list_files()
    address = f"{str(here.request.base_url).rstrip('/')}{_HERE}"
    newest = {file.table: file for file in reversed(made)}
    printed = [_label(table, newest.get(table), address) for table in wanted.tables]
    spares_made = [file for file in made if file.table is None][: wanted.spares]
    printed += [_label(None, file, address) for file in spares_made]
    return here.page("judge/card_labels.html", labels=printed)


@post("/{key:str}/withdraw", needs=Permission.ENROLMENT, audit=Audit("Withdrew files for cards"))
async def withdraw(here: AtStation, key: FromPath[str]) -> Redirect:
    """Withdraw an unused file, so that it cannot enrol a terminal."""
    for file in await here.service.of(Cards).list_files():
        if file.key == key:
            here.recorded.known |= {
                "file": file.mark,
                "table": "–" if file.table is None else str(file.table),
            }
    work = here.service.of(Cards).withdraw(key, here.judge)
    return await here.act(work, _HERE, Done.FILE_WITHDRAWN)


@post("/withdraw", needs=Permission.ENROLMENT, audit=Audit("Withdrew files for cards"))
async def withdraw_all(here: AtStation) -> Redirect:
    work = here.service.of(Cards).withdraw_all(here.judge)
    return await here.act(work, _HERE, Done.FILES_WITHDRAWN)


async def _make_files(
    here: PageContext, fields: Fields, wanted: RequestedCards, image: str = ""
) -> tuple[CardMade, ...] | Template:
    """Return new files, or a page that asks whether they may replace unused ones."""
    service = here.service.of(Cards)
    if "wifi-name" in fields.typed_values():
        await _remember(here, fields)
    replaced = _unused_files(wanted, await service.list_files())
    if replaced and not fields.is_ticked("replace"):
        name = "judge/cards_again.html"
        return here.page(name, wanted=wanted, replaced=replaced, image=image)
    return await service.make(
        wanted.all,
        here.judge,
        replaces=True,
        is_floor=here.is_floor,
    )


def _chosen_image(name: str, images: tuple[Path, ...]) -> Path:
    for path in images:
        if path.name == name:
            return path
    raise Refused(FormReason.NO_IMAGE)


def _as_file(name: str) -> dict[str, str]:
    """Return headers that make a browser save the response and cache nothing."""
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
    unused = [file for file in made if file.state is CardState.UNUSED and file.table in wanted.tables]
    return tuple(sorted(unused, key=lambda file: (file.table or 0, file.made_ms)))


def _shown_files(made: tuple[CardFile, ...], mark: str) -> tuple[CardFile, ...]:
    """Return the newest file of each table, all unused files, and the latest spares, by table.

    ``mark`` is the mark of a file that is always included.
    """
    newest: dict[TableNo | None, CardFile] = {}
    for file in made:
        newest.setdefault(file.table, file)
    spares = [file for file in made if file.table is None][:MOST_SPARES]
    wanted = [file for file in made if file.state is CardState.UNUSED or file.mark == mark]
    by_key = {file.key: file for file in (*newest.values(), *spares, *wanted)}
    return tuple(sorted(by_key.values(), key=lambda file: (file.table or LAST_TABLE + 1, -file.made_ms)))


def _label(table: TableNo | None, file: CardFile | None, address: str) -> CardLabel:
    mark = "" if file is None else file.mark
    code = segno.make(f"{address}?mark={mark}#{mark}", error="m", micro=False)
    return CardLabel(table, mark, code.svg_data_uri(border=2))


routes = station_routes(_HERE, cards, settings, files, image, labels, withdraw, withdraw_all)
