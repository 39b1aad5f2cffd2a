"""Import parcels: a terminal's entries, as if received over the network, and signed record sheets."""

import asyncio
import enum
from typing import assert_never

import msgspec
import structlog

from base.errors import Refused
from core.game.result import is_same, result_of
from core.game.state.game import Confirmation
from core.terms import GameId, RoundNo, TableNo, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.sheets import accept_result, contest_result
from core.tournament.state.rounds import SheetOrigin, Source
from core.tournament.state.tournament import TournamentState
from station.enrolment.enrolments import EnrolledTerminal
from station.hall.hub_events import HubEventHandler
from station.hall.published import PublishedTable
from station.hall.station_context import StationContext
from station.hall.tournaments import decide_on
from station.text.i18n import LABELS, _
from sync.protocol.entry import Entry, StreamId, TerminalId, table_stream
from sync.protocol.parcel import (
    BadParcel,
    CarriedEntries,
    CarriedSheet,
    Parcel,
    claimed_sender,
    open_parcel,
)


class ParcelRefusal(enum.Enum):
    """The reasons for refusing a parcel; each sentence ends with the next step."""

    NO_PARCEL = "This isn't a code or file from a terminal. Try another one."
    OTHER_VERSION = (
        "The code or file comes from a different version of Saloon. Update the terminal or the station so "
        "that both run the same version."
    )
    DAMAGED = "This is damaged. Photograph the code again, or copy the file again."
    NOT_SIGNED = (
        "The signature doesn't match the terminal it names. Take the code from the terminal "
        "itself; if that fails too, enter the result from paper and set the terminal aside."
    )
    TOO_LARGE = "This is too large to come from a terminal. Choose another file."
    UNKNOWN_TERMINAL = (
        "Terminal {terminal} isn't enrolled with this station. If it belongs to this tournament, "
        "enrol it and import this again; otherwise enter the result from paper."
    )
    REVOKED = (
        "Terminal {terminal} was revoked. Enter the result from paper, or enrol the terminal again first."
    )
    GAP = (
        "Entries {first} to {last} of this terminal are missing here. At the terminal, choose "
        "“Whole game” or the USB drive, then import that."
    )
    DISAGREES = (
        "The station has other entries from this terminal with the same numbers. Was its card "
        "cloned or restored? Both are kept. Check the table against its paper record, and enter "
        "the result from there."
    )
    UNKNOWN_GAME = (
        "This record sheet is for a game that wasn't drawn at this station. Is it from another tournament?"
    )
    NOT_SEATED = (
        "This terminal was never assigned that game. If the table confirms the result, enter it from paper."
    )
    NO_PICTURE = (
        "This file can't be read. Choose a .parcel file, or a picture (JPEG, PNG or WebP) of at most "
        "{megapixels} megapixels."
    )
    TOO_MANY = "Only the first {count} files were read. Choose the others again."
    NO_CODE = (
        "No code was found in this picture. Hold the phone straight in front of the screen, "
        "avoid reflections, and get the whole code and its white edge in the picture."
    )


class ImportOutcome(enum.Enum):
    """The outcome of importing a parcel."""

    SHEET_ACCEPTED = "accepted"
    SHEET_KNOWN = "known"
    """The same result had been accepted already, and is not counted twice."""
    SHEET_CONTESTED = "contested"
    """Another result had been accepted; both are kept."""
    SHEET_UNCONFIRMED = "unconfirmed"
    """No judge confirmed the sheet at its terminal, so a judge has to confirm it here."""
    ENTRIES_TAKEN = "taken"
    ENTRIES_KNOWN = "entries-known"
    """The station had all of the entries already."""


LABELS.update(
    {
        ImportOutcome.SHEET_ACCEPTED: _("The record sheet has been imported."),
        ImportOutcome.SHEET_KNOWN: _("This record sheet had already been received. Nothing has changed."),
        ImportOutcome.SHEET_CONTESTED: _(
            "A different result has already been confirmed for this table. Both are kept: compare them on "
            "the table's page."
        ),
        ImportOutcome.SHEET_UNCONFIRMED: _("A judge still has to confirm this record sheet."),
        ImportOutcome.ENTRIES_KNOWN: _(
            "Entries {first} to {last} had all been received already. Nothing has changed."
        ),
    }
)


class ImportResult(msgspec.Struct, frozen=True):
    """The result of importing a parcel: its entries by number, and its game's table if it has one."""

    outcome: ImportOutcome
    terminal: TerminalId
    tournament: TournamentId | None = None
    round: RoundNo | None = None
    table: TableNo | None = None
    new: int = 0
    first: int = 0
    last: int = 0


_log = structlog.get_logger()
_CONFIRMED = {how.value: how for how in Confirmation}
_SHORT = 8


class ParcelImporter:
    """Imports the game entries and record sheets in parcels, each only once."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def import_parcel(
        self, parcel: bytes, where: str, by: str, *, confirms: bool = False
    ) -> ImportResult:
        """Check a parcel and store its content, once.

        where: its file or picture.
        by: the judge's name.
        confirms: accept a record sheet that nobody confirmed at the table.

        Raises Refused with a ``ParcelRefusal`` or a reason of the tournament, BadData, Unavailable. In these
        cases nothing changes, except that conflicting entries are stored in quarantine.
        """
        try:
            known = _sender(self._context, claimed_sender(parcel, where))
            opened = await asyncio.to_thread(open_parcel, parcel, known.certificate, where)
        except BadParcel as error:
            raise parcel_refusal(error) from error
        match opened.content:
            case CarriedEntries():
                work = _take_entries(self._context, opened, opened.content)
            case CarriedSheet():
                work = _take_sheet(self._context, opened, opened.content, where, by, confirms=confirms)
            case _:
                assert_never(opened.content)
        taken = await self._context.run_to_completion(work)
        _log.info("parcel imported", terminal=known.terminal, outcome=taken.outcome.value, by=by)
        return taken


def parcel_refusal(error: BadParcel) -> Refused:
    return Refused(ParcelRefusal[error.flaw.name])


def _sender(context: StationContext, terminal: TerminalId) -> EnrolledTerminal:
    known = context.terminals_by_id.get(terminal)
    if known is None:
        raise Refused(ParcelRefusal.UNKNOWN_TERMINAL, terminal=terminal[:_SHORT])
    if known.revoked:
        raise Refused(ParcelRefusal.REVOKED, terminal=terminal[:_SHORT])
    return known


async def _take_entries(context: StationContext, parcel: Parcel, content: CarriedEntries) -> ImportResult:
    stream = table_stream(parcel.terminal)
    there = await asyncio.to_thread(context.parts.store.last_of, stream, content.epoch)
    if content.first > there + 1:
        raise Refused(ParcelRefusal.GAP, first=there + 1, last=content.first - 1)
    entries = content.entries(stream)
    if not await _store(context, entries):
        raise Refused(ParcelRefusal.DISAGREES)
    async with context.lock:
        await context.catch_up()
    new = max(0, content.last - there)
    table = _last_table_of(context, stream, content)
    return ImportResult(
        outcome=ImportOutcome.ENTRIES_TAKEN if new else ImportOutcome.ENTRIES_KNOWN,
        terminal=parcel.terminal,
        tournament=None if table is None else table.tournament.tournament,
        round=None if table is None else table.round,
        table=None if table is None else table.drawn.table,
        new=new,
        first=content.first,
        last=content.last,
    )


async def _store(context: StationContext, entries: tuple[Entry, ...]) -> bool:
    """Store entries through the hub, in order with received ones, or directly if there is no hub."""
    if context.post is not None:
        return await context.post.import_entries(entries)
    new, bad = await asyncio.to_thread(context.parts.store.insert_remote, entries)
    handler = HubEventHandler(context)
    handler.entries_stored(new)
    if bad:
        handler.on_quarantine(bad)
    return not bad


def _last_table_of(
    context: StationContext, stream: StreamId, content: CarriedEntries
) -> PublishedTable | None:
    """Return the table of the last game that the terminal reported in this epoch."""
    terminal = TerminalId(stream.partition("/")[2])
    published = context.published.by_game()
    tracks = [
        (track.steps[-1].seq, game)
        for game in context.projections.games
        if terminal in context.projections.games.terminals(game)
        for track in context.projections.games[game]
        if (track.terminal, track.epoch) == (terminal, content.epoch) and track.steps
    ]
    return published.get(max(tracks)[1]) if tracks else None


async def _take_sheet(
    context: StationContext, parcel: Parcel, content: CarriedSheet, where: str, by: str, *, confirms: bool
) -> ImportResult:
    """Accept the sheet, or dispute the accepted one with it, unless it is known."""
    game, result = GameId(content.game), result_of(content.result, where)
    await _check_journal(context, parcel.terminal, content)
    table = _table_of(context, game, parcel.terminal)
    tournament, outcome = table.tournament.tournament, ImportOutcome.SHEET_KNOWN
    origin = SheetOrigin(
        terminal=parcel.terminal,
        epoch=content.epoch,
        seq=content.seq,
        hash=content.hash.hex(),
        confirmed=_CONFIRMED.get(content.confirmed),
        sealed=parcel.sealed,
    )

    def _choose(_: TournamentState) -> TournamentDecision | None:
        nonlocal outcome
        accepted = _table_of(context, game, parcel.terminal).accepted
        if accepted is None:
            outcome = ImportOutcome.SHEET_ACCEPTED
            return accept_result(game, result, Source.CARRIED, origin=origin)
        if is_same(result, accepted.result):
            outcome = ImportOutcome.SHEET_KNOWN
            return None
        outcome = ImportOutcome.SHEET_CONTESTED
        was_contested = context.projections.tournaments[tournament].was_contested(game, origin)
        return None if origin == accepted.origin or was_contested else contest_result(game, result, origin)

    if confirms or _is_confirmed(context, game, origin):
        await decide_on(context, tournament, _choose, by)
    elif table.accepted is None or not is_same(result, table.accepted.result):
        outcome = ImportOutcome.SHEET_UNCONFIRMED
    return ImportResult(outcome, parcel.terminal, tournament, table.round, table.drawn.table)


def _is_confirmed(context: StationContext, game: GameId, origin: SheetOrigin) -> bool:
    """Return whether a judge confirmed the sheet at a trusted terminal that still has the game."""
    terminal = TerminalId(origin.terminal)
    is_relieved = context.projections.handovers.is_relieved(game, terminal)
    is_trusted = _sender(context, terminal).trusted
    return origin.confirmed is not None and is_trusted and not is_relieved


async def _check_journal(context: StationContext, terminal: TerminalId, content: CarriedSheet) -> None:
    """Refuse the sheet if its last entry differs from the stored one with the same number."""
    stream = table_stream(terminal)
    there = await asyncio.to_thread(context.parts.store.entry_at, stream, content.epoch, content.seq)
    if there is not None and there.hash != content.hash:
        context.links.alarm(terminal, ParcelRefusal.DISAGREES.value)
        context.feed.publish("terminals")
        raise Refused(ParcelRefusal.DISAGREES)


def _table_of(context: StationContext, game: GameId, terminal: TerminalId) -> PublishedTable:
    table = context.published.by_game().get(game)
    if table is None:
        raise Refused(ParcelRefusal.UNKNOWN_GAME)
    if not context.projections.handovers.was_given(game, terminal):
        raise Refused(ParcelRefusal.NOT_SEATED)
    return table
