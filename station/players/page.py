"""The judge's pages of players: import, add, rename and withdraw them, and report the ejected ones."""

import asyncio
import base64
from collections.abc import Sequence
from urllib.parse import quote, urlencode

import msgspec
from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from msgspec.structs import replace

from base.errors import Refused
from base.fonts.coverage import letters_of_terminals, shortened_names
from core.terms import PlayerId
from core.text.ejections import EjectionReport, must_report, report_to_publisher
from core.tournament.decisions import TournamentDecision
from core.tournament.penalties import ReinstatePlayer, WithdrawPlayer
from core.tournament.registration import (
    RemovePlayer,
    RenamePlayer,
    SetLateEntry,
    register_in_parts,
)
from core.tournament.state.names import fold_name, names_like
from core.tournament.state.reasons import TournamentReason
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit
from station.imports.csv_text import ENCODINGS
from station.imports.findings import (
    ListColumns,
    ListFormat,
    PlayerRow,
    Preview,
    PrivateFacts,
    PrivateField,
)
from station.imports.player_list import MOST_BYTES, MOST_PLAYERS, new_players
from station.imports.private_columns import private_columns
from station.imports.reader_process import preview_in_process
from station.imports.spreadsheets import file_kind
from station.players.codes import PATH, codes_of
from station.players.service import Desk, DeskRecord, PresenceState, facts_typed
from station.seasons.service import ReportedEjection, Seasons
from station.text.plan import plan_of
from station.text.reasons import Done, FormReason, Missing
from station.web.forms import Fields
from station.web.http_rules import COMPRESSED
from station.web.long_tasks import LongJob, TaskProgress, TaskStep
from station.web.task_page import result_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_IMPORT = "import"
_LARGEST_FILE = 2 * 1024 * 1024
_LARGEST_FORM = 3 * _LARGEST_FILE + 64 * 1024
"""The form's size limit; URL encoding needs up to three characters per byte."""


@get("/", needs=Permission.TOURNAMENTS, middleware=[COMPRESSED])
async def players(here: AtTournament, *, adds: FromQuery[bool] = False) -> Template:
    """Show all players. ``adds`` is True after one was added, to enter the next one at once."""
    names = [entrant.name for entrant in here.state.entrants]
    desk = await here.service.of(Desk).record(here.state.tournament)
    return here.page(
        "judge/players.html",
        asks_newcomer=PrivateField.NEWCOMER in desk.private_fields,
        sizes=plan_of(here.state, here.rules).sizes,
        adds=adds,
        shortened=await _shortened(names),
        ejected_elsewhere=await _ejected_elsewhere(here, names),
    )


async def _shortened(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return await asyncio.to_thread(lambda: shortened_names(names, letters_of_terminals()))


async def _ejected_elsewhere(here: TournamentContext, names: Sequence[str]) -> tuple[ReportedEjection, ...]:
    """Return ejections that other stations' packs report, for judges who may register players."""
    return await here.service.of(Seasons).ejections_like(names) if here.may(Permission.PLAYERS) else ()


@get("/{player:str}", needs=Permission.TOURNAMENTS)
async def player_page(here: AtTournament, player: FromPath[str]) -> Template:
    """Show a player, their seats in all rounds, and what can be changed."""
    entrant = here.state.entrant(PlayerId(player))
    if entrant is None:
        raise NotFoundException(Missing.GONE.value)
    seats = [
        (drawn, table, table.players.index(entrant.player) + 1)
        for drawn in here.state.published_rounds
        for table in drawn.tables
        if entrant.player in table.players
    ]
    tournament = here.state.tournament
    desk = await here.service.of(Desk).record(tournament)
    return here.page(
        "judge/player.html",
        e=entrant,
        seats=seats,
        ejected_elsewhere=await _ejected_elsewhere(here, [entrant.name]),
        badge=f"{PATH}{here.service.of(codes_of).badge(tournament, entrant.player)}",
        shows_results=desk.own_results,
        private_fields=[one.value for one in PrivateField if one in desk.private_fields],
        facts=desk.facts_of(entrant.player),
        may_return=here.may(Permission.PLAYERS) and not here.why_not(ReinstatePlayer(entrant.player, "-")),
        private=here.service.of(codes_of).private(
            tournament, entrant.player, desk.keys.get(entrant.player, 0)
        ),
    )


@get("/ejected", needs=Permission.TOURNAMENTS)
async def show_ejected(here: AtTournament) -> Template:
    """Show the report of ejected players to the publisher."""
    report = report_to_publisher(here.state, here.rules, here.words)
    return here.page(
        "judge/ejected.html",
        letter=report.letter(here.words),
        mail=_mail_link(report),
        must_report=must_report(here.rules),
    )


def _mail_link(report: EjectionReport) -> str:
    fields = urlencode({"subject": report.subject, "body": report.body}, quote_via=quote)
    return f"mailto:{report.address}?{fields}"


@get("/ejected.txt", needs=Permission.TOURNAMENTS)
async def download_ejected(here: AtTournament) -> Response[str]:
    """Return the report of ejected players as a text file."""
    text = report_to_publisher(here.state, here.rules, here.words).letter(here.words)
    return Response(text, media_type="text/plain", headers=here.file_headers("ejected-players.txt"))


@post("/", needs=Permission.PLAYERS, audit=Audit("Registered a player", keeps="name club"))
async def add(here: AtTournament) -> Redirect | Template:
    """Register one player, asking first if the name is registered already."""
    fields = await here.fields()
    facts = PrivateFacts(newcomer=fields.is_ticked("newcomer"))
    row = PlayerRow(1, fields.text("name"), fields.text("club"), facts)
    is_like = names_like(row.name)
    doubles = [one for one in here.state.entrants if is_like(one.name)]
    if doubles and not fields.is_ticked("sure"):
        return here.page("judge/double_name.html", row=row, doubles=doubles)
    return await here.act(_register(here, (row,)), f"{here.url}/players?adds=true", Done.ADDED)


@post(f"/{_IMPORT}", needs=Permission.PLAYERS, audit=PREVIEW, request_max_body_size=_LARGEST_FORM)
async def show_import(here: AtTournament) -> Template | Redirect:
    """Preview an uploaded list with its errors by line; nothing is registered yet."""
    return await _preview(here, await here.fields())


@post(
    f"/{_IMPORT}/keep",
    needs=Permission.PLAYERS,
    audit=Audit("Changed which private facts judges keep"),
    request_max_body_size=_LARGEST_FORM,
)
async def keep_columns(here: AtTournament) -> Template | Redirect:
    """Keep private facts that a previewed list has, and preview it again."""
    fields = await here.fields()
    wanted = frozenset(one for one in PrivateField if one.value in fields.text("keep").split())

    def _change(record: DeskRecord) -> DeskRecord:
        after = record.with_private_fields(record.private_fields | wanted)
        here.recorded.note_changes(record, after, "private_fields")
        return after

    await here.service.of(Desk).change(here.state.tournament, _change)
    return await _preview(here, fields)


async def _preview(here: TournamentContext, fields: Fields) -> Template | Redirect:
    file = fields.file("file")
    content = _unpacked(fields.raw("content")) if file is None else await file.read()
    if not content or len(content) > _LARGEST_FILE:
        return here.refuse(FormReason.NO_FILE, f"{here.url}/players")
    desk = await here.service.of(Desk).record(here.state.tournament)
    choice = replace(_reading_choice(fields), private_fields=desk.private_fields)

    async def _read(progress: TaskProgress) -> ReadList:
        progress.begin(TaskStep.READING, size=len(content))
        preview = await preview_in_process(content, here.state.entrants, choice)
        return ReadList(preview, content, choice)

    text = here.words.gettext("Preview the import")
    job = LongJob(f"{text} · {here.state.name}", (here.url, _IMPORT), object(), _read)
    return await _import_page(here, await result_of(here.request, job, f"{here.url}/players/{_IMPORT}"))


@get(f"/{_IMPORT}", needs=Permission.PLAYERS)
async def show_long_import(here: AtTournament, task: FromQuery[str] = "") -> Template | Redirect:
    """Preview a list that took long to read."""
    known = here.site.tasks.find(task, (here.url, _IMPORT))
    if known is None or not known.running.done():
        return Redirect(f"{here.url}/players")
    return await _import_page(here, known.running.result())


class ReadList(msgspec.Struct, frozen=True):
    """An uploaded list, how to read it, and what was read."""

    preview: Preview
    content: bytes
    choice: ListFormat


async def _import_page(here: TournamentContext, read: ReadList) -> Template:
    preview, content, choice = read.preview, read.content, read.choice
    columns = private_columns(preview.titles, frozenset(PrivateField) - choice.private_fields)
    return here.page(
        "judge/import.html",
        preview=preview,
        rows="\n".join(map(_line_of, preview.rows)),
        private_fields=[one.value for one in PrivateField if any(_has(row, one) for row in preview.rows)],
        private_titles={one.value: preview.titles[place] for one, place in columns.items()},
        content=base64.urlsafe_b64encode(content).decode() if len(content) <= MOST_BYTES else "",
        encodings={} if file_kind(content) else ENCODINGS,
        choice=choice,
        shortened=await _shortened([row.name for row in preview.rows]),
        ejected_elsewhere=await _ejected_elsewhere(here, [row.name for row in preview.rows]),
    )


@post(
    "/import/confirm",
    needs=Permission.PLAYERS,
    audit=Audit("Registered players from a file"),
    request_max_body_size=_LARGEST_FORM,
)
async def confirm_import(here: AtTournament) -> Redirect:
    """Register the players shown in the preview, unless a second press finds them all registered."""
    rows = read_rows(await here.fields())
    known = {(fold_name(one.name), fold_name(one.club)) for one in here.state.entrants}
    if rows and all((fold_name(row.name), fold_name(row.club)) in known for row in rows):
        return here.refuse(FormReason.ALL_REGISTERED, f"{here.url}/players")
    return await here.act(_register(here, rows), f"{here.url}/players", Done.REGISTERED)


async def _register(here: TournamentContext, rows: Sequence[PlayerRow]) -> None:
    """Register players in as many steps as needed, after checking that none of the steps is refused."""
    players = new_players(rows, here.state.entrants)
    tournament, commands = here.state.tournament, list(register_in_parts(players))
    if len(commands) > 1:
        for command in commands:
            refused = here.service.why_not(tournament, command)
            if refused is not None:
                raise refused
            await asyncio.sleep(0)
    for command in commands:
        await here.service.decide(tournament, command, here.judge)
    facts = {one.player: row.private for one, row in zip(players, rows, strict=True)}
    await here.service.of(Desk).introduce(tournament, facts)
    if here.state.published_rounds and len(facts) == 1:
        # Whoever joins alone between rounds stands at the desk.
        for player in facts:
            await here.service.of(Desk).set_presence(tournament, player, PresenceState.HERE, here.judge)


@post(
    "/late-entry", needs=Permission.PLAYERS, audit=Audit("Opened or closed late entry", keeps="open reason")
)
async def late_entry(here: AtTournament) -> Redirect:
    """Allow or stop late entries after the first published draw."""
    fields = await here.fields()
    command = SetLateEntry(fields.is_ticked("open"), fields.text("reason"))
    return await here.run(command, f"{here.url}/players", Done.LATE_ENTRY_SET)


@post("/{player:str}/rename", needs=Permission.PLAYERS, audit=Audit("Renamed a player", keeps="name club"))
async def rename(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Rename a player."""
    fields = await here.fields()
    return await _change(here, RenamePlayer(PlayerId(player), fields.text("name"), fields.text("club")))


@post("/{player:str}/remove", needs=Permission.PLAYERS, audit=Audit("Removed a player registered by mistake"))
async def remove(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Remove a player registered by mistake."""
    wanted, then = PlayerId(player), f"{here.url}/players"

    async def _remove() -> None:
        await here.service.decide(here.state.tournament, RemovePlayer(wanted), here.judge)
        await here.service.of(Desk).change(here.state.tournament, lambda desk: desk.without_player(wanted))

    return await here.act(_remove(), then, Done.CHANGED)


@post("/{player:str}/withdraw", needs=Permission.PLAYERS, audit=Audit("Withdrew a player", keeps="reason"))
async def withdraw(here: AtTournament, player: FromPath[str]) -> Redirect:
    return await _change(here, WithdrawPlayer(PlayerId(player), await _reason(here)))


@post("/{player:str}/reinstate", needs=Permission.PLAYERS, audit=Audit("Undid a withdrawal", keeps="reason"))
async def reinstate(here: AtTournament, player: FromPath[str]) -> Redirect:
    return await _change(here, ReinstatePlayer(PlayerId(player), await _reason(here)))


async def _reason(here: TournamentContext) -> str:
    return (await here.fields()).text("reason")


async def _change(here: TournamentContext, command: TournamentDecision) -> Redirect:
    return await here.run(command, f"{here.url}/players", Done.CHANGED)


def _reading_choice(fields: Fields) -> ListFormat:
    """Return how the judge wants the file to be read. Raises Refused for a bad number."""
    first, last, encoding = fields.number("first"), fields.number("last"), fields.text("encoding")
    names = tuple(column for column in (first, last) if column is not None)
    return ListFormat(
        encoding if encoding in ENCODINGS else "",
        ListColumns(names, fields.number("club")) if names else None,
        has_titles=not fields.is_ticked("untitled"),
    )


def _unpacked(content: str) -> bytes:
    """Decode the file that a preview page sends back, or return b"" if it is damaged."""
    try:
        return base64.urlsafe_b64decode(content)
    except ValueError:
        return b""


def _has(row: PlayerRow, field: PrivateField) -> bool:
    return bool(getattr(row.private, field.value))


def _line_of(row: PlayerRow) -> str:
    """Return a row as a line for ``read_rows``."""
    facts = row.private
    private = ("yes" if facts.paid else "", facts.note, facts.email, "yes" if facts.newcomer else "")
    return "\t".join((row.name, row.club, *(private if any(private) else ())))


def read_rows(fields: Fields) -> tuple[PlayerRow, ...]:
    """Read the rows that a preview page sends back: name, club and private facts, between tabs."""
    rows = []
    lines = fields.raw("rows").replace("\r", "").strip("\n").split("\n", MOST_PLAYERS)
    if len(lines) > MOST_PLAYERS:
        raise Refused(TournamentReason.TOO_MANY_AT_ONCE, players=len(lines))
    for number, line in enumerate(lines, 1):
        cells = (*(cell.strip() for cell in line.split("\t")), *[""] * 5)
        name, club, paid, note, email, newcomer = cells[:6]
        if not name:
            raise Refused(FormReason.NO_NAME_IN_ROW, row=number)
        facts = facts_typed(
            PrivateFacts(), {"paid": paid, "note": note, "email": email, "newcomer": newcomer}
        )
        rows.append(PlayerRow(number, name, club, facts))
    return tuple(rows)


routes = tournament_routes(
    players,
    player_page,
    show_ejected,
    download_ejected,
    add,
    late_entry,
    show_import,
    keep_columns,
    show_long_import,
    confirm_import,
    rename,
    remove,
    withdraw,
    reinstate,
    under="/players",
)
