"""Judges' messages to tables: send and withdraw them, and track their delivery."""

import enum
import secrets
from collections.abc import Callable, Coroutine
from typing import assert_never

import msgspec
import structlog

from base.errors import Refused
from core.terms import MessageId, Seconds, TableNo, TournamentId
from station.hall.published import last_tables, running_tables
from station.hall.station_context import StationContext, uninterrupted
from station.hall.tournaments import orders_follow
from station.projections.message_records import (
    MESSAGES,
    MessageDelivery,
    MessageTrack,
    MessageWithdrawn,
    MessageWritten,
    Recipient,
)
from station.text.i18n import LABELS, _

_log = structlog.get_logger()
LONGEST_TEXT = 200
"""The most characters, which every display can show."""
_ID_BYTES = 6


class MessageRefusal(enum.Enum):
    """The reasons for refusing a message, as sentences for the judge."""

    EMPTY = "Write a message first."
    TOO_LONG = "The message has {count} characters. Shorten it to {most}."
    NOBODY = "No table has a terminal now, so nobody would see the message."
    UNKNOWN_TABLES = "These tables don't exist: {tables}. Correct the list."


class ToTables(msgspec.Struct, frozen=True):
    """Addresses tables by number."""

    tables: tuple[TableNo, ...]


class ToTournament(msgspec.Struct, frozen=True):
    """Addresses the tables of a tournament's running round, or between rounds those of the last one."""

    tournament: TournamentId


class ToAll(msgspec.Struct, frozen=True):
    """Addresses all tables."""


Addressees = ToTables | ToTournament | ToAll


class DeliveryState(enum.Enum):
    """The state of a message at one table."""

    WAITING = "waiting"
    """Its terminal is disconnected, and gets the message when it reconnects."""
    SENT = "sent"
    SHOWN = "shown"
    CONFIRMED = "confirmed"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


LABELS.update(
    {
        DeliveryState.WAITING: _("disconnected, waiting"),
        DeliveryState.SENT: _("sent"),
        DeliveryState.SHOWN: _("on the screen"),
        DeliveryState.CONFIRMED: _("confirmed"),
        DeliveryState.EXPIRED: _("not read in time"),
        DeliveryState.WITHDRAWN: _("withdrawn"),
    }
)


class DeliveryLine(msgspec.Struct, frozen=True):
    """A message at one table. ``at_ms`` is the time of the terminal's last report, by its own clock."""

    table: TableNo
    state: DeliveryState
    at_ms: int | None = None


class SentMessage(msgspec.Struct, frozen=True):
    """A message as shown to judges, with its delivery to each table."""

    track: MessageTrack
    lines: tuple[DeliveryLine, ...]

    @property
    def confirmed(self) -> int:
        return sum(line.state is DeliveryState.CONFIRMED for line in self.lines)

    @property
    def is_open(self) -> bool:
        """Return whether the message can still be withdrawn from a table."""
        return any(
            line.state in {DeliveryState.WAITING, DeliveryState.SENT, DeliveryState.SHOWN}
            for line in self.lines
        )


class Messages:
    """The messages of judges to tables. ``by`` is the judge's name."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    def sent(self) -> tuple[SentMessage, ...]:
        """Return all messages, newest first."""
        tracks = reversed(self._context.projections.messages.messages.values())
        wall_ms = self._context.parts.clock.wall_ms()
        return tuple(
            SentMessage(track, tuple(_line(one, track, wall_ms) for one in track.deliveries.values()))
            for track in tracks
        )

    @uninterrupted
    async def write(self, text: str, to: Addressees, lasts_s: Seconds, by: str) -> MessageId:
        """Send a message to tables, now or when they reconnect.

        ``lasts_s`` is how long it is shown, or 0 without a limit. Raises Refused with a ``MessageRefusal``,
        KeyError for an unknown tournament, Unavailable.
        """
        if not text:
            raise Refused(MessageRefusal.EMPTY)
        if len(text) > LONGEST_TEXT:
            raise Refused(MessageRefusal.TOO_LONG, count=len(text), most=LONGEST_TEXT)
        message = MessageId(secrets.token_hex(_ID_BYTES))

        async def _append() -> None:
            recipients, without = self._recipients(to)
            written = MessageWritten(message, text, by, recipients, lasts_s, without)
            await self._context.append([(MESSAGES, written)])

        await self._store(_append)
        _log.info("message sent", message=message, by=by)
        return message

    @uninterrupted
    async def withdraw(self, message: MessageId, by: str) -> None:
        """Withdraw a message from the tables that have not confirmed it. Raises KeyError or Unavailable."""

        async def _append() -> None:
            if not self._context.projections.messages.messages[message].withdrawn_by:
                await self._context.append([(MESSAGES, MessageWithdrawn(message, by))])

        await self._store(_append)
        _log.info("message withdrawn", message=message, by=by)

    async def _store(self, append: Callable[[], Coroutine[object, object, None]]) -> None:
        context = self._context
        async with context.lock:
            await context.decide_with_retry(append)
            await orders_follow(context)
        context.feed.publish("messages")

    def _recipients(self, to: Addressees) -> tuple[tuple[Recipient, ...], tuple[TableNo, ...]]:
        playing = {
            table.drawn.table: table.drawn.game
            for state in self._context.tournament_states()
            for table in running_tables(state)
            if not table.is_accepted
        }
        there = self._context.terminals_by_table
        wanted = self._wanted(to, {*there, *playing})
        at_terminals = sorted(wanted & there.keys())
        if not at_terminals:
            raise Refused(MessageRefusal.NOBODY)
        recipients = tuple(Recipient(there[table], table, playing.get(table)) for table in at_terminals)
        return recipients, tuple(sorted(wanted - there.keys()))

    def _wanted(self, to: Addressees, known: set[TableNo]) -> set[TableNo]:
        """Return the addressed tables. ``known`` are those with a terminal or a game."""
        match to:
            case ToAll():
                return known
            case ToTournament():
                state = self._context.projections.tournaments[to.tournament].state
                return {table.drawn.table for table in running_tables(state) or last_tables(state)}
            case ToTables():
                unknown = set(to.tables) - known
                if unknown:
                    listed = ", ".join(map(str, sorted(unknown)))
                    raise Refused(MessageRefusal.UNKNOWN_TABLES, tables=listed)
                return set(to.tables)
            case _:
                assert_never(to)


def _line(delivery: MessageDelivery, track: MessageTrack, wall_ms: int) -> DeliveryLine:
    table = delivery.recipient.table
    if delivery.confirmed_ms is not None:
        return DeliveryLine(table, DeliveryState.CONFIRMED, delivery.confirmed_ms)
    if track.withdrawn_by and not delivery.is_over:
        return DeliveryLine(table, DeliveryState.WITHDRAWN)
    if delivery.is_over or track.has_ended(wall_ms):
        return DeliveryLine(table, DeliveryState.EXPIRED)
    if not delivery.terminals:
        return DeliveryLine(table, DeliveryState.WAITING)
    if delivery.shown_ms is not None:
        return DeliveryLine(table, DeliveryState.SHOWN, delivery.shown_ms)
    return DeliveryLine(table, DeliveryState.SENT)
